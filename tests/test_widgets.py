"""The widgets, driven without a browser: buttons are clicked and sliders moved from Python."""

import pytest
from suite import EIGHT_QUEUES, ContractQueue, html_text

from rq import EXAMPLES, Predict, Queue, Scenario, Stepper, trace

FENCE = EXAMPLES["retry fences old attempt"].scenario


def assert_in_step(stepper, index):
    """Every part of the stepper stands at `index`."""
    assert stepper.index == stepper.slider.value == stepper.calls.index == index
    assert f"step {index} of {len(stepper.trace)}" in html_text(stepper.view.value)
    answers = [option.endswith("…") for option in stepper.calls.options]
    assert answers == [number > index for number in range(len(stepper.trace) + 1)]


# The stepper moves


def test_a_stepper_opens_before_any_call():
    assert_in_step(Stepper(FENCE), 0)


@pytest.mark.parametrize(("at", "index"), [(5, 5), (7, 7), (99, 7), (-3, 0)])
def test_a_stepper_opens_at_a_step_or_at_the_nearest_end(at, index):
    assert_in_step(Stepper(FENCE, at=at), index)


def test_the_buttons_go_forward_back_and_to_the_ends():
    stepper = Stepper(FENCE)
    for button, index in [
        (stepper.next, 1),
        (stepper.next, 2),
        (stepper.back, 1),
        (stepper.last, 7),
        (stepper.back, 6),
        (stepper.first, 0),
    ]:
        button.click()
        assert_in_step(stepper, index)


def test_the_ends_hold():
    stepper = Stepper(FENCE)
    stepper.back.click()
    assert_in_step(stepper, 0)
    stepper.last.click()
    stepper.next.click()
    assert_in_step(stepper, 7)


def test_slider_list_and_index_move_each_other():
    stepper = Stepper(FENCE)
    stepper.slider.value = 3
    assert_in_step(stepper, 3)
    stepper.calls.index = 6
    assert_in_step(stepper, 6)
    stepper.index = 2
    assert_in_step(stepper, 2)
    stepper.calls.index = 0
    assert_in_step(stepper, 0)


def test_the_slider_and_the_player_span_all_steps():
    stepper = Stepper(FENCE)
    assert (stepper.slider.min, stepper.slider.max) == (stepper.play.min, stepper.play.max) == (0, 7)


def test_an_empty_scenario_stays_at_0():
    stepper = Stepper(Scenario(0))
    for button in (stepper.next, stepper.last, stepper.back, stepper.first):
        button.click()
        assert_in_step(stepper, 0)


def test_64_calls_on_8_queues():
    stepper = Stepper(EIGHT_QUEUES)
    for index in (1, 21, 22, 64, 63, 0):
        stepper.index = index
        assert_in_step(stepper, index)


def test_two_steppers_share_nothing():
    one, two = Stepper(FENCE), Stepper(FENCE)
    one.index = 4
    assert_in_step(one, 4)
    assert_in_step(two, 0)


# What the stepper shows


def test_every_call_is_listed_and_the_answers_of_later_calls_are_hidden():
    stepper = Stepper(FENCE, at=4)
    options = [option.replace("\u00a0", " ") for option in stepper.calls.options]
    assert all(step.call in option for step, option in zip(stepper.trace.steps, options[1:], strict=True))
    assert options[4].endswith("  a#2")
    assert options[5:] == [f"{option.rstrip('…')}…" for option in options[5:]]


def test_nothing_of_a_later_step_is_in_the_view():
    stepper = Stepper(FENCE, at=3)
    assert "a#2" not in stepper.view.value
    assert "stale" not in stepper.view.value
    stepper.index = 5
    assert "a#2" in stepper.view.value
    assert "stale" in stepper.view.value
    stepper.index = 3
    assert "a#2" not in stepper.view.value
    assert "stale" not in stepper.view.value


@pytest.mark.parametrize(
    "source",
    [FENCE, "retry fences old attempt", FENCE.to_dict(), FENCE.to_json(), f"\n  {FENCE.to_json()}\n", trace(FENCE)],
    ids=["Scenario", "name", "dict", "JSON", "JSON with space around", "Trace"],
)
def test_every_kind_of_source_shows_the_same_steps(source):
    stepper = Stepper(source, at=5)
    assert stepper.error is None
    assert stepper.trace.steps == trace(FENCE).steps
    assert_in_step(stepper, 5)


def test_another_queue_class_can_be_stepped_through():
    stepper = Stepper(FENCE, ContractQueue)
    assert stepper.trace.answers == EXAMPLES["retry fences old attempt"].expected
    assert "ContractQueue" in repr(stepper)


BAD_SOURCES = {
    "": "no example is called",
    "Fifo": 'no example is called "Fifo"',
    "{": "not JSON",
    "[]": "must be an object",
    '{"capacity":17,"ops":[]}': "capacity must be a whole number from 0 to 16, not 17",
    '{"capacity":1,"ops":[["ack","a","1"]]}': 'ops[0]: attempt must be a whole number from 0 to 64, not "1"',
    "[" * 100_000: "nested too deeply",
    "<img src=x onerror=alert(1)>": "no example is called",
    "two\nlines": "no example is called",
    "x" * 10_000: "no example is called",
    '\ufeff{"capacity":1,"ops":[]}': "byte-order mark",
}


@pytest.mark.parametrize(("source", "said"), BAD_SOURCES.items(), ids=[source[:20] for source in BAD_SOURCES])
def test_bad_text_shows_one_sentence_in_place(source, said):
    stepper, predict = Stepper(source), Predict(source, 1)
    assert stepper.trace is None
    assert said in stepper.error
    assert "\n" not in stepper.error
    assert len(stepper.error) < 300
    for widget in (stepper, predict):
        (only,) = widget.children
        assert said in html_text(only.value)
        assert said in html_text(widget._repr_mimebundle_()[0]["text/html"])


@pytest.mark.parametrize("source", [None, 1, b"{}", [["reserve"]], Queue(1), Queue, object(), {}, {"capacity": 1}])
def test_a_source_of_another_kind_shows_one_sentence_in_place(source):
    for widget in (Stepper(source), Predict(source, 1)):
        (only,) = widget.children
        assert "cannot show this: " in html_text(only.value)
    assert Stepper(source).error


def test_repr_and_str_of_a_stepper():
    stepper = Stepper(FENCE, at=5)
    assert repr(stepper) == f"Stepper: {FENCE.title}, step 5 of 7"
    assert str(stepper) == str(trace(FENCE))
    bad = Stepper("Fifo")
    assert str(bad) == repr(bad) == f"Stepper: {bad.error}"


def test_the_mime_bundle_carries_a_static_table():
    data, _ = Stepper(FENCE)._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    for step in trace(FENCE).steps:
        assert step.decision.why in html_text(data["text/html"])


# Predict


def test_a_wrong_guess_names_the_rule_and_keeps_the_reason_back():
    predict = Predict(FENCE, 5)
    predict.choices["True"].click()
    said = html_text(predict.feedback.value)
    assert said.startswith("✗ Not True. Think of rule X-stale: ")
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
    assert list(Predict(FENCE, 4).choices) == ["None", 'a · "A" · attempt 2', 'a · "A" · attempt 1']
    assert set(Predict("fifo", 5).choices) > {"None", 'a · "A" · attempt 1'}
    predict = Predict("cancel keeps id reserved", 5)
    assert set(predict.choices) == {"None", 'b · "B" · attempt 1'}


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_step_has_exactly_one_right_choice(name):
    for step in range(1, len(EXAMPLES[name].expected) + 1):
        predict = Predict(name, step)
        right = []
        for text, button in predict.choices.items():
            button.click()
            right += [text] * html_text(predict.feedback.value).startswith("✓")
        assert len(right) == 1


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
    question = html_text(predict.children[0].value)
    assert 'ack("a", 1)' in question
    assert "a#2" in question
    assert "stale" not in question
    assert predict.feedback.value == ""


def test_the_question_shows_the_state_before_the_call():
    question = html_text(Predict("fifo", 3).children[0].value)
    assert "waiting" in question
    assert "in flight" not in question
    assert "none yet" in question


def test_the_static_form_of_a_question_folds_the_answer_away():
    data, _ = Predict(FENCE, 5)._repr_mimebundle_()
    question, answer = data["text/html"].split("<details>")
    assert "stale" not in question
    assert "stale attempt" in answer


@pytest.mark.parametrize("step", [0, 8, -1, True, "1", 1.0, None])
def test_a_step_that_is_none_shows_one_sentence_in_place(step):
    (only,) = Predict(FENCE, step).children
    assert "step must be a whole number from 1 to 7, not " in html_text(only.value)
