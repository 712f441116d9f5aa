"""The names that a function uses, read from its code."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from types import CodeType


def _code_and_inner(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code_and_inner(constant)


class NamesUsed:
    """The names that a function uses: globals, attributes (which may be a module's), and those it assigns to."""

    def __init__(self, code: CodeType) -> None:
        self.globals: set[str] = set()
        self.attributes: set[str] = set()
        self.changed: set[str] = set()
        self.modules: set[str] = set()
        for inner in _code_and_inner(code):
            for instruction in dis.get_instructions(inner):
                action, _, kind = instruction.opname.partition("_")
                if action == "IMPORT":
                    (self.modules if kind == "NAME" else self.attributes).add(instruction.argval)
                elif kind in ("GLOBAL", "NAME"):
                    self.globals.add(instruction.argval)
                elif kind in ("ATTR", "METHOD"):
                    self.attributes.add(instruction.argval)
                else:
                    continue
                if action in ("STORE", "DELETE"):
                    self.changed.add(instruction.argval)
