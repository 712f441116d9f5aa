"""Part 5: scenarios a second through `python -m rq run -`, and the memory that takes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from statistics import median

from benchmarks.measure import interleaved, progress, ratio, table

ROOT = Path(__file__).resolve().parents[2]
SIZES = (1_000, 10_000, 100_000)
ROUNDS = 3
RUNNER = ("-m", "rq", "run", "-")
FLOOR = ("-c", "import json, sys\nfor line in sys.stdin.buffer: print(json.dumps(json.loads(line)))")
"""The least that a program must do that reads a line of JSON and writes one."""


def scenario(random: Random) -> str:
    """A scenario of up to 20 calls, as a line of JSON."""

    def call() -> list[str | int]:
        verb = random.choices(["enqueue", "reserve", "ack", "retry", "cancel"], [7, 5, 3, 3, 2])[0]
        id, attempt = random.choice("abcd"), random.randint(1, 2)
        arguments = {"enqueue": [id, "payload"], "reserve": [], "ack": [id, attempt], "retry": [id, attempt]}
        return [verb, *arguments.get(verb, [id])]

    return json.dumps({"capacity": random.randint(0, 4), "ops": [call() for _ in range(random.randint(0, 20))]})


def write_scenarios(path: Path, count: int) -> None:
    random = Random(1)
    with path.open("w", encoding="ascii") as file:
        for _ in range(count):
            file.write(scenario(random) + "\n")


WATCHER = """
import subprocess, sys, time
started = time.perf_counter()
code = subprocess.call([sys.executable, *sys.argv[1:]], stdout=subprocess.DEVNULL)
print(time.perf_counter() - started, file=sys.stderr)
try:
    from resource import RUSAGE_CHILDREN, getrusage
    print(getrusage(RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
except ImportError:
    pass  # Windows does not tell
sys.exit(code)
"""
"""A small program between the two, since Linux counts the memory of the one that starts a program as the program's."""


def played(arguments: Sequence[str], path: Path) -> Mapping[str, float]:
    """Run one Python on a file: seconds, and its peak memory in MiB where the system tells."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", WATCHER, *arguments]
    with path.open("rb") as source:
        done = subprocess.run(command, stdin=source, stderr=subprocess.PIPE, env=environment, cwd=ROOT, check=True)
    seconds, *peak = map(float, done.stderr.split())
    unit = 1 if sys.platform == "darwin" else 1024  # what ru_maxrss counts
    return {"seconds": seconds, "peak": peak[0] * unit / 2**20} if peak else {"seconds": seconds}


def run(most: int = SIZES[-1]) -> None:
    """Print part 5, for sizes up to `most`."""
    rows = []
    for size in [size for size in SIZES if size <= most]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "scenarios.jsonl"
            write_scenarios(path, size)
            contestants = {"run": partial(played, RUNNER, path), "floor": partial(played, FLOOR, path)}
            taken = interleaved(contestants, ROUNDS, lambda text, size=size: progress(f"{size:,} scenarios, {text}"))
        ours, floor = taken["run"], taken["floor"]
        peaks = [f"{median(side['peak']):.1f}" if "peak" in side else "not told" for side in (ours, floor)]
        rate = size / median(ours["seconds"])
        rows.append([f"{size:,}", f"{rate:,.0f}", f"{ratio(ours['seconds'], floor['seconds']):.1f}", *peaks])
    head = ["scenarios", "a second", "time : floor", "peak MiB", "floor, peak MiB"]
    print(table(head, rows), "The start of Python is included; the answers go to nowhere.", sep="\n\n")
