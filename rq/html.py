"""Traces as HTML: the pieces a widget shows at one step, and the static page a reader without a kernel sees.

Every text passes through `escape`, here or in pandas' Styler, so ids and payloads are shown and
never interpreted. Colours come from JupyterLab's theme; every colour has a glyph or a word beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

from rq.state import Queues, State
from rq.tables import CHANGED, marked_table, tickets_table, trace_table
from rq.trace import DIFFERS, Trace

if TYPE_CHECKING:
    import pandas as pd

STYLE = """<style>
.rq { color: var(--jp-ui-font-color0, #000); font-size: var(--jp-content-font-size1, 14px); line-height: 1.4 }
.rq table { border-collapse: collapse; margin: 4px 16px 8px 0; font-size: inherit }
.rq caption { text-align: left; font-weight: 600; padding: 2px 0; color: inherit }
.rq th { background: var(--jp-layout-color2, #eee); color: var(--jp-ui-font-color0, #000); font-weight: 600 }
.rq td, .rq th { line-height: 1.35; padding: 3px 8px; text-align: left; vertical-align: top;
  border: 1px solid var(--jp-border-color2, #bbb) }
.rq td.hit { background: color-mix(in srgb, var(--jp-warn-color1, #f57c00) 30%, var(--jp-layout-color0, #fff));
  color: var(--jp-ui-font-color0, #000) }
.rq .side { display: flex; flex-wrap: wrap }
.rq .why { padding: 4px 8px; margin: 4px 0; border-left: 4px solid var(--jp-brand-color1, #1976d2);
  background: var(--jp-layout-color1, #f8f8f8) }
.rq .wrong { border-left: 4px solid var(--jp-error-color1, #d32f2f) }
.rq code { color: inherit; background: none; white-space: pre-wrap }
.rq-calls select { font-family: var(--jp-code-font-family, monospace); height: auto }
</style>"""


def frame_html(frame: pd.DataFrame, caption: str, hit: Callable[[str], bool] = lambda cell: False) -> str:
    """A DataFrame as an escaped HTML table without its index; cells for which `hit` holds get the class `hit`."""
    texts = frame.astype(str)
    classes = texts.map(lambda cell: "hit" if hit(cell) else "")
    styler = texts.style.format(escape="html").format_index(escape="html", axis=1).hide(axis="index")
    styler = styler.set_td_classes(classes).set_caption(escape(caption))
    return str(styler.to_html(cell_ids=False, exclude_styles=True))


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
    return f"<b>{escape(trace.title)}</b> · {step} · capacity {state.capacity} · {slots_html(state)}"


def why_html(trace: Trace, index: int) -> str:
    """The call at this step, the answer, and the reason in one sentence."""
    if index == 0:
        return '<div class="why">before any call: the queue is empty</div>'
    step = trace.steps[index - 1]
    kind = "why" if step.agrees else "why wrong"
    call = f"<b><code>{escape(step.call)}</code> → {escape(step.answer)}</b>"
    return f'<div class="{kind}" role="status">{call}<br>{escape(step.why)}</div>'


def states_html(trace: Trace, index: int) -> str:
    """The state table of every queue, with the cells that this step changed marked."""
    after = trace.queues_at(index)
    before = trace.queues_at(index - 1) if index else after
    tables = [_state_html(before, after, queue) for queue in range(len(after.states))]
    return f'<div class="side">{"".join(tables)}</div>'


def tickets_html(trace: Trace, index: int) -> str:
    """The tickets handed out so far, and whether the result of each would count now."""
    table = tickets_table(trace, index).reset_index()
    if table.empty:
        return "<div>tickets handed out: none yet</div>"
    table["counts"] = ["✓ yes" if counts else "✗ no" for counts in table["counts"]]
    table = table.rename(columns={"counts": "counts now"})
    return frame_html(table.drop(columns=["id", "attempt"]), "tickets handed out")


def step_html(trace: Trace, index: int) -> str:
    """Everything there is to see at one step, as one block."""
    parts = (header_html, why_html, states_html, tickets_html)
    return f'{STYLE}<div class="rq">{"".join(part(trace, index) for part in parts)}</div>'


def static_html(trace: Trace) -> str:
    """The whole trace as one static block, for a reader without a kernel."""
    last = len(trace)
    caption = f"{trace.title} · capacity {trace.scenario.capacity}"
    table = frame_html(trace_table(trace).reset_index(), caption, lambda cell: DIFFERS in cell)
    return f'{STYLE}<div class="rq">{table}{tickets_html(trace, last)}</div>'


def message_html(message: str) -> str:
    """One sentence where a widget would have been."""
    return f'{STYLE}<div class="rq"><div class="why wrong" role="alert">✗ {escape(message)}</div></div>'


def _state_html(before: Queues, after: Queues, queue: int) -> str:
    state = after.states[queue]
    old = before.states[queue] if queue < len(before.states) else State(state.capacity)
    caption = "state"
    if len(after.states) > 1:
        slots = f"{len(state.slots)} of {state.capacity} slots"
        selected = "▸ " if queue == after.selected else ""
        caption = f"{selected}queue {queue} · {slots}{' · selected' if selected else ''}"
    if not state.jobs:
        return f"<table><caption>{caption}</caption><tr><td>no job accepted yet</td></tr></table>"
    return frame_html(marked_table(state, old), caption, lambda cell: cell.startswith(f"{CHANGED} "))
