"""The benchmark measures what it says: the same work on both sides, and verdicts to rely on. No time is asserted."""

from __future__ import annotations

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
from benchmark import PARTS, main
from benchmarks import against_floor, against_others, counts, finding
from benchmarks.floor import Floor, FloorWithoutCancel
from benchmarks.libraries import LIBRARIES, Adapter, HueyMemory, LiteQueue, Ours, PersistQueue, StandardQueue
from benchmarks.measure import interleaved, ratio, spread, table
from benchmarks.rules import codes, verbs_of, verdict
from benchmarks.runner import FLOOR, RUNNER, played, write_scenarios
from benchmarks.variants import VARIANTS, life
from compare_with_hypothesis import Row, with_hypothesis
from queue_machine import active_ids, new_ids, tickets
from suite import ROOT, ContractQueue

from rq import Phase, Queue, Rule, Scenario, decide
from rq.broken import GALLERY, fault_of

IDS = against_floor.names(20)


@pytest.mark.parametrize("floor", [Floor, FloorWithoutCancel])
def test_the_floor_hands_out_what_the_queue_does(floor):
    ours, theirs = against_floor.filled(Queue, IDS), against_floor.filled(floor, IDS)
    for attempt in (1, 2, 3):
        for id in IDS:
            assert tuple(ours.reserve()) == theirs.reserve() == (id, "payload", attempt)
            assert ours.retry(id, attempt) is theirs.retry(id, attempt) is True
    for id in IDS:
        assert ours.reserve().attempt == theirs.reserve()[2] == 4
        assert ours.ack(id, 4) is theirs.ack(id, 4) is True


@pytest.mark.parametrize("make", against_floor.CLASSES.values(), ids=against_floor.CLASSES)
def test_each_timed_operation_does_all_its_work(make):
    """Every job is handed out once and none is left; going once around leaves the line as it was."""
    made = []

    def making(capacity):
        made.append(make(capacity))
        return made[-1]

    against_floor.whole_life(making, IDS)
    queue = against_floor.filled(make, IDS)
    against_floor.once_around(queue, IDS)
    assert [queue.reserve()[::2] for _ in IDS] == [(id, 2) for id in IDS]
    [emptied] = made
    if make is Queue:
        assert [job.phase for job in emptied.snapshot().jobs] == [Phase.DONE] * len(IDS)
    else:
        assert not any(vars(emptied).values())


@pytest.mark.parametrize("make", [Queue, Floor])
def test_cancel_takes_from_the_middle(make):
    queue = against_floor.filled(make, IDS)
    against_floor.cancel_some(queue, IDS)
    left = [job.id for job in queue.snapshot().jobs if job.phase.active] if make is Queue else list(queue.jobs)
    assert left == [*IDS[:5], *IDS[15:]]


def test_the_contestants_take_turns_and_each_goes_first_in_turn():
    calls = []
    contestants = {name: lambda name=name: {"part": calls.append(name) or len(calls)} for name in "ab"}
    samples = interleaved(contestants, 3, lambda text: None)
    assert calls == [*"ab", *"ba", *"ab"]
    assert samples == {"a": {"part": [1, 4, 5]}, "b": {"part": [2, 3, 6]}}


def test_ratios_are_taken_round_by_round():
    assert ratio([2, 20, 200], [1, 10, 100]) == 2
    assert spread([10, 10, 10]) == 0
    assert spread([8, 10, 12]) == pytest.approx(0.2)


def test_a_table_is_markdown_with_numbers_at_the_right():
    assert table(["what", "n"], [["a", "1,000"], ["bc", "2.5"]]).splitlines() == [
        "| what |     n |",
        "|------|------:|",
        "| a    | 1,000 |",
        "| bc   |   2.5 |",
    ]


# Which rules a queue keeps


@pytest.mark.parametrize("make", [Queue, ContractQueue])
def test_a_right_queue_keeps_every_rule(make):
    found = verdict(make)
    assert (found.kept, found.broken, found.unreached, found.no_call) == (list(Rule), [], [], [])
    assert codes(found.kept) == "all 19"


@pytest.mark.parametrize(
    ("kind", "broken"),
    [
        ("Lifo", "E1 T1"),
        ("RetryToHead", "T1"),
        ("CapacityCountsWaitingOnly", "E3"),
        ("IdForgottenAfterAck", "E2"),
        ("AckAcceptsOlderAttempt", "X-stale"),
        ("CancelUnknownTrue", "C3-unknown"),
    ],
)
def test_a_broken_queue_is_charged_with_the_rule_it_breaks(kind, broken):
    assert set(broken.split()) <= {rule.code for rule in verdict(GALLERY[kind]).broken}


@pytest.mark.parametrize("make", VARIANTS.values(), ids=VARIANTS)
def test_a_variant_keeps_every_rule_as_the_queue_does(make):
    """Only then does it show what a trick is worth, and nothing else."""
    assert codes(verdict(make).kept) == "all 19"


def test_a_life_is_timed_call_by_call_and_as_a_whole():
    taken = life(Queue, IDS)
    assert taken.pop("together") == pytest.approx(sum(taken.values()))
    assert list(taken) == ["enqueue", "reserve", "ack"]


def test_rules_name_their_operations():
    assert verbs_of(Rule.E1) == ("enqueue",)
    assert verbs_of(Rule.X_STALE) == ("ack", "retry")
    assert verbs_of(Rule.N1) == ("enqueue", "reserve", "ack", "retry", "cancel")


def test_families_of_rules_are_named_together_only_if_all_are_there():
    assert codes([]) == "-"
    assert codes([Rule.C3_UNKNOWN, Rule.C3_FINISHED, Rule.X_ZERO]) == "C3 X-zero"


def test_the_standard_queue_keeps_order_and_no_identity():
    found = against_others.rules_of(StandardQueue)
    assert codes(found.kept) == "E1 R1 R2 N1 N2"
    assert codes(found.broken) == "E2 E3"
    assert codes(found.no_call) == "A1 T1 C1 C2 C3 X"


@pytest.mark.parametrize("library", [HueyMemory, PersistQueue, LiteQueue])
def test_the_verdict_on_a_library_is_the_same_each_time(library):
    if against_others.missing(library):
        assert os.environ.get("RQ_REQUIRE_LIBRARIES") != "1", f"{library.package} is not installed"
        pytest.skip(f"{library.package} is not installed: see tests/benchmark_requirements.txt")
    found = against_others.rules_of(library)
    assert found == against_others.rules_of(library)
    assert {Rule.E1, Rule.R1, Rule.R2, Rule.N1} <= set(found.kept)
    assert {Rule.E2, Rule.E3} <= set(found.broken)


def test_our_own_queue_is_measured_through_the_same_thin_layer():
    queue = Ours(1)
    assert queue.put("a", "A") is not None
    handle, id, payload = queue.take()
    assert (id, payload) == ("a", "A")
    assert queue.give_back(handle) is True
    assert queue.finish(handle) is False
    assert queue.put("b", "B") is None


def test_the_adapter_counts_how_often_a_job_was_handed_out():
    queue = Adapter(StandardQueue, 2)
    assert queue.enqueue("a", "A") is True
    assert queue.reserve() == ("a", "A", 1)
    queue.library.give_back(("a", "A"))
    assert queue.reserve() == ("a", "A", 2)
    assert queue.reserve() is None


def test_a_library_that_is_not_installed_costs_its_row_only(monkeypatch, capsys):
    monkeypatch.setattr(against_others, "missing", lambda library: library.package != "")
    monkeypatch.setattr(against_others, "JOBS", 10)
    against_others.run()
    text = capsys.readouterr().out
    absent = [library.label for library in LIBRARIES if library.package]
    assert len(absent) == 3
    assert all(f"{label} is left out: install it with" in text for label in absent)
    assert "| rq.Queue " in text
    assert "| queue.Queue " in text


# The other parts


def test_the_table_of_bugs_counts_what_was_found():
    rows = [Row("Lifo", 0.5, fault_of(GALLERY["Lifo"]).length, 2.0, 9), Row("RetryToHead", 0.1, 5, 3.0, None)]
    lines = finding.finding_table(rows).splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert cells[2] == ["check", "2", "2", "0.30", "0.50", "0.6"]
    assert cells[3] == ["Hypothesis", "1", "0", "2.00", "2.00", "5.0"]
    assert finding.ratios(rows).startswith("Over the 1 bugs that both found, Hypothesis took 4 times")


@pytest.mark.parametrize("kind", ["FullButSaysYes", "StateSharedBetweenQueues"])
def test_the_state_machine_finds_a_fault_and_its_shortest_sequence(kind):
    """The second takes two queues, and going on with one of them."""
    assert with_hypothesis(GALLERY[kind]) == fault_of(GALLERY[kind]).length


def test_the_state_machine_finds_nothing_in_a_right_queue():
    assert with_hypothesis(Queue, examples=50, start=1) is None


def test_the_state_machine_can_draw_a_call_for_every_rule():
    queue = Queue(3)
    for id in "abA":
        queue.enqueue(id, "")
    for id, attempt in [("a", 1), ("b", 1), ("A", 1), ("a", 2)]:
        assert queue.reserve()[::2] == (id, attempt)
        if (id, attempt) != ("a", 2):
            queue.retry(id, attempt)
    queue.reserve()
    queue.ack("b", 2)
    state = queue.snapshot()  # a is in flight, A waits, b is done, c is unknown
    calls = [("ack", *ticket) for pool in tickets(state) for ticket in pool]
    calls += [("cancel", id) for pool in active_ids(state) for id in pool]
    met = {decide(state, call).rule for call in calls}
    assert met == {rule for rule in Rule if rule.code[0] in "ACX"}
    assert new_ids(state) == [["c"], ["a", "A", "b", "c"]]


def test_what_valgrind_counts_is_read():
    text = "==1== I   refs:      505,240,730\n==1== D1  misses:  3,607 (1 rd)\n==1== LLd misses:  646,587  (1 rd)"
    assert counts.read(text) == (505_240_730, 646_587)


def test_without_valgrind_nothing_is_counted(monkeypatch, capsys):
    monkeypatch.setattr(counts.shutil, "which", lambda name: None)
    counts.run()
    assert capsys.readouterr().out == "Not counted: valgrind is not installed.\n"


def test_counting_waits_to_be_asked_for(monkeypatch):
    ran = []
    monkeypatch.setattr("benchmark.import_module", lambda name: SimpleNamespace(run=lambda *_: ran.append(name)))
    main([])
    assert ran == [f"benchmarks.{part.module}" for name, part in PARTS.items() if name != "counts"]
    main(["counts"])
    assert ran[-1] == "benchmarks.counts"


def test_the_scenarios_of_the_runner_are_well_formed_and_the_same_each_time(tmp_path):
    paths = [tmp_path / "one", tmp_path / "two"]
    for path in paths:
        write_scenarios(path, 50)
    one, two = (path.read_text().splitlines() for path in paths)
    assert one == two
    assert len({Scenario.from_json(line) for line in one}) > 40


@pytest.mark.parametrize("program", [RUNNER, FLOOR])
def test_a_run_is_timed_and_a_failure_is_no_time(program, tmp_path):
    write_scenarios(tmp_path / "file", 3)
    assert played(program, tmp_path / "file")["seconds"] > 0
    with pytest.raises(subprocess.CalledProcessError):
        played(("-c", "raise SystemExit(3)"), tmp_path / "file")


def test_an_unknown_part_is_refused(capsys):
    with pytest.raises(SystemExit) as error:
        main(["flor"])
    assert error.value.code == 2
    assert "flor" in capsys.readouterr().err


def test_an_interrupt_stops_it_in_one_line(monkeypatch, capsys):
    def run(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(against_others, "run", run)
    assert main(["others"]) == 130
    assert capsys.readouterr().out.endswith("stopped\n")


def test_the_parts_import_what_is_optional_only_when_they_run():
    program = "import sys; sys.path[:0] = ['tests']; import benchmark, benchmarks.start, benchmarks.libraries"
    program += "; print({'huey', 'persistqueue', 'litequeue', 'playwright', 'pandas'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout == "set()\n", done.stderr
