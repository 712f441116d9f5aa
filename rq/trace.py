"""A trace: one scenario, call by call, with the queue's answer, the contract's, the rule and the states.

Every view of the course shows a trace at some step; a view adds nothing of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rq.answers import NOT_REACHED, plain, same, show, show_call
from rq.contract import Decision, Rule, follow
from rq.examples import as_scenario
from rq.queue import Queue
from rq.scenario import Player, QueueFactory, Scenario, check_factory
from rq.search import Played, play
from rq.state import Operation, Phase, Queues, State


class Ticket(NamedTuple):
    """A reservation that was handed out, and what has become of it.

    `status` is `current` (its result counts now), `spent` (its ack was accepted), `superseded`
    (a retry ended it) or `void` (a cancel ended it).
    """

    queue: int
    id: str
    attempt: int
    status: str

    @property
    def name(self) -> str:
        """The ticket's short name: `a#1`."""
        return f"{self.id}#{self.attempt}"

    @property
    def counts(self) -> bool:
        """True if an ack or retry with this ticket would be accepted now."""
        return self.status == "current"


_ENDS = {Rule.A1: "spent", Rule.T1: "superseded", Rule.C2: "void"}
"""What each rule that takes a job out of flight makes of its current ticket."""


class Step(NamedTuple):
    """One call: what the queue returned, what the contract decides, and all queues before and after.

    `returned` is a plain answer (see `answers.plain`). The states are the contract's, also where
    the queue answered otherwise.
    """

    number: int
    operation: Operation
    returned: Any
    decision: Decision
    before: Queues
    after: Queues

    @property
    def call(self) -> str:
        """The call as one writes it in Python."""
        return show_call(self.operation)

    @property
    def expected(self) -> Any:
        """The answer the contract asks for, in plain form."""
        return plain(self.decision.returned)

    @property
    def agrees(self) -> bool:
        """True if the queue returned what the contract asks for."""
        return same(self.returned, self.expected)

    @property
    def answer(self) -> str:
        """The queue's answer for a reader; where it differs, the contract's as well."""
        shown = show(self.returned)
        return shown if self.agrees else f"✗ {shown} (the contract says {show(self.expected)})"

    @property
    def why(self) -> str:
        """The reason in one sentence, with the rule's short name."""
        return f"{self.decision.why} [{self.decision.rule.code}]"


@dataclass(frozen=True)
class Trace:
    """The steps of one scenario on one queue class. Step k leads to the states at index k; 0 is the start."""

    scenario: Scenario
    steps: tuple[Step, ...]
    queue_name: str = "Queue"
    own: tuple[State | None, ...] = ()
    """What the queue itself said its state was after each call (the selected queue; None: it did not say)."""

    @classmethod
    def from_answers(
        cls, scenario: Scenario, answers: Sequence[Any], queue_name: str, own: Sequence[State | None] = ()
    ) -> Trace:
        """A trace from answers already collected; a call without one counts as not reached."""
        queues = Queues((State(scenario.capacity),))
        steps = []
        for number, (decision, after) in enumerate(follow(scenario.capacity, scenario.ops), start=1):
            returned = answers[number - 1] if number <= len(answers) else NOT_REACHED
            operation = scenario.ops[number - 1]
            steps.append(Step(number, operation, returned, decision, queues, after))
            queues = after
        return cls(scenario, tuple(steps), queue_name, tuple(own))

    def __len__(self) -> int:
        """The number of steps."""
        return len(self.steps)

    @property
    def title(self) -> str:
        """The scenario's title, or what can be said without one."""
        name = self.scenario.title or f"{len(self)} calls"
        return name if self.queue_name == "Queue" else f"{name} · on {self.queue_name}"

    @property
    def first_difference(self) -> int | None:
        """The number of the first step where the queue left the contract, or None."""
        return next((step.number for step in self.steps if not step.agrees), None)

    @property
    def answers(self) -> list[Any]:
        """What the queue returned, one plain answer a call."""
        return [step.returned for step in self.steps]

    def queues_at(self, index: int) -> Queues:
        """All queues after `index` calls."""
        return self.steps[index - 1].after if index else Queues((State(self.scenario.capacity),))

    def state_before(self, index: int) -> State:
        """The state before step `index` of the queue that is selected after it; empty if the step made that queue."""
        after = self.queues_at(index)
        before = self.queues_at(index - 1) if index else after
        return before.states[after.selected] if after.selected < len(before.states) else State(self.scenario.capacity)

    def said_at(self, index: int) -> State | None:
        """What the queue said its state was after `index` calls, if it said anything; at the start the contract's."""
        if index == 0:
            return self.queues_at(0).current
        return self.own[index - 1] if index <= len(self.own) else None

    def own_state_at(self, index: int) -> State | None:
        """The queue's own state after `index` calls, where it is not the contract's; otherwise None."""
        own = self.said_at(index)
        return None if own == self.queues_at(index).current else own

    def tickets_at(self, index: int) -> list[Ticket]:
        """Every reservation handed out in the first `index` calls, oldest first."""
        tickets: dict[tuple[int, str, int], Ticket] = {}
        for step in self.steps[:index]:
            queue, decision = step.before.selected, step.decision
            if decision.rule is Rule.R1:
                id, _, attempt = step.expected
                tickets[queue, id, attempt] = Ticket(queue, id, attempt, "current")
            elif decision.rule in _ENDS:
                id = step.operation[1]
                job = step.before.current.find(id)
                assert job is not None
                key = (queue, id, job.attempt)
                tickets[key] = tickets[key]._replace(status=_ENDS[decision.rule])
        return list(tickets.values())

    def __str__(self) -> str:
        return "\n".join(_lines(self))


def trace(source: object, queue_class: QueueFactory = Queue) -> Trace:
    """Make the calls of a scenario on fresh queues of `queue_class` and set the contract's decisions beside them.

    `source` is a Scenario, an example's name, a dict or JSON text; a bad one raises ScenarioError.
    An exception of the queue is recorded as the answer of its call, and the calls go on; a call that
    does not end is given up, and those after it are not reached. What the class keeps outside its
    objects is afterwards as it was.
    """
    scenario = as_scenario(source)
    check_factory(queue_class)
    if queue_class is Queue:
        player = Player(Queue, scenario.capacity)
        made = Played([plain(player.play(operation)) for operation in scenario.ops])
    else:
        made = play(queue_class, scenario.capacity, scenario.ops)
    return Trace.from_answers(scenario, made.answers, name_of(queue_class), made.own)


def name_of(queue_class: object) -> str:
    """A name for the queues of a class; a learner's own `Queue` is told from ours."""
    try:
        name = getattr(queue_class, "__name__", None)
    except Exception:  # the class is not ours
        name = None
    if not isinstance(name, str) or not name:
        return "queue"
    return name if name != "Queue" or queue_class is Queue else "your Queue"


def as_trace(source: object, queue_class: QueueFactory = Queue) -> Trace:
    """A Trace as it is, or the trace of what trace() takes."""
    return source if isinstance(source, Trace) else trace(source, queue_class)


class Summary(NamedTuple):
    """One state of one queue in four short texts; `-` stands for nothing."""

    waiting: str
    in_flight: str
    finished: str
    slots: str


def summary(state: State) -> Summary:
    """The state in short: who waits (oldest first), who is in flight, who is finished, the slots."""
    finished = (f"{job.id} {job.phase}" for job in state.jobs if not job.phase.active)
    return Summary(
        _list(state.waiting),
        _list(f"{job.id}#{job.attempt}" for job in state.in_flight),
        _list(finished),
        f"{len(state.slots)} of {state.capacity}",
    )


def phase_text(state: State, id: str) -> str:
    """Where `id` is, in one cell: `waiting (place 2)`, `in flight (attempt 1)`, `done`, or nothing."""
    job = state.find(id)
    if job is None:
        return ""
    if job.phase is Phase.WAITING:
        return f"waiting (place {state.waiting.index(id) + 1})"
    return f"in flight (attempt {job.attempt})" if job.phase is Phase.IN_FLIGHT else str(job.phase)


def _list(names: Iterable[str]) -> str:
    return ", ".join(names) or "-"


def _lines(trace: Trace) -> Iterable[str]:
    yield f"{trace.title}   (capacity {trace.scenario.capacity})"
    width = max((len(step.call) for step in trace.steps), default=0)
    margin = " " * 6
    yield f"  0   before any call\n{margin}{_state_line(trace.queues_at(0))}"
    for step in trace.steps:
        yield f"{step.number:>3}   {step.call:<{width}}   {step.answer}"
        yield f"{margin}{step.why}"
        yield f"{margin}{_state_line(step.after)}"
    tickets = trace.tickets_at(len(trace))
    several = len(trace.queues_at(len(trace)).states) > 1
    if tickets:
        shown = (f"{f'queue {t.queue}: ' if several else ''}{t.name} {t.status}" for t in tickets)
        yield f"tickets handed out: {', '.join(shown)}"
    if trace.first_difference:
        yield f"{trace.queue_name} leaves the contract at step {trace.first_difference}"


def _state_line(queues: Queues) -> str:
    waiting, in_flight, finished, slots = summary(queues.current)
    prefix = f"queue {queues.selected}: " if len(queues.states) > 1 else ""
    return f"{prefix}waiting {waiting} | in flight {in_flight} | finished {finished} | slots {slots}"
