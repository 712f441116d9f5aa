"""A scenario: a capacity and a list of calls, in the exercise's notation and within its limits.

Bad input gives a ScenarioError, one sentence that names the place: `ops[5]: attempt must be a
whole number from 0 to 64, not "1"`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from rq.answers import plain
from rq.queue import Queue
from rq.state import Operation, State, is_state

MOST_CAPACITY = 16
MOST_OPERATIONS = 64
MOST_QUEUES = 8
MOST_ATTEMPT = 64

SHAPES = {
    "enqueue": ("id", "payload"),
    "reserve": (),
    "ack": ("id", "attempt"),
    "retry": ("id", "attempt"),
    "cancel": ("id",),
    "new": (),
    "use": ("index",),
}
"""The operations and the names of their arguments."""

_ID = re.compile(r"[A-Za-z0-9_-]{1,16}")
_PAYLOAD = re.compile(r"[ -~]{0,32}")


class ScenarioError(ValueError):
    """A scenario that breaks the notation or its limits. The message is one sentence."""


def without_place(error: ScenarioError) -> str:
    """What is wrong, less the place in the list of calls (`ops[3]: `): for a call that stands alone."""
    place, separator, sentence = str(error).partition("]: ")
    return sentence if separator else place


class QueueLike(Protocol):
    """What a queue offers. Any class whose constructor takes a capacity and that has these will do."""

    def enqueue(self, id: str, payload: str, /) -> Any:
        """Accept a job."""

    def reserve(self) -> Any:
        """Hand out the oldest waiting job."""

    def ack(self, id: str, attempt: int, /) -> Any:
        """Complete a job."""

    def retry(self, id: str, attempt: int, /) -> Any:
        """Send a job back to the waiting tail."""

    def cancel(self, id: str, /) -> Any:
        """Remove an active job."""


QueueFactory = Callable[[int], QueueLike]


def check_factory(queue_class: object) -> None:
    """Raise TypeError unless this can make queues: a class, or a function that takes a capacity."""
    if not callable(queue_class):
        kind = type(queue_class).__name__
        if type(queue_class).__module__ == "builtins":
            raise TypeError(f"expected a queue class, such as Queue, not {kind}")
        raise TypeError(f"expected a queue class, such as {kind}, not an object of it: leave out the brackets after it")


class Player:
    """Makes the calls of a scenario on fresh queues of one class, `new` and `use` included."""

    def __init__(self, queue_class: QueueFactory, capacity: int) -> None:
        """Make the first queue."""
        self._make: Callable[[], QueueLike] = lambda: queue_class(capacity)
        self.queues = [self._make()]
        self.selected = 0

    def play(self, operation: Operation) -> Any:
        """Make one call and return what the queue returned, as it is; None for `new` and `use`."""
        name, *arguments = operation
        if name == "new":
            self.queues.append(self._make())
            self.selected = len(self.queues) - 1
            return None
        if name == "use":
            self.selected = arguments[0]
            return None
        return getattr(self.queues[self.selected], name)(*arguments)

    def own_state(self) -> State | None:
        """What the selected queue says its state is, if it has a `snapshot` that gives a State."""
        snapshot = getattr(self.queues[self.selected], "snapshot", None)
        state = snapshot() if callable(snapshot) else None
        return state if is_state(state) else None


@dataclass(frozen=True)
class Scenario:
    """A capacity (0 to 16) and up to 64 operations. `title` is for the reader and not part of the JSON form."""

    capacity: int
    ops: tuple[Operation, ...] = ()
    title: str = ""

    def __post_init__(self) -> None:
        """Check the notation and its limits; lists of lists become tuples of tuples."""
        whole_up_to("capacity", self.capacity, MOST_CAPACITY)
        object.__setattr__(self, "ops", _checked_ops(self.ops))

    @classmethod
    def from_dict(cls, data: object, title: str = "") -> Scenario:
        """A scenario from `{"capacity": 2, "ops": [["enqueue", "a", "A"], ...]}`."""
        if not isinstance(data, dict):
            raise ScenarioError(f'a scenario must be an object with "capacity" and "ops", not {excerpt(data)}')
        for key in ("capacity", "ops"):
            if key not in data:
                raise ScenarioError(f'the key "{key}" is missing')
        for key in data:
            if key not in ("capacity", "ops"):
                raise ScenarioError(f'unknown key {excerpt(key)}: a scenario has "capacity" and "ops"')
        return cls(data["capacity"], data["ops"], title)

    @classmethod
    def from_json(cls, source: str | bytes, title: str = "") -> Scenario:
        """A scenario from JSON text; bytes must be UTF-8 without a byte-order mark."""
        return cls.from_dict(parse_json(source), title)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form, as from_dict takes it."""
        return {"capacity": self.capacity, "ops": [list(operation) for operation in self.ops]}

    def to_json(self) -> str:
        """The JSON form on one line, in the exercise's spelling."""
        return json.dumps(self.to_dict(), separators=(",", ":"))

    def run(self, queue_class: QueueFactory = Queue) -> list[Any]:
        """Make the calls on fresh queues: one plain answer a call (see `answers.plain`)."""
        player = Player(queue_class, self.capacity)
        return [plain(player.play(operation)) for operation in self.ops]


def parse_json(source: str | bytes) -> Any:
    """JSON text as Python values, or ScenarioError. Stricter than json.loads: no key may repeat.

    Numbers that JSON does not have (NaN, Infinity) or that no scenario needs (long ones) become
    strings of another kind, so that the check of the place where they stand refuses them.
    """
    if not isinstance(source, (str, bytes)):
        raise TypeError(f"JSON text must be a string or bytes, not {type(source).__name__}")
    if isinstance(source, bytes):
        try:
            source = source.decode("utf-8")
        except UnicodeDecodeError as error:
            raise ScenarioError(f"the text is not UTF-8: byte {error.start} cannot be read") from None
    if source.startswith("\ufeff"):
        raise ScenarioError("the text starts with a byte-order mark; save it as UTF-8 without one")
    try:
        return json.loads(source, object_pairs_hook=_no_repeats, parse_int=_integer, parse_constant=_BadNumber)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} " if "\n" in source.strip() else ""
        raise ScenarioError(f"not JSON: {_lower(error.msg)} ({place}column {error.colno})") from None
    except RecursionError:
        raise ScenarioError("not a scenario: the brackets are nested too deeply") from None


class _BadNumber(str):
    """A number that no scenario may hold, in words."""

    __slots__ = ()


def _integer(digits: str) -> int | _BadNumber:
    return int(digits) if len(digits) <= 20 else _BadNumber(f"a number of {len(digits):,} digits")


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        [(repeated, _)] = Counter(key for key, _ in pairs).most_common(1)
        raise ScenarioError(f"the key {excerpt(repeated)} is given more than once")
    return result


def _checked_ops(ops: object) -> tuple[Operation, ...]:
    if not isinstance(ops, (list, tuple)):
        raise ScenarioError(f"ops must be a list of operations, not {excerpt(ops)}")
    if len(ops) > MOST_OPERATIONS:
        raise ScenarioError(f"ops[{MOST_OPERATIONS}]: at most {MOST_OPERATIONS} operations are allowed")
    checked: list[Operation] = []
    queues = 1
    for number, operation in enumerate(ops):
        checked.append(_checked_operation(f"ops[{number}]", operation, queues))
        queues += checked[-1][0] == "new"
        if queues > MOST_QUEUES:
            raise ScenarioError(f"ops[{number}]: at most {MOST_QUEUES} queues are allowed")
    return tuple(checked)


def _checked_operation(place: str, operation: object, queues: int) -> Operation:
    if not isinstance(operation, (list, tuple)) or not operation:
        bare = isinstance(operation, str) and operation in SHAPES
        hint = f'; in Python, round brackets alone make no list: write ["{operation}"]' if bare else ""
        raise ScenarioError(f'{place}: an operation must be a list such as ["reserve"], not {excerpt(operation)}{hint}')
    name, *arguments = operation
    if not isinstance(name, str) or isinstance(name, _BadNumber) or name not in SHAPES:
        known = ", ".join(SHAPES)
        raise ScenarioError(f"{place}: unknown operation {excerpt(name)}; the operations are {known}")
    shape = SHAPES[name]
    if len(arguments) != len(shape):
        takes = f"{len(shape)} argument{'s' * (len(shape) != 1)}"
        names = f" ({', '.join(shape)})" if shape else ""
        raise ScenarioError(f"{place}: {name} takes {takes}{names}, not {len(arguments)}")
    for kind, value in zip(shape, arguments, strict=True):
        _check_argument(place, kind, value, queues)
    return tuple(operation)


def _check_argument(place: str, kind: str, value: object, queues: int) -> None:
    match kind:
        case "id":
            if not _matches(_ID, value):
                wanted = "1 to 16 of the characters A-Z, a-z, 0-9, _ and -"
                raise ScenarioError(f"{place}: id must be {wanted}, not {excerpt(value)}")
        case "payload":
            if not _matches(_PAYLOAD, value):
                wanted = "0 to 32 printable ASCII characters"
                raise ScenarioError(f"{place}: payload must be {wanted}, not {excerpt(value)}")
        case "attempt":
            whole_up_to(f"{place}: attempt", value, MOST_ATTEMPT)
        case "index":
            whole_up_to(f"{place}: index", value, MOST_QUEUES - 1)
            if isinstance(value, int) and value >= queues:
                exist = "only queue 0 exists" if queues == 1 else f"only queues 0 to {queues - 1} exist"
                raise ScenarioError(f"{place}: queue {value} is not created yet; {exist}")


def _matches(pattern: re.Pattern[str], value: object) -> bool:
    return isinstance(value, str) and not isinstance(value, _BadNumber) and pattern.fullmatch(value) is not None


def whole_up_to(name: str, value: object, most: int) -> int:
    """`value` as it is, or ScenarioError if it is no whole number from 0 to `most`."""
    if type(value) is not int or not 0 <= value <= most:
        raise ScenarioError(f"{name} must be a whole number from 0 to {most}, not {excerpt(value)}")
    return value


def excerpt(value: object, most: int = 40) -> str:
    """A value as the writer of the JSON knows it, cut to one short piece of text."""
    if isinstance(value, _BadNumber):
        return str(value)
    if isinstance(value, (dict, list, tuple)):
        return "an object" if isinstance(value, dict) else f"a list of {len(value)}"
    if isinstance(value, int) and abs(value) >= 10**20:
        return "a number of more than 20 digits"
    try:
        shown = json.dumps(value)
    except (TypeError, ValueError):
        shown = repr(value)
    return shown if len(shown) <= most else shown[:most] + "…"


def _lower(message: str) -> str:
    return message[:1].lower() + message[1:]
