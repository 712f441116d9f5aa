"""The contract suite: every sentence of the exercise's "Behavior", on every queue class.

The classes stand in `suite.QUEUE_CLASSES`. A refused call must leave the snapshot as it was;
`assert_refused` sees to both.
"""

import pytest
from suite import assert_refused, call, drain

from rq import Job, Phase


def phase(queue, id):
    return queue.snapshot().find(id).phase


@pytest.fixture
def queue(queue_class):
    """Room for three."""
    return queue_class(3)


@pytest.fixture
def flying(queue):
    """a is in flight on attempt 2; b waits."""
    queue.enqueue("a", "A")
    queue.reserve()
    queue.retry("a", 1)
    queue.reserve()
    queue.enqueue("b", "B")
    return queue


# Enqueue


def test_a_new_id_is_accepted_at_the_waiting_tail(queue):
    assert queue.enqueue("a", "A") is True
    assert queue.enqueue("b", "B") is True
    assert queue.snapshot().waiting == ("a", "b")


def test_a_duplicate_is_refused_while_waiting(queue):
    queue.enqueue("a", "A")
    assert_refused(queue, "enqueue", "a", "other")


def test_a_duplicate_is_refused_while_in_flight(flying):
    assert_refused(flying, "enqueue", "a", "other")


def test_a_duplicate_is_refused_when_done(flying):
    flying.ack("a", 2)
    assert_refused(flying, "enqueue", "a", "A")


@pytest.mark.parametrize("id", ["a", "b"])  # a was in flight, b waiting
def test_a_duplicate_is_refused_when_cancelled(flying, id):
    flying.cancel(id)
    assert_refused(flying, "enqueue", id, "replacement")


def test_a_full_queue_refuses(queue_class):
    queue = queue_class(1)
    queue.enqueue("a", "A")
    assert_refused(queue, "enqueue", "b", "B")


def test_capacity_0_refuses_everything(queue_class):
    queue = queue_class(0)
    assert_refused(queue, "enqueue", "a", "A")
    assert_refused(queue, "reserve")
    assert_refused(queue, "cancel", "a")


def test_capacity_counts_waiting_and_in_flight(queue_class):
    queue = queue_class(2)
    queue.enqueue("a", "A")
    queue.enqueue("b", "B")
    queue.reserve()  # one in flight, one waiting
    assert_refused(queue, "enqueue", "c", "C")
    queue.reserve()  # two in flight
    assert_refused(queue, "enqueue", "c", "C")


@pytest.mark.parametrize("end", [("ack", "a", 2), ("cancel", "a"), ("cancel", "b")])
def test_ack_and_cancel_free_one_slot(flying, end):
    flying.enqueue("c", "C")
    assert_refused(flying, "enqueue", "d", "D")
    assert call(flying, *end) is True
    assert flying.enqueue("d", "D") is True
    assert_refused(flying, "enqueue", "e", "E")


def test_a_refused_enqueue_does_not_use_up_its_id(queue_class):
    queue = queue_class(1)
    queue.enqueue("a", "A")
    assert_refused(queue, "enqueue", "b", "first try")
    queue.cancel("a")
    assert queue.enqueue("b", "second try") is True
    assert queue.reserve() == Job("b", "second try", 1)


def test_ids_are_case_sensitive(queue):
    queue.enqueue("a", "small")
    assert queue.enqueue("A", "large") is True
    queue.reserve()
    assert_refused(queue, "ack", "A", 1)
    assert queue.cancel("A") is True
    assert queue.ack("a", 1) is True


# Reserve


def test_reserve_takes_the_oldest_and_puts_it_in_flight(queue):
    queue.enqueue("a", "A")
    queue.enqueue("b", "B")
    assert queue.reserve() == Job("a", "A", 1)
    assert phase(queue, "a") is Phase.IN_FLIGHT
    assert queue.snapshot().waiting == ("b",)


def test_reserve_gives_the_original_payload_each_time(queue):
    queue.enqueue("a", "original")
    queue.enqueue("a", "other")
    assert queue.reserve().payload == "original"
    queue.retry("a", 1)
    assert queue.reserve().payload == "original"


def test_a_payload_may_be_empty(queue):
    queue.enqueue("a", "")
    assert queue.reserve() == Job("a", "", 1)


def test_attempts_count_from_1_for_each_job(queue):
    queue.enqueue("a", "A")
    for attempt in (1, 2, 3):
        assert queue.reserve() == Job("a", "A", attempt)
        assert queue.retry("a", attempt) is True
    queue.enqueue("b", "B")
    assert queue.reserve() == Job("a", "A", 4)
    assert queue.reserve() == Job("b", "B", 1)


def test_reserve_finds_nothing_in_an_empty_queue(queue):
    assert_refused(queue, "reserve")


def test_reserve_finds_nothing_though_jobs_are_in_flight(flying):
    flying.cancel("b")
    assert_refused(flying, "reserve")


def test_refused_calls_do_not_raise_the_attempt(flying):
    flying.retry("a", 2)
    flying.cancel("b")
    for operation in [("enqueue", "a", "A"), ("ack", "a", 2), ("retry", "a", 2)]:
        assert_refused(flying, *operation)
    assert flying.reserve() == Job("a", "A", 3)


# Ack and retry

both = pytest.mark.parametrize("verb", ["ack", "retry"])


def test_ack_completes_the_job(flying):
    assert flying.ack("a", 2) is True
    assert phase(flying, "a") is Phase.DONE
    assert drain(flying) == ["b"]


def test_retry_goes_behind_another_waiting_job(flying):
    assert flying.retry("a", 2) is True
    assert flying.snapshot().waiting == ("b", "a")
    assert [flying.reserve(), flying.reserve()] == [Job("b", "B", 1), Job("a", "A", 3)]


def test_retry_keeps_its_slot(flying):
    flying.enqueue("c", "C")
    assert flying.retry("a", 2) is True
    assert_refused(flying, "enqueue", "d", "D")
    assert set(flying.snapshot().slots) == {"a", "b", "c"}


@both
@pytest.mark.parametrize("attempt", [0, 1, 3, 64])  # zero, stale, future, far future
def test_only_the_current_attempt_counts(flying, verb, attempt):
    assert_refused(flying, verb, "a", attempt)
    assert call(flying, verb, "a", 2) is True


@both
@pytest.mark.parametrize("attempt", [0, 1, 2])
def test_no_attempt_counts_for_an_unknown_id(flying, verb, attempt):
    assert_refused(flying, verb, "z", attempt)


@both
@pytest.mark.parametrize("attempt", [0, 1])
def test_no_attempt_counts_for_a_job_never_reserved(flying, verb, attempt):
    assert_refused(flying, verb, "b", attempt)


@both
@pytest.mark.parametrize("attempt", [0, 1, 2, 3])
def test_no_attempt_counts_for_a_job_that_waits_again(flying, verb, attempt):
    flying.retry("a", 2)
    assert_refused(flying, verb, "a", attempt)


@both
@pytest.mark.parametrize("attempt", [0, 1, 2, 3])
@pytest.mark.parametrize("end", [("ack", "a", 2), ("cancel", "a")])
def test_no_attempt_counts_for_a_finished_job(flying, verb, attempt, end):
    call(flying, *end)
    assert_refused(flying, verb, "a", attempt)


@both
def test_another_jobs_attempt_does_not_count(flying, verb):
    flying.reserve()  # b on attempt 1, a on attempt 2
    assert_refused(flying, verb, "a", 1)
    assert_refused(flying, verb, "b", 2)


@both
@pytest.mark.parametrize("first", ["ack", "retry"])
def test_a_ticket_counts_once(flying, first, verb):
    assert call(flying, first, "a", 2) is True
    assert_refused(flying, verb, "a", 2)


# Cancel


def test_cancel_from_the_middle_keeps_the_order(queue):
    for id in "abc":
        queue.enqueue(id, "")
    assert queue.cancel("b") is True
    assert queue.snapshot().waiting == ("a", "c")
    queue.enqueue("d", "")
    assert drain(queue) == ["a", "c", "d"]


def test_a_cancelled_waiting_job_is_never_handed_out(flying):
    assert flying.cancel("b") is True
    assert phase(flying, "b") is Phase.CANCELLED
    assert_refused(flying, "reserve")


@both
def test_cancel_in_flight_voids_the_reservation(flying, verb):
    assert flying.cancel("a") is True
    assert phase(flying, "a") is Phase.CANCELLED
    assert_refused(flying, verb, "a", 2)
    assert drain(flying) == ["b"]


def test_cancel_is_refused_for_unknown_and_finished_ids(flying):
    flying.ack("a", 2)
    flying.cancel("b")
    for id in ("a", "b", "z"):
        assert_refused(flying, "cancel", id)


# Two queues


def test_separate_queues_share_nothing(queue_class):
    one, two = queue_class(1), queue_class(1)
    one.enqueue("a", "one")
    one.reserve()
    assert_refused(two, "ack", "a", 1)
    assert_refused(two, "cancel", "a")
    assert two.enqueue("a", "two") is True
    assert two.reserve() == Job("a", "two", 1)
    assert two.cancel("a") is True
    assert one.ack("a", 1) is True
