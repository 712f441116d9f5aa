"""The four sequences that the guide asks for, with every answer and every refusal checked, on every queue class."""

import pytest
from suite import assert_refused

from rq import Job


@pytest.fixture
def queue(queue_class):
    """Room for two; a is in flight on attempt 1."""
    queue = queue_class(2)
    assert queue.enqueue("a", "A") is True
    assert queue.reserve() == Job("a", "A", 1)
    return queue


def test_a_late_ack_and_a_late_retry_after_a_retry_change_nothing(queue):
    assert queue.retry("a", 1) is True
    assert queue.reserve() == Job("a", "A", 2)
    assert_refused(queue, "ack", "a", 1)
    assert_refused(queue, "retry", "a", 1)
    assert queue.ack("a", 2) is True


def test_a_duplicate_is_refused_while_its_id_is_in_flight(queue):
    assert_refused(queue, "enqueue", "a", "A")
    assert queue.ack("a", 1) is True
    assert_refused(queue, "enqueue", "a", "A")


def test_the_old_ack_is_refused_after_a_cancel(queue):
    assert queue.cancel("a") is True
    assert_refused(queue, "ack", "a", 1)
    assert_refused(queue, "cancel", "a")


def test_a_retry_goes_behind_another_waiting_job(queue):
    assert queue.enqueue("b", "B") is True
    assert queue.retry("a", 1) is True
    assert queue.snapshot().waiting == ("b", "a")
    assert_refused(queue, "enqueue", "c", "C")
    assert queue.reserve() == Job("b", "B", 1)
    assert queue.reserve() == Job("a", "A", 2)
    assert_refused(queue, "reserve")
