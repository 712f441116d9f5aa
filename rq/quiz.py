"""A quiz on a trace: guess each answer before you see it. Knows no widgets; a view asks it what to show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from rq.answers import same, show
from rq.contract import Rule
from rq.mistakes import mistake
from rq.scenario import ScenarioError
from rq.state import Record
from rq.trace import Step, Trace

MOST_CHOICES = 6


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


def choices(trace: Trace, number: int) -> list[Any]:
    """The plausible answers of step `number`: the right one, and what one might believe.

    For a reserve these are None and at most five reservations. Which they are, and their order, tells
    nothing of the answer: every job is offered by the same rule, whether or not it is the oldest.
    """
    step = trace.steps[number - 1]
    name = step.operation[0]
    if name in ("new", "use"):
        return [None]
    if name != "reserve":
        return [True, False]
    random = Random(f"{number} {trace.scenario.to_json()}")
    offered: list[Any] = []
    for kind in _common_beliefs(trace, step):
        random.shuffle(kind)
        offered += [guess for guess in kind if guess not in offered]
    kept = offered[: MOST_CHOICES - 1]
    if step.expected is not None and step.expected not in kept:
        kept[random.randrange(len(kept))] = step.expected
    order = [job.id for job in step.before.current.jobs]
    return [None, *sorted(kept, key=lambda guess: (order.index(guess[0]) if guess[0] in order else 99, guess[2]))]


def _common_beliefs(trace: Trace, step: Step) -> Iterator[list[Any]]:
    """Reservations that one might expect, kind by kind, the likelier kinds first; each kind for all jobs alike."""
    jobs = step.before.current.jobs
    total = sum(job.attempt for job in jobs) + 1
    yield [[job.id, job.payload, job.attempt + 1] for job in jobs]
    if len(jobs) < 2:  # ids that play a part elsewhere in the scenario, so that there is something to choose from
        named = (other.operation for other in trace.steps if other.operation[0] == "enqueue")
        known = [job.id for job in jobs]
        yield [[id, payload, 1] for _, id, payload in named if id not in known][:1] or [["a", "A", 1]]
    yield [[job.id, payload, job.attempt + 1] for job in jobs for payload in _refused_payloads(trace, step, job)]
    yield [[job.id, job.payload, job.attempt] for job in jobs]
    yield [[job.id, job.payload, total] for job in jobs]
    yield [[job.id, job.payload, job.attempt + 2] for job in jobs]


def _refused_payloads(trace: Trace, step: Step, job: Record) -> list[str]:
    """What the last refused duplicate of this job would have had for a payload."""
    found = [
        earlier.operation[2]
        for earlier in trace.steps[: step.number - 1]
        if earlier.decision.rule is Rule.E2
        and earlier.operation[1] == job.id
        and earlier.before.selected == step.before.selected
    ]
    return found[-1:]
