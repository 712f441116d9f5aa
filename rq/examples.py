"""The four published examples, with the answers the exercise expects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rq.scenario import Scenario, ScenarioError, excerpt


@dataclass(frozen=True)
class Example:
    """A published example: its name, the scenario, and one expected answer for each call."""

    name: str
    scenario: Scenario
    expected: list[Any]

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: the name, the input and the expected output."""
        return {"name": self.name, "input": self.scenario.to_dict(), "expected": self.expected}


def _example(name: str, title: str, capacity: int, ops: list[list[Any]], expected: list[Any]) -> Example:
    return Example(name, Scenario(capacity, tuple(map(tuple, ops)), title), expected)


EXAMPLES: dict[str, Example] = {
    example.name: example
    for example in (
        _example(
            "fifo",
            "Example 1 · first in, first out",
            2,
            [
                ["enqueue", "a", "A"],
                ["enqueue", "b", "B"],
                ["reserve"],
                ["reserve"],
                ["reserve"],
                ["ack", "a", 1],
                ["ack", "b", 1],
            ],
            [True, True, ["a", "A", 1], ["b", "B", 1], None, True, True],
        ),
        _example(
            "retry fences old attempt",
            "Example 2 · a retry fences the old attempt",
            1,
            [
                ["enqueue", "a", "A"],
                ["reserve"],
                ["retry", "a", 1],
                ["reserve"],
                ["ack", "a", 1],
                ["retry", "a", 1],
                ["ack", "a", 2],
            ],
            [True, ["a", "A", 1], True, ["a", "A", 2], False, False, True],
        ),
        _example(
            "in flight capacity",
            "Example 3 · a job in flight keeps its slot",
            1,
            [
                ["enqueue", "a", "A"],
                ["reserve"],
                ["enqueue", "b", "B"],
                ["ack", "a", 1],
                ["enqueue", "b", "B"],
                ["reserve"],
            ],
            [True, ["a", "A", 1], False, True, True, ["b", "B", 1]],
        ),
        _example(
            "cancel keeps id reserved",
            "Example 4 · a cancelled id stays used",
            2,
            [
                ["enqueue", "a", "A"],
                ["enqueue", "b", "B"],
                ["cancel", "a"],
                ["enqueue", "a", "replacement"],
                ["reserve"],
                ["cancel", "b"],
                ["ack", "b", 1],
                ["reserve"],
            ],
            [True, True, True, False, ["b", "B", 1], True, False, None],
        ),
    )
}
"""The examples by their published names, in the published order."""


def as_scenario(source: object) -> Scenario:
    """A Scenario from a Scenario, an example's name, a dict or JSON text. Raises ScenarioError."""
    match source:
        case Scenario():
            return source
        case Example():
            return source.scenario
        case dict():
            return Scenario.from_dict(source)
        case str() if source in EXAMPLES:
            return EXAMPLES[source].scenario
        case str() if source.lstrip("\ufeff \t\r\n").startswith(("{", "[")):
            return Scenario.from_json(source)
        case str():
            names = ", ".join(f'"{name}"' for name in EXAMPLES)
            raise ScenarioError(f"no example is called {excerpt(source)}; there are {names}; JSON text starts with {{")
    kinds = "a Scenario, an example's name, a dict or JSON text"
    found = "a class: it comes second" if isinstance(source, type) else type(source).__name__
    raise ScenarioError(f"expected {kinds}, not {found}")
