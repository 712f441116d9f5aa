"""The exploration behind check(): breadth first, so that the first difference found is a shortest one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

from rq.answers import Hung, Raised, plain, same, show
from rq.contract import Rule, follow
from rq.fingerprint import Incomparable, fingerprint
from rq.guard import Guard
from rq.scenario import MOST_OPERATIONS, Player, QueueFactory
from rq.state import Job, Operation, State
from rq.surroundings import Surroundings
from rq.worlds import Node, World, graph


class Difference(NamedTuple):
    """The answers to the last of `ops` differ; those before it agree. Without ops, the queue could not be made."""

    capacity: int
    ops: tuple[Operation, ...]
    expected: list[Any]
    returned: list[Any]
    rule: Rule | None


class Played(NamedTuple):
    """A sequence played on fresh queues: the plain answers, and what the queue said of its state after each call."""

    answers: list[Any]
    own: tuple[State | None, ...] = ()


class Candidate:
    """A queue class under check: makes fresh queues in fresh surroundings, and plays calls on them."""

    def __init__(self, queue_class: QueueFactory, guard: Guard) -> None:
        self.queue_class = queue_class
        self.surroundings = Surroundings(queue_class)
        self.guard = guard
        self.incomparable = ""
        """Why the state cannot be compared, if it cannot."""
        self.changed = ""
        """How a reservation that was handed out has changed afterwards, if one has."""
        self.own: list[State | None] = []
        """What the queue said its state was, after each call of the last `answers`."""
        self._player: Player | None = None

    def start(self, capacity: int, ops: Sequence[Operation] = ()) -> Raised | Hung | None:
        """Bring fresh queues to where `ops` lead; Raised or Hung if that fails."""
        self.surroundings.reset()
        failure: Raised | Hung | None = self.guard.call(self._start, capacity, ops)
        return failure

    def _start(self, capacity: int, ops: Sequence[Operation]) -> None:
        self._handed: list[tuple[Any, Any]] = []
        self._player = Player(self.queue_class, capacity)
        for operation in ops:
            self.guard.go_on()
            self._play(operation)

    def play(self, operation: Operation) -> Any:
        """Make one more call; its answer in plain form."""
        return self.guard.call(self._play, operation)

    def _play(self, operation: Operation) -> Any:
        """Make one call; note whether it changes a reservation that was handed out before."""
        assert self._player is not None
        answer = self._player.play(tuple(map(_fresh, operation)))
        for handed, then in self._handed:
            if not self.changed and plain(handed) != then:
                self.changed = f"{show(then)} became {show(plain(handed))}"
        if answer is not None and operation[0] == "reserve" and type(answer) not in (tuple, Job):
            self._handed.append((answer, plain(answer)))
        return answer

    def answers(self, capacity: int, ops: Sequence[Operation]) -> list[Any]:
        """The answers of fresh queues to these calls, up to a call that does not end."""
        failure = self.start(capacity)
        if failure is not None:
            return [failure]
        answers: list[Any] = []
        self.own = []
        for operation in ops:
            answers.append(self.play(operation))
            if isinstance(answers[-1], Hung):
                break
            if self.guard.call(self._note_own_state) is not None:
                self.own.append(None)
        return answers

    def _note_own_state(self) -> None:
        assert self._player is not None
        self.own.append(self._player.own_state())

    def state(self) -> Hashable:
        """All that decides how the queues behave from here on. Raises Incomparable."""
        assert self._player is not None
        return fingerprint(self._player.queues, self._player.selected, self.surroundings.values)


def play(queue_class: QueueFactory, capacity: int, ops: Sequence[Operation]) -> Played:
    """Play a sequence under guard, and leave everything outside the queues as it was."""
    with Guard() as guard:
        candidate = Candidate(queue_class, guard)
        try:
            answers = candidate.answers(capacity, ops)
            return Played(answers, tuple(candidate.own))
        finally:
            candidate.surroundings.restore()


def expected_answers(capacity: int, ops: Sequence[Operation]) -> list[Any]:
    """The contract's answers to these calls, in plain form."""
    return [plain(decision.returned) for decision, _ in follow(capacity, ops)]


def failed_start(capacity: int, ops: Sequence[Operation], failure: Any) -> Difference:
    """The difference when a queue cannot be made, or (though it went well before) be brought to where `ops` lead."""
    if not ops:
        return Difference(capacity, (), [], [failure], None)
    expected = expected_answers(capacity, ops)
    return Difference(capacity, tuple(ops), expected, [*expected[:-1], failure], None)


def compare(capacity: int, ops: Sequence[Operation], returned: Sequence[Any]) -> Difference | None:
    """The first call at which the answers leave the contract, or None."""
    expected = []
    for number, (decision, _) in enumerate(follow(capacity, ops)):
        expected.append(plain(decision.returned))
        if number >= len(returned) or not same(returned[number], expected[-1]):
            made = tuple(ops[: number + 1])
            return Difference(capacity, made, expected, list(returned[: number + 1]), decision.rule)
    return None


def _fresh(argument: Any) -> Any:
    """An equal string that is another object, so that a queue that compares with `is` is found out."""
    return (argument + " ")[:-1] if isinstance(argument, str) else argument


class Reached(NamedTuple):
    """A state the search has come to: the calls that lead there, the contract's state, and the candidate's own."""

    ops: tuple[Operation, ...]
    node: Node
    state: Hashable | None


class WorldSearch:
    """Explores one world, one more call at a time.

    Two sequences are merged only where they lead to the same state of the contract and to equal
    states of the candidate's own. A state that cannot be compared is never merged.
    """

    def __init__(self, world: World, candidate: Candidate, limit: int, tick: Callable[[], None]) -> None:
        self.world = world
        self.length = 0
        """Every sequence of up to so many calls has been tried."""
        self.states = 1
        self.operations = 0
        self.comparable = True
        self.stopped = False
        self._candidate, self._limit, self._tick = candidate, limit, tick
        self._frontier = [Reached((), graph(world).start, None)]
        self._seen: set[tuple[Node, Hashable]] = set()

    @property
    def complete(self) -> bool:
        """True when no sequence of any length is left to try."""
        return not self._frontier

    def extend(self) -> Difference | None:
        """Try every sequence that is one call longer; the first difference, or None."""
        further: list[Reached] = []
        if self.length >= MOST_OPERATIONS:  # a longer counterexample would be no scenario
            self.stopped = True
            return None
        for reached in self._frontier:
            if self.operations >= self._limit:
                self.stopped = True
                return None
            difference = self._follow(reached, further)
            if difference is not None:
                return difference
        self._frontier = further
        self.length += 1
        return None

    def _follow(self, reached: Reached, further: list[Reached]) -> Difference | None:
        """Make every call that may follow, each from the reached state, and note where new ones lead."""
        there = False
        for edge in reached.node.edges:
            if not there:
                failure = self._candidate.start(self.world.capacity, reached.ops)
                if failure is not None:
                    return failed_start(self.world.capacity, reached.ops, failure)
                before = self._state() if reached.state is None else reached.state
            answer = self._candidate.play(edge.operation)
            self.operations += 1
            self._tick()
            if not same(answer, edge.expected):
                ops = (*reached.ops, edge.operation)
                return compare(self.world.capacity, ops, [*expected_answers(self.world.capacity, reached.ops), answer])
            after = self._state()
            there = after is not None and after == before and edge.to is reached.node
            if there or (after is not None and (edge.to, after) in self._seen):
                continue
            if after is not None:
                self._seen.add((edge.to, after))
            self.states += 1
            further.append(Reached((*reached.ops, edge.operation), edge.to, after))
        return None

    def _state(self) -> Hashable | None:
        if not self.comparable:
            return None
        try:
            return self._candidate.state()
        except Incomparable as error:
            self.comparable = False
            self._candidate.incomparable = f"it holds {error}"
            return None
