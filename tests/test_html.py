"""The HTML: it agrees with the text at every step, and shows ids and payloads as text and never as markup."""

import re

import pytest
from hypothesis import given, settings
from suite import EIGHT_QUEUES, NASTY_PAYLOADS, html_tags, html_text, scenarios

from rq import EXAMPLES, Queue, Scenario, State, trace
from rq.answers import quoted
from rq.html import message_html, slots_html, static_html, step_html, tickets_html
from rq.widgets import Predict, Stepper

OURS = {"style", "div", "b", "br", "code", "table", "caption", "thead", "tbody", "tr", "th", "td"}
"""The tags that our views are made of."""


class Unfenced(Queue):
    """Forgets to look at the attempt."""

    def ack(self, id, attempt):
        entry = self._in_flight.get(id)
        return super().ack(id, entry.attempt if entry else attempt)


def nasty(payload) -> Scenario:
    ops = [("enqueue", "a", payload), ("reserve",), ("retry", "a", 1), ("enqueue", "a", payload), ("reserve",)]
    return Scenario(1, tuple(ops))


# The three forms agree


def one_line(text) -> str:
    return " ".join(text.split())


def assert_the_forms_agree(made):
    """Each form names, for each step, the call, the answer, the rule and the reason, in one place."""
    text, static = one_line(str(made)), one_line(html_text(static_html(made)))
    stepper = Stepper(made)
    for step in made.steps:
        number, call, answer, rule, why = (
            str(step.number),
            one_line(step.call),
            one_line(step.answer),
            step.decision.rule.code,
            step.decision.why,
        )
        assert f" {number} {call} {answer} {why} [{rule}]" in text
        row = static[static.index(f" {call} {answer} {rule} ") :]
        assert why in row
        stepper.index = step.number
        view = html_text(stepper.view.value)
        assert f"step {number} of" in view
        assert f"{call} → {answer}" in one_line(view)
        assert f"{why} [{rule}]" in view
        assert view == html_text(step_html(made, step.number))


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_three_forms_of_an_example_agree(name):
    assert_the_forms_agree(trace(EXAMPLES[name].scenario))


def test_the_three_forms_agree_where_a_queue_leaves_the_contract():
    assert_the_forms_agree(trace(EXAMPLES["retry fences old attempt"].scenario, Unfenced))


def test_the_three_forms_agree_for_64_calls_on_8_queues():
    assert_the_forms_agree(trace(EIGHT_QUEUES))


@pytest.mark.parametrize("payload", NASTY_PAYLOADS)
def test_the_three_forms_agree_for_a_payload_that_looks_like_markup(payload):
    assert_the_forms_agree(trace(nasty(payload)))


@settings(max_examples=15)
@given(scenarios(most=6))
def test_the_three_forms_agree_for_any_scenario(scenario):
    assert_the_forms_agree(trace(scenario))


def test_the_tickets_of_the_end_stand_in_the_text_and_the_static_page():
    made = trace(EXAMPLES["retry fences old attempt"].scenario)
    static = html_text(static_html(made))
    for ticket in made.tickets_at(len(made)):
        assert f"{ticket.name} {ticket.status}" in str(made)
        assert ticket.name in static
        assert ticket.status in static


# Text is shown and never interpreted


@pytest.mark.parametrize("payload", NASTY_PAYLOADS)
def test_no_payload_becomes_markup(payload):
    made = trace(nasty(payload))
    views = [step_html(made, index) for index in range(6)]
    views += [static_html(made), message_html(payload), Stepper(made).view.value, Stepper(payload).static_html()]
    for view in views:
        assert html_tags(view) <= OURS


@pytest.mark.parametrize("payload", NASTY_PAYLOADS)
def test_a_payload_is_shown_as_it_is(payload):
    made = trace(nasty(payload))
    for index in (1, 2, 5):
        assert payload in html_text(step_html(made, index))
    assert quoted(payload) in html_text(static_html(made))
    assert payload in html_text(message_html(payload))


@pytest.mark.parametrize("payload", NASTY_PAYLOADS)
@pytest.mark.parametrize("step", [1, 2, 4])
def test_predict_shows_a_payload_as_it_is(payload, step):
    predict = Predict(nasty(payload), step)
    for button in predict.choices.values():
        button.click()
        assert html_tags(predict.feedback.value) <= OURS
    assert html_tags(predict.children[0].value) <= OURS
    assert html_tags(predict.static_html()) <= OURS | {"details", "summary"}
    assert quoted(payload) in html_text(predict.static_html())


def test_a_title_and_an_answer_that_look_like_markup_are_text():
    class Odd(Queue):
        def reserve(self):
            return "<b>bold</b>"

    made = trace(Scenario(1, (("reserve",),), "<i>title</i>"), Odd)
    for view in (step_html(made, 1), static_html(made)):
        assert "<i>title</i>" in html_text(view)
        assert "<b>bold</b>" in html_text(view)
        assert "<i>" not in view


def test_an_exception_that_looks_like_markup_is_text():
    class Raising(Queue):
        def reserve(self):
            raise ValueError("<img src=x onerror=alert(1)>")

    made = trace(Scenario(1, (("reserve",),)), Raising)
    for view in (step_html(made, 1), static_html(made)):
        assert html_tags(view) <= OURS
        assert "<img src=x onerror=alert(1)>" in html_text(view)


# The pieces


def test_step_0_is_before_any_call():
    text = html_text(step_html(trace(EXAMPLES["fifo"].scenario), 0))
    assert "step 0 of 7" in text
    assert "before any call" in text
    assert "no job accepted yet" in text


def test_the_slots_are_drawn_as_boxes():
    state = trace(EXAMPLES["in flight capacity"].scenario).queues_at(1).current
    assert slots_html(state) == "slots [a] 1 of 1 taken"
    assert slots_html(State(3)) == "slots [ ] [ ] [ ] 0 of 3 taken"
    assert "none" in slots_html(State(0))


def test_a_changed_cell_has_a_glyph_beside_its_colour():
    html = step_html(trace(EXAMPLES["fifo"].scenario), 3)
    assert 'class="hit"' in html
    assert html.count('class="hit"') == html_text(html).count("●")


def test_a_difference_has_a_glyph_beside_its_colour():
    made = trace(EXAMPLES["retry fences old attempt"].scenario, Unfenced)
    assert 'class="why wrong' in step_html(made, 5)
    assert "✗" in html_text(step_html(made, 5))
    assert 'class="why wrong' not in step_html(made, 4)
    assert static_html(made).count('class="hit"') == 2


def test_every_queue_is_shown_and_the_selected_one_named():
    text = html_text(step_html(trace(EIGHT_QUEUES), 64))
    rows = re.split(r"all queues", text)[1]
    assert all(re.search(rf"\b{number}\b", rows) for number in range(8))
    assert "state of queue 0" in text
    assert text.count("selected") == 1


def test_tickets_are_not_shown_before_they_are_handed_out():
    made = trace(EXAMPLES["fifo"].scenario)
    assert "none yet" in html_text(tickets_html(made, 2))
    assert "a#1" in html_text(tickets_html(made, 3))
    assert "b#1" not in html_text(tickets_html(made, 3))


def test_an_empty_scenario_has_every_form():
    made = trace(Scenario(0))
    assert "step 0 of 0" in html_text(step_html(made, 0))
    assert "capacity 0" in html_text(static_html(made))
