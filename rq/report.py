"""What a check found out, in words, as a program, as a table and as JSON. It claims no more than was done."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rq.answers import NOT_REACHED, Died, Hung, Raised, plain, same, show, show_call, to_json
from rq.contract import Rule
from rq.hints import hint_for
from rq.paste import class_test, command_test, test_name
from rq.scenario import Scenario
from rq.search import Difference, Played
from rq.state import Operation, State
from rq.trace import Trace
from rq.worlds import VERBS, World

if TYPE_CHECKING:
    from rq.widgets import Stepper


@dataclass(frozen=True)
class WorldResult:
    """What was done in one world.

    `length`: every sequence of up to so many calls was tried. `complete`: sequences of any length,
    since equal states were merged and none is left. `toured`: each call of the world was also made
    once from each of the contract's states.
    """

    world: World
    states: int
    operations: int
    length: int
    complete: bool
    toured: bool = False

    @property
    def tried(self) -> str:
        """How far it went, in words."""
        if self.complete:
            return "every sequence of any length"
        tour = ", then a tour" if self.toured else ""
        return f"every sequence up to length {self.length}{tour}"


@dataclass(frozen=True)
class Report:
    """The outcome of a check. `difference` is the counterexample, or None if none was found.

    `run` plays a sequence again; `words` is the command, where a program was checked; `own` is what
    the queue said of its state after each call of the counterexample.
    """

    queue_name: str
    difference: Difference | None
    results: tuple[WorldResult, ...]
    seconds: float
    notes: tuple[str, ...] = ()
    interrupted: bool = False
    shortest: bool = True
    run: Callable[[int, tuple[Operation, ...]], Played] | None = None
    words: tuple[str, ...] = ()
    own: tuple[State | None, ...] = ()

    @property
    def conforms(self) -> bool:
        """True if no difference was found; with `exhaustive` it is a proof for the worlds."""
        return self.difference is None

    @property
    def exhaustive(self) -> bool:
        """True if no sequence of any length in any of the worlds is left to try."""
        return self.conforms and not self.interrupted and all(result.complete for result in self.results)

    @property
    def partial(self) -> bool:
        """True if some operation was left out in every world."""
        return not set(VERBS) <= {verb for result in self.results for verb in result.world.verbs}

    @property
    def states(self) -> int:
        """How many states were told apart, over all worlds."""
        return sum(result.states for result in self.results)

    @property
    def operations(self) -> int:
        """How many calls were made and compared, over all worlds."""
        return sum(result.operations for result in self.results)

    @property
    def worlds(self) -> tuple[World, ...]:
        """The worlds of the check: capacities, jobs, attempts, queues."""
        return tuple(result.world for result in self.results)

    @property
    def capacity(self) -> int | None:
        """The capacity of the counterexample, or None without one."""
        return self.difference.capacity if self.difference else None

    @property
    def ops(self) -> tuple[Operation, ...] | None:
        """The calls of the counterexample, or None without one."""
        return self.difference.ops if self.difference else None

    @property
    def expected(self) -> list[Any] | None:
        """The contract's answers to them, in plain form."""
        return self.difference.expected if self.difference else None

    @property
    def returned(self) -> list[Any] | None:
        """The queue's answers to them, in plain form. The last one differs."""
        return self.difference.returned if self.difference else None

    @property
    def rule(self) -> Rule | None:
        """The rule that was broken. A shortest counterexample that needs `new` shows shared state."""
        if self.difference is None:
            return None
        return Rule.N1 if ("new",) in self.difference.ops else self.difference.rule

    @property
    def hint(self) -> str:
        """One question that leads on, or nothing."""
        if self.difference is None or self.rule is None:
            return ""
        return hint_for(self.rule, self.difference.ops[-1][0], self.difference.returned[-1])

    @property
    def scenario(self) -> Scenario | None:
        """The counterexample as a Scenario."""
        if self.difference is None:
            return None
        return Scenario(self.difference.capacity, self.difference.ops, "Counterexample")

    @property
    def trace(self) -> Trace | None:
        """The counterexample with the answers that were given."""
        if self.difference is None or self.scenario is None:
            return None
        name = "your Queue" if self.queue_name == "Queue" else self.queue_name
        return Trace.from_answers(self.scenario, self.difference.returned, name, self.own)

    def stepper(self) -> Stepper:
        """A stepper that is open at the step where the queue goes wrong."""
        from rq.widgets import Stepper  # a report needs no widgets until it is stepped through

        if self.trace is None:
            raise ValueError(f"there is no counterexample to step through: {self.summary}")
        return Stepper(self.trace, at=len(self.trace))

    def to_test(self) -> Callable[[], None]:
        """A pytest function that plays the counterexample on the queue; it fails until the queue is mended."""
        difference, run = self.difference, self.run
        if difference is None or run is None:
            raise ValueError(f"there is no counterexample to test: {self.summary}")

        def test() -> None:
            returned = run(difference.capacity, difference.ops).answers
            for number, expected in enumerate(difference.expected):
                answer = returned[number] if number < len(returned) else NOT_REACHED
                call = show_call(difference.ops[number])
                assert same(answer, expected), f"{call} gave {show(answer)}; the contract says {show(expected)}"
            assert difference.expected or returned == [], f"Queue({difference.capacity}): {show(returned[0])}"

        test.__name__ = test_name(self.queue_name)
        return test

    @property
    def program(self) -> str:
        """The counterexample as a pytest function to paste, or nothing."""
        if self.difference is None:
            return ""
        if self.words:
            return command_test(self.words, self.difference)
        return class_test(self.queue_name, self.difference)

    @property
    def summary(self) -> str:
        """The outcome in one sentence."""
        if self.difference is not None:
            return f"{self.queue_name} {_what_happened(self.difference, self.shortest)}"
        if self.exhaustive:
            return (
                f"{self.queue_name} conforms: no sequence of calls, of any length, in these"
                f" {len(self.results)} worlds tells it from the contract."
                f"{' Not all operations took part.' if self.partial else ''}"
            )
        why = "the check was interrupted" if self.interrupted else "not every sequence could be tried"
        return f"No difference found in {self.queue_name}, but {why}."

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "conforms": self.conforms,
            "exhaustive": self.exhaustive,
            "capacity": self.capacity,
            "ops": None if self.ops is None else [list(operation) for operation in self.ops],
            "expected": self.expected,
            "returned": None if self.returned is None else [to_json(answer) for answer in self.returned],
            "rule": self.rule.code if self.rule else None,
            "states": self.states,
            "seconds": round(self.seconds, 3),
        }

    def __str__(self) -> str:
        lines = [self.summary]
        if self.rule:
            lines += [f"Rule {self.rule.code}: {self.rule.statement}.", f"Hint: {self.hint}"]
        lines += self.notes
        if self.difference is None:
            lines += [f"  {result.world.name}: {result.tried}" for result in self.results]
        states = f"{self.states:,} states, " if self.states else ""
        lines.append(f"{states}{self.operations:,} calls, {self.seconds:.1f} s")
        if self.difference is None:
            return "\n".join(lines)
        comments = "\n".join(f"# {line}" for line in lines)
        return f"{comments}\n\n{self.program}"

    def __repr__(self) -> str:
        return f"<Report: {self.summary}>"

    def _repr_html_(self) -> str:
        from rq.html import page, report_html  # a report needs no pandas until it is shown

        return page(report_html(self.summary, self.trace, str(self), self.rule, self.hint))


def _what_happened(difference: Difference, shortest: bool) -> str:
    answer = difference.returned[-1]
    if not difference.ops:
        return f"cannot be made with capacity {difference.capacity}: {show(answer)}."
    call, number = show_call(difference.ops[-1]), len(difference.ops)
    where = f"call {number}, {call}" if number > 1 else f"the first call, {call}"
    match answer:
        case Raised(error) if re.match(r"AttributeError.*has no attribute '(enqueue|reserve|ack|retry|cancel)'", error):
            gave = f"there is no method {difference.ops[-1][0]}"
        case Raised(error):
            gave = f"it raises {error}"
        case Hung():
            gave = "it does not come back"
        case Died(text):
            gave = text
        case _:
            gave = f"it returns {show(plain(answer))}"
    least = " No shorter sequence shows a difference." if shortest and number > 1 else ""
    wanted = show(difference.expected[-1])
    return f"differs from the contract at {where}: {gave}; the contract says {wanted}.{least}"
