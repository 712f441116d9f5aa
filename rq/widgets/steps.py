"""What every widget that walks through steps has in common: the controls, the list of calls, and the view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets as widgets

from rq.state import whole_number
from rq.widgets.access import named
from rq.widgets.static import with_static_html
from rq.widgets.turns import in_turn

MOST_ROWS = 18
HERE, ELSEWHERE = "▸ ", "  "
"""What stands before the line of the step that is shown, and before the others: colour alone is too faint a mark."""


class Steps(widgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """Buttons, a slider, a player and a list of calls that all move one index, and a view of the step at it.

    A widget built on it says what there is to see: `labels(index)` gives one line of the list for
    each step from 0 on, and `view_html(index)` the view. Index 0 is before the first step.
    `moved` is called after each move.
    """

    def __init__(self) -> None:
        super().__init__()
        self._index, self._last, self._moving = -1, -1, False
        self.moved: Callable[[], object] = lambda: None

    def labels(self, index: int) -> Sequence[str]:
        """The lines of the list when step `index` is shown."""
        raise NotImplementedError

    def view_html(self, index: int) -> str:
        """What there is to see at step `index`."""
        raise NotImplementedError

    @property
    def furthest(self) -> int:
        """The last step that may be shown."""
        return self._last

    def build(self, last: int, name: str = "calls") -> None:
        """Make the parts, for steps 0 to `last`, and put them in the widget's place; `name` is the list's."""
        self.first = step_button("|< First", "go to the start", lambda: self.go(0))
        self.back = step_button("< Back", "go one step back", lambda: self.go(self.index - 1))
        self.next = step_button("Next >", "go one step on", lambda: self.go(self.index + 1))
        self.last = step_button("Last >|", "go to the end", lambda: self.go(self._last))
        self.slider = widgets.IntSlider(min=0, max=last, description="step", layout=sized("280px"))
        self.play = widgets.Play(min=0, max=last, interval=1500, description="play", show_repeat=False)
        rows = max(2, min(last + 1, MOST_ROWS))  # with one row it would be a drop-down list
        self.calls = widgets.Select(options=self._lines(0), rows=rows, description=name, layout=sized("27em"))
        self.add_class("rq-steps")
        self.calls.add_class("rq-calls")
        self.view = widgets.HTML(layout=widgets.Layout(flex="1 1 30em", margin="0 0 0 12px"))
        self.view.add_class("rq-view")
        for part in (self.slider, self.play, self.calls):
            in_turn(part)
        # Not linked in the browser: a link sends each step we make back to us, late, as if somebody had gone there.
        for part in (self.slider, self.play):
            part.observe(lambda change: self.go(change["new"]), names="value")
        self.calls.observe(lambda change: self.go(change["new"]), names="index")
        self.controls = widgets.HBox(
            [self.first, self.back, self.next, self.last, self.play, self.slider], layout=wrapping()
        )
        self.children = [self.controls, widgets.HBox([self.calls, self.view], layout=wrapping()), named(self)]
        self._last = last

    @property
    def index(self) -> int:
        """The step shown: 0 is before any. Setting it moves there, at most to either end. -1: nothing to show."""
        return self._index

    @index.setter
    def index(self, index: int) -> None:
        self.go(whole_number("index", index))

    def go(self, index: int | None) -> None:
        """Bring every part to `index`. The parts tell us of the change we make; that news is no news."""
        if self._last < 0 or self._moving or index is None:
            return
        wanted, index = index, max(0, min(index, self.furthest))
        if index != self._index or index != wanted:
            self.show(index)

    def show(self, index: int) -> None:
        """Draw step `index`, also where it is shown already."""
        self._moving = True
        try:
            self.slider.max = self.play.max = self.furthest
            self.slider.value = self.play.value = index
            self._index = index
            with self.calls.hold_sync():
                self.calls.options = self._lines(index)
                self.calls.index = index
            self.view.value = self.view_html(index)
        finally:
            self._moving = False
        self.moved()

    def _lines(self, index: int) -> list[str]:
        """The lines of the list, the one at `index` marked; no-break spaces keep their columns."""
        lines = enumerate(self.labels(index))
        return [((HERE if number == index else ELSEWHERE) + line).replace(" ", "\u00a0") for number, line in lines]

    def static_html(self) -> str:
        """The form for a reader without a kernel."""
        raise NotImplementedError

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        return with_static_html(super()._repr_mimebundle_(**kwargs), self.static_html())


def step_button(text: str, tooltip: str, action: Callable[[], object], width: str = "84px") -> widgets.Button:
    """A button that does `action` when it is pressed."""
    button = in_turn(widgets.Button(description=text, tooltip=tooltip, layout=widgets.Layout(width=width)))
    button.on_click(lambda _: action())
    return button


def wrapping() -> widgets.Layout:
    """A row that goes on in the next line where it does not fit."""
    return widgets.Layout(flex_flow="row wrap")


def sized(width: str, **more: str) -> widgets.Layout:
    """A part of this width, or narrower where there is no room."""
    return widgets.Layout(width=width, max_width="calc(100% - 4px)", **more)


def cut(text: str, most: int) -> str:
    """A text that is no longer than `most` letters."""
    return text if len(text) <= most else text[: most - 1] + "…"
