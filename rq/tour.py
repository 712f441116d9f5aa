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
from rq.state import Operation, Phase, Queues
from rq.worlds import Node, World, graph

Ops = tuple[Operation, ...]


def tours(world: World) -> Iterator[Ops]:
    """The sequences of a world's tour, the shortest ways first, each cut to what a scenario may hold."""
    start = graph(world).start
    ways: dict[Node, Ops] = {start: ()}
    waiting = [start]
    for node in waiting:  # grows while it is read: breadth first
        refused = tuple(edge.operation for edge in node.edges if edge.to is node)
        yield from _with_probe(ways[node], refused, node.queues)
        for edge in node.edges:
            if edge.to is not node:
                yield from _with_probe(ways[node], (edge.operation,), edge.to.queues)
                if edge.to not in ways:
                    ways[edge.to] = (*ways[node], edge.operation)
                    waiting.append(edge.to)


def _with_probe(way: Ops, calls: Ops, after: Queues) -> Iterator[Ops]:
    room = MOST_OPERATIONS - len(way)
    for start in range(0, len(calls), room):
        yield (*way, *calls[start : start + room], *probe(after))[:MOST_OPERATIONS]


def probe(queues: Queues) -> Ops:
    """Calls that show the state of the selected queue: who waits, who is in flight, who is used up, what is free."""
    state = queues.current
    reserves = (("reserve",),) * (len(state.waiting) + 1)
    flying = []
    for operation in reserves:
        _, queues = advance(queues, operation)
    for job in queues.current.jobs:
        if job.phase is Phase.IN_FLIGHT:
            flying.append(("ack", job.id, job.attempt))
    again = [("enqueue", job.id, "again") for job in state.jobs]
    fresh = [("enqueue", f"fresh-{number}", "") for number in range(state.capacity + 1)]
    return (*reserves, *flying, *again, *fresh)


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


def shrink(ops: Sequence[Operation], differs: Callable[[Ops], Ops | None]) -> Ops:
    """Leave out calls one by one while the rest still differs from the contract.

    `differs` runs a sequence and gives its beginning up to the first difference, or None.
    """
    best = tuple(ops)
    position = 0
    while position < len(best):
        shorter = (*best[:position], *best[position + 1 :])
        shown = differs(shorter) if _valid(shorter) else None
        if shown is None:
            position += 1
        else:
            best, position = shown, 0
    return best


def _valid(ops: Ops) -> bool:
    """Does every `use` name a queue that exists by then?"""
    queues = 1
    for name, *arguments in ops:
        queues += name == "new"
        if name == "use" and arguments[0] >= queues:
            return False
    return True
