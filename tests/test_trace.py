"""Traces: each call with both answers, the rule, the states before and after, and what became of each ticket."""

import re

import pytest
from hypothesis import given
from suite import EIGHT_QUEUES, QUEUE_CLASSES, scenarios

from rq import EXAMPLES, Queue, Rule, Scenario, State, decide, trace
from rq.answers import NOT_REACHED, Hung, Raised, Unreadable
from rq.contract import advance
from rq.trace import Summary, Trace, phase_text, summary

FENCE = EXAMPLES["retry fences old attempt"].scenario


class Unfenced(Queue):
    """Forgets to look at the attempt: a late ack completes the job."""

    def ack(self, id, attempt):
        entry = self._in_flight.get(id)
        return super().ack(id, entry.attempt if entry else attempt)


class Raising(Queue):
    """Raises where it should refuse."""

    def cancel(self, id):
        if not super().cancel(id):
            raise KeyError(id)
        return True


def statuses(trace, index):
    return {ticket.name: ticket.status for ticket in trace.tickets_at(index)}


def test_a_trace_has_one_step_for_each_call():
    steps = trace(FENCE).steps
    assert [step.number for step in steps] == [1, 2, 3, 4, 5, 6, 7]
    assert [step.operation for step in steps] == list(FENCE.ops)
    assert [step.decision.rule for step in steps] == [
        Rule.E1,
        Rule.R1,
        Rule.T1,
        Rule.R1,
        Rule.X_STALE,
        Rule.X_STALE,
        Rule.A1,
    ]


def test_a_step_says_what_was_called_and_answered_and_why():
    step = trace(FENCE).steps[4]
    assert step.call == 'ack("a", 1)'
    assert (step.returned, step.expected, step.answer, step.agrees) == (False, False, "False", True)
    assert step.why == "stale attempt: a is on attempt 2 now, so attempt 1 changes nothing [X-stale]"


@given(scenarios())
def test_each_step_begins_where_the_one_before_ended(scenario):
    made = trace(scenario)
    queues = made.queues_at(0)
    assert queues.states == (State(scenario.capacity),)
    for step in made.steps:
        assert step.before == queues
        decision, queues = advance(step.before, step.operation)
        assert (step.decision, step.after) == (decision, queues)
        assert made.queues_at(step.number) == queues
        assert step.agrees
    assert made.answers == scenario.run()
    assert made.first_difference is None


def test_every_queue_has_a_state_before_and_after():
    made = trace(Scenario(1, (("enqueue", "a", "A"), ("new",), ("enqueue", "b", "B"), ("use", 0), ("reserve",))))
    assert [len(step.after.states) for step in made.steps] == [1, 2, 2, 2, 2]
    assert [step.after.selected for step in made.steps] == [0, 1, 1, 0, 0]
    last = made.steps[-1]
    assert last.before.states[1] == last.after.states[1]
    assert last.before.states[0].waiting == ("a",)
    assert last.after.states[0].waiting == ()


# Tickets


def test_a_retry_supersedes_a_ticket_and_an_ack_spends_it():
    made = trace(FENCE)
    assert statuses(made, 1) == {}
    assert statuses(made, 2) == {"a#1": "current"}
    assert statuses(made, 3) == {"a#1": "superseded"}
    assert statuses(made, 4) == statuses(made, 6) == {"a#1": "superseded", "a#2": "current"}
    assert statuses(made, 7) == {"a#1": "superseded", "a#2": "spent"}


def test_a_cancel_in_flight_voids_a_ticket_and_one_while_waiting_touches_none():
    made = trace(EXAMPLES["cancel keeps id reserved"].scenario)
    assert statuses(made, 3) == {}
    assert statuses(made, 8) == {"b#1": "void"}
    ops = (("enqueue", "a", ""), ("reserve",), ("retry", "a", 1), ("cancel", "a"))
    assert statuses(trace(Scenario(1, ops)), 4) == {"a#1": "superseded"}


def test_tickets_of_two_queues_are_kept_apart():
    one = (("enqueue", "a", ""), ("reserve",))
    made = trace(Scenario(1, (*one, ("new",), *one, ("ack", "a", 1))))
    assert [(ticket.queue, ticket.name, ticket.status) for ticket in made.tickets_at(6)] == [
        (0, "a#1", "current"),
        (1, "a#1", "spent"),
    ]


@given(scenarios())
def test_a_ticket_counts_exactly_if_its_ack_would_be_accepted(scenario):
    made = trace(scenario)
    for index in range(len(made) + 1):
        for ticket in made.tickets_at(index):
            state = made.queues_at(index).states[ticket.queue]
            assert decide(state, ("ack", ticket.id, ticket.attempt)).returned is ticket.counts


# Queues that leave the contract


def both_answers(step, returned, expected):
    """A difference is marked with a glyph, and names what the queue and what the contract says."""
    mark, said = step.answer.split("the contract says ")
    return "✗" in mark and returned in mark and said.startswith(expected)


def test_a_broken_queue_is_recorded_with_both_answers():
    made = trace(FENCE, Unfenced)
    assert made.first_difference == 5
    assert both_answers(made.steps[4], "True", "False")
    assert [step.agrees for step in made.steps] == [True, True, True, True, False, True, False]
    assert both_answers(made.steps[6], "False", "True")
    assert made.title.endswith("on Unfenced")
    assert str(made).endswith("Unfenced leaves the contract at step 5")


def test_the_states_beside_a_broken_queue_are_the_contracts():
    assert trace(FENCE, Unfenced).queues_at(7) == trace(FENCE).queues_at(7)


def test_a_queue_that_raises_is_recorded_and_the_calls_go_on():
    made = trace(Scenario(1, (("cancel", "a"), ("enqueue", "a", "A"))), Raising)
    assert made.answers == [Raised("KeyError('a')"), True]
    assert both_answers(made.steps[0], "raised KeyError('a')", "False")


def test_a_class_that_cannot_be_made_is_recorded():
    made = trace(Scenario(1, (("reserve",), ("new",))), lambda capacity: 1 / 0)
    assert made.answers == [Raised("ZeroDivisionError('division by zero')"), NOT_REACHED]


@pytest.mark.parametrize("answer", [1, "yes", ("a", "A"), ("a", "A", True)])
def test_an_answer_that_is_none_is_recorded(answer):
    class Odd(Queue):
        def reserve(self):
            return answer

    step = trace(Scenario(1, (("reserve",),)), Odd).steps[0]
    assert step.returned == Unreadable(repr(answer))
    assert both_answers(step, repr(answer), "None")


def test_none_where_false_is_wanted_is_a_difference():
    class Silent(Queue):
        def cancel(self, id):
            return super().cancel(id) or None

    step = trace(Scenario(1, (("cancel", "a"),)), Silent).steps[0]
    assert not step.agrees
    assert both_answers(step, "None", "False")


def test_answers_that_are_missing_count_as_not_reached():
    made = Trace.from_answers(FENCE, [True, Hung()], "Slow")
    assert made.answers == [True, Hung()] + [NOT_REACHED] * 5
    assert made.first_difference == 2


# The text form


@pytest.mark.parametrize("queue_class", QUEUE_CLASSES)
@pytest.mark.parametrize("scenario", [*[e.scenario for e in EXAMPLES.values()], EIGHT_QUEUES])
def test_the_text_names_each_call_answer_and_reason(scenario, queue_class):
    made = trace(scenario, queue_class)
    for step in made.steps:
        assert re.search(rf"^ *{step.number} +{re.escape(step.call)} +{re.escape(step.answer)}$", str(made), re.M)
        assert step.why in str(made)


def test_a_scenario_without_calls_has_a_text():
    assert str(trace(Scenario(0))).splitlines()[0] == "0 calls   (capacity 0)"


def test_the_summary_of_a_state():
    state = trace(EXAMPLES["fifo"].scenario).queues_at(4).current
    assert summary(State(2)) == Summary("-", "-", "-", "0 of 2")
    assert summary(state) == Summary("-", "a#1, b#1", "-", "2 of 2")


def test_where_a_job_is_in_one_cell():
    made = trace(EXAMPLES["fifo"].scenario)
    assert phase_text(made.queues_at(0).current, "b") == ""
    assert phase_text(made.queues_at(2).current, "b") == "waiting (place 2)"
    assert phase_text(made.queues_at(4).current, "b") == "in flight (attempt 1)"
    assert phase_text(made.queues_at(7).current, "b") == "done"
