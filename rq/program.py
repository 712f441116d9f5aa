"""Talking to a program in any language that reads one scenario a line and writes one line of answers for each."""

from __future__ import annotations

import json
import os
import queue
import shlex
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Any

from rq.answers import Died, Hung, Unreadable
from rq.scenario import Scenario

PATIENCE = 10.0
"""Seconds without a further line after which the program counts as hung."""

LONGEST = 1 << 16
"""Characters of one line of output that are read; no line of answers is longer."""

_END = None


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
            try:
                return self._conversation(process, scenarios, complaints)
            finally:
                process.kill()
                process.wait()
                for stream in (process.stdin, process.stdout):
                    _close(stream)

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
            )
        except OSError as error:
            raise type(error)(f"cannot start {self.words[0]}: {error.strerror}") from None

    def _conversation(
        self, process: subprocess.Popen[str], scenarios: Sequence[Scenario], complaints: IO[bytes]
    ) -> list[Any]:
        lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=_feed, args=(process.stdin, scenarios), daemon=True).start()
        threading.Thread(target=_listen, args=(process.stdout, lines), daemon=True).start()
        answers: list[Any] = []
        for scenario in scenarios:
            try:
                line = lines.get(timeout=self.patience)
            except queue.Empty:
                return [*answers, Hung()]
            if line is _END:
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
        said = f": {last[0][:100]}" if last else ""
        return Died(f"the program ended with code {code}{said}")


def _parsed(line: str, count: int) -> Any:
    try:
        answers = json.loads(line)
    except (ValueError, RecursionError):
        answers = None
    if isinstance(answers, list) and len(answers) == count:
        return answers
    return Unreadable(f"a line that is no list of {count} answers: {line.strip()[:80]}")


def _feed(stream: Any, scenarios: Sequence[Scenario]) -> None:
    try:
        for scenario in scenarios:
            stream.write(scenario.to_json() + "\n")
    except (OSError, ValueError):
        pass  # it reads no more; how it answers, or does not, tells the rest
    finally:
        _close(stream)


def _listen(stream: Any, lines: queue.Queue[str | None]) -> None:
    try:
        while line := stream.readline(LONGEST):
            lines.put(line)
    except (OSError, ValueError):
        pass  # it was stopped
    lines.put(_END)


def _close(stream: Any) -> None:
    with suppress(OSError):  # what was still to be written may have no reader
        stream.close()
