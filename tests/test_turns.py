"""JupyterLab hands over what happens in widgets in several threads: it is handled in one, in turn."""

import random
import signal
import threading
from datetime import UTC, datetime
from types import SimpleNamespace

import ipywidgets as widgets
import pytest

from rq import Playground, Predict, Queue, Race, Stepper, StoryStepper
from rq.beyond import Attempts
from rq.broken import GALLERY
from rq.widgets import turns


class Loop:
    """Stands for the kernel's loop: keeps what it is given until its own thread comes round to it."""

    def __init__(self):
        self.waiting, self.timers = [], []

    def add_callback(self, action, *arguments):
        self.waiting.append((action, arguments))

    def call_later(self, seconds, action):
        assert 0 < seconds < 0.02  # more would be felt
        self.timers.append((action, ()))

    def come_round(self):
        """All that has arrived, and after that the timers that it set."""
        for due in (self.waiting, self.timers):
            while due:
                action, arguments = due.pop(0)
                action(*arguments)


@pytest.fixture
def loop(monkeypatch):
    loop = Loop()
    monkeypatch.setattr(turns, "get_ipython", lambda: SimpleNamespace(kernel=SimpleNamespace(io_loop=loop)))
    return loop


def send(part, at=None, **data):
    """A message from the browser, in a thread of its own, as JupyterLab has it; `at` is the second it was sent."""
    header = {} if at is None else {"date": datetime(2026, 1, 1, 12, 0, at, tzinfo=UTC)}
    message = {"header": header, "content": {"data": data}, "buffers": []}
    thread = threading.Thread(target=part.comm.handle_msg, args=(message,))
    thread.start()
    thread.join()


def click(button, at=None):
    send(button, at, method="custom", content={"event": "click"})


def enter(field, value, at=None):
    send(field, at, method="update", state={"value": value})


def parts(widget):
    """Every part below that a user can press, choose from or type into."""
    for child in getattr(widget, "children", ()):
        yield from parts(child)
    interactive = (widgets.Button, widgets.ValueWidget)
    if isinstance(widget, interactive) and not isinstance(widget, (widgets.HTML, widgets.Label)):
        yield widget


def played():
    play = Playground()
    for operation in (("enqueue", "a", "A"), ("new",), ("use", 0), ("reserve",)):
        play.call(*operation)
    return play


WIDGETS = {
    "stepper": lambda: Stepper("retry fences old attempt"),
    "quiz": lambda: Stepper("retry fences old attempt", predict=True),
    "predict": lambda: Predict("retry fences old attempt", 4),
    "race": lambda: Race("retry fences old attempt", GALLERY["Lifo"]),
    "story": lambda: StoryStepper(Attempts(("effect 1", "report 1"))),
    "playground": played,
}
FEWEST = {"stepper": 7, "quiz": 10, "predict": 3, "race": 7, "story": 7, "playground": 25}


@pytest.mark.parametrize("name", WIDGETS)
def test_every_part_waits_for_its_turn(loop, name):
    widget = WIDGETS[name]()
    found = list(parts(widget))
    assert len(found) >= FEWEST[name]
    for part in found:
        send(part, method="request_state")
        assert len(loop.waiting) == 1, part
        loop.come_round()


def test_clicks_of_two_threads_are_done_one_after_the_other(loop):
    play = Playground()
    for button in (play.bar.buttons["enqueue"], play.bar.buttons["enqueue"], play.bar.buttons["reserve"]):
        click(button)
    enter(play.bar.hand_id, "b")
    assert (play.scenario.ops, play.bar.hand_id.value) == ((), "")
    loop.come_round()
    assert play.scenario.ops == (("enqueue", "a", "A"), ("enqueue", "b", "B"), ("reserve",))
    assert play.bar.hand_id.value == "b"


THINGS = (
    lambda play, at: enter(play.bar.id, "mine", at),
    lambda play, at: click(play.bar.buttons["enqueue"], at),
    lambda play, at: enter(play.bar.id, "other", at),
    lambda play, at: click(play.bar.buttons["enqueue"], at),
    lambda play, at: click(play.stepper.back, at),
    lambda play, at: click(play.bar.buttons["reserve"], at),
)
"""Each does one thing in a browser, at a second."""


@pytest.mark.parametrize("seed", range(20))
def test_what_is_done_in_the_browser_is_done_in_that_order_however_it_arrives(loop, seed):
    play = Playground()
    for number in random.Random(seed).sample(range(len(THINGS)), len(THINGS)):
        THINGS[number](play, number)
    loop.come_round()
    assert play.scenario.ops == (("enqueue", "mine", "MINE"), ("reserve",))
    assert play.histories[0].ops == (("enqueue", "mine", "MINE"), ("enqueue", "other", "OTHER"))


def test_what_stops_one_thing_stops_neither_the_kernel_nor_the_next(loop):
    class Stops(Queue):
        def ack(self, id, attempt):
            raise KeyboardInterrupt

    play = Playground(1, Stops)
    for operation in (("enqueue", "a", "A"), ("reserve",)):
        play.call(*operation)
    before = signal.getsignal(signal.SIGINT)
    click(play.rows.button("ack", "a", 1))
    loop.come_round()
    assert (play.index, play.message) == (2, "✗ stopped; your history is as it was")
    click(play.rows.button("cancel", "a"))
    loop.come_round()
    assert play.trace.answers[-1] is True
    assert signal.getsignal(signal.SIGINT) is before


def test_the_stop_button_ends_what_a_click_began_where_the_kernel_would_ignore_it(loop):
    class Stopped(Queue):
        def reserve(self):
            signal.raise_signal(signal.SIGINT)

    play = Playground(1, Stopped)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        click(play.bar.buttons["reserve"])
        loop.come_round()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    assert (play.index, play.message) == (0, "✗ stopped; your history is as it was")


def test_without_a_kernel_nothing_waits():
    stepper = Stepper("retry fences old attempt")
    click(stepper.next)
    assert stepper.index == 1
