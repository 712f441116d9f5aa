"""The small worlds in which a queue is checked: a capacity, and every call that may be made.

Several narrow worlds, each deep in one direction, cost less and find more than one broad one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from rq.answers import plain
from rq.contract import Rule, advance
from rq.state import Operation, Queues, State

_MANY = 4

VERBS = ("enqueue", "reserve", "ack", "retry", "cancel")
"""The operations of a queue."""


@dataclass(frozen=True)
class World:
    """A capacity and the calls that may be made, in any order and number.

    `jobs` are the (id, payload) pairs that may be enqueued, in any order, or, if `in_order`, each
    only after those before it were accepted (of many jobs, only the first is offered again). ack,
    retry and cancel may name the same ids; ack and retry may name `attempts`. Up to `queues` queues
    may be created. `verbs` are the operations.
    """

    name: str
    capacity: int
    jobs: tuple[tuple[str, str], ...]
    attempts: tuple[int, ...]
    queues: int = 1
    in_order: bool = False
    verbs: tuple[str, ...] = VERBS

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids, each once."""
        return tuple(dict.fromkeys(id for id, _ in self.jobs))

    @property
    def payloads(self) -> tuple[str, ...]:
        """The payloads, each once."""
        return tuple(dict.fromkeys(payload for _, payload in self.jobs))

    def without(self, verbs: Sequence[str]) -> World:
        """The same world, less some operations."""
        return replace(self, verbs=tuple(verb for verb in self.verbs if verb not in verbs))

    def operations(self, queues: Queues) -> list[Operation]:
        """The calls that may be made in this state."""
        jobs, accepted = self.jobs, len(queues.current.jobs)
        if self.in_order:
            jobs = jobs[: accepted + 1] if len(jobs) <= _MANY else (*jobs[:1], *jobs[accepted or 1 : accepted + 1])
        count = len(queues.states)
        calls: dict[str, list[Operation]] = {
            "enqueue": [("enqueue", id, payload) for id, payload in jobs],
            "reserve": [("reserve",)],
            "ack": [("ack", id, attempt) for id in self.ids for attempt in self.attempts],
            "retry": [("retry", id, attempt) for id in self.ids for attempt in self.attempts],
            "cancel": [("cancel", id) for id in self.ids],
        }
        operations = [operation for verb in self.verbs for operation in calls[verb]]
        if self.queues > 1:
            operations += [("new",)] if count < self.queues else []
            operations += [("use", index) for index in range(count)] if count > 1 else []
        return operations


@dataclass(frozen=True, eq=False)
class Edge:
    """One call in one state of a world: what the contract answers, by which rule, and where it leads."""

    operation: Operation
    expected: Any
    rule: Rule
    to: Node


class Node:
    """One state of all queues of a world, with the calls that may follow; worked out when first asked for."""

    def __init__(self, graph: Graph, queues: Queues) -> None:
        self._graph = graph
        self._edges: list[Edge] | None = None
        self.queues = queues

    @property
    def edges(self) -> list[Edge]:
        """The calls that may be made here."""
        if self._edges is None:
            self._edges = [self._edge(call) for call in self._graph.world.operations(self.queues)]
        return self._edges

    def _edge(self, operation: Operation) -> Edge:
        decision, after = advance(self.queues, operation)
        return Edge(operation, plain(decision.returned), decision.rule, self._graph.node(after))


class Graph:
    """A world as the contract sees it: its states and the calls between them. Each state is one Node."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._nodes: dict[Queues, Node] = {}
        self.start = self.node(Queues((State(world.capacity),)))

    def node(self, queues: Queues) -> Node:
        """The one node for this state."""
        if queues not in self._nodes:
            self._nodes[queues] = Node(self, queues)
        return self._nodes[queues]


@cache
def graph(world: World) -> Graph:
    """The graph of a world; made once, since the contract never changes."""
    return Graph(world)


def _jobs(ids: str, payloads: str = "") -> tuple[tuple[str, str], ...]:
    return tuple(zip(ids.split(), (payloads or ids.upper()).split(), strict=True))


_LINE = " ".join(f"job-{number}" for number in range(1, 18))

DEFAULT_WORLDS: tuple[World, ...] = (
    World("no slots", 0, _jobs("a b"), (0, 1)),
    World("one slot", 1, _jobs("a b"), (0, 1, 2)),
    World("two slots", 2, _jobs("a b"), (0, 1, 2)),
    World("payloads", 2, (("a", "A"), ("a", ""), ("b", "two words"), ("b", "")), (1,)),
    World("capital and small", 2, _jobs("a A", "small capital"), (1, 2)),
    World("two queues", 1, _jobs("a"), (1, 2), queues=2),
    World("many retries", 1, _jobs("a"), tuple(range(13))),
    World("one after another", 1, _jobs("a b c d"), (1,), in_order=True),
    World("three in line", 3, _jobs("job-1 job-2 job-3"), (1,), in_order=True),
    World("sixteen slots", 16, _jobs(_LINE), (), in_order=True, verbs=("enqueue", "reserve")),
)
"""What check() explores unless told otherwise."""
