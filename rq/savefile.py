"""A file that keeps a history: written whole or not at all, and never over something else."""

from __future__ import annotations

import json
import os
import shutil
import stat
from pathlib import Path

from rq.history import History
from rq.scenario import ScenarioError, parse_json

MOST_BYTES = 20_000_000


class SaveError(Exception):
    """The history cannot be read or written. The message is one sentence."""


class SaveFile:
    """Keeps a history in a file. A crash leaves the old file or the new one, never half of it.

    A file that holds something else, or that somebody else has changed since, is left as it is.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Nothing is read or written yet. Raises TypeError if `path` is no path."""
        try:
            self.path = Path(os.path.realpath(path))
        except (TypeError, ValueError) as error:  # ValueError: a name with a zero byte in it
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(f"save must be the name of a file, such as 'mine.json', not {path!r}") from None
        self._known: bytes | None = None

    def load(self) -> History | None:
        """The history in the file, or None if there is no such file. Raises SaveError if it holds anything else."""
        name = self.path.name
        if not self.path.parent.is_dir():
            raise SaveError(f"there is no folder {self.path.parent} to save {name} in")
        try:
            found = self._read()
            if found is None:
                return None
            history = History.from_dict(parse_json(found))
        except ScenarioError as error:
            raise SaveError(f"{name} cannot be taken up: {error}") from None
        self._known = found
        return history

    def store(self, history: History) -> None:
        """Put the history into the file. Raises SaveError, and leaves the file alone, if that cannot be done."""
        name = self.path.name
        found = self._read()
        if found is not None and found != self._known:
            raise SaveError(f"{name} was changed by something else, perhaps by another playground")
        data = json.dumps(history.to_dict(), separators=(",", ":")).encode() + b"\n"
        try:
            if found is not None and not self.path.stat().st_mode & stat.S_IWUSR:
                raise SaveError(f"{name} may not be written to")
            self._replace(data)
        except OSError as error:
            raise SaveError(f"{name} cannot be written: {_reason(error)}") from None
        self._known = data

    def _read(self) -> bytes | None:
        try:
            about = self.path.stat()
            if not stat.S_ISREG(about.st_mode) and not stat.S_ISDIR(about.st_mode):  # a pipe would keep us waiting
                raise SaveError(f"{self.path.name} is no file to save in")
            if about.st_size > MOST_BYTES:
                raise SaveError(f"{self.path.name} is too large to be a playground's history")
            return self.path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise SaveError(f"{self.path.name} cannot be read: {_reason(error)}") from None

    def _replace(self, data: bytes) -> None:
        """Write a new file beside the old one, then put it in its place in one step."""
        beside = self.path.with_name(f".{self.path.name}.{os.getpid()}.new")
        try:
            with open(beside, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if self.path.exists():
                shutil.copymode(self.path, beside)
            os.replace(beside, self.path)
        except BaseException:
            if beside.exists():
                beside.chmod(stat.S_IREAD | stat.S_IWRITE)  # Windows does not delete what is read-only
                beside.unlink()
            raise


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
