"""Ids for ever, or generations: the bug when ids are reused, what mends it, and what each scheme remembers."""

from __future__ import annotations

import pytest
from suite import QUEUE_CLASSES

from rq import EXAMPLES, Job, Queue
from rq.beyond import Forgetful, Generations, Reuse, bytes_for, remembered, schemes


def test_when_ids_are_reused_a_late_ack_finishes_work_that_was_never_done():
    story = Reuse(Forgetful)
    assert story.late_ack is True
    assert story.lost
    assert [moment.wrong for moment in story.moments] == [False] * 6 + [True, True]


@pytest.mark.parametrize("queue_class", QUEUE_CLASSES)
def test_under_the_contract_the_second_order_is_refused_and_nothing_is_lost(queue_class):
    story = Reuse(queue_class)
    assert story.orders["second"][2] == "refused"
    assert not story.late_ack
    assert not story.lost


@pytest.mark.parametrize(
    ("queue_class", "ids"), [(Generations, ("a", "a")), (Forgetful, ("a.1", "a.2")), (Queue, ("a.1", "a.2"))]
)
def test_tickets_that_never_repeat_or_ids_with_a_generation_mend_it(queue_class, ids):
    story = Reuse(queue_class, ids)
    assert not story.late_ack
    assert not story.lost
    assert story.orders["second"][2] == "not yet"
    assert not any(moment.wrong for moment in story.moments)


def test_generations_number_the_reservations_of_the_whole_queue():
    queue = Generations(2)
    queue.enqueue("a", "A"), queue.enqueue("b", "B")
    assert queue.reserve() == Job("a", "A", 1)
    assert queue.reserve() == Job("b", "B", 2)
    assert queue.retry("a", 1) is True
    assert queue.reserve() == Job("a", "A", 3)
    assert queue.ack("a", 1) is False
    assert queue.ack("a", 3) is True
    assert queue.reserve() is None


def test_a_window_refuses_the_last_ids_and_no_others():
    queue = Generations(1, window=2)
    for id in "abc":
        assert queue.enqueue(id, "")
        queue.cancel(id)
    assert [queue.enqueue(id, "") for id in "cba"] == [False, False, True]


@pytest.mark.parametrize(
    ("queue_class", "name"),
    [(Forgetful, "fifo"), (Forgetful, "retry fences old attempt"), (Generations, "retry fences old attempt")],
)
def test_where_no_id_is_used_again_they_answer_as_the_contract_does(queue_class, name):
    assert EXAMPLES[name].scenario.run(queue_class) == EXAMPLES[name].expected


def test_what_each_remembers():
    for jobs in (10, 100, 1000):
        assert remembered(Queue(1), jobs) == jobs
        assert remembered(Forgetful(1), jobs) == remembered(Generations(1), jobs) == 0
        assert remembered(Generations(1, window=7), jobs) == 7


def test_memory_grows_by_about_the_same_for_each_permanent_id():
    small, large = bytes_for(lambda: Queue(1), 2_000), bytes_for(lambda: Queue(1), 8_000)
    assert 100 < large / 8_000 < 250
    assert 2 < large / small < 8


def test_memory_does_not_grow_when_finished_ids_are_forgotten():
    assert bytes_for(lambda: Generations(1), 8_000) < 20_000
    assert bytes_for(lambda: Generations(1, window=50), 8_000) < 50_000


def test_the_schemes():
    assert schemes(jobs=100, window=5).rows == (
        ("ids for ever (the contract)", 100, "refused", "refused", "refused"),
        ("forget finished ids", 0, "taken for the new job", "done again", "done again"),
        ("forget, tickets never repeat", 0, "refused", "done again", "done again"),
        ("the same, last 5 ids kept", 5, "refused", "refused", "done again"),
    )
