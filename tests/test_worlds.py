"""The small worlds: which calls may be made, and the graph of the contract's states."""

from collections import deque

import pytest
from suite import ContractQueue, call

from rq import Rule, Scenario
from rq.answers import plain, same
from rq.contract import advance
from rq.state import Queues, State
from rq.worlds import DEFAULT_WORLDS, VERBS, World, graph

SMALL = World("small", 1, (("a", "A"), ("b", "B")), (0, 1))
each_world = pytest.mark.parametrize("world", DEFAULT_WORLDS, ids=lambda world: world.name)


def nodes(world) -> list:
    """All states of a world, in the order they are reached."""
    start = graph(world).start
    seen, line = {start}, deque([start])
    found = []
    while line:
        node = line.popleft()
        found.append(node)
        for edge in node.edges:
            if edge.to not in seen:
                seen.add(edge.to)
                line.append(edge.to)
    return found


def at_start(world) -> list:
    return world.operations(Queues((State(world.capacity),)))


# Calls


def test_the_calls_of_a_world_are_all_that_its_names_and_numbers_allow():
    assert set(at_start(SMALL)) == {
        ("enqueue", "a", "A"),
        ("enqueue", "b", "B"),
        ("reserve",),
        *[(verb, id, attempt) for verb in ("ack", "retry") for id in "ab" for attempt in (0, 1)],
        ("cancel", "a"),
        ("cancel", "b"),
    }


def test_in_order_the_next_job_is_offered_when_those_before_it_were_accepted():
    world = World("line", 1, (("a", "A"), ("b", "B"), ("c", "C")), (), in_order=True, verbs=("enqueue",))
    assert at_start(world) == [("enqueue", "a", "A")]
    assert len(graph(world).start.edges[0].to.edges) == 2


def test_an_id_with_two_payloads_is_one_id():
    world = World("payloads", 2, (("a", "A"), ("a", ""), ("b", "A")), (1,))
    assert world.ids == ("a", "b")
    assert world.payloads == ("A", "")


def test_new_and_use_are_offered_as_far_as_the_world_has_queues():
    world = World("two", 1, (("a", "A"),), (1,), queues=2)
    assert ("new",) in at_start(world)
    assert not [operation for operation in at_start(world) if operation[0] == "use"]
    two = Queues((State(1), State(1)), 1)
    assert ("new",) not in world.operations(two)
    assert {("use", 0), ("use", 1)} <= set(world.operations(two))
    assert {"new", "use"}.isdisjoint(operation[0] for operation in at_start(SMALL))


@pytest.mark.parametrize("verb", VERBS)
def test_without_leaves_out_one_operation(verb):
    less = {operation[0] for operation in at_start(SMALL.without([verb]))}
    assert less == set(VERBS) - {verb}
    assert SMALL.verbs == VERBS


def test_worlds_are_values():
    same_world = World("small", 1, (("a", "A"), ("b", "B")), (0, 1))
    assert same_world == SMALL
    assert hash(SMALL) == hash(same_world)
    assert graph(SMALL) is graph(same_world)


# The default worlds


def test_their_names_differ():
    assert len({world.name for world in DEFAULT_WORLDS}) == len(DEFAULT_WORLDS)


@each_world
def test_every_call_is_one_a_scenario_may_hold(world):
    for node in nodes(world):
        new = [("new",)] * (len(node.queues.states) - 1)
        Scenario(world.capacity, [*new, *(edge.operation for edge in node.edges)])


def test_together_they_touch_every_rule():
    assert {edge.rule for world in DEFAULT_WORLDS for node in nodes(world) for edge in node.edges} == set(Rule)


def test_they_cover_the_limits_of_the_exercise():
    assert {0, 1, 2, 16} <= {world.capacity for world in DEFAULT_WORLDS}
    assert any("" in world.payloads for world in DEFAULT_WORLDS)
    assert any(set("aA") <= set(world.ids) for world in DEFAULT_WORLDS)
    assert max(max(world.attempts, default=0) for world in DEFAULT_WORLDS) >= 10


# The graph


@each_world
def test_each_edge_is_what_the_contract_decides(world):
    for node in nodes(world):
        assert [edge.operation for edge in node.edges] == world.operations(node.queues)
        for edge in node.edges:
            decision, after = advance(node.queues, edge.operation)
            assert same(edge.expected, plain(decision.returned))
            assert (edge.rule, edge.to.queues) == (decision.rule, after)


def test_each_state_is_one_node():
    found = nodes(SMALL)
    assert len({node.queues for node in found}) == len(found)
    assert graph(SMALL).start is graph(SMALL).node(Queues((State(1),)))


def test_the_states_are_those_that_trying_out_reaches():
    world = World("tiny", 2, (("a", "A"), ("b", "B")), (1,), verbs=("enqueue", "reserve", "ack", "cancel"))
    states, line = {State(2)}, [()]
    for ops in line:
        for operation in at_start(world):
            queue = ContractQueue(2)
            for made in (*ops, operation):
                call(queue, *made)
            if queue.snapshot() not in states:
                states.add(queue.snapshot())
                line.append((*ops, operation))
    assert {node.queues.current for node in nodes(world)} == states
