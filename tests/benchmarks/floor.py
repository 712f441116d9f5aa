"""The least that any queue in Python must do: what `Queue` is measured against."""

from __future__ import annotations

from collections import deque
from typing import Any


class Floor:
    """A deque of ids and a dict of [payload, attempt], with no rule at all.

    It keeps payloads, hands jobs out in order, counts attempts, and lets a job go by its id from
    anywhere. It checks nothing: no type, no capacity, no id twice, no attempt, and it forgets what
    is finished. After a cancel, its line still holds the id.
    """

    def __init__(self, capacity: int) -> None:
        self.jobs: dict[str, list[Any]] = {}
        self.line: deque[str] = deque()

    def enqueue(self, id: str, payload: str) -> bool:
        self.jobs[id] = [payload, 0]
        self.line.append(id)
        return True

    def reserve(self) -> tuple[str, str, int]:
        id = self.line.popleft()
        job = self.jobs[id]
        job[1] += 1
        return id, job[0], job[1]

    def ack(self, id: str, attempt: int) -> bool:
        del self.jobs[id]
        return True

    def retry(self, id: str, attempt: int) -> bool:
        self.line.append(id)
        return True

    def cancel(self, id: str) -> bool:
        del self.jobs[id]
        return True


class FloorWithoutCancel:
    """Less still: a job waits in the deque as a tuple, and only what is in flight has a place in the dict.

    A waiting job cannot be found by its id, so it cannot be cancelled.
    """

    def __init__(self, capacity: int) -> None:
        self.line: deque[tuple[str, str, int]] = deque()
        self.in_flight: dict[str, tuple[str, str, int]] = {}

    def enqueue(self, id: str, payload: str) -> bool:
        self.line.append((id, payload, 0))
        return True

    def reserve(self) -> tuple[str, str, int]:
        id, payload, attempt = self.line.popleft()
        job = self.in_flight[id] = (id, payload, attempt + 1)
        return job

    def ack(self, id: str, attempt: int) -> bool:
        del self.in_flight[id]
        return True

    def retry(self, id: str, attempt: int) -> bool:
        self.line.append(self.in_flight.pop(id))
        return True
