"""`Queue` in other ways: without a trick that it keeps, or with one that was left out. All keep the contract.

Methods are written out whole, though most of their lines are those of `Queue` or of another variant: a hook that
two of them share would be a call more in each, and be measured with it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from functools import partial
from operator import index
from statistics import median
from typing import Any

from benchmarks.floor import Floor
from benchmarks.measure import Samples, clock, interleaved, no_collection, progress, ratio, table
from rq import Job, Phase, Queue
from rq.queue import CANCELLED, DONE, IN_FLIGHT, WAITING, _Entry
from rq.state import text, whole_number

JOBS, ROUNDS = 1_000, 61


class EntryByName:
    __slots__ = ("attempt", "payload", "phase")

    def __init__(self, payload: str) -> None:
        self.payload = payload
        self.attempt = 0
        self.phase = Phase.WAITING


class PhasesByName(Queue):
    """It writes Phase.WAITING each time."""

    def enqueue(self, id: str, payload: str) -> bool:
        text("id", id)
        text("payload", payload)
        if id in self._accepted or self._slots_taken() >= self._capacity:
            return False
        self._accepted[id] = self._waiting[id] = EntryByName(payload)
        return True

    def reserve(self) -> Job | None:
        if not self._waiting:
            return None
        id, entry = self._waiting.popitem(last=False)
        entry.attempt += 1
        entry.phase = Phase.IN_FLIGHT
        self._in_flight[id] = entry
        return Job(id, entry.payload, entry.attempt)

    def ack(self, id: str, attempt: int) -> bool:
        if not self._is_current(id, attempt):
            return False
        self._in_flight.pop(id).phase = Phase.DONE
        return True

    def retry(self, id: str, attempt: int) -> bool:
        if not self._is_current(id, attempt):
            return False
        entry = self._in_flight.pop(id)
        entry.phase = Phase.WAITING
        self._waiting[id] = entry
        return True


def always_the_long_way(name: str, value: object) -> int:
    try:
        if isinstance(value, bool):
            raise TypeError
        return index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {value!r}") from None


class NoShortWay(Queue):
    """It asks of each attempt whether it is a bool, and turns it into an int."""

    def _is_current(self, id: str, attempt: int) -> bool:
        attempt = always_the_long_way("attempt", attempt)
        entry = self._in_flight.get(text("id", id))
        return entry is not None and entry.attempt == attempt


class BareTicket(Queue):
    """It makes the ticket without the named tuple's own constructor."""

    def reserve(self) -> Job | None:
        if not self._waiting:
            return None
        id, entry = self._waiting.popitem(last=False)
        entry.attempt += 1
        entry.phase = IN_FLIGHT
        self._in_flight[id] = entry
        return tuple.__new__(Job, (id, entry.payload, entry.attempt))


class ChecksWrittenOut(BareTicket):
    """That, and it asks for the types in place: a function is called for the error only."""

    def enqueue(self, id: str, payload: str) -> bool:
        if not isinstance(id, str):
            text("id", id)
        if not isinstance(payload, str):
            text("payload", payload)
        if id in self._accepted or self._slots_taken() >= self._capacity:
            return False
        self._accepted[id] = self._waiting[id] = _Entry(payload)
        return True

    def _is_current(self, id: str, attempt: int) -> bool:
        if type(attempt) is not int:
            attempt = whole_number("attempt", attempt)
        if not isinstance(id, str):
            text("id", id)
        entry = self._in_flight.get(id)
        return entry is not None and entry.attempt == attempt


class EntryInLine:
    __slots__ = ("attempt", "id", "payload", "phase")

    def __init__(self, id: str, payload: str) -> None:
        self.id = id
        self.payload = payload
        self.attempt = 0
        self.phase = WAITING


class GapsInLine:
    """A deque as the line, in which a cancelled job stays until `reserve` steps over it; one dict, and a count."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._taken = 0
        self._accepted: dict[str, EntryInLine] = {}
        self._line: deque[EntryInLine] = deque()

    def enqueue(self, id: str, payload: str) -> bool:
        text("id", id)
        text("payload", payload)
        if id in self._accepted or self._taken >= self._capacity:
            return False
        self._accepted[id] = entry = EntryInLine(id, payload)
        self._line.append(entry)
        self._taken += 1
        return True

    def reserve(self) -> Job | None:
        while self._line:
            entry = self._line.popleft()
            if entry.phase is WAITING:
                entry.phase = IN_FLIGHT
                entry.attempt += 1
                return Job(entry.id, entry.payload, entry.attempt)
        return None

    def ack(self, id: str, attempt: int) -> bool:
        entry = self._current(id, attempt)
        if entry is None:
            return False
        entry.phase = DONE
        self._taken -= 1
        return True

    def retry(self, id: str, attempt: int) -> bool:
        entry = self._current(id, attempt)
        if entry is None:
            return False
        entry.phase = WAITING
        self._line.append(entry)
        return True

    def cancel(self, id: str) -> bool:
        entry = self._accepted.get(text("id", id))
        if entry is None or not (entry.phase is WAITING or entry.phase is IN_FLIGHT):
            return False
        entry.phase = CANCELLED
        self._taken -= 1
        return True

    def _current(self, id: str, attempt: int) -> EntryInLine | None:
        attempt = whole_number("attempt", attempt)
        entry = self._accepted.get(text("id", id))
        return entry if entry is not None and entry.phase is IN_FLIGHT and entry.attempt == attempt else None


class GapsAndTricks(GapsInLine):
    """That, with the bare ticket and the checks written out."""

    def enqueue(self, id: str, payload: str) -> bool:
        if not isinstance(id, str):
            text("id", id)
        if not isinstance(payload, str):
            text("payload", payload)
        if id in self._accepted or self._taken >= self._capacity:
            return False
        self._accepted[id] = entry = EntryInLine(id, payload)
        self._line.append(entry)
        self._taken += 1
        return True

    def reserve(self) -> Job | None:
        while self._line:
            entry = self._line.popleft()
            if entry.phase is WAITING:
                entry.phase = IN_FLIGHT
                entry.attempt += 1
                return tuple.__new__(Job, (entry.id, entry.payload, entry.attempt))
        return None

    def _current(self, id: str, attempt: int) -> EntryInLine | None:
        if type(attempt) is not int:
            attempt = whole_number("attempt", attempt)
        if not isinstance(id, str):
            text("id", id)
        entry = self._accepted.get(id)
        return entry if entry is not None and entry.phase is IN_FLIGHT and entry.attempt == attempt else None


VARIANTS: dict[str, Any] = {
    "the queue": Queue,
    "kept: names of their own for the phases. Without": PhasesByName,
    "kept: a short way for whole numbers. Without": NoShortWay,
    "left out: a bare ticket": BareTicket,
    "left out: a bare ticket, checks written out": ChecksWrittenOut,
    "left out: a deque with gaps": GapsInLine,
    "left out: all three": GapsAndTricks,
}
PARTS = ("enqueue", "reserve", "ack")
LIFE = "together"


def life(make: Any, ids: list[str]) -> Mapping[str, float]:
    """Seconds for each job, call by call: all are enqueued, then all reserved, then all acknowledged."""
    with no_collection():
        queue = make(len(ids))
        times = [clock()]
        for id in ids:
            queue.enqueue(id, "payload")
        times.append(clock())
        for _ in ids:
            queue.reserve()
        times.append(clock())
        for id in ids:
            queue.ack(id, 1)
        times.append(clock())
    taken = {part: (times[place + 1] - times[place]) / len(ids) for place, part in enumerate(PARTS)}
    return {**taken, LIFE: sum(taken.values())}


def measured(rounds: int) -> dict[str, Samples]:
    """All variants and the floor, side by side."""
    ids = [f"job-{number}" for number in range(JOBS)]
    contestants = {name: partial(life, make, ids) for name, make in {**VARIANTS, "floor": Floor}.items()}
    return interleaved(contestants, rounds, lambda text: progress(f"variants, {text}"))


def variants_table(rounds: int = ROUNDS) -> str:
    """Each variant: what a call takes of what it takes in the queue, and a job's life against the floor."""
    samples = measured(rounds)
    queue, floor = samples["the queue"], samples["floor"]
    rows = []
    for name in VARIANTS:
        calls = [f"{ratio(samples[name][part], queue[part]):.2f}" for part in (*PARTS, LIFE)]
        nanoseconds = f"{median(samples[name][LIFE]) * 1e9:,.0f}"
        rows.append([name, *calls, nanoseconds, f"{ratio(samples[name][LIFE], floor[LIFE]):.1f}"])
    head = [f"times the queue, {JOBS:,} jobs", *PARTS, LIFE, "nanoseconds a job", "times the floor"]
    return table(head, rows)
