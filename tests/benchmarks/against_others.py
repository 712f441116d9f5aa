"""Part 2: `Queue` against what a user would pick instead, in one process and in memory."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from importlib.util import find_spec
from statistics import median
from typing import Any

from benchmarks.libraries import LIBRARIES, Adapter, Ours
from benchmarks.measure import Samples, clock, interleaved, no_collection, progress, ratio, table, versions
from benchmarks.rules import Verdict, codes, verdict
from rq import Queue

JOBS, ROUNDS = 1_000, 9
LIFE, AROUND = "put + take + finish", "take + give back"
MODULES = {"huey": "huey", "persist-queue": "persistqueue", "litequeue": "litequeue"}


def missing(library: Any) -> bool:
    return library.package != "" and find_spec(MODULES[library.package]) is None


def work(library: Any, jobs: int) -> Mapping[str, float]:
    """One round: seconds for each job that is put in, taken and finished, and for each that is taken and given back."""
    ids = [f"job-{number}" for number in range(jobs)]
    with no_collection():
        queue = library(jobs)
        started = clock()
        for id in ids:
            queue.put(id, "payload")
        for handle, _, _ in [queue.take() for _ in ids]:
            queue.finish(handle)
        life = clock() - started
        queue = library(jobs)
        for id in ids:
            queue.put(id, "payload")
        started = clock()
        for _ in ids:
            queue.give_back(queue.take()[0])
        around = clock() - started
    return {LIFE: life / jobs, AROUND: around / jobs}


def measured(libraries: list[Any], jobs: int, rounds: int) -> dict[str, Samples]:
    contestants = {library.label: partial(work, library, jobs) for library in libraries}
    return interleaved(contestants, rounds, progress)


def rules_of(library: Any) -> Verdict:
    """What the contract says of a library behind the adapter; of our own queue as it is."""
    progress(f"rules: {library.label}")
    make = Queue if library is Ours else partial(Adapter, library)
    return verdict(make, library.verbs)


def both_tables(samples: dict[str, Samples], verdicts: dict[str, Verdict]) -> str:
    """Times and rules, one row for each library."""
    rows = []
    for label, taken in samples.items():
        row = [label]
        for part in (LIFE, AROUND):
            row += [f"{median(taken[part]) * 1e6:.1f}", f"{ratio(taken[part], samples[Ours.label][part]):.1f}"]
        found = verdicts[label]
        rows.append([*row, codes(found.kept), codes(found.broken), codes(found.no_call)])
    head = ["microseconds a job", LIFE, "ratio", AROUND, "ratio", "keeps the rules", "breaks", "has no call for"]
    return table(head, rows)


def run() -> None:
    """Print the table of part 2; a library that is not installed costs only its row."""
    present = [library for library in LIBRARIES if not missing(library)]
    print(versions(*MODULES) + f"; {JOBS:,} jobs.", end="\n\n")
    for library in LIBRARIES:
        if library not in present:
            print(f"{library.label} is left out: install it with `pip install -r tests/benchmark_requirements.txt`.\n")
    samples = measured(present, JOBS, ROUNDS)
    verdicts = {library.label: rules_of(library) for library in present}
    print(both_tables(samples, verdicts))
    for label, found in verdicts.items():
        if found.unreached:
            print(f"\nNo call that {label} answered rightly led to {codes(found.unreached)}.")
