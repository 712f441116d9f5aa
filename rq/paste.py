"""A counterexample as a program: a pytest function to paste into a file of tests."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from rq.answers import same, show, show_call
from rq.scenario import Scenario
from rq.search import Difference


def class_test(name: str, difference: Difference) -> str:
    """A counterexample as a pytest function that can be pasted into a file of tests."""
    name = name if name.isidentifier() else "MyQueue"
    test, made = test_name(name), f"q = {name}({difference.capacity})"
    if not difference.ops:
        return f"def {test}():\n    {made}  # it gave: {show(difference.returned[0])}"
    lines = [f"    {made}"]
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
    imports = "from rq.answers import plain, same\n\n\n" if any("plain(" in line for line in lines) else ""
    return f"{imports}def {test}():\n" + "\n".join(lines)


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
