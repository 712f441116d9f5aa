"""A wrong guess gets the sentence on that very mistake: the belief under which it would be right."""

from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rq import EXAMPLES, Scenario, check, random_scenario, trace
from rq.beliefs import BELIEFS, BelievedQueue
from rq.choices import choices
from rq.mistakes import mistake

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
    "E1 plain": (2, [A], False, None),
    "E2 waiting": (2, [A, A], True, "an id could be in line twice"),
    "E2 in flight": (2, [A, R, A], True, "an id was free again once its job left the line; it stays used"),
    "E2 done": (1, [*done("a"), A], True, "an id was free again once its job left the line"),
    "E2 and full": (1, [A, A], True, None),
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
    "A1 plain": (1, [A, R, ["ack", "a", 1]], False, None),
    "C1": (1, [A, ["cancel", "a"]], False, "only a job in flight could be cancelled; a waiting one can too"),
    "C2": (1, [A, R, ["cancel", "a"]], False, "only a waiting job could be cancelled; one in flight can too"),
    "C3 unknown": (1, [["cancel", "a"]], True, "cancel only had to see that no such job is left"),
    "C3 cancelled": (1, [A, ["cancel", "a"], ["cancel", "a"]], True, "cancel only had to see that no such job"),
    "X unknown": (1, [["ack", "a", 1]], True, "any id could be reported on; only an accepted one can"),
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
    "E1 plain": "Think of rule E1: ",
    "E2 and full": "Think of rule E2: ",
    "R1 none in line": "Somebody waits, so reserve hands out a job.",
    "R1 any": "Reserve takes the job that has waited longest, if any waits.",
    "R1 attempt 2": "a has had 0 reservations, so 2 is not its next attempt.",
    "R2 unknown": "a is not in this queue: it was never accepted here.",
}


@pytest.mark.parametrize("name", PLAIN)
def test_where_no_belief_leads_to_the_guess_something_true_is_said(name):
    capacity, ops, guess, _ = CASES[name]
    assert mistake(trace(Scenario(capacity, ops)), len(ops), guess).startswith(PLAIN[name])


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


def test_most_wrong_choices_of_a_mutation_are_explained_by_a_belief():
    explained = []
    for seed in range(100):
        made = trace(random_scenario(seed))
        for step in made.steps:
            if step.operation[0] != "reserve":
                (wrong,) = [guess for guess in choices(made, step.number) if guess != step.expected]
                explained.append(mistake(made, step.number, wrong).startswith("That would be right if"))
    assert sum(explained) > 0.6 * len(explained)


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
