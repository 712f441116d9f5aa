"""check_command(): a program in any language, whatever it does with its lines; small programs written for the test."""

import json
import subprocess
import sys

import pytest
from suite import ROOT

from rq import Queue, check_command
from rq.answers import Died, Hung, Unreadable, plain, same
from rq.scenario import Scenario
from rq.tour import length_within
from rq.worlds import World

TINY = World("tiny", 1, (("a", "A"),), (1, 2))
TWO = World("two", 1, (("a", "A"),), (1,), queues=2)
PATIENCE = 1.0

START = f"""
import json, os, sys, time
sys.path.insert(0, {str(ROOT)!r})

def answers(line):
    from rq.scenario import Scenario
    return Scenario.from_json(line).run()
"""

LOOP = """
for line in sys.stdin:
    print(json.dumps(answers(line)))
"""


MOST = 100


@pytest.fixture(autouse=True)
def _fewer_sequences(monkeypatch):
    monkeypatch.setattr(sys.modules["rq.check_command"], "MOST_SEQUENCES", MOST)


@pytest.fixture
def write(tmp_path):
    """Write a program and give the command that runs it."""

    def write(source, start=START):
        path = tmp_path / "program.py"
        path.write_text(start + source, encoding="utf-8")
        return f'"{sys.executable}" "{path}"'

    return write


@pytest.fixture
def report_on(write):
    """check_command() of a small program, in a small world."""

    def report_on(source, worlds=(TINY,), patience=PATIENCE):
        report = check_command(write(source), worlds, patience=patience)
        assert "\n" not in report.summary
        json.dumps(report.to_dict(), allow_nan=False)
        str(report), report._repr_html_()
        return report

    return report_on


RIGHT = {
    "line by line, unflushed": LOOP,
    "line by line, flushed": LOOP.replace("answers(line))", "answers(line)), flush=True"),
    "all at the end": "print('\\n'.join([json.dumps(answers(line)) for line in sys.stdin]))",
    "without a last line end": "sys.stdout.write('\\n'.join([json.dumps(answers(line)) for line in sys.stdin]))",
    "line ends of Windows": LOOP.replace("answers(line))", "answers(line)), end='\\r\\n'"),
    "with blanks": LOOP.replace("answers(line))", "answers(line), indent=None, separators=(' , ', ' : '))"),
    "with much to say on standard error": LOOP + "    print('x' * 10_000, file=sys.stderr)",
    "ends with a code of its own": LOOP + "sys.exit(3)",
    "runs on afterwards": LOOP + "sys.stdout.flush(); time.sleep(60)",
}


@pytest.mark.parametrize("source", RIGHT.values(), ids=RIGHT)
def test_a_right_program_conforms_and_the_report_says_how_far_it_went(report_on, source):
    report = report_on(source, [TINY, TWO])
    assert report.conforms, str(report)
    assert not report.exhaustive
    assert report.operations > 100
    for result in report.results:
        assert (result.complete, result.toured) == (False, True)
        assert result.length == length_within(result.world, MOST)
        assert f"{result.world.name}: every sequence up to length {result.length}" in str(report)
    with pytest.raises(ValueError, match="no counterexample"):
        report.to_test()


# Wrong answers

CHANGED = """
from rq.scenario import Scenario
for line in sys.stdin:
    scenario = Scenario.from_json(line)
    print(json.dumps([CHANGE for operation, answer in zip(scenario.ops, scenario.run())]))
"""


@pytest.mark.parametrize(
    ("change", "length", "returned"),
    [
        ("not answer if operation[0] == 'cancel' else answer", 1, True),
        ("1 if answer is True else answer", 1, 1),
        ("0 if answer is False else answer", 1, 0),
        ("'' if answer is None else answer", 1, ""),
        ("1.0 if answer is True else answer", 1, 1.0),
        ("{'found': True} if answer is None else answer", 1, {"found": True}),
        ("{'error': 'x'} if answer is True else answer", 1, {"error": "x"}),
        ("[*answer, 0] if isinstance(answer, list) else answer", 2, ["a", "A", 1, 0]),
        ("[*answer[:2], True] if isinstance(answer, list) else answer", 2, ["a", "A", True]),
        ("dict(zip(['id', 'payload', 'attempt'], answer)) if isinstance(answer, list) else answer", 2, None),
        ("str(answer[2]) if isinstance(answer, list) else answer", 2, "1"),
    ],
)
def test_a_wrong_answer_is_found_at_its_shortest_length(report_on, change, length, returned):
    report = report_on(CHANGED.replace("CHANGE", change))
    assert len(report.difference.ops) == length
    assert report.shortest
    assert returned is None or same(report.difference.returned[-1], returned)
    with pytest.raises(AssertionError):
        report.to_test()()


def test_a_number_that_json_does_not_have_is_not_passed_on(report_on):
    assert not report_on("for line in sys.stdin: print('[' + ','.join(['NaN'] * line.count('[')) + ']')").conforms
    report = report_on("for line in sys.stdin: print('[' + ','.join(['NaN'] * len(json.loads(line)['ops'])) + ']')")
    assert not report.conforms


def test_a_late_fault_is_found_on_the_tour(report_on):
    late = "False if operation == ('ack', 'a', 5) else answer"
    world = World("retries", 1, (("a", "A"),), (1, 2, 3, 4, 5))
    report = report_on(CHANGED.replace("CHANGE", late), [world])
    assert len(report.difference.ops) == 11
    assert not report.shortest


def test_the_program_to_paste_fails_on_the_program_and_names_it(report_on):
    report = report_on(CHANGED.replace("CHANGE", "None"))
    names = {}
    exec(compile(str(report), "<pasted>", "exec"), names)
    [test] = [value for name, value in names.items() if name.startswith("test_")]
    with pytest.raises(AssertionError):
        test()


def test_a_strange_answer_does_not_break_the_program_to_paste(report_on):
    compile(str(report_on("print('\\x1b[31m\\rimport \\x0cnothing')")), "<pasted>", "exec")


# Programs that give no answers

SILENT = {
    "dies at once": ("sys.exit('no luck')", Died("the program ended with code 1: no luck")),
    "raises": ("raise KeyError('a')", Died("the program ended with code 1: KeyError: 'a'")),
    "ends in silence": ("", Died("the program ended with code 0")),
    "reads and says nothing": ("sys.stdin.read()", Died("the program ended with code 0")),
    "hangs": ("time.sleep(60)", Hung()),
    "closes its output and runs on": ("os.close(1); time.sleep(60)", Hung()),
    "prints rubbish": ("print('rubbish')", "rubbish"),
    "prints a banner": ("print('ready')" + LOOP, "ready"),
    "prints blank lines": ("print()" + LOOP, ""),
    "prints an object": ('print(\'{"error": "no"}\')', "error"),
    "prints a number": ("print(1)", "1"),
    "prints too few answers": (LOOP.replace("answers(line)", "answers(line)[1:]"), "[]"),
    "prints too many answers": (LOOP.replace("answers(line)", "[*answers(line), True]"), "[true, true]"),
    "prints bytes that are no text": ("sys.stdout.buffer.write(b'\\xff\\xfe\\n')", ""),
    "prints brackets without end": ("print('[' * 10_000)", "["),
    "floods with lines": ("while True: print('x' * 100)", "xxx"),
    "floods without a line end": ("while True: sys.stdout.write('x' * 1000)", "xxx"),
    "floods standard error and dies": ("sys.stderr.write('x\\n' * 100_000); sys.exit(2)", Died),
}


@pytest.mark.parametrize(("source", "answer"), SILENT.values(), ids=SILENT)
def test_a_program_that_gives_no_answers_is_reported(report_on, source, answer):
    report = report_on(source, patience=0.4 if answer == Hung() else PATIENCE)
    found = report.difference.returned[-1]
    if isinstance(answer, str):
        assert isinstance(found, Unreadable)
        assert answer in found.text
        assert len(found.text) < 200
    else:
        assert found == answer or type(found) is answer
    assert len(report.difference.ops) == 1
    with pytest.raises(AssertionError):
        report.to_test()()


def only_for(action, stop="print(json.dumps(answers(line)))"):
    return f"""
for line in sys.stdin:
    if '["cancel","a"],["reserve"]' in line:
        {action}
    {stop}
"""


@pytest.mark.parametrize(
    ("action", "kind"),
    [("sys.exit('boom')", Died), ("os._exit(7)", Died), ("sys.stdout.flush(); time.sleep(60)", Hung)],
)
@pytest.mark.parametrize("collect", [False, True], ids=["at once", "all at the end"])
def test_a_program_that_fails_on_one_scenario_is_reported_with_that_one(report_on, action, kind, collect):
    source = only_for(action)
    if collect:
        source = (
            "out = []\n" + only_for(action, stop="out.append(json.dumps(answers(line)))") + "print('\\n'.join(out))"
        )
    report = report_on(source)
    assert isinstance(report.difference.returned[-1], kind)
    assert report.difference.ops[-2:] == (("cancel", "a"), ("reserve",))
    assert not any("line to line" in note for note in report.notes)
    with pytest.raises(AssertionError):
        report.to_test()()


def test_a_program_that_keeps_state_from_line_to_line_is_told_so(report_on):
    report = report_on("""
from rq import Queue
queue = Queue(1)
for line in sys.stdin:
    for name, *arguments in (ops := json.loads(line)["ops"]):
        answer = getattr(queue, name)(*arguments)
    print(json.dumps([answer] * len(ops)))
""")
    assert not report.conforms
    assert any("line to line" in note for note in report.notes)


def test_a_program_that_leaves_a_child_behind_is_stopped(report_on, tmp_path):
    source = f"""
import subprocess
done = {str(tmp_path / "done")!r}
child = 'import time, sys; time.sleep(2.5); open(sys.argv[1], "w").close()'
subprocess.run([sys.executable, "-c", child, done])
"""
    assert report_on(source, patience=0.4).difference.returned == [Hung()]
    assert not (tmp_path / "done").exists()  # the report did not wait for the child


# Commands


@pytest.mark.parametrize("command", ["no-such-program", "./no-such-file --fast", "/"])
def test_a_command_that_cannot_be_started_raises(command):
    with pytest.raises(OSError, match=r"\w"):
        check_command(command)


@pytest.mark.parametrize("command", ["", "  ", "'unfinished"])
def test_what_is_no_command_raises(command):
    with pytest.raises(ValueError, match=r"\w"):
        check_command(command)


def test_a_program_that_answers_one_line_answers_the_line_of_the_report(report_on, write):
    report = report_on(CHANGED.replace("CHANGE", "not answer"))
    done = subprocess.run(
        [sys.executable, write("").split('"')[3]], input=report.scenario.to_json(), text=True, capture_output=True
    )
    assert done.returncode == 0
    assert [plain(answer) for answer in Scenario(1, report.difference.ops).run(Queue)] == report.difference.expected
