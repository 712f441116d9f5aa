"""Broken queues for lesson 3: which result counts."""

# ruff: noqa: D102  # each class says what its one method does wrong

from __future__ import annotations

from rq.broken.gallery import WithCopies, shipped
from rq.contract import Rule
from rq.queue import Queue

LESSON = "03_fencing"


@shipped(LESSON, Rule.X_ZERO, 3, "https://github.com/first-tree-ai/first-tree/issues/1670")
class AckIgnoresAttempt(Queue):
    """An ack needs the id only; it counts with any attempt number.

    Oban: https://github.com/oban-bg/oban/issues/1496
    """

    def ack(self, id: str, attempt: int) -> bool:
        if id in self._in_flight:
            attempt = self._in_flight[id].attempt
        return super().ack(id, attempt)


@shipped(
    LESSON,
    Rule.X_STALE,
    5,
    "https://github.com/temporalio/sdk-java/issues/1223",
    "https://github.com/sidequestjs/sidequest/issues/208",
)
class AckAcceptsOlderAttempt(Queue):
    """A worker that lost its job to a retry can still ack it for the worker that has it now.

    Bull: https://github.com/OptimalBits/bull/issues/308
    """

    def ack(self, id: str, attempt: int) -> bool:
        if id in self._in_flight and 1 <= attempt < self._in_flight[id].attempt:
            attempt = self._in_flight[id].attempt
        return super().ack(id, attempt)


@shipped(LESSON, Rule.X_STALE, 5)
class RetryAcceptsOlderAttempt(Queue):
    """A late retry from an earlier attempt pulls the job out of the hands of its new worker.

    Delayed::Job: https://github.com/collectiveidea/delayed_job_active_record/issues/193
    """

    def retry(self, id: str, attempt: int) -> bool:
        if id in self._in_flight and 1 <= attempt < self._in_flight[id].attempt:
            attempt = self._in_flight[id].attempt
        return super().retry(id, attempt)


@shipped(LESSON, Rule.X_FUTURE, 3)
class AckAcceptsFutureAttempt(Queue):
    """An ack may name an attempt that was never handed out.

    NATS: https://github.com/nats-io/nats-server/pull/6109
    """

    def ack(self, id: str, attempt: int) -> bool:
        if id in self._in_flight and attempt > self._in_flight[id].attempt:
            attempt = self._in_flight[id].attempt
        return super().ack(id, attempt)


@shipped(LESSON, Rule.A1, 5)
class AckRefusedAfterRetry(Queue):
    """Once a job was retried, no ack for it counts any more, not even the current one.

    Alibaba Cloud MQ: https://github.com/aliyunmq/mq-http-samples/issues/21
    """

    def ack(self, id: str, attempt: int) -> bool:
        return attempt == 1 and super().ack(id, attempt)


@shipped(LESSON, Rule.A1, 21)
class AckMisreadsLargeAttempt(Queue):
    """An attempt number that needs one more digit is garbled on its way, so the right ack is refused.

    Ruby amqp gem: https://github.com/ruby-amqp/amqp/issues/107
    """

    def ack(self, id: str, attempt: int) -> bool:
        return super().ack(id, attempt if attempt < 10 else attempt * 10)


@shipped(LESSON, Rule.T1, 3)
class RetryIsADuplicate(Queue):
    """A retry goes through enqueue, which refuses the job as a duplicate of itself.

    Faktory: https://github.com/contribsys/faktory/issues/220
    """

    def retry(self, id: str, attempt: int) -> bool:
        if not self._is_current(id, attempt):
            return False
        entry = self._in_flight.pop(id)
        return self.enqueue(id, entry.payload)


@shipped(LESSON, Rule.X_WAITING, 4, "https://github.com/ngageoint/scale/issues/1494")
class RetryTwiceDuplicates(WithCopies):
    """A second retry with the same ticket puts the job in line once more.

    Svix: https://github.com/svix/svix-webhooks/pull/676
    """

    def retry(self, id: str, attempt: int) -> bool:
        if id in self._waiting and 1 <= attempt == self._waiting[id].attempt:
            self._wait_once_more(id)
            return True
        return super().retry(id, attempt)


@shipped(LESSON, Rule.X_WAITING, 4)
class AckWaitingAccepted(Queue):
    """An ack whose reservation has ended takes the job out of the line, where it waits for the next attempt.

    beanstalkd: https://github.com/beanstalkd/beanstalkd/issues/653
    """

    def ack(self, id: str, attempt: int) -> bool:
        if id in self._waiting and 1 <= attempt == self._waiting[id].attempt:
            self._in_flight[id] = self._waiting.pop(id)
        return super().ack(id, attempt)


@shipped(LESSON, Rule.X_WAITING, 2, "https://github.com/argoproj/argo-workflows/pull/12905")
class DoneWithoutGet(WithCopies):
    """A job that nobody has reserved can be reported done, and then it is in line twice.

    Kubernetes: https://github.com/kubernetes/kubernetes/issues/79934
    """

    def ack(self, id: str, attempt: int) -> bool:
        if id in self._waiting and self._waiting[id].attempt == 0:
            self._wait_once_more(id)
            return True
        return super().ack(id, attempt)


@shipped(LESSON, Rule.X_UNKNOWN, 1, "https://github.com/bbc/sqs-consumer/issues/102")
class AckUnknownTrue(Queue):
    """The answer to an ack is yes, whatever ticket it names.

    Amazon SQS: https://github.com/aws/aws-sdk-net/issues/3238
    """

    def ack(self, id: str, attempt: int) -> bool:
        super().ack(id, attempt)
        return True


@shipped(
    LESSON,
    Rule.X_UNKNOWN,
    1,
    "https://github.com/celery/kombu/issues/19",
    "https://github.com/BrighterCommand/Brighter/pull/4040",
)
class AckUnknownRaises(Queue):
    """An ack of a job that is not in flight raises an exception, as if losing a race were a mistake.

    RabbitMQ: https://github.com/rabbitmq/rabbitmq-dotnet-client/issues/200
    """

    def ack(self, id: str, attempt: int) -> bool:
        entry = self._in_flight[id]
        return attempt == entry.attempt and super().ack(id, attempt)


@shipped(LESSON, Rule.X_ZERO, 3)
class ZeroAttemptIsWildcard(Queue):
    """Attempt 0 is false, and what is false is taken for no attempt to compare.

    Bull: https://github.com/OptimalBits/bull/pull/539
    """

    def _is_current(self, id: str, attempt: int) -> bool:
        return super()._is_current(id, attempt) or (not attempt and id in self._in_flight)


@shipped(LESSON, Rule.X_ZERO, 3)
class ZeroAttemptAcksAll(Queue):
    """An ack with attempt 0 completes every job in flight.

    RabbitMQ: https://github.com/rabbitmq/rabbitmq-java-client/issues/395
    """

    def ack(self, id: str, attempt: int) -> bool:
        if attempt != 0:
            return super().ack(id, attempt)
        outstanding = list(self._in_flight.items())
        for each, entry in outstanding:
            super().ack(each, entry.attempt)
        return len(outstanding) > 0


@shipped(
    LESSON,
    Rule.R1,
    4,
    "https://github.com/kapilt/mongoqueue/issues/11",
    "https://github.com/own-pay/OwnPay/issues/172",
    "https://github.com/taskforcesh/bullmq/issues/1002",
)
class AttemptNotIncremented(Queue):
    """A retry starts the count again, so two reservations of a job have the same ticket.

    RabbitMQ: https://github.com/rabbitmq/rabbitmq-server/issues/7907
    """

    def retry(self, id: str, attempt: int) -> bool:
        returned = super().retry(id, attempt)
        if returned:
            self._accepted[id].attempt = 0
        return returned
