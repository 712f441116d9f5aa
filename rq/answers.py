"""Answers of a queue, in the forms we need: as JSON, as text for a reader, and strictly compared."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from rq.state import Job, Operation


@dataclass(frozen=True)
class Raised:
    """Instead of an answer, the call raised an exception. `error` is its repr: `KeyError('a')`."""

    error: str


@dataclass(frozen=True)
class Hung:
    """Instead of an answer, the call did not end."""


@dataclass(frozen=True)
class Died:
    """Instead of an answer, the program under check ended. `text` says how."""

    text: str


@dataclass(frozen=True)
class Unreadable:
    """Instead of an answer, something that is none. `text` says what it was."""

    text: str


NOT_REACHED = Unreadable("not reached")
"""Stands where a call was not made because an earlier one never ended."""


def plain(answer: object) -> Any:
    """An answer as a JSON value, types kept: True, False and None stay, a reservation becomes a list.

    A reservation is a Job, any tuple or list of three, or an object with `id`, `payload` and
    `attempt`. What is no answer at all becomes Unreadable.
    """
    if answer is None or isinstance(answer, (bool, Raised, Hung, Died, Unreadable)):
        return answer
    if _is_long(answer):
        return Unreadable("a number of more than 20 digits")
    if isinstance(answer, (tuple, list)):
        parts = list(answer)
    elif all(hasattr(answer, name) for name in Job._fields):
        parts = [getattr(answer, name) for name in Job._fields]
    else:
        return Unreadable(one_line(repr(answer)))
    if any(map(_is_long, parts)):
        return Unreadable("a reservation with a number of more than 20 digits")
    if len(parts) == 3 and all(part is None or type(part) in (str, int) for part in parts):
        return parts
    return Unreadable(one_line(repr(answer)))


def _is_long(value: object) -> bool:
    return isinstance(value, int) and abs(value) >= 10**20  # Python refuses to show the very long ones


def one_line(text: str, most: int = 200) -> str:
    """A text on one line and not too long, without memory addresses, which differ from run to run."""
    text = re.sub(r" at 0x[0-9a-fA-F]+", "", " ".join(text.split()))
    return text if len(text) <= most else text[: most - 1] + "…"


def same(answer: object, expected: object) -> bool:
    """Strict equality of two plain answers: `1` is not `True`, and `[.., 1]` is not `[.., True]`."""
    if isinstance(answer, list) and isinstance(expected, list):
        return len(answer) == len(expected) and all(map(same, answer, expected))
    return type(answer) is type(expected) and answer == expected


def to_json(answer: object) -> Any:
    """A plain answer as what `json.dumps` takes: an exception is `{"raised": ...}`, a hang `{"hung": true}`."""
    match answer:
        case Raised(error):
            return {"raised": error}
        case Hung():
            return {"hung": True}
        case Died(text):
            return {"died": text}
        case Unreadable(text):
            return {"unreadable": text}
    return answer


def show(answer: object) -> str:
    """An answer as a reader sees it: `True`, `None`, `a · "A" · attempt 1`, `raised KeyError('a')`."""
    match answer:
        case Raised(error):
            return f"raised {error}"
        case Hung():
            return "no answer: the call did not end"
        case Died(text) | Unreadable(text):
            return text
        case [id, payload, attempt]:
            return f"{id} · {quoted(payload)} · attempt {attempt}"
    return str(answer)


def show_call(operation: Operation) -> str:
    """A call as one writes it in Python: `enqueue("a", "A")`."""
    name, *arguments = operation
    return f"{name}({', '.join(map(quoted, arguments))})"


def quoted(value: object) -> str:
    """A JSON value as source text, in double quotes where it is a string; Python reads it the same way."""
    return json.dumps(value) if isinstance(value, str) else repr(value)
