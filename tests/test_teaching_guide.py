"""What the teaching guide claims about the course holds: names, steps, minutes, answers, links."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest

from rq import EXAMPLES, Playground, Predict, Queue, Rule, Scenario, decide, random_scenario, trace, trace_table
from rq.answers import show
from rq.beyond import Attempts, Forgetful, Machine, Reuse, count, histories
from rq.broken import GALLERY
from rq.broken.gallery import fault_of
from rq.check import check
from rq.quiz import Quiz
from rq.race import race

ROOT = Path(__file__).parent.parent
NOTEBOOKS = ROOT / "notebooks"
GUIDE = (NOTEBOOKS / "teaching_guide.md").read_text(encoding="utf-8")
LESSONS = sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))
CODES = {rule.code for rule in Rule}


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


(IMPORTS,) = re.findall(r"<summary>To run the programs</summary>\n\n```python\n(.*?)```", GUIDE, re.S)


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
    (command,) = re.findall(r"^\.venv/bin/python -c .*$", GUIDE, re.M)
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "teaching_guide.md").write_text(GUIDE, encoding="utf-8")
    _, option, program = shlex.split(command)
    subprocess.run([sys.executable, option, program], cwd=tmp_path, check=True, timeout=60)
    sheet = (tmp_path / "exam.md").read_text(encoding="utf-8")
    for number, _, text in QUESTIONS:
        assert f"**{number}.**" in sheet
        assert text[:40] in sheet
    assert "assert" not in sheet
    assert "import" not in sheet
    assert "Answer" not in sheet
    assert "Setting up" not in sheet


def test_a_command_names_a_python_that_is_there():
    """Debian has no `python` outside an environment."""
    blocks = re.findall(r"^```sh\n(.*?)^```", GUIDE, re.S | re.M)
    first = [word for block in blocks for word in re.findall(r"(?:^|&& )(\S*python\S*) ", block, re.M)]
    assert len(first) >= 3
    assert set(first) <= {"python3", ".venv/bin/python"}


def test_on_a_hub_a_spoiled_lesson_is_copied_again_in_its_place(tmp_path):
    (command,) = re.findall(r"on a hub, in the learner's terminal: `([^`]+)`", GUIDE)
    (first,) = re.findall(r"^cp -r (\S+) (\S+)$", GUIDE, re.M)
    copies = [tmp_path / folder.lstrip("/~") for folder in first]
    for folder in copies:
        folder.mkdir(parents=True)
        (folder / "03_fencing.ipynb").write_text(f"of {folder.parent.name}", encoding="utf-8")
    program, source, target = shlex.split(command)
    assert program == "cp"
    shutil.copy(tmp_path / source.lstrip("/~"), tmp_path / target.lstrip("/~"))
    assert [path.name for path in copies[1].iterdir()] == ["03_fencing.ipynb"]
    assert (copies[1] / "03_fencing.ipynb").read_text(encoding="utf-8") == "of course"


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
    assert "Click line 5: they part. Line 6: both say `None`. Line 7" in GUIDE
    held = race(check(GALLERY["AckAcceptsOlderAttempt"]), None).steps[5]
    assert held.expected is None
    assert held.agrees
    fenced = race(check(GALLERY["AckAcceptsOlderAttempt"]), None)
    assert fenced.first_difference == 5
    assert (fenced.steps[6].call, fenced.steps[6].expected, fenced.steps[6].returned) == ('ack("a", 2)', True, False)


def test_the_stories_of_lesson_07_go_wrong_where_the_guide_says():
    def first_wrong(story):
        return next(number for number, moment in enumerate(story.moments) if moment.wrong)

    assert "the first story is marked `✗` from step 4 on" in GUIDE
    assert first_wrong(Attempts(["effect 1", "loss 1", "retry", "effect 2", "report 2"])) == 4
    assert "step 3 runs two processes with capacity 1" in GUIDE
    assert first_wrong(Machine(["start a", "cancel a", "start b", "stopped a"], capacity=1)) == 3
    assert "at step 6 the late ack of the old order" in GUIDE
    assert first_wrong(Reuse(Forgetful)) == 6
    assert "38 of 61 orders charge twice, and none has two accepted reports" in GUIDE
    assert "the key, the 61 orders" in GUIDE
    assert (count().doubled, count().histories) == (38, 61)
    assert max(Attempts(history).answers.count(True) for history in histories()) == 1
    assert "still 38 of 61" in GUIDE
    assert "2: 38. " in part("### 07")
    assert count(key="ticket").doubled == 38


# Tools


@pytest.mark.parametrize("line", [row[0].strip("`") for row in rows(part("## Tools for the front of the room"))[1:]])
def test_a_line_to_paste_runs_in_an_empty_notebook(line):
    shown = paste(line)
    assert getattr(shown, "error", None) is None
    assert "cannot show" not in str(shown)


def paste(line: str) -> object:
    """What a cell shows that holds this line alone."""
    imports, _, shown = line.rpartition("; ")
    names: dict[str, object] = {}
    exec(imports, names)
    return eval(shown, names)


def test_the_scenario_to_pass_round_can_be_loaded_and_sent_back():
    (text,) = re.findall(r"^```json\n(.*?)\n```", GUIDE, re.S | re.M)
    learner, teacher = Playground(2), Playground(2)
    learner.load(text)
    learner.call("reserve")
    teacher.load(learner.scenario.to_json())
    assert teacher.trace.answers[-1] == ["b", "B", 1]


# The one session

SESSION = part("## One session").partition("### 03")[0]
PLAN = [row for row in rows(SESSION) if re.fullmatch(r"\d+–\d+", row[0])]
PLAN_SAY = {int(row[0].split("–")[0]): row[3] for row in PLAN}
LESSON_03 = nbformat.read(NOTEBOOKS / "03_fencing.ipynb", as_version=4).cells
CALLS = {  # the scenarios of lesson 03 that the plan steps through
    "stepper": trace("retry fences old attempt"),
    "waiting": trace(Scenario(1, [["enqueue", "a", "A"], ["reserve"], ["retry", "a", 1], ["ack", "a", 1]])),
    "exercise": trace(random_scenario(22)),
}


def minute(start: int) -> str:
    """The row of the plan that starts at this minute."""
    (row,) = [row for row in PLAN if row[0].startswith(f"{start}–")]
    return " | ".join(row)


def cell_03(text: str) -> str:
    """The one code cell of lesson 03 with this text."""
    (source,) = [cell.source for cell in LESSON_03 if cell.cell_type == "code" and text in cell.source]
    return source


def test_the_one_session_leaves_no_minute_out_and_ends_at_fifty():
    spans = [tuple(map(int, row[0].split("–"))) for row in PLAN]
    assert spans[0][0] == 0
    assert spans[-1][1] == 50
    assert all(before[1] == after[0] and after[0] < after[1] for before, after in pairwise(spans))


def test_what_one_session_needs_comes_first():
    headings = re.findall(r"^##+ (.+)$", GUIDE, re.M)
    assert [title.split(" ·")[0] for title in headings[:5]] == [
        *("One session", "The twelve calls", "03", "What goes wrong on the day", "The other lessons")
    ]


def test_the_minutes_saved_are_those_of_the_plan():
    lengths = [(row[1], int(row[0].split("–")[1]) - int(row[0].split("–")[0])) for row in PLAN]
    (late,) = re.findall(r"^- \*\*Late\?\*\* (.*)$", SESSION, re.M)
    for title, minutes in (("A future attempt comes of age", 3), ("exercise 3", 3)):
        assert re.search(rf"{title}\*? \({minutes}\)", late)
        assert [length for shown, length in lengths if title in shown] == [minutes]
    assert "stop the guesses after 4 minutes (3)" in late
    assert [length for shown, length in lengths if shown == "their own screens"] == [4 + 3]


def test_the_line_for_the_learners_needs_no_other_cell():
    (line,) = re.findall(r"^```text\n(.*)\n```", SESSION, re.M)
    shown = paste(line)
    assert shown.score is not None
    assert shown.trace.scenario == random_scenario(22)
    assert "the same line with `at=6` in place of `predict=True`" in minute(35)
    assert paste(line.replace("predict=True", "at=6")).index == 6


def test_the_board_holds_the_rules_of_the_session_in_five_words_each():
    table = [row for row in rows(SESSION) if len(row) == 4 and row[2].startswith("X-")]
    entries = [pair for row in table for pair in (row[:2], row[2:])]
    written = {code for codes, _ in entries for code in codes.split(", ")}
    counterexample = race(check(GALLERY["AckAcceptsOlderAttempt"]), None)
    met = {step.decision.rule.code for calls in (*CALLS.values(), counterexample) for step in calls.steps}
    assert written == met | {rule.code for rule in Rule if rule.code.startswith("X-")}
    assert [words for _, words in entries if len(words.split()) != 5] == []


def test_the_twelve_calls_are_as_printed():
    head, *table = rows(part("### The twelve calls"))
    assert head[1:4] == ["call", "answer", "rule"]
    real = [
        [str(step.number), f"`{step.call}`", f"`{show(step.expected)}`", step.decision.rule.code]
        for step in CALLS["exercise"].steps
    ]
    assert [row[:4] for row in table] == real
    for row, step in zip(table, CALLS["exercise"].steps, strict=True):
        current = re.search(r"(\d) is current", row[4])
        if current:
            assert step.before.current.jobs[0].attempt == int(current[1])


@pytest.mark.parametrize(
    ("step", "guess", "belief"),
    [
        (6, True, "an older attempt was good enough"),
        (7, False, "a refused result spoiled the ticket"),
        (9, ["a", "A", 2], "kept its attempt number"),
        (9, ["a", "again", 3], "a refused enqueue changed the payload"),
        (10, True, "an older attempt was good enough"),
    ],
)
def test_the_misses_to_expect_are_offered_and_answered(step, guess, belief):
    (misses,) = re.findall(r"^\*\*Expect misses\*\* (.*)$", GUIDE, re.M)
    assert re.search(rf"\bat {step}\b", misses)
    quiz = Quiz(CALLS["exercise"], start=step - 1)
    assert guess in quiz.choices
    assert belief in quiz.guess(guess).text


@pytest.mark.parametrize(
    ("cell", "calls", "step"), [("*Guess first*", "stepper", 5), ("*May a waiting job …*", "waiting", 4)]
)
def test_the_buttons_say_what_is_quoted(cell, calls, step):
    table = [row for row in rows(SESSION) if row[1] in ("`True`", "`False`")]
    at = [row[0] for row in table].index(cell)
    question = Predict(CALLS[calls], step)
    for (_, answer, quote), expected in zip(table[at : at + 2], ("`True`", "`False`"), strict=True):
        assert answer == expected
        question.choices[answer.strip("`")].click()
        assert f">{quote}<" in question.feedback.value
    after = question.feedback.value
    question.choices["True"].click()
    assert question.feedback.value == after  # the right answer is out: the buttons do nothing more


def test_the_scenarios_the_plan_speaks_of_are_those_of_the_lesson():
    assert cell_03('Predict("retry') == 'Predict("retry fences old attempt", step=5)'
    names: dict[str, object] = {"Scenario": Scenario, "Predict": Predict}
    exec(cell_03("Predict(waiting, step=4)"), names)
    assert names["waiting"] == CALLS["waiting"].scenario


def test_the_six_calls_are_read_out_in_the_order_of_the_cell_and_of_their_reasons():
    called = re.findall(r'\("(\w+)", (\d)\)', cell_03("for call in [").splitlines()[0])
    (spoken,) = re.findall(r"ack (`nobody` .*?)\. ", minute(18))
    assert re.findall(r"`(\w+)` (\d)", spoken) == called
    names = {"Queue": Queue, "state_table": lambda queue: None}
    exec(cell_03('q.enqueue("done", "")'), names)
    q = names["q"]
    reasons = [decide(q.snapshot(), ["ack", name, int(number)]) for name, number in called]
    assert [found.rule.code for found in reasons] == [f"X-{word}" for word in PLAN_SAY[20].split(", ")]
    assert all("[X-" not in found.why for found in reasons)  # "prints the reasons without it"
    assert "the cell of minute 20 prints the reasons without it" in SESSION


def test_the_tickets_are_named_as_the_stepper_shows_them():
    def at(step: int) -> list[str]:
        return [f"`{ticket.name}` {ticket.status}" for ticket in CALLS["stepper"].tickets_at(step)]

    assert PLAN_SAY[9] == ", ".join(at(4))
    assert at(7)[1] == "`a#2` spent"
    assert "`a#2` is *spent*" in PLAN_SAY[12]


def test_the_future_attempt_comes_of_age_where_the_plan_says():
    names = {"Scenario": Scenario, "Stepper": lambda scenario: None}
    exec(cell_03("A future attempt comes of age"), names)
    steps = trace(names["future"]).steps
    assert steps[2].operation == steps[5].operation == steps[6].operation
    assert [steps[number - 1].decision.rule.code for number in (3, 6, 7)] == ["X-future", "A1", "X-finished"]
    assert [steps[number - 1].operation[0] for number in (4, 5)] == ["retry", "reserve"]


def test_of_three_attempts_only_the_last_counts():
    (extra, last) = re.findall(r"put `(.*?)` before the acks and `(.*?)` after them", SESSION)[0]
    ops = eval(cell_03('Stepper({"capacity": 1'), {"Stepper": dict})["ops"]
    changed = Scenario(1, [*ops[:4], *json.loads(f"[{extra}]"), *ops[4:], json.loads(last)])
    assert changed.run()[-3:] == [False, False, True]
    assert "of the three, only ack 3 counts" in SESSION


def test_skipped_cells_are_there_and_nothing_later_needs_them():
    assert "rows 4–6 keep `a#2` in flight" in SESSION
    skipped = [cell_03("stale = Scenario"), cell_03("for step in trace(stale)"), cell_03("before = q.snapshot()")]
    skipped.append(cell_03("assert future.run()"))
    names: dict[str, object] = {}
    for cell in LESSON_03:
        if cell.cell_type == "code" and cell.source not in skipped:
            exec(cell.source, names)
    exec(skipped[0], names)
    table = trace_table(trace(names["stale"]))
    assert list(table["in flight"])[3:6] == ["a#2"] * 3


def test_two_outputs_of_lesson_03_are_folded():
    assert "two outputs, the stepper's and `check`'s, are folded" in SESSION
    folded = [cell.source for cell in LESSON_03 if cell.metadata.get("jupyter", {}).get("outputs_hidden")]
    assert [source.splitlines()[0] for source in folded] == [
        'Stepper("retry fences old attempt")',
        "report = check(broken)",
    ]


# Other plans


def test_each_of_the_three_sessions_takes_fifty_minutes():
    head, *plan = rows(part("## Three sessions"))
    assert head == ["session", "minutes", "part"]
    assert "Each session is 50 minutes." in part("## Three sessions")
    for session in "123":
        assert sum(int(minutes) for number, minutes, _ in plan if number == session) == 50


def test_the_week_adds_up_and_holds_every_lesson():
    text = part("## A week alone")
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
        *("fence", "race", "contract", "gallery", "payload", "place", "head", "tail", "capacity", "scenario", "trace"),
        *("ack", "retry"),
    ],
)
def test_the_glossary_holds_the_words(word):
    head, *entries = rows(part("## Glossary"))
    assert head[0] == "word"
    assert any(re.search(rf"\b{word}\b", entry[0]) for entry in entries)
