"""The state of any Python object as one value that can be compared: what it holds, and what is shared inside.

Two queues with equal fingerprints behave alike from here on, as long as their behaviour depends on
nothing else. What cannot be looked into (a generator, a socket) raises Incomparable; it is never
passed over.
"""

from __future__ import annotations

import copyreg
import logging
import re
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Hashable, Iterable
from enum import Enum
from functools import cache
from itertools import count
from threading import Lock
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

_VALUES = (str, int, type(None))
_OTHER_VALUES = (bool, float, complex, bytes, range, type(Ellipsis), type(NotImplemented))
_FIXED = (type, ModuleType, Enum, logging.Logger, re.Pattern)
"""Objects that stand for themselves: a queue does not keep its jobs in them."""
_HIDING = ("__reduce__", "__reduce_ex__", "__getstate__", "__getnewargs__", "__getnewargs_ex__")
"""Methods with which a class may say less of its state than there is."""


class Incomparable(Exception):
    """An object whose state cannot be read. The message names its class."""


def fingerprint(*roots: Any) -> Hashable:
    """The state of the given objects, one hashable value. Raises Incomparable."""
    return tuple(map(_Walk().visit, roots))


class _Walk:
    """One pass over the objects reachable from some roots; a mutable object met again gets its number."""

    def __init__(self) -> None:
        self.numbers: dict[int, int] = {}
        self.alive: list[Any] = []  # temporary objects must live on, or their ids would be used again

    def visit(self, value: Any) -> Hashable:
        kind = type(value)
        if kind in _VALUES:
            return value  # type: ignore[no-any-return]
        if kind in _OTHER_VALUES:
            return kind, repr(value)
        if kind is tuple:
            return (tuple, *map(self.visit, value))
        if isinstance(value, _FIXED):
            return kind, id(value)
        number = self.numbers.get(id(value))
        if number is not None:
            return "again", number
        self.numbers[id(value)] = len(self.numbers)
        self.alive.append(value)
        read = _READERS.get(kind)
        return (kind, *(read(self, value) if read else self._object(value)))

    def items(self, values: Iterable[Any]) -> tuple[Hashable, ...]:
        return tuple(map(self.visit, values))

    def pairs(self, mapping: dict[Any, Any]) -> tuple[Hashable, ...]:
        visit = self.visit
        return tuple([(visit(key), visit(value)) for key, value in mapping.items()])

    def unordered(self, values: Iterable[Any]) -> tuple[Hashable, ...]:
        return tuple(sorted(map(self.visit, values), key=repr))

    def _object(self, value: Any) -> tuple[Hashable, ...]:
        """Any other object: a plain one by its attributes, the rest by what copying it would copy."""
        kind: Any = type(value)
        if _is_plain(kind):
            return self.pairs(value.__dict__)
        slots = _slots(kind)
        if slots:
            return self.items([getattr(value, slot, _UNSET) for slot in slots])
        for name in _HIDING:
            method = getattr(kind, name, None)
            if isinstance(method, FunctionType) and method.__module__ not in ("dataclasses", "collections"):
                raise Incomparable(kind.__qualname__)
        try:
            reduced: Any = object.__reduce_ex__(value, 4)
        except (TypeError, ValueError) as error:
            raise Incomparable(kind.__qualname__) from error
        if isinstance(reduced, str):  # a mere name, such as that of a function with a cache
            raise Incomparable(kind.__qualname__)
        _, arguments, state, in_list, in_dict = [*reduced, None, None, None][:5]
        parts = [arguments, state, list(in_list or ()), list(in_dict or ())]
        self.alive.append(parts)
        return self.items(parts)


_POINTER = object.__basicsize__ // 2
_HAS_MANAGED_DICT = 1 << 4  # Py_TPFLAGS_MANAGED_DICT: made by a class statement
_ROOM = object.__basicsize__ + _POINTER  # of such a class without slots: at most a weak reference more


@cache
def _is_plain(kind: type) -> bool:
    """Is all the state of such an object in its `__dict__`? True of most classes a learner writes."""
    return (
        bool(kind.__flags__ & _HAS_MANAGED_DICT)
        and kind.__basicsize__ <= _ROOM
        and not any(vars(base).get("__slots__") for base in kind.__mro__)
    )


_UNSET = NotImplemented
"""Stands for a slot that has no value yet."""


@cache
def _slots(kind: type) -> tuple[str, ...]:
    """The slots of a class that keeps all its state in them, or nothing."""
    names: tuple[str, ...] = tuple(copyreg._slotnames(kind))  # type: ignore[attr-defined]
    return names if kind.__basicsize__ == object.__basicsize__ + len(names) * _POINTER else ()


def _read_function(walk: _Walk, function: FunctionType) -> tuple[Hashable, ...]:
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    return function.__code__, *walk.items([function.__defaults__, function.__kwdefaults__, cells])


def _read_builtin(walk: _Walk, function: BuiltinFunctionType) -> tuple[Hashable, ...]:
    owner = function.__self__
    return function.__name__, None if isinstance(owner, ModuleType) else walk.visit(owner)


_READERS: dict[type, Callable[[_Walk, Any], tuple[Hashable, ...]]] = {
    list: _Walk.items,
    deque: lambda walk, queue: (queue.maxlen, *walk.items(queue)),
    dict: _Walk.pairs,
    OrderedDict: _Walk.pairs,
    defaultdict: lambda walk, mapping: (walk.visit(mapping.default_factory), *walk.pairs(mapping)),
    set: _Walk.unordered,
    frozenset: _Walk.unordered,
    FunctionType: _read_function,
    MethodType: lambda walk, method: walk.items([method.__func__, method.__self__]),
    BuiltinFunctionType: _read_builtin,
    count: lambda _, counter: (repr(counter),),
    type(Lock()): lambda _, lock: (lock.locked(),),
}
"""How to read an object of exactly this class."""
