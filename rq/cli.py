"""What the command line does, apart from reading its arguments."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import BinaryIO

from rq.answers import to_json
from rq.check import check as check_class
from rq.check_command import check_command
from rq.examples import EXAMPLES
from rq.loading import LoadError, load_class
from rq.scenario import Scenario, ScenarioError
from rq.trace import trace

LONGEST = 1 << 20
"""Bytes that one line may have. The longest scenario that keeps the limits is far shorter."""


def print_examples() -> int:
    """Print the four examples, one JSON object a line: name, input, expected."""
    for example in EXAMPLES.values():
        print(json.dumps(example.to_dict()))
    return 0


def run(source: BinaryIO, readable: bool) -> int:
    """Answer each scenario of `source`, one line each as it is read; 1 if any was malformed, else 0."""
    code = 0
    for document in documents(source):
        try:
            scenario = Scenario.from_json(document)
        except ScenarioError as error:
            code = 1
            print(f"error: {error}\n" if readable else json.dumps({"error": str(error)}), flush=True)
            continue
        if readable:
            print(f"{trace(scenario)}\n", flush=True)
        else:
            print(json.dumps([to_json(answer) for answer in scenario.run()]), flush=True)
    return code


def documents(source: BinaryIO) -> Iterator[bytes]:
    """The JSON texts of a file: its lines, or the whole file if it is one text over several lines.

    Only a first line that breaks off in the middle can start a longer text. Then lines are
    gathered until one of them is an object of its own, so that a broken first line of a JSON
    Lines file costs no more than itself. Blank lines are skipped.
    """
    lines = (line for line in _lines(source) if line.strip())
    first = next(lines, None)
    if first is None:
        return
    gathered = [first]
    if _breaks_off(first):
        size = len(first)
        for line in lines:
            gathered.append(line)
            size += len(line)
            if _is_object(line) or size > LONGEST:
                break
        else:
            gathered = [b"\n".join(gathered)]
    yield from gathered
    yield from lines


def _lines(source: BinaryIO) -> Iterator[bytes]:
    """Lines without their ends; of a line over the limit only so much that it is refused."""
    while line := source.readline(LONGEST + 1):
        if len(line) > LONGEST:
            while not line.endswith(b"\n") and (rest := source.readline(LONGEST)):
                line = line[:LONGEST] + rest[-1:]
            line = b'"a line over 1 MiB"'
        yield line.rstrip(b"\r\n")


def _breaks_off(line: bytes) -> bool:
    """Is this the beginning of a JSON text that ends too early?"""
    text = line.decode("utf-8", "replace").strip()
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.pos >= len(text)
    except (ValueError, RecursionError):
        return False
    return False


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def check(target: str | None, command: str | None, as_json: bool) -> int:
    """Check a class or a program and print the report: 0 if it conforms, 1 if it differs, 2 if it cannot be loaded."""
    if target:
        try:
            queue_class = load_class(target)
        except LoadError as error:
            return fail(str(error))
        report = check_class(queue_class)
    else:
        try:
            report = check_command(command or "")
        except ValueError as error:
            return fail(f"cannot split the command into words: {error}")
        except OSError as error:
            return fail(str(error))
    print(json.dumps(report.to_dict()) if as_json else report)
    if report.interrupted:
        return 130
    return 0 if report.conforms else 1


def fail(message: str) -> int:
    """Say why a call makes no sense; the exit code for it is 2."""
    print(f"rq: {message}", file=sys.stderr)
    return 2
