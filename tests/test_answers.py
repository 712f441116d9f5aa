"""Answers: brought into one plain form, compared strictly, written as JSON and as text."""

import json
from types import SimpleNamespace

import pytest

from rq import Job
from rq.answers import NOT_REACHED, Hung, Raised, Unreadable, plain, quoted, same, show, show_call, to_json


@pytest.mark.parametrize("answer", [True, False, None, Raised("KeyError('a')"), Hung(), Unreadable("?")])
def test_plain_keeps_what_is_plain(answer):
    assert plain(answer) is answer


@pytest.mark.parametrize(
    "answer",
    [Job("a", "A", 1), ("a", "A", 1), ["a", "A", 1], SimpleNamespace(id="a", payload="A", attempt=1)],
)
def test_plain_takes_a_reservation_in_any_form(answer):
    assert plain(answer) == ["a", "A", 1]


@pytest.mark.parametrize(
    "answer",
    [1, 0, "a", 1.0, (), ("a", "A"), ("a", "A", True), ("a", "A", 1.0), [["a"], "A", 1], {"id": "a"}, object],
)
def test_plain_marks_what_is_no_answer(answer):
    assert plain(answer) == Unreadable(repr(answer))


def test_plain_copies_a_list_that_may_change_later():
    answer = ["a", "A", 1]
    kept = plain(answer)
    answer[2] = 2
    assert kept == ["a", "A", 1]


@pytest.mark.parametrize("answer", [True, False, None, ["a", "A", 1], Raised("x"), Hung(), Unreadable("x")])
def test_an_answer_is_the_same_as_itself(answer):
    assert same(answer, answer)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (1, True),
        (0, False),
        (None, False),
        (["a", "A", True], ["a", "A", 1]),
        (["a", "A", 1.0], ["a", "A", 1]),
        (["a", "A"], ["a", "A", 1]),
        (["a", "A", 1], ["a", "A", 2]),
        (["a", "A", 1], None),
        (Raised("x"), Raised("y")),
        (Raised("x"), Unreadable("x")),
    ],
)
def test_answers_of_another_type_or_value_are_not_the_same(answer, expected):
    assert not same(answer, expected)
    assert not same(expected, answer)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (True, "true"),
        (None, "null"),
        (["a", "A", 1], '["a", "A", 1]'),
        (Raised("KeyError('a')"), '{"raised": "KeyError(\'a\')"}'),
        (Hung(), '{"hung": true}'),
        (Unreadable("42"), '{"unreadable": "42"}'),
    ],
)
def test_to_json(answer, text):
    assert json.dumps(to_json(answer)) == text


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (True, "True"),
        (False, "False"),
        (None, "None"),
        (["a", "A", 1], 'a · "A" · attempt 1'),
        (["a", 'say "hi"', 2], 'a · "say \\"hi\\"" · attempt 2'),
        (["a", "", 1], 'a · "" · attempt 1'),
        (Raised("KeyError('a')"), "raised KeyError('a')"),
        (Hung(), "no answer: the call did not end"),
        (NOT_REACHED, "not reached"),
    ],
)
def test_show(answer, text):
    assert show(answer) == text


@pytest.mark.parametrize(
    ("operation", "text"),
    [
        (("reserve",), "reserve()"),
        (("enqueue", "a", "A"), 'enqueue("a", "A")'),
        (("ack", "a", 1), 'ack("a", 1)'),
        (("use", 0), "use(0)"),
    ],
)
def test_a_call_is_shown_as_one_writes_it(operation, text):
    assert show_call(operation) == text


@pytest.mark.parametrize("value", ["", "A", 'say "hi"', "it's", "back\\slash", 0, 64])
def test_python_reads_a_quoted_value_back(value):
    assert eval(quoted(value)) == value
