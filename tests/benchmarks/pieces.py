"""Where the difference between `Queue` and the floor goes: the pieces of a call, timed alone."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Mapping
from functools import partial
from statistics import median
from timeit import Timer
from typing import Any

from benchmarks.measure import clock, interleaved, progress, table
from rq import Job, Queue
from rq.queue import _Entry
from rq.state import text

CALLS, ROUNDS = 20_000, 15
NOTHING = "pass"

PIECES = (
    (
        "into the line and out of its head",
        "line[id] = entry; line.popitem(last=False)",
        "bare.append(id); bare.popleft()",
    ),
    ("the record of a job", '_Entry("payload")', '["payload", 0]'),
    ("what reserve hands out", 'Job(id, "payload", 1)', '(id, "payload", 1)'),
    ("into flight and out", "flying[id] = entry; flying.pop(id)", NOTHING),
    ("id and payload are strings", 'text("id", id); text("payload", id)', NOTHING),
    ("the id is new, and kept for good", "id in known; known[id] = entry", "jobs[id] = entry; del jobs[id]"),
    ("a slot is free", "queue._slots_taken() >= queue._capacity", NOTHING),
    ("the fence: the right types, in flight, current", "queue._is_current(flew, 1)", NOTHING),
)
"""What is done, how the queue does it, how the floor does."""


def _world() -> dict[str, Any]:
    """A queue with a thousand waiting jobs and one in flight, and its parts alone."""
    queue = Queue(2_000)
    queue.enqueue("flew", "")
    queue.reserve()
    for number in range(1_000):
        queue.enqueue(f"job-{number}", "")
    ids = [f"job-{number}" for number in range(1_000)]
    parts = {"queue": queue, "entry": _Entry(""), "id": "new", "flew": "flew", "flying": {}}
    lines = {
        "line": OrderedDict.fromkeys(ids),
        "bare": deque(ids),
        "known": dict.fromkeys(ids),
        "jobs": dict.fromkeys(ids),
    }
    return {**parts, **lines, "_Entry": _Entry, "Job": Job, "text": text}


def measured() -> list[tuple[str, float, float]]:
    """For each piece, nanoseconds in the queue and on the floor, the empty loop taken off."""
    statements = [NOTHING, *(statement for _, *both in PIECES for statement in both if statement != NOTHING)]
    timers = {statement: Timer(statement, timer=clock, globals=_world()) for statement in statements}

    def once(timer: Timer) -> Mapping[str, float]:
        return {"": timer.timeit(CALLS) / CALLS * 1e9}

    contestants = {statement: partial(once, timer) for statement, timer in timers.items()}
    taken = {
        name: median(parts[""])
        for name, parts in interleaved(contestants, ROUNDS, lambda text: progress(f"pieces, {text}")).items()
    }
    empty = taken[NOTHING]
    return [(label, taken[ours] - empty, taken[theirs] - empty) for label, ours, theirs in PIECES]


def pieces_table() -> str:
    """The pieces of a job's life, and what they come to."""
    found = measured()
    total = ("together", sum(row[1] for row in found), sum(row[2] for row in found))
    rows = [[label, f"{ours:.0f}", f"{theirs:.0f}"] for label, ours, theirs in [*found, total]]
    return table(["nanoseconds, of one job's life", "queue", "floor"], rows)
