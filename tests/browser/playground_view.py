"""A playground as a user sees it: fields and buttons for calls, and everything below."""

from __future__ import annotations

import re
from typing import Any

from notebook_page import expect
from stepper_view import StepperView


class PlaygroundView:
    """A playground of a page, the first unless `number` says which. `hands` press and type."""

    def __init__(self, page: Any, hands: Any, number: int = 0) -> None:
        self.page, self.hands = page, hands
        self.root = page.locator(".widget-vbox:has(> .rq-share)").nth(number)
        self.stepper = StepperView(page, root=self.root)
        self.progress = self.root.locator(".rq", has_text="challenges met")
        self.history = self.root.locator(".widget-dropdown select")
        self.out, self.box = self.root.locator(".rq-share textarea").all()
        self.calls_made = 0

    def field(self, label: str) -> Any:
        """The field with this label."""
        return self.root.get_by_label(label, exact=True)

    def button(self, text: str) -> Any:
        """The button with this text, whether or not it is marked as refused."""
        return self.root.get_by_role("button", name=re.compile(rf"^(⊘ )?{re.escape(text)}$"))

    @property
    def enqueues(self) -> Any:
        """The button that enqueues what is typed; it names the id."""
        return self.root.get_by_role("button", name=re.compile(r"^(⊘ )?enqueue .+$"))

    def call(self, text: str, step: int) -> None:
        """Press the button of a call, and wait for the step that it makes."""
        self._press(self.button(text), step)

    def _press(self, button: Any, step: int) -> None:
        self.hands.press(button)
        self.stepper.is_at(step)

    def enqueue(self, id: str, step: int) -> None:
        """Type an id and enqueue it."""
        self.hands.type(self.field("id"), id)
        self._press(self.enqueues, step)

    def restart(self, capacity: int) -> None:
        """Begin an empty history."""
        self.hands.type(self.field("capacity"), str(capacity))
        self.hands.press(self.button("restart"))
        self.stepper.is_at(0)

    def met(self, name: str) -> None:
        """Wait until a challenge is ticked off."""
        expect(self.progress).to_contain_text(f"✓ {name}.")
