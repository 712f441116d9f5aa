"""What the teaching guide claims about the course holds: names, steps, minutes, answers, links."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest

from rq import EXAMPLES, Playground, Queue, Rule, Scenario, random_scenario, trace
from rq.beyond import Attempts, Forgetful, Machine, Reuse, count
from rq.broken import GALLERY
from rq.broken.gallery import fault_of
from rq.check import check
from rq.race import race

ROOT = Path(__file__).parent.parent
NOTEBOOKS = ROOT / "notebooks"
GUIDE = (NOTEBOOKS / "teaching_guide.md").read_text(encoding="utf-8")
LESSONS = sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))
CODES = {rule.code for rule in Rule}
IMPORTS = """
from rq import *
from rq.beyond import Attempts, Forgetful, Generations, Reuse
from rq.broken import GALLERY, story
"""


def part(title: str) -> str:
    """The text under a heading, up to the next one of the same or a higher level."""
    level = title.index(" ")
    (found,) = re.findall(rf"^{re.escape(title)}[^\n]*\n(.*?)(?=^#{{1,{level}}} |\Z)", GUIDE, re.S | re.M)
    return found


def rows(text: str) -> list[list[str]]:
    """The cells of every table row, less the lines that rule off the heads."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


# The exam sheet

QUESTION = re.compile(r"^\*\*(\d+)\.\*\* \(lesson (\d\d)\) (.*?)(?=^\*\*\d+\.\*\*|\Z)", re.S | re.M)
QUESTIONS = QUESTION.findall(part("## Exam sheet"))
ANSWER = re.compile(r"<details><summary>Answer</summary>\n\n(.*?)```python\n(.*?)```\n\n</details>", re.S)


def run(answer: str) -> dict[str, object]:
    """Run an answer's program with the guide's imports, and give its names."""
    _, program = ANSWER.search(answer).groups()
    names: dict[str, object] = {}
    exec(compile(IMPORTS + program, "exam answer", "exec"), names)
    return names


def test_there_are_twelve_questions_spread_over_the_lessons():
    assert [int(number) for number, _, _ in QUESTIONS] == list(range(1, 13))
    assert {lesson for _, lesson, _ in QUESTIONS} == {name[:2] for name in LESSONS}


@pytest.mark.parametrize(("number", "answer"), [(number, text) for number, _, text in QUESTIONS])
def test_an_exam_answer_runs_and_touches_the_rules_it_names(number, answer):
    assert len(ANSWER.findall(answer)) == 1
    words, program = ANSWER.search(answer).groups()
    assert re.search(r"^assert ", program, re.M)
    scenarios = [value for value in run(answer).values() if isinstance(value, Scenario)]
    touched = {step.decision.rule.code for scenario in scenarios for step in trace(scenario).steps}
    named = {code for code in CODES if re.search(rf"\({code}\)", words)}
    assert named <= touched, number


def test_the_exam_names_every_rule():
    assert {code for code in CODES if f"({code})" in part("## Exam sheet")} == CODES


def test_the_sheet_on_paper_holds_the_questions_without_their_answers(tmp_path):
    (command,) = re.findall(r"^python -c .*$", GUIDE, re.M)
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "teaching_guide.md").write_text(GUIDE, encoding="utf-8")
    _, option, program = shlex.split(command)
    subprocess.run([sys.executable, option, program], cwd=tmp_path, check=True, timeout=60)
    sheet = (tmp_path / "exam.md").read_text(encoding="utf-8")
    for number, _, text in QUESTIONS:
        assert f"**{number}.**" in sheet
        assert text[:40] in sheet
    assert "assert" not in sheet
    assert "Answer" not in sheet
    assert "Setting up" not in sheet


# Lessons, names, steps


@pytest.mark.parametrize("lesson", LESSONS)
def test_each_lesson_has_what_a_teacher_needs(lesson):
    (heading,) = re.findall(rf"^### {lesson[:2]} · \[[^\]]+\]\({lesson}\.ipynb\) · \d+ minutes \(\d+\)$", GUIDE, re.M)
    text = part(heading)
    for label in ("**Aim.**", "**Ask first.**", "**Short of time.**"):
        assert label in text
    assert text.count("\n| ") >= 3  # a head and two beliefs
    numbers = re.findall(r"\b([123]): ", text.partition("**Answers.**")[2])
    exercises = re.findall(r"^\*\*(\d)\.\*\* ", markdown(lesson), re.M)
    assert numbers == exercises


def markdown(lesson: str) -> str:
    cells = nbformat.read(NOTEBOOKS / f"{lesson}.ipynb", as_version=4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def test_sections_that_the_guide_names_are_in_the_lessons():
    named = re.findall(r"(0\d) § \*([^*]+)\*", GUIDE)
    assert len(named) >= 15
    for number, title in named:
        (lesson,) = [name for name in LESSONS if name.startswith(number)]
        assert re.search(rf"^#+ {re.escape(title)}", markdown(lesson), re.M), title


def test_every_broken_queue_is_in_the_gallery_and_as_it_is_described():
    described = re.findall(r"`(\w+)` \((\d+) calls?, ([\w-]+)\)", GUIDE)
    assert len(described) >= 20
    for name, length, code in described:
        fault = fault_of(GALLERY[name])
        assert (fault.length, fault.rule.code) == (int(length), code), name
    used = set(re.findall(r'GALLERY\["(\w+)"\]', GUIDE))
    assert used <= set(GALLERY)
    assert {fault_of(GALLERY[name]).lesson for name, _, _ in described} == set(LESSONS[1:5])


def test_what_looks_like_a_name_of_a_broken_queue_is_one():
    known = {"Stepper", "Playground", "StoryStepper", "Race", "Attempts", "SaysYes", "MyQueue", "TypeError"}
    names = set(re.findall(r"`([A-Z][a-z]+(?:[A-Z][a-z]+)*)`", GUIDE)) - known - {"True", "False", "None", "Queue"}
    assert names
    assert names <= set(GALLERY)


def test_steps_of_the_examples_are_decided_by_the_rules_named():
    steps = re.findall(r'"([a-z ]+)" step (\d+) \(([\w-]+)\)', GUIDE)
    assert {name for name, _, _ in steps} == set(EXAMPLES)
    for name, number, code in steps:
        assert trace(name).steps[int(number) - 1].decision.rule.code == code, (name, number)


def test_steps_of_the_random_exercise():
    claims = re.search(r"Expect `random_scenario\((\d+)\)` ((?:(?:, )?step \d+ \([\w-]+\))+)", GUIDE)
    seed, steps = claims.groups()
    found = re.findall(r"step (\d+) \(([\w-]+)\)", steps)
    assert len(found) == 3
    for number, code in found:
        assert trace(random_scenario(int(seed))).steps[int(number) - 1].decision.rule.code == code


def test_the_three_seeds_are_about_what_the_guide_says():
    assert "22 is about the fence, 19 about ids and a full queue, 24 about cancelling" in GUIDE
    rules = {seed: [step.decision.rule for step in trace(random_scenario(seed)).steps] for seed in (22, 19, 24)}
    assert all(len(steps) == 12 for steps in rules.values())
    assert sum(rule in (Rule.X_STALE, Rule.X_FUTURE) for rule in rules[22]) == 3
    assert {Rule.E2, Rule.E3} <= set(rules[19])
    assert {Rule.C1, Rule.C2, Rule.C3_FINISHED, Rule.X_FINISHED} <= set(rules[24])


def test_races_part_where_the_guide_says():
    parts = re.findall(r"the race of `(\w+)` parts at step (\d+)", GUIDE)
    assert len(parts) >= 3
    for name, number in parts:
        assert race(check(GALLERY[name]), None).first_difference == int(number), name
    assert "its line is wrong from step 4 on" in GUIDE
    spoilt = race(check(GALLERY["RetryToHead"]), None).steps
    assert [step.number for step in spoilt if not step.agrees] == [5, 6]
    assert "at step 7 the rightful worker is turned away" in GUIDE
    fenced = race(check(GALLERY["AckAcceptsOlderAttempt"]), None).steps[6]
    assert (fenced.call, fenced.expected, fenced.returned) == ('ack("a", 2)', True, False)


def test_the_stories_of_lesson_07_go_wrong_where_the_guide_says():
    def first_wrong(story):
        return next(number for number, moment in enumerate(story.moments) if moment.wrong)

    assert "the first story is marked `✗` from step 4 on" in GUIDE
    assert first_wrong(Attempts(["effect 1", "loss 1", "retry", "effect 2", "report 2"])) == 4
    assert "step 3 runs two processes with capacity 1" in GUIDE
    assert first_wrong(Machine(["start a", "cancel a", "start b", "stopped a"], capacity=1)) == 3
    assert "at step 6 the late ack of the old order" in GUIDE
    assert first_wrong(Reuse(Forgetful)) == 6
    assert "19 of 24 orders charge twice, and each has one accepted report" in GUIDE
    assert (count().doubled, count().histories, count().one_ack) == (19, 24, 24)
    assert "still 19 of 24" in GUIDE
    assert count(key="ticket").doubled == 19


# Tools


@pytest.mark.parametrize("line", [row[0].strip("`") for row in rows(part("## Tools for the front of the room"))[1:]])
def test_a_line_to_paste_runs(line):
    names: dict[str, object] = {}
    exec(IMPORTS, names)
    shown = eval(line, names | {"MyQueue": Queue})
    assert getattr(shown, "error", None) is None
    assert "cannot show" not in str(shown)


def test_the_scenario_to_pass_round_can_be_loaded_and_sent_back():
    (text,) = re.findall(r"^```json\n(.*?)\n```", GUIDE, re.S | re.M)
    learner, teacher = Playground(2), Playground(2)
    learner.load(text)
    learner.call("reserve")
    teacher.load(learner.scenario.to_json())
    assert teacher.trace.answers[-1] == ["b", "B", 1]


# Plans


def test_the_one_session_leaves_no_minute_out_and_ends_at_fifty():
    head, *plan = rows(part("### One session"))
    assert head[0] == "minute"
    spans = [tuple(map(int, row[0].split("–"))) for row in plan]
    assert spans[0][0] == 0
    assert spans[-1][1] == 50
    assert all(before[1] == after[0] and after[0] < after[1] for before, after in pairwise(spans))


def test_each_of_the_three_sessions_takes_fifty_minutes():
    head, *plan = rows(part("### Three sessions"))
    assert head == ["session", "minutes", "part"]
    assert "Each session is 50 minutes." in part("### Three sessions")
    for session in "123":
        assert sum(int(minutes) for number, minutes, _ in plan if number == session) == 50


def test_the_week_adds_up_and_holds_every_lesson():
    text = part("### A week alone")
    head, *plan = rows(text)
    assert head[2] == "minutes"
    assert len(plan) == 7
    assert sum(int(row[2]) for row in plan) == int(re.search(r"^(\d+) minutes in all", text, re.M)[1])
    assert set(re.findall(r"\b0\d\b", " ".join(row[1] for row in plan))) == {name[:2] for name in LESSONS}


# Links, words


def test_links_lead_to_files_and_headings():
    targets = re.findall(r"\]\(([^):]+)\)", GUIDE)
    assert len(targets) >= 10
    for target in targets:
        file, _, anchor = target.partition("#")
        path = NOTEBOOKS / file if file else NOTEBOOKS / "teaching_guide.md"
        assert path.exists(), target
        if anchor:
            titles = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.M)
            assert anchor in {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}, target


@pytest.mark.parametrize("page", ["README.md", "notebooks/00_start_here.ipynb"])
def test_readers_are_led_to_the_guide(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    (target,) = re.findall(r"\(((?:notebooks/)?teaching_guide\.md)\)", text)
    assert ((ROOT / page).parent / target).exists()


@pytest.mark.parametrize(
    "word",
    [
        *("waiting", "in flight", "done", "acknowledged", "cancelled", "finished", "active", "slot", "attempt"),
        *("reservation", "ticket", "stale", "future", "zero", "refused", "superseded", "current", "void", "spent"),
    ],
)
def test_the_glossary_holds_the_words(word):
    head, *entries = rows(part("## Glossary"))
    assert head[0] == "word"
    assert any(re.search(rf"\b{word}\b", entry[0]) for entry in entries)
