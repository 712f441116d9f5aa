"""Ids for ever, or generations: what it costs to remember every id, and what goes wrong without.

The contract remembers an id for the lifetime of its queue. The two queues here forget finished
jobs, so that an id can be used again. They leave the contract on purpose; one of them is broken.
"""

from __future__ import annotations

import tracemalloc
from collections import deque
from collections.abc import Callable, Iterable
from glob import escape

import rq.queue as queue_module
from rq.beyond.story import Story, Table, queue_table, reserve_next
from rq.queue import Queue
from rq.state import Job


class Forgetful(Queue):
    """Forgets a job when it is finished, or once `window` more are: then its id can be used again.

    The attempts of a new job start from 1, as those of the old one did. That is the bug.
    """

    def __init__(self, capacity: int, window: int = 0) -> None:
        super().__init__(capacity)
        self._window = window
        self._finished: deque[str] = deque()

    def ack(self, id: str, attempt: int) -> bool:
        """As in the contract; then the job is forgotten."""
        return super().ack(id, attempt) and self._forget(id)

    def cancel(self, id: str) -> bool:
        """As in the contract; then the job is forgotten."""
        return super().cancel(id) and self._forget(id)

    def _forget(self, id: str) -> bool:
        self._finished.append(id)
        if len(self._finished) > self._window:
            del self._accepted[self._finished.popleft()]
        return True


class Generations(Forgetful):
    """Forgets in the same way, but one counter numbers all reservations, so no ticket is ever given out twice."""

    def __init__(self, capacity: int, window: int = 0) -> None:
        super().__init__(capacity, window)
        self._latest = 0

    def reserve(self) -> Job | None:
        """The oldest waiting job; its attempt is the next number of the whole queue."""
        job = super().reserve()
        if job is None:
            return None
        self._latest += 1
        self._in_flight[job.id].attempt = self._latest
        return job._replace(attempt=self._latest)


class Reuse(Story):
    """An order is cancelled while worker 1 has it, a second order takes its id, and worker 1 reports.

    `ids` are the ids of the two orders. `late_ack` is what the queue answers to worker 1; `lost` says
    that the second order counts as finished and nobody ever did its work.
    """

    def __init__(self, queue_class: Callable[[int], Queue] = Forgetful, ids: tuple[str, str] = ("a", "a")) -> None:
        super().__init__(f"A second order under the id {ids[1]}, on {getattr(queue_class, '__name__', 'a queue')}")
        self.queue = queue_class(1)
        self.orders = {"first": [ids[0], "-", "not yet"], "second": [ids[1], "-", "not yet"]}
        self.tell("start", "the queue is empty")
        first = self._take("first", "worker 1")
        self.queue.cancel(ids[0])
        self.orders["first"][2] = "not wanted"
        self.tell(f'cancel("{ids[0]}")', "the first order is cancelled; worker 1 does not know it yet")
        second = self._take("second", "worker 2")
        self.late_ack = first is not None and self.queue.ack(*first)
        why = "False: this ticket counts for nothing, whatever its worker has done"
        if self.late_ack:
            why = "True: the ticket of the first order matches the second one, which worker 2 has only begun"
        self.tell(f"worker 1: ack{_ticket(first)}", why, wrong=self.late_ack)
        self.lost = False
        if second is not None:
            self._worker_2_is_lost(second)

    def tables(self) -> Iterable[Table]:
        """The queue's view, and what became of each order."""
        yield queue_table(self.queue.snapshot())
        rows = ((name, *cells) for name, cells in self.orders.items())
        yield Table("orders", ("order", "id", "given to", "work"), tuple(rows))

    def _take(self, order: str, worker: str) -> tuple[str, int] | None:
        """Enqueue an order and let a worker reserve it: the ticket, or None if the id is refused."""
        id = self.orders[order][0]
        call = f'enqueue("{id}", "{order} order")'
        if not self.queue.enqueue(id, f"{order} order"):
            self.orders[order][2] = "refused"
            self.tell(call, f"False: {id} was used before; who sends the order is told, and must choose another id")
            return None
        self.tell(call, "True: the queue does not know the id, and a slot is free")
        ticket = reserve_next(self.queue)
        self.orders[order][1] = f"{worker}: {id}#{ticket[1]}"
        self.tell(f"{worker}: reserve()", f"{worker} gets the {order} order with the ticket {id}#{ticket[1]}")
        return ticket

    def _worker_2_is_lost(self, ticket: tuple[str, int]) -> None:
        again = self.queue.retry(*ticket)
        self.lost = not again
        why = "True: the second order waits again, and another worker will do it"
        if self.lost:
            why = "False: the queue has no such job any more; the second order is lost, and nobody is told"
        self.tell(f"worker 2 is lost: retry{_ticket(ticket)}", why, wrong=self.lost)


def _ticket(ticket: tuple[str, int] | None) -> str:
    return f'("{ticket[0]}", {ticket[1]})' if ticket else "()"


def remembered(queue: Queue, jobs: int) -> int:
    """Work off so many jobs, one after another, each with an id of its own; how many ids the queue knows then."""
    for number in range(jobs):
        queue.enqueue(f"job-{number}", "")
        _work_off(queue)
    return len(queue.snapshot().jobs)


def _work_off(queue: Queue) -> None:
    id, attempt = reserve_next(queue)
    queue.ack(id, attempt)


def bytes_for(make: Callable[[], Queue], jobs: int) -> int:
    """The bytes that a queue holds after so many finished jobs. It differs by machine and Python, but not by much.

    Only what `queue.py` and this file allocated counts: other threads of a notebook allocate as well.
    """
    ours = [tracemalloc.Filter(True, escape(file)) for file in (queue_module.__file__, __file__)]
    tracemalloc.start()
    try:
        queue = make()
        remembered(queue, jobs)
        held = tracemalloc.take_snapshot().filter_traces(ours)
    finally:
        tracemalloc.stop()
    return sum(trace.size for trace in held.traces)


def sent_again(queue: Queue, jobs_between: int = 0) -> bool:
    """A client's job is done, so many others are, and the client sends it once more: is it accepted again?"""
    queue.enqueue("order-7", "")
    _work_off(queue)
    remembered(queue, jobs_between)
    return queue.enqueue("order-7", "")


def schemes(jobs: int = 1000, window: int = 50) -> Table:
    """Four ways to treat ids: what each remembers after so many jobs, and how it takes late and repeated messages."""
    makers: list[tuple[str, Callable[[int], Queue]]] = [
        ("ids for ever (the contract)", Queue),
        ("forget finished ids", Forgetful),
        ("forget, tickets never repeat", Generations),
        (f"the same, last {window} ids kept", lambda capacity: Generations(capacity, window)),
    ]
    rows = []
    for name, make in makers:
        late = "taken for the new job" if Reuse(make).late_ack else "refused"
        again = ("done again" if sent_again(make(1), between) else "refused" for between in (0, jobs))
        rows.append((name, remembered(make(1), jobs), late, *again))
    known = f"ids known after {jobs:,} jobs"
    columns = ("scheme", known, "late ack of the old job", "a done job sent again at once", "much later")
    return Table("four ways to treat ids", columns, tuple(rows))
