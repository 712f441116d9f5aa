"""A wrong guess gets the sentence on that very mistake, and a real queue that makes it gives that very answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rq import EXAMPLES, Scenario, check, random_scenario, trace
from rq.broken import GALLERY
from rq.mistakes import mistake
from rq.quiz import choices

A = ["enqueue", "a", "A"]
B = ["enqueue", "b", "B"]
R = ["reserve"]


def done(id):
    return [["enqueue", id, ""], R, ["ack", id, 1]]


# The calls, a wrong answer to the last one, what is said, and a gallery queue that gives this answer (or None).
CASES = {
    "E1 refused id": (
        1,
        [A, B, ["cancel", "a"], B],
        False,
        "a refused enqueue used up its id",
        "RefusedReservesId",
    ),
    "E1 done": (1, [*done("a"), B], False, "a finished job kept its slot; a gave it back", None),
    "E1 cancelled": (1, [A, ["cancel", "a"], B], False, "a finished job kept its slot", "CancelWaitingLeaksSlot"),
    "E1 other queue": (1, [A, ["new"], A], False, "queues shared their ids", "StateSharedBetweenQueues"),
    "E1 plain": (2, [A], False, "the queue were full, or the id were used; 0 of 2 slots are taken", None),
    "E2 waiting": (2, [A, A], True, "one id could wait twice; a waits already", None),
    "E2 in flight": (
        2,
        [A, R, A],
        True,
        "an id were free again once its job left the line; a is in flight",
        "DuplicateWhileInFlight",
    ),
    "E2 done": (1, [*done("a"), A], True, "a finished job gave its id back", "IdForgottenAfterAck"),
    "E3 in flight": (1, [A, R, B], True, "reserving a job freed its slot", "CapacityCountsWaitingOnly"),
    "E3 retried": (
        1,
        [A, R, ["retry", "a", 1], B],
        True,
        "retry freed the slot; it keeps it: a waits",
        "RetryFreesSlot",
    ),
    "E3 waiting": (1, [A, B], True, "there were a slot more; 1 of 1 slots are taken", "CapacityOffByOne"),
    "E3 none": (0, [A], True, "there were a slot at all; capacity 0 refuses every job", "ZeroMeansUnlimited"),
    "R1 none in line": (1, [A, R], None, "nobody waited; a waits at place 1", None),
    "R1 none in flight": (2, [A, R, B, R], None, "reserve waited until nothing is in flight; b waits", None),
    "R1 newest": (2, [A, B, R], ["b", "B", 1], "the newest job went first; a has waited longest", "Lifo"),
    "R1 any": (3, [A, B, ["enqueue", "c", "C"], R], ["b", "B", 1], "reserve could pick any job that waits", None),
    "R1 retried": (
        2,
        [A, B, R, ["retry", "a", 1], R],
        ["a", "A", 2],
        "a retried job kept its old place",
        "RetryToHead",
    ),
    "R1 attempt kept": (
        1,
        [A, R, ["retry", "a", 1], R],
        ["a", "A", 1],
        "kept its attempt number; each",
        "AttemptNotIncremented",
    ),
    "R1 attempt 0": (1, [A, R], ["a", "A", 0], "attempts counted from 0; the first one is 1", "AttemptStartsAtZero"),
    "R1 one counter": (2, [A, B, R, R], ["b", "B", 2], "counted their attempts together", "AttemptSharedAcrossJobs"),
    "R1 payload": (1, [A, ["enqueue", "a", "x"], R], ["a", "x", 1], "change the payload", "RefusedDuplicateOverwrites"),
    "R1 attempt raised": (
        1,
        [A, R, ["retry", "a", 1], R],
        ["a", "A", 3],
        "something else raised the attempt too",
        None,
    ),
    "R1 cancelled": (
        2,
        [A, B, ["cancel", "a"], R],
        ["a", "A", 1],
        "cancel left the job in the line; a is gone",
        "CancelledStillDelivered",
    ),
    "R2 in flight": (
        1,
        [A, R, R],
        ["a", "A", 2],
        "reserve could hand out a job that is in flight; a#1 is still out",
        None,
    ),
    "R2 done": (1, [*done("a"), R], ["a", "A", 2], "a job that is done could be handed out again", None),
    "R2 unknown": (1, [R], ["a", "A", 1], "a had been accepted; it never was", None),
    "A1 after a refusal": (
        1,
        [A, R, ["ack", "a", 2], ["ack", "a", 1]],
        False,
        "a refusal changes nothing, so a#1",
        None,
    ),
    "A1 second ticket": (
        1,
        [A, R, ["retry", "a", 1], R, ["ack", "a", 2]],
        False,
        "only the first ticket",
        "AckRefusedAfterRetry",
    ),
    "T1 out of order": (2, [A, B, R, R, ["retry", "b", 1]], False, "in the order of the reservations", None),
    "A1 plain": (1, [A, R, ["ack", "a", 1]], False, "something had ended this reservation; nothing has", None),
    "C1": (1, [A, ["cancel", "a"]], False, "only a job in flight could be cancelled; a waits", "CancelWaitingRefused"),
    "C2": (1, [A, R, ["cancel", "a"]], False, "not be cancelled once it is in flight", "CancelInFlightRefused"),
    "C3 unknown": (1, [["cancel", "a"]], True, "no such job is left; a was never accepted", "CancelUnknownTrue"),
    "C3 cancelled": (
        1,
        [A, ["cancel", "a"], ["cancel", "a"]],
        True,
        "a second cancel counted as well",
        "CancelFinishedTrue",
    ),
    "C3 done": (
        1,
        [*done("a"), ["cancel", "a"]],
        True,
        "a job that is done could still be cancelled",
        "CancelFinishedTrue",
    ),
    "X unknown": (1, [["ack", "a", 1]], True, "any id could be reported on; a was never accepted", "AckUnknownTrue"),
    "X waiting": (1, [A, ["ack", "a", 1]], True, "before anybody holds it; a waits", "DoneWithoutGet"),
    "X retried": (
        1,
        [A, R, ["retry", "a", 1], ["ack", "a", 1]],
        True,
        "the retry ended a#1, and a waits",
        "AckWaitingAccepted",
    ),
    "X done": (1, [*done("a"), ["ack", "a", 1]], True, "a result counted twice", None),
    "X cancelled": (
        1,
        [A, R, ["cancel", "a"], ["ack", "a", 1]],
        True,
        "cancel left the reservation valid",
        "CancelInFlightStillAcks",
    ),
    "X zero": (1, [A, R, ["ack", "a", 0]], True, "0 meant whichever attempt is current", "ZeroAttemptIsWildcard"),
    "X stale": (
        1,
        [A, R, ["retry", "a", 1], R, ["ack", "a", 1]],
        True,
        "an older attempt were good enough; a#1 was superseded by a#2",
        "AckAcceptsOlderAttempt",
    ),
    "X future": (
        1,
        [A, R, ["ack", "a", 2]],
        True,
        "a number above the current one were good enough",
        "AckAcceptsFutureAttempt",
    ),
    "enqueue, None": (1, [A], None, "enqueue returns True or False.", None),
    "reserve, True": (1, [A, R], True, "reserve returns a job or None.", None),
}


@pytest.mark.parametrize(("capacity", "ops", "guess", "said", "broken"), CASES.values(), ids=CASES)
def test_a_wrong_guess_gets_its_own_sentence(capacity, ops, guess, said, broken):
    scenario = Scenario(capacity, ops)
    made = trace(scenario)
    assert said in mistake(made, len(ops), guess)
    if broken is not None:
        assert scenario.run(GALLERY[broken])[-1] == guess


def test_the_right_answer_is_no_mistake():
    with pytest.raises(ValueError, match=r'ack\("a", 1\) does return that'):
        mistake(trace(EXAMPLES["fifo"].scenario), 6, True)


@given(st.integers(0, 10_000))
def test_every_wrong_choice_gets_one_sentence_and_no_two_of_a_question_the_same(seed):
    made = trace(random_scenario(seed))
    for step in made.steps:
        wrong = [guess for guess in choices(made, step.number) if guess != step.expected]
        said = [mistake(made, step.number, guess) for guess in wrong]
        assert len(said) == len(choices(made, step.number)) - 1
        for sentence in said:
            assert sentence.startswith("That would be right if ")
            assert sentence.endswith(".")
            assert "  " not in sentence
            assert step.decision.why not in sentence


UNLIKELY = {"AttemptStartsAtTwo", "RetryDropsPayload"}
"""Nobody would guess these: a first attempt of 2, and a payload that is lost."""


@pytest.mark.parametrize("name", sorted(set(GALLERY) - UNLIKELY))
def test_what_a_queue_without_the_rule_says_is_among_the_choices_of_a_reserve(name):
    """At the shortest sequence that shows a gallery queue's fault, its answer is offered, if it is an answer at all."""
    made = check(GALLERY[name]).trace
    step = made.steps[-1]
    if step.operation[0] == "reserve" and (step.returned is None or isinstance(step.returned, list)):
        assert step.returned in choices(made, len(made))
