"""Part 4: start-up. `import rq` against a bare interpreter, and the first stepper, in Python and on the screen."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.measure import interleaved, progress, table

ROOT = Path(__file__).resolve().parents[2]
ROUNDS, NOTEBOOKS = 11, 5
CELL = 'from rq import Stepper; Stepper("fifo")'
PROGRAMS = {
    "Python alone": "pass",
    "import rq": "import rq",
    "import pandas, ipywidgets": "import pandas, ipywidgets",
    CELL: CELL,
}


def started(program: str, cache: str) -> Mapping[str, float]:
    """Seconds from the start of a Python to its end."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": cache}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # as for a user, all is compiled once and kept
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], env=environment, check=True, cwd=ROOT, stderr=subprocess.PIPE)
    return {"seconds": time.perf_counter() - begin}


def start_table() -> str:
    """Each program, and how much longer it takes than the interpreter alone."""
    here = {name: program for name, program in PROGRAMS.items() if "Stepper" not in program or has_widgets()}
    if not has_widgets():
        del here["import pandas, ipywidgets"]
    with tempfile.TemporaryDirectory() as cache:
        contestants = {name: partial(started, program, cache) for name, program in here.items()}
        interleaved(contestants, 1, progress)  # compiles
        taken = interleaved(contestants, ROUNDS, progress)
    bare, *others = ((name, median(parts["seconds"]) * 1e3) for name, parts in taken.items())
    rows = [[bare[0], f"{bare[1]:.0f}", "0"], *([f"`{n}`", f"{ms:.0f}", f"{ms - bare[1]:.0f}"] for n, ms in others)]
    return table(["a fresh Python, start to end", "ms", "more than Python alone"], rows)


def has_widgets() -> bool:
    return find_spec("pandas") is not None and find_spec("ipywidgets") is not None


def built() -> str:
    """One sentence: how long it takes to make a stepper once everything is imported."""
    if not has_widgets():
        return "pandas or ipywidgets is not installed, so no stepper was made."
    from rq import Stepper

    times = []
    for _ in range(31):
        begin = time.perf_counter()
        Stepper("fifo")
        times.append((time.perf_counter() - begin) * 1e3)
    return f"Making a stepper: {times[0]:.0f} ms for the first, {median(times[1:]):.0f} ms for each after it."


def on_the_screen() -> str:
    """One sentence: from pressing Shift+Enter to the stepper's table, in a real browser."""
    sys.path.insert(0, str(ROOT / "tests" / "browser"))
    try:
        from lab_server import running_lab
        from notebook_page import CHROMIUM_NAMES, chromium
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        return f"No browser was measured: {error.name} is not installed."
    if chromium() is None:
        return f"No browser was measured: none of {', '.join(CHROMIUM_NAMES)} is on the PATH."
    progress("starting JupyterLab")
    try:
        with tempfile.TemporaryDirectory() as folder, running_lab(Path(folder)) as lab, sync_playwright() as playwright:
            first, again = zip(*steppers(lab, playwright), strict=True)
    except (RuntimeError, TimeoutError) as error:
        return f"No browser was measured: {error}."
    return (
        f"In JupyterLab, from Shift+Enter to the table on the screen: {median(first):.0f} ms in a fresh kernel"
        f" (imports included; {min(first):.0f} to {max(first):.0f}), {median(again):.0f} ms when the cell is run again"
        f" ({NOTEBOOKS} notebooks)."
    )


def steppers(lab: Any, playwright: Any) -> Iterator[tuple[float, float]]:
    """For each notebook, each with a kernel of its own: milliseconds to the first stepper, and to the second."""
    from notebook_page import CHROMIUM_OPTIONS, NotebookPage, chromium
    from stepper_view import StepperView

    browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_OPTIONS)
    for number in range(NOTEBOOKS):
        progress(f"notebook {number + 1} of {NOTEBOOKS}")
        name = f"benchmark-{number}.ipynb"
        lab.write(name, [CELL, CELL])
        opened = NotebookPage(lab, browser.new_page(), "light")
        opened.open(name)
        opened.page.locator(".jp-Notebook .jp-CodeCell .cm-content").first.click()
        times = []
        for shown in range(2):
            begin = time.perf_counter()
            opened.page.keyboard.press("Shift+Enter")
            StepperView(opened.page, shown).view.locator("table").first.wait_for()
            times.append((time.perf_counter() - begin) * 1e3)
        yield times[0], times[1]
        opened.page.close()
    browser.close()


def run() -> None:
    """Print part 4."""
    print(start_table(), built(), sep="\n\n")
    print("\n" + on_the_screen())
