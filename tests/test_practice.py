"""Exercises without end: reproducible, within the limits, and full of the moments that the course is about."""

import pytest

from rq import Rule, Scenario, random_scenario, trace
from rq.scenario import MOST_OPERATIONS

SEEDS = range(300)


PINNED = (
    '{"capacity":2,"ops":[["ack","z",1],["enqueue","a","A"],["reserve"],["cancel","a"],["retry","a",0],["'
    'enqueue","b","B"],["reserve"],["enqueue","c","C"],["enqueue","d","D"],["cancel","c"],["retry","b",1]'
    ',["enqueue","d","D"]]}'
)


def moments(seed) -> set[str]:
    """What a scenario of the usual length has to offer."""
    made = trace(random_scenario(seed))
    rules = {step.decision.rule for step in made.steps}
    found = {"a stale ticket"} if Rule.X_STALE in rules else set()
    found |= {"a full queue"} if Rule.E3 in rules else set()
    return found | ({"a void ticket"} if any(t.status == "void" for t in made.tickets_at(len(made))) else set())


def test_the_same_seed_gives_the_same_scenario_on_every_machine():
    assert random_scenario(7).to_json() == PINNED
    assert random_scenario(7) == random_scenario(7)


@pytest.mark.parametrize("length", [0, 1, 12, MOST_OPERATIONS])
def test_the_length_is_what_was_asked_for(length):
    scenario = random_scenario(1, length)
    assert len(scenario.ops) == length
    assert Scenario.from_json(scenario.to_json(), scenario.title) == scenario


def test_most_exercises_have_an_interesting_moment_and_many_have_two():
    found = [len(moments(seed)) for seed in SEEDS]
    assert sum(count >= 1 for count in found) > 0.9 * len(SEEDS)
    assert sum(count >= 2 for count in found) > 0.55 * len(SEEDS)


def test_every_rule_of_a_single_queue_comes_up():
    met = {step.decision.rule for seed in SEEDS for step in trace(random_scenario(seed)).steps}
    assert met == set(Rule) - {Rule.N1, Rule.N2}


def test_exercises_differ():
    assert len({random_scenario(seed).ops for seed in SEEDS}) == len(SEEDS)


@pytest.mark.parametrize("seed", [None, "1", 1.0, True])
def test_a_seed_that_is_no_whole_number_is_a_mistake(seed):
    with pytest.raises(TypeError, match="seed must be a whole number"):
        random_scenario(seed)


@pytest.mark.parametrize("length", [-1, 65])
def test_a_length_outside_the_limits_is_a_mistake(length):
    with pytest.raises(ValueError, match=f"length must be from 0 to 64, not {length}"):
        random_scenario(1, length)
