"""Sequences for queues whose state cannot be read: every call of a world once, then a look at the state through calls.

Without the state, sequences cannot be merged, so only short ones can all be tried. A tour goes
further, guided by the contract: it leads to each of the world's states by a shortest way, makes each call there,
and then probes. It finds most faults, and proves nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from rq.contract import advance
from rq.scenario import MOST_OPERATIONS
from rq.search import Difference
from rq.state import Operation, Phase, Queues
from rq.worlds import VERBS, Node, World, graph

Ops = tuple[Operation, ...]


def tours(world: World) -> Iterator[Ops]:
    """The sequences of a world's tour, the shortest ways first, each cut to what a scenario may hold."""
    start = graph(world).start
    ways: dict[Node, Ops] = {start: ()}
    waiting = [start]
    for node in waiting:  # grows while it is read: breadth first
        refused = tuple(edge.operation for edge in node.edges if edge.to is node)
        yield from _with_probe(ways[node], refused, node.queues, world.verbs)
        for edge in node.edges:
            if edge.to is not node:
                yield from _with_probe(ways[node], (edge.operation,), edge.to.queues, world.verbs)
                if edge.to not in ways:
                    ways[edge.to] = (*ways[node], edge.operation)
                    waiting.append(edge.to)


def _with_probe(way: Ops, calls: Ops, after: Queues, verbs: Sequence[str]) -> Iterator[Ops]:
    room = MOST_OPERATIONS - len(way)
    for start in range(0, len(calls), room):
        yield (*way, *calls[start : start + room], *probe(after, verbs))[:MOST_OPERATIONS]


def probe(queues: Queues, verbs: Sequence[str] = VERBS) -> Ops:
    """Calls that show the state of the selected queue: who waits, who is in flight, who is used up, what is free.

    Only calls of `verbs` are made.
    """
    state = queues.current
    reserves = (("reserve",),) * (len(state.waiting) + 1)
    flying = []
    for operation in reserves if "reserve" in verbs else ():
        _, queues = advance(queues, operation)
    for job in queues.current.jobs:
        if job.phase is Phase.IN_FLIGHT:
            flying.append(("ack", job.id, job.attempt))
    again = [("enqueue", job.id, "again") for job in state.jobs]
    fresh = [("enqueue", f"fresh-{number}", "") for number in range(state.capacity + 1)]
    return tuple(operation for operation in (*reserves, *flying, *again, *fresh) if operation[0] in verbs)


def length_within(world: World, most: int) -> int:
    """The greatest length of which there are at most `most` sequences."""
    counts = Counter({graph(world).start: 1})
    length = 0
    while length < MOST_OPERATIONS and counts.total() <= most:
        following: Counter[Node] = Counter()
        for node, count in counts.items():
            for edge in node.edges:
                following[edge.to] += count
        counts, length = following, length + 1
    return length - (counts.total() > most)


def every_sequence(world: World, length: int) -> Iterator[Ops]:
    """All sequences of this length."""

    def follow(node: Node, ops: Ops) -> Iterator[Ops]:
        if len(ops) == length:
            yield ops
        else:
            for edge in node.edges:
                yield from follow(edge.to, (*ops, edge.operation))

    return follow(graph(world).start, ())


def shrink(found: Difference, play: Callable[[int, Ops], Difference | None]) -> Difference:
    """Leave out calls one by one while the rest still differs from the contract.

    `play` runs a sequence on fresh queues and gives its first difference, or None.
    """
    position = 0
    while position < len(found.ops):
        shorter = (*found.ops[:position], *found.ops[position + 1 :])
        difference = play(found.capacity, shorter) if _valid(shorter) else None
        if difference is None:
            position += 1
        else:
            found, position = difference, 0
    return found


def _valid(ops: Ops) -> bool:
    """Does every `use` name a queue that exists by then?"""
    queues = 1
    for name, *arguments in ops:
        queues += name == "new"
        if name == "use" and arguments[0] >= queues:
            return False
    return True
