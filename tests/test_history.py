"""The playground's history: it grows, branches, and never loses a call."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rq import Scenario, ScenarioError
from rq.history import KIND, History

A, B, R = ("enqueue", "a", "A"), ("enqueue", "b", "B"), ("reserve",)


def history(*ops, capacity=2):
    made = History(capacity)
    for operation in ops:
        made.call(operation)
    return made


def test_calls_make_a_scenario():
    made = history(A, R, ("ack", "a", 1))
    assert made.scenario == Scenario(2, (A, R, ("ack", "a", 1)))
    assert (made.index, made.branch, len(made.branches)) == (3, 0, 1)


def test_a_call_from_an_earlier_step_branches_off_and_the_old_branch_stays():
    made = history(A, R, ("ack", "a", 1))
    made.go(2)
    made.call(("retry", "a", 1))
    assert [branch.ops for branch in made.branches] == [(A, R, ("ack", "a", 1)), (A, R, ("retry", "a", 1))]
    assert (made.index, made.branch) == (3, 1)
    made.switch(0)
    assert made.scenario.ops == (A, R, ("ack", "a", 1))
    assert made.index == 3


def test_the_same_call_again_goes_forward_and_keeps_what_follows():
    made = history(A, R, ("ack", "a", 1))
    made.go(1)
    made.call(R)
    assert (made.index, len(made.scenario.ops), len(made.branches)) == (2, 3, 1)


def test_a_branch_that_is_there_already_is_taken_up_and_not_made_twice():
    made = history(A, R)
    made.go(1)
    made.call(B)
    made.switch(0)
    made.go(1)
    made.call(B)
    assert (made.branch, made.index, len(made.branches)) == (1, 2, 2)


def test_restart_keeps_what_was_done_and_may_change_the_capacity():
    made = history(A)
    made.restart(3)
    assert (made.scenario, made.index) == (Scenario(3), 0)
    assert made.branches[0].ops == (A,)
    made.restart(5)
    assert [branch.capacity for branch in made.branches] == [2, 5]


def test_a_scenario_from_elsewhere_is_taken_up_at_its_end():
    made = history(A)
    made.add(Scenario(1, (A, R), "a title"))
    assert (made.index, made.branch) == (2, 1)
    made.add(Scenario(1, (A, R)))
    assert len(made.branches) == 2


@pytest.mark.parametrize(
    ("operation", "said"),
    [
        (("enqueue", "a b", ""), "id must be 1 to 16 of the characters A-Z, a-z, 0-9, _ and -"),
        (("enqueue", "", ""), "id must be 1 to 16 of the characters"),
        (("enqueue", "a", "x" * 33), "payload must be 0 to 32 printable ASCII characters"),
        (("ack", "a", 65), "attempt must be a whole number from 0 to 64, not 65"),
        (("ack", "a"), "ack takes 2 arguments"),
        (("Ack", "a", 1), 'unknown operation "Ack"'),
        (("use", 1), "queue 1 is not created yet"),
    ],
)
def test_a_malformed_call_is_refused_in_one_sentence_and_changes_nothing(operation, said):
    made = history(A, R)
    before = made.to_dict()
    with pytest.raises(ScenarioError) as raised:
        made.call(operation)
    assert str(raised.value).startswith(said)
    assert made.to_dict() == before


def test_the_65th_call_and_the_9th_queue_are_refused():
    made = history(*[R] * 64)
    with pytest.raises(ScenarioError, match="a history ends after 64 calls: go back a few, or restart"):
        made.call(R)
    made = history(*[("new",)] * 7)
    with pytest.raises(ScenarioError, match="at most 8 queues are allowed"):
        made.call(("new",))


def test_a_capacity_outside_the_limits_is_refused():
    for capacity in (-1, 17, True, "2", None):
        with pytest.raises(ScenarioError, match="capacity must be a whole number from 0 to 16"):
            History(capacity)


@pytest.mark.parametrize("branch", [-1, 1])
def test_a_branch_that_is_not_there_is_a_mistake(branch):
    with pytest.raises(ValueError, match=f"branch must be from 0 to 0, not {branch}"):
        history(A).switch(branch)


CALLS = st.sampled_from([A, B, R, ("ack", "a", 1), ("retry", "a", 1), ("cancel", "b"), ("new",), ("use", 0)])
MOVES = st.one_of(
    st.tuples(st.just("call"), CALLS),
    st.tuples(st.just("go"), st.integers(-1, 9)),
    st.tuples(st.just("switch"), st.integers(0, 5)),
    st.tuples(st.just("restart"), st.integers(0, 3)),
)


@given(st.lists(MOVES, max_size=40))
def test_no_call_is_ever_lost_and_json_keeps_everything(moves):
    made, paths = History(2), set()
    for move, argument in moves:
        if move == "switch":
            argument %= len(made.branches)
        try:
            getattr(made, move)(argument)
        except ScenarioError:
            continue
        paths.add((made.scenario.capacity, made.scenario.ops[: made.index]))
        assert 0 <= made.index <= len(made.scenario.ops)
        again = History.from_dict(json.loads(json.dumps(made.to_dict())))
        assert again.to_dict() == made.to_dict()
        assert again.scenario == made.scenario
    for capacity, ops in paths - {(branch.capacity, ()) for branch in map(Scenario, range(17))}:
        assert any(b.capacity == capacity and b.ops[: len(ops)] == ops for b in made.branches)


GOOD = {"kind": KIND, "branches": [{"capacity": 1, "ops": [["reserve"]]}], "branch": 0, "index": 1}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "it is no playground's history"),
        ({"capacity": 1, "ops": []}, "it is no playground's history"),
        ({**GOOD, "kind": "another"}, "it is no playground's history"),
        ({"kind": KIND}, 'look at "branch", "branches", "index"'),
        ({**GOOD, "more": 1}, 'look at "more"'),
        ({**GOOD, "branches": []}, "branches must be a list of scenarios, not a list of 0"),
        ({**GOOD, "branches": {}}, "branches must be a list of scenarios, not an object"),
        ({**GOOD, "branches": [{"capacity": 1, "ops": [["Ack"]]}]}, 'branches[0]: ops[0]: unknown operation "Ack"'),
        ({**GOOD, "branch": 1}, "branch must be a whole number from 0 to 0, not 1"),
        ({**GOOD, "branch": True}, "branch must be a whole number from 0 to 0, not true"),
        ({**GOOD, "index": 2}, "index must be a whole number from 0 to 1, not 2"),
        ({**GOOD, "index": -1}, "index must be a whole number from 0 to 1, not -1"),
    ],
)
def test_what_is_no_history_is_refused_in_one_sentence(data, said):
    with pytest.raises(ScenarioError) as raised:
        History.from_dict(data)
    assert said in str(raised.value)
    assert History.from_dict(GOOD).index == 1
