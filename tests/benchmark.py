"""How fast it is, side by side with others, as the tables that the README quotes. A script, not a test.

    python tests/benchmark.py                # all parts but counts, some minutes
    python tests/benchmark.py floor runner   # some of them
    python tests/benchmark.py counts         # instructions and cache misses, if valgrind is there
    python tests/benchmark.py --quick        # small sizes, to see that it works

Contestants take turns in every round of one run; the tables show medians. The libraries of part 2
are optional: `pip install -r tests/benchmark_requirements.txt`. Ctrl-C stops it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple

from benchmarks.measure import machine, progress, versions


class Part(NamedTuple):
    """A part: its module, its title, the size of a quick run, where it has sizes, and whether it runs unasked."""

    module: str
    title: str
    quick: tuple[int, ...] = ()
    unasked: bool = True


PARTS = {
    "floor": Part("against_floor", "The queue against the floor", (1_000,)),
    "counts": Part("counts", "Instructions and cache misses, counted", (1_000, 1_000), unasked=False),
    "others": Part("against_others", "Against what one would pick instead"),
    "check": Part("finding", "check against Hypothesis", (4,)),
    "start": Part("start", "Start-up"),
    "runner": Part("runner", "Scenarios through `python -m rq run -`", (1_000,)),
}


def main(arguments: list[str] | None = None) -> int:
    """Run the parts that are named, or all that run unasked."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, usage="%(prog)s [--quick] [PART ...]"
    )
    parser.add_argument("parts", nargs="*", metavar="PART", choices=[*PARTS, []], help=f"one of {', '.join(PARTS)}")
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it works")
    options = parser.parse_args(arguments)
    started = time.monotonic()
    print(f"{machine()}; {versions('pandas', 'ipywidgets')}.")
    try:
        for name, part in PARTS.items():
            if name in options.parts or (part.unasked and not options.parts):
                print(f"\n### {part.title}\n", flush=True)
                run: Callable[..., None] = import_module(f"benchmarks.{part.module}").run
                run(*(part.quick if options.quick else ()))
                progress("")
    except KeyboardInterrupt:
        progress("")
        print("\nstopped")
        return 130
    print(f"\n{time.monotonic() - started:.0f} seconds.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
