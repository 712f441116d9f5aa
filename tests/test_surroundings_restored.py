"""After a check the user's own objects are back, the very same and unchanged; what is no state is left alone."""

import dataclasses
import threading
from dataclasses import MISSING as NO_DEFAULT
from logging import getLogger

import pytest

from rq import Queue, check
from rq.surroundings import Surroundings
from rq.worlds import World

WORLD = World("small", 1, (("a", "A"),), (1,))
LOGGER = getLogger("test")
LOCK = threading.Lock()

number = 0
line = [[], "the user's own"]


class Shares(Queue):
    jobs: list = []  # noqa: RUF012
    counts = {"calls": 0}  # noqa: RUF012

    def enqueue(self, id, payload, log=[]):  # noqa: B006
        global number
        number += 1
        log.append(id)
        line[0].append(id)
        self.jobs.append(id)
        self.counts["calls"] += 1
        return super().enqueue(id, payload)


def test_after_a_check_the_very_objects_are_back_and_unchanged():
    def objects():
        return [Shares.jobs, Shares.counts, Shares.enqueue.__defaults__, Shares.enqueue.__defaults__[0], line, line[0]]

    before, contents, names = objects(), repr((objects(), number)), list(vars(Shares))
    check(Shares, [WORLD], limit=60)
    assert all(one is other for one, other in zip(objects(), before, strict=True))
    assert repr((objects(), number)) == contents
    assert list(vars(Shares)) == names


def test_they_are_back_after_an_interrupted_check():
    class Interrupts(Shares):
        def reserve(self):
            raise KeyboardInterrupt

    before = Shares.jobs
    assert check(Interrupts, [WORLD]).interrupted
    assert Shares.jobs is before == []


MISSING = object()


@dataclasses.dataclass
class Item:
    payload: str


class UsesSentinels(Queue):
    def enqueue(self, id, payload, extra=MISSING):
        assert extra is MISSING
        LOGGER.debug("enqueue")
        with LOCK:
            return super().enqueue(id, payload)


class UsesALibrarySentinel(Queue):
    def enqueue(self, id, payload):
        from_library = dataclasses.fields(Item)[0].default is dataclasses.MISSING
        return super().enqueue(id, payload) if from_library else None


class UsesAnImportedSentinel(Queue):
    def enqueue(self, id, payload):
        from_library = dataclasses.fields(Item)[0].default is NO_DEFAULT
        return super().enqueue(id, payload) if from_library else None


@pytest.mark.parametrize("kind", [UsesSentinels, UsesALibrarySentinel, UsesAnImportedSentinel])
def test_sentinels_and_library_objects_stay_themselves(kind):
    before = (MISSING, LOGGER, LOCK, dataclasses.MISSING)
    report = check(kind, [WORLD])
    assert report.conforms, report.summary
    assert all(one is other for one, other in zip((MISSING, LOGGER, LOCK, dataclasses.MISSING), before, strict=True))


waiting = (number for number in range(3))  # a global of the user that only shares its name with an attribute


class HasAnAttributeOfThatName(Queue):
    def __init__(self, capacity):
        super().__init__(capacity)
        self.waiting = []


def test_a_global_that_shares_its_name_with_an_attribute_is_no_state_of_the_queue():
    assert check(HasAnAttributeOfThatName, [WORLD]).exhaustive


def test_code_of_python_and_of_this_project_is_no_place():
    assert Surroundings(Queue).values == []
    assert Surroundings(dict).values == []
    assert Surroundings(print).values == []
