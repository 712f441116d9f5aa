"""The answers a quiz offers: the right one among plausible ones, in a row that does not give it away."""

from __future__ import annotations

from random import Random
from typing import Any

from rq.contract import Rule
from rq.state import Phase, Record
from rq.trace import Step, Trace

MOST_CHOICES = 6


def choices(trace: Trace, number: int) -> list[Any]:
    """The plausible answers of step `number`, the right one among them; the same ones on every machine.

    For a reserve these are None and at most five reservations. Every job is offered by the same rule,
    whether or not it is the oldest: its next attempt, where there is room with others close to it, and
    each with the payload of a refused duplicate too. Which others, and in which order the jobs and None
    stand, is drawn from the scenario and the step: so neither tells anything of the answer.
    """
    step = trace.steps[number - 1]
    match step.operation[0]:
        case "new" | "use":
            return [None]
        case "reserve":
            return _reservations(trace, step, Random(f"step {number} of {trace.scenario.to_json()}"))
    return [True, False]


def _reservations(trace: Trace, step: Step, random: Random) -> list[Any]:
    accepted = list(step.before.current.jobs)
    strangers = _strangers(trace, accepted)
    jobs = accepted + strangers
    random.shuffle(jobs)
    if step.expected is not None:
        jobs.sort(key=lambda job: job.id != step.expected[0])  # where there is room for few, the right one has it
    payloads = {job.id: _payloads(trace, step, job) for job in jobs}
    for both in payloads.values():
        random.shuffle(both)
    others = [
        (job, attempt)
        for job in accepted or strangers
        for attempt in _window(job.attempt + 1, random)
        if attempt != job.attempt + 1
    ]
    random.shuffle(others)
    offered: list[list[Any]] = []
    for job, attempt in [*((job, job.attempt + 1) for job in jobs), *others]:
        answers = [[job.id, payload, attempt] for payload in payloads[job.id]]  # all or none: no attempt stands out
        if len(offered) + len(answers) < MOST_CHOICES:
            offered += answers
    offered.sort(key=lambda answer: answer[2])
    groups: list[list[Any]] = [[None], *([answer for answer in offered if answer[0] == id] for id in payloads)]
    random.shuffle(groups)
    return [answer for group in groups for answer in group]


def _window(right: int, random: Random) -> range:
    """Three attempts in a row, from 0 on, with the right one at any place among them."""
    first = right - random.randrange(min(3, right + 1))
    return range(first, first + 3)


def _strangers(trace: Trace, accepted: list[Record]) -> list[Record]:
    """Jobs that were not accepted in this queue, but have a part elsewhere, so that there are two to choose from."""
    known = [job.id for job in accepted]
    named = {op[1]: op[2] for op in reversed(trace.scenario.ops) if op[0] == "enqueue" and op[1] not in known}
    found = [Record(id, payload, Phase.WAITING, 0) for id, payload in reversed(named.items())]
    if not accepted and not found:
        found = [Record("a", "A", Phase.WAITING, 0)]
    return found[: max(0, 2 - len(accepted))]


def _payloads(trace: Trace, step: Step, job: Record) -> list[str]:
    """The payload of a job, and the one that the last refused duplicate would have given it."""
    refused = [
        earlier.operation[2]
        for earlier in trace.steps[: step.number - 1]
        if earlier.decision.rule is Rule.E2
        and earlier.operation[1] == job.id
        and earlier.before.selected == step.before.selected
    ]
    return list(dict.fromkeys([job.payload, *refused[-1:]]))
