"""A retrying job queue, and everything that makes it visible.

`import rq` needs the standard library only: the names that need pandas or ipywidgets are loaded
when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rq.check import check
from rq.check_command import check_command
from rq.contract import Rule, decide
from rq.examples import EXAMPLES, Example
from rq.practice import random_scenario
from rq.queue import Queue
from rq.report import Report
from rq.scenario import Scenario, ScenarioError
from rq.state import Job, Phase, State
from rq.trace import Trace, trace

if TYPE_CHECKING:
    from rq.tables import (
        coverage,
        gallery_table,
        in_full,
        race_table,
        rules_table,
        score_table,
        state_table,
        tickets_table,
        timeline_table,
        trace_table,
        worlds_table,
    )
    from rq.widgets import Playground, Predict, Race, Stepper, StoryStepper

_LOADED_ON_FIRST_USE = {
    "coverage": "rq.tables",
    "gallery_table": "rq.tables",
    "in_full": "rq.tables",
    "race_table": "rq.tables",
    "rules_table": "rq.tables",
    "score_table": "rq.tables",
    "state_table": "rq.tables",
    "tickets_table": "rq.tables",
    "timeline_table": "rq.tables",
    "trace_table": "rq.tables",
    "worlds_table": "rq.tables",
    "Playground": "rq.widgets",
    "Predict": "rq.widgets",
    "Race": "rq.widgets",
    "Stepper": "rq.widgets",
    "StoryStepper": "rq.widgets",
}

__all__ = [
    "EXAMPLES",
    "Example",
    "Job",
    "Phase",
    "Playground",
    "Predict",
    "Queue",
    "Race",
    "Report",
    "Rule",
    "Scenario",
    "ScenarioError",
    "State",
    "Stepper",
    "StoryStepper",
    "Trace",
    "check",
    "check_command",
    "coverage",
    "decide",
    "gallery_table",
    "in_full",
    "race_table",
    "random_scenario",
    "rules_table",
    "score_table",
    "state_table",
    "tickets_table",
    "timeline_table",
    "trace",
    "trace_table",
    "worlds_table",
]


def __getattr__(name: str) -> Any:
    if name in _LOADED_ON_FIRST_USE:
        return getattr(import_module(_LOADED_ON_FIRST_USE[name]), name)
    raise AttributeError(f"module 'rq' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
