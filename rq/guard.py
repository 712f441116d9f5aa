"""Calls to code we do not trust: it may raise, print, ask for input, or never come back."""

from __future__ import annotations

import builtins
import io
import re
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

from rq.answers import Hung, Raised, plain

TICK = 0.25
"""Seconds between two looks at the call under way, where the system has a timer."""

PATIENCE = 4
"""Ticks after which a call that is still the same counts as hung."""

MOST_LINES = 1_000_000
"""Lines of code that one call may run, where it has none."""


class _GaveUp(BaseException):
    """Raised inside a call that does not end. Not an Exception, so that few handlers catch it."""


class Guard:
    """While open, `call` always returns: a plain answer, Raised, or Hung.

    What the code prints is held back and counted in `printed`; `input()` raises EOFError. Where the
    system has an interval timer (not on Windows, not outside the main thread), a call that does not
    end is stopped by it; elsewhere by counting its lines, which cannot stop a call that sleeps.
    KeyboardInterrupt passes through.
    """

    def __init__(self) -> None:
        self.printed = 0
        self.first_printed = ""
        self._calls = 0
        self._inside = False
        self._watched, self._ticks = 0, 0
        self._timer = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
        self._closing: list[Callable[[], Any]] = []

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Make one call; its answer in plain form."""
        self._calls += 1
        self._inside = True
        try:
            if self._timer:
                return plain(function(*arguments))
            return self._counted(function, *arguments)
        except KeyboardInterrupt:
            raise
        except _GaveUp:
            return Hung()
        except BaseException as error:
            return Raised(_described(error))
        finally:
            self._inside = False

    def __enter__(self) -> Guard:
        out, err, ask = sys.stdout, sys.stderr, builtins.input
        sink: Any = _Sink(self)
        sys.stdout = sys.stderr = sink
        builtins.input = _no_input
        self._closing.append(lambda: _put_back(out, err, ask))
        catcher = warnings.catch_warnings()
        catcher.__enter__()
        warnings.simplefilter("ignore")
        self._closing.append(lambda: catcher.__exit__(None, None, None))
        if self._timer:
            handler = signal.signal(signal.SIGALRM, self._tick)
            timer = signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
            self._closing.append(lambda: signal.signal(signal.SIGALRM, handler))
            self._closing.append(lambda: signal.setitimer(signal.ITIMER_REAL, *timer))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        while self._closing:
            self._closing.pop()()

    def _tick(self, signum: int, frame: FrameType | None) -> None:
        """Stop the call that has been under way for too many ticks."""
        self._ticks = self._ticks + 1 if self._watched == self._calls else 0
        self._watched = self._calls
        if self._inside and self._ticks >= PATIENCE:
            _raise_from_here_on(frame)
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


def _raise_from_here_on(frame: FrameType | None) -> None:
    """Raise at every further line of the hung call, so that no `except:` inside its loop can hold on."""
    before = sys.gettrace()

    def leave(frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code is Guard.call.__code__:
            sys.settrace(before)
            return None
        raise _GaveUp

    while frame is not None:
        frame.f_trace = leave
        if frame.f_code is Guard.call.__code__:
            break
        frame = frame.f_back
    sys.settrace(leave)


class _Sink(io.TextIOBase):
    """Takes what a queue prints, and keeps only the first line of it."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    def write(self, text: str) -> int:
        if text.strip():
            self._guard.printed += 1
            self._guard.first_printed = self._guard.first_printed or text.strip().splitlines()[0][:60]
        return len(text)


def _no_input(prompt: object = "") -> str:
    raise EOFError("a queue under check gets no input")


def _put_back(out: Any, err: Any, ask: Any) -> None:
    sys.stdout, sys.stderr, builtins.input = out, err, ask


def _described(error: BaseException) -> str:
    """The repr of an exception, without memory addresses, which differ from run to run."""
    try:
        text = repr(error)
    except Exception:
        text = type(error).__name__
    return re.sub(r" at 0x[0-9a-fA-F]+", "", text)[:200]
