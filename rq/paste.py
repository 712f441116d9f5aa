"""A counterexample as a program: a pytest function to paste into a file of tests."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from rq.answers import same, show, show_call
from rq.scenario import Scenario
from rq.search import Difference, expected_answers


def class_test(name: str, difference: Difference) -> str:
    """A counterexample as a pytest function that can be pasted into a file of tests."""
    name = name if name.isidentifier() else "MyQueue"
    if not difference.ops:
        made = f"    q = {name}({difference.capacity})  # it gave: {show(difference.returned[0])}"
        return f"def {test_name(name)}():\n{made}"
    lines = _lines(name, difference)
    imports = f"{_ANSWERS}\n\n\n" if _needs_answers(lines) else ""
    return f"{imports}def {test_name(name)}():\n" + "\n".join(lines)


def scenario_test(scenario: Scenario) -> str:
    """Any scenario as a whole file: a pytest function that asks `rq`'s Queue for the contract's answers."""
    expected = expected_answers(scenario.capacity, scenario.ops)
    lines = _lines("Queue", Difference(scenario.capacity, scenario.ops, expected, expected, None))
    imports = ["from rq import Queue", *([_ANSWERS] if _needs_answers(lines) else [])]
    return "\n".join([*imports, "", "", "def test_scenario():", *lines, ""])


_ANSWERS = "from rq.answers import plain, same"


def _needs_answers(lines: Sequence[str]) -> bool:
    return any("same(plain(" in line for line in lines)


def _lines(name: str, difference: Difference) -> list[str]:
    """The body of the test: the queues are made, and each call is asserted."""
    lines = [f"    q = {name}({difference.capacity})"]
    count = 1
    queue = "q"
    for operation, expected, answer in zip(difference.ops, difference.expected, difference.returned, strict=True):
        if operation[0] == "new":
            queue, count = f"q{count}", count + 1
            lines.append(f"    {queue} = {name}({difference.capacity})")
        elif operation[0] == "use":
            queue = f"q{operation[1]}" if operation[1] else "q"
        else:
            call = f"{queue}.{show_call(operation)}"
            wanted = f"same(plain({call}), {expected})" if isinstance(expected, list) else f"{call} is {expected}"
            gave = "" if same(answer, expected) else f"  # it gave: {show(answer)}"
            lines.append(f"    assert {wanted}{gave}")
    return lines


def command_test(words: Sequence[str], difference: Difference) -> str:
    """The counterexample of a program in any language as a pytest function that runs it."""
    line = Scenario(difference.capacity, difference.ops).to_json()
    command = words[0] if len(words) == 1 else list(words)
    return f"""import json
import subprocess


def {test_name(words[0])}():
    line = {line!r}
    run = subprocess.run({command!r}, input=line + "\\n", capture_output=True, text=True, timeout=10)
    answers = json.dumps(json.loads(run.stdout))  # as text, since 1 == True in Python
    # at the last call it gave: {show(difference.returned[-1])}
    assert answers == {json.dumps(difference.expected)!r}"""


def test_name(name: str) -> str:
    """A name for the test of `name`."""
    word = re.sub(r"\W+", "_", re.split(r"[/\\]", name)[-1]).strip("_").lower()
    return f"test_{word or 'queue'}"
