"""What fingerprint() cannot read it refuses with Incomparable: nothing is passed over, and nothing else is raised."""

import functools
import queue
import threading
from contextlib import suppress

import pytest

from rq import Queue, check
from rq.fingerprint import Incomparable, fingerprint
from rq.worlds import World

WORLD = World("small", 1, (("a", "A"),), (1,))


class HidesInGetstate:
    def __init__(self):
        self.slots = [1]

    def __getstate__(self):
        return None


class HidesInReduce(list):
    def __reduce__(self):
        return HidesInReduce, ()


class HidesInReduceEx(dict):
    def __reduce_ex__(self, protocol):
        return HidesInReduceEx, ()


class HidesInIter(list):
    def __iter__(self):
        return iter(())


class HidesInItems(dict):
    def items(self):
        return []


@pytest.mark.parametrize(
    "make",
    [
        lambda: (number for number in range(3)),
        lambda: open(__file__, encoding="utf-8"),  # noqa: SIM115
        threading.local,
        queue.SimpleQueue,
        lambda: memoryview(b"a"),
        lambda: functools.lru_cache(lambda: None),
    ],
    ids=["generator", "file", "local", "SimpleQueue", "memoryview", "lru_cache"],
)
def test_what_cannot_be_read_is_incomparable(make):
    thing = make()
    with pytest.raises(Incomparable):
        fingerprint([thing])
    getattr(thing, "close", int)()


def test_a_plain_object_is_read_whatever_it_says_to_copy():
    one, other = HidesInGetstate(), HidesInGetstate()
    other.slots.append(2)
    with suppress(Incomparable):
        assert fingerprint(one) != fingerprint(other)


@pytest.mark.parametrize("kind", [HidesInIter, HidesInItems, HidesInReduce, HidesInReduceEx])
def test_contents_that_iteration_hides_are_read_or_incomparable(kind):
    one, other = kind(), kind()
    (list if isinstance(one, list) else dict).__init__(one, [("a", 1)])
    with suppress(Incomparable):
        assert fingerprint(one) != fingerprint(other)


def test_a_closure_over_a_name_that_has_no_value_yet():
    def outer():
        def inner():
            return later

        yield inner
        later = 1
        yield later

    with suppress(Incomparable):
        hash(fingerprint(next(outer())))


def test_a_very_long_chain_is_read_or_incomparable():
    class Node:
        def __init__(self, following):
            self.following = following

    chain = None
    for _ in range(2_000):
        chain = Node(chain)
    with suppress(Incomparable):
        hash(fingerprint(chain))


def generator():
    yield


class HoldsAGenerator(Queue):
    def __init__(self, capacity):
        super().__init__(capacity)
        self.ids = generator()


class HoldsALongChain(Queue):
    def __init__(self, capacity):
        super().__init__(capacity)
        self.free = None
        for _ in range(2_000):
            self.free = {"following": self.free}


class HoldsAnUnfinishedFunction(Queue):
    def __init__(self, capacity):
        super().__init__(capacity)
        self.after = lambda: later
        if capacity < 0:
            later = 1


@pytest.mark.parametrize("kind", [HoldsAGenerator, HoldsALongChain, HoldsAnUnfinishedFunction])
def test_a_right_queue_that_holds_such_a_thing_is_still_checked(kind):
    report = check(kind, [WORLD], limit=300)
    assert report.conforms


def test_the_report_names_what_it_could_not_read_and_claims_no_more_than_was_done():
    report = check(HoldsAGenerator, [WORLD], limit=300)
    assert report.conforms
    assert not report.exhaustive
    assert not report.results[0].complete
    assert any("generator" in note and "cannot be compared" in note for note in report.notes)
    assert f"every sequence up to length {report.results[0].length}" in str(report)
    assert "any length" not in str(report)
