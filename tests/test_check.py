"""check(): what it finds is a shortest difference, replayed; what it reports is no more than it did."""

import random
from itertools import product

import pytest
from suite import ContractQueue, call

from rq import Job, Queue, Rule, check
from rq.answers import Raised, plain, same
from rq.broken import GALLERY
from rq.worlds import World

TINY = World("tiny", 1, (("a", "A"),), (1, 2))
SMALL = World("small", 1, (("a", "A"), ("b", "B")), (0, 1, 2))
RETRIES = World("retries", 1, (("a", "A"),), tuple(range(8)))


# Shortest


def first_difference_by_trying_all(queue_class, world, most):
    """The length of a shortest sequence on which the queue leaves the contract, found by trying all of them."""
    calls = [("enqueue", id, payload) for id, payload in world.jobs] + [("reserve",)]
    calls += [(verb, id, attempt) for verb in ("ack", "retry") for id in world.ids for attempt in world.attempts]
    calls += [("cancel", id) for id in world.ids]
    for length in range(1, most + 1):
        for ops in product(calls, repeat=length):
            mine, right = queue_class(world.capacity), ContractQueue(world.capacity)
            for operation in ops:
                try:
                    answer = plain(call(mine, *operation))
                except Exception as error:
                    answer = Raised(repr(error))
                if not same(answer, plain(call(right, *operation))):
                    return length
    return None


NOT_SHARED = [name for name in GALLERY if check(GALLERY[name], [TINY]).rule not in (None, Rule.N1)]
SHORT = [name for name in NOT_SHARED if len(check(GALLERY[name], [TINY]).difference.ops) <= 4]


def test_there_are_some_to_try():
    assert len(SHORT) >= 8


@pytest.mark.parametrize("name", SHORT)
def test_no_sequence_that_is_shorter_shows_a_difference(name):
    report = check(GALLERY[name], [TINY])
    assert len(report.difference.ops) == first_difference_by_trying_all(GALLERY[name], TINY, 4)
    assert report.shortest


class WrongAtAttempt(Queue):
    wrong = 4

    def ack(self, id, attempt):
        return super().ack(id, attempt) and attempt != self.wrong


class WrongAfterThreeCancels(Queue):
    cancelled = 0

    def cancel(self, id):
        done = super().cancel(id)
        self.cancelled += done
        return done and self.cancelled < 4


class ForgetsAnOldId(Queue):
    def enqueue(self, id, payload):
        if id in self._accepted and len(self._accepted) == 4:
            return True
        return super().enqueue(id, payload)


ONE_AFTER_ANOTHER = World("one after another", 1, tuple(zip("abcd", "ABCD", strict=True)), (1,), in_order=True)


@pytest.mark.parametrize(
    ("kind", "world", "length"),
    [
        (WrongAtAttempt, RETRIES, 9),  # enqueue, 4 reserves, 3 retries, ack
        (type("Later", (WrongAtAttempt,), {"wrong": 7}), RETRIES, 15),
        (WrongAfterThreeCancels, ONE_AFTER_ANOTHER, 8),  # 4 enqueues, 4 cancels
        (ForgetsAnOldId, ONE_AFTER_ANOTHER, 8),  # 4 enqueues with 3 cancels between, and one more
    ],
)
def test_a_late_fault_is_found_at_its_shortest_length(kind, world, length):
    report = check(kind, [world])
    assert len(report.difference.ops) == length
    assert report.shortest


def test_shortest_is_not_claimed_where_a_world_had_to_stop_early():
    class TwoFaults(Queue):
        log = ()

        def retry(self, id, attempt):
            if id == "b":
                self.log = (*self.log, attempt)
            done = super().retry(id, attempt)
            return done and (id, attempt) not in {("a", 7), ("b", 3)}

        def ack(self, id, attempt):
            if "b" in self._accepted:
                self.log = (*self.log, id, attempt)
            return super().ack(id, attempt)

        def cancel(self, id):
            if "b" in self._accepted:
                self.log = (*self.log, id)
            return super().cancel(id)

    only_b = World("only b", 1, (("b", "B"),), tuple(range(8)))
    assert len(check(TwoFaults, [only_b.without(["ack", "cancel"])]).difference.ops) == 7
    report = check(TwoFaults, [only_b, RETRIES], limit=800)
    assert len(report.difference.ops) == 7 or not report.shortest


# Answers that change from run to run


def test_a_queue_that_throws_dice_is_reported_and_the_report_says_so():
    dice = random.Random(3)

    class Dice(Queue):
        def reserve(self):
            return None if dice.random() < 0.1 else super().reserve()

    def numbers():
        return dice.random()

    Dice.dice = property(lambda self: numbers())
    report = check(Dice, [SMALL], limit=2_000)
    assert not report.exhaustive
    str(report), report.to_dict(), report._repr_html_()


@pytest.mark.parametrize("failing", [2, 5, 12])
def test_a_queue_that_sometimes_cannot_be_made_is_reported(failing, tmp_path):
    log = tmp_path / "log"

    class Flaky(Queue):
        def __init__(self, capacity):
            with open(log, "a", encoding="utf-8") as file:
                file.write("x")
            if log.stat().st_size == failing:
                raise OSError("not now")
            super().__init__(capacity)

    report = check(Flaky, [TINY])
    assert not report.exhaustive
    assert "\n" not in report.summary
    str(report), report.to_dict(), report._repr_html_()


# Interrupts, limits, arguments


def test_an_interrupt_ends_the_check_with_what_is_known():
    class Interrupted(Queue):
        def reserve(self):
            if len(self._accepted) == 2:
                raise KeyboardInterrupt
            return super().reserve()

    report = check(Interrupted, [SMALL])
    assert report.interrupted
    assert report.conforms
    assert not report.exhaustive
    assert "interrupted" in report.summary
    assert 0 < report.operations < 1_000
    assert not report.results[0].complete


def test_a_limit_leaves_a_right_queue_unproved():
    report = check(Queue, [SMALL], limit=100)
    assert report.conforms
    assert not report.exhaustive
    assert not report.results[0].complete


def test_what_is_skipped_is_not_called_and_is_said():
    class NoCancel(Queue):
        cancel = None

    assert not check(NoCancel, [SMALL]).conforms
    report = check(NoCancel, [SMALL], skip=["cancel"])
    assert report.exhaustive
    assert report.partial
    assert "cancel" in " ".join(report.notes)
    assert "Not all operations took part" in report.summary


@pytest.mark.parametrize("thing", [None, "MyQueue", 3, Queue(1), []])
def test_what_is_no_class_is_refused(thing):
    with pytest.raises(TypeError, match=r"queue class"):
        check(thing)


@pytest.mark.parametrize("skip", ["add", ["add"], ["ack", "nack"], [None], "ack,retry"])
def test_what_is_no_operation_cannot_be_skipped(skip):
    with pytest.raises(ValueError, match="enqueue, reserve, ack, retry, cancel"):
        check(Queue, skip=skip)


def test_a_function_that_makes_queues_will_do():
    assert check(lambda capacity: Queue(capacity), [TINY]).exhaustive


def test_a_job_of_a_kind_of_its_own_will_do():
    class Own(Queue):
        def reserve(self):
            job = super().reserve()
            return job and type("Reservation", (), job._asdict())()

    assert check(Own, [TINY]).conforms
    assert Job._fields == ("id", "payload", "attempt")
