"""Policy is not transition: what to retry, how often, after how long; and the dead letters."""

from __future__ import annotations

import pytest

from rq import Queue, trace
from rq.beyond import DeadLetter, Driven, Policy

JOBS = {"a": ["timeout", "ok"], "b": ["bad address"], "c": ["busy"], "d": ["ok"]}


def test_what_may_go_away_is_tried_again_and_what_will_not_is_given_up_at_once():
    run = Driven(Policy(), JOBS)
    assert run.dead == [DeadLetter("b", "", 1, "bad address"), DeadLetter("c", "", 3, "busy")]
    assert [job.attempt for job in run.queue.snapshot().jobs] == [2, 1, 3, 1]
    assert not run.queue.snapshot().slots


@pytest.mark.parametrize("most", [1, 2, 5, 64])
def test_the_cap_on_attempts_holds(most):
    [letter] = Driven(Policy(most_attempts=most, longest_delay=4), {"a": ["timeout"]}).dead
    assert letter.attempts == most


def test_a_policy_makes_only_the_calls_that_the_queue_has():
    for give_up in ("ack", "cancel"):
        run = Driven(Policy(), JOBS, give_up)
        assert {name for name, *_ in run.calls} <= {"enqueue", "reserve", "ack", "retry", "cancel"}
        assert {name for name, *_ in run.calls} >= {"enqueue", "reserve", "retry", give_up}


@pytest.mark.parametrize("give_up", ["ack", "cancel"])
def test_its_calls_are_a_scenario_that_gives_the_same_end(give_up):
    run = Driven(Policy(), JOBS, give_up)
    made = trace(run.scenario)
    assert made.first_difference is None
    assert made.queues_at(len(made)).current == run.queue.snapshot()
    assert run.queue.snapshot().jobs[1].phase == ("done" if give_up == "ack" else "cancelled")


def test_delays_grow_up_to_the_longest():
    policy = Policy(first_delay=3, factor=2, longest_delay=20)
    assert [policy.delay("a", attempt) for attempt in range(1, 6)] == [3, 6, 12, 20, 20]


def test_without_jitter_all_come_back_at_once_and_with_it_they_spread():
    ids = [f"job-{number}" for number in range(20)]
    assert {Policy(first_delay=60).delay(id, 1) for id in ids} == {60}
    spread = [Policy(first_delay=60, jitter=0.5).delay(id, 1) for id in ids]
    assert len(set(spread)) > 10
    assert all(30 <= delay <= 60 for delay in spread)


def test_the_seed_fixes_the_chance():
    """These numbers are the same on every Python that the course supports."""
    delays = [Policy(first_delay=60, jitter=0.5, seed=1).delay(id, 1) for id in "abcd"]
    assert delays == [Policy(first_delay=60, jitter=0.5, seed=1).delay(id, 1) for id in "abcd"]
    assert delays != [Policy(first_delay=60, jitter=0.5, seed=2).delay(id, 1) for id in "abcd"]
    assert delays == [39, 34, 39, 46]


def test_the_seed_of_the_lesson_spreads_its_four_jobs_over_four_ticks():
    assert [Policy(first_delay=60, jitter=0.5, seed=0).delay(id, 1) for id in "abcd"] == [46, 36, 57, 31]


def test_a_failed_job_stays_in_flight_until_its_delay_is_over():
    run = Driven(Policy(first_delay=5), {"a": ["busy", "ok"]})
    failed, retried, done = run.moments[1:]
    assert [table.line for table in failed.tables] == ["a: in flight, 1", "a#1: 6", "-"]
    assert retried.event == "tick 6: retry a#1"
    assert done.event == "tick 7: a#2 ends, ok"


def test_while_one_waits_for_its_delay_the_others_go_on():
    run = Driven(Policy(first_delay=3), {"a": ["busy", "ok"], "b": ["ok"]})
    assert [moment.event for moment in run.moments[1:]] == [
        "tick 1: a#1 ends, busy",
        "tick 2: b#1 ends, ok",
        "tick 4: retry a#1",
        "tick 5: a#2 ends, ok",
    ]


def test_a_late_give_up_by_ack_is_refused_and_by_cancel_it_hits_the_next_attempt():
    """Why a dead letter had better leave by ack: the fence looks at its ticket."""
    queue = Queue(1)
    queue.enqueue("a", ""), queue.reserve(), queue.retry("a", 1), queue.reserve()
    assert queue.ack("a", 1) is False
    assert queue.cancel("a") is True
    assert queue.ack("a", 2) is False


def test_no_jobs_no_events():
    assert len(Driven(Policy(), {})) == 0


@pytest.mark.parametrize(
    ("numbers", "sentence"),
    [
        ({"most_attempts": 0}, "most_attempts must be from 1 to 64, not 0"),
        ({"most_attempts": 65}, "most_attempts must be from 1 to 64, not 65"),
        ({"jitter": 1.5}, "jitter must be from 0 to 1, not 1.5"),
        ({"jitter": float("nan")}, "jitter must be from 0 to 1, not nan"),
        ({"first_delay": -1}, "a delay must be 0 or more"),
        ({"longest_delay": -1}, "a delay must be 0 or more"),
        ({"factor": 0}, "factor 1 or more"),
    ],
)
def test_numbers_that_make_no_policy_are_refused(numbers, sentence):
    with pytest.raises(ValueError, match=sentence):
        Policy(**numbers)


def test_outcomes_and_ways_to_give_up_that_make_no_sense_are_refused():
    with pytest.raises(ValueError, match="each job needs at least one outcome"):
        Driven(Policy(), {"a": []})
    with pytest.raises(ValueError, match="give_up must be 'ack' or 'cancel', not 'bury'"):
        Driven(Policy(), {"a": ["ok"]}, give_up="bury")


@pytest.mark.parametrize("outcomes", ["ok", None, 7, [7], [["ok"]], {"ok"}])
def test_outcomes_that_are_no_list_of_words_are_a_mistake(outcomes):
    with pytest.raises(TypeError, match=r"^each job's outcomes must be a list, such as \['timeout', 'ok'\]$"):
        Driven(Policy(), {"a": outcomes})


@pytest.mark.parametrize("outcomes", [None, "ok", [("a", ["ok"])]])
def test_outcomes_of_no_jobs_are_a_mistake(outcomes):
    with pytest.raises(TypeError, match=r"^outcomes must be a dict, such as {'a': \['timeout', 'ok'\]}, not "):
        Driven(Policy(), outcomes)


@pytest.mark.parametrize("policy", [None, 3, Policy])
def test_what_is_no_policy_is_a_mistake(policy):
    with pytest.raises(TypeError, match=r"^policy must be a Policy, such as Policy\(most_attempts=3\), not "):
        Driven(policy, {"a": ["ok"]})


@pytest.mark.parametrize("transient", ["timeout", "", None, 7, ("timeout", 7), [None], {"timeout": 1}])
def test_errors_that_are_no_list_of_names_are_a_mistake(transient):
    with pytest.raises(TypeError, match=r"^transient must be error names, such as \('timeout', 'busy'\), not "):
        Policy(transient=transient)


@pytest.mark.parametrize("transient", [(), ("busy",), ["busy", "timeout"]])
def test_an_error_is_transient_only_by_its_whole_name(transient):
    policy = Policy(transient=transient)
    for error in ("busy", "timeout", "time", "", "us"):
        assert (policy.verdict("a", 1, error).delay is not None) == (error in list(transient))


@pytest.mark.parametrize("jitter", ["0.5", None, True, False, 1j, [0.5]])
def test_a_jitter_that_is_no_number_is_a_mistake(jitter):
    with pytest.raises(TypeError, match=r"^jitter must be a number from 0 to 1, not "):
        Policy(jitter=jitter)


@pytest.mark.parametrize(
    ("attempt", "error", "sentence"),
    [
        (0, ValueError, "attempt must be from 1 to 64, not 0"),
        (-1, ValueError, "attempt must be from 1 to 64, not -1"),
        (65, ValueError, "attempt must be from 1 to 64, not 65"),
        (True, TypeError, "attempt must be a whole number, not True"),
        (1.0, TypeError, "attempt must be a whole number, not 1.0"),
        ("1", TypeError, "attempt must be a whole number, not '1'"),
    ],
)
def test_an_attempt_that_cannot_have_failed_is_a_mistake(attempt, error, sentence):
    for ask in (lambda: Policy().delay("a", attempt), lambda: Policy().verdict("a", attempt, "busy")):
        with pytest.raises(error, match=f"^{sentence}$"):
            ask()


def test_an_id_or_an_error_that_is_no_text_is_a_mistake():
    with pytest.raises(TypeError, match=r"^id must be a string, not 7$"):
        Policy().delay(7, 1)
    with pytest.raises(TypeError, match=r"^id must be a string, not 7$"):
        Policy().verdict(7, 1, "busy")
    with pytest.raises(TypeError, match=r"^error must be a string, not None$"):
        Policy().verdict("a", 1, None)


@pytest.mark.parametrize("jitter", [0, 0.0, 0.5, 1])
def test_a_delay_is_a_whole_number_of_ticks(jitter):
    policy = Policy(jitter=jitter)
    assert {type(policy.delay("a", attempt)) for attempt in range(1, 65)} == {int}


@pytest.mark.parametrize("name", ["most_attempts", "first_delay", "factor", "longest_delay", "seed"])
def test_a_number_that_is_not_whole_is_a_mistake(name):
    with pytest.raises(TypeError, match=f"{name} must be a whole number, not 2.5"):
        Policy(**{name: 2.5})
