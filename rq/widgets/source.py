"""What the widgets take: turn a Scenario, an example's name, a dict, JSON text or a Trace into a trace."""

from __future__ import annotations

from typing import Any

from rq.examples import EXAMPLES
from rq.queue import Queue
from rq.scenario import QueueFactory, Scenario, ScenarioError, excerpt
from rq.trace import Trace, trace


def as_trace(source: object, queue_class: QueueFactory = Queue) -> Trace:
    """The trace of `source` on `queue_class`; a Trace is taken as it is. Raises ScenarioError."""
    return source if isinstance(source, Trace) else trace(as_scenario(source), queue_class)


def as_scenario(source: object) -> Scenario:
    """`source` as a Scenario, or ScenarioError with one sentence."""
    match source:
        case Scenario():
            return source
        case dict():
            return Scenario.from_dict(source)
        case str() if source in EXAMPLES:
            return EXAMPLES[source].scenario
        case str() if source.lstrip("\ufeff \t\r\n").startswith(("{", "[")):
            return Scenario.from_json(source)
        case str():
            names = ", ".join(f'"{name}"' for name in EXAMPLES)
            raise ScenarioError(f"no example is called {excerpt(source)}; there are {names}; JSON text starts with {{")
    kinds = "a Scenario, an example's name, a dict or JSON text"
    raise ScenarioError(f"expected {kinds}, not {type(source).__name__}")


def with_static_html(bundle: Any, html: str) -> Any:
    """A widget's mime bundle with a static form beside it, for readers without a kernel."""
    data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
    return {**data, "text/html": html}, metadata
