"""A line that shows how far a long check has come, and leaves nothing behind."""

from __future__ import annotations

import os
import sys
import time
from html import escape
from typing import Any


class Progress:
    """Shows a line in the notebook or on the terminal, from the second second on, a few times a second at most.

    It stays silent where nobody watches: when standard error is no terminal and this is no
    notebook, or when the environment says RQ_PROGRESS=0 (the tests do, since they compare outputs).
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._line: _Terminal | _Notebook | None = None
        if os.environ.get("RQ_PROGRESS") != "0":
            if _in_a_notebook():
                self._line = _Notebook()
            elif sys.stderr is not None and sys.stderr.isatty():
                self._line = _Terminal(sys.stderr)
        self._next = time.monotonic() + 1
        self._count = 0

    def tick(self, doing: str) -> None:
        """Say what is being done; cheap enough to call at every step."""
        self._count += 1
        if self._line and self._count % 256 == 0 and time.monotonic() >= self._next:
            self._next = time.monotonic() + 0.3
            self._line.show(f"checking {self._name}: {doing}, {self._count:,} calls; interrupt to stop")

    def close(self) -> None:
        """Wipe the line."""
        if self._line:
            self._line.show("")


def _in_a_notebook() -> bool:
    """Is a kernel running this, rather than a program that has merely imported one?"""
    ipython: Any = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


class _Terminal:
    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._width = 0

    def show(self, text: str) -> None:
        if text or self._width:
            self._stream.write("\r" + text.ljust(self._width) + ("" if text else "\r"))
            self._stream.flush()
            self._width = len(text)


class _Notebook:
    def __init__(self) -> None:
        self._display: Any = None

    def show(self, text: str) -> None:
        data = {"text/html": escape(text), "text/plain": text}
        if self._display is not None:
            self._display.update(data, raw=True)
        elif text:
            from IPython.display import display  # there is a kernel, so there is IPython

            self._display = display(data, raw=True, display_id=True)  # type: ignore[no-untyped-call]
