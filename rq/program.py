"""Talking to a program in any language that reads one scenario a line and writes one line of answers for each."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Any

from rq.answers import Died, Hung, Unreadable, one_line
from rq.scenario import Scenario

PATIENCE = 10.0
"""Seconds without a further line after which the program counts as hung."""

LONGEST = 1 << 16
"""Characters of one line of output that are read; no line of answers is longer."""


class Program:
    """A command that answers scenarios. Each batch starts it afresh, gives it all lines, and closes its input.

    So it may write each answer at once or all at the end. It is stopped when it is silent for too
    long, and when all answers are there.
    """

    def __init__(self, command: str, patience: float = PATIENCE) -> None:
        """Raises ValueError if the command cannot be split into words, or is empty."""
        # Windows programs split their command line themselves.
        self.words = [command] if os.name == "nt" and command.strip() else shlex.split(command)
        self.patience = patience
        if not self.words:
            raise ValueError("the command is empty")

    def answers(self, scenarios: Sequence[Scenario]) -> list[Any]:
        """For each scenario the list of its answers; Hung, Died or Unreadable where there is none.

        The list ends with the first scenario that got no line. Raises OSError if the program
        cannot be started.
        """
        with tempfile.TemporaryFile() as complaints:
            process = self._start(complaints)
            lines = _Lines(process.stdout)
            threading.Thread(target=_feed, args=(process.stdin, scenarios), daemon=True).start()
            threading.Thread(target=lines.listen, daemon=True).start()
            try:
                return self._conversation(process, lines, scenarios, complaints)
            finally:
                _stop(process)

    def _start(self, complaints: IO[bytes]) -> subprocess.Popen[str]:
        try:
            return subprocess.Popen(
                self.words if len(self.words) > 1 else self.words[0],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints,
                text=True,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,  # so that what a shell has started can be stopped with it
            )
        except OSError as error:
            raise type(error)(f"cannot start {self.words[0]}: {error.strerror}") from None

    def _conversation(
        self, process: subprocess.Popen[str], lines: _Lines, scenarios: Sequence[Scenario], complaints: IO[bytes]
    ) -> list[Any]:
        answers: list[Any] = []
        for scenario in scenarios:
            line = lines.next(self.patience)
            if line is None:
                return [*answers, Hung()]
            if not line:
                return [*answers, self._how_it_ended(process, complaints)]
            answers.append(_parsed(line, len(scenario.ops)))
        return answers

    def _how_it_ended(self, process: subprocess.Popen[str], complaints: IO[bytes]) -> Died | Hung:
        try:
            code = process.wait(self.patience)
        except subprocess.TimeoutExpired:  # it closed its output and goes on
            return Hung()
        complaints.seek(0)
        last = complaints.read()[-2000:].decode("utf-8", "replace").strip().splitlines()[-1:]
        said = f": {one_line(last[0], 100)}" if last else ""
        return Died(f"the program ended with code {code}{said}")


class _Lines:
    """The lines a program writes, read by one thread and waited for by another.

    The standard library's `queue` would do the same, but a learner's own file may be called queue.py.
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._lines: list[str] = []
        self._taken = 0
        self._news = threading.Condition()

    def listen(self) -> None:
        """Read to the end; an empty line stands for it."""
        with suppress(OSError, ValueError):  # it was stopped
            while line := self._stream.readline(LONGEST):
                self._add(line)
        _close(self._stream)
        self._add("")

    def _add(self, line: str) -> None:
        with self._news:
            self._lines.append(line)
            self._news.notify()

    def next(self, patience: float) -> str | None:
        """The next line; an empty one at the end; None if nothing comes in so many seconds."""
        with self._news:
            if not self._news.wait_for(lambda: len(self._lines) > self._taken, patience):
                return None
            self._taken += 1
            return self._lines[self._taken - 1]


def _parsed(line: str, count: int) -> Any:
    try:
        answers = json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError):
        answers = None
    if isinstance(answers, list) and len(answers) == count:
        return answers
    return Unreadable(f"a line that is no list of {count} answers: {one_line(line, 80)}")


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def _feed(stream: Any, scenarios: Sequence[Scenario]) -> None:
    with suppress(OSError, ValueError):  # it may read no more; how it answers, or does not, tells the rest
        for scenario in scenarios:
            stream.write(scenario.to_json() + "\n")
    _close(stream)


def _stop(process: subprocess.Popen[str]) -> None:
    """Stop the program and all it has started. Its streams are closed by the threads that use them."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def _close(stream: Any) -> None:
    with suppress(OSError, ValueError):  # what was still to be written may have no reader
        stream.close()
