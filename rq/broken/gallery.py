"""What the broken queues have in common: a note of where each fault was shipped, and a line with copies."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from rq.contract import Rule
from rq.queue import Queue
from rq.state import Job

QueueClass = TypeVar("QueueClass", bound=type[Queue])


class Fault(NamedTuple):
    """What is wrong with a broken queue, and who shipped it.

    `fault` is one sentence. `system` is the best known system that had it, and the first of
    `reports` is the report there. The shortest counterexample has `length` calls, and the last of
    them breaks `rule`.
    """

    lesson: str
    rule: Rule
    fault: str
    system: str
    reports: tuple[str, ...]
    length: int


def shipped(lesson: str, rule: Rule, length: int, *also: str) -> Callable[[QueueClass], QueueClass]:
    """Attach a Fault to a broken queue, as its attribute `fault`.

    The class's docstring holds the sentence and, below it, the system and the link. `also` are
    links to other systems that had the same fault.
    """

    def attach(queue_class: QueueClass) -> QueueClass:
        sentence, _, source = (queue_class.__doc__ or "").partition("\n\n")
        system, _, report = source.strip().partition(": ")
        fault = Fault(lesson, rule, sentence.strip(), system, (report, *also), length)
        queue_class.fault = fault  # type: ignore[attr-defined]  # a Queue has no fault
        return queue_class

    return attach


def fault_of(queue_class: type[Queue]) -> Fault:
    """The Fault attached to a broken queue."""
    fault: Fault = queue_class.fault  # type: ignore[attr-defined]
    return fault


def story(queue_class: type[Queue]) -> str:
    """A broken queue's fault, the system that shipped it and the report, as lines of text."""
    return f"{queue_class.__name__}: {inspect.getdoc(queue_class)}"


class WithCopies(Queue):
    """A right queue with a tool that some broken ones misuse: a job may wait more than once."""

    def __init__(self, capacity: int) -> None:
        super().__init__(capacity)
        self._copies: list[str] = []

    def _wait_once_more(self, id: str) -> None:
        self._copies.append(id)

    def reserve(self) -> Job | None:
        """Hand out the oldest waiting job; if the line holds a copy of it, the copy goes on waiting."""
        job = super().reserve()
        if job is not None and job.id in self._copies:
            self._copies.remove(job.id)
            self._waiting[job.id] = self._accepted[job.id]
        return job
