"""JupyterLab hands over what happens in widgets in several threads: it is handled in one, in turn."""

import threading
from types import SimpleNamespace

import ipywidgets as widgets
import pytest

from rq import Playground, Predict, Race, Stepper, StoryStepper
from rq.beyond import Attempts
from rq.broken import GALLERY
from rq.widgets import turns


class Loop:
    """Stands for the kernel's loop: keeps what it is given until its own thread comes round to it."""

    def __init__(self):
        self.waiting = []

    def add_callback(self, action, *arguments):
        self.waiting.append((action, arguments))

    def come_round(self):
        while self.waiting:
            action, arguments = self.waiting.pop(0)
            action(*arguments)


@pytest.fixture
def loop(monkeypatch):
    loop = Loop()
    monkeypatch.setattr(turns, "get_ipython", lambda: SimpleNamespace(kernel=SimpleNamespace(io_loop=loop)))
    return loop


def send(part, **data):
    """A message from the browser, in a thread of its own, as JupyterLab has it."""
    message = {"content": {"data": data}, "buffers": []}
    thread = threading.Thread(target=part.comm.handle_msg, args=(message,))
    thread.start()
    thread.join()


def click(button):
    send(button, method="custom", content={"event": "click"})


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
    send(play.bar.hand_id, method="update", state={"value": "b"})
    assert (play.scenario.ops, play.bar.hand_id.value) == ((), "")
    loop.come_round()
    assert play.scenario.ops == (("enqueue", "a", "A"), ("enqueue", "b", "B"), ("reserve",))
    assert play.bar.hand_id.value == "b"


def test_without_a_kernel_nothing_waits():
    stepper = Stepper("retry fences old attempt")
    click(stepper.next)
    assert stepper.index == 1
