"""Cancellation is not stopping: the load of the machine, and the price of waiting for a clean-up."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from rq.beyond import Machine

CANCELLED = ["start a", "cancel a", "start b"]


def test_a_cancel_frees_the_slot_while_the_process_runs_on():
    machine = Machine(CANCELLED)
    assert machine.most_running == 2 > machine.capacity
    assert machine.taken == 1
    assert [moment.wrong for moment in machine.moments] == [False, False, False, True]
    assert "2 processes run where 1 should" in machine.moments[-1].why


def test_the_load_falls_when_the_process_has_stopped():
    machine = Machine([*CANCELLED, "stopped a"])
    assert machine.running == 1
    assert not machine.moments[-1].wrong


def test_waiting_for_the_clean_up_keeps_the_load_within_the_capacity():
    machine = Machine([*CANCELLED, "stopped a", "start c"], wait=True)
    assert machine.refused == ["b"]
    assert machine.most_running == 1
    assert machine.processes == {"a": "ended", "c": "runs"}


def test_a_worker_that_never_confirms_keeps_its_slot_for_ever():
    more = [f"start b{number}" for number in range(50)]
    machine = Machine(["start a", "cancel a", *more], wait=True)
    assert len(machine.refused) == 50
    assert (machine.taken, machine.running) == (1, 1)


def test_not_waiting_any_longer_brings_the_overload_back():
    machine = Machine(["start a", "cancel a", "force a", "start b"], wait=True)
    assert machine.most_running == 2 > machine.capacity


def test_a_wish_to_cancel_can_come_too_late():
    assert "too late" in Machine(["start a", "cancel a", "finish a"], wait=True).moments[-1].why
    assert Machine(["start a", "cancel a", "finish a"], wait=True).queue.snapshot().jobs[0].phase == "done"
    assert Machine(["start a", "cancel a", "finish a"]).queue.snapshot().jobs[0].phase == "cancelled"


@pytest.mark.parametrize("events", [[], ["start b"], ["force a", "start b"]])
@pytest.mark.parametrize("wait", [False, True])
def test_a_second_cancel_says_so_and_changes_nothing(events, wait):
    if "force a" in events and not wait:
        events = events[1:]
    machine = Machine(["start a", "cancel a", *events, "cancel a"], wait=wait)
    assert machine.moments[-1].tables == machine.moments[-2].tables
    assert machine.moments[-1].why.startswith("a was cancelled already and its process told, so nothing changes")


def test_only_a_sentence_about_a_change_in_the_queue_speaks_of_one():
    """What is said of a's slot and of a cancel in the queue holds in the table beside it."""
    for wait in (False, True):
        for machine in every_run(4, ("start", "cancel", "stopped", "force")[: 3 + wait], wait=wait, ids="ab"):
            for before, after in pairwise(machine.moments):
                id = after.event.split()[-1]
                freed = f"{id}: in flight" in before.tables[0].line and f"{id}: cancelled" in after.tables[0].line
                said = "its slot is free" in after.why or f"the slot of {id} is free at once" in after.why
                assert said == freed, (machine.events, after.why)


def test_an_id_is_not_started_twice():
    machine = Machine(["start a", "finish a", "start a"])
    assert "used before" in machine.moments[-1].why
    assert machine.processes == {"a": "ended"}


def every_run(length, verbs, ids="abc", **options) -> list[Machine]:
    """Every sequence of so many events on these jobs that can happen."""
    machines = []
    for events in product([f"{verb} {id}" for verb in verbs for id in ids], repeat=length):
        try:
            machines.append(Machine(events, **options))
        except ValueError:
            continue
    return machines


@pytest.mark.parametrize("capacity", [0, 1, 2])
def test_with_waiting_no_sequence_of_four_events_overloads_the_machine(capacity):
    machines = every_run(4, ("start", "cancel", "stopped", "finish"), capacity=capacity, wait=True)
    assert len(machines) > 20
    for machine in machines:
        assert machine.most_running <= capacity
        assert machine.running == machine.taken


def test_without_waiting_some_sequence_does_and_a_cancel_is_in_each():
    overloaded = [m for m in every_run(4, ("start", "cancel", "stopped", "finish")) if m.most_running > 1]
    assert overloaded
    assert all(any(event.startswith("cancel") for event in machine.events) for machine in overloaded)


@pytest.mark.parametrize(
    ("events", "wait", "sentence"),
    [
        (["stop a"], False, "an event begins with one of start, cancel, stopped, finish, force; 'stop a' does not"),
        (["cancel a"], False, "'cancel a': no process of 'a' is running"),
        (["start a", "cancel a", "stopped a", "stopped a"], True, "'stopped a': no process of 'a' is running"),
        (["start a", "stopped a"], False, "'stopped a': a was not cancelled, so nobody waits for its clean-up"),
        (["start a", "stopped a"], True, "'stopped a': a was not cancelled, so nobody waits for its clean-up"),
        (["start a", "cancel a", "force a"], False, "'force a': nobody waits for a clean-up here"),
        (["start a", "force a"], True, "'force a': a was not cancelled"),
    ],
)
def test_an_event_that_cannot_be_is_refused_in_one_sentence(events, wait, sentence):
    with pytest.raises(ValueError, match=sentence):
        Machine(events, wait=wait)


@pytest.mark.parametrize("verb", ["start", "cancel", "stopped"])
def test_an_event_without_a_job_is_a_mistake(verb):
    with pytest.raises(ValueError, match=f"'{verb}': of which job"):
        Machine([verb], capacity=1)
