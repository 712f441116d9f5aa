"""How long check() and a Hypothesis state machine take to find the faults that real queues shipped.

    python tests/compare_with_hypothesis.py
    python tests/compare_with_hypothesis.py --kinds Lifo RetryToHead
    python tests/compare_with_hypothesis.py --runs 300 --seed 1

Both search for a sequence of calls on which a broken queue leaves the contract, and both end with
a short one. check() is given nothing but the class. The state machine (`queue_machine.py`) draws its
calls at random, stops at the first difference, and shrinks it.
Ctrl-C ends the comparison early and prints what is known by then.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.measure import clock
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test
from queue_machine import Differs, Machine

from rq.broken import GALLERY
from rq.check import check
from rq.surroundings import Surroundings
from rq.worlds import graph

LIST = Path(__file__).with_name("real_bugs.jsonl")
SETTINGS = settings(
    max_examples=1000,
    stateful_step_count=50,  # its own default
    derandomize=True,
    deadline=None,
    database=None,
    print_blob=False,
    report_multiple_bugs=False,
    phases=[Phase.generate, Phase.shrink],  # it need not explain what it finds
    suppress_health_check=list(HealthCheck),
)


class Row(NamedTuple):
    """One fault: seconds and length of the sequence found, for each of the two. No length: not found."""

    kind: str
    check_seconds: float
    check_length: int | None
    hypothesis_seconds: float
    hypothesis_length: int | None

    @property
    def ratio(self) -> float:
        return self.hypothesis_seconds / self.check_seconds

    @property
    def no_longer(self) -> bool:
        """Did check() find a sequence that is no longer than the other?"""
        lengths = (self.check_length, self.hypothesis_length)
        return self.check_length is not None and (self.hypothesis_length is None or lengths[0] <= lengths[1])


def with_check(queue_class) -> int | None:
    """The length of what check() finds, with nothing kept from an earlier check."""
    graph.cache_clear()
    report = check(queue_class)
    if report.interrupted:
        raise KeyboardInterrupt
    return len(report.difference.ops) if report.difference else None


def with_hypothesis(queue_class, examples: int = SETTINGS.max_examples, start: int | None = None) -> int | None:
    """The length of what the state machine finds and shrinks; `examples` is how many runs it may try.

    `start` is the seed of what it draws. With none, Hypothesis takes one of its own, always the same for a class.
    """
    surroundings = Surroundings(queue_class)
    members = {"queue_class": queue_class, "surroundings": surroundings}
    machine = type(queue_class.__name__, (Machine,), members)
    chosen = settings(SETTINGS, max_examples=examples, derandomize=start is None)
    try:
        run_state_machine_as_test(machine if start is None else seed(start)(machine), settings=chosen)
    except Differs as found:
        return len(found.ops)
    finally:
        surroundings.restore()
    return None


def timed(search, queue_class) -> tuple[float, int | None]:
    """Seconds of processor time, which other programs disturb less, and what was found."""
    started = clock()
    length = search(queue_class)
    return clock() - started, length


def compare(kinds, examples: int = SETTINGS.max_examples, start: int | None = None) -> list[Row]:
    """One row for each kind, as far as one lets it run."""
    rows: list[Row] = []
    show_progress = sys.stderr.isatty()
    machine = partial(with_hypothesis, examples=examples, start=start)
    try:
        for number, kind in enumerate(kinds, start=1):
            print(
                f"\r{number:>2} of {len(kinds)}  {kind:<30}",
                end="" if show_progress else "\n",
                file=sys.stderr,
                flush=True,
            )
            queue_class = GALLERY[kind]
            rows.append(Row(kind, *timed(with_check, queue_class), *timed(machine, queue_class)))
    except KeyboardInterrupt:
        print(f"\ninterrupted after {len(rows)} of {len(kinds)}", file=sys.stderr)
    print(file=sys.stderr)
    return rows


def table(rows) -> str:
    """The rows as plain text, and below them what they come to."""
    lines = [f"{'kind':<28}{'check s':>9}{'length':>8}{'hypothesis s':>14}{'length':>11}{'ratio':>9}"]
    for row in rows:
        lengths = [length or "not found" for length in (row.check_length, row.hypothesis_length)]
        seconds = f"{row.check_seconds:>9.3f}{lengths[0]:>8}{row.hypothesis_seconds:>14.3f}{lengths[1]:>11}"
        lines.append(f"{row.kind:<28}{seconds}{row.ratio:>9.1f}")
    if not rows:
        return "nothing was compared"
    check_median = median(row.check_seconds for row in rows)
    hypothesis_median = median(row.hypothesis_seconds for row in rows)
    lines.append(
        f"{'median':<28}{check_median:>9.3f}{'':>8}{hypothesis_median:>14.3f}{'':>11}"
        f"{median(row.ratio for row in rows):>9.1f}"
    )
    found = [sum(length is not None for length in column) for column in zip(*((r[2], r[4]) for r in rows), strict=True)]
    longer = [row.kind for row in rows if not row.no_longer]
    lines += [
        "",
        f"found, of {len(rows)}: check {found[0]}, hypothesis {found[1]}",
        f"check was never longer: {'yes' if not longer else 'no: ' + ', '.join(longer)}",
        f"check was faster in the median: {'yes' if check_median < hypothesis_median else 'no'}",
        f"check was faster on {sum(row.ratio > 1 for row in rows)} of {len(rows)}",
    ]
    return "\n".join(lines)


def main() -> int:
    """Compare, print the table; 0 if all were compared, check was never longer, and in the median faster; else 1."""
    listed = [json.loads(line)["kind"] for line in LIST.read_text(encoding="utf-8").splitlines()]
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kinds", nargs="+", metavar="NAME", choices=GALLERY, default=listed, help="default: all 43")
    most = SETTINGS.max_examples
    parser.add_argument("--runs", type=int, metavar="N", default=most, help=f"for each, at most; default: {most}")
    parser.add_argument("--seed", type=int, metavar="N", help="of what Hypothesis draws; default: its own, the same")
    options = parser.parse_args()
    kinds = options.kinds
    rows = compare(kinds, options.runs, options.seed)
    print(table(rows))
    faster = rows and median(row.check_seconds for row in rows) < median(row.hypothesis_seconds for row in rows)
    return 0 if faster and len(rows) == len(kinds) and all(row.no_longer for row in rows) else 1


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # Hypothesis has advice about each machine that finds nothing
    sys.exit(main())
