"""What the tests share: the queue classes under test, ways to call them, and scenarios to try.

To put another queue class under the whole contract suite (`test_behavior.py`), add it to
QUEUE_CLASSES. It needs a constructor that takes a capacity, the five methods, and `snapshot()`.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

from hypothesis import strategies as st

from rq import Job, Queue, Scenario, State, decide

ROOT = Path(__file__).resolve().parent.parent


class ContractQueue:
    """The contract dressed up as a queue: it keeps a State and lets `decide` answer each call."""

    def __init__(self, capacity: int) -> None:
        self._state = State(capacity)

    def _call(self, *operation):
        decision = decide(self._state, operation)
        self._state = decision.after
        return decision.returned

    def enqueue(self, id, payload) -> bool:
        return self._call("enqueue", id, payload)

    def reserve(self) -> Job | None:
        return self._call("reserve")

    def ack(self, id, attempt) -> bool:
        return self._call("ack", id, attempt)

    def retry(self, id, attempt) -> bool:
        return self._call("retry", id, attempt)

    def cancel(self, id) -> bool:
        return self._call("cancel", id)

    def snapshot(self) -> State:
        return self._state


QUEUE_CLASSES = [Queue, ContractQueue]


def call(queue, *operation):
    """Make one call in the exercise's notation: `call(queue, "ack", "a", 1)`."""
    name, *arguments = operation
    return getattr(queue, name)(*arguments)


def assert_refused(queue, *operation):
    """The call returns False (reserve: None), and nothing changes."""
    before = queue.snapshot()
    assert call(queue, *operation) is (None if operation[0] == "reserve" else False)
    assert queue.snapshot() == before


def drain(queue) -> list[str]:
    """Reserve until nothing waits; the ids in the order they came out."""
    ids = []
    while job := queue.reserve():
        ids.append(job.id)
    return ids


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text: list[str] = []
        self._in_style = False

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self._in_style = tag == "style"

    def handle_endtag(self, tag):
        self._in_style = False

    def handle_data(self, data):
        if not self._in_style:
            self.text.append(data)


def _parsed(html: str) -> _Page:
    page = _Page()
    page.feed(html)
    page.close()
    return page


def html_text(html: str) -> str:
    """What a reader sees of some HTML."""
    return "".join(_parsed(html).text)


def html_tags(html: str) -> set[str]:
    """The names of the tags that some HTML really has."""
    return _parsed(html).tags


def words(sentence: str) -> set[str]:
    """The words of a sentence; an id, a number and a ticket such as `a#1` each count as one."""
    return set(re.findall(r"[\w#-]+", sentence))


NASTY_PAYLOADS = [
    "<img src=x onerror=alert(1)>",
    "</td></table><script>x()</script>",
    "a & b",
    "&lt;b&gt;",
    'say "hi"',
    "it's",
    "1 < 2",
    "{{ 7 * 7 }}",
    "back\\slash",
    "",
]
NASTY_PAYLOADS[1] = NASTY_PAYLOADS[1][:32]  # the limit of the exercise

EIGHT_QUEUES = Scenario(
    2,
    (
        *[op for number in range(7) for op in (("enqueue", f"job-{number}", "x"), ("reserve",), ("new",))],
        *[("use", index) for index in range(8)],
        *[("retry", "job-0", 1), ("use", 0)] * 17,
        ("retry", "job-0", 1),
    ),
)
"""As much as a scenario may hold: 64 operations over 8 queues."""

ids = st.sampled_from(["a", "b", "A", "c-_9"])
payloads = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=32)
attempts = st.integers(0, 4)
operations = st.one_of(
    st.tuples(st.just("enqueue"), ids, payloads),
    st.tuples(st.just("reserve")),
    st.tuples(st.sampled_from(["ack", "retry"]), ids, attempts),
    st.tuples(st.just("cancel"), ids),
)


@st.composite
def scenarios(draw, most: int = 20) -> Scenario:
    """A well-formed scenario; `use` names only queues that exist."""
    ops: list[tuple] = []
    queues = 1
    for _ in range(draw(st.integers(0, most))):
        operation = draw(st.one_of(operations, operations, st.sampled_from([("new",), ("use",)])))
        if operation == ("use",):
            operation = ("use", draw(st.integers(0, queues - 1)))
        if operation == ("new",):
            if queues == 8:
                continue
            queues += 1
        ops.append(operation)
    return Scenario(draw(st.integers(0, 4)), tuple(ops))
