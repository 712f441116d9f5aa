"""fingerprint(): equal states are equal, and different ones differ."""

import collections
import functools
import itertools
import queue
import threading
from copy import deepcopy
from dataclasses import dataclass
from enum import Enum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rq import Job, Queue
from rq.fingerprint import fingerprint


class Plain:
    def __init__(self, value):
        self.value = value


class Slotted:
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value


class PrivateSlot:
    __slots__ = ("__value",)

    def __init__(self, value):
        self.__value = value


class SlotBelow(Slotted):
    pass


class SlotAndDict:
    __slots__ = ("__dict__", "slot")

    def __init__(self, value):
        self.slot = 0
        self.value = value


@dataclass
class Record:
    value: object


@dataclass(frozen=True)
class FrozenRecord:
    value: object


@dataclass(slots=True)
class SlottedRecord:
    value: object


def added_later(value):
    thing = Plain(0)
    thing.later = value
    return thing


def closure(value):
    return lambda: value


def default(value):
    return lambda given=value: given


def function_with_attribute(value):
    def function():
        return function.value

    function.value = value
    return function


def subclass(base):
    """A way to keep a value in an attribute of an object of a subclass of `base`."""
    kind = type(f"A_{base.__name__}", (base,), {})

    def keep(value):
        thing = kind()
        thing.value = value
        return thing

    return keep


def filled(base):
    """A way to keep a value inside an object of a subclass of `base`."""
    kind = type(f"My_{base.__name__}", (base,), {})
    return lambda value: kind([value])


def queue_of(kind):
    def keep(value):
        line = kind()
        line.put(value)
        return line

    return keep


def held_lock(value):
    lock = threading.Lock()
    if value:
        lock.acquire()
    return lock


KEEPERS = {
    "list": lambda value: [value],
    "tuple": lambda value: (value,),
    "set": lambda value: {value},
    "frozenset": lambda value: frozenset({value}),
    "dict value": lambda value: {"key": value},
    "dict key": lambda value: {value: "value"},
    "deque": lambda value: collections.deque([value]),
    "deque with a limit": lambda value: collections.deque(maxlen=value + 1),
    "OrderedDict": lambda value: collections.OrderedDict(key=value),
    "defaultdict": lambda value: collections.defaultdict(list, key=value),
    "Counter": lambda value: collections.Counter(key=value),
    "ChainMap": lambda value: collections.ChainMap({"key": value}),
    "UserDict": lambda value: collections.UserDict(key=value),
    "bytearray": lambda value: bytearray([value]),
    "Job": lambda value: Job("a", "A", value),
    "plain": Plain,
    "plain inside plain": lambda value: Plain(Plain(value)),
    "an attribute added later": added_later,
    "slots": Slotted,
    "a private slot": PrivateSlot,
    "a class below one with slots": SlotBelow,
    "a slot and a __dict__": SlotAndDict,
    "dataclass": Record,
    "frozen dataclass": FrozenRecord,
    "slotted dataclass": SlottedRecord,
    "closure": closure,
    "default argument": default,
    "function attribute": function_with_attribute,
    "bound method": lambda value: Plain(value).__init__,
    "bound builtin": lambda value: [value].append,
    "partial": lambda value: functools.partial(print, value),
    "list iterator": lambda value: iter([value]),
    "counter": lambda value: itertools.count(value),
    "cycle": lambda value: itertools.cycle([value]),
    "queue.Queue": queue_of(queue.Queue),
    "queue.PriorityQueue": queue_of(queue.PriorityQueue),
    "Lock": held_lock,
    **{
        f"inside a {base.__name__}": filled(base) for base in (list, set, tuple, collections.deque, collections.Counter)
    },
    **{
        f"attribute of a {base.__name__}": subclass(base)
        for base in (list, dict, set, collections.deque, collections.OrderedDict, collections.Counter, Exception)
    },
    "attribute of a defaultdict": subclass(collections.defaultdict),
}


@pytest.mark.parametrize("keep", KEEPERS.values(), ids=KEEPERS)
def test_equal_states_are_equal_and_different_ones_differ(keep):
    assert fingerprint(keep(1)) == fingerprint(keep(1))
    assert fingerprint(keep(1)) != fingerprint(keep(0))
    hash(fingerprint(keep(1)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True),
        (0, False),
        (1, 1.0),
        (0.0, -0.0),
        ("1", 1),
        (b"a", "a"),
        (None, False),
        ([1], (1,)),
        ([], ()),
        ({}, []),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ([1, 2], [2, 1]),
        (Plain(1), Record(1)),
        (Job("a", "A", 1), ("a", "A", 1)),
        (Job("a", "A", 1), Job("a", "A", True)),
        (["again", 0], [["again", 0]]),
    ],
)
def test_what_only_looks_alike_differs(one, other):
    assert fingerprint([one]) != fingerprint([other])


def test_the_order_of_a_set_does_not_count():
    assert fingerprint({"a", "b", "c"}) == fingerprint({"c", "b", "a"})


def test_one_object_in_two_places_differs_from_two_equal_objects():
    one, other = Plain(1), Plain(1)
    assert fingerprint([one, one]) != fingerprint([one, other])
    assert fingerprint({"a": one}, [one]) != fingerprint({"a": one}, [other])


def test_a_loop_is_read_to_its_end():
    loop = [1]
    loop.append(loop)
    other = deepcopy(loop)
    assert fingerprint(loop) == fingerprint(other)
    other[0] = 2
    assert fingerprint(loop) != fingerprint(other)


def test_a_right_queue_is_told_apart_by_every_call():
    mine, yours = Queue(2), Queue(2)
    for name, *arguments in [("enqueue", "a", "A"), ("reserve",), ("retry", "a", 1), ("cancel", "a")]:
        getattr(mine, name)(*arguments)
        assert fingerprint(mine) != fingerprint(yours)
        getattr(yours, name)(*arguments)
        assert fingerprint(mine) == fingerprint(yours)


def test_a_member_of_an_enum_stands_for_itself():
    phase = Enum("phase", "WAITING FLYING")
    assert fingerprint(phase.WAITING) == fingerprint(phase.WAITING) != fingerprint(phase.FLYING)


values = st.recursive(
    st.sampled_from([None, True, False, 0, 1, "", "a", 0.0, b""]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=2).map(tuple),
        st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
        st.sets(st.sampled_from("abc")),
        inner.map(Plain),
    ),
    max_leaves=5,
)


def structure(value) -> str:
    """The deep structure as text, written without a look at fingerprint()."""
    match value:
        case list() | tuple():
            return f"{type(value).__name__}({', '.join(map(structure, value))})"
        case dict():
            return f"dict({', '.join(f'{key}: {structure(item)}' for key, item in value.items())})"
        case set():
            return f"set{sorted(value)}"
        case Plain():
            return f"Plain({structure(value.value)})"
    return repr(value)


@given(values, values)
def test_fingerprints_are_equal_exactly_if_the_structures_are(one, other):
    assert fingerprint(one) == fingerprint(deepcopy(one))
    assert (fingerprint(one) == fingerprint(other)) == (structure(one) == structure(other))
