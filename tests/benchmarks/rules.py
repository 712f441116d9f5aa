"""Which of the contract's rules a queue keeps: every call in every state of some small worlds, rule by rule.

A call keeps its rule if the answer is the contract's and the line that is left is, too: after the
call, everything that waits is reserved. Only calls that kept their rule lead on to further states,
so that no rule is blamed for what another did before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rq import Rule
from rq.answers import Raised, plain
from rq.scenario import Player, QueueFactory
from rq.search import compare
from rq.state import Operation
from rq.worlds import DEFAULT_WORLDS, VERBS, Node, World, graph

LONGEST = 5
"""Calls before the last one: enough for an ack after two reservations."""

WORLDS = tuple(world for world in DEFAULT_WORLDS if world.name in ("no slots", "one slot", "two slots", "two queues"))


class Verdict(NamedTuple):
    """The rules in the contract's order, each in one of the four."""

    kept: list[Rule]
    broken: list[Rule]
    unreached: list[Rule]
    no_call: list[Rule]


def verdict(make: QueueFactory, verbs: Sequence[str] = VERBS, worlds: Sequence[World] = WORLDS) -> Verdict:
    """Try each call of `verbs` in each state that can be reached with at most LONGEST calls."""
    kept: set[Rule] = set()
    broken: set[Rule] = set()
    for world in worlds:
        start = graph(world.without([verb for verb in VERBS if verb not in verbs])).start
        ways: dict[Node, tuple[Operation, ...]] = {start: ()}
        todo = [start]
        for node in todo:  # grows while it is read: breadth first
            for edge in node.edges:
                ops = (*ways[node], edge.operation)
                if not agrees(make, world.capacity, (*ops, *drain(edge.to))):
                    broken.add(edge.rule)
                    continue
                kept.add(edge.rule)
                if edge.to not in ways and len(ops) <= LONGEST:
                    ways[edge.to] = ops
                    todo.append(edge.to)
    asked = [rule for rule in Rule if set(verbs_of(rule)) & set(verbs)]
    return Verdict(
        [rule for rule in asked if rule in kept - broken],
        [rule for rule in asked if rule in broken],
        [rule for rule in asked if rule not in kept | broken],
        [rule for rule in Rule if rule not in asked],
    )


def verbs_of(rule: Rule) -> tuple[str, ...]:
    """The operations that a rule speaks of; `new` and `use` are for every queue."""
    heads, _, _ = rule.statement.partition(":")
    verbs = tuple(head for head in heads.split(", ") if head in VERBS)
    return verbs or VERBS


def drain(node: Node) -> tuple[Operation, ...]:
    """Reserve all that waits in the selected queue, and once more."""
    return (("reserve",),) * (len(node.queues.current.waiting) + 1)


def agrees(make: QueueFactory, capacity: int, ops: Sequence[Operation]) -> bool:
    """Does a fresh queue answer all these calls as the contract does?"""
    answers = []
    try:
        player = Player(make, capacity)
        for operation in ops:
            answers.append(plain(player.play(operation)))
    except Exception as error:  # whatever a library raises, it is no answer
        answers.append(Raised(repr(error)))
    return compare(capacity, ops, answers) is None


def codes(rules: Sequence[Rule]) -> str:
    """`E1 E2 R1`, or a dash; `C3` and `X` alone where all their rules are among them."""
    if set(rules) == set(Rule):
        return f"all {len(Rule)}"
    names = [rule.code for rule in rules]
    for family in ("C3", "X"):
        members = [rule.code for rule in Rule if rule.code.startswith(f"{family}-")]
        if set(members) <= set(names):
            names = [family if name == members[0] else name for name in names if name not in members[1:]]
    return " ".join(names) or "-"
