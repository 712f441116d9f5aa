"""Guard: code under check may raise, print, ask for input or never come back; what it disturbed is put back."""

import builtins
import io
import signal
import subprocess
import sys
import threading
import time
import warnings

import pytest
from suite import ROOT

import rq.guard
from rq import Job
from rq.answers import Hung, Raised, Unreadable
from rq.guard import Guard

site_exit = builtins.exit

timer = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no interval timer")


@pytest.fixture(autouse=True)
def _little_patience(monkeypatch):
    monkeypatch.setattr(rq.guard, "TICK", 0.02)
    monkeypatch.setattr(rq.guard, "MOST_LINES", 20_000)


def called(function, *arguments):
    with Guard() as guard:
        return guard.call(function, *arguments)


def raising(error):
    def function():
        raise error

    return function


# Answers


@pytest.mark.parametrize(
    ("answer", "plain"),
    [
        (True, True),
        (None, None),
        (1, Unreadable("1")),
        ("a", Unreadable("'a'")),
        (Job("a", "A", 1), ["a", "A", 1]),
        (("a", "A", 1), ["a", "A", 1]),
        (["a", "A", 1], ["a", "A", 1]),
    ],
)
def test_an_answer_comes_back_in_plain_form(answer, plain):
    given = called(lambda: answer)
    assert (type(given), given) == (type(plain), plain)


class BadRepr:
    def __repr__(self):
        raise RuntimeError("no repr")


class BadAttribute:
    payload, attempt = "A", 1

    @property
    def id(self):
        raise RuntimeError("no id")


@pytest.mark.parametrize("answer", [BadRepr(), BadAttribute()])
def test_an_answer_that_cannot_be_looked_at_counts_as_raised(answer):
    assert isinstance(called(lambda: answer), Raised)


class BadError(Exception):
    def __repr__(self):
        raise RuntimeError("no repr")


class ErrorOfItsOwn(BaseException):
    pass


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (KeyError("a"), "KeyError('a')"),
        (SystemExit(3), "SystemExit(3)"),
        (GeneratorExit(), "GeneratorExit()"),
        (StopIteration(1), "StopIteration(1)"),
        (ErrorOfItsOwn(), "ErrorOfItsOwn()"),
        (BadError(), "BadError"),
        (ValueError(Guard), "ValueError(<class 'rq.guard.Guard'>)"),
    ],
)
def test_an_exception_becomes_its_text(error, text):
    assert called(raising(error)) == Raised(text)


def test_the_text_holds_no_address_and_is_not_endless():
    assert "0x" not in called(raising(ValueError(object()))).error
    assert len(called(raising(ValueError("x" * 10_000))).error) <= 200


def test_recursion_without_end_is_an_exception():
    def again():
        return again()

    assert called(again).error.startswith("RecursionError")


def test_an_interrupt_passes_through():
    out = sys.stdout
    with pytest.raises(KeyboardInterrupt):
        called(raising(KeyboardInterrupt()))
    assert sys.stdout is out


# What it prints and asks


def test_what_is_printed_is_held_back_and_counted(capsys):
    with Guard() as guard:
        guard.call(print, "first\nsecond")
        guard.call(lambda: print("to standard error", file=sys.stderr))
        guard.call(print)
        guard.call(sys.stdout.writelines, ["a", "b"])
        guard.call(sys.stdout.flush)
    assert guard.printed == 4
    assert guard.first_printed == "first"
    assert capsys.readouterr() == ("", "")


def test_input_is_refused():
    assert called(lambda: input("name? ")) == Raised("EOFError('a queue under check gets no input')")


@pytest.mark.filterwarnings("error")
def test_warnings_are_silent():
    assert called(warnings.warn, "old") is None


def test_exit_does_not_close_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("the user's"))
    assert called(site_exit).error.startswith("SystemExit")
    assert sys.stdin.read() == "the user's"


def test_everything_is_put_back():
    def disturb():
        sys.stdout = sys.stderr = builtins.input = None

    before = [sys.stdout, sys.stderr, builtins.input, sys.gettrace(), warnings.filters]
    with Guard() as guard:
        guard.call(disturb)
        guard.call(raising(SystemExit()))
    after = [sys.stdout, sys.stderr, builtins.input, sys.gettrace(), warnings.filters]
    assert all(one is other for one, other in zip(before, after, strict=True))


@timer
def test_the_timer_and_its_handler_are_put_back():
    def mine(signum, frame):
        pass

    before = signal.signal(signal.SIGALRM, mine)
    try:
        called(loop)
        assert signal.getsignal(signal.SIGALRM) is mine
        assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    finally:
        signal.signal(signal.SIGALRM, before)


# Calls that do not end


def loop():
    while True:
        pass


def wait():
    time.sleep(60)


def deadlock():
    lock = threading.Lock()
    with lock, lock:
        pass


def hold_on():
    while True:
        try:
            x = 1
        except BaseException:
            x = 2
        del x


def hold_on_to_the_end():
    while True:
        try:
            x = 1
        finally:
            continue  # noqa: B012
        del x


def pull():
    def numbers():
        while True:
            yield 1

    return sum(numbers())


@timer
@pytest.mark.parametrize("function", [loop, wait, deadlock, hold_on, hold_on_to_the_end, pull])
def test_a_call_that_does_not_end_is_stopped_and_the_next_one_is_made(function):
    trace = sys.gettrace()
    with Guard() as guard:
        assert guard.call(function) == Hung()
        assert guard.call(lambda: True) is True
    assert sys.gettrace() is trace


def in_thread(function):
    answers = []
    thread = threading.Thread(target=lambda: answers.append(called(function)), daemon=True)
    thread.start()
    thread.join(10)
    return answers


@pytest.mark.parametrize("function", [loop, hold_on, pull])
def test_in_another_thread_its_lines_are_counted(function):
    assert in_thread(function) == [Hung()]
    assert in_thread(lambda: True) == [True]
    assert in_thread(raising(KeyError("a"))) == [Raised("KeyError('a')")]


STUBBORN = """
import time
import rq.guard
rq.guard.TICK = 0.02

def poll():
    try:
        {call}
    except BaseException:
        pass

def hold_on():
    while True:
        try:
            poll()
        except BaseException:
            pass

with rq.guard.Guard() as guard:
    answers = [guard.call({function}), guard.call(lambda: True)]
print(answers)
"""


@timer
@pytest.mark.parametrize(
    ("function", "call"),
    [
        ("hold_on", "x = 1"),
        ("hold_on", "time.sleep(0.001)"),
        ("lambda: [poll() for number in iter(int, 1)]", "time.sleep(0.001)"),
    ],
    ids=["in two places", "in two places, asleep", "in one place, asleep"],
)
def test_a_call_that_swallows_every_exception_is_stopped(function, call):
    program = STUBBORN.format(function=function, call=call)
    try:
        done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=3)
    except subprocess.TimeoutExpired:
        pytest.fail("the call was not stopped")
    assert done.stdout == "[Hung(), True]\n"
