"""Wrong beliefs about queues, each as a queue that keeps the contract but for that one."""

from __future__ import annotations

from typing import NamedTuple

from rq.state import Job


class Belief(NamedTuple):
    """A wrong belief, what holds instead, and the operations whose answers it may explain."""

    wrong: str
    right: str
    verbs: tuple[str, ...]


_RESULTS = ("ack", "retry")

BELIEFS = {
    "refused id used": Belief("a refused enqueue used up its id", "it does not", ("enqueue",)),
    "finished keeps slot": Belief("a finished job kept its slot", "ack and cancel free it", ("enqueue",)),
    "ids shared": Belief("all queues shared their ids", "each queue has its own", ("enqueue",)),
    "one job at a time": Belief("a queue took one job at a time", "it takes one for each slot", ("enqueue",)),
    "reserve frees": Belief("reserving a job freed its slot", "a job in flight keeps it", ("enqueue",)),
    "retry frees": Belief("retry freed the slot", "it keeps it", ("enqueue",)),
    "one slot more": Belief("a full queue had room for one more", "the capacity is the limit", ("enqueue",)),
    "id waits twice": Belief("an id could be in line twice", "an accepted id is used up", ("enqueue",)),
    "id only in line": Belief("an id was free again once its job left the line", "it stays used", ("enqueue",)),
    "id given back": Belief("a finished job gave its id back", "it gives back the slot only", ("enqueue",)),
    "one in flight": Belief("reserve waited until nothing is in flight", "several may be", ("reserve",)),
    "newest first": Belief("the newest job went first", "the one that has waited longest does", ("reserve",)),
    "retry to head": Belief("a retried job went to the head of the line", "it goes to the tail", ("reserve",)),
    "retry to old place": Belief("a retried job got its old place back", "it goes to the tail", ("reserve",)),
    "retry renumbers": Belief("a retried job kept its attempt number", "each reservation raises it by 1", ("reserve",)),
    "attempts from 0": Belief("attempts counted from 0", "the first one is 1", ("reserve",)),
    "one counter": Belief("all jobs counted their attempts together", "each job has its own count", ("reserve",)),
    "payload replaced": Belief("a refused enqueue changed the payload", "a refusal changes nothing", ("reserve",)),
    "handed out again": Belief(
        "a job in flight could be handed out again", "reserve takes from the line", ("reserve",)
    ),
    "same ticket again": Belief("a ticket could be handed out twice", "one reservation, one ticket", ("reserve",)),
    "cancel forgets line": Belief("cancel left a waiting job in the line", "it takes it out", ("reserve",)),
    "cancel retries": Belief("a job cancelled in flight came back", "it is gone for good", ("reserve",)),
    "done comes back": Belief("a job that is done came back", "it is finished for good", ("reserve",)),
    "older counts": Belief("an older attempt was good enough", "only the current one counts", _RESULTS),
    "in order": Belief("results had to come in the order of the reservations", "each job stands for itself", _RESULTS),
    "first ticket only": Belief("only the first ticket of a job counted", "the latest one does", _RESULTS),
    "refusal spoils": Belief("a refused result spoiled the ticket", "a refusal changes nothing", _RESULTS),
    "future counts": Belief("a number above the current one was good enough", "only the current one counts", _RESULTS),
    "0 is any": Belief("0 meant whichever attempt is current", "0 is no attempt at all", _RESULTS),
    "ticket outlives retry": Belief("a ticket counted until the next reservation", "the retry ends it", _RESULTS),
    "no reservation needed": Belief("a job that waits could be reported on", "only one in flight can", _RESULTS),
    "result twice": Belief("the same result counted twice", "the first one ends the reservation", _RESULTS),
    "cancel keeps ticket": Belief("cancel left the ticket valid", "it makes it void", _RESULTS),
    "any id": Belief("any id could be reported on", "only an accepted one can", _RESULTS),
    "finished does not matter": Belief("a finished job could still be reported on", "it cannot", _RESULTS),
    "cancel in flight only": Belief("only a job in flight could be cancelled", "a waiting one can too", ("cancel",)),
    "cancel waiting only": Belief("only a waiting job could be cancelled", "one in flight can too", ("cancel",)),
    "cancel is a wish": Belief("cancel only had to see that no such job is left", "it must have one", ("cancel",)),
    "cancel twice": Belief("a finished job could be cancelled", "cancel needs an active one", ("cancel",)),
}
"""The beliefs by name. Where several lead to a guess, the first one is told."""


class _Entry:
    """What the queue remembers of one id."""

    def __init__(self, payload: str, number: int) -> None:
        self.payload, self.number = payload, number
        self.attempt, self.place = 0, "waiting"
        self.had_ticket = False
        self.spoiled = False


class BelievedQueue:
    """A queue that keeps the contract but for one of BELIEFS; with any other name, it keeps all of it."""

    def __init__(self, capacity: int, belief: str, shared: set[str] | None = None) -> None:
        self.capacity, self.belief = capacity, belief
        self.jobs: dict[str, _Entry] = {}
        self.line: list[str] = []
        self.flying: list[str] = []
        self.refused: set[str] = set()
        self.shared = shared if shared is not None else set()
        self.reservations = 0

    def enqueue(self, id: str, payload: str) -> bool:
        """Accept a job."""
        if self._known(id):
            if self.belief == "payload replaced" and id in self.jobs:
                self.jobs[id].payload = payload
            return False
        if self._full():
            self.refused.add(id)
            return False
        self.jobs[id] = _Entry(payload, len(self.jobs))
        self.line.append(id)
        self.shared.add(id)
        return True

    def _known(self, id: str) -> bool:
        job = self.jobs.get(id)
        match self.belief:
            case "refused id used" if id in self.refused:
                return True
            case "ids shared":
                return id in self.shared
            case "id waits twice":
                return job is not None and job.place != "waiting"
            case "id only in line":
                return job is not None and job.place == "waiting"
            case "id given back":
                return job is not None and job.place in ("waiting", "in flight")
        return job is not None

    def _full(self) -> bool:
        waiting = [job for job in self.jobs.values() if job.place == "waiting"]
        taken = len(waiting) + len(self.flying)
        match self.belief:
            case "finished keeps slot":
                taken = len(self.jobs)
            case "one job at a time":
                return taken >= min(1, self.capacity)
            case "reserve frees":
                taken = len(waiting)
            case "retry frees":
                taken -= sum(job.attempt > 0 for job in waiting)
            case "one slot more":
                taken -= 1
        return taken >= self.capacity

    def reserve(self) -> Job | None:
        """Hand out a job."""
        if self.belief == "one in flight" and self.flying:
            return None
        if self.belief in ("same ticket again", "handed out again") and self.flying:
            job = self.jobs[self.flying[0]]
            job.attempt += self.belief == "handed out again"
            return Job(self.flying[0], job.payload, job.attempt)
        if not self.line:
            return None
        id = self.line[-1 if self.belief == "newest first" else 0]
        job = self.jobs[id]
        self.line.remove(id)
        self.reservations += 1
        if not (self.belief == "retry renumbers" and job.attempt):
            job.attempt += 1
        self.flying.append(id)
        job.place, job.had_ticket, job.spoiled = "in flight", True, False
        return Job(id, job.payload, self._shown(job))

    def _shown(self, job: _Entry) -> int:
        if self.belief == "one counter":
            return self.reservations
        return job.attempt - (self.belief == "attempts from 0")

    def ack(self, id: str, attempt: int) -> bool:
        """Complete a job."""
        if not self._counts(id, attempt):
            return False
        self._leave(id, "waiting" if self.belief == "done comes back" else "done")
        return True

    def retry(self, id: str, attempt: int) -> bool:
        """Send a job back."""
        if not self._counts(id, attempt):
            return False
        self._leave(id, "waiting")
        return True

    def _counts(self, id: str, attempt: int) -> bool:
        job = self.jobs.get(id)
        if job is None:
            return self.belief == "any id"
        current = self._shown(job)
        fits = attempt == current
        match self.belief:
            case "ticket outlives retry" if job.place == "waiting":
                return fits and job.had_ticket
            case "no reservation needed" if job.place == "waiting":
                return True
            case "result twice" if job.place == "done":
                return fits
            case "cancel keeps ticket" if job.place == "cancelled":
                return fits and job.had_ticket
            case "finished does not matter" if job.place in ("done", "cancelled"):
                return True
        if job.place != "in flight":
            return False
        match self.belief:
            case "first ticket only":
                return attempt == 1
            case "in order":
                return fits and self.flying[0] == id
            case "refusal spoils":
                job.spoiled |= not fits
                return fits and not job.spoiled
            case "older counts":
                return 1 <= attempt <= current
            case "future counts":
                return attempt >= current
            case "0 is any":
                return fits or attempt == 0
        return fits

    def cancel(self, id: str) -> bool:
        """Remove a job."""
        job = self.jobs.get(id)
        if job is None:
            return self.belief == "cancel is a wish"
        if job.place in ("done", "cancelled"):
            return self.belief in ("cancel twice", "cancel is a wish")
        if job.place == {"cancel in flight only": "waiting", "cancel waiting only": "in flight"}.get(self.belief):
            return False
        if self.belief == "cancel retries" and job.place == "in flight":
            self._leave(id, "waiting")
        elif self.belief == "cancel forgets line" and job.place == "waiting":
            job.place = "cancelled"
        else:
            job.had_ticket = job.had_ticket and job.place == "in flight"
            self._leave(id, "cancelled")
        return True

    def _leave(self, id: str, place: str) -> None:
        """Take a job from where it is, and put it elsewhere."""
        for places in (self.line, self.flying):
            if id in places:
                places.remove(id)
        job = self.jobs.get(id)
        if job is None:  # a result for an id that nobody enqueued was believed
            return
        job.place = place
        if place == "waiting":
            self.line.insert(self._place_in_line(job), id)

    def _place_in_line(self, job: _Entry) -> int:
        if self.belief == "retry to head":
            return 0
        if self.belief == "retry to old place":
            return sum(self.jobs[other].number < job.number for other in self.line)
        return len(self.line)
