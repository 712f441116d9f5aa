"""A history that branches: calls made one by one, a place in them, and every way that was left."""

from __future__ import annotations

from typing import Any

from rq.scenario import MOST_OPERATIONS, Scenario, ScenarioError, excerpt, whole_up_to, without_place
from rq.state import Operation

KIND = "retrying job queue playground, version 1"
"""Marks the saved form, so that no other file is taken for one."""


class History:
    """Scenarios that grow call by call. One of them is current, and `index` calls of it are made.

    A call made before the end of a scenario starts a new one that shares the calls so far; the old
    one stays, and can be gone back to. So no call is ever lost.
    """

    def __init__(self, capacity: int = 2) -> None:
        """One empty scenario. Raises ScenarioError if the capacity is not from 0 to 16."""
        self.branches = [Scenario(capacity)]
        self.branch = 0
        self.index = 0

    @property
    def scenario(self) -> Scenario:
        """The current scenario, with the calls after `index` too."""
        return self.branches[self.branch]

    def copy(self) -> History:
        """Another history that stands at the same place; changes to one are none to the other."""
        twin = History()
        twin.branches, twin.branch, twin.index = list(self.branches), self.branch, self.index
        return twin

    def call(self, operation: Operation) -> None:
        """Make one call after the first `index` ones. Raises ScenarioError, and changes nothing, if it is malformed."""
        at_end = self.index == len(self.scenario.ops)
        if self.index == MOST_OPERATIONS:
            raise ScenarioError(f"a history ends after {MOST_OPERATIONS} calls: go back a few, or restart")
        try:
            longer = Scenario(self.scenario.capacity, (*self.scenario.ops[: self.index], operation))
        except ScenarioError as error:
            raise ScenarioError(without_place(error)) from None
        if self.scenario.ops[: self.index + 1] == longer.ops:
            pass  # the same call again: what follows it stays
        elif longer in self.branches:
            self.branch = self.branches.index(longer)
        elif at_end:
            self.branches[self.branch] = longer
        else:
            self._append(longer)
        self.index += 1

    def go(self, index: int) -> None:
        """Stand after `index` calls of the current scenario, at most at its end."""
        self.index = max(0, min(index, len(self.scenario.ops)))

    def switch(self, branch: int) -> None:
        """Take up another scenario, at its end."""
        if not 0 <= branch < len(self.branches):
            raise ValueError(f"branch must be from 0 to {len(self.branches) - 1}, not {branch}")
        self.branch = branch
        self.go(len(self.scenario.ops))

    def restart(self, capacity: int) -> None:
        """Begin an empty scenario; what was done stays."""
        self.add(Scenario(capacity))

    def add(self, scenario: Scenario) -> None:
        """Take up a scenario from elsewhere, at its end. One that is there already is not added again."""
        scenario = Scenario(scenario.capacity, scenario.ops)
        if scenario in self.branches:
            self.branch = self.branches.index(scenario)
        elif not self.scenario.ops:
            self.branches[self.branch] = scenario
        else:
            self._append(scenario)
        self.go(len(scenario.ops))

    def _append(self, scenario: Scenario) -> None:
        self.branches.append(scenario)
        self.branch = len(self.branches) - 1

    def to_dict(self) -> dict[str, Any]:
        """The JSON form, as from_dict takes it."""
        branches = [scenario.to_dict() for scenario in self.branches]
        return {"kind": KIND, "branches": branches, "branch": self.branch, "index": self.index}

    @classmethod
    def from_dict(cls, data: object) -> History:
        """A history from its JSON form. Raises ScenarioError for anything else, in one sentence."""
        if not isinstance(data, dict) or data.get("kind") != KIND:
            raise ScenarioError("it is no playground's history")
        keys = {"kind", "branches", "branch", "index"}
        if data.keys() != keys:
            odd = ", ".join(sorted(excerpt(key) for key in data.keys() ^ keys))
            raise ScenarioError(f"a history has the keys kind, branches, branch and index; look at {odd}")
        branches = data["branches"]
        if not isinstance(branches, list) or not branches:
            raise ScenarioError(f"branches must be a list of scenarios, not {excerpt(branches)}")
        history = cls()
        history.branches = [_scenario(number, branch) for number, branch in enumerate(branches)]
        history.branch = whole_up_to("branch", data["branch"], len(branches) - 1)
        history.index = whole_up_to("index", data["index"], len(history.scenario.ops))
        return history


def _scenario(number: int, data: object) -> Scenario:
    try:
        return Scenario.from_dict(data)
    except ScenarioError as error:
        raise ScenarioError(f"branches[{number}]: {error}") from None
