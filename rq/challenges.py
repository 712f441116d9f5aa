"""Challenges for the playground: what to bring about, and a test of whether a step did."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from rq.contract import Rule
from rq.state import Phase
from rq.trace import Step, Trace

Test = Callable[[Trace, Step], bool]


class Challenge(NamedTuple):
    """Something to bring about. `met(trace, step)` says whether that step does it, after those before it."""

    name: str
    task: str
    met: Test


class Progress:
    """What somebody's traces have met so far: the contract's rules, and the challenges."""

    def __init__(self) -> None:
        self.rules: set[Rule] = set()
        self.challenges: set[str] = set()

    def note(self, trace: Trace, since: int = 0) -> None:
        """Add what the steps of this trace after `since` meet."""
        for step in trace.steps[since:]:
            self.rules.add(step.decision.rule)
            for challenge in CHALLENGES:
                if challenge.name not in self.challenges and challenge.met(trace, step):
                    self.challenges.add(challenge.name)


def _rule(step: Step) -> Rule:
    return step.decision.rule


def _earlier(trace: Trace, step: Step) -> Iterable[Step]:
    """The steps before this one on the same queue."""
    return (s for s in trace.steps[: step.number - 1] if s.before.selected == step.before.selected)


def _stale_ack(trace: Trace, step: Step) -> bool:
    return _rule(step) is Rule.X_STALE and step.operation[0] == "ack"


def _duplicate_in_flight(trace: Trace, step: Step) -> bool:
    job = step.before.current.find(step.operation[1]) if _rule(step) is Rule.E2 else None
    return job is not None and job.phase is Phase.IN_FLIGHT


def _old_ack_after_cancel(trace: Trace, step: Step) -> bool:
    if _rule(step) is not Rule.X_FINISHED or step.operation[0] != "ack":
        return False
    _, id, attempt = step.operation
    job = step.before.current.find(id)
    was_in_flight = any(_rule(s) is Rule.C2 and s.operation[1] == id for s in _earlier(trace, step))
    return was_in_flight and job is not None and attempt == job.attempt


def _retry_behind_another(trace: Trace, step: Step) -> bool:
    return _rule(step) is Rule.T1 and bool(step.before.current.waiting)


def _full_and_none_waits(trace: Trace, step: Step) -> bool:
    state = step.after.current
    return bool(state.slots) and len(state.slots) == state.capacity and not state.waiting


def _void_unnoticed(trace: Trace, step: Step) -> bool:
    """Another job is reserved while the holder of a void ticket has not reported since the cancel."""
    if _rule(step) is not Rule.R1:
        return False
    unnoticed: set[tuple[str, int]] = set()
    for earlier in _earlier(trace, step):
        if _rule(earlier) is Rule.C2:
            job = earlier.before.current.find(earlier.operation[1])
            assert job is not None
            unnoticed.add((job.id, job.attempt))
        elif earlier.operation[0] in ("ack", "retry"):
            unnoticed.discard(earlier.operation[1:])
    return bool(unnoticed)


def _refused_then_accepted(trace: Trace, step: Step) -> bool:
    refused = (s.operation[1] for s in _earlier(trace, step) if _rule(s) is Rule.E3)
    return _rule(step) is Rule.E1 and step.operation[1] in refused


def _third_attempt(trace: Trace, step: Step) -> bool:
    return _rule(step) is Rule.A1 and step.operation[2] >= 3


def _nothing_from_a_full_queue(trace: Trace, step: Step) -> bool:
    return _rule(step) is Rule.R2 and _full_and_none_waits(trace, step)


def _done_before_an_older_one(trace: Trace, step: Step) -> bool:
    if _rule(step) is not Rule.A1:
        return False
    jobs = step.before.current.jobs
    older = jobs[: [job.id for job in jobs].index(step.operation[1])]
    return any(job.phase.active for job in older)


def _came_of_age(trace: Trace, step: Step) -> bool:
    """This very call was refused as a future attempt before."""
    refused = (s.operation for s in _earlier(trace, step) if _rule(s) is Rule.X_FUTURE)
    return _rule(step) in (Rule.A1, Rule.T1) and step.operation in refused


def _four_fates(trace: Trace, step: Step) -> bool:
    tickets = trace.tickets_at(step.number)
    return len({ticket.status for ticket in tickets if ticket.queue == step.after.selected}) == 4


def _six_reasons(trace: Trace, step: Step) -> bool:
    reasons = {rule for rule in Rule if rule.name.startswith("X_")}
    return reasons <= {_rule(step), *(_rule(s) for s in _earlier(trace, step))}


def _same_id_twice_in_flight(trace: Trace, step: Step) -> bool:
    flying = [job.id for state in step.after.states for job in state.in_flight]
    return len(set(flying)) < len(flying)


CHALLENGES = (
    Challenge("The late worker", "After a retry and another reserve, send the ack of the earlier attempt.", _stale_ack),
    Challenge("Twice the same", "Enqueue an id while its job is in flight.", _duplicate_in_flight),
    Challenge("Too late", "Cancel a job in flight, then send its ack.", _old_ack_after_cancel),
    Challenge("Behind the others", "Retry a job so that it goes behind another waiting job.", _retry_behind_another),
    Challenge("Full, and nobody waits", "Fill the queue without any waiting job.", _full_and_none_waits),
    Challenge("Empty-handed", "Let reserve find nothing in a full queue.", _nothing_from_a_full_queue),
    Challenge(
        "Behind the worker's back",
        "Void a ticket without its worker noticing: before it reports, reserve another job.",
        _void_unnoticed,
    ),
    Challenge("Second chance", "Have an id refused, and accepted later.", _refused_then_accepted),
    Challenge("Third time lucky", "Complete a job on its third attempt or a later one.", _third_attempt),
    Challenge("Overtaken", "Complete a job while one that came before it is active.", _done_before_an_older_one),
    Challenge("Ahead of its time", "Send a result that is refused as future and accepted later.", _came_of_age),
    Challenge("Four fates", "Have a current, a superseded, a void and a spent ticket at once.", _four_fates),
    Challenge("Six reasons", "On one queue, have results refused for each of the six reasons.", _six_reasons),
    Challenge("Namesakes", "Have the same id in flight in two queues.", _same_id_twice_in_flight),
)
"""The first four are the sequences that everybody should try before writing a queue."""
