"""A queue that keeps the contract but for one wrong belief."""

from __future__ import annotations

from rq.state import Job


class _Entry:
    """What the queue remembers of one id."""

    def __init__(self, payload: str, number: int) -> None:
        self.payload, self.number = payload, number
        self.attempt, self.place = 0, "waiting"
        self.had_ticket = False
        self.spoiled = False


class BelievedQueue:
    """A queue that keeps the contract but for one of `rq.beliefs.BELIEFS`; with any other name, it keeps all of it."""

    def __init__(self, capacity: int, belief: str, shared: set[str] | None = None) -> None:
        self.capacity, self.belief = capacity, belief
        self.jobs: dict[str, _Entry] = {}
        self.line: list[str] = []
        self.flying: list[str] = []
        self.refused: set[str] = set()
        self.shared = shared if shared is not None else set()
        self.reservations = 0
        self.latest = ""  # the job that the last call reserved

    def enqueue(self, id: str, payload: str) -> bool:
        """Accept a job."""
        self.latest = ""
        if self._known(id):
            if self.belief in ("payload replaced", "repeat replaces") and id in self.jobs:
                self.jobs[id].payload = payload
            if self.belief == "repeat is fine":
                return self.jobs[id].place in ("waiting", "in flight")
            return self.belief in ("repeat replaces", "tells if known")
        if self._full():
            self.refused.add(id)
            return False
        self.jobs[id] = _Entry(payload, len(self.jobs))
        self.line.append(id)
        self.shared.add(id)
        return self.belief != "tells if known"

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
            case "line empty" if waiting:
                return True
            case "nothing in flight" if self.flying:
                return True
        return taken >= self.capacity

    def reserve(self) -> Job | None:
        """Hand out a job."""
        self.latest = ""
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
        self.latest = id
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
        if not self._counts(id, attempt) or self._stays(id):
            return False
        self._leave(id, "waiting")
        return True

    def _stays(self, id: str) -> bool:
        """Whether a job in flight is believed not to go back."""
        match self.belief:
            case "retry needs slot":
                return len(self.line) + len(self.flying) >= self.capacity
            case "retry once":
                return self.jobs[id].attempt > 1
        return self.belief == "no way back"

    def _counts(self, id: str, attempt: int) -> bool:
        latest, self.latest = self.latest, ""
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
            case "reservation lapses":
                return fits and id == latest
            case "older counts":
                return 1 <= attempt <= current
            case "future counts":
                return attempt >= current
            case "0 is any":
                return fits or attempt == 0
        return fits

    def cancel(self, id: str) -> bool:
        """Remove a job."""
        self.latest = ""
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
