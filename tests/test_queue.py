"""The Queue itself: mistakes in the program raise, it follows the contract everywhere, and its work stays small.

What it must answer is in `test_behavior.py`.
"""

import sys
from collections import deque

import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from hypothesis.strategies import integers
from suite import assert_refused, attempts, call, ids, payloads

from rq import Job, Phase, Queue, State, decide
from rq.state import Record

# Mistakes in the program


def one_sentence(error) -> bool:
    text = str(error.value)
    return text != "" and "\n" not in text and "must be" in text


@pytest.mark.parametrize("verb", ["ack", "retry"])
@pytest.mark.parametrize("attempt", ["1", True, False, 1.0, None, Job("a", "A", 1), [1]])
def test_an_attempt_that_is_no_whole_number_raises(verb, attempt):
    queue = Queue(1)
    queue.enqueue("a", "A")
    queue.reserve()
    before = queue.snapshot()
    with pytest.raises(TypeError, match="attempt must be a whole number") as error:
        call(queue, verb, "a", attempt)
    assert one_sentence(error)
    assert queue.snapshot() == before


@pytest.mark.parametrize("id", ["unknown", "waiting"])
def test_a_wrong_attempt_raises_even_where_the_call_would_be_refused(id):
    queue = Queue(1)
    queue.enqueue("waiting", "")
    with pytest.raises(TypeError):
        queue.ack(id, "1")


@pytest.mark.parametrize("id", [1, None, b"a", ["a"], Job("a", "A", 1)])
@pytest.mark.parametrize(
    ("name", "others"),
    [("enqueue", ["A"]), ("ack", [1]), ("retry", [1]), ("cancel", [])],
)
def test_an_id_that_is_no_string_raises(id, name, others):
    queue = Queue(1)
    with pytest.raises(TypeError, match="id must be a string") as error:
        call(queue, name, id, *others)
    assert one_sentence(error)
    assert queue.snapshot() == State(1)


@pytest.mark.parametrize("payload", [1, None, b"A", ["A"]])
def test_a_payload_that_is_no_string_raises(payload):
    queue = Queue(1)
    with pytest.raises(TypeError, match="payload must be a string") as error:
        queue.enqueue("a", payload)
    assert one_sentence(error)
    assert queue.snapshot() == State(1)


@pytest.mark.parametrize("capacity", [True, False, "1", 1.0, None])
def test_a_capacity_that_is_no_whole_number_raises(capacity):
    with pytest.raises(TypeError, match="capacity must be a whole number") as error:
        Queue(capacity)
    assert one_sentence(error)


def test_a_negative_capacity_raises():
    with pytest.raises(ValueError, match="capacity must be 0 or more, not -1") as error:
        Queue(-1)
    assert one_sentence(error)


def test_a_negative_or_huge_attempt_is_only_refused():
    queue = Queue(1)
    queue.enqueue("a", "A")
    queue.reserve()
    for attempt in (-1, 10**30):
        assert_refused(queue, "ack", "a", attempt)


# What one sees of it


def test_snapshot_is_a_plain_value_of_the_moment():
    queue = Queue(4)
    for id in "abcd":
        queue.enqueue(id, id.upper())
    queue.reserve()
    queue.reserve()
    queue.ack("b", 1)
    queue.cancel("c")
    before = queue.snapshot()
    assert before == State(
        4,
        (
            Record("a", "A", Phase.IN_FLIGHT, 1),
            Record("b", "B", Phase.DONE, 1),
            Record("c", "C", Phase.CANCELLED, 0),
            Record("d", "D", Phase.WAITING, 0),
        ),
        ("d",),
    )
    queue.retry("a", 1)
    assert before.waiting == ("d",)
    assert queue.snapshot().waiting == ("d", "a")


def test_repr_names_the_places():
    queue = Queue(3)
    assert repr(queue) == "<Queue: waiting -; in flight -; 0 of 3 slots taken>"
    queue.enqueue("a", "A")
    queue.enqueue("b", "B")
    queue.reserve()
    assert repr(queue) == "<Queue: waiting b; in flight a#1; 2 of 3 slots taken>"


def test_repr_of_a_long_queue_stays_short():
    queue = Queue(5_000)
    for number in range(5_000):
        queue.enqueue(f"job-{number}", "")
    assert "and 4,992 more" in repr(queue)
    assert len(repr(queue)) < 200


# The contract, step by step


class QueueFollowsTheContract(RuleBasedStateMachine):
    """Random calls on a Queue; the answer and the snapshot must be the contract's after each."""

    @initialize(capacity=integers(0, 3))
    def start(self, capacity):
        self.queue, self.state = Queue(capacity), State(capacity)

    def both(self, *operation):
        decision = decide(self.state, operation)
        answer = call(self.queue, *operation)
        assert (type(answer), answer) == (type(decision.returned), decision.returned)
        self.state = decision.after

    @rule(id=ids, payload=payloads)
    def enqueue(self, id, payload):
        self.both("enqueue", id, payload)

    @rule()
    def reserve(self):
        self.both("reserve")

    @rule(id=ids, attempt=attempts)
    def ack(self, id, attempt):
        self.both("ack", id, attempt)

    @rule(id=ids, attempt=attempts)
    def retry(self, id, attempt):
        self.both("retry", id, attempt)

    @rule(id=ids)
    def cancel(self, id):
        self.both("cancel", id)

    @invariant()
    def the_snapshots_are_equal(self):
        assert self.queue.snapshot() == self.state


TestQueueFollowsTheContract = QueueFollowsTheContract.TestCase
TestQueueFollowsTheContract.settings = settings(stateful_step_count=30)

SMALL_WORLD = [
    ("reserve",),
    *[("enqueue", id, id.upper()) for id in "ab"],
    *[(verb, id, attempt) for verb in ("ack", "retry") for id in "ab" for attempt in range(4)],
    *[("cancel", id) for id in "ab"],
]


@pytest.mark.parametrize(("capacity", "states"), [(0, 1), (1, 225), (2, 421)])
def test_every_call_in_every_state_of_a_small_world(capacity, states):
    """Breadth first: all states that the ids a and b can reach while no attempt is above 3."""
    start = State(capacity)
    paths = {start: ()}
    todo = deque([start])
    while todo:
        state = todo.popleft()
        for operation in SMALL_WORLD:
            queue = Queue(capacity)
            for earlier in paths[state]:
                call(queue, *earlier)
            decision = decide(state, operation)
            assert call(queue, *operation) == decision.returned, (*paths[state], operation)
            assert queue.snapshot() == decision.after, (*paths[state], operation)
            if decision.after not in paths and all(job.attempt <= 3 for job in decision.after.jobs):
                paths[decision.after] = (*paths[state], operation)
                todo.append(decision.after)
    assert len(paths) == states


# Work and storage

MANY = 200_000


class CountingId(str):
    """An id that counts how often any id is compared or hashed: a search through a line would show."""

    looks = 0

    def __eq__(self, other):
        CountingId.looks += 1
        return str.__eq__(self, other)

    def __hash__(self):
        CountingId.looks += 1
        return str.__hash__(self)


def work(function, *arguments) -> int:
    """Lines run, plus looks at ids, in one call: a measure that no clock disturbs."""
    lines = 0

    def count(frame, event, argument):
        nonlocal lines
        lines += event == "line"
        return count

    CountingId.looks = 0
    before = sys.gettrace()
    sys.settrace(count)
    try:
        function(*arguments)
    finally:
        sys.settrace(before)
    return lines + CountingId.looks


def work_of_each_operation(jobs: int) -> dict[str, int]:
    """Make each call once in a queue with that many waiting jobs and as many in flight."""
    names = [CountingId(f"job-{number}") for number in range(2 * jobs)]
    queue = Queue(2 * jobs + 1)
    for name in names:
        queue.enqueue(name, "")
    for _ in range(jobs):
        queue.reserve()
    return {
        "enqueue": work(queue.enqueue, CountingId("new"), ""),
        "refused enqueue": work(queue.enqueue, names[0], ""),
        "reserve": work(queue.reserve),
        "cancel waiting": work(queue.cancel, names[jobs + jobs // 2]),
        "cancel in flight": work(queue.cancel, names[jobs // 2]),
        "retry": work(queue.retry, names[1], 1),
        "ack": work(queue.ack, names[2], 1),
        "stale ack": work(queue.ack, names[3], 0),
    }


def test_each_operation_works_as_little_in_a_long_queue_as_in_a_short_one():
    small, large = work_of_each_operation(10), work_of_each_operation(5_000)
    for name, steps in large.items():
        assert steps <= small[name] + 10, name  # a few more for clashes in the hash table


def test_cancelled_jobs_leave_no_gaps_in_the_waiting_line():
    queue = Queue(MANY)
    for number in range(MANY):
        queue.enqueue(str(number), "")
    for number in (*range(MANY // 2), *range(MANY // 2 + 1, MANY - 1)):  # the head, then the middle
        assert queue.cancel(str(number))
    assert list(queue._waiting) == [str(MANY // 2), str(MANY - 1)]
    assert queue.reserve() == Job(str(MANY // 2), "", 1)
    assert queue.reserve() == Job(str(MANY - 1), "", 1)
    assert queue.reserve() is None


def test_many_jobs_leave_from_the_head_in_order():
    queue = Queue(MANY)
    for number in range(MANY):
        queue.enqueue(str(number), "")
    assert all(queue.reserve().id == str(number) for number in range(MANY))
    assert len(queue._waiting) == 0


def test_storage_grows_with_accepted_ids_only():
    queue = Queue(1)
    queue.enqueue("a", "A")
    for number in range(1_000):
        assert not queue.enqueue(f"refused-{number}", "")
        queue.ack(f"unknown-{number}", 1)
        queue.cancel(f"unknown-{number}")
    assert (len(queue._accepted), len(queue._waiting), len(queue._in_flight)) == (1, 1, 0)
    queue.cancel("a")
    assert (len(queue._accepted), len(queue._waiting), len(queue._in_flight)) == (1, 0, 0)
