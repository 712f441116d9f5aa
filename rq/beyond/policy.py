"""Policy is not transition: whether, how often and after how long to retry is decided outside the queue.

A `Policy` is a few plain numbers and one decision. `Driven` lets it drive a real queue: time is a
number that the story moves on, and a delay is simply the moment at which somebody calls `retry`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from rq.beyond.story import Story, Table, queue_table
from rq.queue import Queue
from rq.scenario import MOST_ATTEMPT, Scenario
from rq.state import Job, Operation, text, whole_number


class Verdict(NamedTuple):
    """What a policy says to a failed attempt: try again after `delay` ticks, or (None) give up; and why."""

    delay: int | None
    why: str


@dataclass(frozen=True)
class Policy:
    """When to try again. Delays are whole ticks; a tick has no length.

    `transient` are the errors that may go away by themselves. The delay after attempt n is
    `first_delay * factor ** (n - 1)`, at most `longest_delay`; `jitter` is the share of it, 0 to 1,
    that chance may take off, and `seed` fixes the chance.
    """

    most_attempts: int = 3
    transient: tuple[str, ...] = ("timeout", "busy")
    first_delay: int = 2
    factor: int = 2
    longest_delay: int = 60
    jitter: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what makes no policy."""
        for name in ("most_attempts", "first_delay", "factor", "longest_delay", "seed"):
            whole_number(name, getattr(self, name))
        _attempt("most_attempts", self.most_attempts)
        if not _words(self.transient):
            raise TypeError(f"transient must be error names, such as ('timeout', 'busy'), not {self.transient!r}")
        if isinstance(self.jitter, bool) or not isinstance(self.jitter, (int, float)):
            raise TypeError(f"jitter must be a number from 0 to 1, not {self.jitter!r}")
        if not 0 <= self.jitter <= 1:
            raise ValueError(f"jitter must be from 0 to 1, not {self.jitter!r}")
        if min(self.first_delay, self.longest_delay) < 0 or self.factor < 1:
            raise ValueError("a delay must be 0 or more, and factor 1 or more")

    def delay(self, id: str, attempt: int) -> int:
        """Ticks to wait after this attempt (1 to 64). The same seed, id and attempt always give the same number."""
        attempt = _attempt("attempt", attempt)
        full: int = min(self.longest_delay, self.first_delay * self.factor ** (attempt - 1))
        chance = Random(f"{self.seed} {text('id', id)} {attempt}").random()
        return full - round(full * self.jitter * chance)

    def verdict(self, id: str, attempt: int, error: str) -> Verdict:
        """What to do now that this attempt has failed with this error."""
        attempt = _attempt("attempt", attempt)
        if text("error", error) not in self.transient:
            return Verdict(None, f"{error!r} will not go away by itself")
        if attempt >= self.most_attempts:
            return Verdict(None, f"attempt {attempt} was the last of {self.most_attempts}")
        delay = self.delay(id, attempt)
        return Verdict(delay, f"{error!r} may go away, so it is retried {delay} tick{'s' * (delay != 1)} later")


def _attempt(name: str, value: object) -> int:
    """An attempt that can have failed, or TypeError, or ValueError."""
    attempt = whole_number(name, value)
    if not 1 <= attempt <= MOST_ATTEMPT:
        raise ValueError(f"{name} must be from 1 to {MOST_ATTEMPT}, not {attempt!r}")
    return attempt


def _words(value: object) -> bool:
    """True for a list or tuple of strings. A single string is none: its letters are no words."""
    return isinstance(value, (list, tuple)) and all(isinstance(each, str) for each in value)


class DeadLetter(NamedTuple):
    """A job that nobody will try again by itself, kept for a person to look at."""

    id: str
    payload: str
    attempts: int
    error: str


class Driven(Story):
    """One worker, some jobs that fail as told, and a policy.

    `outcomes` says for each job how its attempts end, one after another: an error's name, or "ok"; the
    last one repeats. An attempt takes one tick. A failed job stays in flight until its delay is
    over. `give_up` is the operation that takes a dead letter out of the queue: "ack" or "cancel".
    """

    def __init__(self, policy: Policy, outcomes: Mapping[str, Sequence[str]], give_up: str = "ack") -> None:
        if give_up not in ("ack", "cancel"):
            raise ValueError(f"give_up must be 'ack' or 'cancel', not {give_up!r}")
        if not isinstance(policy, Policy):
            raise TypeError(f"policy must be a Policy, such as Policy(most_attempts=3), not {policy!r}")
        if not isinstance(outcomes, Mapping):
            raise TypeError(f"outcomes must be a dict, such as {{'a': ['timeout', 'ok']}}, not {outcomes!r}")
        if not all(map(_words, outcomes.values())):
            raise TypeError("each job's outcomes must be a list, such as ['timeout', 'ok']")
        if not all(outcomes.values()):
            raise ValueError("each job needs at least one outcome, such as ['ok']")
        super().__init__(f"At most {policy.most_attempts} attempts; a dead letter leaves by {give_up}")
        self.policy = policy
        self.give_up = give_up
        self.outcomes = {id: tuple(each) for id, each in outcomes.items()}
        self.queue = Queue(len(self.outcomes))
        self.now = 0
        self.held: list[tuple[int, Job]] = []
        """Failed attempts whose delay is not over, with the tick at which it is."""
        self.dead: list[DeadLetter] = []
        self.calls: list[Operation] = []
        for id in self.outcomes:
            self._call("enqueue", id, "")
        self.tell("start", f"jobs that wait for one worker: {len(self.outcomes)}")
        while self._reserve_or_wait():
            pass

    @property
    def scenario(self) -> Scenario:
        """The calls that were made, as a scenario to step through; it must fit the exercise's limits."""
        return Scenario(len(self.outcomes), tuple(self.calls), self.title)

    def tables(self) -> list[Table]:
        """The queue's view, the failed attempts that wait for their delay, and the dead letters."""
        held = tuple((f"{job.id}#{job.attempt}", due) for due, job in self.held)
        dead = tuple((letter.id, letter.attempts, letter.error) for letter in self.dead)
        return [
            queue_table(self.queue.snapshot()),
            Table("held back", ("ticket", "until tick"), held),
            Table("dead letters", ("id", "attempts", "last error"), dead),
        ]

    def _call(self, *operation: str | int) -> bool | Job | None:
        """Make one call on the queue and keep it."""
        self.calls.append(operation)
        name, *arguments = operation
        answer: bool | Job | None = getattr(self.queue, str(name))(*arguments)
        return answer

    def _reserve_or_wait(self) -> bool:
        """One step of the worker; False if nothing is left to do."""
        for due, job in sorted(self.held):
            if due <= self.now:
                self.held.remove((due, job))
                self._call("retry", job.id, job.attempt)
                self.tell(
                    f"tick {self.now}: retry {job.id}#{job.attempt}",
                    f"its delay is over, so {job.id} waits in line again",
                )
        reserved = self._call("reserve")
        if isinstance(reserved, Job):
            self._work(reserved)
        elif self.held:
            self.now = min(due for due, _ in self.held)
        else:
            return False
        return True

    def _work(self, job: Job) -> None:
        """One attempt: it takes a tick, and ends as told."""
        self.now += 1
        outcomes = self.outcomes[job.id]
        outcome = outcomes[min(job.attempt, len(outcomes)) - 1]
        event = f"tick {self.now}: {job.id}#{job.attempt} ends, {outcome}"
        if outcome == "ok":
            self._call("ack", job.id, job.attempt)
            self.tell(event, f"{job.id} is done after {job.attempt} {'attempt' if job.attempt == 1 else 'attempts'}")
            return
        delay, why = self.policy.verdict(job.id, job.attempt, outcome)
        if delay is not None:
            self.held.append((self.now + delay, job))
        else:
            self.dead.append(DeadLetter(job.id, job.payload, job.attempt, outcome))
            ticket = (job.attempt,) if self.give_up == "ack" else ()
            self._call(self.give_up, job.id, *ticket)
            why += f"; {job.id} goes to the dead letters and leaves the queue by {self.give_up}"
        self.tell(event, why)
