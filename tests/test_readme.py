"""What the README promises is there: commands, files, and a map that names every part of the package."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_two_commands_do_all_the_set_up_on_both_kinds_of_system():
    for end in ("jupyter lab notebooks/00_start_here.ipynb", "pytest"):
        unix = f"python3 -m venv --upgrade-deps .venv && .venv/bin/pip install -r requirements.txt && .venv/bin/{end}"
        assert f"\n{unix}\n" in README
        windows = end.replace("/", "\\")
        assert f".venv\\Scripts\\python -m pip install -r requirements.txt && .venv\\Scripts\\{windows}" in README


def test_pictures_and_links_lead_to_files():
    targets = re.findall(r"\]\(([^)#:]+)\)", README)
    assert targets
    for target in targets:
        assert (ROOT / target).exists(), target


def test_the_readme_lists_every_notebook():
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        assert f"`{path.stem}`" in README


def test_the_map_names_every_module():
    for path in (ROOT / "rq").iterdir():
        if path.suffix == ".py" and path.stem != "__init__":
            assert f"`rq/{path.name}`" in README
        if path.is_dir() and path.name != "__pycache__":
            assert f"`rq/{path.name}/`" in README


def test_the_numbers_come_with_the_commands_that_made_them():
    numbers = README.partition("## Numbers")[2]
    for command in ("python tests/benchmark.py", "python tests/compare_with_hypothesis.py"):
        assert command in numbers
        assert (ROOT / command.split()[1]).exists()
    assert numbers.count("\n|--") == 9  # the tables


def test_the_readme_warns_of_the_other_rq():
    assert "Do not `pip install rq`" in README


def test_each_file_of_the_map_imports_only_from_files_above_it():
    """What a function imports late, and what is for types only, does not count."""
    package = ROOT / "rq"
    rows = re.findall(r"^\| (`rq/.*?) \|", README, re.M)
    place = {name: number for number, row in enumerate(rows) for name in re.findall(r"`rq/([a-z_]+)(?:\.py|/)`", row)}
    for path in package.rglob("*.py"):
        name = path.relative_to(package).parts[0].removesuffix(".py")
        for line in path.read_text(encoding="utf-8").splitlines():
            imported = re.match(r"(?:from|import) rq\.([a-z_]+)", line)
            if imported and name != "__init__":
                assert place[imported.group(1)] <= place[name], f"{name} imports {imported.group(1)}"
