"""What a job's life takes in instructions and in misses of the cache, counted by valgrind: no clock, no luck."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.measure import progress, table

SIZES = (1_000, 100_000)
LIVES = 10_000
CACHE = 2 * 1024 * 1024
PROGRAM = """
import gc, sys
from benchmarks.floor import Floor
from rq import Queue
gc.disable()
waiting, lives = int(sys.argv[2]), int(sys.argv[3])
queue = {"Queue": Queue, "Floor": Floor}[sys.argv[1]](waiting + lives)
for number in range(waiting):
    queue.enqueue(f"job-{number}", "payload")
ids = [f"more-{number}" for number in range(int(sys.argv[4]))]
for more in ids[:lives]:
    queue.enqueue(more, "payload")
    id, _, attempt = queue.reserve()
    queue.ack(id, attempt)
"""
"""Jobs wait; then each job that comes lets the oldest go through its life."""


def counted(name: str, waiting: int, lives: int, most: int) -> tuple[int, int]:
    """Instructions, and misses of the last level of the cache, of one process as a whole."""
    root = Path(__file__).parents[2]
    command = ["valgrind", "--tool=cachegrind", "--cache-sim=yes", f"--LL={CACHE},16,64"]
    arguments = [sys.executable, "-c", PROGRAM, name, str(waiting), str(lives), str(most)]
    paths = os.pathsep.join([str(root), str(root / "tests")])
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [*command, f"--cachegrind-out-file={folder}/out", *arguments],
            env={**os.environ, "PYTHONPATH": paths, "PYTHONHASHSEED": "0"},
            capture_output=True,
            text=True,
            check=True,
        )
    return read(done.stderr)


def read(text: str) -> tuple[int, int]:
    """Instructions and misses from what cachegrind prints at its end."""
    found = [re.search(rf"{label}:\s*([\d,]+)", text) for label in ("I\\s+refs", "LLd misses")]
    instructions, misses = (int(match[1].replace(",", "")) for match in found if match)
    return instructions, misses


def run(most: int = SIZES[-1], lives: int = LIVES) -> None:
    """Print how many instructions and misses one life takes: a run with many lives less a run with none."""
    if shutil.which("valgrind") is None:
        print("Not counted: valgrind is not installed.")
        return
    sizes = [size for size in SIZES if size <= most]
    runs = [(name, size, count, lives) for name in ("Queue", "Floor") for size in sizes for count in (0, lives)]
    progress(f"valgrind counts {len(runs)} runs; it takes a minute or more")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = dict(zip(runs, pool.map(lambda one: counted(*one), runs), strict=True))
    rows = []
    for place, what in enumerate(("instructions", "misses of a cache of 2 MiB")):
        for name, label in (("Queue", f"{what}: queue"), ("Floor", "the floor")):
            pairs = [[results[name, size, count, lives][place] for count in (0, lives)] for size in sizes]
            each = [(after - before) / lives for before, after in pairs]
            rows.append([label, *(f"{value:,.1f}" if what != "instructions" else f"{value:,.0f}" for value in each)])
    print(table(["of one job's life, by jobs that wait", *(f"{size:,}" for size in sizes)], rows), flush=True)
