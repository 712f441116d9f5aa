"""Part 1: `Queue` against the floor, from 100 jobs to a million; where the difference goes; memory for each id."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from statistics import median
from typing import Any

from benchmarks import pieces, variants
from benchmarks.floor import Floor, FloorWithoutCancel
from benchmarks.measure import Samples, clock, interleaved, no_collection, progress, ratio, spread, table
from rq import Queue

SIZES = (100, 1_000, 10_000, 100_000, 1_000_000)
LIFE, AROUND, CANCEL = "enqueue + reserve + ack", "reserve + retry", "cancel from the middle"
CLASSES: dict[str, Callable[[int], Any]] = {"queue": Queue, "floor": Floor, "no cancel": FloorWithoutCancel}
MEMORY_SIZE = 100_000


def names(count: int) -> list[str]:
    return [f"job-{number}" for number in range(count)]


def filled(make: Callable[[int], Any], ids: list[str]) -> Any:
    queue = make(len(ids))
    for id in ids:
        queue.enqueue(id, "payload")
    return queue


def whole_life(make: Callable[[int], Any], ids: list[str]) -> float:
    """Seconds for each job: all are enqueued, then all reserved, then all acknowledged."""
    queue = make(len(ids))
    started = clock()
    for id in ids:
        queue.enqueue(id, "payload")
    for _ in ids:
        queue.reserve()
    for id in ids:
        queue.ack(id, 1)
    return (clock() - started) / len(ids)


def once_around(queue: Any, ids: list[str]) -> float:
    """Seconds for each job: each is reserved and sent back to the tail, until the line is as it was."""
    started = clock()
    for _ in ids:
        id, _, attempt = queue.reserve()
        queue.retry(id, attempt)
    return (clock() - started) / len(ids)


def cancel_some(queue: Any, ids: list[str]) -> float:
    """Seconds for each call: up to a thousand jobs, drawn from the middle half of the line, are cancelled."""
    middle = ids[len(ids) // 4 : 3 * len(ids) // 4]
    drawn = Random(1).sample(middle, min(1_000, len(middle)))
    started = clock()
    for id in drawn:
        queue.cancel(id)
    return (clock() - started) / len(drawn)


def work(make: Callable[[int], Any], ids: list[str]) -> Mapping[str, float]:
    """One round of one contestant: seconds for each operation."""
    with no_collection():
        taken = {LIFE: whole_life(make, ids)}
        queue = filled(make, ids)
        taken[AROUND] = once_around(queue, ids)
        if hasattr(queue, "cancel"):
            taken[CANCEL] = cancel_some(queue, ids)
    return taken


def compare(size: int, rounds: int) -> dict[str, Samples]:
    """All contestants at one size, side by side."""
    ids = names(size)
    contestants = {name: partial(work, make, ids) for name, make in CLASSES.items()}
    return interleaved(contestants, rounds, lambda text: progress(f"{size:,} jobs, {text}"))


def rounds_for(size: int) -> int:
    """Enough for a steady median; a million jobs take some fifteen seconds a round."""
    return 3 if size >= 1_000_000 else max(5, min(101, 300_000 // size))


def time_table(samples: dict[int, dict[str, Samples]]) -> str:
    """For each operation: the queue, the floor, their ratio, in nanoseconds; at the end of a row, how flat it is."""
    rows = []
    for part in (LIFE, AROUND, CANCEL):
        for name, label in (("queue", f"{part}: queue"), ("floor", "the floor")):
            times = [median(by_name[name][part]) * 1e9 for by_name in samples.values()]
            rows.append([label, *(f"{value:,.0f}" for value in times), f"{max(times) / min(times):.1f}"])
        for name, label in (("floor", "ratio"), ("no cancel", "ratio to a floor without cancel")):
            if all(part in by_name[name] for by_name in samples.values()):
                ratios = [ratio(by_name["queue"][part], by_name[name][part]) for by_name in samples.values()]
                rows.append([label, *(f"{value:.1f}" for value in ratios), f"{max(ratios) / min(ratios):.1f}"])
    return table(["nanoseconds a job, by jobs in line", *(f"{size:,}" for size in samples), "largest : smallest"], rows)


def worst_spread(samples: dict[int, dict[str, Samples]]) -> str:
    """One sentence about how steady the rounds were."""
    spreads = [spread(values) for by_name in samples.values() for part in by_name.values() for values in part.values()]
    return (
        f"The middle half of the rounds spans {median(spreads):.0%} of their median"
        f" (over all cells; the worst cell: {max(spreads):.0%})."
    )


def life_alone(make: Callable[[int], Any], ids: list[str], collect: bool) -> Mapping[str, float]:
    """One round with the garbage collector on or off."""
    with no_collection():
        if collect:
            gc.enable()
        return {LIFE: whole_life(make, ids)}


def with_collector(size: int, rounds: int) -> str:
    """One sentence about what the garbage collector adds when it is left on."""
    ids = names(size)
    pairs = [(name, collect) for name in ("queue", "floor") for collect in (False, True)]
    contestants = {(name, collect): partial(life_alone, CLASSES[name], ids, collect) for name, collect in pairs}
    taken = interleaved(contestants, rounds, lambda text: progress(f"garbage collector, {text}"))
    queue, floor = (ratio(taken[name, True][LIFE], taken[name, False][LIFE]) for name in ("queue", "floor"))
    return (
        f"The garbage collector is off. With it on, {LIFE} of {size:,} jobs takes {queue:.2f} times as long"
        f" in the queue, {floor:.2f} times on the floor."
    )


def bytes_one_by_one(make: Callable[[int], Any], size: int) -> float:
    """Memory for each id that is done, if each job was done before the next one came; the ids themselves left out."""
    ids = names(size)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        queue = make(size)
        for id in ids:
            queue.enqueue(id, "payload")
            queue.reserve()
            queue.ack(id, 1)
        return (tracemalloc.get_traced_memory()[0] - before) / size
    finally:
        tracemalloc.stop()


def bytes_for_each_id(make: Callable[[int], Any], size: int) -> list[float]:
    """Memory for each id while it waits, while it is in flight, and when it is done; the ids themselves left out."""
    ids = names(size)
    found = []
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        queue = filled(make, ids)
        found.append(tracemalloc.get_traced_memory()[0] - before)
        for _ in ids:
            queue.reserve()
        found.append(tracemalloc.get_traced_memory()[0] - before)
        for id in ids:
            queue.ack(id, 1)
        found.append(tracemalloc.get_traced_memory()[0] - before)
    finally:
        tracemalloc.stop()
    return [total / size for total in found]


def memory_table(size: int) -> str:
    rows = []
    for name, make in (("queue", Queue), ("the floor", Floor)):
        progress(f"memory: {name}")
        found = [*bytes_for_each_id(make, size), bytes_one_by_one(make, size)]
        rows.append([name, *(f"{value:,.0f}" for value in found)])
    return table([f"bytes for each id, of {size:,}", "waiting", "in flight", "done", "done one by one"], rows)


def run(most: int = SIZES[-1]) -> None:
    """Print the tables of part 1, for sizes up to `most`."""
    samples = {size: compare(size, rounds_for(size)) for size in SIZES if size <= most}
    print(time_table(samples), worst_spread(samples), with_collector(min(most, 100_000), 7), sep="\n\n")
    print("\n" + pieces.pieces_table() + "\n")
    print(variants.variants_table() + "\n")
    print(memory_table(min(most, MEMORY_SIZE)), flush=True)
