"""A story: what happens around a queue, moment by moment, as plain values.

The queue of the course knows jobs and tickets. A story adds what it cannot know (workers,
processes, a bank's ledger) and plays events on a real `Queue`. Every view of a story shows its
moments and adds nothing of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from typing import Any, NamedTuple

from rq.queue import Queue
from rq.state import State


class Table(NamedTuple):
    """A small table of plain values. The first cell of a row names the row."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...] = ()

    @property
    def line(self) -> str:
        """All rows on one line: `worker 1: lost; worker 2: busy`; `-` if there is none."""
        return "; ".join(f"{name}: {', '.join(map(str, cells))}" for name, *cells in self.rows) or "-"

    def __str__(self) -> str:
        lines = [self.columns, *(tuple(map(str, row)) for row in self.rows)]
        widths = [max(map(len, cells)) for cells in zip_longest(*lines, fillvalue="")]
        shown = ["  ".join(map(str.ljust, line, widths)).rstrip() for line in lines]
        return "\n".join([self.caption, *shown])

    def _repr_html_(self) -> str:
        from rq.beyond.page import table_page  # the views stand above the stories
        from rq.html import page

        return page(table_page(self))


class Moment(NamedTuple):
    """What happened, why (one sentence), and the tables after it. `wrong`: nobody can want this state of affairs."""

    event: str
    why: str
    tables: tuple[Table, ...]
    wrong: bool = False

    @property
    def sentence(self) -> str:
        """The reason, with a mark where things are wrong."""
        return f"✗ {self.why}" if self.wrong else self.why


class Story:
    """A title and its moments. Moment 0 is the start; moment k is what event k led to.

    A simulation is a story that tells itself: it is built from a list of events, and says with
    `tables` what there is to see now. The length is the number of events.
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self.moments: list[Moment] = []

    def tables(self) -> Iterable[Table]:
        """What there is to see now. The same tables, in the same order, at every moment."""
        raise NotImplementedError

    def tell(self, event: str, why: str, *, wrong: bool = False) -> None:
        """Add a moment, with the tables as they are now."""
        self.moments.append(Moment(event, why, tuple(self.tables()), wrong))

    def __len__(self) -> int:
        return len(self.moments) - 1

    def __repr__(self) -> str:
        return f"<{self.title}: {len(self)} events>"

    def __str__(self) -> str:
        lines = [self.title]
        for number, moment in enumerate(self.moments):
            lines += [f"{number:>3}   {moment.event}", f"      {moment.sentence}"]
            lines += [f"      {table.caption}: {table.line}" for table in moment.tables]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from rq.beyond.page import story_page  # the views stand above the stories
        from rq.html import page

        return page(story_page(self))


def queue_table(state: State) -> Table:
    """What the queue itself can see: its jobs, where each is, and on which attempt."""
    rows = tuple((job.id, str(job.phase), job.attempt) for job in state.jobs)
    return Table("in the queue", ("id", "state", "attempt"), rows)


def reserve_next(queue: Queue) -> tuple[str, int]:
    """Reserve, where the caller knows that a job waits: its id and attempt."""
    job = queue.reserve()
    assert job is not None
    return job.id, job.attempt


def words_of(event: object, verbs: Iterable[str]) -> tuple[str, str]:
    """An event such as `"effect 1"` as its verb and the rest. Raises ValueError for a verb that is not in `verbs`."""
    known = tuple(verbs)
    verb, _, rest = event.partition(" ") if isinstance(event, str) else ("", "", "")
    if verb not in known:
        raise ValueError(f"an event begins with one of {', '.join(known)}; {event!r} does not")
    return verb, rest.strip()
