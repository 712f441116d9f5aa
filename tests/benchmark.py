"""How the time of one operation grows with the queue: `python tests/benchmark.py`. A script, not a test.

Each operation is timed on a line of a thousand jobs and on a line of a million, in one run on one
machine. For expected constant time the ratio stays near 1; it rises a little, since a million jobs
do not fit into the processor's cache. A list that is searched would show a ratio near 1,000.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from rq import Queue

CALLS = 500


def filled(size: int) -> Queue:
    """A queue in which `size` jobs wait, with room for more."""
    queue = Queue(2 * size)
    for number in range(size):
        queue.enqueue(f"job-{number}", "")
    return queue


def enqueue(queue: Queue, size: int) -> Callable[[int], object]:
    return lambda number: queue.enqueue(f"new-{number}", "")


def refused_enqueue(queue: Queue, size: int) -> Callable[[int], object]:
    return lambda number: queue.enqueue(f"job-{number}", "")


def reserve(queue: Queue, size: int) -> Callable[[int], object]:
    return lambda number: queue.reserve()


def ack(queue: Queue, size: int) -> Callable[[int], object]:
    for _ in range(CALLS):
        queue.reserve()
    return lambda number: queue.ack(f"job-{number}", 1)


def retry(queue: Queue, size: int) -> Callable[[int], object]:
    for _ in range(CALLS):
        queue.reserve()
    return lambda number: queue.retry(f"job-{number}", 1)


def cancel_from_the_middle(queue: Queue, size: int) -> Callable[[int], object]:
    return lambda number: queue.cancel(f"job-{size // 4 + number}")


def reserve_after_the_head_was_cancelled(queue: Queue, size: int) -> Callable[[int], object]:
    for number in range(size - CALLS):
        queue.cancel(f"job-{number}")
    return lambda number: queue.reserve()


OPERATIONS = (
    enqueue,
    refused_enqueue,
    reserve,
    ack,
    retry,
    cancel_from_the_middle,
    reserve_after_the_head_was_cancelled,
)


def microseconds(operation: Callable[[Queue, int], Callable[[int], object]], size: int, rounds: int) -> float:
    """The best mean time of one call over some rounds, each on a fresh queue."""
    best = float("inf")
    for _ in range(rounds):
        call = operation(filled(size), size)
        started = time.perf_counter()
        for number in range(CALLS):
            call(number)
        best = min(best, (time.perf_counter() - started) / CALLS)
    return best * 1e6


def main() -> None:
    """Print the table, a row as soon as it is measured."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--small", type=int, default=1_000, help="jobs in the short line")
    parser.add_argument("--large", type=int, default=1_000_000, help="jobs in the long line")
    options = parser.parse_args()
    print(f"{'operation':<38}{options.small:>12,}{options.large:>14,}    ratio   (microseconds a call)")
    for operation in OPERATIONS:
        small = microseconds(operation, options.small, 20)
        large = microseconds(operation, options.large, 2)
        print(f"{operation.__name__:<38}{small:>12.2f}{large:>14.2f}{large / small:>9.1f}", flush=True)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        print("stopped")
