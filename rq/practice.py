"""Exercises without end: scenarios at random, full of moments worth a guess, and the same for the same seed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from random import Random

from rq.contract import Rule, decide
from rq.scenario import MOST_OPERATIONS, Scenario
from rq.state import Operation, State, whole_number

_INTEREST = {
    Rule.X_STALE: 300,
    **dict.fromkeys((Rule.R1, Rule.T1), 60),
    **dict.fromkeys((Rule.E1, Rule.E3, Rule.C2), 30),
    **dict.fromkeys((Rule.A1, Rule.X_FINISHED), 10),
    **dict.fromkeys((Rule.E2, Rule.C1, Rule.X_WAITING, Rule.X_FUTURE), 4),
}
"""How much a call under this rule teaches; any other rule counts 1. Each time it comes up, it is worth less:
a rule that leads on, as a half, a third, a quarter; another one as a fourth, a ninth, a sixteenth."""

_LEADS_ON = (Rule.E1, Rule.R1, Rule.T1)

_IDS = "abcdefgh"
_UNKNOWN = "z"


def random_scenario(seed: int, length: int = 12) -> Scenario:
    """A scenario of `length` calls (0 to 64), the same for the same seed on every machine.

    It is dense in stale tickets, full queues and cancelled reservations. The contract says what
    each call must return: `trace(scenario)` has the answers.
    """
    seed, length = whole_number("seed", seed), whole_number("length", length)
    if not 0 <= length <= MOST_OPERATIONS:
        raise ValueError(f"length must be from 0 to {MOST_OPERATIONS}, not {length}")
    rng = Random(seed)
    state = State(capacity=rng.choice((1, 1, 2, 2)))
    met: Counter[Rule] = Counter()
    ops: list[Operation] = []
    while len(ops) < length:
        by_rule = defaultdict(list)
        for operation in _calls(state):
            by_rule[decide(state, operation).rule].append(operation)
        weights = [_INTEREST.get(rule, 1) / (1 + met[rule]) ** (1 + (rule not in _LEADS_ON)) for rule in by_rule]
        (rule,) = rng.choices(list(by_rule), weights)
        operation = rng.choice(by_rule[rule])
        ops.append(operation)
        met[rule] += 1
        state = decide(state, operation).after
    return Scenario(state.capacity, tuple(ops), f"Exercise {seed}")


def _calls(state: State) -> Iterator[Operation]:
    """The calls a learner might try in this state."""
    fresh = next((id for id in _IDS if state.find(id) is None), None)
    if fresh:
        yield "enqueue", fresh, fresh.upper()
    yield ("reserve",)
    for job in state.jobs:
        yield "enqueue", job.id, "again"
        yield "cancel", job.id
        for attempt in range(job.attempt + 2):
            yield "ack", job.id, attempt
            yield "retry", job.id, attempt
    yield "ack", _UNKNOWN, 1
    yield "cancel", _UNKNOWN
