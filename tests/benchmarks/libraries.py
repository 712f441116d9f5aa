"""What a user would pick instead, in one process and in memory: one thin class for each.

Each translates names and adds no rule. `put` gives a handle by which the library knows the job, or
None if the library says it is full; `take` gives the handle, the id and the payload, or None if
there is nothing. What a library has no call for is missing. `verbs` are the contract's operations
that it can be asked at all: where a job cannot be named, there is no ack of it, no retry, no cancel.
"""

from __future__ import annotations

import queue
import sqlite3
from importlib import import_module
from typing import Any

from rq import Queue

Taken = tuple[Any, str, str]
"""Handle, id, payload."""


class Ours:
    """`Queue`, through the same thin layer as the others."""

    label, package = "rq.Queue", ""
    verbs = ("enqueue", "reserve", "ack", "retry", "cancel")

    def __init__(self, capacity: int) -> None:
        self.queue = Queue(capacity)

    def put(self, id: str, payload: str) -> Any:
        return id if self.queue.enqueue(id, payload) else None

    def take(self) -> Taken | None:
        job = self.queue.reserve()
        return (job, job.id, job.payload) if job else None

    def finish(self, handle: Any) -> bool:
        return self.queue.ack(handle.id, handle.attempt)

    def give_back(self, handle: Any) -> bool:
        return self.queue.retry(handle.id, handle.attempt)


class StandardQueue:
    """`queue.Queue`: put, get, task_done. A retry is another put of what was taken."""

    label, package = "queue.Queue", ""
    verbs = ("enqueue", "reserve")

    def __init__(self, capacity: int) -> None:
        self.queue: queue.Queue[tuple[str, str]] = queue.Queue(capacity)

    def put(self, id: str, payload: str) -> Any:
        try:
            self.queue.put_nowait((id, payload))
        except queue.Full:
            return None
        return id

    def take(self) -> Taken | None:
        try:
            item = self.queue.get_nowait()
        except queue.Empty:
            return None
        return item, *item

    def finish(self, handle: Any) -> None:
        self.queue.task_done()

    def give_back(self, handle: Any) -> None:
        self.queue.put_nowait(handle)
        self.queue.task_done()


class HueyMemory:
    """Huey's MemoryStorage: enqueue and dequeue. It forgets what it hands out; a retry is another enqueue."""

    label, package = "Huey, MemoryStorage", "huey"
    verbs = ("enqueue", "reserve")

    def __init__(self, capacity: int) -> None:
        self.storage = import_module("huey.storage").MemoryStorage()

    def put(self, id: str, payload: str) -> Any:
        self.storage.enqueue((id, payload))
        return id

    def take(self) -> Taken | None:
        item = self.storage.dequeue()
        return item and (item, *item)

    def finish(self, handle: Any) -> None:
        """There is nothing to tell it."""

    def give_back(self, handle: Any) -> None:
        self.storage.enqueue(handle)


class PersistQueue:
    """persist-queue's SQLiteAckQueue in memory: put, get, ack, nack. A cancel is its `ack_failed`."""

    label, package = "persist-queue, SQLiteAckQueue", "persist-queue"
    verbs = ("enqueue", "reserve", "ack", "retry", "cancel")
    unknown: Any = 1_000_000_000
    """A handle that was never given out."""

    def __init__(self, capacity: int) -> None:
        self.queue = import_module("persistqueue").SQLiteAckQueue(":memory:")
        self.empty = import_module("persistqueue").Empty

    def put(self, id: str, payload: str) -> Any:
        return self.queue.put((id, payload))

    def take(self) -> Taken | None:
        try:
            item = self.queue.get(block=False, raw=True)
        except self.empty:
            return None
        return item["pqid"], *item["data"]

    def finish(self, handle: Any) -> bool:
        return self.queue.ack(id=handle) is not None

    def give_back(self, handle: Any) -> bool:
        return self.queue.nack(id=handle) is not None

    def drop(self, handle: Any) -> bool:
        return self.queue.ack_failed(id=handle) is not None


class LiteQueue:
    """litequeue in memory: put, pop, done, retry. A cancel is its `mark_failed`; its answers say nothing."""

    label, package = "litequeue", "litequeue"
    verbs = ("enqueue", "reserve", "ack", "retry", "cancel")
    unknown: Any = "never given out"

    def __init__(self, capacity: int) -> None:
        self.queue = import_module("litequeue").LiteQueue(memory=True, maxsize=capacity)

    def put(self, id: str, payload: str) -> Any:
        try:
            return self.queue.put(f"{id} {payload}").message_id
        except sqlite3.IntegrityError:  # how it says that it is full
            return None

    def take(self) -> Taken | None:
        message = self.queue.pop()
        if message is None:
            return None
        id, _, payload = message.data.partition(" ")
        return message.message_id, id, payload

    def finish(self, handle: Any) -> bool:
        self.queue.done(handle)
        return True

    def give_back(self, handle: Any) -> bool:
        self.queue.retry(handle)
        return True

    def drop(self, handle: Any) -> bool:
        self.queue.mark_failed(handle)
        return True


LIBRARIES: tuple[Any, ...] = (Ours, StandardQueue, HueyMemory, PersistQueue, LiteQueue)


class Adapter:
    """A library as a queue of the contract.

    It remembers under which handle the library knows an id, and counts how often a job was handed
    out: none of the libraries hands out an attempt number. It cannot pass an attempt on, either,
    for none of them takes one.
    """

    def __init__(self, library: Any, capacity: int) -> None:
        self.library = library(capacity)
        self.handles: dict[str, Any] = {}
        self.attempts: dict[str, int] = {}

    def enqueue(self, id: str, payload: str) -> bool:
        handle = self.library.put(id, payload)
        if handle is None:
            return False
        self.handles[id] = handle
        return True

    def reserve(self) -> tuple[str, str, int] | None:
        taken = self.library.take()
        if taken is None:
            return None
        _, id, payload = taken
        self.attempts[id] = self.attempts.get(id, 0) + 1
        return id, payload, self.attempts[id]

    def ack(self, id: str, attempt: int) -> bool:
        return self.library.finish(self._handle(id))

    def retry(self, id: str, attempt: int) -> bool:
        return self.library.give_back(self._handle(id))

    def cancel(self, id: str) -> bool:
        return self.library.drop(self._handle(id))

    def _handle(self, id: str) -> Any:
        return self.handles.get(id, self.library.unknown)
