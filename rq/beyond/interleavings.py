"""Every order in which two attempts at one job can go, and how many of them do the effect twice.

A worker does its effect and reports; or it is lost, before its effect or after it. As long as worker 1
has not reported, the timeout may strike at any moment, rightly or not, and if no report comes, it does: then
worker 2 gets the job, while worker 1, if it is still there, goes on at its own pace. If worker 2 is lost, the
job stays in flight at the end: a second timeout would begin a third attempt, and the model has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rq.beyond.effects import PRICE, Attempts
from rq.beyond.story import Table

History = tuple[str, ...]

FATES = ("reports in time", "reports too late", "is lost after its effect", "is lost before its effect")
"""What may become of worker 1. In time: before any timeout."""


def lives(number: int) -> list[History]:
    """What one worker may do, one history each. A loss after the report would change nothing, so there is none."""
    effect, report, loss = f"effect {number}", f"report {number}", f"loss {number}"
    return [(effect, report), (effect, loss), (loss,)]


def merges(one: History, other: History) -> Iterator[History]:
    """Every way to merge two histories, each keeping its own order."""
    if not one or not other:
        yield one + other
        return
    for rest in merges(one[1:], other):
        yield one[:1] + rest
    for rest in merges(one, other[1:]):
        yield other[:1] + rest


def histories() -> list[History]:
    """All orders of two attempts, as events for `Attempts`."""
    found: list[History] = []
    for first in lives(1):
        for done in range(len(first) + 1):
            before, after = first[:done], first[done:]
            if "report 1" in before:  # the job is done: nobody is waiting, so there is no timeout
                found.append(before)
            else:
                found += [(*before, "retry", *rest) for second in lives(2) for rest in merges(after, second)]
    return found


def fate(history: History) -> str:
    """What becomes of worker 1: one of FATES."""
    in_time, too_late, lost_after, lost_before = FATES
    if "loss 1" in history:
        return lost_after if "effect 1" in history else lost_before
    return too_late if "retry" in history else in_time


class Counts(NamedTuple):
    """Of how many histories something is true.

    `doubled`: the customer paid twice. `lost`: the job is done and nobody paid. `refused`: a report
    was refused. `one_ack`: the queue accepted exactly one report; it never accepts two. `right`: the
    customer paid once.
    """

    histories: int
    doubled: int
    lost: int
    refused: int
    one_ack: int
    right: int


def count(key: str | None = None, then: Sequence[str] = (), only: str | None = None) -> Counts:
    """Play every history on a fresh queue, with further events `then` at its end, and count the outcomes.

    `only` keeps the histories in which that is worker 1's fate.
    """
    played = [Attempts((*history, *then), key) for history in histories() if only in (None, fate(history))]
    return Counts(
        len(played),
        sum(attempts.doubled for attempts in played),
        sum(attempts.lost for attempts in played),
        sum(False in attempts.answers for attempts in played),
        sum(attempts.answers.count(True) == 1 for attempts in played),
        sum(attempts.ledger.total == PRICE for attempts in played),
    )


def tally() -> Table:
    """The counts, one row for each fate of worker 1, and all of them together."""
    rows = []
    for name in (*FATES, None):
        plain, keyed, reconciled = count(only=name), count("job", only=name), count(then=["reconcile"], only=name)
        label = f"worker 1 {name}" if name else "all"
        reports = plain.histories, plain.one_ack, plain.refused
        rows.append((label, *reports, plain.doubled, keyed.doubled, reconciled.doubled))
    reports_of = ("what becomes of worker 1", "histories", "report accepted", "report refused")
    columns = (*reports_of, "charged twice", "with key", "reconciled")
    return Table("two attempts, every order", columns, tuple(rows))
