"""What ipywidgets leaves out for the keyboard and for a screen reader: names, keys, and a voice for what is new."""

from __future__ import annotations

import ipywidgets as widgets

from rq.html import page

NAMES = """<style onload="{
  const root = this.closest('.rq-named');
  const set = (where, name, values) =>
    root.querySelectorAll(where).forEach((part, number) => part.setAttribute(name, values[number]));
  const live = document.createElement('div');
  live.className = 'rq-live';
  live.setAttribute('aria-live', 'polite');
  const dress = () => {
    const said = [...root.querySelectorAll('.said')].filter(part => part.closest('.rq-named') === root)
      .map(part => part.innerText).join(' ');
    if (live.textContent !== said) live.textContent = said;
    set('.noUi-handle', 'aria-label', ['step']);
    set('.widget-play button', 'aria-label', ['play or pause', 'stop']);
    set('.rq-calls select', 'data-lm-suppress-shortcuts', ['']);
    set('.rq-out textarea', 'readonly', ['']) };
  if (root && !root.rqNames) {
    this.parentElement.append(live);
    root.rqNames = new MutationObserver(dress);
    root.rqNames.observe(root, {childList: true, subtree: true});
    dress() } }"></style>"""
"""ipywidgets leaves the slider and the player without names for a screen reader, and JupyterLab takes the arrow keys
from a list, to move between cells, unless an attribute asks it not to; and no box can be marked as one to copy from
only. All this comes with the widget, also to parts that are drawn later. And a screen reader reads out what changes
in a region that stays; the view is drawn anew, so what it says (the reason of a step, the reply to a guess) is
copied to one that nobody sees."""


def named(widget: widgets.Widget) -> widgets.HTML:
    """The part that gives the widget its style sheet, its names and its voice: put it last among the children."""
    widget.add_class("rq-named")
    return widgets.HTML(page(NAMES), layout=widgets.Layout(display="contents"))
