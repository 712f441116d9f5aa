"""What a quiz offers to choose from: plausible answers, in a row that gives nothing away."""

from collections import Counter, defaultdict
from functools import partial
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rq import Scenario, check, random_scenario, trace
from rq.beliefs import BELIEFS
from rq.believed import BelievedQueue
from rq.broken import GALLERY
from rq.choices import MOST_CHOICES, choices

A, B, R = ("enqueue", "a", "A"), ("enqueue", "b", "B"), ("reserve",)
ABOUT_HALF = 0.55
NONE_SUCH = "no such button"


def reserves(seeds):
    """Each reserve of the random exercises: its exercise, the step, and what is offered."""
    for seed in seeds:
        made = trace(random_scenario(seed))
        for step in made.steps:
            if step.operation[0] == "reserve":
                yield made, step, choices(made, step.number)


def draws(scenario, number):
    """What step `number` offers when more calls follow: the question is the same, and the row is drawn anew."""
    for more in range(60 - len(scenario.ops)):
        ops = (*scenario.ops, *[("cancel", "-")] * more)
        yield choices(trace(Scenario(scenario.capacity, ops)), number)


@given(st.integers(0, 10_000), st.integers(0, 64))
def test_they_are_few_different_and_hold_the_answer(seed, length):
    made = trace(random_scenario(seed, length))
    for step in made.steps:
        offered = choices(made, step.number)
        assert step.expected in offered
        assert len(offered) <= MOST_CHOICES
        assert all(offered.count(guess) == 1 for guess in offered)


def test_what_is_offered_is_the_same_on_every_machine():
    made = trace(random_scenario(22))
    a3, again3 = ["a", "A", 3], ["a", "again", 3]
    assert choices(made, 9) == [None, ["a", "again", 2], ["a", "A", 2], again3, a3, ["b", "B", 1]]
    assert [choices(made, number) for number in (1, 4)] == [[True, False]] * 2


def test_new_returns_nothing_else():
    assert choices(trace(Scenario(1, [["new"], ["use", 0]])), 1) == [None]
    assert choices(trace(Scenario(1, [["new"], ["use", 0]])), 2) == [None]


# Nothing is given away

ROWS = [(row, step.expected) for _, step, row in reserves(range(300))]
SIZES = sorted(size for size, rows in Counter(len(row) for row, _ in ROWS).items() if rows >= 50)


def place(number, row):
    return row[number]


def by_attempt(number, row):
    """The reservation with the lowest attempt, the second lowest, or from the highest on."""
    return sorted(filter(None, row), key=lambda guess: guess[2])[number]


def of_a_job(which, number, row):
    """The same among those of one job: of the first in the row, the last, or the one offered most often."""
    ids = [guess[0] for guess in row if guess]
    id = {"first": ids[0], "last": ids[-1], "most": max(ids, key=ids.count)}[which]
    mine = [guess for guess in row if guess and guess[0] == id]
    index = len(mine) // 2 if number == "middle" else number
    return mine[index] if index < len(mine) else NONE_SUCH


def twice(number, row):
    """Of a job's two payloads at the same attempt, the first or the second."""
    pairs = [list(same) for _, same in groupby(filter(None, row), key=lambda guess: (guess[0], guess[2]))]
    return next((pair[number] for pair in pairs if len(pair) == 2), NONE_SUCH)


RULES = {
    "None": lambda row: None,
    **{f"attempt {number}": partial(by_attempt, number) for number in (0, 1, 2, -1, -2, -3)},
    **{
        f"{which} job, {number}": partial(of_a_job, which, number)
        for which in ("first", "last", "most")
        for number in (0, 1, 2, "middle", -1)
    },
    **{f"twice, {number}": partial(twice, number) for number in (0, 1)},
}
"""What somebody might press who does not read the calls."""


def is_right(rule, rows):
    """How often the rule picks the right button."""
    return sum(rule(row) == expected for row, expected in rows) / len(rows)


def test_nearly_all_rows_are_of_sizes_that_are_looked_at():
    assert sum(len(row) in SIZES for row, _ in ROWS) > 0.95 * len(ROWS)


@pytest.mark.parametrize("size", SIZES)
def test_no_place_is_right_more_than_about_half_the_time(size):
    rows = [pair for pair in ROWS if len(pair[0]) == size]
    assert all(is_right(partial(place, number), rows) <= ABOUT_HALF for number in range(size))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", SIZES)
def test_no_rule_of_thumb_is_right_more_than_about_half_the_time(rule, size):
    rows = [pair for pair in ROWS if len(pair[0]) == size]
    assert is_right(RULES[rule], rows) <= ABOUT_HALF


def test_none_and_the_right_job_stand_anywhere():
    """Among the jobs of a row, each with its buttons side by side, and None."""
    at = defaultdict(Counter)
    for row, expected in ROWS:
        places = [id for id, _ in groupby(row, key=lambda guess: guess and guess[0])]
        at["None", len(places)][places.index(None)] += 1
        if expected:
            at["right", len(places)][places.index(expected[0])] += 1
    for (_, number), seen in at.items():
        if number > 1 and seen.total() >= 50:
            assert max(seen.values()) / seen.total() <= 1 / number + 0.1


def test_which_of_two_attempts_of_a_job_is_its_next_one_does_not_show():
    """Of the jobs that were reserved before, and of which two attempts are offered, with one payload."""
    higher = []
    for _, step, row in reserves(range(300)):
        for job in step.before.current.jobs:
            attempts = [guess[2] for guess in row if guess and guess[:2] == [job.id, job.payload]]
            if job.attempt and len(attempts) == 2:
                higher.append(attempts[1] == job.attempt + 1)
    assert len(higher) > 100
    assert 0.4 <= sum(higher) / len(higher) <= 0.6


def test_of_two_payloads_at_one_attempt_the_first_is_right_about_half_the_time():
    """Where the pair is that of the right attempt."""
    first = []
    for row, expected in ROWS:
        pair = [guess for guess in row if guess and expected and guess[::2] == expected[::2]]
        if len(pair) == 2:
            first.append(pair[0] == expected)
    assert len(first) >= 50
    assert 0.4 <= sum(first) / len(first) <= 0.6


@given(st.integers(0, 10_000))
def test_every_job_is_offered_by_the_same_rule(seed):
    """Its next attempt, and each attempt with all its payloads; the buttons of a job stand together, in order."""
    for _, step, row in reserves([seed]):
        jobs = {job.id: job for job in step.before.current.jobs}
        groups = [(id, list(guesses)) for id, guesses in groupby(filter(None, row), key=lambda guess: guess[0])]
        payloads = defaultdict(set)
        for id, guesses in groups:
            attempts = [attempt for _, _, attempt in guesses]
            assert attempts == sorted(attempts)
            assert (jobs[id].attempt if id in jobs else 0) + 1 in attempts
            for _, payload, attempt in guesses:
                payloads[id].add(payload)
                assert attempts.count(attempt) == len({text for _, text, _ in guesses})
        assert len(groups) == len(payloads)
        if len(jobs) < 3:  # with two payloads each, there is room for two jobs
            assert set(payloads) >= set(jobs)


@pytest.mark.parametrize("place", [0, 7, 15])
def test_of_many_jobs_any_may_be_offered_beside_the_right_one(place):
    jobs = [(("enqueue", f"job-{number}", "")) for number in range(16)]
    gone = [("cancel", f"job-{number}") for number in range(place)]
    scenario = Scenario(16, (*jobs, *gone, R))
    rows = [{guess[0] for guess in row if guess} for row in draws(scenario, len(scenario.ops))]
    seen = Counter(id for row in rows for id in row)
    assert {len(row) for row in rows} == {MOST_CHOICES - 1}
    assert seen.pop(f"job-{place}") == len(rows)
    assert len(seen) == 15
    assert max(seen.values()) <= 0.7 * len(rows)


# There is something to choose from


@pytest.mark.parametrize(
    ("ops", "ids"),
    [
        ([R], {"a"}),
        ([["new"], R], {"a"}),
        ([A, R], {"a"}),
        ([A, ["cancel", "a"], R], {"a"}),
        ([A, R, B], {"a", "b"}),
        ([A, ["new"], R], {"a"}),
        ([A, B, ["enqueue", "c", "C"], R], {"a", "b"}),
        ([R, ["enqueue", "b", "B"], ["enqueue", "c", "C"], ["enqueue", "d", "D"]], {"b", "c"}),
    ],
)
def test_jobs_of_elsewhere_fill_a_row_with_fewer_than_two(ops, ids):
    number = ops.index(R) + 1
    row = choices(trace(Scenario(1 if ["new"] in ops or number < 4 else 2, ops)), number)
    assert {guess[0] for guess in row if guess} == ids
    assert len(row) >= 4
    assert all(row.count(guess) == 1 for guess in row)


def payloads(id, ops):
    """The payloads that a job is offered with at the last call."""
    return {guess[1] for guess in choices(trace(Scenario(1, ops)), len(ops)) if guess and guess[0] == id}


def test_a_job_of_elsewhere_has_the_payload_it_was_first_named_with():
    assert payloads("b", [A, B, ["enqueue", "b", "again"], R]) == {"B"}


def test_a_job_is_offered_with_the_payload_of_the_last_refused_duplicate_too():
    assert payloads("a", [A, ["enqueue", "a", "x"], ["enqueue", "a", "y"], R]) == {"A", "y"}


def test_a_duplicate_that_another_queue_refused_is_no_payload_here():
    other = [["use", 0], ["enqueue", "a", "x"], ["use", 1]]
    assert payloads("a", [A, ["new"], ["enqueue", "a", "y"], *other, R]) == {"y"}


DRAWN = {"AttemptStartsAtZero", "AttemptNotIncremented", "AttemptSharedAcrossJobs", "DeliveredTwice"}
"""Another number of a job. Were it always there, the right number would always have the same place beside it."""

UNLIKELY = {"RetryDropsPayload"}
"""Nobody would guess that a payload is lost."""


@pytest.mark.parametrize("name", sorted(set(GALLERY) - UNLIKELY))
def test_what_a_queue_without_the_rule_says_is_among_the_choices_of_a_reserve(name):
    """At the shortest sequence that shows a gallery queue's fault, its answer is offered, if it is an answer at all."""
    made = check(GALLERY[name]).trace
    step = made.steps[-1]
    if step.operation[0] == "reserve" and (step.returned is None or isinstance(step.returned, list)):
        offered = [step.returned in row for row in draws(made.scenario, len(made))]
        assert sum(offered) >= len(offered) / 3 if name in DRAWN else all(offered)


NUMBERS = {"attempts from 0", "one counter", "retry renumbers", "same ticket again"}
"""Beliefs about the number alone."""


@pytest.mark.parametrize("name", [name for name, belief in BELIEFS.items() if "reserve" in belief.verbs])
def test_what_a_belief_leads_to_is_offered(name):
    """The first wrong answer of one who holds it: always, if it names another job or payload; a number is drawn."""
    offered = []
    for seed in range(300):
        made = trace(random_scenario(seed))
        answers = made.scenario.run(lambda capacity: BelievedQueue(capacity, name))
        wrong = next((step for step in made.steps if answers[step.number - 1] != step.expected), None)
        if wrong and wrong.operation[0] == "reserve":
            offered.append(answers[wrong.number - 1] in choices(made, wrong.number))
    assert len(offered) >= 15
    assert sum(offered) >= len(offered) / 3 if name in NUMBERS else all(offered)
