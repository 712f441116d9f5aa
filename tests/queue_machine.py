"""A Hypothesis state machine that makes the same calls on a queue and on the contract.

Its calls come from small pools. So that many of them meet a job, the machine also draws from what the
contract knows by then: ids that are still free or active, tickets that are out, were, or may be next.
There are at most two queues, so that `new` throws no state away for good: `use` comes back to it.
"""

from __future__ import annotations

from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from hypothesis.strategies import SearchStrategy, integers, one_of, runner, sampled_from

from rq.answers import Raised, plain, same
from rq.contract import advance
from rq.scenario import Player
from rq.state import Queues, State
from rq.surroundings import Surroundings

NAMES = ["a", "A", "b", "c"]
PAYLOADS = sampled_from(["", "A", "two words"])
CAPACITIES = sampled_from([1, 2, 3, 0])  # integers(0, 3) would give more of the ends: in a queue of 0 little happens
QUEUES = 2


def new_ids(state):
    return [[id for id in NAMES if state.find(id) is None], NAMES]


def active_ids(state):
    return [[job.id for job in state.jobs if job.phase.active], NAMES]


def tickets(state):
    """The current ones; then those of each job from before its first attempt to its next one; then any id's first."""
    return [
        [(job.id, job.attempt) for job in state.in_flight],
        [(job.id, attempt) for job in state.jobs for attempt in range(job.attempt + 2)],
        [(id, 1) for id in NAMES],
    ]


def drawn(pools) -> SearchStrategy:
    """From one of the pools that the selected queue's state gives by then, each as often; an empty one is left out."""
    return runner().flatmap(lambda machine: one_of(*map(sampled_from, filter(None, pools(machine.queues.current)))))


class Differs(Exception):
    """The queue left the contract at the last of these calls."""

    def __init__(self, ops) -> None:
        super().__init__(ops)
        self.ops = ops


class Machine(RuleBasedStateMachine):
    """Its children say which queue class."""

    queue_class: type
    surroundings: Surroundings

    @initialize(capacity=CAPACITIES)
    def start(self, capacity) -> None:
        self.surroundings.reset()
        self.player = Player(self.queue_class, capacity)
        self.queues = Queues((State(capacity),))
        self.ops = []

    def call(self, *operation) -> None:
        self.ops.append(operation)
        decision, self.queues = advance(self.queues, operation)
        try:
            answer = plain(self.player.play(operation))
        except Exception as error:
            answer = Raised(repr(error))
        if not same(answer, plain(decision.returned)):
            raise Differs(tuple(self.ops))

    @rule(id=drawn(new_ids), payload=PAYLOADS)
    def enqueue(self, id, payload) -> None:
        self.call("enqueue", id, payload)

    @rule()
    def reserve(self) -> None:
        self.call("reserve")

    @rule(ticket=drawn(tickets))
    def ack(self, ticket) -> None:
        self.call("ack", *ticket)

    @rule(ticket=drawn(tickets))
    def retry(self, ticket) -> None:
        self.call("retry", *ticket)

    @rule(id=drawn(active_ids))
    def cancel(self, id) -> None:
        self.call("cancel", id)

    @precondition(lambda self: len(self.queues.states) < QUEUES)
    @rule()
    def new(self) -> None:
        self.call("new")

    @precondition(lambda self: len(self.queues.states) > 1)
    @rule(index=integers(0, QUEUES - 1))
    def use(self, index) -> None:
        self.call("use", index)
