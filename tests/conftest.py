"""Fixtures for all tests, and one Hypothesis profile: the same modest number of examples on each run."""

import pytest
from hypothesis import settings

from rq.broken import GALLERY

pytest.register_assert_rewrite("suite")

from suite import QUEUE_CLASSES  # noqa: E402  # after the line that makes its asserts readable

settings.register_profile("course", derandomize=True, max_examples=60, deadline=None, database=None)
settings.load_profile("course")


@pytest.fixture(params=QUEUE_CLASSES, ids=lambda queue_class: queue_class.__name__)
def queue_class(request):
    """Each queue class in turn. A test that asks for it runs once for each."""
    return request.param


@pytest.fixture(autouse=True)
def _a_queue_that_shares_its_state_starts_empty():
    """One queue of the gallery keeps its jobs in its class: no test may leave any to the next."""
    yield
    for place in ("_accepted", "_waiting", "_in_flight"):
        getattr(GALLERY["StateSharedBetweenQueues"], place).clear()
