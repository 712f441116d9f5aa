"""Part 3: check() against a Hypothesis state machine on the 43 real bugs, and how fast check() exhausts its worlds."""

from __future__ import annotations

import json
import warnings
from statistics import median

from compare_with_hypothesis import LIST, SETTINGS, Row, compare

from benchmarks.measure import clock, no_collection, progress, table, versions
from rq import Queue, check
from rq.broken import GALLERY, fault_of
from rq.worlds import graph

EXAMPLES = 300
"""Runs that Hypothesis may try for each bug: three times its own default, and its longest row stays at some seconds."""


def finding_table(rows: list[Row]) -> str:
    """What both found, and how long it took them."""
    shortest = {row.kind: fault_of(GALLERY[row.kind]).length for row in rows}
    sides = {
        "check": [(row.kind, row.check_seconds, row.check_length) for row in rows],
        "Hypothesis": [(row.kind, row.hypothesis_seconds, row.hypothesis_length) for row in rows],
    }
    table_rows = []
    for name, found in sides.items():
        lengths = [(kind, length) for kind, _, length in found if length is not None]
        times = [seconds for _, seconds, length in found if length is not None]
        table_rows.append(
            [
                name,
                str(len(lengths)),
                str(sum(length == shortest[kind] for kind, length in lengths)),
                f"{median(times):.2f}" if times else "-",
                f"{max(times):.2f}" if times else "-",
                f"{sum(seconds for _, seconds, _ in found):.1f}",
            ]
        )
    head = ["", f"found, of {len(rows)}", "at the shortest length", "median s to find", "longest", "s for all"]
    return table(head, table_rows)


def ratios(rows: list[Row]) -> str:
    """One sentence on the bugs that both found."""
    both = [row for row in rows if row.check_length is not None and row.hypothesis_length is not None]
    if not both:
        return "There is no bug that both found."
    longer = sum(not row.no_longer for row in rows)
    times = [row.ratio for row in both]
    return (
        f"Over the {len(both)} bugs that both found, Hypothesis took {median(times):.0f} times as long in the median"
        f" (from {min(times):.0f} to {max(times):.0f} times); on {longer} it found a shorter sequence."
    )


def exhausting(rounds: int) -> str:
    """One sentence: how fast check() exhausts its worlds with a queue that conforms, with nothing kept from before."""
    taken = []
    for number in range(rounds):
        progress(f"exhausting the worlds, round {number + 1} of {rounds}")
        graph.cache_clear()
        with no_collection():
            started = clock()
            report = check(Queue)
            taken.append(clock() - started)
    seconds = median(taken)
    return (
        f"check(Queue) exhausts its {len(report.worlds)} worlds in {seconds:.1f} s: {report.states:,} states,"
        f" told apart by {report.operations:,} calls, which is {report.states / seconds:,.0f} states and"
        f" {report.operations / seconds:,.0f} calls a second (median of {rounds})."
    )


def run(most: int | None = None) -> None:
    """Print part 3, on the first `most` of the bugs."""
    kinds = [json.loads(line)["kind"] for line in LIST.read_text(encoding="utf-8").splitlines()][:most]
    calls = SETTINGS.stateful_step_count
    print(f"{versions('hypothesis')}, up to {EXAMPLES} runs of {calls} calls for each bug.", end="\n\n")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Hypothesis has advice about each machine that finds nothing
        rows = compare(kinds, EXAMPLES)
    if len(rows) < len(kinds):
        raise KeyboardInterrupt
    print(finding_table(rows), ratios(rows), exhausting(3), sep="\n\n")
