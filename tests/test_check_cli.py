"""`python -m rq check`: every kind of file and class; one line of JSON; exit codes; never a traceback."""

import json
import os
import subprocess
import sys

import pytest
from suite import ROOT

from rq.__main__ import main
from rq.loading import LoadError, load_class

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", "PYTHONUNBUFFERED": ""}
KEYS = {"conforms", "exhaustive", "capacity", "ops", "expected", "returned", "rule", "states", "seconds"}

BROKEN = """
class Mine:
    def __init__(self, capacity):
        pass

    def enqueue(self, id, payload):
        return True
"""


@pytest.fixture
def rq_check(tmp_path):
    """Write files into an empty folder and check something there: code, output, errors."""

    def run(*arguments, timeout=30, **files):
        for name, source in files.items():
            path = tmp_path / name.replace("__", "/")
            path = path if path.suffix else path.with_suffix(".py")
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(source if isinstance(source, bytes) else source.encode())
        done = subprocess.run(
            [sys.executable, "-m", "rq", "check", *arguments],
            cwd=tmp_path,
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout,
        )
        output, errors = (text.decode().replace("\r\n", "\n") for text in (done.stdout, done.stderr))
        assert "Traceback" not in errors
        return done.returncode, output, errors

    return run


@pytest.fixture
def refused(tmp_path, monkeypatch, capfd):
    """Check something that cannot be checked, in this process: the one line that says why."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])

    def run(*arguments, **files):
        for name, source in files.items():
            path = tmp_path / (name if "." in name else f"{name}.py")
            path.write_bytes(source if isinstance(source, bytes) else source.encode())
        code = main(["check", *arguments])
        output, errors = capfd.readouterr()
        assert (code, output) == (2, "")
        assert errors.startswith("rq: ")
        assert errors.count("\n") == 1
        return errors

    return run


# What a check prints


def test_a_broken_class_is_a_program_to_paste_and_exits_with_1(rq_check):
    code, output, errors = rq_check("mine.py:Mine", mine=BROKEN)
    assert (code, errors) == (1, "")
    compile(output, "<pasted>", "exec")


def test_json_is_one_line(rq_check):
    code, output, errors = rq_check("mine.py:Mine", "--json", mine=BROKEN)
    assert (code, errors) == (1, "")
    assert output.count("\n") == 1
    found = json.loads(output)
    assert set(found) == KEYS
    assert (found["conforms"], found["exhaustive"]) == (False, False)
    assert (found["capacity"], found["ops"]) == (0, [["enqueue", "a", "A"]])
    assert (found["expected"], found["returned"], found["rule"]) == ([False], [True], "E3")


def test_a_right_class_exits_with_0(rq_check):
    code, output, errors = rq_check("mine.py:Mine", "--json", mine="from rq import Queue as Mine")
    assert (code, errors) == (0, "")
    found = json.loads(output)
    assert (found["conforms"], found["exhaustive"], found["ops"], found["returned"]) == (True, True, None, None)


RAISES = "from rq import Queue\nclass Mine(Queue):\n    def reserve(self):\n        "


@pytest.mark.parametrize(
    ("body", "returned"),
    [
        ("raise KeyError('a')", {"raised": "KeyError('a')"}),
        ("while True: pass", {"hung": True}),
        ("raise SystemExit(0)", {"raised": "SystemExit(0)"}),
        ("exit()", {"raised": "SystemExit(None)"}),
        ("import os; print('x'); return input()", {"raised": "EOFError('a queue under check gets no input')"}),
        ("return False", False),
    ],
)
def test_what_is_no_answer_in_json(rq_check, body, returned):
    code, output, errors = rq_check("mine.py:Mine", "--json", mine=RAISES + body)
    assert (code, errors) == (1, "")
    assert json.loads(output)["returned"] == [returned]


# Files


def test_a_module_beside_the_file_can_be_imported(rq_check):
    files = {"sub__mine": "import helper\nMine = helper.Mine", "sub__helper": BROKEN}
    assert rq_check("sub/mine.py:Mine", **files)[0] == 1


def test_dataclasses_with_annotations_as_text_work(rq_check):
    lines = [
        "from __future__ import annotations",
        "from dataclasses import dataclass, field",
        "from typing import ClassVar",
        "@dataclass",
        "class Mine:",
        "    capacity: int",
        "    made: ClassVar[int] = 0",
        "    jobs: list = field(default_factory=list)",
    ]
    source = "\n".join(lines)
    code, output, _ = rq_check("mine.py:Mine", "--json", mine=source)
    assert code == 1
    assert "has no attribute 'enqueue'" in json.loads(output)["returned"][0]["raised"]


def test_what_a_file_prints_at_import_is_held_back(rq_check):
    code, output, errors = rq_check("mine.py:Mine", "--json", mine="print('hello')\n" + BROKEN)
    assert (code, errors) == (1, "")
    json.loads(output)


@pytest.mark.parametrize("first", ["", "from rq import Job\n", "print('hello')\n"], ids=["", "imports rq", "prints"])
def test_a_file_may_be_called_queue(rq_check, first):
    code, output, errors = rq_check("queue.py:Mine", "--json", queue=first + BROKEN)
    assert (code, errors) == (1, "")
    assert json.loads(output)["capacity"] == 0


def test_an_import_that_takes_its_time_is_waited_for(rq_check):
    source = "import time\ntime.sleep(2)  # as some libraries take\n" + BROKEN
    assert rq_check("mine.py:Mine", mine=source)[0] == 1


def test_what_a_function_makes_is_checked(rq_check):
    assert rq_check("mine.py:make", mine=BROKEN + "\ndef make(capacity):\n    return Mine(capacity)")[0] == 1


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def f(:\n    pass", "line 1: invalid syntax"),
        ("x = 1\nif x:\npass", "line 3"),
        ("x = '\\0", "line 1"),
        (b"x = 1\0\n", "null bytes"),
        (b"x = '\xff'\n", "utf-8"),
        ("x = 1\nx.y", "line 2: AttributeError"),
        ("import no_such_module", "line 1: ModuleNotFoundError"),
        ("from . import sibling", "line 1: ImportError"),
        ("raise SystemExit('bye')", "SystemExit('bye')"),
        ("import sys\nsys.exit()", "SystemExit"),
        ("input('name? ')", "EOFError"),
        ("raise ValueError('two\\nlines')", "ValueError"),
        ("class E(Exception):\n    def __repr__(self):\n        return 'two\\nlines'\nraise E", "line 4"),
        ("class E(Exception):\n    def __repr__(self):\n        raise E\nraise E", "E"),
        ("def f():\n    f()\nf()", "RecursionError"),
        ("while True:\n    pass", "does not come to its end"),
        ("x = 1", "no class Mine"),
        ("class Other:\n    pass", "no class Mine; it has Other"),
        ("Mine = 3", "not a class but int"),
        ("Mine = None", "not a class"),
    ],
)
def test_a_file_that_cannot_be_used_is_said_in_one_line(refused, source, said):
    line = refused("mine.py:Mine", mine=source)
    assert said in line
    assert "mine.py" in line
    assert "None:" not in line


@pytest.mark.parametrize(
    "target", ["mine.py", "mine.py:", ":Mine", "", "mine.py:Mine.Inner", "mine.py:Mine()", "other.py:Mine", "..:Mine"]
)
def test_what_is_no_target_is_said_in_one_line(refused, target):
    refused(target, mine=BROKEN)


def test_a_file_of_another_kind_is_said_in_one_line(refused):
    assert "not a Python file" in refused("mine.txt:Mine", **{"mine.txt": BROKEN})


@pytest.mark.parametrize("arguments", [(), ("mine.py:Mine", "--command", "x"), ("mine.py:Mine", "--limit", "3")])
def test_a_call_that_makes_no_sense_exits_with_2(rq_check, arguments):
    code, output, errors = rq_check(*arguments, mine=BROKEN)
    assert (code, output) == (2, "")
    assert errors


# Paths of Windows


@pytest.mark.parametrize("target", [r"C:\work\mine.py:Mine", "C:/work/mine.py:Mine"])
def test_a_drive_letter_belongs_to_the_file(target):
    file = target.removesuffix(":Mine")
    with pytest.raises(LoadError) as caught:
        load_class(target)
    assert str(caught.value) == f"there is no file {file}"


@pytest.mark.parametrize("target", [r"C:\work\mine.py", "C:/work/mine.py"])
def test_a_drive_letter_is_no_file(target):
    with pytest.raises(LoadError, match=r"expected FILE\.py:CLASS"):
        load_class(target)


# Programs


def test_a_program_is_checked(rq_check):
    command = f'"{sys.executable}" program.py'
    code, output, errors = rq_check("--command", command, "--json", program="print('[1]')")
    assert (code, errors) == (1, "")
    found = json.loads(output)
    assert (found["ops"], found["returned"], found["expected"]) == ([["enqueue", "a", "A"]], [1], [False])


@pytest.mark.parametrize("command", ["no-such-program", "", "'", "/", "./program.txt"])
def test_a_program_that_cannot_be_started_is_said_in_one_line(refused, command):
    refused("--command", command, **{"program.txt": "x"})


def test_json_of_a_program_that_says_nan_is_valid(rq_check):
    command = f'"{sys.executable}" program.py'
    _, output, _ = rq_check("--command", command, "--json", program="print('[NaN]')")

    def refuse(text):
        pytest.fail(f"{text} is no JSON")

    json.loads(output, parse_constant=refuse)
