"""The command line: each line is answered as it is read, faults in place, and no input shows a traceback."""

import contextlib
import json
import os
import subprocess
import sys
import threading
import tracemalloc

import pytest
from suite import ROOT

import rq.cli
from rq import EXAMPLES, trace

RUN = [sys.executable, "-m", "rq"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", "PYTHONUNBUFFERED": ""}

posix = pytest.mark.skipif(os.name != "posix", reason="Windows closes streams in another way")

GOOD = '{"capacity":1,"ops":[["enqueue","a","A"],["reserve"]]}'
ANSWER = [True, ["a", "A", 1]]
BROKEN = '{"capacity":1,'


@pytest.fixture
def rq_run(tmp_path):
    """Run a command in an empty folder: `rq_run("run", "-", source=b"...")` gives code, output, errors."""

    def run(*arguments, source=b"", **more):
        source = source.encode() if isinstance(source, str) else source
        more = {"env": ENVIRONMENT, "cwd": tmp_path, "timeout": 60, **more}
        done = subprocess.run([*RUN, *arguments], input=source, capture_output=True, **more)
        assert b"Traceback" not in done.stderr
        output, errors = (text.decode().replace("\r\n", "\n") for text in (done.stdout, done.stderr))
        return done.returncode, output, errors

    return run


def answers(output) -> list:
    """The lines of the output as values; the place of a fault holds the word "error"."""
    values = [json.loads(line) for line in output.splitlines()]
    return ["error" if isinstance(value, dict) and list(value) == ["error"] else value for value in values]


# Commands and exit codes


def test_examples_prints_the_four_with_their_expected_outputs(rq_run):
    code, output, errors = rq_run("examples")
    assert (code, errors) == (0, "")
    assert [json.loads(line) for line in output.splitlines()] == [
        {"name": example.name, "input": example.scenario.to_dict(), "expected": example.expected}
        for example in EXAMPLES.values()
    ]


def test_run_answers_a_file(rq_run, tmp_path):
    (tmp_path / "one.json").write_text(GOOD)
    code, output, errors = rq_run("run", "one.json")
    assert (code, answers(output), errors) == (0, [ANSWER], "")


def test_run_answers_standard_input(rq_run):
    code, output, errors = rq_run("run", "-", source=GOOD)
    assert (code, answers(output), errors) == (0, [ANSWER], "")


def test_trace_prints_the_readable_trace(rq_run):
    example = EXAMPLES["fifo"]
    code, output, _ = rq_run("run", "--trace", "-", source=example.scenario.to_json())
    assert code == 0
    said = str(trace(example.scenario)).splitlines()
    assert output.splitlines()[1 : len(said)] == said[1:]  # the title is not part of the JSON


def test_trace_shows_a_fault_in_place(rq_run):
    code, output, _ = rq_run("run", "--trace", "-", source=f"{GOOD}\n[]\n{GOOD}")
    assert code == 1
    first, fault, last = output.strip().split("\n\n")
    assert first == last
    assert fault.startswith("error: a scenario must be an object")


def test_a_terminal_without_the_letters_shows_question_marks(rq_run):
    ascii_only = {**ENVIRONMENT, "PYTHONIOENCODING": "ascii"}
    code, output, _ = rq_run("run", "--trace", "-", source=GOOD, env=ascii_only)
    assert code == 0
    assert 'a ? "A" ? attempt 1' in output


@pytest.mark.parametrize(
    "arguments",
    [(), ("run",), ("walk",), ("run", "a", "b"), ("run", "--fast", "-"), ("run", "no-such-file"), ("run", "")],
)
def test_a_call_that_makes_no_sense_exits_with_2(rq_run, arguments):
    code, output, errors = rq_run(*arguments)
    assert (code, output) == (2, "")
    assert errors


def test_a_directory_exits_with_2_and_one_line(rq_run):
    code, output, errors = rq_run("run", ".")
    assert (code, output) == (2, "")
    assert errors.startswith("rq: cannot read .: ")
    assert errors.count("\n") == 1


@posix
def test_standard_input_that_is_closed_exits_with_2(rq_run):
    code, output, errors = rq_run("run", "-", source=None, preexec_fn=lambda: os.close(0))
    assert (code, output) == (2, "")
    assert errors


# JSON Lines


def test_lines_are_answered_in_order_with_errors_in_place(rq_run):
    code, output, errors = rq_run("run", "-", source=f"{GOOD}\nx\n{GOOD}\n[]\n{GOOD}\n")
    assert (code, errors) == (1, "")
    assert answers(output) == [ANSWER, "error", ANSWER, "error", ANSWER]


def test_an_error_is_one_sentence_with_its_place(rq_run):
    ops = [*[["reserve"]] * 5, ["ack", "a", "1"]]
    code, output, _ = rq_run("run", "-", source=json.dumps({"capacity": 1, "ops": ops}))
    assert code == 1
    assert json.loads(output) == {"error": 'ops[5]: attempt must be a whole number from 0 to 64, not "1"'}


def test_a_scenario_over_several_lines_is_one_scenario(rq_run):
    code, output, _ = rq_run("run", "-", source=json.dumps(json.loads(GOOD), indent=2))
    assert (code, answers(output)) == (0, [ANSWER])


@pytest.mark.parametrize("broken", [BROKEN, "{", "x", "[", '{"capacity":1,"ops":[["reserve"'])
def test_a_broken_first_line_costs_no_more_than_itself(rq_run, broken):
    code, output, _ = rq_run("run", "-", source=f"{broken}\n{GOOD}\n{GOOD}\n")
    assert (code, answers(output)) == (1, ["error", ANSWER, ANSWER])


def test_line_ends_of_windows_and_blank_lines_do_no_harm(rq_run):
    code, output, _ = rq_run("run", "-", source=f"\r\n{GOOD}\r\n\r\n   \n{GOOD}\r\n\n")
    assert (code, answers(output)) == (0, [ANSWER, ANSWER])
    pretty = json.dumps(json.loads(GOOD), indent=2).replace("\n", "\r\n")
    assert answers(rq_run("run", "-", source=pretty)[1]) == [ANSWER]


@pytest.mark.parametrize("source", ["", "\n\n", "  \r\n"])
def test_an_empty_file_has_no_answers(rq_run, source):
    assert rq_run("run", "-", source=source) == (0, "", "")


def test_a_last_line_without_an_end_is_answered(rq_run):
    assert answers(rq_run("run", "-", source=f"{GOOD}\n{GOOD}")[1]) == [ANSWER, ANSWER]


# Nasty input

NASTY = {
    "utf-16": GOOD.encode("utf-16"),
    "byte-order mark": b"\xef\xbb\xbf" + GOOD.encode(),
    "no text": bytes(range(256)),
    "zeros": b"\0" * 1_000,
    "deep": b"[" * 100_000,
    "deep objects": b'{"a":' * 100_000,
    "long number": b"9" * 5_000,
    "long first number": b'{"capacity":%s,"ops":[]}' % (b"9" * 5_000),
    "a line over 1 MiB": b'{"capacity":1,"ops":[%s]}' % (b" " * (1 << 20)),
    "lone surrogate": b'{"capacity":1,"ops":[["cancel","\\ud800"]]}',
    "NaN": b'{"capacity":NaN,"ops":[]}',
    "repeated key": b'{"capacity":1,"capacity":1,"ops":[]}',
}


@pytest.mark.parametrize("source", NASTY.values(), ids=NASTY)
def test_nasty_input_gives_errors_and_the_next_line_is_answered(rq_run, source):
    code, output, errors = rq_run("run", "-", source=source + b"\n" + GOOD.encode() + b"\n")
    assert (code, errors) == (1, "")
    *faults, last = answers(output)
    assert set(faults) == {"error"}
    assert last == ANSWER


def test_nasty_input_is_readable_too(rq_run):
    code, output, errors = rq_run("run", "--trace", "-", source=b"\n".join(NASTY.values()))
    assert (code, errors) == (1, "")
    assert output.count("error: ") >= len(NASTY)


# Streams


@pytest.fixture
def process(tmp_path):
    """`run -` with its pipes open; it is stopped after a while, so that a missing answer fails the test."""
    command = [*RUN, "run", "-"]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, cwd=tmp_path, env=ENVIRONMENT, **pipes) as process:
        guard = threading.Timer(60, process.kill)
        guard.start()
        yield process
        guard.cancel()
        process.kill()


def test_each_answer_is_written_before_the_next_line_is_read(process):
    for source, answer in [(GOOD, ANSWER), ("x", "error"), (GOOD, ANSWER)]:
        process.stdin.write(source.encode() + b"\n")
        process.stdin.flush()
        assert answers(process.stdout.readline().decode()) == [answer]
    process.stdin.close()
    assert process.wait() == 1


@posix
@pytest.mark.parametrize("arguments", [("examples",), ("run", "lines.json"), ("run", "--trace", "lines.json")])
def test_a_reader_that_has_enough_ends_it_quietly(tmp_path, arguments):
    (tmp_path / "lines.json").write_text(f"{GOOD}\n" * 100)
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [*RUN, *arguments], cwd=tmp_path, env=ENVIRONMENT, stdout=writer, stderr=subprocess.PIPE, timeout=60
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize("arguments", [("examples",), ("run", "one.json"), ("run", "-")])
def test_output_that_cannot_be_written_is_said_in_one_line(tmp_path, arguments):
    (tmp_path / "one.json").write_text(GOOD)
    with open("/dev/full", "wb") as full:
        streams = {"input": GOOD.encode(), "stdout": full, "stderr": subprocess.PIPE}
        done = subprocess.run([*RUN, *arguments], cwd=tmp_path, env=ENVIRONMENT, timeout=60, **streams)
    assert done.returncode != 0
    assert b"Traceback" not in done.stderr
    assert done.stderr.startswith(b"rq: ")
    assert b"cannot read" not in done.stderr
    assert done.stderr.count(b"\n") == 1


class ManyLines:
    """A long file that is never in memory: so many copies of one line."""

    def __init__(self, line: str, count: int) -> None:
        self.line, self.left = line.encode() + b"\n", count

    def readline(self, limit=-1):
        self.left -= 1
        return self.line if self.left >= 0 else b""


class LineCounter:
    """Standard output that only counts."""

    lines = 0

    def write(self, text):
        self.lines += text.count("\n")

    def flush(self):
        pass


def test_a_long_file_needs_little_memory():
    counter = LineCounter()
    tracemalloc.start()
    try:
        with contextlib.redirect_stdout(counter):
            assert rq.cli.run(ManyLines('{"capacity":0,"ops":[]}', 20_000), False) == 0
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert counter.lines == 20_000
    assert peak < 100_000  # bytes; the answers alone would be more


def test_lines_after_a_broken_first_line_are_each_measured_few_times(monkeypatch):
    measured = 0

    def counting_len(value):
        nonlocal measured
        measured += 1
        return len(value)

    monkeypatch.setattr(rq.cli, "len", counting_len, raising=False)
    assert sum(1 for _ in rq.cli.documents(ManyLines("[", 1_000))) == 1
    assert measured <= 10 * 1_000
