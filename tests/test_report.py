"""A report in each of its forms: a program to paste, a table, a stepper, a test and JSON."""

import json
from functools import cache

import pytest
from suite import html_tags, html_text

import rq
from rq import Queue, Rule, check, check_command, worlds_table
from rq.answers import Hung, Raised
from rq.broken import GALLERY
from rq.report import WorldResult
from rq.worlds import World

WORLD = World("small", 1, (("a", "A"), ("b", "say 'hi'")), (0, 1, 2))
LINE = World("line", 2, (("a", "A"), ("b", "B"), ("c", "C")), (1,), in_order=True)
TWO = World("two", 1, (("a", "A"),), (1,), queues=2)
KEYS = {"conforms", "exhaustive", "capacity", "ops", "expected", "returned", "rule", "states", "seconds"}
EVIL = "<img src=x onerror=alert(1)>"


class Raises(Queue):
    def ack(self, id, attempt):
        raise KeyError(id)


class RaisesEvil(Queue):
    def reserve(self):
        raise ValueError(EVIL + "</td></table><script>x()</script>")


class SaysEvil:
    def __repr__(self):
        return EVIL


class ReturnsEvil(Queue):
    def reserve(self):
        return SaysEvil()


class TwoLines:
    def __repr__(self):
        return "one line\nimport nothing_at_all\r    another"


class ReturnsTwoLines(Queue):
    def reserve(self):
        return TwoLines()


class ErrorInTwoLines(Exception):
    def __repr__(self):
        return "one line\nand another"


class RaisesTwoLines(Queue):
    def reserve(self):
        raise ErrorInTwoLines


class CannotBeMade(Queue):
    def __init__(self, capacity):
        raise OSError("no room")


class AnswersOne(Queue):
    def enqueue(self, id, payload):
        return int(super().enqueue(id, payload))


class HugeAttempt(Queue):
    def reserve(self):
        return "a", "A", 10**5_000


shared: dict = {}


class Shares(Queue):
    def __init__(self, capacity):
        super().__init__(capacity)
        self._accepted = shared


BROKEN = [
    *GALLERY.values(),
    Raises,
    RaisesEvil,
    ReturnsEvil,
    ReturnsTwoLines,
    RaisesTwoLines,
    CannotBeMade,
    AnswersOne,
    Shares,
]
WORLDS = [WORLD, LINE, TWO]
each_broken = pytest.mark.parametrize("kind", BROKEN, ids=lambda kind: kind.__name__)


@cache
def report_on(kind):
    """What check() says of a broken queue; asked once, since many tests look at it."""
    return check(kind) if kind in GALLERY.values() else check(kind, WORLDS)


def run_pasted(report, kind):
    """Paste the report into a file of its own, with the class under its name, and run its test."""
    names = {report.queue_name: kind}
    exec(compile(str(report), "<pasted>", "exec"), names)
    [test] = [value for name, value in names.items() if name.startswith("test_")]
    try:
        test()
    finally:
        shared.clear()


# The program


@each_broken
def test_the_pasted_program_fails_on_the_broken_queue_and_passes_on_the_right_one(kind):
    report = report_on(kind)
    run_pasted(report, Queue)
    with pytest.raises(Exception):  # noqa: B017, PT011  # an assertion, or what the queue itself raises
        run_pasted(report, kind)


@pytest.mark.parametrize("make", [lambda capacity: Raises(capacity)], ids=["lambda"])
def test_a_queue_without_a_name_has_a_program_as_well(make):
    compile(str(check(make, [WORLD])), "<pasted>", "exec")


def test_the_program_says_what_was_given_where_it_differs_and_only_there():
    lines = check(Raises, [WORLD]).program.splitlines()
    assert [line for line in lines if "# it gave" in line] == [lines[-1]]
    assert "KeyError('a')" in lines[-1]


# Other forms


@each_broken
def test_json_is_valid_and_complete(kind):
    report = report_on(kind)
    line = json.dumps(report.to_dict(), allow_nan=False)
    assert "\n" not in line
    found = json.loads(line)
    assert set(found) == KEYS
    assert (found["conforms"], found["exhaustive"]) == (False, False)
    assert len(found["ops"]) == len(report.difference.ops)
    assert found["rule"] in {None, *(rule.code for rule in Rule)}


def test_json_of_what_is_no_answer(monkeypatch):
    monkeypatch.setattr("rq.guard.TICK", 0.02)
    assert check(Raises, [WORLD]).to_dict()["returned"][-1] == {"raised": "KeyError('a')"}

    class Hangs(Queue):
        def reserve(self):
            while True:
                pass

    report = check(Hangs, [WORLD])
    assert report.difference.returned == [Hung()]
    assert report.to_dict()["returned"] == [{"hung": True}]
    assert check(CannotBeMade, [WORLD]).difference.returned == [Raised("OSError('no room')")]


def test_a_number_too_long_to_print_does_no_harm():
    report = check(HugeAttempt, [WORLD])
    str(report), report._repr_html_(), json.dumps(report.to_dict())
    with pytest.raises(AssertionError):
        report.to_test()()


@each_broken
def test_html_shows_what_the_text_says(kind):
    report = report_on(kind)
    html = report._repr_html_()
    assert report.rule is None or report.rule.code in html_text(html)
    assert " ".join(report.summary.split()) in " ".join(html_text(html).split())


@pytest.mark.parametrize("kind", [RaisesEvil, ReturnsEvil])
def test_what_a_queue_says_is_text_in_html(kind):
    report = check(kind, [WORLD])
    for html in (report._repr_html_(), str(report.stepper()._repr_mimebundle_())):
        assert html_tags(html).isdisjoint({"img", "script"})
    assert EVIL in html_text(report._repr_html_())
    assert EVIL in str(report)


def test_the_title_of_a_class_is_text_in_html():
    kind = type(EVIL, (Raises,), {})
    assert "img" not in html_tags(check(kind, [WORLD])._repr_html_())


def test_a_stepper_is_open_where_the_queue_goes_wrong():
    report = check(GALLERY["Lifo"])
    stepper = report.stepper()
    assert len(report.trace) == len(report.difference.ops)
    assert stepper.index == report.trace.first_difference == len(report.trace)


# The test


@each_broken
def test_the_test_fails_today(kind):
    with pytest.raises(AssertionError):
        report_on(kind).to_test()()


def test_the_test_passes_when_the_queue_is_mended(monkeypatch):
    class Mine(Queue):
        def ack(self, id, attempt):
            return True

    test = check(Mine, [WORLD]).to_test()
    assert test.__name__ == "test_mine"
    with pytest.raises(AssertionError, match=r"ack\(.*gave True; the contract says False"):
        test()
    monkeypatch.setattr(Mine, "ack", Queue.ack)
    test()


def test_the_test_leaves_shared_state_as_it_was():
    test = check(Shares, WORLDS).to_test()
    for _ in range(2):
        with pytest.raises(AssertionError):
            test()
    assert shared == {}


# A report without a counterexample


def test_a_conforming_report_says_so_and_has_nothing_to_step_through():
    report = check(Queue, WORLDS)
    assert (report.conforms, report.exhaustive, report.partial, report.interrupted) == (True, True, False, False)
    assert (report.difference, report.rule, report.hint, report.scenario, report.trace) == (None, None, "", None, None)
    assert report.program == ""
    for ask in (report.stepper, report.to_test):
        with pytest.raises(ValueError, match="there is no counterexample"):
            ask()
    assert html_text(report._repr_html_()).count("any length") >= len(WORLDS)
    assert report.to_dict() == {
        **dict.fromkeys(("capacity", "ops", "expected", "returned", "rule")),
        "conforms": True,
        "exhaustive": True,
        "states": report.states,
        "seconds": round(report.seconds, 3),
    }


def test_counts_are_the_sums_over_the_worlds():
    report = check(Queue, WORLDS)
    assert report.states == sum(result.states for result in report.results) > 50
    assert report.operations == sum(result.operations for result in report.results) > report.states
    assert f"{report.states:,} states, {report.operations:,} calls" in str(report)


def test_a_world_says_how_far_it_went():
    assert WorldResult(WORLD, 1, 1, 3, True).tried == "every sequence of any length"
    assert WorldResult(WORLD, 1, 1, 3, False).tried == "every sequence up to length 3"
    assert "tour" in WorldResult(WORLD, 1, 1, 3, False, True).tried


def test_the_table_of_worlds_says_what_was_done():
    report = check(Queue, WORLDS)
    table = worlds_table(report)
    assert list(table.index) == [world.name for world in WORLDS]
    assert set(table["tried"]) == {"every sequence of any length"}
    assert table["calls"].sum() == report.operations


def test_the_gallery_has_a_table():
    table = rq.gallery_table()
    assert list(table.index) == list(GALLERY)
    assert not table.isna().to_numpy().any()
    assert set(table["rule"]) <= {rule.code for rule in Rule}


def test_coverage_counts_the_rules_of_a_counterexample():
    report = check(GALLERY["Lifo"])
    table = rq.coverage(report.trace)
    assert table["calls"].sum() == len(report.difference.ops)
    assert (table["touched"] == (table["calls"] > 0)).all()


def test_a_command_that_cannot_be_split_or_is_empty_is_refused():
    for command in ("", "   ", "'"):
        with pytest.raises(ValueError, match=r"\w"):
            check_command(command)
