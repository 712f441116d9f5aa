"""Stepper(predict=True), driven without a browser: no answer is shown before it was guessed or skipped."""

import random

import pytest
from suite import EIGHT_QUEUES, html_text

from rq import EXAMPLES, Predict, Rule, Scenario, Stepper, random_scenario, trace
from rq.answers import show
from rq.broken import GALLERY
from rq.quiz import Tally

FENCE = EXAMPLES["retry fences old attempt"].scenario


@pytest.fixture
def stepper():
    return Stepper(FENCE, predict=True)


def guess(stepper, right=True):
    """Press the right button, or the first wrong one."""
    expected = show(stepper._quiz.question.expected)
    text = expected if right else next(choice for choice in stepper.question.choices if choice != expected)
    stepper.question.choices[text].click()


def said(stepper) -> str:
    return html_text(stepper.question.feedback.value)


def known(stepper) -> int:
    """How many answers the list shows when its last reachable line is chosen."""
    before, stepper.index = stepper.index, 99
    answers = [option for option in stepper.calls.options[1:] if not option.endswith("…")]
    stepper.index = before
    return len(answers)


def test_it_opens_with_the_first_question(stepper):
    assert stepper.index == 0
    assert 'Step 1. What will enqueue("a", "A") return?' in html_text(stepper.question.prompt.value)
    assert list(stepper.question.choices) == ["True", "False"]
    assert known(stepper) == 0


def test_no_control_gets_past_the_question(stepper):
    for move in (stepper.next.click, stepper.last.click, lambda: stepper.go(7)):
        move()
        assert stepper.index == stepper.slider.value == stepper.calls.index == 0
    stepper.calls.index = 5
    assert stepper.index == stepper.slider.value == stepper.calls.index == 0
    assert stepper.slider.max == 0
    assert known(stepper) == 0


def test_a_right_guess_shows_the_step_and_next_asks_on(stepper):
    guess(stepper)
    assert stepper.index == 1
    assert said(stepper).startswith("✓ Yes, True: accepted: a is new")
    assert "accepted: a is new" in html_text(stepper.view.value)
    assert stepper.question.onward.description == "Next question >"
    stepper.question.skip.click()
    assert stepper.score.total == Tally(first_try=1)
    stepper.next.click()
    assert "Step 2. What will reserve() return?" in html_text(stepper.question.prompt.value)
    assert stepper.index == 1
    assert said(stepper) == ""
    assert "place" not in html_text(stepper.view.value)


def test_the_other_button_asks_on_too(stepper):
    guess(stepper)
    stepper.question.onward.click()
    assert stepper.question.asking
    assert "Step 2." in html_text(stepper.question.prompt.value)


def test_a_wrong_guess_leaves_the_answer_hidden(stepper):
    guess(stepper, right=False)
    assert stepper.index == 0
    assert said(stepper).startswith(
        "✗ Not False. That would be right if enqueue told whether the id was there before; "
    )
    assert stepper.question.choices["False"].description == "✗ False"
    assert known(stepper) == 0
    guess(stepper)
    assert stepper.score.tallies == {Rule.E1: Tally(later=1)}


def test_a_skip_shows_the_step_and_is_counted(stepper):
    stepper.question.skip.click()
    assert said(stepper).startswith("It is True: accepted")
    assert stepper.index == 1
    assert stepper.score.tallies == {Rule.E1: Tally(skipped=1)}
    assert "0 of 1, 1 skipped" in html_text(stepper.question.score.value)


def test_a_double_click_neither_skips_the_next_question_nor_wipes_what_was_said(stepper):
    guess(stepper)
    for _ in range(3):
        stepper.question.onward.click()
    assert "Step 2." in html_text(stepper.question.prompt.value)
    assert stepper.score.total == Tally(first_try=1)
    for _ in range(3):
        stepper.question.skip.click()
    assert said(stepper).startswith("It is a · ")
    assert stepper.score.total == Tally(first_try=1, skipped=1)


def test_an_answer_that_is_out_counts_no_second_time(stepper):
    guess(stepper)
    for button in stepper.question.choices.values():
        button.click()
    assert stepper.score.total == Tally(first_try=1)


def test_going_back_hides_the_question_and_asks_nothing_twice(stepper):
    for _ in range(3):
        guess(stepper)
        stepper.question.onward.click()
    stepper.back.click()
    assert stepper.index == 2
    assert stepper.question.layout.display == "none"
    assert stepper.next.click() is None
    assert stepper.index == 3
    assert stepper.question.layout.display is None
    assert "Step 4." in html_text(stepper.question.prompt.value)
    assert stepper.score.total == Tally(first_try=3)


def test_the_tickets_do_not_give_a_result_away():
    stepper = Stepper(FENCE, at=4, predict=True)
    assert "a#2" in html_text(stepper.view.value)
    assert "current" not in html_text(stepper.view.value)
    guess(stepper)
    assert "superseded" in html_text(stepper.view.value)


def test_at_the_end_the_score_stands_by_rule():
    stepper = Stepper(FENCE, at=4, predict=True)
    for right in (True, False, True):
        guess(stepper, right)
        if not right:
            guess(stepper)
        stepper.next.click()
    assert stepper.question.onward.description == "The end"
    assert " ".join(html_text(stepper.question.score.value).split()).startswith(
        "right at the first try: 2 of 3 by rule rule first try later skipped A1 1 0 0 X-stale 1 1 0"
    )
    assert stepper.score.tallies == {Rule.X_STALE: Tally(1, 1), Rule.A1: Tally(1)}
    stepper.question.onward.click()
    assert stepper.index == 7


def test_new_and_use_are_shown_and_not_asked_for():
    stepper = Stepper({"capacity": 1, "ops": [["enqueue", "a", ""], ["new"], ["use", 0], ["reserve"]]}, predict=True)
    guess(stepper)
    assert stepper.index == 1
    stepper.next.click()
    assert stepper.index == 2
    stepper.question.onward.click()
    assert stepper.question.asking
    assert stepper.index == 3
    assert "Step 4. What will reserve() return?" in html_text(stepper.question.prompt.value)


@pytest.mark.parametrize("scenario", [Scenario(1), Scenario(1, [["new"]])], ids=["no call", "nothing to guess"])
def test_a_scenario_without_a_question(scenario):
    stepper = Stepper(scenario, predict=True)
    stepper.last.click()
    assert stepper.index == len(scenario.ops)
    assert stepper.score.total == Tally()
    assert stepper.question.onward.description == "The end"
    for button in (stepper.question.skip, stepper.question.onward):
        button.click()
    assert stepper.score.total == Tally()


def test_the_static_form_folds_the_answers_away(stepper):
    question, answers = stepper._repr_mimebundle_()[0]["text/html"].split("<details>")
    assert 'ack("a", 1)' in html_text(question)
    assert "stale" not in question
    assert "stale attempt: a is on attempt 2" in html_text(answers)


def test_the_text_form_hides_what_is_not_known_yet(stepper):
    guess(stepper)
    shown = str(stepper)
    assert "accepted: a is new" in shown
    assert "stale" not in shown
    assert "attempt 1" not in shown
    assert shown.endswith('  7   ack("a", 2)   …\nright at the first try: 1 of 1')


def test_a_stepper_without_predict_has_no_score():
    assert Stepper(FENCE).score is None


@pytest.mark.parametrize("seed", range(20))
def test_random_clicks_never_show_an_answer_that_was_not_asked_for(seed):
    """200 clicks on anything: what is known is what was guessed or skipped, and each question counts once."""
    rng = random.Random(seed)
    stepper = Stepper(EIGHT_QUEUES if seed == 0 else random_scenario(seed, 20), predict=True)
    for _ in range(200):
        buttons = [stepper.first, stepper.back, stepper.next, stepper.last]
        buttons += [stepper.question.skip, stepper.question.onward]
        rng.choice([*buttons, *stepper.question.choices.values()]).click()
        reached = stepper._quiz.reached
        questions = [s for s in stepper.trace.steps[:reached] if s.operation[0] not in ("new", "use")]
        assert stepper.index == stepper.calls.index == stepper.slider.value <= reached
        assert stepper.score.total.asked == len(questions)
        hidden = [option.endswith("…") for option in stepper.calls.options]
        assert hidden == [number > stepper.index for number in range(len(stepper.trace) + 1)]


def test_a_quiz_on_another_queue_is_refused_in_one_sentence():
    for widget in (Stepper(FENCE, GALLERY["Lifo"], predict=True), Predict(trace(FENCE, GALLERY["Lifo"]), 5)):
        assert widget.error == "a guess is about the right queue, not about Lifo: leave the class out"
        (only,) = widget.children
        assert widget.error in html_text(only.value)
