"""The gallery: each broken queue has its fault and no other, and check() finds it, shortest first.

`real_bugs.jsonl` lists faults that real queues shipped: where each was reported, a scenario that
shows it, and the right and the broken answers.
"""

import ast
import inspect
import json
import re
from functools import cache

import pytest
from suite import ROOT

from rq import Queue, Rule, Scenario, check, trace
from rq.answers import Raised, same
from rq.broken import GALLERY, fault_of
from rq.broken.gallery import WithCopies
from rq.surroundings import Surroundings

LINES = (ROOT / "tests" / "real_bugs.jsonl").read_text(encoding="utf-8").splitlines()
KINDS = {kind["kind"]: kind for kind in map(json.loads, LINES)}

each_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
each_queue = pytest.mark.parametrize("name", GALLERY)

report_on = cache(lambda name: check(GALLERY[name]))
"""What check() says of a broken queue; asked once, since many tests look at it."""


def scenario_of(kind) -> Scenario:
    """The scenario of a kind. An attempt that is missing there is attempt 0 here."""
    ops = [[0 if argument is None else argument for argument in op] for op in kind["scenario"]["ops"]]
    return Scenario(kind["scenario"]["capacity"], ops)


def answers(queue_class, scenario) -> list:
    """The answers of fresh queues; what a class keeps for all its queues is fresh as well."""
    surroundings = Surroundings(queue_class)
    surroundings.reset()
    try:
        return trace(scenario, queue_class).answers
    finally:
        surroundings.restore()


def as_listed(answer):
    """An answer as the list of faults writes it."""
    return f"raises {answer.error.partition('(')[0]}" if isinstance(answer, Raised) else answer


# The faults that real queues shipped


def test_there_is_a_broken_queue_for_each_of_them():
    assert len(KINDS) == len(LINES) == 43
    assert set(KINDS) <= set(GALLERY)


@each_kind
def test_it_gives_the_broken_answers_of_its_scenario(kind):
    returned = [as_listed(answer) for answer in answers(GALLERY[kind["kind"]], scenario_of(kind))]
    assert same(returned, kind["scenario"]["broken"])


@each_kind
def test_the_right_queue_gives_the_right_answers(kind):
    assert same(answers(Queue, scenario_of(kind)), kind["scenario"]["correct"])


@each_kind
def test_check_needs_no_more_calls_than_are_known_to_be_enough(kind):
    report = report_on(kind["kind"])
    assert not report.conforms
    assert len(report.difference.ops) <= kind["shortest_length"]


@each_kind
def test_it_names_the_same_reports(kind):
    fault = fault_of(GALLERY[kind["kind"]])
    assert sorted(fault.reports) == sorted(kind["reports"])
    assert fault.fault.rstrip(".").lower() != kind["fault"].lower()


# All broken queues


@each_queue
def test_check_finds_the_declared_rule_and_length(name):
    fault, report = fault_of(GALLERY[name]), report_on(name)
    assert (report.rule, len(report.difference.ops)) == (fault.rule, fault.length)
    assert report.shortest
    assert report.notes == ()


@each_queue
def test_the_counterexample_shows_the_difference_when_it_is_played_again(name):
    report = report_on(name)
    expected, returned = answers(Queue, report.scenario), answers(GALLERY[name], report.scenario)
    assert trace(report.scenario).first_difference is None
    assert same(expected, report.difference.expected)
    assert same(returned[:-1], expected[:-1])
    assert not same(returned[-1], expected[-1])


@each_queue
def test_check_leaves_the_class_as_it_was(name):
    before = dict(vars(GALLERY[name]))
    check(GALLERY[name], limit=10)
    assert all(vars(GALLERY[name])[key] is value for key, value in before.items())


def test_every_rule_that_can_be_broken_is_broken_by_one():
    assert {fault_of(queue_class).rule for queue_class in GALLERY.values()} == set(Rule) - {Rule.N2}


def test_they_stand_in_the_order_of_the_lessons():
    lessons = [fault_of(queue_class).lesson for queue_class in GALLERY.values()]
    assert lessons == sorted(lessons)
    assert set(lessons) == {"01_fifo", "02_capacity", "03_fencing", "04_cancellation"}
    assert all((ROOT / "notebooks" / f"{lesson}.ipynb").exists() for lesson in lessons)


@each_queue
def test_the_docstring_is_one_sentence_and_where_it_was_shipped(name):
    queue_class = GALLERY[name]
    sentence, source = inspect.getdoc(queue_class).split("\n\n")
    assert re.fullmatch(r"[A-Z][^.?!\n]*\.", sentence)
    fault = fault_of(queue_class)
    assert (fault.fault, source) == (sentence, f"{fault.system}: {fault.reports[0]}")
    assert len(set(fault.reports)) == len(fault.reports)
    for link in fault.reports:
        assert re.fullmatch(r"https://github\.com/[\w.-]+/[\w.-]+/(issues|pull)/\d+", link)


@each_queue
def test_it_is_small_and_otherwise_the_right_queue(name):
    queue_class = GALLERY[name]
    assert queue_class.__name__ == name
    assert issubclass(queue_class, Queue)
    (tree,) = ast.parse(inspect.getsource(queue_class)).body
    documentation, *body = tree.body
    assert isinstance(documentation, ast.Expr)
    lines = [line for node in body for line in ast.unparse(node).splitlines()]
    assert 2 <= len(lines) <= 12


def test_the_line_with_copies_is_right_as_long_as_nobody_adds_a_copy():
    assert check(WithCopies).exhaustive


def test_the_gallery_needs_the_ground_floor_only():
    for path in (ROOT / "rq" / "broken").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module.startswith("rq."):
                assert node.module.split(".")[1] in {"broken", "state", "queue", "contract"}
