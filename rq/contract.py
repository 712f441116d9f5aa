"""The contract as a program: what each call must return, which rule says so, and the state after it.

This is the specification, not a queue to use. It works on plain values, looks everything up by
scanning, and shares no logic with `queue.py`, so that each can be used to check the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple

from rq.state import Job, Operation, Phase, Queues, Record, State


class Rule(Enum):
    """One rule of the contract. `code` is its short name, `statement` the rule in one sentence."""

    E1 = "enqueue: a new id and a free slot; the job joins the waiting tail"
    E2 = "enqueue: the id was accepted before, whatever became of it; refused"
    E3 = "enqueue: waiting plus in flight fill the capacity; refused, and the id is not used up"
    R1 = "reserve: the oldest waiting job goes in flight, and its attempt rises by 1, from 1 on"
    R2 = "reserve: no job waits, even if some are in flight; None"
    A1 = "ack: in flight and the attempt is current; the job is done, its slot free, its id used up"
    T1 = "retry: in flight and the attempt is current; the job goes to the tail and keeps its slot"
    C1 = "cancel: a waiting job is gone and its slot free; the others keep their order"
    C2 = "cancel: a job in flight is gone, its slot free and its reservation void"
    C3_UNKNOWN = "cancel: the id was never accepted; refused"
    C3_FINISHED = "cancel: the job is done or cancelled already; refused"
    X_UNKNOWN = "ack, retry: the id was never accepted; refused"
    X_WAITING = "ack, retry: the job waits, so no attempt is current; refused"
    X_FINISHED = "ack, retry: the job is done or cancelled; refused"
    X_ZERO = "ack, retry: attempts count from 1, so 0 is never current; refused"
    X_STALE = "ack, retry: the attempt is older than the current one; refused"
    X_FUTURE = "ack, retry: the attempt has not been handed out yet; refused"
    N1 = "new: another queue of the same capacity, empty; separate queues share nothing"
    N2 = "use: later calls go to that queue; no queue changes"

    @property
    def code(self) -> str:
        """The short name: `E1`, `X-stale`."""
        head, _, tail = self.name.partition("_")
        return f"{head}-{tail.lower()}" if tail else head

    @property
    def statement(self) -> str:
        """The rule in one sentence."""
        return self.value


class Decision(NamedTuple):
    """What the contract says of one call: the answer, the rule, the queue's next state, the reason in words."""

    returned: bool | Job | None
    rule: Rule
    after: State
    why: str


def decide(state: State, operation: Operation) -> Decision:
    """Decide one call on one queue. The operation is well formed: a Scenario sees to that.

    Raises TypeError if `state` is no State, ValueError for an operation that does not exist.
    """
    if not isinstance(state, State):
        raise TypeError(f"decide() takes a State, such as q.snapshot(), not {type(state).__name__}")
    match operation:
        case ("enqueue", id, payload):
            return _enqueue(state, id, payload)
        case ("reserve",):
            return _reserve(state)
        case ("ack" | "retry" as verb, id, attempt):
            return _result(state, verb, id, attempt)
        case ("cancel", id):
            return _cancel(state, id)
    raise ValueError(f"the contract has no operation {operation!r}")


def advance(queues: Queues, operation: Operation) -> tuple[Decision, Queues]:
    """Decide one call among several queues, `new` and `use` included, and give all queues after it."""
    states, selected = queues
    match operation:
        case ("new",):
            fresh = State(queues.current.capacity)
            why = f"queue {len(states)} is new, empty and selected; it shares nothing with the others"
            return Decision(None, Rule.N1, fresh, why), Queues((*states, fresh), len(states))
        case ("use", index):
            why = f"queue {index} is selected; no queue changes"
            return Decision(None, Rule.N2, states[index], why), Queues(states, index)
    decision = decide(queues.current, operation)
    changed = (*states[:selected], decision.after, *states[selected + 1 :])
    return decision, Queues(changed, selected)


def follow(capacity: int, operations: Iterable[Operation]) -> Iterator[tuple[Decision, Queues]]:
    """Decide call after call, from one empty queue on: each decision, and all queues after it."""
    queues = Queues((State(capacity),))
    for operation in operations:
        decision, queues = advance(queues, operation)
        yield decision, queues


def _enqueue(state: State, id: str, payload: str) -> Decision:
    old = state.find(id)
    if old is not None:
        why = f"duplicate id: {id} was accepted before (it is {old.phase} now), so nothing changes"
        return Decision(False, Rule.E2, state, why)
    taken = len(state.slots)
    if taken == state.capacity:
        why = f"full: {taken} of {taken} slots are taken, so {id} is refused and its id stays unused"
        return Decision(False, Rule.E3, state, why)
    jobs = (*state.jobs, Record(id, payload, Phase.WAITING, 0))
    after = state._replace(jobs=jobs, waiting=(*state.waiting, id))
    place, slots = len(after.waiting), f"{taken + 1} of {state.capacity} slots taken"
    why = f"accepted: {id} is new and a slot is free, so it waits at the tail, place {place}; {slots}"
    return Decision(True, Rule.E1, after, why)


def _reserve(state: State) -> Decision:
    if not state.waiting:
        flying = _names(f"{job.id}#{job.attempt}" for job in state.in_flight)
        why = f"no job waits; in flight: {flying}" if flying else "no job waits, and none is in flight"
        return Decision(None, Rule.R2, state, why)
    oldest, *others = state.waiting
    job = _known(state, oldest)
    job = job._replace(phase=Phase.IN_FLIGHT, attempt=job.attempt + 1)
    why = f"reserved: {oldest} waited longest, so it goes in flight on attempt {job.attempt}"
    after = _with(state, job, tuple(others))
    return Decision(Job(job.id, job.payload, job.attempt), Rule.R1, after, why)


def _result(state: State, verb: str, id: str, attempt: int) -> Decision:
    refusal = _refusal(state.find(id), id, attempt)
    if refusal is not None:
        rule, reason = refusal
        return Decision(False, rule, state, f"{reason}, so attempt {attempt} changes nothing")
    job = _known(state, id)
    if verb == "ack":
        why = f"acknowledged: attempt {attempt} is current, so {id} is done and its slot is free"
        return Decision(True, Rule.A1, _with(state, job._replace(phase=Phase.DONE), state.waiting), why)
    why = f"returned: attempt {attempt} is current, so {id} goes to the tail and keeps its slot"
    waiting = (*state.waiting, id)
    return Decision(True, Rule.T1, _with(state, job._replace(phase=Phase.WAITING), waiting), why)


def _refusal(job: Record | None, id: str, attempt: int) -> tuple[Rule, str] | None:
    """The one reason why a result does not count, or None if it does."""
    if job is None:
        return Rule.X_UNKNOWN, f"unknown id: {id} was never accepted"
    if not job.phase.active:
        return Rule.X_FINISHED, f"finished: {id} is {job.phase}"
    if job.phase is Phase.WAITING:
        return Rule.X_WAITING, f"waiting: {id} is not in flight"
    if attempt < 1:
        return Rule.X_ZERO, f"zero attempt: {id} counts its attempts from 1"
    if attempt < job.attempt:
        return Rule.X_STALE, f"stale attempt: {id} is on attempt {job.attempt} now"
    if attempt > job.attempt:
        return Rule.X_FUTURE, f"future attempt: {id} is on attempt {job.attempt} now"
    return None


def _cancel(state: State, id: str) -> Decision:
    job = state.find(id)
    if job is None:
        why = f"unknown id: {id} was never accepted, so there is nothing to cancel"
        return Decision(False, Rule.C3_UNKNOWN, state, why)
    if not job.phase.active:
        why = f"finished: {id} is {job.phase}, so there is nothing to cancel"
        return Decision(False, Rule.C3_FINISHED, state, why)
    waiting = tuple(other for other in state.waiting if other != id)
    after = _with(state, job._replace(phase=Phase.CANCELLED), waiting)
    if job.phase is Phase.WAITING:
        why = f"cancelled: {id} no longer waits and its slot is free; the others keep their order"
        return Decision(True, Rule.C1, after, why)
    why = f"cancelled: {id} is out of flight, its slot is free and its ticket {id}#{job.attempt} is void"
    return Decision(True, Rule.C2, after, why)


def _known(state: State, id: str) -> Record:
    return next(job for job in state.jobs if job.id == id)


def _with(state: State, changed: Record, waiting: tuple[str, ...]) -> State:
    """`state` with one record replaced and a new waiting line."""
    jobs = tuple(changed if job.id == changed.id else job for job in state.jobs)
    return State(state.capacity, jobs, waiting)


def _names(names: Iterable[str]) -> str:
    return ", ".join(names)
