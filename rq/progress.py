"""A line that shows how far a long check has come, and leaves nothing behind."""

from __future__ import annotations

import os
import sys
import time
from typing import Any


class Progress:
    """Writes to standard error, from the second second on, a few times a second at most.

    It stays silent where nobody watches: when standard error is no terminal and no notebook, or
    when the environment says RQ_PROGRESS=0 (the tests do, since they compare outputs).
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._stream: Any = sys.stderr
        notebook = "ipykernel" in sys.modules
        self._on = os.environ.get("RQ_PROGRESS") != "0" and (notebook or self._stream.isatty())
        self._next = time.monotonic() + 1
        self._count = 0
        self._width = 0

    def tick(self, doing: str) -> None:
        """Say what is being done; cheap enough to call at every step."""
        self._count += 1
        if self._on and self._count % 256 == 0 and time.monotonic() >= self._next:
            self._next = time.monotonic() + 0.3
            self._write(f"checking {self._name}: {doing}, {self._count:,} calls; interrupt to stop")

    def close(self) -> None:
        """Wipe the line."""
        if self._width:
            self._write("")
            self._stream.write("\r")
            self._stream.flush()

    def _write(self, text: str) -> None:
        self._stream.write("\r" + text.ljust(self._width))
        self._stream.flush()
        self._width = len(text)
