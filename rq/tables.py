"""States and traces as pandas DataFrames. The only module that imports pandas."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Protocol

import pandas as pd

from rq.answers import quoted, show
from rq.broken import GALLERY, fault_of
from rq.contract import Rule
from rq.quiz import Score
from rq.state import Queues, Record, State
from rq.trace import Step, Trace, as_trace, phase_text, summary

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

    from rq.report import Report
    from rq.worlds import World

pd.set_option("display.html.use_mathjax", False)  # a payload with two dollar signs in it is no formula

NOTHING = "-"
"""Stands in a cell that has no value."""

CHANGED = "●"
"""Marks a cell that the step changed; colour alone would not reach every reader."""

STATE_COLUMNS = ["payload", "state", "attempt", "place"]


class _HasSnapshot(Protocol):
    def snapshot(self) -> State: ...


def state_table(state: State | _HasSnapshot) -> pd.DataFrame:
    """One queue at one moment: a row for each accepted id, in the order they were accepted.

    Takes a State or a Queue. The index is the id; the columns are payload, state (a Phase),
    attempt (the latest; 0 is never reserved) and place (in the waiting line, from 1; `-` if the
    job does not wait).
    """
    if not isinstance(state, State):
        if not hasattr(state, "snapshot"):
            raise TypeError(f"state_table() takes a Queue or a State, not {type(state).__name__}")
        state = state.snapshot()
    rows = {job.id: _row(state, job) for job in state.jobs}
    return pd.DataFrame(list(rows.values()), index=pd.Index(list(rows), name="id"), columns=STATE_COLUMNS)


def marked_table(state: State, other: State, word: str = "was") -> pd.DataFrame:
    """The state table as text, each cell that differs from `other` marked and the other value named after `word`."""
    rows = []
    for job in state.jobs:
        old = other.find(job.id)
        new_cells = _row(state, job)
        old_cells = _row(other, old) if old else new_cells
        cells = [marked_cell(new, was, word) for new, was in zip(new_cells, old_cells, strict=True)]
        absent = "new" if word == "was" else "only here"
        rows.append([f"{CHANGED} {job.id} ({absent})" if old is None else job.id, *cells])
    for job in other.jobs:
        if state.find(job.id) is None:
            rows.append([f"{CHANGED} {job.id} (missing here)", *[NOTHING] * len(STATE_COLUMNS)])
    return pd.DataFrame(rows, columns=["id", *STATE_COLUMNS])


def queues_table(queues: Queues, before: Queues) -> pd.DataFrame:
    """All queues of a scenario as text, one a row, the selected one and the cells that differ from `before` marked."""
    rows = []
    for number, state in enumerate(queues.states):
        new = summary(state)
        old = summary(before.states[number]) if number < len(before.states) else new
        name = f"▸ {number} selected" if number == queues.selected else str(number)
        rows.append([name, *(marked_cell(cell, was) for cell, was in zip(new, old, strict=True))])
    return pd.DataFrame(rows, columns=["queue", "waiting", "in flight", "finished", "slots"])


def tickets_table(source: object, index: int | None = None) -> pd.DataFrame:
    """Every reservation handed out in the first `index` calls (default: all), oldest first.

    The index is the ticket (`a#1`); the columns are id, attempt, status (current, superseded by a
    retry, void by a cancel, spent by its ack) and counts (bool: would its result be accepted now?).
    With several queues a column `queue` comes first. Takes a Trace, or what trace() takes.
    """
    trace = as_trace(source)
    tickets = trace.tickets_at(len(trace) if index is None else index)
    rows = [(t.queue, t.id, t.attempt, t.status, t.counts) for t in tickets]
    columns = ["queue", "id", "attempt", "status", "counts"]
    names = pd.Index([t.name for t in tickets], name="ticket")
    table = pd.DataFrame(rows, index=names, columns=columns)
    return table if _several(trace) else table.drop(columns="queue")


def timeline_table(source: object) -> pd.DataFrame:
    """Jobs down, calls across: where each job is after each call; empty before it is accepted.

    The index is the id; with several queues it is (queue, id). The columns name the calls. Takes a
    Trace, or what trace() takes.
    """
    trace = as_trace(source)
    last = trace.queues_at(len(trace)).states
    jobs = [(number, job.id) for number, state in enumerate(last) for job in state.jobs]
    columns = {
        f"{step.number} {' '.join(map(str, step.operation))}": [
            phase_text(step.after.states[queue], id) if queue < len(step.after.states) else "" for queue, id in jobs
        ]
        for step in trace.steps
    }
    index = pd.MultiIndex.from_tuples(jobs, names=["queue", "id"]) if jobs else pd.Index([], name="id")
    table = pd.DataFrame(columns, index=index)
    return table if _several(trace) or not jobs else table.droplevel("queue")


def trace_table(source: object) -> pd.DataFrame:
    """One row a call: what was called and returned, the rule and the reason, and the state after it.

    The index is the step, from 1. Where a queue left the contract, `returned` names both answers.
    With several queues a column `queue` comes first; the state is that of the queue called. Takes
    a Trace, or what trace() takes.
    """
    trace = as_trace(source)
    rows = [_trace_row(step) for step in trace.steps]
    columns = ["queue", "call", "returned", "rule", "waiting", "in flight", "finished", "slots", "why"]
    steps = pd.Index([step.number for step in trace.steps], name="step")
    table = pd.DataFrame(rows, index=steps, columns=columns)
    return table if _several(trace) else table.drop(columns="queue")


def race_table(source: object) -> pd.DataFrame:
    """A trace as a race, one row a call: what the contract says, what the queue returned, and why.

    The index is the step, from 1; the columns are call, Queue, the other queue's name, and why. An
    answer that differs begins with a mark. Takes a Trace.
    """
    trace = as_trace(source)
    rows = [
        (step.call, show(step.expected), f"{'' if step.agrees else '✗ '}{show(step.returned)}", step.why)
        for step in trace.steps
    ]
    steps = pd.Index([step.number for step in trace.steps], name="step")
    return pd.DataFrame(rows, index=steps, columns=["call", "Queue", trace.queue_name, "why"])


def rules_table() -> pd.DataFrame:
    """The contract's rules, one a row: the short name is the index, the rule in one sentence the column."""
    index = pd.Index([rule.code for rule in Rule], name="rule")
    return pd.DataFrame({"statement": [rule.statement for rule in Rule]}, index=index)


def coverage(*sources: object) -> pd.DataFrame:
    """How often each rule decided a call of these scenarios: a row for each rule, those never touched included.

    Takes what trace() takes, traces, and lists of them.
    The index is the rule's short name; the columns are statement, calls (how often) and touched (bool).
    """
    each_source = (each for source in sources for each in (source if isinstance(source, list) else [source]))
    traces = [as_trace(source) for source in each_source]
    counts = Counter(step.decision.rule for each in traces for step in each.steps)
    table = rules_table()
    table["calls"] = [counts[rule] for rule in Rule]
    table["touched"] = table["calls"] > 0
    return table


def score_table(score: Score) -> pd.DataFrame:
    """A quiz's score, a row for each rule asked for: its short name is the index.

    The columns are first try (right at once), later (right, but not at once) and skipped.
    """
    if not isinstance(score, Score):
        raise TypeError(f"score_table() takes a Score, such as stepper.score, not {type(score).__name__}")
    rows = {rule.code: tally for rule, tally in score.tallies.items()}
    index = pd.Index(list(rows), name="rule")
    return pd.DataFrame(list(rows.values()), index=index, columns=["first try", "later", "skipped"])


def worlds_table(report: Report) -> pd.DataFrame:
    """What a check did in each world: its capacity, ids, payloads, attempts and queues, and how far it went."""
    rows = [
        (
            result.world.capacity,
            _ids(result.world),
            ", ".join(map(repr, result.world.payloads)),
            " ".join(map(str, result.world.attempts)),
            result.world.queues,
            result.states,
            result.operations,
            result.tried,
        )
        for result in report.results
    ]
    columns = ["capacity", "ids", "payloads", "attempts", "queues", "states", "calls", "tried"]
    names = pd.Index([result.world.name for result in report.results], name="world")
    return pd.DataFrame(rows, index=names, columns=columns)


def gallery_table() -> pd.DataFrame:
    """The broken queues, lesson by lesson: a row for each, its name the index.

    The columns are lesson, rule (short name), fault (one sentence), system (who shipped it), report
    (a link, or nothing) and length (calls in the shortest counterexample).
    """
    faults = [fault_of(queue_class) for queue_class in GALLERY.values()]
    rows = [(f.lesson, f.rule.code, f.fault, f.system, "".join(f.reports[:1]), f.length) for f in faults]
    columns = ["lesson", "rule", "fault", "system", "report", "length"]
    return pd.DataFrame(rows, index=pd.Index(list(GALLERY), name="name"), columns=columns)


def _ids(world: World) -> str:
    ids = world.ids if len(world.ids) <= 4 else (world.ids[0], "…", world.ids[-1])
    return " ".join(ids) + (" (in this order)" if world.in_order else "")


def in_full(frame: pd.DataFrame) -> Styler:
    """The same table, shown in full: pandas cuts long texts off after 50 characters, and moves them to the right."""
    left = [("text-align", "left"), ("white-space", "pre-wrap"), ("overflow-wrap", "anywhere")]
    styles: Any = [{"selector": "th, td", "props": left}]
    escaped = frame.style.format(escape="html").format_index(escape="html").format_index(escape="html", axis=1)
    return escaped.set_table_styles(styles).set_table_attributes('class="mathjax_ignore"').set_uuid("full")


def frame_html(frame: pd.DataFrame, caption: str) -> str:
    """A DataFrame as an escaped HTML table without its index; cells that begin with a mark get the class `hit`."""
    with pd.option_context("display.max_colwidth", None):
        table = frame.to_html(index=False, border=0, escape=True)
    table = re.sub(r"<td>(?=[●✗] )", '<td class="hit">', table)
    return table.replace("<thead>", f"<caption>{escape(caption)}</caption><thead>", 1).replace(
        "<th>", '<th scope="col">'
    )


def rows_html(caption: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Plain rows as an escaped HTML table, marked as in frame_html."""
    return frame_html(pd.DataFrame([list(map(str, row)) for row in rows], columns=list(columns)), caption)


def _row(state: State, job: Record) -> tuple[Any, ...]:
    place = state.waiting.index(job.id) + 1 if job.id in state.waiting else NOTHING
    return job.payload, str(job.phase), job.attempt, place


def marked_cell(new: object, old: object, word: str = "was") -> str:
    """The text of a cell; if it changed, with the mark and the old value."""
    if new == old:
        return _text(new)
    new_text, old_text = ("none" if cell == NOTHING else _text(cell) for cell in (new, old))
    return f"{CHANGED} {new_text} ({word} {old_text})"


def _text(cell: object) -> str:
    """A cell as text; in quotes where one would not see what it is, because a table shows no space at an end."""
    text = str(cell)
    return text if text and text == text.strip() else quoted(text)


def _trace_row(step: Step) -> tuple[Any, ...]:
    state = summary(step.after.current)
    decision = step.decision
    return step.after.selected, step.call, step.answer, decision.rule.code, *state, decision.why


def _several(trace: Trace) -> bool:
    return len(trace.queues_at(len(trace)).states) > 1
