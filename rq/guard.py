"""Calls to code we do not trust: it may raise, print, ask for input, or never come back."""

from __future__ import annotations

import builtins
import io
import logging
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from types import FrameType, TracebackType
from typing import Any

from rq.answers import Hung, Raised, one_line, plain

TICK = 0.25
"""Seconds between two looks at the call under way, where the system has a timer."""

PATIENCE = 4
"""Ticks after which a call that is still the same counts as hung."""

AGAIN = 0.00002
"""Seconds until the next try to stop a call that caught the first."""

MOST_LINES = 1_000_000
"""Lines of code that one call may run, where it has none."""


class _GaveUp(BaseException):
    """Raised inside a call that does not end. Not an Exception, so that few handlers catch it."""


class Guard:
    """While open, `call` always returns: a plain answer, Raised, or Hung.

    What the code prints is held back and counted in `printed`; `input()` raises EOFError. Where the
    system has an interval timer (not on Windows, not outside the main thread), a call that does not
    end within `patience` ticks is stopped by it, unless it is busy inside one call of a library
    written in C. Elsewhere its lines are counted; that cannot stop a call that sleeps or that
    catches every exception. KeyboardInterrupt passes through.
    """

    def __init__(self, patience: int = PATIENCE) -> None:
        self.printed = 0
        self.first_printed = ""
        self._patience = patience
        self._calls = 0
        self._leaving, self._tracer = False, sys.gettrace()
        self._watched, self._ticks = 0, 0
        self._timer = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
        self._closing = ExitStack()

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Make one call; its answer in plain form."""
        self._calls += 1
        try:
            return self._answer(function, arguments)
        except _GaveUp:
            return Hung()
        finally:
            if self._leaving:
                sys.settrace(self._tracer)
                self._leaving = False

    def go_on(self) -> None:
        """Within a call: what follows has the whole patience again."""
        self._calls += 1

    def _answer(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """All that runs code we do not trust, the repr of its exceptions included, is below this frame."""
        try:
            return plain(function(*arguments)) if self._timer else self._counted(function, *arguments)
        except (KeyboardInterrupt, _GaveUp):
            raise
        except BaseException as error:
            return Raised(_described(error))

    def __enter__(self) -> Guard:
        streams, ask = (sys.stdin, sys.stdout, sys.stderr), builtins.input
        self._closing.callback(_put_back, streams, ask)
        sink: Any = _Sink(self)
        sys.stdin, sys.stdout, sys.stderr = io.StringIO(), sink, sink
        builtins.input = _no_input
        self._closing.callback(sys.setrecursionlimit, sys.getrecursionlimit())
        self._closing.callback(_put_back_logging, logging.root.handlers[:], logging.root.level)
        self._closing.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        if self._timer:
            handler = signal.getsignal(signal.SIGALRM)
            before = signal.setitimer(signal.ITIMER_REAL, 0)
            self._closing.callback(signal.setitimer, signal.ITIMER_REAL, *before)
            self._closing.callback(signal.signal, signal.SIGALRM, handler)
            self._closing.callback(signal.setitimer, signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._tick)
            signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._closing.close()

    def _tick(self, signum: int, frame: FrameType | None) -> None:
        """Stop the call that has been under way for too many ticks."""
        self._ticks = self._ticks + 1 if self._watched == self._calls else 0
        self._watched = self._calls
        frames = _frames_below_call(self, frame)
        if self._ticks < self._patience or not frames:
            return
        if not self._leaving:
            self._leaving, self._tracer = True, sys.gettrace()
        _raise_from_here_on(self, frames)
        raise _GaveUp

    def _counted(self, function: Callable[..., Any], *arguments: Any) -> Any:
        lines = 0

        def count(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal lines
            lines += event == "line"
            if lines > MOST_LINES:
                raise _GaveUp
            return count

        before = sys.gettrace()
        sys.settrace(count)
        try:
            return plain(function(*arguments))
        finally:
            sys.settrace(before)


def _frames_below_call(guard: Guard, frame: FrameType | None) -> list[FrameType]:
    """The frames from here up to `Guard._answer`: whatever is raised in one of them, `Guard.call` catches."""
    frames = []
    while frame is not None:
        frames.append(frame)
        if frame.f_code is Guard._answer.__code__ and frame.f_locals["self"] is guard:
            return frames
        frame = frame.f_back
    return []


def _raise_from_here_on(guard: Guard, frames: list[FrameType]) -> None:
    """Raise at the next line of the hung call as well, since an `except:` in its loop may catch the first.

    Python ends all tracing when a trace function raises. So it raises at a line, outside the `try`
    by then, not at the news of the first exception; and the timer is set to come back at once.
    """

    def leave(frame: FrameType, event: str, argument: Any) -> Any:
        if not _frames_below_call(guard, frame):
            sys.settrace(None)
            return None
        if event != "line":
            return leave
        signal.setitimer(signal.ITIMER_REAL, AGAIN, TICK)
        raise _GaveUp

    for frame in frames:
        frame.f_trace = leave
    sys.settrace(leave)


class _Sink(io.TextIOBase):
    """Takes what a queue prints, and keeps only the first line of it."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self.buffer = io.BytesIO()

    def write(self, text: str) -> int:
        if text.strip():
            self._guard.printed += 1
            self._guard.first_printed = self._guard.first_printed or text.strip().splitlines()[0][:60]
        return len(text)


def _no_input(prompt: object = "") -> str:
    raise EOFError("a queue under check gets no input")


def _put_back(streams: tuple[Any, Any, Any], ask: Any) -> None:
    sys.stdin, sys.stdout, sys.stderr = streams
    builtins.input = ask


def _put_back_logging(handlers: list[logging.Handler], level: int) -> None:
    logging.root.handlers[:] = handlers
    logging.root.setLevel(level)


def _described(error: BaseException) -> str:
    """An exception by its repr, which is the code's own and may fail as well."""
    try:
        return one_line(repr(error))
    except (KeyboardInterrupt, _GaveUp):
        raise
    except BaseException:
        return type(error).__name__
