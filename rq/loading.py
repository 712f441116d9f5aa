"""Loading a queue class from a file, as Python would when it runs that file."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from rq.answers import Hung, Raised, one_line
from rq.guard import Guard

MOST_TICKS = 120
"""Ticks of the guard (half a minute) that a file may take to be imported; some libraries are slow."""


class LoadError(Exception):
    """A class that cannot be loaded. The message is one sentence."""


def load_class(target: str) -> Any:
    """The class that `FILE.py:CLASS` names. The file's own folder is importable. Raises LoadError."""
    file, separator, name = target.rpartition(":")
    if not separator or not file or not name.isidentifier():
        raise LoadError(f"expected FILE.py:CLASS, such as my_queue.py:MyQueue, not {target}")
    path = Path(file).resolve()
    if not path.is_file():
        raise LoadError(f"there is no file {file}")
    module = _module(path)
    if not hasattr(module, name):
        classes = [key for key, value in vars(module).items() if isinstance(value, type)]
        known = f"; it has {', '.join(classes)}" if classes else ""
        raise LoadError(f"{file} has no class {name}{known}")
    found = getattr(module, name)
    if not callable(found):
        raise LoadError(f"{name} in {file} is not a class but {type(found).__name__}")
    return found


def _module(path: Path) -> ModuleType:
    sys.path.insert(0, str(path.parent))
    name = f"checked_{path.stem}"  # its own name might be that of a module in use, such as queue
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise LoadError(f"{path.name} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    faults: list[str] = []
    with Guard(patience=MOST_TICKS) as guard:
        outcome = guard.call(_run, spec.loader, module, faults)
    if isinstance(outcome, Hung):
        faults.append("it does not come to its end")
    elif isinstance(outcome, Raised):  # SystemExit, for one
        faults.append(f"it raises {outcome.error}")
    if faults:
        raise LoadError(f"{path.name} cannot be imported: {faults[0]}")
    return module


def _run(loader: Any, module: ModuleType, faults: list[str]) -> None:
    """Run the module; note what went wrong, and in which line."""
    try:
        loader.exec_module(module)
    except SyntaxError as error:
        faults.append(one_line(f"line {error.lineno or 1}: {error.msg}"))
    except Exception as error:
        lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == module.__file__]
        faults.append(one_line(f"line {lines[-1]}: {error!r}" if lines else repr(error)))
