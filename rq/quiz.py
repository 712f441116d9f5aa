"""A quiz on a trace: guess each answer before you see it. Knows no widgets; a view asks it what to show."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rq.answers import same, show
from rq.choices import choices
from rq.contract import Rule
from rq.mistakes import mistake
from rq.scenario import ScenarioError
from rq.trace import Step, Trace


class Tally(NamedTuple):
    """How many questions on one rule were answered at the first try, how many later, and how many were skipped."""

    first_try: int = 0
    later: int = 0
    skipped: int = 0

    @property
    def asked(self) -> int:
        """The number of questions."""
        return sum(self)


@dataclass(frozen=True)
class Score:
    """The tallies of a quiz, one for each rule that was asked for. Scores can be added: `sum(scores)`."""

    tallies: dict[Rule, Tally] = field(default_factory=dict)

    @property
    def total(self) -> Tally:
        """All rules together."""
        return Tally(*map(sum, zip(*self.tallies.values(), strict=True))) if self.tallies else Tally()

    def __add__(self, other: Score) -> Score:
        if not isinstance(other, Score):
            return NotImplemented
        both = {rule: (self.tallies.get(rule, Tally()), other.tallies.get(rule, Tally())) for rule in Rule}
        added = {rule: Tally(*map(sum, zip(*pair, strict=True))) for rule, pair in both.items()}
        return Score({rule: tally for rule, tally in added.items() if tally.asked})

    def __radd__(self, other: object) -> Score:
        """So that sum() can add scores: it begins with 0."""
        return self if other == 0 else NotImplemented

    def __str__(self) -> str:
        total = self.total
        skipped = f", {total.skipped} skipped" if total.skipped else ""
        return f"right at the first try: {total.first_try} of {total.asked}{skipped}"


class Feedback(NamedTuple):
    """What to say to a guess: whether it was right, and one sentence."""

    right: bool
    text: str


class Quiz:
    """Asks for the answer of each step in turn, from step `start` + 1 on.

    `reached` is the last step whose answer is known. Each question counts once, by its first try or
    by its skip. `new` and `use` return nothing, so they are passed over.
    """

    def __init__(self, trace: Trace, start: int = 0) -> None:
        self.trace = trace
        self.reached = start
        self.score = Score()
        self._missed = False
        self._pass_over()

    @property
    def question(self) -> Step | None:
        """The step asked for now, or None at the end."""
        return self.trace.steps[self.reached] if self.reached < len(self.trace) else None

    @property
    def choices(self) -> list[Any]:
        """The answers to choose from, as plain values."""
        return choices(self.trace, self.reached + 1) if self.question else []

    def guess(self, answer: object) -> Feedback:
        """Take a guess. A wrong one can be followed by others; the right one reaches the next step."""
        step = self.question
        if step is None:
            raise ValueError("the quiz is at its end")
        if not same(answer, step.expected):
            self._missed = True
            return Feedback(False, f"Not {show(answer)}. {mistake(self.trace, step.number, answer)}")
        self._count(Tally(later=1) if self._missed else Tally(first_try=1), step)
        return Feedback(True, f"Yes, {show(answer)}: {step.why}")

    def skip(self) -> str:
        """Give the answer away and go on."""
        step = self.question
        if step is None:
            raise ValueError("the quiz is at its end")
        self._count(Tally(skipped=1), step)
        return f"It is {show(step.expected)}: {step.why}"

    def _count(self, tally: Tally, step: Step) -> None:
        self.score += Score({step.decision.rule: tally})
        self.reached, self._missed = step.number, False
        self._pass_over()

    def _pass_over(self) -> None:
        while (step := self.question) and step.operation[0] in ("new", "use"):
            self.reached = step.number


def check_quiz(trace: Trace) -> None:
    """Raise ScenarioError if the trace is of another queue: a quiz asks what the contract says, and shows that."""
    if trace.queue_name != "Queue":
        raise ScenarioError(f"a guess is about the right queue, not about {trace.queue_name}: leave the class out")
