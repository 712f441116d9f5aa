"""The same calls on the right queue and on another one: where they part, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rq.answers import show
from rq.contract import Rule
from rq.report import Report
from rq.scenario import MOST_OPERATIONS, QueueFactory, Scenario, ScenarioError
from rq.tour import probe
from rq.trace import Trace, trace


def race(source: object, queue_class: QueueFactory | None = None) -> Trace:
    """The trace of a race: its steps hold both answers, the contract's and the other queue's.

    `source` is what trace() takes, with the other queue's class; or a trace made with it; or a
    report with a counterexample. A report's calls go on after the counterexample, to the last
    one that shows what became of the jobs. Raises ScenarioError if there is nothing to race.
    """
    if queue_class is not None:
        scenario = source.scenario if isinstance(source, (Trace, Report)) else source
        return trace(scenario, queue_class)
    if isinstance(source, Report):
        return _from_report(source)
    if isinstance(source, Trace) and source.queue_name != "Queue":
        return source
    raise ScenarioError("a race needs a second queue: Race(scenario, MyQueue)")


def _from_report(report: Report) -> Trace:
    made = report.trace
    if made is None:
        raise ScenarioError(f"there is no counterexample to race: {report.summary}")
    if not made.steps:
        raise ScenarioError(report.summary)
    if report.run is None:
        return made
    more = probe(made.queues_at(len(made)))[: MOST_OPERATIONS - len(made)]
    scenario = Scenario(made.scenario.capacity, (*made.scenario.ops, *more), "Counterexample, and what follows")
    answers, own = report.run(scenario.capacity, scenario.ops)
    longer = Trace.from_answers(scenario, answers, made.queue_name, own)
    if longer.first_difference != len(made):  # it does not do the same thing twice
        return made
    last = max(step.number for step in longer.steps if not step.agrees)
    return Trace.from_answers(replace(scenario, ops=scenario.ops[:last]), answers, made.queue_name, own)


def rule_of(source: object, made: Trace, queue_class: QueueFactory | None = None) -> Rule | None:
    """The rule by which they part, or None if they do not.

    Where a queue answers right as long as it is alone, the fault is in what it shares with others (N1).
    """
    if isinstance(source, Report) and queue_class is None:
        return source.rule
    number = made.first_difference
    if number is None:
        return None
    step = made.steps[number - 1]
    if queue_class is not None and len(step.before.states) > 1:
        own = [s.operation for s in made.steps[:number] if s.before.selected == step.before.selected]
        alone = Scenario(made.scenario.capacity, tuple(op for op in own if op[0] not in ("new", "use")))
        if trace(alone, queue_class).first_difference is None:
            return Rule.N1
    return step.decision.rule


def parting(made: Trace, rule: Rule | None, index: int) -> str:
    """Where they part, in one sentence, as far as it is known after `index` calls; otherwise nothing."""
    number = made.first_difference
    if number is None or rule is None or index < number:
        return ""
    step = made.steps[number - 1]
    place = "Here they part" if index == number else f"They parted at step {number}, {step.call}"
    return f"{place}. Rule {rule.code}: {rule.statement}."


def race_text(made: Trace, rule: Rule | None) -> str:
    """The race as plain text: a line a call, with both answers."""
    return "\n".join(_lines(made, rule))


def _lines(made: Trace, rule: Rule | None) -> Iterable[str]:
    calls = max((len(step.call) for step in made.steps), default=0)
    answers = max((len(show(step.expected)) for step in made.steps), default=0)
    yield f"{made.title}   (capacity {made.scenario.capacity})"
    for step in made.steps:
        other = show(step.returned) if step.agrees else f"✗ {show(step.returned)}"
        yield f"{step.number:>3}   {step.call:<{calls}}   {show(step.expected):<{answers}}   {other}"
        yield f"{'':6}{step.why}"
    yield parting(made, rule, len(made)) or f"Queue and {made.queue_name} gave the same answers."
