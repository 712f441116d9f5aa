"""What the widgets have in common: what they take, and the static form they carry."""

from __future__ import annotations

from typing import Any

from rq.queue import Queue
from rq.scenario import QueueFactory
from rq.trace import Trace, trace


def as_trace(source: object, queue_class: QueueFactory = Queue) -> Trace:
    """The trace of `source` on `queue_class`; a Trace is taken as it is. Raises ScenarioError."""
    return source if isinstance(source, Trace) else trace(source, queue_class)


def with_static_html(bundle: Any, html: str) -> Any:
    """A widget's mime bundle with a static form beside it, for readers without a kernel."""
    data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
    return {**data, "text/html": html}, metadata
