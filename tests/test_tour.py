"""Tours: every call from every state of a world, then a probe; and shrinking what they find."""

from itertools import islice

import pytest

from rq import Queue, Scenario, check
from rq.broken import GALLERY
from rq.contract import advance
from rq.search import Difference, compare, expected_answers
from rq.state import Queues, State
from rq.tour import every_sequence, length_within, probe, shrink, tours
from rq.worlds import DEFAULT_WORLDS, World, graph

SMALL = World("small", 1, (("a", "A"), ("b", "B")), (0, 1, 2))
TWO = World("two", 1, (("a", "A"),), (1,), queues=2)
TINY = World("tiny", 1, (("a", "A"),), (1,))


def edges(world) -> set:
    """Every (state, call) of a world."""
    start = graph(world).start
    line, seen = [start], {start}
    found = set()
    for node in line:
        for edge in node.edges:
            found.add((node.queues, edge.operation))
            if edge.to not in seen:
                seen.add(edge.to)
                line.append(edge.to)
    return found


def after(capacity, ops) -> Queues:
    queues = Queues((State(capacity),))
    for operation in ops:
        _, queues = advance(queues, operation)
    return queues


@pytest.mark.parametrize("world", [SMALL, TWO, TINY, DEFAULT_WORLDS[0], DEFAULT_WORLDS[-1]], ids=lambda w: w.name)
def test_a_tour_makes_every_call_in_every_state(world):
    left = edges(world)
    for ops in tours(world):
        queues = Queues((State(world.capacity),))
        for operation in ops:
            left.discard((queues, operation))
            _, queues = advance(queues, operation)
    assert not left


@pytest.mark.parametrize("world", DEFAULT_WORLDS, ids=lambda world: world.name)
def test_each_sequence_is_a_scenario_on_which_the_right_queue_is_right(world):
    for ops in islice(tours(world), 300):
        returned = Scenario(world.capacity, ops).run()
        assert compare(world.capacity, ops, returned) is None


def behaviour(queues):
    """What of a state any later call can show: not how a job finished, nor which was accepted first."""
    state = queues.current
    attempts = {job.id: job.attempt for job in state.jobs}
    flying = {(job.id, job.attempt) for job in state.in_flight}
    finished = {job.id for job in state.jobs if not job.phase.active}
    return [(id, attempts[id]) for id in state.waiting], sorted(flying), sorted(finished)


def test_a_probe_tells_the_states_of_a_world_apart():
    seen = {}
    for queues in {queues for queues, _ in edges(SMALL)}:
        looked = probe(queues)
        shown = repr([advance_all(queues, looked), looked])
        assert seen.setdefault(shown, behaviour(queues)) == behaviour(queues)
    assert len(seen) > 10


def advance_all(queues, ops) -> list:
    answers = []
    for operation in ops:
        decision, queues = advance(queues, operation)
        answers.append(decision.returned)
    return answers


# Every sequence


def test_every_sequence_is_every_sequence():
    world = TINY.without(["retry", "cancel"])
    calls = [("enqueue", "a", "A"), ("reserve",), ("ack", "a", 1)]
    wanted = {(one, two, three) for one in calls for two in calls for three in calls}
    found = list(every_sequence(world, 3))
    assert set(found) == wanted
    assert len(found) == 27


@pytest.mark.parametrize("world", [SMALL, TWO, TINY], ids=lambda world: world.name)
@pytest.mark.parametrize("most", [1, 10, 100, 1000])
def test_the_length_is_the_greatest_with_so_few_sequences(world, most):
    length = length_within(world, most)
    assert sum(1 for _ in every_sequence(world, length)) <= most
    assert sum(1 for _ in islice(every_sequence(world, length + 1), most + 1)) == most + 1


def test_the_length_ends_where_a_scenario_ends():
    assert length_within(TINY.without(["reserve", "ack", "retry", "cancel"]), 10) == 64


# Shrinking


def play_on(queue_class):
    return lambda capacity, ops: compare(capacity, ops, Scenario(capacity, ops).run(queue_class))


def test_what_is_shrunk_still_differs_and_no_call_of_it_can_be_left_out():
    play = play_on(GALLERY["Lifo"])
    long = next(found._replace(ops=ops) for ops in tours(DEFAULT_WORLDS[2]) if (found := play(2, ops)))
    least = shrink(long, play)
    assert play(2, least.ops) == least
    assert len(least.ops) < len(long.ops)
    for position in range(len(least.ops)):
        assert not play(2, (*least.ops[:position], *least.ops[position + 1 :]))


def test_shrinking_leaves_no_use_of_a_queue_that_is_not_made():
    tried = []

    def play(capacity, ops):
        tried.append(Scenario(capacity, ops))
        return Difference(capacity, ops, [], [], None) if ("use", 1) in ops else None

    long = (("reserve",), ("new",), ("reserve",), ("use", 0), ("use", 1), ("reserve",))
    assert shrink(Difference(1, long, [], [], None), play).ops == (("new",), ("use", 1))
    assert tried


# What a check makes of them


def without_a_readable_state(queue_class):
    class Opaque(queue_class):
        def __init__(self, capacity):
            super().__init__(capacity)
            self.numbers = (number for number in range(3))

    return Opaque


@pytest.mark.parametrize("name", ["Lifo", "RetryToHead"])
def test_a_fault_of_a_queue_that_cannot_be_read_is_found(name):
    report = check(without_a_readable_state(GALLERY[name]), [DEFAULT_WORLDS[2]], limit=1_000)
    assert not report.conforms
    assert report.scenario.run(GALLERY[name])[-1] != expected_answers(2, report.difference.ops)[-1]


def test_a_deep_fault_is_found_on_a_tour_and_not_called_shortest():
    class Deep(without_a_readable_state(Queue)):
        def retry(self, id, attempt):
            return super().retry(id, attempt) and attempt != 6

    world = World("deep", 1, (("a", "A"),), tuple(range(8)))
    report = check(Deep, [world, World("none", 0, (("a", "A"),), (1,))], limit=2_000)
    assert len(report.difference.ops) == 13
    assert not report.shortest
    assert "No shorter sequence" not in report.summary


def test_a_tour_leaves_out_what_was_to_be_skipped():
    class NoAck(without_a_readable_state(Queue)):
        def ack(self, id, attempt):
            raise NotImplementedError

    report = check(NoAck, [TINY], skip=["ack"], limit=300)
    assert report.conforms, report.summary
