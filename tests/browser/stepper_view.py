"""A stepper as a user sees it: buttons, a slider, a list of calls, tables and a reason."""

from __future__ import annotations

from typing import Any

from notebook_page import expect


class StepperView:
    """The stepper in the output of one cell: `number` counts the steppers of the page from 0."""

    def __init__(self, page: Any, number: int = 0, root: Any = None) -> None:
        self.page = page
        within = page if root is None else root
        self.root = within.locator(".widget-vbox:has(> .widget-hbox > .rq-calls)").nth(number)
        self.calls = self.root.locator(".rq-calls select")
        self.view = self.root.locator(".rq-view .rq")
        self.reason = self.view.locator(".why")
        self.readout = self.root.locator(".widget-slider .widget-readout")
        self.handle = self.root.locator(".widget-slider [role=slider]")
        self.play = self.root.locator(".widget-play button")

    def button(self, text: str) -> Any:
        """The button with this word on it."""
        return self.root.get_by_role("button", name=text)

    def press(self, text: str, times: int = 1) -> None:
        """Click a button; wait after each click until the step has changed."""
        for _ in range(times):
            before = self.view.inner_text()
            self.button(text).click()
            expect(self.view).not_to_have_text(before, use_inner_text=True)

    def click_call(self, step: int) -> None:
        """Click an entry in the list of calls; 0 is the start."""
        self.calls.locator("option").nth(step).click()

    def is_at(self, step: int) -> None:
        """Wait until every part shows this step: the view, the slider and the list of calls."""
        expect(self.view).to_contain_text(f"step {step} of ")
        expect(self.readout).to_have_text(str(step))
        expect(self.handle).to_have_attribute("aria-valuenow", f"{step}.0")
        expect(self.calls).to_have_js_property("selectedIndex", step)

    def settles(self) -> None:
        """Wait until the slider, its number and the list agree, and go on agreeing; then the view must too."""
        self.page.wait_for_function(_SETTLED, arg=self.root.element_handle())
        self.is_at(int(self.readout.inner_text()))

    def label(self, step: int) -> str:
        """The text of one entry in the list of calls."""
        return str(self.calls.locator("option").nth(step).inner_text()).replace("\u00a0", " ")


_SETTLED = """root => new Promise(resolve => {
    const now = () => [root.querySelector('.widget-readout').innerText, root.querySelector('select').selectedIndex,
        parseInt(root.querySelector('[role=slider]').getAttribute('aria-valuenow'))].join(' ');
    const before = now();
    const [readout, index, slider] = before.split(' ');
    setTimeout(() => resolve(readout === index && index === slider && now() === before), 500) })"""
