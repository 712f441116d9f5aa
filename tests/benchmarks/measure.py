"""How things are timed: side by side, in interleaved rounds, with the garbage collector held back."""

from __future__ import annotations

import gc
import os
import platform
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median, quantiles
from typing import TypeVar

Name = TypeVar("Name")

Contestant = Callable[[], Mapping[str, float]]
"""Does its work once, from a fresh start, and says how long each part of it took."""

clock = time.process_time if time.get_clock_info("process_time").resolution < 1e-6 else time.perf_counter
"""Processor time, where it is fine enough (it is coarse on Windows): other programs disturb it less."""

Samples = dict[str, list[float]]
"""For each part, what it took in each round."""


def interleaved(contestants: Mapping[Name, Contestant], rounds: int, say: Callable[[str], None]) -> dict[Name, Samples]:
    """Let all take their turn in every round, every other round in the opposite order."""
    samples: dict[Name, Samples] = {name: {} for name in contestants}
    for number in range(rounds):
        names = list(contestants)
        for name in names if number % 2 == 0 else reversed(names):
            say(f"round {number + 1} of {rounds}: {name}")
            for part, taken in contestants[name]().items():
                samples[name].setdefault(part, []).append(taken)
    return samples


@contextmanager
def no_collection() -> Iterator[None]:
    """Hold the garbage collector back, so that it strikes no contestant by chance."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """The median of the ratios round by round, so that a machine that slows down for a while strikes both."""
    return median(one / other for one, other in zip(ours, theirs, strict=True))


def spread(values: Sequence[float]) -> float:
    """How far the middle half of the values lies apart, as a part of their median."""
    if len(values) < 2:
        return 0.0
    low, _, high = quantiles(values, n=4, method="inclusive")
    return (high - low) / median(values)


def progress(text: str) -> None:
    """Say on the terminal what is being done; nothing if nobody watches."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table that is also easy to read as text: columns of numbers at the right, others at the left."""
    lines = [head, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    at_right = [all(re.fullmatch(r"[-\d.,]*", row[column]) for row in rows) for column in range(len(head))]

    def joined(cells: Sequence[str]) -> str:
        columns = zip(cells, widths, at_right, strict=True)
        return (
            "| "
            + " | ".join(text.rjust(width) if right else text.ljust(width) for text, width, right in columns)
            + " |"
        )

    rule = "|".join("-" * (width + 1) + (":" if right else "-") for width, right in zip(widths, at_right, strict=True))
    return "\n".join([joined(head), f"|{rule}|", *map(joined, rows)])


def machine() -> str:
    """The machine and the Python in one line."""
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"{processor()}, {os.cpu_count()} cores{load}; {platform.system()};"
        f" {platform.python_implementation()} {platform.python_version()}"
    )


def processor() -> str:
    """The name of the processor, as far as the system tells."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def versions(*packages: str) -> str:
    """`name 1.2` for each package, or that it is missing."""
    found = []
    for name in packages:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"{name} not installed")
    return ", ".join(found)
