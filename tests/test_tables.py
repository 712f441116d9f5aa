"""The DataFrames: one row for each job, ticket, call or rule, and cells that hold plain values."""

import re

import pytest
from hypothesis import given
from suite import EIGHT_QUEUES, NASTY_PAYLOADS, html_tags, html_text, scenarios

from rq import (
    EXAMPLES,
    Phase,
    Queue,
    Rule,
    Scenario,
    State,
    check,
    coverage,
    decide,
    in_full,
    rules_table,
    state_table,
    tickets_table,
    timeline_table,
    trace,
    trace_table,
)
from rq.tables import CHANGED, frame_html, marked_table
from rq.trace import summary

FENCE = trace(EXAMPLES["retry fences old attempt"].scenario)
EMPTY = trace(Scenario(0))
EIGHT = trace(EIGHT_QUEUES)


def rows(table):
    """The cells, row by row."""
    return [list(row) for row in table.itertuples(index=False)]


@pytest.fixture
def queue():
    """a done, b in flight, c cancelled, d and e waiting."""
    queue = Queue(5)
    for id in "abcde":
        queue.enqueue(id, id.upper())
    queue.reserve()
    queue.ack("a", 1)
    queue.reserve()
    queue.cancel("c")
    return queue


# The state


def test_the_state_table_has_a_row_for_each_accepted_id(queue):
    table = state_table(queue)
    assert table.index.name == "id"
    assert list(table.index) == ["a", "b", "c", "d", "e"]
    assert list(table.columns) == ["payload", "state", "attempt", "place"]
    assert rows(table) == [
        ["A", "done", 1, "-"],
        ["B", "in flight", 1, "-"],
        ["C", "cancelled", 0, "-"],
        ["D", "waiting", 0, 1],
        ["E", "waiting", 0, 2],
    ]


def test_a_queue_and_its_snapshot_give_the_same_state_table(queue):
    assert state_table(queue).equals(state_table(queue.snapshot()))


def test_the_state_table_of_an_empty_queue_has_columns_and_no_rows():
    assert rows(state_table(State(0))) == []
    assert list(state_table(State(0)).columns) == ["payload", "state", "attempt", "place"]


def test_states_in_the_table_compare_with_phases(queue):
    table = state_table(queue)
    assert list(table.index[table["state"] == Phase.WAITING]) == ["d", "e"]


def test_a_new_job_is_marked():
    step = FENCE.steps[0]
    table = marked_table(step.after.current, step.before.current)
    assert rows(table) == [[f"{CHANGED} a (new)", "A", "waiting", "0", "1"]]


def test_a_changed_cell_is_marked_and_its_old_value_named():
    step = FENCE.steps[1]
    assert rows(marked_table(step.after.current, step.before.current)) == [
        ["a", "A", f"{CHANGED} in flight (was waiting)", f"{CHANGED} 1 (was 0)", f"{CHANGED} none (was 1)"]
    ]


def test_a_refused_call_marks_nothing():
    step = FENCE.steps[4]
    assert rows(marked_table(step.after.current, step.before.current)) == [["a", "A", "in flight", "2", "-"]]


@given(scenarios())
def test_a_cell_is_marked_exactly_if_it_changed(scenario):
    for step in trace(scenario).steps:
        before, after = step.before.current, step.after.states[step.before.selected]
        old, new = state_table(before), state_table(after)
        marked = marked_table(after, before).set_index(new.index)
        for id in old.index:
            for column in new.columns:
                changed = old.loc[id, column] != new.loc[id, column]
                assert marked.loc[id, column].startswith(f"{CHANGED} ") == changed


# Tickets


def test_the_tickets_table_says_which_result_would_count():
    table = tickets_table(FENCE, 4)
    assert table.index.name == "ticket"
    assert list(table.index) == ["a#1", "a#2"]
    assert list(table.columns) == ["id", "attempt", "status", "counts"]
    assert rows(table) == [["a", 1, "superseded", False], ["a", 2, "current", True]]


def test_the_tickets_table_takes_the_end_by_default():
    assert list(tickets_table(FENCE)["status"]) == ["superseded", "spent"]
    assert len(tickets_table(FENCE, 0)) == len(tickets_table(EMPTY)) == 0


# The timeline and the trace


def test_the_timeline_has_jobs_down_and_calls_across():
    table = timeline_table(trace(EXAMPLES["in flight capacity"].scenario))
    assert table.index.name == "id"
    assert list(table.columns)[:3] == ["1 enqueue a A", "2 reserve", "3 enqueue b B"]
    assert rows(table) == [
        ["waiting (place 1)", "in flight (attempt 1)", "in flight (attempt 1)", "done", "done", "done"],
        ["", "", "", "", "waiting (place 1)", "in flight (attempt 1)"],
    ]


def test_the_trace_table_has_a_row_for_each_call():
    table = trace_table(FENCE)
    assert table.index.name == "step"
    assert list(table.index) == [1, 2, 3, 4, 5, 6, 7]
    assert list(table.columns) == ["call", "returned", "rule", "waiting", "in flight", "finished", "slots", "why"]
    assert list(table.loc[5]) == [
        'ack("a", 1)',
        "False",
        "X-stale",
        "-",
        "a#2",
        "-",
        "1 of 1",
        "stale attempt: a is on attempt 2 now, so attempt 1 changes nothing",
    ]


@given(scenarios())
def test_the_trace_table_says_what_the_steps_say(scenario):
    made = trace(scenario)
    table = trace_table(made)
    assert len(table) == len(made)
    for step, (_, row) in zip(made.steps, table.iterrows(), strict=True):
        said = (row["call"], row["returned"], row["rule"], row["why"])
        assert said == (step.call, step.answer, step.decision.rule.code, step.decision.why)
        assert (row["waiting"], row["in flight"], row["finished"], row["slots"]) == summary(step.after.current)


def test_several_queues_get_a_column_or_level_of_their_own():
    assert trace_table(EIGHT).columns[0] == "queue"
    assert tickets_table(EIGHT).columns[0] == "queue"
    assert timeline_table(EIGHT).index.names == ["queue", "id"]
    assert len(tickets_table(EIGHT)) == len(timeline_table(EIGHT)) == 7
    assert timeline_table(EIGHT).shape[1] == len(trace_table(EIGHT)) == 64


def test_a_scenario_without_calls_has_tables_without_rows():
    for table in (trace_table(EMPTY), timeline_table(EMPTY), tickets_table(EMPTY)):
        assert len(table) == 0


def test_calls_that_accept_no_job_have_a_timeline_without_rows():
    assert timeline_table(trace(Scenario(0, (("reserve",), ("new",))))).shape == (0, 2)


# The rules, and HTML


def test_the_rules_table_has_a_row_for_each_rule():
    table = rules_table()
    assert dict(table["statement"]) == {rule.code: rule.statement for rule in Rule}


@pytest.mark.parametrize("payload", NASTY_PAYLOADS)
def test_every_table_shows_a_payload_as_text(payload):
    made = trace(Scenario(1, (("enqueue", "a", payload), ("reserve",))))
    tables = [state_table(made.queues_at(2).current), trace_table(made), timeline_table(made), tickets_table(made)]
    for table in tables:
        assert html_tags(table.to_html()) <= {"table", "thead", "tbody", "tr", "th", "td"}
    styled = frame_html(marked_table(made.queues_at(2).current, State(1)), payload)
    assert html_tags(styled) <= {"table", "caption", "thead", "tbody", "tr", "th", "td"}
    assert html_text(styled).count(payload) >= 2  # the caption and the cell


def test_a_table_as_html_cuts_no_text_and_leaves_no_row_out():
    text = html_text(frame_html(trace_table(EIGHT), "all"))
    for step in EIGHT.steps:
        assert step.decision.why in text
    assert text.count("X-waiting") == sum(step.decision.rule is Rule.X_WAITING for step in EIGHT.steps)


def test_coverage_takes_scenarios_names_and_lists_of_them():
    table = coverage("fifo", [EXAMPLES["fifo"].scenario, "in flight capacity"])
    assert table.loc["E3", "calls"] == 1
    assert table.loc["E1", "calls"] == 6
    assert not table.loc["X-stale", "touched"]
    assert not coverage()["touched"].any()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: decide(Queue(1), ("reserve",)), "decide() takes a State, such as q.snapshot(), not Queue"),
        (lambda: state_table(3), "state_table() takes a Queue or a State, not int"),
        (lambda: check(None), "expected a queue class, such as Queue, not NoneType"),
        (lambda: check(Queue(1)), "leave out the brackets after it"),
    ],
)
def test_a_mistake_gets_one_sentence(call, said):
    with pytest.raises(TypeError, match=re.escape(said)):
        call()


def test_a_payload_that_begins_or_ends_with_a_space_is_shown_in_quotes():
    made = trace(Scenario(2, [["enqueue", "a", " x "], ["enqueue", "b", ""], ["reserve"]]))
    table = marked_table(made.queues_at(3).current, made.queues_at(2).current)
    assert table["payload"].tolist() == ['" x "', '""']


HOSTILE = "<img src=x onerror=alert(1)>"


def test_in_full_escapes_the_index_and_the_heads_of_the_columns_too():
    queue = Queue(1)
    queue.enqueue(HOSTILE, HOSTILE)
    heads = timeline_table(Scenario(1, [["enqueue", "a", HOSTILE]]))
    for frame in (state_table(queue), heads):
        assert "<img" not in in_full(frame).to_html()
        assert "&lt;img" in in_full(frame).to_html()


def test_no_table_is_read_as_a_formula():
    frame = trace_table(Scenario(1, [["enqueue", "a", "$x^2$"]]))
    for html in (frame._repr_html_(), in_full(frame).to_html()):
        assert "mathjax_ignore" in html
