"""The shape of the house: imports point downward, the core needs the standard library alone, files stay short."""

import ast
import re
import subprocess
import sys
from graphlib import TopologicalSorter

import pytest
from benchmarks.libraries import LIBRARIES
from suite import ROOT

import rq

PACKAGE = ROOT / "rq"
FILES = sorted(PACKAGE.rglob("*.py"))

ORDER = [
    *("state", "answers", "queue", "contract", "scenario", "examples"),
    *("trace", "tables", "html", "beyond", "widgets", "__main__"),
]
"""The rooms from the ground up. A room not named here may stand anywhere, if no import goes in a circle."""


def room(path) -> str:
    """`rq/widgets/stepper.py` is in the room widgets."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def is_for_types_only(node) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def imported(node, late: bool) -> set[str]:
    """The modules that the code below `node` imports, by full name; `late`: also those that a function imports."""
    if is_for_types_only(node) or (isinstance(node, ast.FunctionDef) and not late):
        return set()
    names = set()
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            names.update(alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, "we import by full names"
            from_rq = child.module == "rq"
            names.update(f"rq.{alias.name}" for alias in child.names) if from_rq else names.add(child.module)
        else:
            names |= imported(child, late)
    return names


def imports_of(path, late: bool = True) -> set[str]:
    return imported(ast.parse(path.read_text(encoding="utf-8")), late)


def in_python(program) -> str:
    """What a program prints in a fresh Python."""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))


def test_import_rq_loads_the_standard_library_only():
    program = "import sys; before = set(sys.modules); import rq; print(*sorted(set(sys.modules) - before))"
    tops = {name.split(".")[0] for name in in_python(program).split()}
    assert "rq" in tops
    others = {top for top in tops - {"rq"} if not top.startswith("_sysconfigdata")}  # its full name differs by machine
    assert others <= sys.stdlib_module_names


def test_the_command_line_loads_neither_pandas_nor_ipywidgets():
    program = "import sys, rq.__main__; print(*sys.modules)"
    assert {"pandas", "ipywidgets"}.isdisjoint(in_python(program).split())


def test_names_that_need_more_are_loaded_on_first_use():
    program = "import sys, rq; rq.state_table; print('pandas' in sys.modules, 'ipywidgets' in sys.modules)"
    assert in_python(program) == "True False\n"
    assert in_python("import rq; rq.Stepper, rq.Predict") == ""


def test_every_public_name_is_there():
    assert sorted(rq.__all__) == sorted(set(rq.__all__)) == dir(rq)
    assert all(getattr(rq, name) is not None for name in rq.__all__)


def test_a_name_that_is_not_there_says_so():
    with pytest.raises(AttributeError, match="module 'rq' has no attribute 'Quue'"):
        rq.Quue  # noqa: B018


def rooms_below() -> dict[str, set[str]]:
    """For each room, the other rooms that are loaded with it."""
    below = {}
    for path in set(FILES) - {PACKAGE / "__init__.py"}:
        names = [name.split(".")[1] for name in imports_of(path, late=False) if name.startswith("rq.")]
        below.setdefault(room(path), set()).update(set(names) - {room(path)})
    return below


def test_no_import_goes_in_a_circle():
    assert set(TopologicalSorter(rooms_below()).static_order()) >= set(ORDER)


@pytest.mark.parametrize("name", ORDER)
def test_imports_point_downward(name):
    reached, below = set(), rooms_below()
    todo = [name]
    while todo:
        found = below[todo.pop()] - reached
        reached |= found
        todo += found
    assert reached.isdisjoint(ORDER[ORDER.index(name) :])


@each_file
def test_every_module_has_a_docstring_and_at_most_300_lines(path):
    source = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(source))
    assert len(source.splitlines()) <= 300


@each_file
def test_pandas_and_ipywidgets_are_imported_in_one_room_each(path):
    tops = {name.split(".")[0] for name in imports_of(path)}
    assert "pandas" not in tops or path == PACKAGE / "tables.py"
    assert "ipywidgets" not in tops or room(path) == "widgets"


@each_file
def test_nothing_else_is_needed(path):
    tops = {name.split(".")[0] for name in imports_of(path)}
    assert tops - {"rq", "pandas", "ipywidgets", "IPython"} <= sys.stdlib_module_names


def requirements(text) -> set[str]:
    """The lines that ask for a package, without comments."""
    return {line.split("#")[0].strip() for line in text.splitlines()} - {""}


def test_the_two_lists_of_packages_are_the_same():
    conda = (ROOT / "environment.yml").read_text(encoding="utf-8")
    listed = set(re.findall(r"^ +- (\S.*)$", conda.split("dependencies:")[1], re.M))
    only_conda = {"python>=3.11", "pip", "pip:"}
    assert only_conda <= listed
    assert listed - only_conda == requirements((ROOT / "requirements.txt").read_text(encoding="utf-8"))
    assert 'requires-python = ">=3.11"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_every_package_has_a_lower_bound():
    for file in ("requirements.txt", "tests/requirements.txt", "tests/benchmark_requirements.txt"):
        for line in requirements((ROOT / file).read_text(encoding="utf-8")) - {"-e ."}:
            assert re.fullmatch(r"[a-z-]+>=[\d.]+", line), line


def test_the_second_list_holds_only_tools_that_ci_needs():
    names = {line.split(">=")[0] for line in requirements((ROOT / "tests" / "requirements.txt").read_text())}
    assert names <= {"playwright", "axe-playwright-python", "notebook", "ruff", "mypy", "pandas-stubs"}


def test_what_only_the_benchmark_needs_stands_in_its_own_list_alone():
    needed = requirements((ROOT / "tests" / "benchmark_requirements.txt").read_text(encoding="utf-8"))
    assert {line.split(">=")[0] for line in needed} == {library.package for library in LIBRARIES if library.package}
    others = [(ROOT / file).read_text(encoding="utf-8") for file in ("requirements.txt", "tests/requirements.txt")]
    assert needed.isdisjoint(set().union(*map(requirements, others)))
