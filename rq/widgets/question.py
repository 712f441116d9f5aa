"""A question with its choices: what will this call return?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets as widgets

from rq.answers import show
from rq.html import feedback_html, prompt_html, score_html
from rq.quiz import Quiz
from rq.widgets.steps import step_button, wrapping


class Question(widgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """Puts a quiz's questions, one at a time, and says what is right or wrong with a guess.

    `answered()` is called when an answer is out, by the right guess or by a skip; `more()` when the
    learner asks for the next question. The buttons stay where they are until then, so that the
    keyboard's focus stays too; one that has nothing to do does nothing. `asking` is False once the
    answer is out; `at` is the step to show with the question or its answer.
    """

    def __init__(self, quiz: Quiz, answered: Callable[[], object], more: Callable[[], object] | None) -> None:
        super().__init__()
        self._quiz, self._answered, self._more = quiz, answered, more
        self.asking, self.at = False, quiz.reached
        self.choices: dict[str, widgets.Button] = {}
        self.prompt, self.feedback, self.score = widgets.HTML(), widgets.HTML(), widgets.HTML()
        self._row = widgets.HBox(layout=wrapping())
        self.skip = step_button("Skip", "see the answer; it does not count as right", self._skip, width="auto")
        self.onward = step_button("Next question >", "go on", self._go_on, width="auto")
        if more is None:
            self.onward.layout.display = "none"
        elif quiz.question is None:
            self._show_score()
        self.children = [
            self.prompt,
            widgets.HBox([self._row, self.skip, self.onward], layout=wrapping()),
            self.feedback,
            self.score,
        ]

    def _show_score(self) -> None:
        at_end = self._quiz.question is None
        self.score.value = score_html(self._quiz.score, in_full=at_end)
        if at_end:
            self.onward.description, self.onward.tooltip = "The end", "no question is left"

    def ask(self) -> None:
        """Put the quiz's next question. Where there is none, or it is put already, nothing changes."""
        step = self._quiz.question
        if step is None or self.asking:
            return
        self.asking, self.at = True, self._quiz.reached
        self.choices = {show(answer): self._choice(answer) for answer in self._quiz.choices}
        self._row.children = list(self.choices.values())
        self.prompt.value = prompt_html(step)
        self.feedback.value = ""

    def _choice(self, answer: Any) -> widgets.Button:
        return step_button(show(answer), "guess this", lambda: self._guess(answer), width="auto")

    def _guess(self, answer: object) -> None:
        if not self.asking:
            return
        feedback = self._quiz.guess(answer)
        glyph = "✓" if feedback.right else "✗"
        self.choices[show(answer)].description = f"{glyph} {show(answer)}"
        self.feedback.value = feedback_html(feedback.right, f"{glyph} {feedback.text}")
        if feedback.right:
            self._end()

    def _skip(self) -> None:
        if self.asking:
            self.feedback.value = feedback_html(True, self._quiz.skip())
            self._end()

    def _go_on(self) -> None:
        if not self.asking and self._more is not None and self._quiz.question is not None:
            self._more()

    def _end(self) -> None:
        """The answer is out."""
        self.asking = False
        self.at += 1
        if self._more is not None:
            self._show_score()
        self._answered()
