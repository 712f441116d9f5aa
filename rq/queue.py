"""The retrying job queue.

An id that was accepted is in exactly one place:

    enqueue -> waiting -> reserve -> in flight -> ack -> finished (done)
                  ^                      |
                  +------- retry --------+        cancel: waiting or in flight -> finished (cancelled)

Two of these places hold the active jobs, and each active job takes one slot. The attempt number
counts reservations; `ack` and `retry` must name the current one, so that a late result from an
earlier reservation cannot change the job.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from itertools import islice

from rq.state import Job, Phase, Record, State, text, whole_number

# Names of their own: Python 3.11 looks up Phase.WAITING slowly. This saves a fifth of each call (3.13: a twentieth).
WAITING, IN_FLIGHT, DONE, CANCELLED = Phase


class _Entry:
    """What the queue remembers of one accepted id."""

    __slots__ = ("attempt", "payload", "phase")

    def __init__(self, payload: str) -> None:
        self.payload = payload
        self.attempt = 0
        self.phase = WAITING


class Queue:
    """A FIFO job queue with a fixed number of slots, retries, and fencing by attempt number.

    Every operation takes expected O(1) time; storage grows with the number of accepted ids.
    A refused operation returns False (`reserve`: None) and changes nothing. An argument of the
    wrong type is a mistake in the program and raises TypeError.
    """

    def __init__(self, capacity: int) -> None:
        """Make an empty queue. `capacity` counts slots, 0 or more; a negative one raises ValueError."""
        self._capacity = whole_number("capacity", capacity)
        if self._capacity < 0:
            raise ValueError(f"capacity must be 0 or more, not {capacity}")
        self._accepted: dict[str, _Entry] = {}  # every id ever accepted, for good
        # An OrderedDict is a linked list with an index: the head leaves, a job in the middle
        # leaves, and the tail grows in O(1). A plain dict would keep gaps that each look at the
        # head must skip; a deque would have to be searched.
        self._waiting: OrderedDict[str, _Entry] = OrderedDict()
        self._in_flight: dict[str, _Entry] = {}

    def enqueue(self, id: str, payload: str) -> bool:
        """Accept a new job at the waiting tail.

        False if the id was ever accepted before (rule E2) or no slot is free (E3). A refused id
        is not used up.
        """
        text("id", id)
        text("payload", payload)
        if id in self._accepted or self._slots_taken() >= self._capacity:
            return False
        self._accepted[id] = self._waiting[id] = _Entry(payload)
        return True

    def reserve(self) -> Job | None:
        """Put the oldest waiting job in flight on its next attempt (R1), or None if none waits (R2)."""
        if not self._waiting:
            return None
        id, entry = self._waiting.popitem(last=False)
        entry.attempt += 1
        entry.phase = IN_FLIGHT
        self._in_flight[id] = entry
        return Job(id, entry.payload, entry.attempt)

    def ack(self, id: str, attempt: int) -> bool:
        """Complete a job: it is done and its slot is free (A1). False unless `attempt` is current (X)."""
        if not self._is_current(id, attempt):
            return False
        self._in_flight.pop(id).phase = DONE
        return True

    def retry(self, id: str, attempt: int) -> bool:
        """Send a job back to the waiting tail; it keeps its slot (T1). False unless `attempt` is current (X)."""
        if not self._is_current(id, attempt):
            return False
        entry = self._in_flight.pop(id)
        entry.phase = WAITING
        self._waiting[id] = entry
        return True

    def cancel(self, id: str) -> bool:
        """Remove an active job, waiting (C1) or in flight (C2); its slot is free. Otherwise False (C3)."""
        entry = self._waiting.pop(text("id", id), None) or self._in_flight.pop(id, None)
        if entry is None:
            return False
        entry.phase = CANCELLED
        return True

    def _is_current(self, id: str, attempt: int) -> bool:
        """The fence: is the job in flight, on this very attempt?"""
        attempt = whole_number("attempt", attempt)
        entry = self._in_flight.get(text("id", id))
        return entry is not None and entry.attempt == attempt

    def _slots_taken(self) -> int:
        return len(self._waiting) + len(self._in_flight)

    def snapshot(self) -> State:
        """The whole state as a plain value, for tables and comparisons. O(accepted ids)."""
        jobs = tuple(Record(id, e.payload, e.phase, e.attempt) for id, e in self._accepted.items())
        return State(self._capacity, jobs, tuple(self._waiting))

    def __repr__(self) -> str:
        flying = (f"{id}#{entry.attempt}" for id, entry in self._in_flight.items())
        return (
            f"<Queue: waiting {_some(iter(self._waiting), len(self._waiting))};"
            f" in flight {_some(flying, len(self._in_flight))};"
            f" {self._slots_taken()} of {self._capacity} slots taken>"
        )


def _some(names: Iterator[str], count: int, most: int = 8) -> str:
    """The first few names, so that the repr of a long queue stays one line."""
    shown = ", ".join(islice(names, most)) or "-"
    return shown if count <= most else f"{shown} and {count - most:,} more"
