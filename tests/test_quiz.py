"""The quiz without any widget: it asks for each answer in turn, and counts each question once."""

import pytest
from suite import EIGHT_QUEUES

from rq import EXAMPLES, Rule, score_table, trace
from rq.quiz import Quiz, Score, Tally

FENCE = trace(EXAMPLES["retry fences old attempt"].scenario)


def finish(quiz):
    """Answer all questions right."""
    while quiz.question:
        assert quiz.guess(quiz.question.expected).right


def test_it_asks_for_each_step_in_turn():
    quiz, asked = Quiz(FENCE), []
    while quiz.question:
        asked.append(quiz.question.number)
        quiz.guess(quiz.question.expected)
    assert asked == [1, 2, 3, 4, 5, 6, 7]
    assert quiz.reached == 7
    assert quiz.choices == []


def test_a_quiz_may_start_later():
    quiz = Quiz(FENCE, 4)
    assert (quiz.reached, quiz.question.number) == (4, 5)
    finish(quiz)
    assert quiz.score.total == Tally(first_try=3)


def test_a_wrong_guess_is_told_and_counts_once():
    quiz = Quiz(FENCE, 4)
    for _ in range(3):
        feedback = quiz.guess(True)
        assert not feedback.right
        assert feedback.text.startswith("Not True. That would be right if an older attempt was good enough")
        assert quiz.reached == 4
    feedback = quiz.guess(False)
    assert feedback.right
    assert feedback.text.startswith("Yes, False: stale attempt: a is on attempt 2 now")
    assert quiz.score == Score({Rule.X_STALE: Tally(later=1)})


def test_a_right_guess_must_be_of_the_right_kind():
    assert not Quiz(FENCE).guess(1).right
    assert not Quiz(FENCE, 4).guess(0).right


def test_a_skip_tells_the_answer_and_is_counted_also_after_a_wrong_guess():
    quiz = Quiz(FENCE, 4)
    quiz.guess(True)
    assert quiz.skip().startswith("It is False: stale attempt")
    assert quiz.score == Score({Rule.X_STALE: Tally(skipped=1)})
    assert quiz.guess(False).right
    assert quiz.score.tallies[Rule.X_STALE] == Tally(first_try=1, skipped=1)


def test_at_the_end_nothing_is_left_to_guess_or_skip():
    quiz = Quiz(FENCE, 7)
    for call in (lambda: quiz.guess(True), quiz.skip):
        with pytest.raises(ValueError, match="the quiz is at its end"):
            call()


def test_new_and_use_are_passed_over():
    quiz = Quiz(trace(EIGHT_QUEUES))
    asked = set()
    while quiz.question:
        asked.add(quiz.question.operation[0])
        quiz.skip()
    assert asked.isdisjoint({"new", "use"})
    assert quiz.reached == len(trace(EIGHT_QUEUES))


def test_scores_add_up_rule_by_rule():
    one = Score({Rule.E1: Tally(1, 2, 3), Rule.R1: Tally(1, 0, 0)})
    other = Score({Rule.E1: Tally(1, 1, 1), Rule.T1: Tally(0, 0, 1)})
    both = Score({Rule.E1: Tally(2, 3, 4), Rule.R1: Tally(1, 0, 0), Rule.T1: Tally(0, 0, 1)})
    assert sum([one, other]) == both
    assert both.total == Tally(3, 3, 5)
    assert str(both) == "right at the first try: 3 of 11, 5 skipped"
    assert str(Score()) == "right at the first try: 0 of 0"


def test_the_score_as_a_table():
    quiz = Quiz(FENCE, 4)
    quiz.guess(True)
    finish(quiz)
    table = score_table(quiz.score)
    assert list(table.columns) == ["first try", "later", "skipped"]
    assert table.loc["X-stale"].tolist() == [1, 1, 0]
    assert table.loc["A1"].tolist() == [1, 0, 0]
    assert score_table(Score()).empty
