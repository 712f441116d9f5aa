"""A race as HTML: two columns at one step, and one table for a reader without a kernel."""

from __future__ import annotations

from html import escape

from rq.answers import show
from rq.contract import Rule
from rq.html import BEFORE_ANY_CALL, block, said_html, state_html
from rq.race import parting
from rq.tables import frame_html, marked_table, race_table
from rq.trace import Trace


def race_html(trace: Trace, rule: Rule | None, index: int) -> str:
    """Both queues at one step, side by side; where they part, and by which rule, stands above them."""
    head = f"<b>{escape(trace.title)}</b><br>step {index} of {len(trace)} · capacity {trace.scenario.capacity}"
    said = parting(trace, rule, index)
    parted = said_html(f"✗ {escape(said)}", wrong=True) if said else ""
    columns = f'<div class="column">{_right(trace, index)}</div><div class="column">{_other(trace, index)}</div>'
    return block(f'{head}{parted}<div class="side">{columns}</div>')


def _right(trace: Trace, index: int) -> str:
    state = state_html(trace.queues_at(index).current, trace.state_before(index), "state")
    return f"<div><b>Queue</b></div>{_answer(trace, index, right=True)}{state}"


def _other(trace: Trace, index: int) -> str:
    name = escape(trace.queue_name)
    own, contract = trace.said_at(index), trace.queues_at(index).current
    if own is None:
        state = "<div>it does not tell its state</div>"
    elif own.jobs or contract.jobs:
        state = frame_html(marked_table(own, contract, "Queue:"), "state, as it says")
    else:
        state = state_html(own, own, "state, as it says")
    return f"<div><b>{name}</b></div>{_answer(trace, index, right=False)}{state}"


def _answer(trace: Trace, index: int, right: bool) -> str:
    """One queue's answer to the call at this step; the right one with its reason."""
    if index == 0:
        return BEFORE_ANY_CALL
    step = trace.steps[index - 1]
    if right:
        text = f"<b><code>{escape(step.call)}</code> → {escape(show(step.expected))}</b><br>{escape(step.why)}"
        return f'<div class="why">{text}</div>'
    glyph, kind = ("", "why") if step.agrees else ("✗ ", "why wrong")
    same = "the same answer" if step.agrees else "another answer"
    text = f"<b><code>{escape(step.call)}</code> → {glyph}{escape(show(step.returned))}</b><br>{same}"
    return f'<div class="{kind}">{text}</div>'


def race_static_html(trace: Trace, rule: Rule | None) -> str:
    """The whole race as one table, and the sentence that says where they part."""
    said = parting(trace, rule, len(trace))
    end = f'<div class="why wrong">✗ {escape(said)}</div>' if said else "<div>They gave the same answers.</div>"
    return block(frame_html(race_table(trace).reset_index(), trace.title) + end)
