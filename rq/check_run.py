"""What every check has in common: it shows how far it has come, can be stopped, and ends in a Report."""

from __future__ import annotations

import time
from collections.abc import Iterable

from rq.progress import Progress
from rq.report import Report, WorldResult
from rq.search import Difference, Played
from rq.state import State
from rq.tour import Ops


class CheckRun:
    """One run of a check, of a class or of a program.

    A check says how to `look` for a difference, what it did in each world (`results`), and how to
    play a sequence again. `shortest` tells whether a shorter difference is ruled out; `notes` are
    sentences for the report.
    """

    words: tuple[str, ...] = ()
    """The command, where a program is checked."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.progress = Progress(name)
        self.shortest = True
        self.notes: list[str] = []

    def look(self) -> Difference | None:
        """Search until a difference is found or nothing is left to try."""
        raise NotImplementedError

    def put_back(self) -> None:
        """Undo what the run changed outside it; called at the end, also after an interrupt."""

    def remark(self, difference: Difference | None) -> None:
        """Add to `notes` what is worth saying of the whole run."""

    def results(self) -> Iterable[WorldResult]:
        """How far each world was searched."""
        raise NotImplementedError

    def own_states(self) -> tuple[State | None, ...]:
        """What the queue said of its state after each call of the counterexample, where it can be asked."""
        return ()

    def run_again(self, capacity: int, ops: Ops) -> Played:
        """Play a sequence once more, on its own; for the test a report makes, and for a race."""
        raise NotImplementedError

    def report(self) -> Report:
        """Look, and say what came of it. An interrupt ends the run with what is known by then."""
        started = time.perf_counter()
        difference, interrupted = None, False
        try:
            difference = self.look()
        except KeyboardInterrupt:
            interrupted = True
        finally:
            self.put_back()
            self.progress.close()
        self.remark(difference)
        return Report(
            self.name,
            difference,
            tuple(self.results()),
            time.perf_counter() - started,
            notes=tuple(self.notes),
            interrupted=interrupted,
            shortest=self.shortest,
            run=self.run_again,
            words=self.words,
            own=self.own_states(),
        )
