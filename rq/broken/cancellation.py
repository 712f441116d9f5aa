"""Broken queues for lesson 4: what a cancel leaves behind."""

# ruff: noqa: D102  # each class says what its one method does wrong

from __future__ import annotations

from rq.broken.gallery import shipped
from rq.contract import Rule
from rq.queue import Queue
from rq.state import Phase

LESSON = "04_cancellation"


@shipped(LESSON, Rule.R1, 4)
class CancelRemovesWrongJob(Queue):
    """Jobs are compared by what they have in common, so cancel removes the first in line.

    CPython: https://github.com/python/cpython/issues/79124
    """

    def cancel(self, id: str) -> bool:
        if id in self._waiting:
            id = next(iter(self._waiting))
        return super().cancel(id)


@shipped(LESSON, Rule.R1, 5, "https://github.com/ARMmbed/mbed-os/issues/8664")
class CancelReorders(Queue):
    """The last job in line moves into the gap that the cancelled one leaves.

    CPython: https://github.com/python/cpython/issues/79124
    """

    def cancel(self, id: str) -> bool:
        line = list(self._waiting)
        if id in line:
            line[line.index(id)] = line[-1]
            for other in line[:-1]:
                self._waiting.move_to_end(other)
        return super().cancel(id)


@shipped(
    LESSON,
    Rule.R2,
    3,
    "https://github.com/rq/rq/issues/2292",
    "https://github.com/celery/celery/issues/4300",
    "https://github.com/akai10tsuki/mkvbatchmultiplex/issues/7",
)
class CancelledStillDelivered(Queue):
    """Cancel only marks the job, and the worker that takes it from the line does not look at the mark.

    Celery: https://github.com/celery/celery/issues/1007
    """

    def cancel(self, id: str) -> bool:
        if id not in self._waiting:
            return super().cancel(id)
        cancelled = self._waiting[id].phase is Phase.WAITING
        self._waiting[id].phase = Phase.CANCELLED
        return cancelled

    def _slots_taken(self) -> int:
        return sum(entry.phase.active for entry in self._accepted.values())


@shipped(LESSON, Rule.C1, 2)
class CancelWaitingRefused(Queue):
    """A job can be cancelled only after a worker has started it.

    Data Machine: https://github.com/Extra-Chill/data-machine/issues/2076
    """

    def cancel(self, id: str) -> bool:
        return id in self._in_flight and super().cancel(id)


@shipped(LESSON, Rule.C2, 3)
class CancelInFlightRefused(Queue):
    """A job can be cancelled only as long as no worker has it.

    Bull: https://github.com/OptimalBits/bull/issues/473
    """

    def cancel(self, id: str) -> bool:
        return id in self._waiting and super().cancel(id)


@shipped(LESSON, Rule.E1, 4, "https://github.com/hibiken/asynq/issues/987")
class CancelInFlightComesBack(Queue):
    """A job that is cancelled in flight is treated as a failed one, and so it is retried.

    Asynq: https://github.com/hibiken/asynq/issues/532
    """

    def cancel(self, id: str) -> bool:
        if id in self._in_flight:
            return self.retry(id, self._in_flight[id].attempt)
        return super().cancel(id)


@shipped(LESSON, Rule.X_FINISHED, 4, "https://github.com/grantcarthew/node-rethinkdb-job-queue/issues/82")
class CancelInFlightStillAcks(Queue):
    """A job that was cancelled in flight is completed all the same when its worker is done.

    River: https://github.com/riverqueue/river/pull/141
    """

    def ack(self, id: str, attempt: int) -> bool:
        entry = self._accepted.get(id)
        if entry is not None and entry.phase is Phase.CANCELLED and 1 <= attempt == entry.attempt:
            self._in_flight[id] = entry
        return super().ack(id, attempt)


@shipped(LESSON, Rule.X_FINISHED, 4, "https://github.com/ngageoint/scale/issues/1128")
class CancelThenRetryResurrects(Queue):
    """A late retry brings a cancelled job back into the line.

    Harbor: https://github.com/goharbor/harbor/issues/2382
    """

    def retry(self, id: str, attempt: int) -> bool:
        entry = self._accepted.get(id)
        if entry is not None and entry.phase is Phase.CANCELLED and 1 <= attempt == entry.attempt:
            self._in_flight[id] = entry
        return super().retry(id, attempt)


@shipped(LESSON, Rule.C3_UNKNOWN, 1)
class CancelUnknownTrue(Queue):
    """Cancel reports success for an id that nobody ever enqueued.

    ComfyUI: https://github.com/Comfy-Org/comfy-cli/pull/580
    """

    def cancel(self, id: str) -> bool:
        return super().cancel(id) or id not in self._accepted


@shipped(LESSON, Rule.C3_FINISHED, 3, "https://github.com/apache/datafusion-ballista/issues/1493")
class CancelFinishedTrue(Queue):
    """Cancel reports success for a job that is finished already.

    Temporal: https://github.com/temporalio/temporal/issues/2860
    """

    def cancel(self, id: str) -> bool:
        return super().cancel(id) or id in self._accepted


@shipped(LESSON, Rule.E2, 3, "https://github.com/taskforcesh/bullmq/pull/3236")
class IdForgottenAfterCancel(Queue):
    """A cancelled job is wiped out altogether, so its id is accepted a second time.

    NATS: https://github.com/nats-io/nats-server/issues/3272
    """

    def cancel(self, id: str) -> bool:
        cancelled = super().cancel(id)
        if cancelled:
            del self._accepted[id]
        return cancelled
