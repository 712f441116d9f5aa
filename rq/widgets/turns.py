"""One thing at a time, in the order in which it was done: what the browser sends to our widgets.

JupyterLab sends some of it to the kernel's main thread and some to another one. Two clicks might run
at the same moment, and a click be there before the text that was typed ahead of it.
"""

from __future__ import annotations

import heapq
import itertools
import signal
import threading
import time
from collections.abc import Callable
from contextvars import copy_context
from functools import lru_cache, partial
from typing import Any, TypeVar

from IPython import get_ipython

Part = TypeVar("Part", bound=Any)

A_MOMENT = 0.01
"""Seconds that a message waits for those that were sent before it and come by the other thread."""


def in_turn(part: Part) -> Part:
    """The same part; each message from the browser to it waits for its turn in the kernel's own thread."""
    loop = getattr(getattr(get_ipython(), "kernel", None), "io_loop", None)
    if loop is not None and part.comm is not None:
        part.comm.on_msg(partial(_line_of(loop).take, part))
    return part


class _Line:
    """The messages that wait, in the order of the browser's clock."""

    def __init__(self, loop: Any) -> None:
        self._loop = loop
        self._waiting: list[tuple[float, int, Callable[[], object]]] = []
        self._count = itertools.count()

    def take(self, part: Any, message: Any) -> None:
        """Put a message in line; may be called in any thread."""
        date = message.get("header", {}).get("date")
        sent = date.timestamp() if date is not None else time.time()
        handle = partial(copy_context().run, part._handle_msg, message)  # the context knows the cell to answer to
        self._loop.add_callback(self._wait, sent, handle)

    def _wait(self, sent: float, handle: Callable[[], object]) -> None:
        heapq.heappush(self._waiting, (sent, next(self._count), handle))
        self._loop.call_later(A_MOMENT, self._next)

    def _next(self) -> None:
        stoppable(heapq.heappop(self._waiting)[-1])


_line_of = lru_cache(maxsize=1)(_Line)


def stoppable(work: Callable[[], object]) -> None:
    """Do some work, or as much of it as there is before the stop button is pressed.

    Outside of a cell the kernel ignores the button; and a KeyboardInterrupt that nobody catches ends it.
    """
    if threading.current_thread() is not threading.main_thread():
        work()
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        work()
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGINT, before)
