"""Two ways to use a page: with the mouse, and with the keyboard alone."""

from __future__ import annotations

from typing import Any

from notebook_page import expect

_FOCUSED = """() => {
    const e = document.activeElement;
    return e.getAttribute('data-rq-wanted') === 'yes';
}"""

MOST_TABS = 200


class Mouse:
    """Clicks on what it wants."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def press(self, part: Any) -> None:
        """Press a button."""
        part.click()

    def type(self, part: Any, text: str) -> None:
        """Put a text into a field, in place of what is there."""
        part.click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.type(text) if text else self.page.keyboard.press("Delete")
        expect(part).to_have_value(text)

    def choose(self, part: Any, number: int) -> None:
        """Choose an entry of a list, counted from 0."""
        part.select_option(index=number)


class Keyboard:
    """Moves the focus with Tab and Shift+Tab, as somebody without a mouse must, and presses keys there."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def reach(self, part: Any) -> None:
        """Bring the focus to a part of the page, by the shorter way: forward or back."""
        expect(part).to_be_visible()
        part.evaluate("e => e.setAttribute('data-rq-wanted', 'yes')")
        forward = part.evaluate(
            "e => document.activeElement === e"
            " || !!(document.activeElement.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING)"
        )
        for _ in range(MOST_TABS):
            if self.page.evaluate(_FOCUSED):
                break
            self.page.keyboard.press("Tab" if forward else "Shift+Tab")
        else:
            raise AssertionError(f"{MOST_TABS} times Tab does not lead to {part}")
        part.evaluate("e => e.removeAttribute('data-rq-wanted')")

    def press(self, part: Any) -> None:
        """Press a button."""
        self.reach(part)
        self.page.keyboard.press("Enter")

    def type(self, part: Any, text: str) -> None:
        """Put a text into a field, in place of what is there."""
        self.reach(part)
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.type(text) if text else self.page.keyboard.press("Delete")
        expect(part).to_have_value(text)

    def choose(self, part: Any, number: int) -> None:
        """Choose an entry of a list, counted from 0."""
        self.reach(part)
        self.page.keyboard.press("Home")
        for _ in range(number):
            self.page.keyboard.press("ArrowDown")


HANDS = {"mouse": Mouse, "keyboard": Keyboard}
