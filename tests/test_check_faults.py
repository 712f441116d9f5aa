"""check() on queues that go wrong in every way: one sentence for each, and the kernel survives."""

import pytest

from rq import Queue, Rule, check
from rq.answers import Hung
from rq.broken import GALLERY
from rq.worlds import DEFAULT_WORLDS, World

TINY = World("tiny", 1, (("a", "A"),), (1, 2))
SMALL = World("small", 1, (("a", "A"), ("b", "B")), (0, 1, 2))
LINE = World("line", 2, (("a", "A"), ("b", "B"), ("c", "C")), (1,), in_order=True)
TWO = World("two", 1, (("a", "A"),), (1,), queues=2)


# Shared state


class SharedInClass(Queue):
    accepted: dict = {}  # noqa: RUF012

    def __init__(self, capacity):
        super().__init__(capacity)
        self._accepted = self.accepted


class SharedInDefault(Queue):
    def __init__(self, capacity, accepted={}):  # noqa: B006
        super().__init__(capacity)
        self._accepted = accepted


everything: dict = {}


class SharedInGlobal(Queue):
    def __init__(self, capacity):
        super().__init__(capacity)
        self._accepted = everything


class OnlyOne(Queue):
    made = None

    def __new__(cls, capacity):
        if cls.made is None:
            cls.made = super().__new__(cls)
            Queue.__init__(cls.made, capacity)
        return cls.made

    def __init__(self, capacity):
        pass


@pytest.mark.parametrize("kind", [SharedInClass, SharedInDefault, SharedInGlobal, OnlyOne])
@pytest.mark.parametrize("worlds", [[TWO], [TINY, TWO], DEFAULT_WORLDS], ids=["two", "tiny and two", "default"])
def test_shared_state_is_shown_by_a_second_queue(kind, worlds):
    report = check(kind, worlds)
    assert ("new",) in report.difference.ops
    assert len(report.difference.ops) == 3
    assert report.rule is Rule.N1
    assert report.notes == ()
    assert kind(2).enqueue("a", "A") is True  # nothing was left behind
    everything.clear()
    SharedInClass.accepted.clear()
    SharedInDefault.__init__.__defaults__[0].clear()
    OnlyOne.made = None


# Ways to go wrong


class Empty:
    pass


class Lacks:
    def __init__(self, capacity):
        self._queue = Queue(capacity)

    def __getattr__(self, name):
        if name in ("_queue", "cancel"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(self._queue, name)


class OneParameterLess(Queue):
    def enqueue(self, id):
        return True


class PropertyForMethod(Queue):
    reserve = None


class Exits(Queue):
    def reserve(self):
        raise SystemExit(1)


class RefusesToBeMade(Queue):
    def __init__(self, capacity):
        if capacity:
            raise ValueError("no room")


class PrintsAndAsks(Queue):
    def reserve(self):
        print("reserving")
        input("which? ")


class Hangs(Queue):
    def reserve(self):
        while True:
            pass


class AnswersOne(Queue):
    def enqueue(self, id, payload):
        return int(super().enqueue(id, payload))


class AnswersFalse(Queue):
    def reserve(self):
        return super().reserve() or False


class AttemptIsTrue(Queue):
    def reserve(self):
        job = super().reserve()
        return job and (job.id, job.payload, True if job.attempt == 1 else job.attempt)


class Coroutine(Queue):
    async def reserve(self):
        return super().reserve()


class Mutates(Queue):
    def snapshot(self):
        raise RuntimeError("not today")

    def __repr__(self):
        raise RuntimeError("no repr")

    def reserve(self):
        return self


@pytest.mark.filterwarnings("ignore:coroutine")
@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (Empty, "cannot be made"),
        (Lacks, "there is no method cancel"),
        (OneParameterLess, "TypeError"),
        (PropertyForMethod, "TypeError"),
        (Exits, "SystemExit(1)"),
        (RefusesToBeMade, "no room"),
        (PrintsAndAsks, "EOFError"),
        (Hangs, "does not come back"),
        (AnswersOne, "it returns 1; the contract says True"),
        (AnswersFalse, "it returns False; the contract says None"),
        (AttemptIsTrue, "the contract says a"),
        (Coroutine, "coroutine"),
        (Mutates, "RuntimeError"),
        (GALLERY["Lifo"], "reserve()"),
    ],
)
def test_whatever_happens_is_said_in_one_sentence(kind, said, capsys, monkeypatch):
    monkeypatch.setattr("rq.guard.TICK", 0.02)
    report = check(kind, [SMALL, LINE])
    assert not report.conforms
    assert said in report.summary
    assert report.summary.startswith(kind.__name__)
    assert "\n" not in report.summary
    assert "\n" not in repr(report)
    str(report), report.to_dict(), report._repr_html_()
    assert capsys.readouterr() == ("", "")


def test_a_hang_in_the_middle_is_told_from_its_beginning(monkeypatch):
    monkeypatch.setattr("rq.guard.TICK", 0.02)

    class HangsLater(Queue):
        def reserve(self):
            while self._waiting and self._accepted["a"].attempt == 1:
                pass
            return super().reserve()

    report = check(HangsLater, [TINY])
    assert [operation[0] for operation in report.difference.ops] == ["enqueue", "reserve", "retry", "reserve"]
    assert report.difference.returned == [True, ["a", "A", 1], True, Hung()]


def test_a_right_queue_that_prints_conforms_and_the_report_says_that_it_prints(capsys):
    class Prints(Queue):
        def reserve(self):
            print("reserve")
            return super().reserve()

    report = check(Prints, [TINY])
    assert report.exhaustive
    assert "prints" in str(report)
    assert capsys.readouterr() == ("", "")


class BadRepr(Exception):
    def __repr__(self):
        raise SystemExit


class EndlessRepr(Exception):
    def __repr__(self):
        while True:
            pass


class NoIteration(list):
    def __iter__(self):
        raise RuntimeError("no iteration")


class NoAttribute:
    def __getattribute__(self, name):
        raise RuntimeError(name)


def length_or_error(queue_class):
    """The length of the counterexample, or what escaped. A traceback would show what cannot be shown."""
    try:
        report = check(queue_class, [TINY], limit=300)
    except BaseException as escaped:
        return f"{type(escaped).__name__} left the check"
    return None if report.conforms else len(report.difference.ops)


@pytest.mark.parametrize("error", [BadRepr, EndlessRepr])
def test_an_error_that_cannot_be_shown_does_no_harm(error, monkeypatch):
    monkeypatch.setattr("rq.guard.TICK", 0.02)

    class Raises(Queue):
        def reserve(self):
            raise error

    assert length_or_error(Raises) == 1


@pytest.mark.parametrize("kind", [NoIteration, NoAttribute])
def test_a_thing_that_cannot_be_looked_at_does_no_harm(kind):
    class Holds(Queue):
        def __init__(self, capacity):
            super().__init__(capacity)
            self.thing = kind()

    assert length_or_error(Holds) is None


class Single(type):
    made: dict = {}  # noqa: RUF012

    def __call__(cls, capacity):
        if cls not in cls.made:
            cls.made[cls] = super().__call__(capacity)
        return cls.made[cls]


def test_the_one_object_of_a_metaclass_is_shared_state_as_well():
    class OnlyOneByMeta(Queue, metaclass=Single):
        pass

    report = check(OnlyOneByMeta)
    left = dict(Single.made)
    Single.made.clear()
    assert left == {}
    assert ("new",) in report.difference.ops


class HandsOutItsOwnRecord(Queue):
    """The reservation is the queue's live record; the next reservation of the job changes it."""

    def __init__(self, capacity):
        super().__init__(capacity)
        self.records = {}

    def reserve(self):
        job = super().reserve()
        if job is None:
            return None
        record = self.records.setdefault(job.id, list(job))
        record[2] = job.attempt
        return record


def test_a_reservation_that_changes_in_the_workers_hand_is_noted():
    report = check(HandsOutItsOwnRecord)
    assert report.conforms
    assert any('a · "A" · attempt 1 became a · "A" · attempt 2' in note for note in report.notes)
    assert check(Queue, [TINY]).notes == ()
