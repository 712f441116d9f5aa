"""Take a scenario out, as JSON or as a test, and put one in."""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets as widgets

from rq.examples import as_scenario
from rq.paste import scenario_test
from rq.scenario import Scenario, ScenarioError
from rq.widgets.steps import sized, step_button, wrapping
from rq.widgets.turns import in_turn

COPY = """<button class="jupyter-button" style="width: auto" aria-live="polite" onclick="
  const say = text => { this.textContent = text; setTimeout(() => this.textContent = 'copy', 2000) };
  const text = this.closest('.rq-share').querySelector('textarea'); text.select();
  (navigator.clipboard ? navigator.clipboard.writeText(text.value) : Promise.reject())
    .catch(() => document.execCommand('copy') || Promise.reject())
    .then(() => { say('copied'); this.focus() }, () => say('now press Ctrl+C or Cmd+C'))">copy</button>"""
"""The browser alone can reach the clipboard. Without leave to write to it, the older way serves, or the keyboard."""

_FORMS = {"JSON": Scenario.to_json, "pytest function": scenario_test}


class Share(widgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """A scenario as text to copy, and a box for one to load.

    `add(scenario)` takes up what was loaded; `say(sentence)` is told what is wrong with it.
    """

    def __init__(self, add: Callable[[Scenario], object], say: Callable[[str], object]) -> None:
        super().__init__()
        self._add, self._say = add, say
        self._scenario = Scenario(0)
        box = sized("46em", height="6em")
        self.form = in_turn(widgets.ToggleButtons(options=list(_FORMS), style={"button_width": "auto"}))
        self.out = in_turn(widgets.Textarea(layout=box))
        self.out.add_class("rq-out")  # can be selected and copied, not changed
        example = '{"capacity": 1, "ops": [["enqueue", "a", "A"]]}'
        self.box = in_turn(widgets.Textarea(continuous_update=False, placeholder=example, layout=box))
        self.put_in = step_button("load", "take up the scenario in the box", self._load_box, width="auto")
        self.form.observe(lambda _: self.show(self._scenario), names="value")
        self.add_class("rq-share")
        self.children = [
            widgets.HBox([widgets.Label("take this history out as"), self.form, widgets.HTML(COPY)], layout=wrapping()),
            self.out,
            widgets.HBox([widgets.Label("put another one in, as JSON"), self.put_in], layout=wrapping()),
            self.box,
        ]

    def show(self, scenario: Scenario) -> None:
        """Offer this scenario to copy."""
        self._scenario = scenario
        self.out.value = _FORMS[self.form.value](scenario)

    def load(self, source: object) -> bool:
        """Take up a scenario from what as_scenario takes; False, with a sentence, if it is none."""
        try:
            scenario = as_scenario(source)
        except ScenarioError as error:
            self._say(f"✗ {error}; your history is as it was")
            return False
        self._add(scenario)
        return True

    def _load_box(self) -> None:
        if self.load(self.box.value):
            self.box.value = ""
