"""The race: both queues move together, the first difference is named, and what follows is shown."""

import sys

import pytest
from suite import ContractQueue, html_tags, html_text

from rq import EXAMPLES, Queue, Race, Rule, Scenario, State, Stepper, check, check_command, race_table, trace
from rq.broken import GALLERY
from rq.race import race

FENCE = EXAMPLES["retry fences old attempt"].scenario
OLDER = GALLERY["AckAcceptsOlderAttempt"]


@pytest.fixture(scope="module")
def report():
    return check(OLDER)


def shown(widget) -> str:
    return " ".join(html_text(widget.view.value).split())


def labels(widget) -> list[str]:
    return [option.replace("\u00a0", " ") for option in widget.calls.options]


def test_both_columns_move_together_and_part_where_the_answers_differ():
    widget = Race(FENCE, OLDER)
    for index in range(8):
        widget.index = index
        assert f"step {index} of 7" in shown(widget)
        assert ("Here they part." in shown(widget)) == (index == 5)
        assert ("They parted at step 5" in shown(widget)) == (index > 5)
    widget.index = 5
    assert 'ack("a", 1) → False' in shown(widget)
    assert 'ack("a", 1) → ✗ True' in shown(widget)
    assert "● done (Queue: in flight)" in shown(widget)
    assert "Rule X-stale" in shown(widget)


def test_the_list_shows_both_answers_as_far_as_they_are_reached():
    widget = Race(FENCE, OLDER, at=5)
    assert labels(widget)[4:7] == [
        "   4  reserve()          a#2   | a#2",
        '▸  5  ack("a", 1)        False | ✗ True',
        '   6  retry("a", 1)      …',
    ]


def test_nothing_of_the_difference_is_shown_before_it():
    widget = Race(FENCE, OLDER, at=4)
    assert "X-stale" not in shown(widget)
    assert "Here they part" not in shown(widget)
    assert "✗" not in shown(widget)


def test_a_report_is_raced_with_what_follows_up_to_the_last_call_that_tells(report):
    widget = Race(report)
    assert widget.trace.scenario.ops[: len(report.ops)] == report.ops
    assert widget.trace.steps[-1].agrees is False
    assert widget.trace.steps[-1].call == 'ack("a", 2)'
    assert widget.rule is report.rule is Rule.X_STALE
    widget.index = 7
    assert 'ack("a", 2) → True' in shown(widget)
    assert 'ack("a", 2) → ✗ False' in shown(widget)


@pytest.mark.parametrize("name", GALLERY)
def test_every_gallery_queue_can_be_raced_from_its_report(name):
    report = check(GALLERY[name])
    widget = Race(report)
    assert widget.error is None
    assert widget.trace.first_difference == len(report.ops)
    assert widget.trace.answers[: len(report.ops)] == report.returned
    widget.index = len(report.ops)
    assert f"Here they part. Rule {report.rule.code}: " in shown(widget)
    assert report.rule.code in str(widget)
    for index in range(len(widget.trace) + 1):
        widget.index = index
        assert f"step {index} of {len(widget.trace)}" in shown(widget)


class Mute:
    """A learner's own queue: it has no snapshot, its reserve hands out the newest, and retry raises."""

    def __init__(self, capacity):
        self.jobs, self.capacity = [], capacity

    def enqueue(self, id, payload):
        self.jobs.append((id, payload))
        return True

    def reserve(self):
        return (*self.jobs.pop(), 1) if self.jobs else None

    def ack(self, id, attempt):
        return True

    def retry(self, id, attempt):
        raise KeyError("<b>")

    def cancel(self, id):
        while True:
            pass


def test_a_queue_that_does_not_tell_its_state():
    widget = Race("fifo", Mute, at=3)
    assert "it does not tell its state" in shown(widget)
    assert 'reserve() → ✗ b · "B" · attempt 1' in shown(widget)


def test_a_queue_that_raises_is_shown_as_text():
    widget = Race(FENCE, Mute, at=3)
    assert "✗ raised KeyError('<b>')" in shown(widget)
    assert "b" not in html_tags(widget.static_html().replace("<b>", ""))
    assert "KeyError('<b>')" in str(widget)


def test_a_report_of_a_queue_that_hangs():
    class Hangs(Queue):
        def cancel(self, id):
            while True:
                pass

    report = check(Hangs)
    widget = Race(report)
    assert widget.trace.first_difference == len(report.ops)
    assert "no answer: the call did not end" in str(widget)


def test_a_report_on_a_program(tmp_path):
    program = tmp_path / "answers.py"
    program.write_text(
        "import json, sys\nfrom rq import Scenario\nfrom rq.broken import GALLERY\n"
        "for line in sys.stdin:\n"
        "    print(json.dumps(Scenario.from_json(line).run(GALLERY['AckUnknownTrue'])), flush=True)\n"
    )
    widget = Race(check_command(f'"{sys.executable}" "{program}"'))
    assert widget.rule is Rule.X_UNKNOWN
    assert widget.trace.first_difference == 1
    widget.index = 1
    assert "it does not tell its state" in shown(widget)


def test_queues_that_agree():
    widget = Race(FENCE, ContractQueue, at=7)
    assert widget.rule is None
    assert "part" not in shown(widget)
    assert str(widget).endswith("Queue and ContractQueue gave the same answers.")
    assert "They gave the same answers." in html_text(widget.static_html())


@pytest.mark.parametrize(
    ("source", "queue_class", "said"),
    [
        (FENCE, None, "a race needs a second queue: Race(scenario, MyQueue)"),
        ("Fifo", OLDER, 'no example is called "Fifo"'),
        ("{", OLDER, "not JSON"),
        (check(Queue, limit=50), None, "there is no counterexample to race: No difference found"),
        (None, OLDER, "expected a Scenario, an example's name, a dict or JSON text, not NoneType"),
    ],
)
def test_what_cannot_be_raced_shows_one_sentence_in_place(source, queue_class, said):
    widget = Race(source, queue_class)
    assert said in widget.error
    (only,) = widget.children
    assert said in html_text(only.value)
    assert said in html_text(widget._repr_mimebundle_()[0]["text/html"])
    assert str(widget) == repr(widget) == f"Race: {widget.error}"


def test_what_is_no_queue_class_is_a_mistake():
    with pytest.raises(TypeError, match="expected a queue class"):
        Race(FENCE, 5)
    with pytest.raises(TypeError, match="leave out the brackets"):
        Race(FENCE, Queue(1))


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_three_forms_agree(name):
    for queue_class in (Queue, OLDER, GALLERY["CapacityCountsWaitingOnly"]):
        widget = Race(name, queue_class)
        static, text = " ".join(html_text(widget.static_html()).split()), " ".join(str(widget).split())
        for step in widget.trace.steps:
            widget.index = step.number
            for form in (shown(widget), static, text):
                assert step.call in form
                assert " ".join(step.why.split()) in form
            assert ("another answer" in shown(widget)) is (not step.agrees)


def test_the_table():
    table = race_table(race(FENCE, OLDER))
    assert list(table.columns) == ["call", "Queue", "AckAcceptsOlderAttempt", "why"]
    assert table.loc[5].tolist()[:3] == ['ack("a", 1)', "False", "✗ True"]
    assert race(trace(FENCE, OLDER)).answers == race(FENCE, OLDER).answers


HOSTILE = ["<img src=x onerror=alert(1)>", "&lt;b&gt;", "</script>", '"', "'"]


@pytest.mark.parametrize("payload", HOSTILE)
def test_a_payload_is_text_everywhere(payload):
    widget = Race(Scenario(1, [["enqueue", "a", payload], ["reserve"]], title=payload), GALLERY["Lifo"], at=2)
    for view in (widget.view.value, widget.static_html()):
        assert "img" not in html_tags(view)
        assert "script" not in html_tags(view)
    assert payload in html_text(widget.view.value)


def test_a_queue_that_cannot_be_made_says_so():
    widget = Race(check(lambda capacity: 1 / 0))
    assert "cannot be made with capacity 0: raised ZeroDivisionError" in widget.error


def test_a_class_that_is_given_is_the_one_that_is_raced(report):
    assert Race(trace(FENCE), OLDER).trace.first_difference == 5
    assert Race(report, GALLERY["Lifo"]).trace.queue_name == "Lifo"
    assert "a race needs a second queue" in Race(trace(FENCE)).error


def test_a_learners_own_class_named_queue_is_told_from_ours():
    names = {}
    exec("class Queue:\n    def __init__(self, capacity): pass\n    def enqueue(self, id, payload): return True", names)
    widget = Race("in flight capacity", names["Queue"], at=1)
    assert "your Queue" in shown(widget)
    assert list(race_table(widget.trace).columns) == ["call", "Queue", "your Queue", "why"]
    assert "your Queue" in Race(check(names["Queue"])).trace.title


SHARES = Scenario(2, [["enqueue", "a", "A"], ["new"], ["enqueue", "a", "A"]])


def test_state_that_queues_share_is_the_rule_that_is_named_and_it_does_not_outlive_the_race():
    for _ in range(3):
        widget = Race(SHARES, GALLERY["StateSharedBetweenQueues"])
        assert widget.trace.first_difference == 3
        assert widget.rule is Rule.N1
    assert check(GALLERY["StateSharedBetweenQueues"]).rule is Rule.N1
    assert Race([["x"]], GALLERY["Lifo"]).rule is None


def test_a_job_that_only_one_of_them_has_is_marked():
    widget = Race("in flight capacity", GALLERY["CapacityCountsWaitingOnly"], at=3)
    assert "● b (only here)" in shown(widget)
    widget = Race(check(GALLERY["IdForgottenAfterCancel"]), at=2)
    assert "● a (missing here)" in shown(widget)


@pytest.mark.parametrize("method", ["__init__", "enqueue", "snapshot"])
@pytest.mark.parametrize("fault", ["hang", "exit", "bad repr", "print", "input"])
def test_a_queue_that_misbehaves_is_shown_and_harms_nobody(method, fault, capsys):
    class BadRepr(Exception):
        def __repr__(self):
            raise ValueError

    def misbehave(self, *arguments):
        if fault == "hang":
            while True:
                pass
        if fault == "exit":
            raise SystemExit
        if fault == "bad repr":
            raise BadRepr
        return print("x" * 1000) if fault == "print" else input("?")

    queue_class = type("Bad", (Queue,), {method: misbehave})
    widget = Race({"capacity": 1, "ops": [["enqueue", "a", ""]]}, queue_class, at=1)
    assert "step 1 of 1" in shown(widget)
    assert capsys.readouterr().out == ""


NONSENSE = [(2, (1, 2), ()), (2, None, ()), (2, (), None), (2, (("a", "A", "waiting", 0),), ("a",)), ("2", (), ())]


@pytest.mark.parametrize("fields", NONSENSE, ids=str)
def test_a_state_with_nonsense_in_it_counts_as_none(fields):
    class Odd(Queue):
        def snapshot(self):
            return State(*fields)

    assert "it does not tell its state" in shown(Race("fifo", Odd, at=3))


def test_a_name_that_is_none():
    class Meta(type):
        @property
        def __name__(cls):
            raise RuntimeError

    class Nameless(Queue, metaclass=Meta):
        pass

    assert Race("fifo", Nameless).trace.queue_name == "queue"


@pytest.mark.parametrize("at", ["3", 2.5, None, True])
def test_a_step_that_is_no_whole_number_is_a_mistake(at):
    for make in (lambda: Race("fifo", OLDER, at=at), lambda: Stepper("fifo", at=at)):
        with pytest.raises(TypeError, match="at must be a whole number, not "):
            make()
    stepper = Stepper("fifo", at=2)
    with pytest.raises(TypeError, match="index must be a whole number, not "):
        stepper.index = at
    assert stepper.index == stepper.slider.value == stepper.calls.index == 2


def test_a_program_whose_answer_is_no_reservation_can_be_raced(tmp_path):
    program = tmp_path / "odd.py"
    program.write_text("import sys\nfor line in sys.stdin:\n    print([[1]], flush=True)\n")
    report = check_command(f'"{sys.executable}" "{program}"')
    assert "[1]" in str(Race(report))
    assert report.stepper().index == 1
