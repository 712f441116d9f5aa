"""A wrong guess gets the sentence on that very mistake: the belief under which it would be right."""

from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rq import EXAMPLES, Scenario, check, random_scenario, trace
from rq.beliefs import BELIEFS
from rq.believed import BelievedQueue
from rq.choices import choices
from rq.mistakes import mistake
from rq.state import Phase

A = ["enqueue", "a", "A"]
B = ["enqueue", "b", "B"]
R = ["reserve"]


def done(id):
    return [["enqueue", id, ""], R, ["ack", id, 1]]


# The calls, a wrong answer to the last one, and what is said.
CASES = {
    "E1 refused id": (1, [A, B, ["cancel", "a"], B], False, "a refused enqueue used up its id; it does not"),
    "E1 done": (1, [*done("a"), B], False, "a finished job kept its slot; ack and cancel free it"),
    "E1 cancelled": (1, [A, ["cancel", "a"], B], False, "a finished job kept its slot"),
    "E1 other queue": (1, [A, ["new"], A], False, "all queues shared their ids; each queue has its own"),
    "E1 second": (2, [A, B], False, "a queue took one job at a time; it takes one for each slot"),
    "E1 plain": (2, [A], False, "enqueue told whether the id was there before; it tells whether the job was accepted"),
    "E1 others wait": (
        3,
        [A, R, B, ["enqueue", "c", "C"]],
        False,
        "a new job was accepted only if no other waits; a free slot is enough",
    ),
    "E1 others in flight": (
        3,
        [A, B, R, ["enqueue", "c", "C"]],
        False,
        "a new job was accepted only if none is in flight; a free slot is enough",
    ),
    "E2 waiting": (2, [A, A], True, "an id could be in line twice"),
    "E2 in flight": (2, [A, R, A], True, "an id was free again once its job left the line; it stays used"),
    "E2 done": (1, [*done("a"), A], True, "an id was free again once its job left the line"),
    "E2 and full": (1, [A, A], True, "enqueue was True whenever the job is in the queue; it is True only when it adds"),
    "E2 done and full": (1, [*done("a"), B, A], True, "a second enqueue with the same id replaced the payload"),
    "E3 in flight": (1, [A, R, B], True, "reserving a job freed its slot; a job in flight keeps it"),
    "E3 retried": (1, [A, R, ["retry", "a", 1], B], True, "retry freed the slot; it keeps it"),
    "E3 waiting": (1, [A, B], True, "a full queue had room for one more; the capacity is the limit"),
    "E3 none": (0, [A], True, "a full queue had room for one more"),
    "R1 none in line": (1, [A, R], None, None),
    "R1 none in flight": (2, [A, R, B, R], None, "reserve waited until nothing is in flight; several may be"),
    "R1 newest": (2, [A, B, R], ["b", "B", 1], "the newest job went first; the one that has waited longest does"),
    "R1 any": (3, [A, B, ["enqueue", "c", "C"], R], ["b", "B", 1], None),
    "R1 retried": (2, [A, B, R, ["retry", "a", 1], R], ["a", "A", 2], "a retried job went to the head of the line"),
    "R1 old place": (
        3,
        [A, B, ["enqueue", "c", "C"], R, R, ["retry", "a", 1], ["retry", "b", 1], R],
        ["a", "A", 2],
        "a retried job got its old place back; it goes to the tail",
    ),
    "R1 attempt kept": (1, [A, R, ["retry", "a", 1], R], ["a", "A", 1], "kept its attempt number; each reservation"),
    "R1 attempt 0": (1, [A, R], ["a", "A", 0], "attempts counted from 0; the first one is 1"),
    "R1 attempt 2": (1, [A, R], ["a", "A", 2], None),
    "R1 one counter": (2, [A, B, R, R], ["b", "B", 2], "all jobs counted their attempts together"),
    "R1 payload": (1, [A, ["enqueue", "a", "x"], R], ["a", "x", 1], "a refused enqueue changed the payload"),
    "R1 cancelled": (2, [A, ["cancel", "a"], B, R], ["a", "A", 1], "cancel left a waiting job in the line"),
    "R1 cancelled in flight": (2, [A, R, ["cancel", "a"], B, R], ["a", "A", 2], "a job cancelled in flight came back"),
    "R1 done": (2, [*done("a"), B, R], ["a", "", 2], "a job that is done came back; it is finished for good"),
    "R2 in flight": (1, [A, R, R], ["a", "A", 2], "a job in flight could be handed out again"),
    "R2 same ticket": (1, [A, R, R], ["a", "A", 1], "a ticket could be handed out twice"),
    "R2 unknown": (1, [R], ["a", "A", 1], None),
    "A1 after a refusal": (1, [A, R, ["ack", "a", 2], ["ack", "a", 1]], False, "a refused result spoiled the ticket"),
    "A1 second ticket": (1, [A, R, ["retry", "a", 1], R, ["ack", "a", 2]], False, "only the first ticket of a job"),
    "T1 out of order": (2, [A, B, R, R, ["retry", "b", 1]], False, "in the order of the reservations"),
    "A1 plain": (1, [A, R, ["ack", "a", 1]], False, "attempts counted from 0; the first one is 1"),
    "A1 later": (1, [A, R, B, ["ack", "a", 1]], False, "a reservation ran out after a while; it lasts until a result"),
    "T1 full": (1, [A, R, ["retry", "a", 1]], False, "a retried job needed a free slot; it has kept its own"),
    "T1 not full": (2, [A, R, ["retry", "a", 1]], False, "a job in flight could not go back; retry puts it at the"),
    "T1 again": (
        2,
        [A, R, ["retry", "a", 1], R, ["retry", "a", 2]],
        False,
        "a job could be retried once; the queue sets no limit",
    ),
    "C1": (1, [A, ["cancel", "a"]], False, "only a job in flight could be cancelled; a waiting one can too"),
    "C2": (1, [A, R, ["cancel", "a"]], False, "only a waiting job could be cancelled; one in flight can too"),
    "C3 unknown": (1, [["cancel", "a"]], True, "cancel was True whenever no such job is active; it is True only"),
    "C3 cancelled": (1, [A, ["cancel", "a"], ["cancel", "a"]], True, "cancel was True whenever no such job is active"),
    "X unknown": (1, [["ack", "a", 1]], True, "any id could be reported on; it must be that of a job in flight"),
    "X waiting": (1, [A, ["ack", "a", 1]], True, "a job that waits could be reported on"),
    "X retried": (1, [A, R, ["retry", "a", 1], ["ack", "a", 1]], True, "a ticket counted until the next reservation"),
    "X done": (1, [*done("a"), ["ack", "a", 1]], True, "the same result counted twice"),
    "X done, another": (1, [*done("a"), ["ack", "a", 2]], True, "a finished job could still be reported on"),
    "X cancelled": (1, [A, R, ["cancel", "a"], ["ack", "a", 1]], True, "cancel left the ticket valid"),
    "X cancelled, no ticket": (1, [A, ["cancel", "a"], ["ack", "a", 1]], True, "a finished job could still be"),
    "X zero": (1, [A, R, ["ack", "a", 0]], True, "0 meant whichever attempt is current"),
    "X stale": (1, [A, R, ["retry", "a", 1], R, ["ack", "a", 1]], True, "an older attempt was good enough"),
    "X future": (1, [A, R, ["retry", "a", 2]], True, "a number above the current one was good enough"),
}


@pytest.mark.parametrize(("capacity", "ops", "guess", "belief"), CASES.values(), ids=CASES)
def test_a_wrong_guess_gets_the_belief_behind_it(capacity, ops, guess, belief):
    said = mistake(trace(Scenario(capacity, ops)), len(ops), guess)
    if belief is None:
        assert not said.startswith("That would be right if")
    else:
        assert said.startswith("That would be right if ")
        assert belief in said


PLAIN = {
    "somebody waits": (1, [A, R], None, "Somebody waits, so reserve hands out a job."),
    "unknown": (1, [R], ["a", "A", 1], "a is not in this queue: it was never accepted here."),
    "done": (1, [*done("a"), R], ["a", "", 1], "a is done, so it does not wait."),
    "cancelled": (1, [A, R, ["cancel", "a"], R], ["a", "A", 1], "a is cancelled, so it does not wait."),
    "in flight": (1, [A, R, R], ["a", "A", 3], "a is in flight, so it does not wait."),
    "first": (1, [A, R], ["a", "A", 2], "a has had 0 reservations, so 2 is not its next attempt."),
    "second": (
        1,
        [A, R, ["retry", "a", 1], R],
        ["a", "A", 3],
        "a has had 1 reservation, so 3 is not its next attempt.",
    ),
    "payload": (1, [A, R], ["a", "x", 1], 'a was accepted with the payload "A".'),
    "any": (3, [A, B, ["enqueue", "c", "C"], R], ["b", "B", 1], "Reserve takes the job that has waited longest."),
}
"""Guesses that no belief leads to."""


@pytest.mark.parametrize(("capacity", "ops", "guess", "said"), PLAIN.values(), ids=PLAIN)
def test_where_no_belief_leads_to_the_guess_something_true_is_said(capacity, ops, guess, said):
    assert mistake(trace(Scenario(capacity, ops)), len(ops), guess) == said


@given(st.integers(0, 10_000))
def test_a_job_that_does_not_wait_is_not_said_to_have_another_next_attempt(seed):
    made = trace(random_scenario(seed))
    for step in made.steps:
        for guess in choices(made, step.number) if step.operation == ("reserve",) else ():
            job = step.before.current.find(guess[0]) if guess else None
            if job and job.phase is not Phase.WAITING:
                said = mistake(made, step.number, guess)
                assert said == f"{job.id} is {job.phase}, so it does not wait." or said.startswith("That would be")


@pytest.mark.parametrize(("operation", "guess"), [(A, None), (R, True), (["ack", "a", 1], ["a", "A", 1])])
def test_a_guess_of_the_wrong_kind(operation, guess):
    kind = "a job or None" if operation == R else "True or False"
    assert mistake(trace(Scenario(1, [operation])), 1, guess) == f"{operation[0]} returns {kind}."


def test_the_right_answer_is_no_mistake():
    with pytest.raises(ValueError, match=r'ack\("a", 1\) does return that'):
        mistake(trace(EXAMPLES["fifo"].scenario), 6, True)


@given(st.integers(0, 10_000))
def test_every_wrong_choice_gets_a_sentence_that_does_not_give_the_answer_away(seed):
    made = trace(random_scenario(seed))
    for step in made.steps:
        for guess in choices(made, step.number):
            if guess != step.expected:
                said = mistake(made, step.number, guess)
                assert said.endswith(".")
                assert step.decision.why not in said


@given(st.integers(0, 10_000), st.integers(0, 64))
def test_every_wrong_guess_of_true_or_false_has_a_belief_that_leads_to_it(seed, length):
    """The sentence is true of it: the queue that holds the belief gives the guess after the same calls."""
    made = trace(random_scenario(seed, length))
    for step in made.steps:
        if step.operation[0] != "reserve":
            said = mistake(made, step.number, not step.expected)
            told = [name for name, (wrong, right, _) in BELIEFS.items() if f"{wrong}; {right}." in said]
            assert len(told) == 1
            queue = BelievedQueue(made.scenario.capacity, "")
            for earlier in made.steps[: step.number - 1]:
                getattr(queue, earlier.operation[0])(*earlier.operation[1:])
            queue.belief = told[0]
            now = getattr(queue, step.operation[0])(*step.operation[1:])
            always = made.scenario.run(lambda capacity: BelievedQueue(capacity, told[0]))  # noqa: B023
            assert (not step.expected) in (now, always[step.number - 1])


def test_new_is_no_question():
    with pytest.raises(ValueError, match=r"new\(\) returns nothing, so there is nothing to guess"):
        mistake(trace(Scenario(1, [["new"]])), 1, True)


# The beliefs


class Right(BelievedQueue):
    """Holds no belief."""

    def __init__(self, capacity):
        super().__init__(capacity, "")


def test_without_a_belief_the_queue_keeps_the_contract():
    assert check(Right).conforms


@pytest.mark.parametrize("name", BELIEFS)
def test_every_belief_breaks_the_contract_and_only_where_it_says(name):
    """The belief alone leads away from the contract, and the first wrong answer is to one of its operations."""

    class Believes(BelievedQueue):
        shared: ClassVar = set()

        def __init__(self, capacity):
            super().__init__(capacity, name, self.shared)

    report = check(Believes)
    assert not report.conforms
    shows_elsewhere = {"payload replaced", "cancel retries", "done comes back"}
    assert report.ops[-1][0] in BELIEFS[name].verbs or name in shows_elsewhere


def test_every_belief_explains_some_guess_of_the_cases_or_of_a_random_exercise():
    told = {mistake(trace(Scenario(capacity, ops)), len(ops), guess) for capacity, ops, guess, _ in CASES.values()}
    for seed in range(300):
        made = trace(random_scenario(seed, 20))
        told |= {
            mistake(made, step.number, guess)
            for step in made.steps
            for guess in choices(made, step.number)
            if guess != step.expected
        }
    silent = {belief.wrong for belief in BELIEFS.values() if not any(belief.wrong in sentence for sentence in told)}
    assert silent == set()
