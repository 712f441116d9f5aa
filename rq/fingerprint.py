"""The state of any Python object as one value that can be compared: what it holds, and what is shared inside.

Two queues with equal fingerprints behave alike from here on, as long as their behaviour depends on
nothing else. What cannot be looked into (a generator, a socket) raises Incomparable; it is never
passed over.
"""

from __future__ import annotations

import logging
import re
import sys
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Hashable, Iterable
from enum import Enum
from functools import cache
from itertools import count
from threading import Lock, RLock
from types import (
    BuiltinFunctionType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any, NamedTuple

_VALUES = (str, int, type(None))
_OTHER_VALUES = (bool, float, complex, bytes, range, type(Ellipsis), type(NotImplemented))
_FIXED = (ModuleType, Enum, logging.Logger, re.Pattern)
"""Objects that stand for themselves: a queue does not keep its jobs in them."""
_HIDING = ("__reduce__", "__reduce_ex__", "__getstate__", "__getnewargs__", "__getnewargs_ex__")
"""Methods with which a class may say less of its state than there is."""
_UNSET = NotImplemented
"""Stands for a slot or a cell that has no value yet."""


class Incomparable(Exception):
    """An object whose state cannot be read. The message names its class."""


def fingerprint(*roots: Any) -> Hashable:
    """The state of the given objects, one hashable value. Raises Incomparable."""
    try:
        return tuple(map(_Walk().visit, roots))
    except RecursionError:
        raise Incomparable("a chain of objects too long to follow") from None


class _Walk:
    """One pass over the objects reachable from some roots; a mutable object met again gets its number."""

    def __init__(self) -> None:
        self.numbers: dict[int, int] = {}
        self.alive: list[Any] = []  # temporary objects must live on, or their ids would be used again

    def visit(self, value: Any) -> Hashable:
        kind: Any = type(value)
        if kind in _VALUES:
            return value  # type: ignore[no-any-return]
        if kind in _OTHER_VALUES:
            return kind, repr(value)
        if kind is tuple:
            return (tuple, *map(self.visit, value))
        if issubclass(kind, _FIXED) or (issubclass(kind, type) and _has_a_home(value)):
            return kind, id(value)
        number = self.numbers.get(id(value))
        if number is not None:
            return "again", number
        self.numbers[id(value)] = len(self.numbers)
        self.alive.append(value)
        read = _READERS.get(kind)
        if read:
            return (kind, *read(self, value))
        if issubclass(kind, type):
            return "class", value.__qualname__, self.visit(value.__bases__), self.pairs(_class_body(value))
        return (kind if _has_a_home(kind) else self.visit(kind), *self._object(value, kind))

    def items(self, values: Iterable[Any]) -> tuple[Hashable, ...]:
        return tuple(map(self.visit, values))

    def pairs(self, mapping: dict[Any, Any]) -> tuple[Hashable, ...]:
        visit = self.visit
        return tuple([(visit(key), visit(value)) for key, value in dict.items(mapping)])

    def unordered(self, values: Iterable[Any]) -> tuple[Hashable, ...]:
        """A set: as a list in an order that its members' own states decide, since it decides the numbers, too."""
        return self.items(sorted(values, key=lambda value: repr(fingerprint(value))))

    def _object(self, value: Any, kind: Any) -> tuple[Hashable, ...]:
        """Any other object: by its attributes, slots and contents, or by what copying it would copy."""
        shape = _shape(kind)
        if shape is None:
            return self._copied(value, kind)
        parts: list[Hashable] = []
        if shape.has_dict:
            parts.append(self.pairs(object.__getattribute__(value, "__dict__")))
        for slot in shape.slots:
            try:
                parts.append(self.visit(slot.__get__(value)))
            except AttributeError:
                parts.append(_UNSET)
        if shape.contents:
            parts.append(shape.contents(self, value))
        return tuple(parts)

    def _copied(self, value: Any, kind: Any) -> tuple[Hashable, ...]:
        for name in _HIDING:
            if isinstance(getattr(kind, name, None), FunctionType):
                raise Incomparable(kind.__qualname__)
        try:
            reduced: Any = object.__reduce_ex__(value, 4)
        except Exception as error:
            raise Incomparable(kind.__qualname__) from error
        if isinstance(reduced, str):  # a mere name, such as that of a function with a cache
            raise Incomparable(kind.__qualname__)
        _, arguments, state, in_list, in_dict = [*reduced, None, None, None][:5]
        parts = [arguments, state, list(in_list or ()), list(in_dict or ())]
        self.alive.append(parts)
        return self.items(parts)


class _Shape(NamedTuple):
    """Where the objects of a class keep their state."""

    has_dict: bool
    slots: tuple[MemberDescriptorType, ...]
    contents: Callable[[_Walk, Any], Hashable] | None


_POINTER = object.__basicsize__ // 2
_HAS_MANAGED_DICT = 1 << 4  # Py_TPFLAGS_MANAGED_DICT, of a class made by a class statement

_CONTENTS: dict[type, Callable[[_Walk, Any], Any]] = {
    list: lambda walk, value: walk.items(list.__iter__(value)),
    tuple: lambda walk, value: walk.items(tuple.__iter__(value)),
    OrderedDict: lambda walk, value: tuple((walk.visit(k), walk.visit(v)) for k, v in OrderedDict.items(value)),
    defaultdict: lambda walk, value: (walk.visit(value.default_factory), *walk.pairs(value)),
    dict: lambda walk, value: walk.pairs(value),
    set: lambda walk, value: walk.unordered(set.__iter__(value)),
    frozenset: lambda walk, value: walk.unordered(frozenset.__iter__(value)),
    deque: lambda walk, value: (value.maxlen, *walk.items(deque.__iter__(value))),
    str: lambda _, value: str.__str__(value),
    int: lambda _, value: int.__int__(value),
    float: lambda _, value: float.__repr__(value),
    bytes: lambda _, value: bytes.__repr__(value),
}
"""How to read what is inside an object of a subclass, whatever methods the subclass has."""


@cache
def _shape(kind: Any) -> _Shape | None:
    """The shape of a class written in Python; None if some other base keeps state of its own, out of sight."""
    base: Any = next((base for base in _CONTENTS if issubclass(kind, base)), object)
    slots = tuple(m for each in kind.__mro__ for m in vars(each).values() if isinstance(m, MemberDescriptorType))
    managed = bool(kind.__flags__ & _HAS_MANAGED_DICT)
    if not managed and not kind.__dictoffset__ and not any("__slots__" in vars(each) for each in kind.__mro__):
        return None  # not made by a class statement
    room = base.__basicsize__ + _POINTER * (
        len(slots) + (kind.__weakrefoffset__ > 0) + (not managed and kind.__dictoffset__ != 0)
    )
    if kind.__basicsize__ > room or (kind.__itemsize__ and kind.__itemsize__ != base.__itemsize__):
        return None
    has_dict = managed or kind.__dictoffset__ != 0
    return _Shape(has_dict, slots, _CONTENTS.get(base))


@cache
def _has_a_home(kind: Any) -> bool:
    """Is this class the one its module knows by its name? Others are made while the program runs, each anew."""
    found: Any = sys.modules.get(kind.__module__)
    for name in kind.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is kind or kind.__module__ == "builtins"


def _class_body(kind: type) -> dict[str, Any]:
    """The attributes of a class, less what Python itself puts there."""
    hidden = (GetSetDescriptorType, MemberDescriptorType, WrapperDescriptorType)
    items = vars(kind).items()
    return {name: value for name, value in items if not isinstance(value, hidden) and not name.startswith("_abc_")}


def _read_function(walk: _Walk, function: FunctionType) -> tuple[Hashable, ...]:
    cells = []
    for cell in function.__closure__ or ():
        try:
            cells.append(cell.cell_contents)
        except ValueError:
            cells.append(_UNSET)
    parts = [function.__defaults__, function.__kwdefaults__, cells, function.__dict__]
    walk.alive.append(parts)
    return function.__code__, *walk.items(parts)


def _read_builtin(walk: _Walk, function: BuiltinFunctionType) -> tuple[Hashable, ...]:
    owner = function.__self__
    return function.__name__, None if isinstance(owner, ModuleType) else walk.visit(owner)


_READERS: dict[type, Callable[[_Walk, Any], tuple[Hashable, ...]]] = {
    **{kind: _CONTENTS[kind] for kind in (list, deque, dict, defaultdict, set, frozenset)},
    OrderedDict: lambda walk, mapping: (walk.pairs(mapping), walk.pairs(mapping.__dict__)),
    FunctionType: _read_function,
    MethodType: lambda walk, method: walk.items([method.__func__, method.__self__]),
    BuiltinFunctionType: _read_builtin,
    staticmethod: lambda walk, method: walk.items([method.__func__]),
    classmethod: lambda walk, method: walk.items([method.__func__]),
    property: lambda walk, made: walk.items([made.fget, made.fset, made.fdel]),
    count: lambda _, counter: (repr(counter),),
    type(Lock()): lambda _, lock: (lock.locked(),),
    type(RLock()): lambda _, lock: (re.sub(r" at 0x\w+", "", repr(lock)),),
}
"""How to read an object of exactly this class."""
