"""What a queue class keeps outside its objects: class attributes, default arguments, globals, closures.

A class that stores jobs there shares them between its queues. So that one sequence of calls cannot
disturb the next, the checker puts the surroundings back before each; what two queues share within
one sequence stays shared, and shows.
"""

from __future__ import annotations

import dis
import os
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from enum import Enum
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

_STANDARD_LIBRARY = os.path.dirname(os.__file__)
_CODE = (type, ModuleType, FunctionType, staticmethod, classmethod, property)


class _Place(NamedTuple):
    """One place that holds a value: how to read it and how to put another value there."""

    get: Callable[[], Any]
    set: Callable[[Any], None]


class Surroundings:
    """The places outside a queue's objects where its class may keep state, with the values they had at first."""

    def __init__(self, queue_class: Any) -> None:
        self._places = list(_Search().places(queue_class))
        self._originals = [place.get() for place in self._places]
        self._first = _copy(self._originals)

    @property
    def values(self) -> list[Any]:
        """What the places hold now."""
        return [place.get() for place in self._places]

    def reset(self) -> None:
        """Put a fresh copy of the first values into every place."""
        if self._places:
            self._put(_copy(self._first))

    def restore(self) -> None:
        """Put the very objects back that were there before the check."""
        self._put(self._originals)

    def _put(self, values: list[Any]) -> None:
        for place, value in zip(self._places, values, strict=True):
            place.set(value)


def _copy(values: list[Any]) -> list[Any]:
    """A deep copy that keeps what the values share; a value that cannot be copied stays as it is."""
    memo: dict[int, Any] = {}
    copies = []
    for value in values:
        try:
            copies.append(deepcopy(value, memo))
        except Exception:
            copies.append(value)
    return copies


class _Search:
    """Walks from a class through its own code to the places that code may change."""

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self._globals: set[tuple[int, str]] = set()

    def places(self, thing: Any) -> Iterator[_Place]:
        """The places reachable from a class, a function or a method."""
        thing = thing.__func__ if isinstance(thing, (staticmethod, classmethod, MethodType)) else thing
        if id(thing) in self._seen or not _is_own_code(thing):
            return
        self._seen.add(id(thing))
        if isinstance(thing, type):
            for base in thing.__mro__:
                if _is_own_code(base):
                    yield from self._class_places(base)
        elif isinstance(thing, FunctionType):
            yield from self._function_places(thing)

    def _class_places(self, base: type) -> Iterator[_Place]:
        for name, value in list(vars(base).items()):
            if isinstance(value, property):
                for accessor in (value.fget, value.fset, value.fdel):
                    yield from self.places(accessor)
            elif isinstance(value, _CODE):
                yield from self.places(value)
            elif not name.startswith(("__", "_abc_")) and not hasattr(type(value), "__get__"):
                yield _attribute(base, name)

    def _function_places(self, function: FunctionType) -> Iterator[_Place]:
        if function.__defaults__:
            yield _attribute(function, "__defaults__")
        if function.__kwdefaults__:
            yield _attribute(function, "__kwdefaults__")
        for cell in function.__closure__ or ():
            yield from self._cell_places(cell)
        changed = _changed_globals(function.__code__)
        for name in sorted(_names(function.__code__)):
            if name not in function.__globals__ or (id(function.__globals__), name) in self._globals:
                continue
            self._globals.add((id(function.__globals__), name))
            value = function.__globals__[name]
            if isinstance(value, _CODE):
                yield from self.places(value)
            elif name in changed or not isinstance(value, (str, int, float, bytes, type(None))):
                yield _item(function.__globals__, name)

    def _cell_places(self, cell: CellType) -> Iterator[_Place]:
        try:
            value = cell.cell_contents
        except ValueError:  # an empty cell
            return
        if isinstance(value, _CODE):
            yield from self.places(value)
        elif id(cell) not in self._seen:
            self._seen.add(id(cell))
            yield _attribute(cell, "cell_contents")


def _is_own_code(thing: Any) -> bool:
    """Is this a class or function the learner wrote, rather than part of Python, of a package, or of our own?"""
    if not isinstance(thing, (type, FunctionType)) or (isinstance(thing, type) and issubclass(thing, Enum)):
        return False
    name = str(thing.__module__)
    if name == "rq" or (name.startswith("rq.") and not name.startswith("rq.broken")):
        return False
    if name == "__main__":
        return True
    file = getattr(sys.modules.get(name), "__file__", None)
    return file is not None and not file.startswith(_STANDARD_LIBRARY) and "-packages" not in file


def _attribute(owner: Any, name: str) -> _Place:
    return _Place(lambda: getattr(owner, name), lambda value: setattr(owner, name, value))


def _item(mapping: dict[str, Any], name: str) -> _Place:
    return _Place(lambda: mapping[name], lambda value: mapping.__setitem__(name, value))


def _code_and_inner(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code_and_inner(constant)


def _names(code: CodeType) -> set[str]:
    """The names that a function may look up as globals."""
    return {name for inner in _code_and_inner(code) for name in inner.co_names}


def _changed_globals(code: CodeType) -> set[str]:
    """The globals that a function assigns to."""
    return {
        instruction.argval
        for inner in _code_and_inner(code)
        for instruction in dis.get_instructions(inner)
        if instruction.opname in ("STORE_GLOBAL", "DELETE_GLOBAL")
    }
