"""Broken queues for lesson 1: who goes next, and what a reservation contains."""

# ruff: noqa: D102  # each class says what its one method does wrong

from __future__ import annotations

from collections import OrderedDict

from rq.broken.gallery import shipped
from rq.contract import Rule
from rq.queue import Queue
from rq.state import Job

LESSON = "01_fifo"


@shipped(LESSON, Rule.R1, 3, "https://github.com/JoseTomasTocino/yotaq/issues/1")
class Lifo(Queue):
    """The newest job comes out first, because jobs leave the line where they enter it.

    Dramatiq: https://github.com/Bogdanp/dramatiq/issues/850
    """

    def reserve(self) -> Job | None:
        if self._waiting:
            newest = next(reversed(self._waiting))
            self._waiting.move_to_end(newest, last=False)
        return super().reserve()


@shipped(
    LESSON,
    Rule.R1,
    5,
    "https://github.com/peter-wangxu/persist-queue/issues/143",
    "https://github.com/amqp-node/amqplib/issues/488",
)
class RetryToHead(Queue):
    """A retry puts the job in front of all others, so one job that keeps failing starves the rest.

    Bee-Queue: https://github.com/bee-queue/bee-queue/issues/52
    """

    def retry(self, id: str, attempt: int) -> bool:
        returned = super().retry(id, attempt)
        if returned:
            self._waiting.move_to_end(id, last=False)
        return returned


@shipped(LESSON, Rule.R1, 2, "https://github.com/avito-tech/aqueduct/pull/21")
class SpuriousEmpty(Queue):
    """A reserve that comes straight after an enqueue does not see the new job yet.

    CPython: https://github.com/python/cpython/issues/87302
    """

    _just_put = False

    def enqueue(self, id: str, payload: str) -> bool:
        self._just_put = super().enqueue(id, payload)
        return self._just_put

    def reserve(self) -> Job | None:
        if self._just_put:
            self._just_put = False
            return None
        return super().reserve()


@shipped(
    LESSON,
    Rule.R2,
    3,
    "https://github.com/rq/rq/issues/1854",
    "https://github.com/Automattic/kue/issues/1133",
)
class DeliveredTwice(Queue):
    """A reserved job can still be seen by the others, so a second worker gets it as well.

    Delayed::Job: https://github.com/collectiveidea/delayed_job/issues/534
    """

    def reserve(self) -> Job | None:
        if self._in_flight:
            id, entry = next(iter(self._in_flight.items()))
            return Job(id, entry.payload, entry.attempt)
        return super().reserve()


@shipped(
    LESSON,
    Rule.R1,
    2,
    "https://github.com/postwait/node-amqp/issues/58",
    "https://github.com/benumbed/nim-amqp/issues/3",
    "https://github.com/michaelklishin/bunny-swift/issues/13",
)
class EmptyPayloadSkipped(Queue):
    """A job whose payload is the empty string is taken for no job at all.

    Pika: https://github.com/pika/pika/issues/227
    """

    def reserve(self) -> Job | None:
        job = super().reserve()
        return job if job and job.payload else None


@shipped(LESSON, Rule.R1, 4, "https://github.com/agent-tools-org/ai-dispatch/issues/155")
class RetryDropsPayload(Queue):
    """A retry makes the job anew and forgets to copy its payload.

    Singularity: https://github.com/HubSpot/Singularity/issues/1133
    """

    def retry(self, id: str, attempt: int) -> bool:
        returned = super().retry(id, attempt)
        if returned:
            self._accepted[id].payload = None  # type: ignore[assignment]
        return returned


@shipped(LESSON, Rule.R1, 2)
class AttemptStartsAtZero(Queue):
    """The first reservation has attempt 0, because attempts are counted when they end.

    Bull: https://github.com/OptimalBits/bull/issues/741
    """

    def enqueue(self, id: str, payload: str) -> bool:
        accepted = super().enqueue(id, payload)
        if accepted:
            self._accepted[id].attempt = -1
        return accepted


@shipped(LESSON, Rule.R1, 2)
class AttemptStartsAtTwo(Queue):
    """The first reservation has attempt 2, because the enqueue was counted too.

    bull-board: https://github.com/felixmosh/bull-board/issues/386
    """

    def enqueue(self, id: str, payload: str) -> bool:
        accepted = super().enqueue(id, payload)
        if accepted:
            self._accepted[id].attempt = 1
        return accepted


@shipped(LESSON, Rule.R1, 4)
class AttemptSharedAcrossJobs(Queue):
    """All jobs of the queue count their attempts with one counter.

    worque: https://github.com/titarenko/worque/issues/11
    """

    def reserve(self) -> Job | None:
        counter = max((entry.attempt for entry in self._accepted.values()), default=0)
        for entry in self._waiting.values():
            entry.attempt = counter
        return super().reserve()


@shipped(
    LESSON,
    Rule.N1,
    3,
    "https://github.com/scanoss/scanoss.py/issues/106",
    "https://github.com/QueueClassic/queue_classic/pull/34",
)
class StateSharedBetweenQueues(Queue):
    """The jobs are kept in the class, so that all its queues are one and the same queue.

    Jupyter Server: https://github.com/jupyter-server/jupyter_server/pull/848
    """

    _accepted = {}  # noqa: RUF012  # this is the fault
    _waiting = OrderedDict()  # noqa: RUF012
    _in_flight = {}  # noqa: RUF012

    def __init__(self, capacity: int) -> None:
        self._capacity = Queue(capacity)._capacity
