"""Predict: one question, driven without a browser."""

import pytest
from suite import html_text

from rq import EXAMPLES, Predict, Scenario

FENCE = EXAMPLES["retry fences old attempt"].scenario


def test_a_wrong_guess_names_the_mistake_and_keeps_the_reason_back():
    predict = Predict(FENCE, 5)
    predict.choices["True"].click()
    said = html_text(predict.feedback.value)
    assert said.startswith("✗ Not True. That would be right if an older attempt was good enough")
    assert "so attempt 1 changes nothing" not in said
    assert predict.solved is False


def test_a_right_guess_gives_the_reason():
    predict = Predict(FENCE, 5)
    predict.choices["False"].click()
    said = html_text(predict.feedback.value)
    assert said.startswith("✓ Yes, False: stale attempt: a is on attempt 2 now, so attempt 1 changes nothing")
    assert predict.solved is True


def test_one_may_guess_again():
    predict = Predict(FENCE, 5)
    assert predict.solved is False
    predict.choices["True"].click()
    predict.choices["False"].click()
    assert predict.solved is True


def test_the_answer_once_given_stays_solved():
    predict = Predict(FENCE, 5)
    predict.choices["False"].click()
    predict.choices["True"].click()
    assert predict.solved is True


def test_the_choices_for_reserve_are_none_and_the_active_jobs():
    assert set(Predict(FENCE, 4).choices) == {"None", *(f'a · "A" · attempt {number}' for number in (1, 2, 3))}
    assert set(Predict("fifo", 5).choices) > {"None", 'a · "A" · attempt 1'}


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_step_has_exactly_one_right_choice(name):
    for step in range(1, len(EXAMPLES[name].expected) + 1):
        predict = Predict(name, step)
        said = []
        for text in predict.choices:
            predict = Predict(name, step)
            predict.choices[text].click()
            said.append(html_text(predict.feedback.value)[0])
        assert sorted(said) == sorted("✓" + "✗" * (len(said) - 1))


def test_a_long_line_of_jobs_still_offers_the_right_choice():
    ops = [*[("enqueue", f"job-{number}", "") for number in range(16)], ("reserve",)]
    predict = Predict(Scenario(16, tuple(ops)), 17)
    assert 'job-0 · "" · attempt 1' in predict.choices
    assert len(predict.choices) > 2


def test_several_active_jobs_do_not_give_the_answer_away():
    flying = [op for n in range(7) for op in (("enqueue", f"job-{n}", ""), ("reserve",))]
    predict = Predict(Scenario(16, (*flying, ("enqueue", "last", ""), ("reserve",))), 16)
    assert 'last · "" · attempt 1' in predict.choices
    assert len(predict.choices) > 2


def test_the_question_does_not_show_the_answer():
    predict = Predict(FENCE, 5)
    question = html_text(predict.view.value + predict.question.prompt.value)
    assert 'ack("a", 1)' in question
    assert "a#2" in question
    assert "stale" not in question
    assert predict.feedback.value == ""


def test_the_question_shows_the_state_before_the_call():
    question = html_text(Predict("fifo", 3).view.value)
    assert "waiting" in question
    assert "in flight" not in question
    assert "none yet" in question


def test_the_static_form_of_a_question_folds_the_answer_away():
    data, _ = Predict(FENCE, 5)._repr_mimebundle_()
    question, answer = data["text/html"].split("<details>")
    assert "stale" not in question
    assert "stale attempt" in answer


def test_a_skip_shows_the_answer_and_solves_nothing():
    predict = Predict(FENCE, 5)
    predict.question.skip.click()
    assert "stale attempt: a is on attempt 2 now" in html_text(predict.feedback.value)
    assert predict.solved is False
    assert predict.question.onward.layout.display == "none"
    predict.question.skip.click()
    assert predict.solved is False


def test_a_call_that_returns_nothing_is_no_question():
    (only,) = Predict({"capacity": 1, "ops": [["new"]]}, 1).children
    assert "step 1 is new(): it returns nothing to guess" in html_text(only.value)


@pytest.mark.parametrize("step", [0, 8, -1, True, "1", 1.0, None])
def test_a_step_that_is_none_shows_one_sentence_in_place(step):
    (only,) = Predict(FENCE, step).children
    assert "step must be a whole number from 1 to 7, not " in html_text(only.value)
