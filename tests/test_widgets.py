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
    here = [option.startswith("▸") for option in stepper.calls.options]
    assert here == [number == index for number in range(len(stepper.trace) + 1)]


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
    for widget in (Stepper(source), Stepper(source, predict=True), Predict(source, 1)):
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
