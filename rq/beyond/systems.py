"""What production systems chose, from their own documentation.

Each answer was read in a stored copy of the page, or of the source file, that its link leads to. It says no
more than stands there; where the page is silent on a part, the answer says "not confirmed". The copies
were not all of the newest version. Read the page before you build on it.
"""

from __future__ import annotations

from typing import NamedTuple

from rq.beyond.story import Table

QUESTIONS = {
    "words": "its words for our words",
    "stale ack": "what a stale acknowledgement gets",
    "capacity": "what capacity counts",
    "id reuse": "whether ids can be reused",
    "cancel": "what cancel does to running work",
}
"""The questions put to each system, by their short names."""


class Answer(NamedTuple):
    """What a system's documentation or source says to one question, and where."""

    text: str
    link: str


def systems_table(question: str) -> Table:
    """All systems' answers to one question; raises ValueError if it is not one of QUESTIONS."""
    if question not in QUESTIONS:
        raise ValueError(f"the questions are {', '.join(QUESTIONS)}; {question!r} is none")
    number = list(QUESTIONS).index(question)
    rows = ((name, answers[number].link, answers[number].text) for name, answers in SYSTEMS.items())
    return Table(QUESTIONS[question], ("system", "source", "answer"), tuple(rows))


_BEANSTALKD = "https://github.com/beanstalkd/beanstalkd/blob/master/doc/protocol.txt"
_SQS = "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/"
_SQS_DELETE = _SQS + "APIReference/API_DeleteMessage.html"
_RABBITMQ = "https://www.rabbitmq.com/docs/"
_REDIS_QUEUE = "https://python-rq.org/"
_CELERY = "https://docs.celeryq.dev/en/stable/"
_BULLMQ = "https://docs.bullmq.io/guide/"
_SIDEKIQ = "https://github.com/sidekiq/sidekiq/"
_SIDEKIQ_WIKI = "https://sidekiq.org/wiki/"
_RIVER = "https://github.com/riverqueue/river/blob/master/"
_RIVER_SQL = _RIVER + "riverdriver/riverpgxv5/internal/dbsqlc/river_job.sql"
_OBAN = "https://github.com/oban-bg/oban/blob/main/"
_KAFKA_SOURCE = "https://github.com/apache/kafka/blob/trunk/"
_KAFKA = _KAFKA_SOURCE + "clients/src/main/java/org/apache/kafka/clients/consumer/"
_POSTGRES = "https://www.postgresql.org/docs/current/"

SYSTEMS: dict[str, tuple[Answer, ...]] = {
    "beanstalkd": (
        Answer(
            "put, reserve, delete (ack), release (retry), bury, kick; ready, reserved, delayed, buried", _BEANSTALKD
        ),
        Answer("NOT_FOUND if another worker holds the job; a job back in ready is deleted: anyone may", _BEANSTALKD),
        Answer("memory: put gets OUT_OF_MEMORY; the protocol names no limit on the number of jobs", _BEANSTALKD),
        Answer("the server picks the id, an integer unique to the job in that server", _BEANSTALKD),
        Answer("nobody but its own client can delete a reserved job; others get NOT_FOUND", _BEANSTALKD),
    ),
    "Amazon SQS": (
        Answer(
            "ReceiveMessage (reserve), DeleteMessage (ack), in flight; the ticket is the receipt handle",
            _SQS + "APIReference/API_ChangeMessageVisibility.html",
        ),
        Answer("an old receipt handle: the call succeeds, but the message might not be deleted", _SQS_DELETE),
        Answer(
            "messages in flight, about 120,000 a queue; those waiting are unlimited",
            _SQS + "SQSDeveloperGuide/quotas-queues.html",
        ),
        Answer(
            "FIFO queues: of messages sent with one deduplication id within 5 minutes, one copy is delivered",
            _SQS + "SQSDeveloperGuide/FIFO-key-terms.html",
        ),
        Answer("a delete needs a receipt handle; it works while another consumer holds the message", _SQS_DELETE),
    ),
    "RabbitMQ": (
        Answer(
            "deliver, basic.ack, basic.nack with requeue (retry), unacknowledged; the ticket is the delivery tag",
            _RABBITMQ + "confirms",
        ),
        Answer(
            "a second ack of a tag, or one on another channel, is a channel error: unknown delivery tag",
            _RABBITMQ + "confirms",
        ),
        Answer(
            "max-length counts ready messages only; messages not yet acknowledged do not count",
            _RABBITMQ + "maxlength",
        ),
        Answer(
            "the publisher may set any message id; a delivery tag is unique on its channel", _RABBITMQ + "consumers"
        ),
        Answer(
            "basic.cancel ends a subscription; deliveries in flight are neither discarded nor requeued",
            _RABBITMQ + "consumers",
        ),
    ),
    "Redis Queue": (
        Answer(
            "enqueue, started (in flight), finished, failed, canceled, Retry; an attempt is an Execution",
            _REDIS_QUEUE + "docs/jobs/",
        ),
        Answer(
            "in the source (2.x): accepted; success sets the job finished and does not ask whether cleanup failed it",
            "https://github.com/rq/rq/blob/master/rq/worker/base.py",
        ),
        Answer(
            "a rate limit (3.0) counts jobs of one key, queued or executing; more are kept aside, not refused",
            _REDIS_QUEUE + "rq_internals/rate_limit/",
        ),
        Answer(
            "since 2.8, unique=True with a job_id prevents duplicates; when the id is free again: not confirmed",
            "https://github.com/rq/rq/releases",
        ),
        Answer(
            "cancel() is for a job that has not run; send_stop_job_command stops an executing one",
            _REDIS_QUEUE + "docs/jobs/",
        ),
    ),
    "Celery": (
        Answer("acknowledge (early or late), retry, revoke (cancel), redelivered", _CELERY + "glossary.html"),
        Answer(
            "the broker decides; with Redis the ack removes the delivery tag from the set of unacked ones",
            "https://github.com/celery/kombu/blob/main/kombu/transport/redis.py",
        ),
        Answer(
            "prefetch: messages that a worker takes ahead, by default 4 for each process",
            _CELERY + "userguide/configuration.html#std-setting-worker_prefetch_multiplier",
        ),
        Answer(
            "off by default: a late-ack task redelivered after SUCCESS is skipped; sending an id anew: not confirmed",
            _CELERY + "userguide/configuration.html#std-setting-worker_deduplicate_successful_tasks",
        ),
        Answer(
            "revoke does not end a task that executes already, unless terminate is set: its process is ended",
            _CELERY + "userguide/workers.html",
        ),
    ),
    "BullMQ": (
        Answer(
            "wait, active (in flight), completed, failed, stalled; the ticket is the token of a lock",
            _BULLMQ + "workers/stalled-jobs",
        ),
        Answer(
            "in the source: an error, as the lock is missing or its token is another worker's",
            "https://github.com/taskforcesh/bullmq/blob/master/src/commands/includes/removeLock.lua",
        ),
        Answer(
            "concurrency counts jobs being processed, for each worker or across all of them",
            _BULLMQ + "queues/global-concurrency",
        ),
        Answer(
            "a job with an existing id is ignored; once the old job is removed, its id can be added again",
            _BULLMQ + "jobs/job-ids",
        ),
        Answer(
            "cancelling is cooperative: a processor that ignores the signal runs to its end",
            _BULLMQ + "workers/cancelling-jobs",
        ),
    ),
    "Sidekiq": (
        Answer(
            "fetch, acknowledge, requeue; a fetched job is a UnitOfWork", _SIDEKIQ + "blob/main/lib/sidekiq/fetch.rb"
        ),
        Answer(
            "in the source of basic fetch, acknowledge does nothing; super_fetch of Pro: not confirmed",
            _SIDEKIQ + "blob/main/lib/sidekiq/fetch.rb",
        ),
        Answer(
            "concurrency counts the threads of one process; a limit on waiting jobs: not confirmed",
            _SIDEKIQ_WIKI + "Advanced-Options",
        ),
        Answer(
            "unique jobs (Enterprise): after success or after unique_for, best effort; a plain jid: not confirmed",
            _SIDEKIQ_WIKI + "Ent-Unique-Jobs",
        ),
        Answer(
            "an iterable job has cancel!, a flag that it checks itself every 5 seconds; other jobs: not confirmed",
            _SIDEKIQ + "blob/main/lib/sidekiq/job/iterable.rb",
        ),
    ),
    "River": (
        Answer("available, running (in flight), retryable, completed, cancelled, discarded; attempt", _RIVER_SQL),
        Answer("in the source as read: counts only while the job is running; the attempt is not compared", _RIVER_SQL),
        Answer("MaxWorkers: jobs worked at once, for each queue of one client, 1 to 10,000", _RIVER + "client.go"),
        Answer(
            "ids come from a sequence; a unique key keeps a second job out while the first is in chosen states",
            _RIVER_SQL,
        ),
        Answer("a running job is marked and its context cancelled; it runs until it returns", _RIVER + "client.go"),
    ),
    "Oban": (
        Answer(
            "available, executing (in flight), retryable, completed, cancelled, discarded",
            _OBAN + "guides/learning/job_lifecycle.md",
        ),
        Answer(
            "in the source of the basic engine: accepted; the row is found by its id alone",
            _OBAN + "lib/oban/engines/basic.ex",
        ),
        Answer(
            "a queue's limit counts jobs running at once, for each node",
            _OBAN + "guides/learning/defining_queues.md",
        ),
        Answer(
            "unique jobs, for a period of 60 seconds by default; a duplicate gets ok, marked as a conflict",
            _OBAN + "guides/learning/unique_jobs.md",
        ),
        Answer("an executing job is killed; if it completes first, it stays completed", _OBAN + "lib/oban.ex"),
    ),
    "Kafka consumers": (
        Answer(
            "share groups: acquire under a lock with a time limit, acknowledge, release (retry), reject, renew",
            _KAFKA + "KafkaShareConsumer.java",
        ),
        Answer(
            "after a rebalance a commit can fail with CommitFailedException: the partition may be another member's",
            _KAFKA + "CommitFailedException.java",
        ),
        Answer(
            "share groups: records acquired, for each partition; at the limit a fetch yields none for a while",
            _KAFKA + "KafkaShareConsumer.java",
        ),
        Answer("Kafka numbers the records: the offset identifies one in its partition", _KAFKA + "KafkaConsumer.java"),
        Answer(
            "in the source: before the log's new start, a share group archives available records, not acquired ones",
            _KAFKA_SOURCE + "core/src/main/java/kafka/server/share/SharePartition.java",
        ),
    ),
    "PostgreSQL with SKIP LOCKED": (
        Answer(
            "SELECT FOR UPDATE SKIP LOCKED: locked rows are skipped without waiting",
            _POSTGRES + "sql-select.html",
        ),
        Answer(
            "UPDATE ... WHERE attempt = 1: by default checked again on the row as updated, so it changes 0 rows",
            _POSTGRES + "transaction-iso.html",
        ),
        Answer("nothing: the number of rows locked at one time has no limit", _POSTGRES + "explicit-locking.html"),
        Answer(
            "your table's rules; a sequence gives each caller a distinct value", _POSTGRES + "functions-sequence.html"
        ),
        Answer(
            "a DELETE of a locked row waits until the transaction that locked it ends",
            _POSTGRES + "explicit-locking.html",
        ),
    ),
}
"""For each system its answers, in the order of QUESTIONS."""
