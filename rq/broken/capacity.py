"""Broken queues for lesson 2: who takes a slot, and which ids are used up."""

# ruff: noqa: D102  # each class says what its one method does wrong

from __future__ import annotations

import sys

from rq.broken.gallery import WithCopies, shipped
from rq.contract import Rule
from rq.queue import Queue, _Entry
from rq.state import Phase

LESSON = "02_capacity"


@shipped(LESSON, Rule.E3, 3, "https://github.com/peter-wangxu/persist-queue/issues/144")
class CapacityCountsWaitingOnly(Queue):
    """The limit is compared with the waiting jobs alone, so each reserve makes room.

    GoodJob: https://github.com/bensheldon/good_job/issues/366
    """

    def _slots_taken(self) -> int:
        return len(self._waiting)


@shipped(LESSON, Rule.E3, 1)
class CapacityOffByOne(Queue):
    """The queue is held to be full only when it is over its limit, so it takes one job too many.

    PySyncObj: https://github.com/bakwc/PySyncObj/issues/203
    """

    def _slots_taken(self) -> int:
        return super()._slots_taken() - 1  # as if >= were >


@shipped(LESSON, Rule.E3, 1, "https://github.com/Koed00/django-q/issues/602")
class ZeroMeansUnlimited(Queue):
    """A capacity of 0 is read as no limit.

    Hazelcast: https://github.com/hazelcast/hazelcast/issues/2452
    """

    def __init__(self, capacity: int) -> None:
        super().__init__(capacity)
        self._capacity = self._capacity or sys.maxsize


@shipped(LESSON, Rule.E3, 1, "https://github.com/nats-io/nats-server/issues/4247")
class FullButSaysYes(Queue):
    """A full queue throws the new job away and answers that it was accepted.

    NATS: https://github.com/nats-io/nats-server/issues/4771
    """

    def enqueue(self, id: str, payload: str) -> bool:
        return super().enqueue(id, payload) or id not in self._accepted


@shipped(
    LESSON,
    Rule.E3,
    6,
    "https://github.com/Bogdanp/dramatiq/pull/262",
    "https://github.com/rusty-celery/rusty-celery/pull/181",
    "https://github.com/metarhia/metautil/issues/101",
)
class DoubleAckFreesTwice(Queue):
    """The second ack of a job is refused, but it gives back one more slot.

    RabbitMQ: https://github.com/rabbitmq/rabbitmq-server/pull/5609
    """

    _given_back = 0

    def ack(self, id: str, attempt: int) -> bool:
        if id in self._accepted and self._accepted[id].phase is Phase.DONE:
            self._given_back += 1
        return super().ack(id, attempt)

    def _slots_taken(self) -> int:
        return super()._slots_taken() - self._given_back


@shipped(LESSON, Rule.E3, 6)
class CancelThenAckFreesTwice(Queue):
    """The cancel gives the slot back, and the late ack gives it back again.

    Solid Queue: https://github.com/rails/solid_queue/pull/761
    """

    _given_back = 0

    def ack(self, id: str, attempt: int) -> bool:
        entry = self._accepted.get(id)
        if entry is not None and entry.phase is Phase.CANCELLED and 1 <= attempt == entry.attempt:
            self._given_back += 1
        return super().ack(id, attempt)

    def _slots_taken(self) -> int:
        return super()._slots_taken() - self._given_back


@shipped(LESSON, Rule.E1, 3)
class CancelWaitingLeaksSlot(Queue):
    """The slot of a job that is cancelled before anyone reserves it is never free again.

    Celery: https://github.com/celery/celery/issues/1246
    """

    _leaked = 0

    def cancel(self, id: str) -> bool:
        self._leaked += id in self._waiting
        return super().cancel(id)

    def _slots_taken(self) -> int:
        return super()._slots_taken() + self._leaked


@shipped(LESSON, Rule.E3, 4)
class RetryFreesSlot(Queue):
    """A job that waits for another attempt is left out when the slots are counted.

    sidekiq-unique-jobs: https://github.com/zoolutions/sidekiq-unique-jobs/issues/708
    """

    def _slots_taken(self) -> int:
        new = sum(entry.attempt == 0 for entry in self._waiting.values())
        return new + len(self._in_flight)


@shipped(LESSON, Rule.E1, 4, "https://github.com/laravel/framework/issues/47761")
class RefusedReservesId(Queue):
    """The id is written down before the queue looks for a free slot, so a refused enqueue uses it up.

    Laravel: https://github.com/laravel/framework/issues/48483
    """

    def enqueue(self, id: str, payload: str) -> bool:
        accepted = super().enqueue(id, payload)
        self._accepted.setdefault(id, _Entry(payload))
        return accepted


@shipped(LESSON, Rule.E2, 3)
class DuplicateWhileInFlight(Queue):
    """An id counts as taken only as long as its job waits in line.

    VMClarity: https://github.com/openclarity/vmclarity/pull/314
    """

    def enqueue(self, id: str, payload: str) -> bool:
        if id in self._in_flight and self._slots_taken() < self._capacity:
            del self._accepted[id]
        return super().enqueue(id, payload)


@shipped(
    LESSON,
    Rule.E2,
    2,
    "https://github.com/taskforcesh/bullmq/issues/458",
    "https://github.com/contribsys/faktory/issues/416",
)
class DuplicateEntersTwice(WithCopies):
    """A second enqueue of an id replaces the payload and puts the job in line once more.

    RQ (Redis Queue): https://github.com/rq/rq/issues/1701
    """

    def enqueue(self, id: str, payload: str) -> bool:
        if id in self._waiting and self._slots_taken() < self._capacity:
            self._waiting[id].payload = payload
            self._wait_once_more(id)
            return True
        return super().enqueue(id, payload)


@shipped(LESSON, Rule.R1, 3)
class RefusedDuplicateOverwrites(Queue):
    """A duplicate is refused, but its payload is stored over the first one.

    RQ (Redis Queue): https://github.com/rq/rq/issues/1521
    """

    def enqueue(self, id: str, payload: str) -> bool:
        if id in self._accepted:
            self._accepted[id].payload = payload
        return super().enqueue(id, payload)


@shipped(LESSON, Rule.E2, 4, "https://github.com/formbricks/formbricks/pull/9123")
class IdForgottenAfterAck(Queue):
    """The record of a done job is deleted, so its id is accepted a second time.

    BullMQ: https://github.com/taskforcesh/bullmq/issues/1318
    """

    def ack(self, id: str, attempt: int) -> bool:
        done = super().ack(id, attempt)
        if done:
            del self._accepted[id]
        return done


@shipped(LESSON, Rule.E1, 2, "https://github.com/unkeyed/unkey/issues/4091")
class CaseInsensitiveIds(Queue):
    """Two ids that differ only in small and capital letters are taken for one.

    WSO2 Message Broker: https://github.com/wso2/carbon-business-messaging/issues/514
    """

    def enqueue(self, id: str, payload: str) -> bool:
        taken = {other.lower() for other in self._accepted}
        return id.lower() not in taken and super().enqueue(id, payload)
