"""The four published examples give the published outputs, whichever way one runs them."""

import json
import subprocess
import sys

import pytest
from suite import QUEUE_CLASSES, ROOT, html_text

from rq import EXAMPLES, Scenario, trace
from rq.answers import show
from rq.widgets import Stepper

# As the exercise prints them, not as rq/examples.py does.
PUBLISHED = {
    "fifo": (
        '{"capacity":2,"ops":[["enqueue","a","A"],["enqueue","b","B"],["reserve"],["reserve"],["reserve"],'
        '["ack","a",1],["ack","b",1]]}',
        '[true,true,["a","A",1],["b","B",1],null,true,true]',
    ),
    "retry fences old attempt": (
        '{"capacity":1,"ops":[["enqueue","a","A"],["reserve"],["retry","a",1],["reserve"],["ack","a",1],'
        '["retry","a",1],["ack","a",2]]}',
        '[true,["a","A",1],true,["a","A",2],false,false,true]',
    ),
    "in flight capacity": (
        '{"capacity":1,"ops":[["enqueue","a","A"],["reserve"],["enqueue","b","B"],["ack","a",1],'
        '["enqueue","b","B"],["reserve"]]}',
        '[true,["a","A",1],false,true,true,["b","B",1]]',
    ),
    "cancel keeps id reserved": (
        '{"capacity":2,"ops":[["enqueue","a","A"],["enqueue","b","B"],["cancel","a"],["enqueue","a","replacement"],'
        '["reserve"],["cancel","b"],["ack","b",1],["reserve"]]}',
        '[true,true,true,false,["b","B",1],true,false,null]',
    ),
}

each = pytest.mark.parametrize("name", PUBLISHED)


def compact(value) -> str:
    return json.dumps(value, separators=(",", ":"))


def test_there_are_four_in_the_published_order():
    assert list(EXAMPLES) == list(PUBLISHED)


@each
def test_an_example_holds_the_published_text(name):
    source, output = PUBLISHED[name]
    assert EXAMPLES[name].scenario.to_json() == source
    assert compact(EXAMPLES[name].expected) == output


@each
@pytest.mark.parametrize("queue_class", QUEUE_CLASSES)
def test_a_queue_gives_the_published_output(name, queue_class):
    source, output = PUBLISHED[name]
    assert compact(Scenario.from_json(source).run(queue_class)) == output
    assert compact(trace(Scenario.from_json(source), queue_class).answers) == output


def test_the_command_line_gives_the_published_outputs(tmp_path):
    lines = "\n".join(source for source, _ in PUBLISHED.values())
    run = subprocess.run(
        [sys.executable, "-m", "rq", "run", "-"],
        input=lines,
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
        check=True,
    )
    assert [compact(json.loads(line)) for line in run.stdout.splitlines()] == [
        output for _, output in PUBLISHED.values()
    ]


@each
def test_the_stepper_shows_the_published_output(name):
    source, output = PUBLISHED[name]
    stepper = Stepper(source)
    for expected in json.loads(output):
        stepper.next.click()
        assert f"→ {show(expected)}" in html_text(stepper.view.value)
        short = f"{expected[0]}#{expected[2]}" if isinstance(expected, list) else str(expected)
        assert stepper.calls.options[stepper.index].endswith(f"\u00a0{short}")
    assert stepper.index == stepper.slider.max
