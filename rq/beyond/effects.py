"""Fencing is not exactly once: workers do something outside, and the queue sees only their reports.

The work of job `a` is to charge a customer 10, in the ledger of a bank that has never heard of the
queue. A worker first does this effect and then reports it with `ack`. Between the two it can be lost.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rq.beyond.story import Story, Table, queue_table, reserve_next, words_of
from rq.queue import Queue

PRICE = 10

KEYS = ("job", "ticket")
"""What a worker may send as its idempotency key: the job's id (`a`), or its own ticket (`a#1`)."""

EVENTS = ("effect", "report", "loss", "retry", "reconcile")


class Entry(NamedTuple):
    """One line of the ledger. `amount` is negative where money goes back; `key` is "-" if none was sent."""

    number: int
    by: str
    amount: int
    key: str = "-"


class Ledger:
    """The outside world. It books what it is asked to, and knows a key that it has seen before."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def book(self, by: str, amount: int, key: str = "-") -> bool:
        """Add an entry: True. False, and nothing added, if one with this key is there already."""
        if key != "-" and any(entry.key == key for entry in self.entries):
            return False
        self.entries.append(Entry(len(self.entries) + 1, by, amount, key))
        return True

    @property
    def total(self) -> int:
        """What the customer has paid."""
        return sum(entry.amount for entry in self.entries)


class Attempts(Story):
    """Attempts at one job. Worker 1 has reserved it (`a#1`); the events say what happens from there.

    - `"effect 1"`: worker 1 charges the customer; with `key="job"` or `"ticket"` it sends a key.
    - `"report 1"`: worker 1 calls `ack` with its ticket.
    - `"loss 1"`: worker 1 is gone; it does nothing any more.
    - `"retry"`: nothing was heard in time, so the job is retried, and a further worker reserves it.
    - `"reconcile"`: the ledger is compared with the queue; what was paid too often goes back.

    An event that nobody is there to do, or that does not exist, raises ValueError.
    """

    def __init__(self, events: Iterable[str], key: str | None = None) -> None:
        if key is not None and key not in KEYS:
            raise ValueError(f"key must be None, 'job' or 'ticket', not {key!r}")
        super().__init__("Attempts at one charge, " + (f"the {key} as key" if key else "no key"))
        self.events = tuple(events)
        self.key = key
        self.queue = Queue(1)
        self.ledger = Ledger()
        self.workers: list[str] = []
        self.answers: list[bool] = []
        """What the queue answered to each report."""
        self.queue.enqueue("a", f"charge {PRICE}")
        self._hire()
        self.tell("start", "a was reserved by worker 1, whose ticket is a#1; the customer owes 10")
        for event in self.events:
            self._play(event)

    @property
    def charges(self) -> int:
        """How often the effect happened."""
        return sum(entry.amount == PRICE for entry in self.ledger.entries)

    @property
    def doubled(self) -> bool:
        """True if, at the end, the customer has paid more than once."""
        return self.ledger.total > PRICE

    @property
    def lost(self) -> bool:
        """True if, at the end, the queue counts the job as done and the customer has paid nothing."""
        return self.answers.count(True) > 0 and self.ledger.total == 0

    def tables(self) -> Iterable[Table]:
        """The queue's view, the workers, and the ledger."""
        yield queue_table(self.queue.snapshot())
        rows = ((f"worker {number}", state) for number, state in enumerate(self.workers, start=1))
        yield Table("workers", ("worker", "state"), tuple(rows))
        shown = slice(None) if self.key else slice(-1)  # nobody sends a key: no column of dashes
        columns: tuple[str, ...] = ("entry", "by", "amount", "key")
        yield Table("ledger", columns[shown], tuple(tuple(entry)[shown] for entry in self.ledger.entries))

    def _hire(self) -> None:
        """The next worker reserves the job, so worker k holds attempt k."""
        _, attempt = reserve_next(self.queue)
        self.workers.append("busy")
        assert attempt == len(self.workers)

    def _play(self, event: str) -> None:
        verb, rest = words_of(event, EVENTS)
        if verb in ("retry", "reconcile"):
            if rest:
                raise ValueError(f"{event!r}: {verb} is a word of its own, without a worker's number")
            told, why = self._retry() if verb == "retry" else self._reconcile()
        else:
            number = self._worker(event, rest)
            told, why = getattr(self, f"_{verb}")(number)
        wrong = self.doubled or self.lost
        if wrong:
            why += f"; the customer has paid {self.ledger.total} for one job"
        self.tell(told, why, wrong=wrong)

    def _worker(self, event: str, number: str) -> int:
        """The worker an event speaks of, if it is there and can act."""
        numbers = [str(known) for known in range(1, len(self.workers) + 1)]
        if number not in numbers:
            raise ValueError(f"{event!r}: there is no such worker; so far there are {', '.join(numbers)}")
        if self.workers[int(number) - 1] == "lost":
            raise ValueError(f"{event!r}: worker {number} is lost and does nothing any more")
        return int(number)

    def _effect(self, number: int) -> tuple[str, str]:
        key = {"job": "a", "ticket": f"a#{number}"}.get(self.key or "", "-")
        told = f"worker {number}: charge {PRICE}"
        if not self.ledger.book(f"worker {number}", PRICE, key):
            return told, f"the bank has an entry with key {key}, so it books nothing and answers as it did then"
        again = "" if self.charges == 1 else " once more"
        return told, f"the effect happens outside{again}; the queue sees nothing of it"

    def _report(self, number: int) -> tuple[str, str]:
        told = f'worker {number}: ack("a", {number})'
        accepted = self.queue.ack("a", number)
        self.workers[number - 1] = "has reported"
        self.answers.append(accepted)
        if accepted:
            return told, f"True: a#{number} is the current ticket, so a is done"
        return told, f"False: a#{number} does not count any more; the fence holds, and what was done stays done"

    def _loss(self, number: int) -> tuple[str, str]:
        self.workers[number - 1] = "lost"
        return f"worker {number} is lost", "it does nothing from here on; the queue is not told"

    def _retry(self) -> tuple[str, str]:
        number = len(self.workers)
        told = f'timeout: retry("a", {number})'
        if not self.queue.retry("a", number):
            return told, "False: the job is finished, so nobody gets it again"
        self._hire()
        return told, f"True: nothing was heard of a#{number}; worker {number + 1} reserves a and gets a#{number + 1}"

    def _reconcile(self) -> tuple[str, str]:
        surplus = self.ledger.total - PRICE
        if surplus > 0:
            self.ledger.book("reconcile", -surplus)
            return "reconcile", f"one job, one charge: the ledger has {surplus} too much, and it goes back"
        if self.lost:
            self.ledger.book("reconcile", PRICE)
            return "reconcile", "the job is done and no charge is there, so it is made now"
        return "reconcile", "queue and ledger agree so far, so there is nothing to correct"
