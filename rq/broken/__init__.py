"""The gallery of broken queues. Each has one fault that a real system shipped, and is right otherwise.

`GALLERY` maps the name of each to its class, in the order of the lessons; `fault_of(GALLERY["Lifo"])`
says what is wrong with it and where it was reported.
"""

from __future__ import annotations

from random import Random

from rq.broken import cancellation, capacity, fencing, fifo
from rq.broken.gallery import Fault, fault_of, story
from rq.queue import Queue
from rq.state import whole_number

GALLERY: dict[str, type[Queue]] = {
    name: value
    for lesson in (fifo, capacity, fencing, cancellation)
    for name, value in vars(lesson).items()
    if isinstance(value, type) and "fault" in vars(value)
}
"""All broken queues by name, lesson by lesson."""


def mystery(number: int) -> type[Queue]:
    """A broken queue from the gallery behind a neutral name; the same number gives the same one.

    Its attribute `revealed` is the name in the gallery. Raises TypeError if `number` is no whole number.
    """
    number = whole_number("number", number)
    names = list(GALLERY)
    Random(5).shuffle(names)
    name = names[number % len(names)]
    made: type[Queue] = type(f"Mystery{number}", (GALLERY[name],), {"revealed": name, "__doc__": None})
    return made


__all__ = ["GALLERY", "Fault", "fault_of", "mystery", "story"]
