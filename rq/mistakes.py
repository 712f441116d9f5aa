"""The mistake behind a wrong guess: what would have to hold for it to be right, and what holds instead."""

from __future__ import annotations

from typing import Any

from rq.answers import same
from rq.contract import Rule
from rq.state import Phase, Record, State
from rq.trace import Step, Trace


def mistake(trace: Trace, number: int, guess: object) -> str:
    """One sentence on what is wrong with taking `guess` for the answer of step `number` (from 1).

    `guess` is a plain answer: True, False, None, or `[id, payload, attempt]`. Raises ValueError if
    it is the right one.
    """
    step = trace.steps[number - 1]
    if same(guess, step.expected):
        raise ValueError(f"{step.call} does return that, so there is no mistake to explain")
    if isinstance(guess, bool) == (step.operation[0] == "reserve"):
        kind = "a job or None" if step.operation[0] == "reserve" else "True or False"
        return f"{step.operation[0]} returns {kind}."
    wrong, right = _reserve(step, guess) if step.operation[0] == "reserve" else _mutation(trace, step)
    return f"That would be right if {wrong}; {right}."


def _reserve(step: Step, guess: Any) -> tuple[str, str]:
    state = step.before.current
    head = state.waiting[0] if state.waiting else ""
    if guess is None:
        if state.in_flight:
            return "reserve waited until nothing is in flight", f"{head} waits, so it can go now"
        return "nobody waited", f"{head} waits at place 1"
    id, payload, attempt = guess
    job = state.find(id)
    if job is None:
        return f"{id} had been accepted", "it never was"
    if id == head:
        return _wrong_details(state, job, payload, attempt)
    match job.phase:
        case Phase.IN_FLIGHT:
            return "reserve could hand out a job that is in flight", f"{id}#{job.attempt} is still out"
        case Phase.CANCELLED:
            return "cancel left the job in the line", f"{id} is gone from it"
        case Phase.DONE:
            return "a job that is done could be handed out again", f"{id} is finished for good"
    place = f"{head} has waited longest, and {id} has place {state.waiting.index(id) + 1}"
    if job.attempt:
        return "a retried job kept its old place in the line", f"it went to the tail; {place}"
    if id == state.waiting[-1]:
        return "the newest job went first", place
    return "reserve could pick any job that waits", place


def _wrong_details(state: State, job: Record, payload: str, attempt: int) -> tuple[str, str]:
    """The right job, with another payload or attempt."""
    if payload != job.payload:
        return "a refused enqueue could change the payload", f"{job.id} keeps the one it was accepted with"
    if attempt == 0:
        return "attempts counted from 0", f"the first one is 1, and {job.id} was never reserved"
    if attempt == job.attempt:
        return "a retried job kept its attempt number", f"each reservation raises it by 1, so now it is {attempt + 1}"
    if attempt < job.attempt:
        return "an attempt number could come again", f"it only rises, and {job.id} had {job.attempt} already"
    if attempt == sum(other.attempt for other in state.jobs) + 1:
        return "all jobs counted their attempts together", f"each counts its own, and {job.id} had {job.attempt}"
    return "something else raised the attempt too", f"only a reservation does, and {job.id} had {job.attempt}"


def _mutation(trace: Trace, step: Step) -> tuple[str, str]:
    """The two halves of the sentence, where the answer is True or False and the guess was the other."""
    state, id = step.before.current, step.operation[1]
    job = state.find(id)
    match step.decision.rule:
        case Rule.E1:
            return _needless_refusal(trace, step)
        case Rule.E3:
            return _overfull(state)
        case Rule.C3_UNKNOWN:
            return "cancel only had to see to it that no such job is left", f"{id} was never accepted, so it is refused"
        case Rule.X_UNKNOWN:
            return "any id could be reported on", f"{id} was never accepted"
    assert job is not None  # every other rule speaks of an accepted id
    match step.decision.rule:
        case Rule.E2:
            return _taken_id(job)
        case Rule.A1 | Rule.T1:
            return _valid_ticket(trace, step, job)
        case Rule.C1:
            return "only a job in flight could be cancelled", f"{id} waits, and that is active too"
        case Rule.C2:
            return "a job could not be cancelled once it is in flight", f"{id} is still active until its result comes"
        case Rule.C3_FINISHED if job.phase is Phase.CANCELLED:
            return "a second cancel counted as well", f"{id} is cancelled already, so nothing is left to cancel"
        case Rule.C3_FINISHED:
            return "a job that is done could still be cancelled", f"{id} is finished, so it is too late"
    return _worthless_ticket(step, job)


def _needless_refusal(trace: Trace, step: Step) -> tuple[str, str]:
    state, queue, id = step.before.current, step.before.selected, step.operation[1]
    earlier = trace.steps[: step.number - 1]
    if any(s.decision.rule is Rule.E3 and s.operation[1] == id and s.before.selected == queue for s in earlier):
        return "a refused enqueue used up its id", f"it does not: {id} was never accepted, and now a slot is free"
    if any(other.find(id) for other in step.before.states):
        return "queues shared their ids", f"this queue never accepted {id}"
    finished = [job.id for job in state.jobs if not job.phase.active]
    if finished and len(state.jobs) >= state.capacity:
        return "a finished job kept its slot", f"{', '.join(finished)} gave it back, and {id} is new"
    return (
        "the queue were full, or the id were used",
        f"{len(state.slots)} of {state.capacity} slots are taken, {id} is new",
    )


def _overfull(state: State) -> tuple[str, str]:
    full = f"{state.capacity} of {state.capacity} slots are taken"
    if state.in_flight:
        flying = ", ".join(job.id for job in state.in_flight)
        return "reserving a job freed its slot", f"in flight it keeps the slot ({flying}), so {full}"
    retried = [job.id for job in state.jobs if job.phase is Phase.WAITING and job.attempt]
    if retried:
        return "retry freed the slot", f"it keeps it: {', '.join(retried)} waits again, so {full}"
    if state.capacity == 0:
        return "there were a slot at all", "capacity 0 refuses every job"
    return "there were a slot more", full


def _taken_id(job: Record) -> tuple[str, str]:
    match job.phase:
        case Phase.WAITING:
            return "one id could wait twice", f"{job.id} waits already"
        case Phase.IN_FLIGHT:
            return "an id were free again once its job left the line", f"{job.id} is in flight"
    return "a finished job gave its id back", f"it gives back the slot only, and {job.id} stays used"


def _valid_ticket(trace: Trace, step: Step, job: Record) -> tuple[str, str]:
    current = f"{job.id}#{job.attempt} is current"
    queue = step.before.selected
    refused = [
        s
        for s in trace.steps[: step.number - 1]
        if s.decision.returned is False and s.before.selected == queue and s.operation[1:2] == (job.id,)
    ]
    if refused and refused[-1].before.current.find(job.id) == job:
        return "the refused call before had done something", f"a refusal changes nothing, so {current}"
    if job.attempt > 1:
        return "only the first ticket of a job counted", f"each retry makes room for a new one, and now {current}"
    if step.before.current.in_flight[0].id != job.id:
        return "results had to come in the order of the reservations", f"each job stands for itself, and {current}"
    return "something had ended this reservation", f"nothing has, so {current}"


def _worthless_ticket(step: Step, job: Record) -> tuple[str, str]:
    verb, id, attempt = step.operation
    match step.decision.rule:
        case Rule.X_WAITING if attempt == job.attempt and attempt > 0:
            return "a ticket counted until the next reservation", f"the retry ended {id}#{attempt}, and {id} waits"
        case Rule.X_WAITING:
            return "a job could be reported on before anybody holds it", f"{id} waits, so no ticket for it is current"
        case Rule.X_FINISHED if job.phase is Phase.CANCELLED:
            return "cancel left the reservation valid", f"it made the ticket void: {id} is cancelled"
        case Rule.X_FINISHED:
            return f"a result counted twice, or a late {verb} could undo the ack", f"{id} is done for good"
        case Rule.X_ZERO:
            return "0 meant whichever attempt is current", f"it is no attempt at all, and {id} is on {job.attempt}"
        case Rule.X_STALE:
            return "an older attempt were good enough", f"{id}#{attempt} was superseded by {id}#{job.attempt}"
    return (
        "a number above the current one were good enough",
        f"{id} is on attempt {job.attempt}, {attempt} is not out yet",
    )
