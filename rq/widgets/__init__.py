"""The widgets: thin views of a trace and an index. The only modules that import ipywidgets."""

from rq.widgets.playground import Playground
from rq.widgets.predict import Predict
from rq.widgets.race import Race
from rq.widgets.stepper import Stepper
from rq.widgets.story_stepper import StoryStepper

__all__ = ["Playground", "Predict", "Race", "Stepper", "StoryStepper"]
