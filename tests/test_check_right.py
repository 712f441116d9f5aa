"""Right queues of very different design: check() calls each of them right, and leaves no sequence untried."""

from collections import deque
from dataclasses import dataclass
from enum import Enum, auto
from threading import Lock
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from rq import Queue, check
from rq.worlds import World

WORLDS = [
    World("none", 0, (("a", "A"),), (0, 1)),
    World("one", 1, (("a", "A"), ("b", "")), (0, 1, 2)),
    World("line", 2, (("a", "A"), ("b", "B"), ("c", "C")), (1,), in_order=True),
    World("two queues", 1, (("a", "A"),), (1, 2), queues=2),
]


class ListScanned:
    """One list of small lists [id, payload, attempt, phase], scanned for everything."""

    def __init__(self, capacity):
        self.capacity = capacity
        self.jobs = []

    def enqueue(self, id, payload):
        active = [job for job in self.jobs if job[3] in ("waiting", "flying")]
        if len(active) >= self.capacity or any(job[0] == id for job in self.jobs):
            return False
        self.jobs.append([id, payload, 0, "waiting"])
        return True

    def reserve(self):
        for job in self.jobs:
            if job[3] == "waiting":
                job[2] += 1
                job[3] = "flying"
                return job[:3]
        return None

    def _finish(self, id, attempt, phase):
        for job in self.jobs:
            if job[0] == id and job[2] == attempt and job[3] == "flying":
                job[3] = phase
                self.jobs.remove(job)
                self.jobs.append(job)
                return True
        return False

    def ack(self, id, attempt):
        return self._finish(id, attempt, "done")

    def retry(self, id, attempt):
        return self._finish(id, attempt, "waiting")

    def cancel(self, id):
        for job in self.jobs:
            if job[0] == id and job[3] in ("waiting", "flying"):
                job[3] = "cancelled"
                return True
        return False


def closures(capacity):
    """Functions over local variables, handed out without a class of their own."""
    waiting, flying, payloads, attempts = [], set(), {}, {}

    def enqueue(id, payload):
        if id in payloads or len(waiting) + len(flying) >= capacity:
            return False
        payloads[id], attempts[id] = payload, 0
        waiting.append(id)
        return True

    def reserve():
        if not waiting:
            return None
        id = waiting.pop(0)
        flying.add(id)
        attempts[id] += 1
        return id, payloads[id], attempts[id]

    def current(id, attempt):
        return id in flying and attempts[id] == attempt

    def ack(id, attempt):
        return current(id, attempt) and not flying.discard(id)

    def retry(id, attempt):
        return ack(id, attempt) and not waiting.append(id)

    def cancel(id):
        if id in waiting:
            waiting.remove(id)
            return True
        return id in flying and not flying.discard(id)

    return SimpleNamespace(enqueue=enqueue, reserve=reserve, ack=ack, retry=retry, cancel=cancel)


class Phase(Enum):
    WAITING = auto()
    FLYING = auto()
    DONE = auto()
    CANCELLED = auto()


@dataclass
class Record:
    id: str
    payload: str
    attempt: int = 0
    phase: Phase = Phase.WAITING


class DataclassRecords:
    """Records in a dict, ids in a deque; the record itself is what reserve returns."""

    def __init__(self, capacity):
        self.capacity, self.records, self.line, self.lock = capacity, {}, deque(), Lock()

    def enqueue(self, id, payload):
        with self.lock:
            active = sum(r.phase in (Phase.WAITING, Phase.FLYING) for r in self.records.values())
            if id in self.records or active >= self.capacity:
                return False
            self.records[id] = Record(id, payload)
            self.line.append(self.records[id])
            return True

    def reserve(self):
        with self.lock:
            while self.line and self.line[0].phase is not Phase.WAITING:
                self.line.popleft()
            if not self.line:
                return None
            record = self.line.popleft()
            record.attempt, record.phase = record.attempt + 1, Phase.FLYING
            return record

    def ack(self, id, attempt, phase=Phase.DONE):
        record = self.records.get(id)
        if record is None or record.phase is not Phase.FLYING or record.attempt != attempt:
            return False
        record.phase = phase
        return True

    def retry(self, id, attempt):
        if not self.ack(id, attempt, Phase.WAITING):
            return False
        self.line.append(self.records[id])
        return True

    def cancel(self, id):
        record = self.records.get(id)
        if record is None or record.phase in (Phase.DONE, Phase.CANCELLED):
            return False
        record.phase = Phase.CANCELLED
        return True


class Node:
    __slots__ = ("after", "attempt", "before", "id", "payload", "phase")

    def __init__(self, id=None, payload=None):
        self.id, self.payload, self.attempt, self.phase = id, payload, 0, "waiting"
        self.before = self.after = self

    def unlink(self):
        self.before.after, self.after.before = self.after, self.before
        self.before = self.after = self


class LinkedList:
    """A ring of nodes with slots; a node leaves the middle by itself."""

    __slots__ = ("free", "nodes", "ring")

    def __init__(self, capacity):
        self.free, self.nodes, self.ring = capacity, {}, Node()

    def _append(self, node):
        node.before, node.after = self.ring.before, self.ring
        self.ring.before.after = self.ring.before = node

    def enqueue(self, id, payload):
        if not self.free or id in self.nodes:
            return False
        self.free -= 1
        self.nodes[id] = Node(id, payload)
        self._append(self.nodes[id])
        return True

    def reserve(self):
        node = self.ring.after
        if node is self.ring:
            return None
        node.unlink()
        node.attempt += 1
        node.phase = "flying"
        return node  # it has the three attributes

    def _flying(self, id, attempt):
        node = self.nodes.get(id)
        return node if node and node.phase == "flying" and node.attempt == attempt else None

    def ack(self, id, attempt):
        node = self._flying(id, attempt)
        if node is not None:
            node.phase = "done"
            self.free += 1
        return node is not None

    def retry(self, id, attempt):
        node = self._flying(id, attempt)
        if node is not None:
            node.phase = "waiting"
            self._append(node)
        return node is not None

    def cancel(self, id):
        node = self.nodes.get(id)
        if node is None or node.phase == "done":
            return False
        node.unlink()
        node.phase = "done"
        self.free += 1
        return True


class Ticket(NamedTuple):
    id: str
    payload: str
    attempt: int


class Tuples:
    """Nothing but tuples, a new one for each change."""

    def __init__(self, capacity):
        self.state = (capacity, (), (), frozenset())

    def enqueue(self, id, payload):
        free, waiting, flying, used = self.state
        if not free or id in used:
            return False
        self.state = (free - 1, (*waiting, Ticket(id, payload, 0)), flying, used | {id})
        return True

    def reserve(self):
        free, waiting, flying, used = self.state
        if not waiting:
            return None
        ticket = waiting[0]._replace(attempt=waiting[0].attempt + 1)
        self.state = (free, waiting[1:], (*flying, ticket), used)
        return list(ticket)

    def _leave(self, keep, free_slot=1):
        free, waiting, flying, used = self.state
        left = (tuple(filter(keep, waiting)), tuple(filter(keep, flying)))
        if left == (waiting, flying):
            return False
        self.state = (free + free_slot, *left, used)
        return True

    def ack(self, id, attempt):
        return any(t[::2] == (id, attempt) for t in self.state[2]) and self._leave(lambda t: t.id != id)

    def retry(self, id, attempt):
        found = [t for t in self.state[2] if t[::2] == (id, attempt)]
        if not found:
            return False
        self._leave(lambda t: t.id != id, 0)
        free, waiting, flying, used = self.state
        self.state = (free, (*waiting, *found), flying, used)
        return True

    def cancel(self, id):
        return self._leave(lambda t: t.id != id)


RIGHT = [Queue, ListScanned, closures, DataclassRecords, LinkedList, Tuples]


@pytest.mark.parametrize("kind", RIGHT, ids=lambda kind: kind.__name__)
def test_a_right_queue_is_exhausted(kind):
    report = check(kind, WORLDS)
    assert report.conforms, report.summary
    assert report.exhaustive, str(report)
    assert all(result.complete and result.operations for result in report.results)
    assert all("after it was handed out" in note for note in report.notes)  # two of them hand out live records
    assert "any length" in report.summary


def test_in_all_the_default_worlds_as_well():
    assert check(Queue).exhaustive
