"""A scenario taken out as a test: it passes on the right queue, and asserts each answer of each of its queues."""

from typing import ClassVar

import pytest
from suite import EIGHT_QUEUES

import rq
from rq import Scenario, random_scenario
from rq.paste import scenario_test

A, R = ("enqueue", "a", "A"), ("reserve",)
THREE = Scenario(1, (A, ("new",), R, A, ("new",), A, A, ("use", 0), R, ("use", 1), ("cancel", "a"), ("use", 2), R))
SCENARIOS = [THREE, EIGHT_QUEUES, Scenario(0), *(random_scenario(seed, 30) for seed in range(10))]


class Logged(rq.Queue):
    """Notes which of the queues each call went to, in the order in which they were made."""

    calls: ClassVar = []
    made = 0

    def __init__(self, capacity):
        super().__init__(capacity)
        self.number, Logged.made = Logged.made, Logged.made + 1

    def __getattribute__(self, name):
        if name in ("enqueue", "reserve", "ack", "retry", "cancel"):
            Logged.calls.append((self.number, name))
        return super().__getattribute__(name)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_it_passes_and_makes_each_call_on_the_queue_that_the_scenario_names(scenario, monkeypatch):
    monkeypatch.setattr(rq, "Queue", Logged)
    Logged.calls, Logged.made = [], 0
    names = {}
    exec(compile(scenario_test(scenario), "<pasted>", "exec"), names)
    names["test_scenario"]()
    expected, queue, made = [], 0, 1
    for operation in scenario.ops:
        match operation:
            case ("new",):
                queue, made = made, made + 1
            case ("use", queue):
                pass
            case (verb, *_):
                expected.append((queue, verb))
    assert Logged.calls == expected
    assert Logged.made == made


WRONG = {" is True": " is False", " is False": " is True", " is None": " is not None", ", 1])": ", 2])"}


def test_it_fails_wherever_one_answer_differs():
    text = scenario_test(THREE)
    lines = [line for line in text.splitlines() if line.startswith("    assert")]
    assert len(lines) == sum(operation[0] not in ("new", "use") for operation in THREE.ops)
    for line in lines:
        right, wrong = next((right, wrong) for right, wrong in WRONG.items() if line.endswith(right))
        names = {}
        exec(compile(text.replace(line, line.removesuffix(right) + wrong, 1), "<pasted>", "exec"), names)
        with pytest.raises(AssertionError):
            names["test_scenario"]()
