"""What a queue class keeps outside its objects: class attributes, default arguments, globals, closures.

A class that stores jobs there shares them between its queues. So that one sequence of calls cannot
disturb the next, the checker puts the surroundings back before each; what two queues share within
one sequence stays shared, and shows.
"""

from __future__ import annotations

import copyreg
import functools
import inspect
import os
import sys
import types
from ast import literal_eval
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from copy import deepcopy
from enum import Enum
from itertools import count
from pathlib import Path
from threading import Lock, RLock
from types import FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

from rq.names import NamesUsed

_STANDARD_LIBRARY = os.path.dirname(os.__file__)
_CODE = (type, ModuleType, FunctionType, property, staticmethod, classmethod, MethodType)
_NO_STATE = (
    types.BuiltinFunctionType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    functools.cached_property,
)


_VALUES = (str, int, float, bytes, type(None))
_CACHE = type(functools.lru_cache(lambda: None))


class _Absent:
    """Stands for a name that is not there (yet). As a class it is its own copy."""


class _Attributes(dict[str, Any]):
    """The attributes of a class or an object: each is copied by itself, so that one that cannot be spoils no other."""


def _copied_count(counter: Any) -> tuple[Any, tuple[Any, ...]]:
    """How to copy an itertools.count, which from Python 3.14 on only its repr tells: `count(3)`, `count(3, 2)`."""
    arguments = literal_eval(repr(counter).removeprefix("count"))
    return count, arguments if isinstance(arguments, tuple) else (arguments,)


_COPIES: dict[Any, Any] = {
    count: _copied_count,
    object: lambda mark: "itself",  # a bare object() is compared by identity, so it must stay the same one
    type(Lock()): lambda lock: (Lock, ()),
    type(RLock()): lambda lock: (RLock, ()),
}
"""How to copy what `deepcopy` would not, or should not."""


class _Place(NamedTuple):
    """One place that holds a value: how to read it and how to put another value there."""

    get: Callable[[], Any]
    set: Callable[[Any], None]


class Surroundings:
    """The places outside a queue's objects where its class may keep state, with the values they had at first."""

    def __init__(self, queue_class: Any) -> None:
        search = _Search()
        self._places = list(search.places(queue_class))
        self._constants = search.constants
        self._originals = [place.get() for place in self._places]
        self._first = self._copy(self._originals)

    @property
    def values(self) -> list[Any]:
        """What the places hold now."""
        return [place.get() for place in self._places]

    def reset(self) -> None:
        """Put a fresh copy of the first values into every place."""
        if self._places:
            self._put(self._copy(self._first))

    def restore(self) -> None:
        """Put the very objects back that were there before the check."""
        self._put(self._originals)

    def _copy(self, values: list[Any]) -> list[Any]:
        """A deep copy that keeps what the values share; a value that cannot be copied stays as it is."""
        memo: dict[int, Any] = {id(constant): constant for constant in self._constants}

        def copied(value: Any) -> Any:
            try:
                made = deepcopy(value, memo)
            except Exception:
                return value
            return made if type(made) is type(value) else value  # some objects answer to every name

        before = copyreg.dispatch_table.copy()
        copyreg.dispatch_table.update(_COPIES)
        try:
            return [
                _Attributes((name, copied(each)) for name, each in value.items())
                if isinstance(value, _Attributes)
                else copied(value)
                for value in values
            ]
        finally:
            copyreg.dispatch_table.clear()
            copyreg.dispatch_table.update(before)

    def _put(self, values: list[Any]) -> None:
        for place, value in zip(self._places, values, strict=True):
            place.set(value)


class _Search:
    """Walks from a class through the learner's own code to the places that code may change."""

    def __init__(self) -> None:
        self._seen: set[Any] = set()
        self.constants: list[Any] = []
        """Values met that hold no state; they are compared by identity, so a copy would not do."""

    def places(self, thing: Any) -> Iterator[_Place]:
        """The places reachable from a class, a function, what wraps one, or an object that holds some."""
        if isinstance(thing, _VALUES) or not self._is_new(id(thing)):
            return
        if isinstance(thing, _CACHE):
            yield _Place(lambda: thing, lambda _: thing.cache_clear())
        for name in ("__func__", "__wrapped__", "func"):  # of a method, a decorated function, a partial one
            if not isinstance(thing, type):
                yield from self.places(_plainly(thing, name))
        if isinstance(thing, property):
            yield from self._all((thing.fget, thing.fset, thing.fdel))
        elif isinstance(thing, type):
            metaclass: Any = type(thing)
            yield from self._all([*thing.__mro__[1:], *metaclass.__mro__])
            if _is_own(thing):
                yield from self._enum_places(thing) if issubclass(thing, Enum) else self._class_places(thing)
        elif isinstance(thing, FunctionType):
            if _is_own(thing):
                yield from self._function_places(thing)
        elif isinstance(thing, dict):
            yield from self._all(list(thing.values()))
        elif isinstance(thing, (list, tuple, set, frozenset, deque)):
            yield from self._all(list(thing))
        elif _is_own(type(thing)):
            yield from self.places(type(thing))
            with suppress(AttributeError):
                yield from self._all(list(object.__getattribute__(thing, "__dict__").values()))

    def _all(self, things: Iterable[Any]) -> Iterator[_Place]:
        for thing in things:
            yield from self.places(thing)

    def _is_new(self, key: Any) -> bool:
        new = key not in self._seen
        self._seen.add(key)
        return new

    def _class_places(self, base: type) -> Iterator[_Place]:
        members = list(vars(base).values())
        functions = [getattr(member, "__func__", member) for member in members]
        changed = {n for f in functions if isinstance(f, FunctionType) for n in NamesUsed(f.__code__).changed}
        yield _Place(lambda: _data(base, changed), lambda values: _put_data(base, changed, values))
        yield from self._all(members)

    def _enum_places(self, kind: Any) -> Iterator[_Place]:
        yield from map(_attributes, kind)
        yield from self._all([value for value in vars(kind).values() if isinstance(value, FunctionType)])

    def _function_places(self, function: FunctionType) -> Iterator[_Place]:
        for name in ("__defaults__", "__kwdefaults__", "__dict__"):
            if getattr(function, name):
                yield _attribute(function, name)
                yield from self.places(getattr(function, name))
        for cell in function.__closure__ or ():
            if self._is_new(id(cell)):
                if not isinstance(_content(cell), _CODE):
                    yield _Place(lambda cell=cell: _content(cell), lambda value, cell=cell: _fill(cell, value))  # type: ignore[misc]
                yield from self.places(_content(cell))
        used = NamesUsed(function.__code__)
        yield from self._namespace_places(function.__globals__, used.globals, used.changed)
        modules = [function.__globals__[name] for name in used.globals & function.__globals__.keys()]
        modules += [sys.modules[name] for name in used.modules & sys.modules.keys()]
        for module in modules:
            yield from self._module_places(module, used)

    def _module_places(self, module: Any, used: NamesUsed) -> Iterator[_Place]:
        """The names of one of the learner's modules that a function uses; of its submodules as well."""
        if isinstance(module, ModuleType) and _is_own(module) and self._is_new((id(used), id(module))):
            yield from self._namespace_places(vars(module), used.attributes, used.changed)
            for name in used.attributes & vars(module).keys():
                yield from self._module_places(vars(module)[name], used)

    def _namespace_places(self, namespace: dict[str, Any], names: set[str], changed: set[str]) -> Iterator[_Place]:
        for name in sorted(names):
            value = namespace.get(name, _Absent)
            if (value is _Absent and name not in changed) or not self._is_new((id(namespace), name)):
                continue
            if name in changed or _may_hold_state(value):
                yield _item(namespace, name)
            else:
                self.constants.append(value)
            yield from self.places(value)


def _is_own(thing: Any) -> bool:
    """Did the learner write this class, function or module, rather than Python's people, a package's, or we?"""
    name = str(thing.__name__ if isinstance(thing, ModuleType) else thing.__module__)
    if name == "rq" or (name.startswith("rq.") and not name.startswith("rq.broken")):
        return False
    if name == "__main__":
        return True
    file = getattr(sys.modules.get(name), "__file__", None)
    if file is None or file.startswith(_STANDARD_LIBRARY):
        return False
    return not {"site-packages", "dist-packages"} & set(Path(file).parts)


def _may_hold_state(value: Any) -> bool:
    """Values and code cannot; nor can an empty object of a library, which serves as a mark and must stay itself."""
    if isinstance(value, (*_VALUES, *_CODE, *_NO_STATE)) or type(value) is object:
        return False
    if isinstance(value, (list, tuple, dict, set, frozenset, deque)) or _is_own(type(value)):
        return True
    return getattr(value, "__dict__", None) != {}


def _plainly(thing: Any, name: str) -> Any:
    """An attribute of an object that is really there; asking the object itself might run its own code."""
    found = inspect.getattr_static(thing, name, None)
    return getattr(thing, name, None) if isinstance(found, _NO_STATE) else found


def _data(base: type, changed: set[str]) -> _Attributes:
    """The attributes of a class that may hold state, and those that its own methods assign to."""
    code = (*_CODE, *_NO_STATE, _CACHE)
    return _Attributes(
        (name, value)
        for name, value in vars(base).items()
        if not name.startswith(("__", "_abc_")) and (name in changed or not isinstance(value, code))
    )


def _put_data(base: type, changed: set[str], values: _Attributes) -> None:
    for name in _data(base, changed).keys() - values.keys():
        delattr(base, name)
    for name, value in values.items():
        setattr(base, name, value)


def _attributes(thing: Any) -> _Place:
    return _Place(lambda: _Attributes(vars(thing)), lambda values: _refill(thing, values))


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


def _refill(thing: Any, values: dict[str, Any]) -> None:
    vars(thing).clear()
    vars(thing).update(values)


def _fill(cell: types.CellType, value: Any) -> None:
    if value is not _Absent:
        cell.cell_contents = value
