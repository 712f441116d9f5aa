"""Plain values: what a queue hands out, what it remembers, and what it looks like at one moment.

Nothing here decides anything. `queue.py` and `contract.py` both speak in these values, so that
their answers and their states can be compared with `==`.
"""

from __future__ import annotations

from enum import StrEnum
from operator import index
from typing import Any, NamedTuple, TypeAlias

Operation: TypeAlias = tuple[Any, ...]
"""One call in the exercise's notation: `("enqueue", "a", "A")`, `("reserve",)`, `("ack", "a", 1)`."""


class Job(NamedTuple):
    """What `reserve` returns: the work, and the ticket (id and attempt) its result must carry."""

    id: str
    payload: str
    attempt: int


class Phase(StrEnum):
    """Where an accepted job is. The first two are active and take a slot; the last two are finished."""

    WAITING = "waiting"
    IN_FLIGHT = "in flight"
    DONE = "done"
    CANCELLED = "cancelled"

    @property
    def active(self) -> bool:
        """True while the job takes a slot."""
        return self in (Phase.WAITING, Phase.IN_FLIGHT)


class Record(NamedTuple):
    """What a queue remembers of one accepted id. `attempt` is the latest one; 0 means never reserved."""

    id: str
    payload: str
    phase: Phase
    attempt: int


class State(NamedTuple):
    """One queue at one moment.

    `jobs` holds a Record for every id ever accepted, in the order they were accepted.
    `waiting` holds the ids that wait, oldest first.
    """

    capacity: int
    jobs: tuple[Record, ...] = ()
    waiting: tuple[str, ...] = ()

    def find(self, id: str) -> Record | None:
        """The record of `id`, or None if the id was never accepted."""
        return next((job for job in self.jobs if job.id == id), None)

    @property
    def in_flight(self) -> tuple[Record, ...]:
        """The jobs in flight, in the order they were accepted."""
        return tuple(job for job in self.jobs if job.phase is Phase.IN_FLIGHT)

    @property
    def slots(self) -> tuple[str, ...]:
        """The ids that take a slot now, in the order they were accepted."""
        return tuple(job.id for job in self.jobs if job.phase.active)


def is_state(value: object) -> bool:
    """True for a State with sound contents: what a queue that is not ours gives may be anything."""
    return (
        isinstance(value, State)
        and type(value.capacity) is int
        and isinstance(value.jobs, tuple)
        and isinstance(value.waiting, tuple)
        and all(isinstance(id, str) for id in value.waiting)
        and all(
            isinstance(job, Record)
            and isinstance(job.id, str)
            and isinstance(job.payload, str)
            and isinstance(job.phase, Phase)
            and type(job.attempt) is int
            for job in value.jobs
        )
    )


class Queues(NamedTuple):
    """All queues of a scenario at one moment, and which of them the next call goes to (counted from 0)."""

    states: tuple[State, ...]
    selected: int = 0

    @property
    def current(self) -> State:
        """The state of the selected queue."""
        return self.states[self.selected]


def whole_number(name: str, value: object) -> int:
    """`value` as an int, or TypeError: a bool, a float or a string is not a whole number here."""
    if type(value) is int:  # as nearly always; saves a tenth of an ack
        return value
    try:
        if isinstance(value, bool):
            raise TypeError
        return index(value)  # type: ignore[arg-type]  # index() itself refuses what is no integer
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {value!r}") from None


def text(name: str, value: object) -> str:
    """`value` if it is a string, or TypeError."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string, not {value!r}")
    return value
