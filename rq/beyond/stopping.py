"""Cancellation is not stopping: the queue forgets a job at once, a process takes its time.

A machine runs one process for each job in flight. `wait=False` is the contract as it stands: a
cancel frees the slot at once. `wait=True` cancels in the queue only when the worker has confirmed
its clean-up. Both drive the same queue through the same five operations.
"""

from __future__ import annotations

from collections.abc import Iterable

from rq.beyond.story import Story, Table, queue_table, reserve_next, words_of
from rq.queue import Queue

EVENTS = ("start", "cancel", "stopped", "finish", "force")

_RUNS = ("runs", "told to stop")


class Machine(Story):
    """Processes on one machine, as many as there should be slots.

    - `"start a"`: job a is enqueued and reserved, and a process starts on it; refused if no slot is free.
    - `"cancel a"`: a is not wanted any more; its process is told to stop, and goes on for now.
    - `"stopped a"`: the process, which was told to stop, has cleaned up and ended.
    - `"finish a"`: the process came to its normal end, and acknowledges.
    - `"force a"`: whoever waits for the clean-up of a stops waiting (only with `wait=True`).

    An event without a process that could do it, or that does not exist, raises ValueError; so does a
    `stopped` or `force` of a job that was not cancelled.
    """

    def __init__(self, events: Iterable[str], capacity: int = 1, wait: bool = False) -> None:
        when = "when its clean-up is confirmed" if wait else "at once"
        super().__init__(f"A cancel frees the slot {when}")
        self.events = tuple(events)
        self.capacity = capacity
        self.wait = wait
        self.queue = Queue(capacity)
        self.processes: dict[str, str] = {}
        self.most_running = 0
        self.refused: list[str] = []
        """The jobs that found no slot."""
        self.tell("start", "nothing runs yet")
        for event in self.events:
            self._play(event)

    @property
    def running(self) -> int:
        """How many processes really run: the load of the machine."""
        return sum(state in _RUNS for state in self.processes.values())

    @property
    def taken(self) -> int:
        """How many slots the queue counts as taken."""
        return len(self.queue.snapshot().slots)

    def tables(self) -> Iterable[Table]:
        """The queue's view, the processes, and the two loads side by side."""
        yield queue_table(self.queue.snapshot())
        yield Table("processes", ("process of", "state"), tuple(self.processes.items()))
        rows = (("capacity", self.capacity), ("slots taken", self.taken), ("really running", self.running))
        yield Table("load", ("what", "number"), rows)

    def _play(self, event: str) -> None:
        verb, id = words_of(event, EVENTS)
        if not id:
            raise ValueError(f"{event!r}: of which job?")
        if verb != "start" and self.processes.get(id) not in _RUNS:
            raise ValueError(f"{event!r}: no process of {id!r} is running")
        if verb in ("stopped", "force") and self.processes[id] != "told to stop":
            raise ValueError(f"{event!r}: {id} was not cancelled, so nobody waits for its clean-up")
        why = getattr(self, f"_{verb}")(id)
        self.most_running = max(self.most_running, self.running)
        too_many = self.running > self.capacity
        if too_many:
            why += f"; {self.running} processes run where {self.capacity} should"
        self.tell(event, why, wrong=too_many)

    def _start(self, id: str) -> str:
        if not self.queue.enqueue(id, ""):
            if self.queue.snapshot().find(id):
                return "refused: the id was used before"
            self.refused.append(id)
            return f"refused: {self.taken} of {self.capacity} slots are taken"
        reserve_next(self.queue)
        self.processes[id] = "runs"
        return f"a slot was free, so the process of {id} starts"

    def _cancel(self, id: str) -> str:
        if self.processes[id] == "told to stop":
            return f"{id} was cancelled already and its process told, so nothing changes"
        self.processes[id] = "told to stop"
        if self.wait:
            return f"the process of {id} is asked to stop; until it confirms, {id} stays in flight and keeps its slot"
        self.queue.cancel(id)
        return f"the slot of {id} is free at once; its process has only been told"

    def _stopped(self, id: str) -> str:
        """With `wait`, this is the moment of the cancel; without, the queue has nothing left to learn."""
        self.processes[id] = "ended"
        if self.queue.cancel(id):
            return f"the process of {id} has cleaned up; now {id} is cancelled in the queue, and its slot is free"
        return f"the process of {id} has cleaned up; the slot was free already"

    def _finish(self, id: str) -> str:
        asked = self.processes[id] == "told to stop"
        self.processes[id] = "ended"
        if not self.queue.ack(id, 1):
            return f"the ack of {id} is refused: it was cancelled; its process has ended"
        late = "; the wish to cancel it came too late" if asked else ""
        return f"the ack of {id} counts: it is done, and its slot is free{late}"

    def _force(self, id: str) -> str:
        if not self.wait:
            raise ValueError(f"'force {id}': nobody waits for a clean-up here; that is for wait=True")
        if not self.queue.cancel(id):
            return f"nothing is left to cancel: {id} has no slot any more"
        return f"nobody waits for the clean-up of {id} any longer; its slot is free, and its process may still run"
