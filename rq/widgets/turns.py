"""One thing at a time: what the browser sends is handled in one thread, the kernel's own.

JupyterLab sends what happens in widgets to a thread of its own in the kernel, and some of it to the
main one. Two clicks may then be handled at the same moment, on the same history.
"""

from __future__ import annotations

from typing import Any, TypeVar

from IPython import get_ipython

Part = TypeVar("Part", bound=Any)


def in_turn(part: Part) -> Part:
    """The same part; each message from the browser to it waits for its turn in the kernel's own thread."""
    loop = getattr(getattr(get_ipython(), "kernel", None), "io_loop", None)
    if loop is not None and part.comm is not None:
        part.comm.on_msg(lambda message: loop.add_callback(part._handle_msg, message))
    return part
