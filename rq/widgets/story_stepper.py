"""The stepper for stories: go forward and back through what happens around a queue."""

from __future__ import annotations

from copy import copy

from rq.beyond.page import moment_page, story_page
from rq.beyond.story import Story
from rq.widgets.steps import Steps, cut


class StoryStepper(Steps):
    """Steps through a story: the events, and for each the reason and the tables after it.

    `at` is the step to open at; 0 is the start. Raises TypeError for what is no Story.
    """

    def __init__(self, story: Story, *, at: int = 0) -> None:
        if not isinstance(story, Story):
            raise TypeError(f"StoryStepper takes a Story, such as Attempts([...]), not {type(story).__name__}")
        super().__init__()
        self.story = copy(story)
        self.story.moments = list(story.moments)  # moments told later are another story
        self.build(len(self.story), name="events")
        self.index = at

    def labels(self, index: int) -> list[str]:
        """The events; what each led to is in the view."""
        return [f"{number:>2}  {cut(moment.event, 34)}" for number, moment in enumerate(self.story.moments)]

    def view_html(self, index: int) -> str:
        """The event with its reason, and the tables."""
        return moment_page(self.story, index)

    def static_html(self) -> str:
        """The whole story as one table."""
        return story_page(self.story)

    def __repr__(self) -> str:
        return f"StoryStepper: {self.story.title}, step {self.index} of {len(self.story)}"

    def __str__(self) -> str:
        return str(self.story)
