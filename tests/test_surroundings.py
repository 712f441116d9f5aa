"""Surroundings: what a class keeps outside its objects is found, and put back before each sequence."""

import functools

import pytest

from rq.fingerprint import fingerprint
from rq.surroundings import Surroundings

store = {"jobs": []}
number = 0
tuple_with_a_list = ([], 1)


class InClass:
    jobs: list = []  # noqa: RUF012  # the fault that is wanted

    def keep(self):
        self.jobs.append(1)
        return len(self.jobs)


class InDefault:
    def keep(self, jobs=[]):  # noqa: B006
        jobs.append(1)
        return len(jobs)


class InKeywordDefault:
    def keep(self, *, jobs=[]):  # noqa: B006
        jobs.append(1)
        return len(jobs)


class InGlobal:
    def keep(self):
        store["jobs"].append(1)
        return len(store["jobs"])


class InGlobalNumber:
    def keep(self):
        global number
        number += 1
        return number


class InGlobalThatComesLater:
    def keep(self):
        global comes_later
        try:
            comes_later += 1
        except NameError:
            comes_later = 1
        return comes_later


class InClassAttributeThatComesLater:
    def keep(self):
        type(self).count = getattr(type(self), "count", 0) + 1
        return self.count


class InTuple:
    def keep(self):
        tuple_with_a_list[0].append(1)
        return len(tuple_with_a_list[0])


class InHelperClass:
    class Line:
        total = 0

    def keep(self):
        self.Line.total += 1
        return self.Line.total


def helper(jobs=[]):  # noqa: B006
    jobs.append(1)
    return len(jobs)


class InHelperFunction:
    def keep(self):
        return helper()


def tally():
    tally.count += 1
    return tally.count


tally.count = 0


class InFunctionAttribute:
    def keep(self):
        return tally()


class Base:
    jobs: list = []  # noqa: RUF012


class InBase(Base):
    def keep(self):
        self.jobs.append(1)
        return len(self.jobs)


class InClassMethod:
    jobs: list = []  # noqa: RUF012

    @classmethod
    def keep(cls):
        cls.jobs.append(1)
        return len(cls.jobs)


class InStaticMethod:
    @staticmethod
    def keep(jobs=[]):  # noqa: B006
        jobs.append(1)
        return len(jobs)


class InProperty:
    @property
    def count(self, jobs=[]):  # noqa: B006
        jobs.append(1)
        return len(jobs)

    def keep(self):
        return self.count


class Store:
    total = 0

    def put(self):
        type(self).total += 1
        return self.total


the_store = Store()


class InClassOfAGlobalObject:
    def keep(self):
        return the_store.put()


HANDLERS = {"keep": helper}


class InFunctionOfATable:
    def keep(self):
        return HANDLERS["keep"]()


class Field:
    def __init__(self):
        self.count = 0

    def __get__(self, owner, kind=None):
        return self if owner is None else self.count

    def __set__(self, owner, value):
        self.count = value


class InDescriptor:
    count = Field()

    def keep(self):
        self.count = self.count + 1
        return self.count


class Meta(type):
    total = 0

    def bump(cls):
        Meta.total += 1
        return Meta.total


class InMetaclass(metaclass=Meta):
    def keep(self):
        return type(self).bump()


def in_closure():
    jobs, count = [], 0

    class InClosure:
        def keep(self):
            nonlocal count
            count += 1
            jobs.append(1)
            return max(count, len(jobs))

    return InClosure


def in_decorator():
    def counted(function):
        @functools.wraps(function)
        def wrapper(self):
            wrapper.calls += 1
            return wrapper.calls

        wrapper.calls = 0
        return wrapper

    class InDecorator:
        @counted
        def keep(self):
            return None

    return InDecorator


PLACES = [
    InClass,
    InDefault,
    InKeywordDefault,
    InGlobal,
    InGlobalNumber,
    InGlobalThatComesLater,
    InClassAttributeThatComesLater,
    InTuple,
    InHelperClass,
    InHelperFunction,
    InFunctionAttribute,
    InBase,
    InClassMethod,
    InStaticMethod,
    InProperty,
    InClassOfAGlobalObject,
    InFunctionOfATable,
    InDescriptor,
    InMetaclass,
    in_closure(),
    in_decorator(),
]
each_place = pytest.mark.parametrize("kind", PLACES, ids=lambda kind: kind.__name__)


@each_place
def test_a_reset_brings_back_what_was_there_at_first(kind):
    surroundings = Surroundings(kind)
    try:
        for _ in range(2):
            surroundings.reset()
            assert [kind().keep() for _ in range(3)] == [1, 2, 3]
    finally:
        surroundings.restore()
    once_more = Surroundings(kind)
    once_more.reset()
    try:
        assert kind().keep() == 1  # nothing was left behind
    finally:
        once_more.restore()


@each_place
def test_a_change_shows_in_the_values(kind):
    surroundings = Surroundings(kind)
    surroundings.reset()
    before = fingerprint(surroundings.values)
    kind().keep()
    after = fingerprint(surroundings.values)
    surroundings.restore()
    assert after != before


def test_a_class_made_by_partial_is_found_as_well():
    made = functools.partial(InClass)
    surroundings = Surroundings(made)
    try:
        for _ in range(2):
            surroundings.reset()
            assert made().keep() == 1
    finally:
        InClass.jobs.clear()
        surroundings.restore()
