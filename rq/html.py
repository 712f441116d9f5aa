"""Traces as HTML: the pieces a widget shows at one step, and the static page a reader without a kernel sees.

Every text passes through `escape`, here or inside pandas, so ids and payloads are shown and
never interpreted. Colours come from JupyterLab's theme; every colour has a glyph or a word beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from rq.challenges import CHALLENGES, Progress
from rq.contract import Rule
from rq.quiz import Score
from rq.state import State
from rq.tables import frame_html, marked_table, queues_table, score_table, tickets_table, trace_table
from rq.trace import Step, Trace

STYLE = """<style>
.rq { margin-top: 4px; line-height: 1.4; overflow-x: auto; color: var(--jp-ui-font-color0, #000);
  font-size: var(--jp-content-font-size1, 14px) }
.rq table { border-collapse: collapse; margin: 4px 16px 8px 0; font-size: inherit }
.rq caption { text-align: left; font-weight: 600; padding: 2px 0; color: inherit }
.rq th { background: var(--jp-layout-color2, #eee); color: var(--jp-ui-font-color0, #000); font-weight: 600 }
.rq td, .rq th { line-height: 1.35; padding: 3px 4px; vertical-align: top; white-space: pre-wrap;
  border: 1px solid var(--jp-border-color2, #bbb) }
.rq th, .rq td { text-align: left !important }
.rq td.hit { color: var(--jp-ui-font-color0, #000);
  background: color-mix(in srgb, var(--jp-warn-color1, #f57c00) 30%, var(--jp-layout-color0, #fff)) }
.rq .side { display: flex; flex-wrap: wrap }
.rq .column { flex: 1 1 20em; margin-right: 16px }
.rq .why { padding: 4px 8px; margin: 4px 0; border-left: 4px solid var(--jp-brand-color1, #1976d2);
  background: var(--jp-layout-color1, #f8f8f8) }
.rq .wrong { border-left: 4px solid var(--jp-error-color1, #d32f2f) }
.rq .tasks { list-style: none; margin: 4px 0; padding: 0; columns: 2 30em }
.rq code { font-size: inherit; color: inherit; background: none; white-space: pre-wrap }
.rq-named :is(button, select, input, textarea, .noUi-handle, .widget-readout):focus-visible {
  outline: 2px solid var(--jp-ui-font-color0, #000) !important; outline-offset: -2px !important }
.rq-named .noUi-handle:focus-visible { outline-offset: 2px !important }
.rq-named .noUi-handle { background: var(--jp-brand-color1, #1976d2) !important }
.rq-live { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
.rq-calls { flex-direction: column; align-items: stretch; align-self: flex-start; height: auto }
.rq-calls > label.widget-label { width: auto; text-align: left; font-weight: 600 }
.rq-calls.widget-select > select { flex: none; font-family: var(--jp-code-font-family, monospace); height: auto;
  font-size: var(--jp-content-font-size1, 14px); line-height: 1.4 }
</style>"""


BEFORE_ANY_CALL = '<div class="why">before any call: the queue is empty</div>'


def slots_html(state: State) -> str:
    """The slots as text, one box each: `[a] [ ]`; who takes a slot comes first, in the order accepted."""
    if state.capacity == 0:
        return "slots: none (capacity 0)"
    taken = state.slots
    boxes = [f"[{id}]" for id in taken] + ["[ ]"] * (state.capacity - len(taken))
    return f"slots {escape(' '.join(boxes))} {len(taken)} of {state.capacity} taken"


def header_html(trace: Trace, index: int) -> str:
    """The title, the step, and the slots of the selected queue."""
    state = trace.queues_at(index).current
    step = f"step {index} of {len(trace)}"
    return f"<b>{escape(trace.title)}</b><br>{step} · capacity {state.capacity} · {slots_html(state)}"


def said_html(html: str, wrong: bool = False, kind: str = "") -> str:
    """Something to read at once, with an edge: where a widget shows it, a screen reader hears it, too."""
    return f'<div class="why{" wrong" * wrong} said{kind}">{html}</div>'


def why_html(trace: Trace, index: int) -> str:
    """The call at this step, the answer, and the reason in one sentence."""
    if index == 0:
        return BEFORE_ANY_CALL
    step = trace.steps[index - 1]
    call = f"<b><code>{escape(step.call)}</code> → {escape(step.answer)}</b>"
    return said_html(f"{call}<br>{escape(step.why)}", wrong=not step.agrees)


def states_html(trace: Trace, index: int) -> str:
    """The state table of the selected queue, with the cells that this step changed marked.

    With several queues, a second table sums up all of them, one a row. The states are the
    contract's; where a queue says that its own is another, that one stands beside it.
    """
    after = trace.queues_at(index)
    before = trace.queues_at(index - 1) if index else after
    several = len(after.states) > 1
    caption = f"state of queue {after.selected}" if several else "state"
    if trace.queue_name != "Queue":
        caption += ", as the contract has it"
    if index and before.states == after.states:
        caption += " · nothing changed"
    tables = state_html(after.current, trace.state_before(index), caption)
    own = trace.own_state_at(index)
    if own is not None:
        name = escape(trace.queue_name)
        tables += frame_html(marked_table(own, after.current, "contract:"), f"✗ {name} says its state is")
    if several:
        tables += frame_html(queues_table(after, before), "all queues")
    return f'<div class="side">{tables}</div>'


def state_html(state: State, old: State, caption: str, hide: Sequence[str] = ()) -> str:
    """One state table, less the columns in `hide`."""
    if not state.jobs:
        return f"<table><caption>{caption}</caption><tr><td>no job accepted yet</td></tr></table>"
    return frame_html(marked_table(state, old).drop(columns=list(hide)), caption)


def tickets_html(trace: Trace, index: int) -> str:
    """The tickets handed out so far, and whether the result of each would count now."""
    table = tickets_table(trace, index).reset_index()
    if table.empty:
        return "<div>tickets handed out: none yet</div>"
    table["counts"] = ["✓ yes" if counts else "no" for counts in table["counts"]]
    table = table.rename(columns={"counts": "counts now"})
    return frame_html(table.drop(columns=["id", "attempt"]), "tickets handed out")


def step_html(trace: Trace, index: int) -> str:
    """Everything there is to see at one step, as one block."""
    parts = (header_html, why_html, states_html, tickets_html)
    return block("".join(part(trace, index) for part in parts))


def prompt_html(step: Step) -> str:
    """The question: what will this call return?"""
    call = f"<code>{escape(step.call)}</code>"
    return block(said_html(f"<b>Step {step.number}. What will {call} return?</b>"))


def puzzle_html(trace: Trace, number: int, header: str = "") -> str:
    """The state before step `number`, less what would give its answer away: places in line, tickets that count."""
    state = trace.queues_at(number - 1).current
    hide = ["place"] if trace.steps[number - 1].operation[0] == "reserve" else []
    tickets = ", ".join(ticket.name for ticket in trace.tickets_at(number - 1)) or "none yet"
    return block(f"{header}{state_html(state, state, 'state', hide)}<div>tickets handed out: {escape(tickets)}</div>")


def feedback_html(right: bool, text: str) -> str:
    """What is said to a guess."""
    return block(said_html(escape(text), wrong=not right, kind=" reply"))


def score_html(score: Score, in_full: bool) -> str:
    """The score so far in one line; `in_full`, with a table by rule."""
    table = frame_html(score_table(score).reset_index(), "by rule") if in_full else ""
    return block(f"<div>{escape(str(score))}</div>{table}")


def details_html(summary: str, text: str) -> str:
    """A text that is folded away until it is asked for."""
    return block(f"<details><summary>{escape(summary)}</summary>{escape(text)}</details>")


def progress_html(progress: Progress) -> str:
    """The challenges and the rules, those met ticked off."""
    tasks = "".join(
        f"<li>{_tick(challenge.name in progress.challenges)} <b>{challenge.name}.</b> {escape(challenge.task)}</li>"
        for challenge in CHALLENGES
    )
    rules = " ".join(
        f'<span title="{escape(rule.statement)}">{_tick(rule in progress.rules)}\u00a0{rule.code}</span>'
        for rule in Rule
    )
    met = f"challenges met: {len(progress.challenges)} of {len(CHALLENGES)}"
    return block(
        f"<div><b>rules met: {len(progress.rules)} of {len(Rule)}</b> {rules}</div>"
        f'<div><b>{met}</b></div><ul class="tasks">{tasks}</ul>'
    )


def _tick(met: bool) -> str:
    return "✓" if met else "○"


def quiz_html(trace: Trace, start: int) -> str:
    """The calls of a quiz as one static block, with the answers folded away."""
    calls = "\n".join(f"{step.number}  {step.call}" for step in trace.steps[start:])
    head = f"<b>{escape(trace.title)} · capacity {trace.scenario.capacity}</b><br>What will each call return?"
    answers = f"<details><summary>Show the answers</summary>{static_html(trace)}</details>"
    return block(f"<div>{head}</div><pre>{escape(calls)}</pre>{answers}")


def static_html(trace: Trace) -> str:
    """The whole trace as one static block, for a reader without a kernel."""
    last = len(trace)
    caption = f"{trace.title} · capacity {trace.scenario.capacity}"
    table = frame_html(trace_table(trace).reset_index(), caption)
    return block(table + tickets_html(trace, last))


def report_html(summary: str, trace: Trace | None, text: str, rule: Rule | None, hint: str) -> str:
    """A check's outcome: the sentence, the rule with its hint, and the counterexample as a table."""
    if trace is None:
        lines = "<br>".join(map(escape, text.splitlines()))
        return block(f'<div class="why">{lines}</div>')
    said = f"<b>✗ {escape(summary)}</b>"
    if rule:
        said += f"<br>Rule {escape(rule.code)}: {escape(rule.statement)}.<br>Hint: {escape(hint)}"
    return block(f'<div class="why wrong">{said}</div>') + static_html(trace)


def message_html(message: str) -> str:
    """One sentence where a widget would have been."""
    return block(f'<div class="why wrong" role="alert">✗ {escape(message)}</div>')


def note_html(text: str) -> str:
    """One sentence that is no complaint."""
    return block(f'<div class="said">{escape(text)}</div>')


def block(html: str) -> str:
    """A piece of HTML in our style; nothing in it is read as a formula."""
    return f'<div class="rq mathjax_ignore">{html}</div>'


def page(html: str) -> str:
    """Blocks with the style sheet that they need. A widget brings it once: to parse it again at each step is slow."""
    return html + STYLE
