"""Two sequences are merged only if the queue's own state is equal, wherever the queue keeps it.

Each queue here is right until its third refused call, which it counts in some hidden place. Whoever
merges states that only look alike never makes that call, and calls the queue right.
"""

import collections
import functools
import itertools
from enum import Enum

import pytest

from rq import Queue, check
from rq.worlds import World

WORLD = World("small", 1, (("a", "A"),), (1,), verbs=("enqueue", "reserve", "ack"))
SHORTEST = 3

class_tally = collections.Counter()
global_count = 0


class Box:
    """An object that holds a number."""

    count = 0

    def bump(self):
        self.count += 1
        return self.count


class BareSlots:
    __slots__ = ("__dict__", "slot")


class CountingDict(collections.defaultdict):
    count = 0


class CountingCounter(collections.Counter):
    count = 0


class HidingList(list):
    def __iter__(self):
        return iter(())


class HidingDict(dict):
    def items(self):
        return ()


class Tally(Queue):
    """Right, but for one answer: the third refused ack is accepted."""

    def __init__(self, capacity):
        super().__init__(capacity)
        self.prepare()

    def prepare(self):
        pass

    def ack(self, id, attempt):
        return super().ack(id, attempt) or self.bump() == SHORTEST


class InAttribute(Tally):
    def prepare(self):
        self.count = 0

    def bump(self):
        self.count += 1
        return self.count


class InAttributeAddedLater(Tally):
    def bump(self):
        self.__dict__["late"] = self.__dict__.get("late", 0) + 1
        return self.late


class InLog(Tally):
    def prepare(self):
        self.log = []

    def bump(self):
        self.log.append("refused")
        return len(self.log)


class InClosure(Tally):
    def prepare(self):
        count = 0

        def bump():
            nonlocal count
            count += 1
            return count

        self.bump = bump


class InFunctionAttribute(Tally):
    def prepare(self):
        def bump():
            bump.count += 1
            return bump.count

        bump.count = 0
        self.bump = bump


class InGenerator(Tally):
    def prepare(self):
        self.numbers = (number for number in range(1, 100))

    def bump(self):
        return next(self.numbers)


class InCount(Tally):
    def prepare(self):
        self.bump = itertools.count(1).__next__


class InListIterator(Tally):
    def prepare(self):
        self.numbers = iter([1, 2, 3, 4, 5])

    def bump(self):
        return next(self.numbers, 9)


class InPartial(Tally):
    def prepare(self):
        self.bump = functools.partial(Box.bump, Box())


class InHeldObject(Tally):
    def prepare(self):
        self.box = Box()

    def bump(self):
        return self.box.bump()


class InObjectWithSlots(Tally):
    def prepare(self):
        self.box = BareSlots()

    def bump(self):
        self.box.count = getattr(self.box, "count", 0) + 1
        return self.box.count


class InDefaultDict(Tally):
    def prepare(self):
        self.jobs = CountingDict(list)

    def bump(self):
        self.jobs.count += 1
        return self.jobs.count


class InCounter(Tally):
    def prepare(self):
        self.jobs = CountingCounter()

    def bump(self):
        self.jobs.count += 1
        return self.jobs.count


class InHidingList(Tally):
    def prepare(self):
        self.jobs = HidingList()

    def bump(self):
        self.jobs.append(1)
        return len(self.jobs)


class InHidingDict(Tally):
    def prepare(self):
        self.jobs = HidingDict()

    def bump(self):
        self.jobs[len(self.jobs)] = 1
        return len(self.jobs)


class InClassAttribute(Tally):
    count = 0

    def bump(self):
        InClassAttribute.count += 1
        return self.count


class InGlobal(Tally):
    def bump(self):
        global global_count
        global_count += 1
        return global_count


class InGlobalCounter(Tally):
    def bump(self):
        class_tally["refused"] += 1
        return class_tally["refused"]


class InDefaultArgument(Tally):
    def bump(self, log=[]):  # noqa: B006
        log.append(1)
        return len(log)


class Phase(Enum):
    OPEN = "open"


class InEnumMember(Tally):
    def bump(self):
        Phase.OPEN.count = getattr(Phase.OPEN, "count", 0) + 1
        return Phase.OPEN.count


class InCache(Tally):
    @functools.lru_cache(None)  # noqa: B019
    def size(self, number):
        return number

    def bump(self):
        count = self.size.cache_info().currsize
        self.size(count)
        return count + 1


def counted(function):
    @functools.wraps(function)
    def wrapper(self):
        wrapper.calls += 1
        return wrapper.calls

    wrapper.calls = 0
    return wrapper


class InDecorator(Tally):
    @counted
    def bump(self):
        raise NotImplementedError


class InClassOfItsOwn(Tally):
    def prepare(self):
        self.kind = type("Kind", (), {"count": 0})

    def bump(self):
        self.kind.count += 1
        return self.kind.count


class Meta(type):
    count = 0

    def bump_all(cls):
        Meta.count += 1
        return Meta.count


class InMetaclass(Tally, metaclass=Meta):
    def bump(self):
        return type(self).bump_all()


KINDS = [kind for kind in list(globals().values()) if isinstance(kind, type) and kind in Tally.__subclasses__()]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_fault_that_depends_on_hidden_state_is_found_at_its_shortest_length(kind):
    report = check(kind, [WORLD], limit=2_000)
    assert not report.conforms
    assert not report.exhaustive
    assert report.difference.ops == (("ack", "a", 1),) * SHORTEST
    assert report.difference.returned == [False, False, True]
    assert report.notes == () or "cannot be compared" in " ".join(report.notes)


@pytest.mark.parametrize("kind", [InAttribute, InLog, InClosure, InGenerator, InCount], ids=lambda kind: kind.__name__)
def test_a_right_queue_that_only_counts_is_never_called_exhausted(kind):
    right = type("Right", (kind,), {"ack": lambda self, id, attempt: Queue.ack(self, id, attempt) or self.bump() < 0})
    report = check(right, [WORLD], limit=500)
    assert report.conforms
    assert not report.exhaustive
    assert not report.results[0].complete
    assert "not every sequence could be tried" in report.summary
