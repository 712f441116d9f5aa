"""What the widgets have in common: the static form they carry."""

from __future__ import annotations

from typing import Any

from rq.html import page


def with_static_html(bundle: Any, html: str) -> Any:
    """A widget's mime bundle with a static form beside it, for readers without a kernel."""
    data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
    return {**data, "text/html": page(html)}, metadata
