"""check(): the shortest sequence of calls on which a queue leaves the contract, or a proof for small worlds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rq.check_run import CheckRun
from rq.fingerprint import Incomparable
from rq.guard import Guard
from rq.report import Report, WorldResult
from rq.scenario import QueueFactory, check_factory
from rq.search import Candidate, Difference, Played, WorldSearch, compare, play
from rq.state import Operation, State
from rq.tour import shrink, tours
from rq.worlds import DEFAULT_WORLDS, VERBS, World

LIMIT = 40_000
"""The most calls made in one world. The right queue needs a third of it in the largest."""


def check(
    queue_class: QueueFactory,
    worlds: Sequence[World] = DEFAULT_WORLDS,
    *,
    skip: str | Sequence[str] = (),
    limit: int = LIMIT,
) -> Report:
    """Compare a queue class with the contract, on every sequence of calls that the worlds allow.

    Takes a class (or a function) that makes a queue when called with a capacity. The Report holds
    a shortest counterexample, or says how far every sequence was tried: to any length, where the
    queue's own state can be compared (see `fingerprint`; what a queue keeps outside the process, in
    a file say, cannot be seen). A queue that raises, hangs or prints does no harm. An interrupt
    (Ctrl-C, or the stop button) ends the check with what is known by then.

    `skip` names operations to leave out, for a queue that does not have them yet; the report says
    so. Raises TypeError if `queue_class` cannot be called, ValueError for a name in `skip` that is
    no operation.
    """
    check_factory(queue_class)
    skip = (skip,) if isinstance(skip, str) else tuple(skip)
    if not set(skip) <= set(VERBS):
        raise ValueError(f"skip takes operations out of {', '.join(VERBS)}, not {', '.join(map(repr, skip))}")
    if not worlds or set(skip) >= set(VERBS):
        raise ValueError("there is nothing to check: name at least one world and leave at least one operation in")
    run = _Check(queue_class, [world.without(skip) for world in worlds], limit)
    if skip:
        run.notes.append(f"Left out: every call of {', '.join(skip)}.")
    return run.report()


FIRST_PATIENCE = 16
"""Ticks of the guard that making the very first queue may take."""


class _Check(CheckRun):
    """One run of check()."""

    def __init__(self, queue_class: QueueFactory, worlds: Sequence[World], limit: int) -> None:
        super().__init__(getattr(queue_class, "__name__", type(queue_class).__name__))
        self.guard = Guard()
        self.candidate = Candidate(queue_class, self.guard)
        self.searches = [
            WorldSearch(world, self.candidate, limit, lambda: self.progress.tick(f"length {self.length}"))
            for world in worlds
        ]
        self.length = 1
        self.limit = limit
        self.toured: set[World] = set()

    def look(self) -> Difference | None:
        """The search, and where it had to stop early a tour."""
        self.candidate.surroundings.reset()
        with Guard(patience=FIRST_PATIENCE) as first:
            first.call(self.candidate.queue_class, 1)  # its first object may import what is slow to import
        with self.guard:
            self.compare_two_runs()
            return self.confirmed(self.search() or self.tour())

    def put_back(self) -> None:
        """The places outside its objects that the class writes to are as they were."""
        self.candidate.surroundings.restore()

    def remark(self, difference: Difference | None) -> None:
        """What it printed, why states could not be merged, and what else a reader of the report should know."""
        if self.guard.printed:
            self.notes.append(
                f"{self.name} prints; {self.guard.printed:,} pieces of text were held back,"
                f" the first: {self.guard.first_printed}"
            )
        if not all(search.comparable for search in self.searches) and not (difference and len(difference.ops) <= 2):
            self.notes.append(
                f"The state of {self.name} cannot be compared ({self.candidate.incomparable}),"
                " so no two sequences were merged."
            )
        for search in self.searches:
            if search.stopped and search.comparable:
                self.notes.append(
                    f'In the world "{search.world.name}" it has more states than could be tried ({search.states:,}):'
                    " does it keep a log, a counter, or traces of jobs that are gone?"
                )
        if self.candidate.changed:
            self.notes.append(
                f"A reservation changes after it was handed out ({self.candidate.changed}): the worker's own"
                " ticket changes in its hand, and no fence can tell it is late. Hand out a copy."
            )

    def compare_two_runs(self) -> None:
        """Where the same calls lead to different states each time, merging is hopeless, and comparing a waste."""
        world = self.searches[-1].world
        ops = [operation for operation in (("enqueue", *world.jobs[0]), ("reserve",)) if operation[0] in world.verbs]
        states = []
        for _ in range(2):
            if self.candidate.start(world.capacity, ops) is not None:
                self.do_not_merge("a first run failed")  # if it always does, two calls will show it
                return
            try:
                states.append(self.candidate.state())
            except Incomparable:
                return
        if states[0] != states[1]:
            self.do_not_merge("it differs from run to run, as a time or a random number does")

    def do_not_merge(self, reason: str) -> None:
        self.candidate.incomparable = reason
        for search in self.searches:
            search.comparable = False

    def search(self) -> Difference | None:
        """All worlds, one length after another, so that the first difference is a shortest one in all of them."""
        while active := [search for search in self.searches if not search.complete and not search.stopped]:
            for search in active:
                difference = search.extend()
                if difference is not None:
                    stopped = [other.length for other in self.searches if other.stopped]
                    self.shortest = len(difference.ops) <= 1 + min(stopped, default=len(difference.ops))
                    return difference
            self.length += 1
        return None

    def tour(self) -> Difference | None:
        """Where the search had to stop early, go on along a tour of the contract's states."""
        for search in self.searches:
            if search.complete:
                continue
            enough = search.operations + self.limit
            for ops in tours(search.world):
                if search.operations > enough:
                    break
                self.progress.tick(f"touring {search.world.name}")
                search.operations += len(ops)
                difference = self.difference(search.world.capacity, ops)
                if difference is not None:
                    return self.shrunk(difference)
            else:
                self.toured.add(search.world)
        return None

    def shrunk(self, found: Difference) -> Difference:
        """A difference found on a tour, as short as leaving out calls can make it."""
        least = shrink(found, self.difference)
        self.shortest = len(least.ops) <= 1 + min(search.length for search in self.searches if not search.complete)
        return least

    def difference(self, capacity: int, ops: Sequence[Operation]) -> Difference | None:
        """Play a sequence on fresh queues: its first difference, or None."""
        return compare(capacity, ops, self.candidate.answers(capacity, ops))

    def confirmed(self, found: Difference | None) -> Difference | None:
        """What was found, played once more on fresh queues before it is reported."""
        if found is None or not found.ops:
            return found
        again = self.difference(found.capacity, found.ops)
        if again is None:
            self.notes.append(
                "Played again on fresh queues, it did not differ: its answers depend on something outside it."
            )
        return again or found

    def results(self) -> Iterator[WorldResult]:
        """How far each world was searched, or toured."""
        for search in self.searches:
            world, complete = search.world, search.complete and not search.stopped
            yield WorldResult(world, search.states, search.operations, search.length, complete, world in self.toured)

    def own_states(self) -> tuple[State | None, ...]:
        """What the queue's own snapshots said."""
        return tuple(self.candidate.own)

    def run_again(self, capacity: int, ops: tuple[Operation, ...]) -> Played:
        """A sequence on fresh queues, under guard; for the test a report makes, and for a race."""
        return play(self.candidate.queue_class, capacity, ops)
