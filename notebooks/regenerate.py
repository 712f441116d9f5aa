"""Run every notebook and store its outputs in the form we commit: `python notebooks/regenerate.py [NAME ...]`.

Edit a notebook in JupyterLab, save it, run this, and commit. A stored widget is of no use without
its kernel ("Error displaying widget"), so only its static HTML is kept.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat.reader import NotJSONError

FOLDER = Path(__file__).parent
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def regenerate(path: Path) -> None:
    """Run one notebook from top to bottom and write it back with clean outputs."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook, timeout=120, record_timing=False, resources={"metadata": {"path": str(path.parent)}}
    ).execute()
    clean(notebook)
    nbformat.write(notebook, path)


def clean(notebook: nbformat.NotebookNode) -> None:
    """Drop what depends on the machine or on a live kernel."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        cell.metadata = {key: cell.metadata[key] for key in ("tags", "jupyter") if key in cell.metadata}
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            data.pop(WIDGET_VIEW, None)
            if "text/plain" in data:  # a memory address would differ each time
                data["text/plain"] = re.sub(r"\b0x[0-9a-f]{6,16}\b", "0x000000000000", data["text/plain"])


def main(names: list[str]) -> int:
    """Regenerate the named notebooks, or all; 1 if one of them fails."""
    os.environ["RQ_PROGRESS"] = "0"  # the kernels inherit it: how far a check has come is no output to keep
    paths = [FOLDER / f"{Path(name).stem}.ipynb" for name in names] or sorted(FOLDER.glob("*.ipynb"))
    for path in paths:
        if not path.exists():
            print(f"there is no notebook {path.name} in {FOLDER}")
            return 1
        print(path.name, end=" ", flush=True)
        try:
            regenerate(path)
        except NotJSONError:
            print("is no notebook: it cannot be read as JSON")
            return 1
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            print(f"failed; it was left as it is\n{error}")
            return 1
        print("ok")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
