"""check() for a program in any language. Its state cannot be read, so the report says to which length all was tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from rq.answers import Died, Hung
from rq.check_run import CheckRun
from rq.program import Program
from rq.report import Report, WorldResult
from rq.scenario import Scenario
from rq.search import Difference, Played, compare, expected_answers
from rq.state import Operation
from rq.tour import Ops, every_sequence, length_within, shrink, tours
from rq.worlds import DEFAULT_WORLDS, World

MOST_SEQUENCES = 3_000
"""The most sequences of one length that are tried in one world."""

BATCH = 2_000
"""Scenarios that one run of the program gets."""


def check_command(command: str, worlds: Sequence[World] = DEFAULT_WORLDS, patience: float = 10.0) -> Report:
    """Compare a program that reads one scenario a line, and writes its answers on one line, with the contract.

    First every sequence up to some length is tried, the shorter ones first; then a tour of the
    contract's states. `patience` is in seconds. Raises OSError if the program cannot be started,
    ValueError if the command is no command.
    """
    return _CommandCheck(command, worlds, patience).report()


class _CommandCheck(CheckRun):
    """One run of check_command()."""

    def __init__(self, command: str, worlds: Sequence[World], patience: float) -> None:
        super().__init__(command)
        self.program = Program(command, patience)
        self.words = tuple(self.program.words)
        self.worlds = worlds
        self.lengths = dict.fromkeys(worlds, 0)
        self.operations = dict.fromkeys(worlds, 0)
        self.toured = False

    def look(self) -> Difference | None:
        """Every sequence up to some length, then a tour."""
        return self.every_sequence() or self.tour()

    def results(self) -> Iterator[WorldResult]:
        """How far each world was searched. A program's states cannot be told apart."""
        for world in self.worlds:
            yield WorldResult(world, 0, self.operations[world], self.lengths[world], False, self.toured)

    def every_sequence(self) -> Difference | None:
        """All sequences of one length in all worlds, then those one call longer, as far as they are not too many."""
        lengths = {world: length_within(world, MOST_SEQUENCES) for world in self.worlds}
        for length in range(1, max(lengths.values(), default=0) + 1):
            for world in self.worlds:
                if length > lengths[world]:
                    continue
                found = self.first_difference(world, every_sequence(world, length))
                if found is not None:
                    self.shortest = len(found.ops) <= 1 + min(self.lengths.values())
                    return self.confirmed(found)
                self.lengths[world] = length
        return None

    def tour(self) -> Difference | None:
        for world in self.worlds:
            found = self.first_difference(world, tours(world))
            if found is not None:
                return self.shrunk(found)
        self.toured = True
        return None

    def first_difference(self, world: World, sequences: Iterator[Ops]) -> Difference | None:
        """The first of the sequences on which the program leaves the contract, in batches."""
        while batch := list(islice(sequences, BATCH)):
            found = self.first_in_batch(world, batch)
            if found is not None:
                return found
        return None

    def first_in_batch(self, world: World, batch: list[Ops]) -> Difference | None:
        """The first difference in one run of the program.

        If the run breaks off without an answer, the cause may be a later scenario, since answers may
        be held back to the end. Then each half has a run of its own.
        """
        answers = self.program.answers([Scenario(world.capacity, ops) for ops in batch])
        for ops, returned in zip(batch, answers, strict=False):
            self.progress.tick(world.name)
            if isinstance(returned, (Hung, Died)) and len(batch) > 1:
                middle = len(batch) // 2
                return (
                    self.alone(world.capacity, ops)
                    or self.first_in_batch(world, batch[:middle])
                    or self.first_in_batch(world, batch[middle:])
                    or _difference(world.capacity, ops, returned)
                )
            self.operations[world] += len(ops)
            found = _difference(world.capacity, ops, returned)
            if found is not None:
                return found
        return None

    def alone(self, capacity: int, ops: Sequence[Operation]) -> Difference | None:
        """The difference that a fresh run of the program shows on this one sequence, or None."""
        return _difference(capacity, ops, self.program.answers([Scenario(capacity, tuple(ops))])[0])

    def shrunk(self, found: Difference) -> Difference:
        """A difference found on a tour, as short as leaving out calls can make it."""
        least = shrink(found, self.alone)
        self.shortest = len(least.ops) <= 1 + min(self.lengths.values())
        return self.confirmed(least)

    def confirmed(self, found: Difference) -> Difference:
        """What was found, played once more in a fresh run before it is reported."""
        again = self.alone(found.capacity, found.ops)
        if again is None:
            self.notes.append("Alone in a fresh run, it answers this line right: it keeps something from line to line.")
        return again or found

    def run_again(self, capacity: int, ops: tuple[Operation, ...]) -> Played:
        """The answers of a fresh run; for the test a report makes, and for a race."""
        returned = self.program.answers([Scenario(capacity, ops)])[0]
        return Played(_answers(capacity, ops, returned))


def _answers(capacity: int, ops: Sequence[Operation], returned: Any) -> list[Any]:
    """One line of answers; where there is none, the whole sequence counts as its last call."""
    return returned if isinstance(returned, list) else [*expected_answers(capacity, ops)[:-1], returned]


def _difference(capacity: int, ops: Sequence[Operation], returned: Any) -> Difference | None:
    return compare(capacity, ops, _answers(capacity, ops, returned))
