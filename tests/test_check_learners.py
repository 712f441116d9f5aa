"""What learners' classes do besides keeping jobs: compare with `is`, lock, log, keep times, use a heap."""

import heapq
import itertools
import logging
import threading
import time

import pytest

from rq import Queue, check
from rq.worlds import DEFAULT_WORLDS

THREE_IN_LINE = next(world for world in DEFAULT_WORLDS if world.name == "three in line")
TWO_QUEUES = next(world for world in DEFAULT_WORLDS if world.name == "two queues")


class ComparesWithIs(Queue):
    """Right, as long as an id is the very same string object each time."""

    def enqueue(self, id, payload):
        known = any(id is other for other in self._accepted)
        return not known and self._slots_taken() < self._capacity and self._put(id, payload)

    def _put(self, id, payload):
        self._accepted.pop(id, None)
        return super().enqueue(id, payload)


def test_strings_that_are_equal_but_not_the_same_object_are_tried():
    report = check(ComparesWithIs, [THREE_IN_LINE])
    assert report.rule.code == "E2"


class LocksAndShares(Queue):
    """A lock cannot be copied; the jobs beside it must be put back all the same."""

    lock = threading.Lock()
    jobs: dict[str, str] = {}  # noqa: RUF012

    def enqueue(self, id, payload):
        with self.lock:
            if id in self.jobs:
                return False
            accepted = super().enqueue(id, payload)
            if accepted:
                self.jobs[id] = payload
            return accepted


def test_shared_state_beside_a_lock_shows_as_a_sequence_with_new():
    report = check(LocksAndShares)
    assert [operation[0] for operation in report.ops] == ["enqueue", "new", "enqueue"]
    assert LocksAndShares.jobs == {}


class Store:
    jobs: dict[str, str] = {}  # noqa: RUF012


class SharesThroughADefault(Queue):
    def enqueue(self, id, payload, store=Store):
        if id in store.jobs:
            return False
        accepted = super().enqueue(id, payload)
        if accepted:
            store.jobs[id] = payload
        return accepted


def test_a_class_in_a_default_argument_is_put_back():
    report = check(SharesThroughADefault)
    assert ("new",) in report.ops
    assert Store.jobs == {}


class SwitchesItsMode(Queue):
    """Keeps a class in a class attribute, and changes which."""

    mode = Store

    def reserve(self):
        job = super().reserve()
        if job and type(self).mode is Queue:
            return None
        type(self).mode = Queue if job else type(self).mode
        return job


def test_a_class_attribute_that_holds_a_class_is_put_back():
    report = check(SwitchesItsMode, [TWO_QUEUES, THREE_IN_LINE])
    assert not report.conforms
    assert SwitchesItsMode.mode is Store


class NullLog:
    def __getattr__(self, name):
        return NullLog()

    def __call__(self, *arguments):
        return None


NULL = NullLog()


class TalksToAnythingAtAll(Queue):
    def reserve(self):
        NULL.info("reserve")
        return super().reserve()


class KeepsARecursiveLock(Queue):
    def __init__(self, capacity):
        super().__init__(capacity)
        self.lock = threading.RLock()

    def reserve(self):
        with self.lock:
            return super().reserve()


class KeepsAHeap:
    """A right queue of another design: a heap by sequence number, with cancelled entries skipped later."""

    def __init__(self, capacity):
        self.capacity, self.numbers = capacity, itertools.count()
        self.heap, self.jobs, self.flying, self.waiting = [], {}, set(), {}

    def _push(self, id):
        self.waiting[id] = next(self.numbers)
        heapq.heappush(self.heap, (self.waiting[id], id))

    def enqueue(self, id, payload):
        if id in self.jobs or len(self.waiting) + len(self.flying) >= self.capacity:
            return False
        self.jobs[id] = [payload, 0]
        self._push(id)
        return True

    def reserve(self):
        while self.heap:
            number, id = heapq.heappop(self.heap)
            if self.waiting.get(id) == number:
                del self.waiting[id]
                self.flying.add(id)
                self.jobs[id][1] += 1
                return id, *self.jobs[id]
        return None

    def _leave(self, id, attempt):
        if id not in self.flying or self.jobs[id][1] != attempt:
            return False
        self.flying.remove(id)
        return True

    ack = _leave

    def retry(self, id, attempt):
        left = self._leave(id, attempt)
        if left:
            self._push(id)
        return left

    def cancel(self, id):
        if id in self.flying:
            self.flying.remove(id)
            return True
        return self.waiting.pop(id, None) is not None


@pytest.mark.parametrize("queue_class", [TalksToAnythingAtAll, KeepsARecursiveLock])
def test_right_queues_with_company_are_exhausted(queue_class):
    assert check(queue_class).exhaustive


def test_a_heap_with_its_ever_rising_numbers_is_not_called_proved_but_told_why():
    report = check(KeepsAHeap, [THREE_IN_LINE], limit=2_000)
    assert report.conforms
    assert report.exhaustive or any("more states than could be tried" in note for note in report.notes)


class KeepsTheTime(Queue):
    def __init__(self, capacity):
        super().__init__(capacity)
        self.made = time.perf_counter_ns()


def test_a_state_that_differs_from_run_to_run_is_not_compared_and_the_report_says_so():
    report = check(KeepsTheTime, [TWO_QUEUES], limit=500)
    assert report.conforms
    assert not report.exhaustive
    assert any("differs from run to run" in note for note in report.notes)


class Logs(Queue):
    def reserve(self):
        logging.info("reserve")
        return super().reserve()


def test_logging_is_left_as_it_was():
    handlers, level = logging.root.handlers[:], logging.root.level
    logging.root.handlers.clear()
    try:
        assert check(Logs, [TWO_QUEUES]).exhaustive
        assert logging.root.handlers == []
    finally:
        logging.root.handlers[:] = handlers
        logging.root.setLevel(level)
