"""Fencing is not exactly once: what the ledger shows, and the counts confirmed in two other ways."""

from __future__ import annotations

from itertools import permutations
from math import comb

import pytest

from rq import Scenario, trace
from rq.beyond import Attempts, Counts, Ledger, count, fate, histories, tally
from rq.beyond.interleavings import FATES, merges

LOST = ["effect 1", "loss 1", "retry", "effect 2", "report 2"]


def entries(attempts) -> list[tuple[str, int, str]]:
    return [(entry.by, entry.amount, entry.key) for entry in attempts.ledger.entries]


# One history


def test_a_worker_lost_between_effect_and_report_doubles_the_effect():
    attempts = Attempts(LOST)
    assert entries(attempts) == [("worker 1", 10, "-"), ("worker 2", 10, "-")]
    assert attempts.doubled
    assert attempts.moments[-1].why.endswith("so a is done; the customer has paid 20 for one job")
    assert not attempts.lost
    assert attempts.charges == 2


def test_the_queue_did_nothing_wrong():
    """The calls that the story makes give the contract's answers."""
    calls = [["enqueue", "a", "charge 10"], ["reserve"], ["retry", "a", 1], ["reserve"], ["ack", "a", 2]]
    made = trace(Scenario(1, calls))
    assert made.first_difference is None
    assert made.queues_at(5).current == Attempts(LOST).queue.snapshot()
    assert Attempts(LOST).answers == [True]


@pytest.mark.parametrize(
    ("events", "charges"),
    [(["loss 1", "retry", "effect 2", "report 2"], 1), (LOST, 2), (["effect 1", "report 1", "loss 1", "retry"], 1)],
)
def test_where_the_worker_is_lost_decides(events, charges):
    assert Attempts(events).charges == charges


def test_the_same_key_for_both_attempts_makes_the_ledger_right():
    attempts = Attempts(LOST, key="job")
    assert entries(attempts) == [("worker 1", 10, "a")]
    assert not attempts.doubled
    assert "books nothing" in attempts.moments[4].why


def test_a_key_that_differs_by_attempt_helps_nobody():
    attempts = Attempts(LOST, key="ticket")
    assert entries(attempts) == [("worker 1", 10, "a#1"), ("worker 2", 10, "a#2")]
    assert attempts.doubled


def test_reconciliation_gives_back_what_was_paid_too_often():
    attempts = Attempts([*LOST, "reconcile"])
    assert entries(attempts)[2:] == [("reconcile", -10, "-")]
    assert attempts.ledger.total == 10
    assert attempts.moments[5].wrong
    assert not attempts.moments[6].wrong


def test_reconciliation_can_be_early_and_may_be_repeated():
    early = ["effect 1", "retry", "effect 2", "report 2", "reconcile", "effect 1"]
    assert Attempts(early[:5]).ledger.total == 10
    assert Attempts(early).doubled
    assert Attempts([*early, "reconcile", "reconcile"]).ledger.total == 10


def test_reconciliation_leaves_alone_what_agrees():
    before = Attempts(["effect 1", "report 1"])
    after = Attempts(["effect 1", "report 1", "reconcile"])
    assert before.ledger.entries == after.ledger.entries


def test_a_worker_that_reports_first_can_lose_the_effect_and_reconciliation_makes_it():
    attempts = Attempts(["report 1", "loss 1", "retry"])
    assert attempts.lost
    assert attempts.moments[-1].wrong
    assert not Attempts(["report 1", "loss 1", "reconcile"]).lost


def test_the_tables_show_the_queue_the_workers_and_the_ledger():
    captions = [table.caption for table in Attempts([]).moments[0].tables]
    assert captions == ["in the queue", "workers", "ledger"]
    lines = [table.line for table in Attempts(LOST).moments[-1].tables]
    assert lines == ["a: done, 2", "worker 1: lost; worker 2: has reported", "1: worker 1, 10; 2: worker 2, 10"]


@pytest.mark.parametrize(
    ("events", "sentence"),
    [
        (["effekt 1"], "an event begins with one of effect, report, loss, retry, reconcile; 'effekt 1' does not"),
        ([7], "an event begins with one of .*; 7 does not"),
        (["effect 2"], "'effect 2': there is no such worker; so far there are 1"),
        (["effect"], "'effect': there is no such worker; so far there are 1"),
        (["loss 1", "effect 1"], "'effect 1': worker 1 is lost and does nothing any more"),
        (["retry 1"], "'retry 1': retry is a word of its own, without a worker's number"),
    ],
)
def test_an_event_that_cannot_be_is_refused_in_one_sentence(events, sentence):
    with pytest.raises(ValueError, match=sentence):
        Attempts(events)


def test_a_key_of_another_kind_is_refused():
    with pytest.raises(ValueError, match="key must be None, 'job' or 'ticket', not 'a'"):
        Attempts([], key="a")


def test_a_ledger_books_a_key_once_and_everything_without_a_key():
    ledger = Ledger()
    assert [ledger.book("x", 1, "k"), ledger.book("y", 1, "k"), ledger.book("x", 1), ledger.book("x", 1)] == [
        True,
        False,
        True,
        True,
    ]
    assert ledger.total == 3


# All histories, counted in another way: every order of every choice of events, kept if it can happen

EVENTS = ("effect 1", "report 1", "loss 1", "retry", "effect 2", "report 2", "loss 2")


def can_happen(order) -> bool:
    """The rules of two attempts, each as a sentence about the order alone."""
    at = {event: place for place, event in enumerate(order)}

    def after(late, early) -> bool:
        return late not in at or (early in at and at[early] < at[late])

    def one_end(worker) -> bool:
        """It reports, after its effect, or it is lost, and does nothing afterwards."""
        effect, report, loss = f"effect {worker}", f"report {worker}", f"loss {worker}"
        silent = loss not in at or effect not in at or at[effect] < at[loss]
        return (report in at) != (loss in at) and after(report, effect) and silent

    if "retry" not in at:  # then worker 1 was heard, and there is no worker 2
        return "report 1" in at and one_end(1) and at.keys().isdisjoint({"effect 2", "report 2", "loss 2"})
    unheard = "report 1" not in at or at["retry"] < at["report 1"]  # a report in time: no timeout
    hired = all(after(event, "retry") for event in ("effect 2", "report 2", "loss 2"))
    return one_end(1) and one_end(2) and unheard and hired


def by_brute_force() -> set[tuple[str, ...]]:
    orders = (order for length in range(len(EVENTS) + 1) for order in permutations(EVENTS, length))
    return {order for order in orders if can_happen(order)}


def test_the_histories_are_all_that_can_happen_and_none_is_there_twice():
    assert set(histories()) == by_brute_force()
    assert len(histories()) == len(set(histories())) == 61


def test_the_counts_follow_from_the_orders_alone():
    """No queue and no ledger: the effect is doubled if both workers have it; a report after the retry is refused."""
    orders = by_brute_force()
    doubled = sum({"effect 1", "effect 2"} <= set(order) for order in orders)
    refused = sum("retry" in order and "report 1" in order for order in orders)
    accepted = sum("retry" not in order or "report 2" in order for order in orders)
    unpaid = sum({"effect 1", "effect 2"}.isdisjoint(order) for order in orders)
    assert count() == Counts(len(orders), doubled, 0, refused, accepted, len(orders) - doubled - unpaid)
    assert (len(orders), doubled, refused, accepted, unpaid) == (61, 38, 23, 24, 3)


def test_the_counts_follow_from_a_formula():
    """Worker 1 has k events left when the timeout strikes; they merge with the one or two of worker 2."""
    acting = [2 * comb(k + 2, 2) for k in range(3)]  # worker 2 does its effect, then reports or is lost
    idle = [comb(k + 1, 1) for k in range(3)]  # it is lost before
    left = {"too late": (2, 1), "lost after": (2, 1, 0), "lost before": (1, 0)}
    by_fate = [sum(acting[k] + idle[k] for k in ks) for ks in left.values()]
    assert [count(only=name).histories for name in FATES] == [1, *by_fate] == [1, 23, 26, 11]
    assert count().doubled == sum(acting[k] for name in ("too late", "lost after") for k in left[name]) == 38


def test_merges_keep_both_orders():
    found = list(merges(("a", "b"), ("x", "y")))
    assert len(found) == len(set(found)) == comb(4, 2)
    for order in found:
        assert [event for event in order if event in "ab"] == ["a", "b"]
        assert [event for event in order if event in "xy"] == ["x", "y"]


def test_with_the_job_as_key_none_is_doubled_and_with_the_ticket_as_many_as_without():
    assert count("job") == Counts(61, 0, 0, 23, 24, 58)
    assert count("ticket") == count()


def test_reconciliation_at_the_end_makes_every_ledger_right():
    """The customer has paid once wherever anybody acted; in 3 orders nobody did, and the job is still in flight."""
    ends = [Attempts([*history, "reconcile"]) for history in histories()]
    assert all(attempts.ledger.total == (10 if attempts.charges else 0) for attempts in ends)
    assert [attempts.ledger.total for attempts in ends].count(0) == 3
    assert count(then=["reconcile"]).right == 58


def test_the_queue_accepts_one_report_unless_worker_2_is_lost_and_then_the_job_stays_in_flight():
    for history in histories():
        attempts = Attempts(history)
        lost = "loss 2" in history
        assert attempts.answers.count(True) == (0 if lost else 1)
        assert attempts.queue.snapshot().jobs[0].phase == ("in flight" if lost else "done")


def test_a_third_attempt_would_finish_what_worker_2_left():
    for history in histories():
        if "loss 2" in history:
            third = [*history, "retry", "effect 3", "report 3"]
            assert Attempts(third).answers[-1] is True
            assert Attempts(third, key="job").ledger.total == 10


def test_each_history_has_one_fate():
    assert {fate(history) for history in histories()} == set(FATES)
    assert sum(count(only=name).histories for name in FATES) == 61


def test_the_tally():
    assert tally().rows == (
        ("worker 1 reports in time", 1, 1, 0, 0, 0, 0),
        ("worker 1 reports too late", 23, 9, 23, 18, 0, 0),
        ("worker 1 is lost after its effect", 26, 10, 0, 20, 0, 0),
        ("worker 1 is lost before its effect", 11, 4, 0, 0, 0, 0),
        ("all", 61, 24, 23, 38, 0, 0),
    )
