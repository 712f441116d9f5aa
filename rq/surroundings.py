"""What a queue class keeps outside its objects: class attributes, default arguments, globals, closures.

A class that stores jobs there shares them between its queues. So that one sequence of calls cannot
disturb the next, the checker puts the surroundings back before each; what two queues share within
one sequence stays shared, and shows.
"""

from __future__ import annotations

import dis
import functools
import os
import sys
import types
from collections.abc import Callable, Iterator
from copy import deepcopy
from enum import Enum
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

_STANDARD_LIBRARY = os.path.dirname(os.__file__)
_WRAPPED = (staticmethod, classmethod, MethodType)
_CODE = (type, ModuleType, FunctionType, property, *_WRAPPED)
_NO_STATE = (
    types.BuiltinFunctionType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    functools.cached_property,
)


class _Absent:
    """Stands for a name that is not there (yet). As a class it is its own copy."""


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
    """Walks from a class through the learner's own code to the places that code may change."""

    def __init__(self) -> None:
        self._seen: set[Any] = set()

    def places(self, thing: Any) -> Iterator[_Place]:
        """The places reachable from a class, a function or what wraps one."""
        while isinstance(thing, _WRAPPED) or hasattr(thing, "__wrapped__"):
            thing = thing.__func__ if isinstance(thing, _WRAPPED) else thing.__wrapped__
        if isinstance(thing, property):
            for accessor in (thing.fget, thing.fset, thing.fdel):
                yield from self.places(accessor)
        elif isinstance(thing, type):
            for base in thing.__mro__:
                if _is_own(base) and not issubclass(base, Enum) and self._is_new(id(base)):
                    yield from self._class_places(base)
        elif isinstance(thing, FunctionType) and _is_own(thing) and self._is_new(id(thing)):
            yield from self._function_places(thing)

    def _is_new(self, key: Any) -> bool:
        new = key not in self._seen
        self._seen.add(key)
        return new

    def _class_places(self, base: type) -> Iterator[_Place]:
        yield _Place(lambda: _data(base), lambda values: _put_data(base, values))
        for value in list(vars(base).values()):
            yield from self.places(value)

    def _function_places(self, function: FunctionType) -> Iterator[_Place]:
        for name in ("__defaults__", "__kwdefaults__", "__dict__"):
            if getattr(function, name):
                yield _attribute(function, name)
        for cell in function.__closure__ or ():
            if self._is_new(id(cell)):
                yield _Place(lambda cell=cell: _content(cell), lambda value, cell=cell: _fill(cell, value))  # type: ignore[misc]
                yield from self.places(_content(cell))
        names, changed = _names(function.__code__), _changed(function.__code__)
        yield from self._global_places(function.__globals__, names, changed)
        for name in names & function.__globals__.keys():
            module = function.__globals__[name]
            if isinstance(module, ModuleType) and _is_own(module):
                yield from self._global_places(vars(module), names, changed)

    def _global_places(self, namespace: dict[str, Any], names: set[str], changed: set[str]) -> Iterator[_Place]:
        for name in sorted(names):
            value = namespace.get(name, _Absent)
            if (value is _Absent and name not in changed) or not self._is_new((id(namespace), name)):
                continue
            if name in changed or not isinstance(value, (*_CODE, *_NO_STATE, str, int, float, bytes, type(None))):
                yield _item(namespace, name)
            yield from self.places(value)


def _is_own(thing: Any) -> bool:
    """Did the learner write this class, function or module, rather than Python's people, a package's, or we?"""
    name = str(thing.__name__ if isinstance(thing, ModuleType) else thing.__module__)
    if name == "rq" or (name.startswith("rq.") and not name.startswith("rq.broken")):
        return False
    if name == "__main__":
        return True
    file = getattr(sys.modules.get(name), "__file__", None)
    return file is not None and not file.startswith(_STANDARD_LIBRARY) and "-packages" not in file


def _data(base: type) -> dict[str, Any]:
    """The attributes of a class that may hold state."""
    return {
        name: value
        for name, value in vars(base).items()
        if not name.startswith(("__", "_abc_")) and not isinstance(value, (*_CODE, *_NO_STATE))
    }


def _put_data(base: type, values: dict[str, Any]) -> None:
    for name in _data(base).keys() - values.keys():
        delattr(base, name)
    for name, value in values.items():
        setattr(base, name, value)


def _attribute(owner: Any, name: str) -> _Place:
    return _Place(lambda: getattr(owner, name), lambda value: setattr(owner, name, value))


def _item(mapping: dict[str, Any], name: str) -> _Place:
    def put(value: Any) -> None:
        if value is _Absent:
            mapping.pop(name, None)
        else:
            mapping[name] = value

    return _Place(lambda: mapping.get(name, _Absent), put)


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return _Absent


def _fill(cell: types.CellType, value: Any) -> None:
    if value is not _Absent:
        cell.cell_contents = value


def _code_and_inner(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code_and_inner(constant)


def _names(code: CodeType) -> set[str]:
    """The names that a function looks up: globals, and attributes, which may be a module's."""
    return {name for inner in _code_and_inner(code) for name in inner.co_names}


def _changed(code: CodeType) -> set[str]:
    """Those of them that it assigns to."""
    return {
        instruction.argval
        for inner in _code_and_inner(code)
        for instruction in dis.get_instructions(inner)
        if instruction.opname in ("STORE_GLOBAL", "DELETE_GLOBAL", "STORE_ATTR", "DELETE_ATTR")
    }
