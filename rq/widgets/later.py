"""A click acts a moment after it came, so that what was typed before it is there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import ipywidgets as widgets
from IPython import get_ipython

from rq.widgets.steps import step_button

A_MOMENT = 0.03
"""Seconds. A text and the click after it may reach the kernel by two threads, and the click be there first."""


def later(action: Callable[[], object]) -> None:
    """Do `action` in a moment; at once where no kernel runs. Several of them keep their order."""
    if getattr(get_ipython(), "kernel", None) is None:
        action()
        return
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        action()
    else:
        loop.call_later(A_MOMENT, action)


def later_button(text: str, tooltip: str, action: Callable[[], object]) -> widgets.Button:
    """A button that does `action` a moment after it was pressed."""
    return step_button(text, tooltip, lambda: later(action), width="auto")
