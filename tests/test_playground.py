"""The playground, driven without a browser: buttons are clicked and fields filled from Python."""

import json
import random
from typing import ClassVar

import pytest
from suite import EIGHT_QUEUES, html_tags, html_text

from rq import EXAMPLES, Playground, Queue, Scenario, trace
from rq.challenges import CHALLENGES
from rq.widgets.job_rows import REFUSED

FENCE = EXAMPLES["retry fences old attempt"].scenario


@pytest.fixture
def play():
    return Playground()


def replay(playground) -> None:
    """The history replays to the state that is shown, and every part stands at the same step."""
    shown = Scenario(playground.scenario.capacity, playground.scenario.ops[: playground.index])
    assert trace(shown).queues_at(playground.index).current == playground.state
    assert playground.index == playground.stepper.index == playground.stepper.calls.index
    assert playground.histories[playground.history_list.index] == playground.scenario
    assert len(playground.history_list.options) == len(playground.histories)


def enqueue(playground, id, payload=""):
    playground.bar.id.value, playground.bar.payload.value = id, payload
    playground.bar.buttons["enqueue"].click()


def reserve(playground):
    playground.bar.buttons["reserve"].click()


def click(playground, *operation):
    playground.rows.button(*operation).click()


# Making calls


def test_a_sequence_by_its_buttons(play):
    enqueue(play, "a", "A")
    reserve(play)
    click(play, "retry", "a", 1)
    reserve(play)
    click(play, "ack", "a", 1)
    click(play, "retry", "a", 1)
    click(play, "ack", "a", 2)
    assert play.scenario.ops == FENCE.ops
    assert play.trace.answers == EXAMPLES["retry fences old attempt"].expected
    assert "acknowledged: attempt 2 is current" in html_text(play.stepper.view.value)
    replay(play)


def test_every_ticket_ever_handed_out_keeps_its_buttons(play):
    for operation in FENCE.ops:
        play.call(*operation)
    (row,) = play.rows.children
    texts = [button.description.removeprefix(f"{REFUSED} ") for button in row.children[1:]]
    assert texts == ["cancel a", "ack a#1", "retry a#1", "ack a#2", "retry a#2"]


def test_the_buttons_stay_the_same_objects_so_that_the_focus_stays(play):
    enqueue(play, "a")
    reserve(play)
    before = play.rows.children[0].children
    click(play, "ack", "a", 1)
    click(play, "ack", "a", 1)
    assert play.rows.children[0].children == before


def test_a_call_that_would_be_refused_is_marked_says_why_and_can_be_made(play):
    enqueue(play, "a")
    reserve(play)
    click(play, "retry", "a", 1)
    button = play.rows.button("ack", "a", 1)
    assert button.description == f"{REFUSED} ack a#1"
    assert button.tooltip == "would be refused: waiting: a is not in flight, so attempt 1 changes nothing"
    button.click()
    assert play.trace.answers[-1] is False
    assert "waiting: a is not in flight" in html_text(play.stepper.view.value)
    assert not play.rows.button("cancel", "a").description.startswith(REFUSED)


def test_the_marks_follow_what_is_typed(play):
    bar = play.bar
    assert bar.buttons["enqueue"].description == "enqueue a"
    enqueue(play, "a")
    assert bar.buttons["enqueue"].description == f"{REFUSED} enqueue a"
    assert "duplicate id: a" in bar.buttons["enqueue"].tooltip
    bar.hand_id.value = "a"
    assert bar.buttons["cancel"].description == "cancel"
    assert bar.buttons["ack"].description == f"{REFUSED} ack"


def test_the_marks_are_true_of_every_button_at_every_step():
    play = Playground(EIGHT_QUEUES.capacity)
    play.load(EIGHT_QUEUES)
    for index in range(len(EIGHT_QUEUES.ops) + 1):
        play.stepper.index = index
        for row in play.rows.children:
            for button in row.children[1:]:
                ops = (*EIGHT_QUEUES.ops[:index], button.operation)[-64:]
                if len(ops) == index + 1:
                    answer = Scenario(EIGHT_QUEUES.capacity, ops).run()[-1]
                    assert button.description.startswith(REFUSED) == (answer is False)


@pytest.mark.parametrize("calls", [[], [("enqueue", "a", "A"), ("reserve",)]])
def test_a_reserve_that_would_find_nothing_is_marked(play, calls):
    for call in calls:
        play.call(*call)
    assert play.bar.buttons["reserve"].description == f"{REFUSED} reserve"
    play.call("enqueue", "b", "B")
    assert play.bar.buttons["reserve"].description == "reserve"


def test_what_is_malformed_is_marked_too(play):
    play.bar.id.value = "ä"
    assert play.bar.buttons["enqueue"].description == f"{REFUSED} enqueue ä"
    assert play.bar.buttons["enqueue"].tooltip.startswith("id must be 1 to 16 of the characters")


def test_an_attempt_typed_by_hand(play):
    enqueue(play, "a")
    reserve(play)
    play.bar.hand_id.value, play.bar.hand_attempt.value = "a", 7
    play.bar.buttons["ack"].click()
    assert play.scenario.ops[-1] == ("ack", "a", 7)
    assert "future attempt" in html_text(play.stepper.view.value)
    play.bar.hand_id.value = "nobody"
    play.bar.buttons["cancel"].click()
    assert "unknown id: nobody was never accepted" in html_text(play.stepper.view.value)


def test_an_empty_field_stands_for_the_next_letter(play):
    button = play.bar.buttons["enqueue"]
    assert button.description == "enqueue a"
    button.click()
    play.bar.payload.value = "mine"
    button.click()
    assert play.scenario.ops == (("enqueue", "a", "A"), ("enqueue", "b", "mine"))
    assert button.description == f"{REFUSED} enqueue c"  # no slot is free
    play.bar.id.value, play.bar.payload.value = "z", ""
    assert button.description == f"{REFUSED} enqueue z"
    play.stepper.first.click()
    button.click()
    assert play.scenario.ops == (("enqueue", "z", "Z"),)


def test_ids_go_on_after_the_last_letter():
    play = Playground(16)
    for letter in "abcdefghijklmnopqrstuvwxyz":
        play.call("enqueue", letter, "")
        play.call("cancel", letter)
    play.bar.buttons["enqueue"].click()
    assert play.scenario.ops[-1] == ("enqueue", "job-0", "JOB-0")


def test_nothing_is_written_into_a_field_that_somebody_may_be_typing_in(play):
    """What they type reaches us only when they leave the field; what we wrote would be mixed with it, or replace it."""
    fields = (play.bar.id, play.bar.payload, play.bar.hand_id, play.bar.hand_attempt)
    sent = []
    for field in fields:
        field.observe(sent.append)
    play.bar.buttons["enqueue"].click()
    reserve(play)
    click(play, "retry", "a", 1)
    play.stepper.back.click()
    reserve(play)
    play.restart_button.click()
    play.load(FENCE)
    assert len(play.histories) == 3
    assert sent == []


def test_a_capacity_that_was_typed_stays_until_it_is_used(play):
    play.capacity_field.value = 7
    play.bar.buttons["enqueue"].click()
    play.restart_button.click()
    assert play.scenario.capacity == 7


def test_more_queues(play):
    enqueue(play, "a")
    play.bar.new.click()
    assert [button.description for button in play.bar.queues.children] == ["queue 0", "▸ queue 1"]
    assert play.rows.children == ()
    enqueue(play, "a")
    play.bar.queues.children[0].click()
    assert [button.description for button in play.bar.queues.children] == ["▸ queue 0", "queue 1"]
    reserve(play)
    assert [op[0] for op in play.scenario.ops] == ["enqueue", "new", "enqueue", "use", "reserve"]
    replay(play)
    play.stepper.index = 1
    assert play.bar.queues.children == ()


BAD_INPUT = [" ", "a b", "ä", "x" * 17, "<b>", "a\nb", "💥", "a/b", '"']


@pytest.mark.parametrize("text", BAD_INPUT)
def test_bad_input_gets_one_sentence_and_nothing_is_lost(play, text):
    enqueue(play, "a", "A")
    before = play.scenario
    enqueue(play, text)
    assert play.message.startswith("✗ id must be 1 to 16 of the characters A-Z, a-z, 0-9, _ and -, not ")
    assert "\n" not in play.message
    play.bar.hand_id.value = text
    play.bar.buttons["ack"].click()
    assert play.message.startswith("✗ id must be ")
    assert play.scenario == before
    assert html_tags(play.note.value) <= {"div", "style"}
    replay(play)
    reserve(play)
    assert play.message == ""


def test_the_65th_call_gets_one_sentence(play):
    for _ in range(65):
        reserve(play)
    assert play.message == "✗ a history ends after 64 calls: go back a few, or restart"
    assert len(play.scenario.ops) == 64
    replay(play)


# Going back, branching, restarting


def test_going_back_and_on_makes_a_branch_and_the_other_stays(play):
    for operation in FENCE.ops:
        play.call(*operation)
    play.stepper.index = 2
    play.call("cancel", "a")
    assert play.message == "history 1 stays as it was; this one leaves it after call 2"
    assert [scenario.ops for scenario in play.histories] == [FENCE.ops, (*FENCE.ops[:2], ("cancel", "a"))]
    replay(play)
    play.history_list.index = 0
    assert (play.scenario.ops, play.index) == (FENCE.ops, 7)
    replay(play)


def test_the_buttons_are_about_the_step_that_is_shown(play):
    for operation in FENCE.ops:
        play.call(*operation)
    play.stepper.back.click()
    assert play.rows.button("ack", "a", 2).description == "ack a#2"
    play.stepper.first.click()
    assert play.rows.children == ()
    assert play.index == 0
    replay(play)


def test_restart_with_another_capacity(play):
    enqueue(play, "a")
    play.capacity_field.value = 5
    play.restart_button.click()
    assert (play.scenario, play.index) == (Scenario(5), 0)
    assert play.bar.buttons["enqueue"].description == "enqueue a"
    assert len(play.histories) == 2
    assert "capacity 5, 0 calls" in play.history_list.label
    replay(play)


@pytest.mark.parametrize("capacity", [-1, 17, "2", None, True])
def test_a_wrong_capacity_is_a_mistake(capacity):
    with pytest.raises(ValueError, match="capacity must be a whole number from 0 to 16"):
        Playground(capacity)


def test_a_queue_of_another_class():
    class Yes(Queue):
        def ack(self, id, attempt):
            return True

    play = Playground(1, Yes)
    play.call("ack", "nobody", 1)
    assert "✗ True (the contract says False)" in html_text(play.stepper.view.value)


# Progress


def test_rules_and_challenges_are_ticked_off(play):
    assert "challenges met: 0 of 14" in html_text(play.progress.value)
    assert "✓" not in html_text(play.progress.value)
    for operation in FENCE.ops:
        play.call(*operation)
    said = html_text(play.progress.value)
    assert "✓ The late worker." in said
    assert "○ Too late." in said
    assert "rules met: 5 of 19" in said
    play.stepper.index = 0
    play.capacity_field.value = 3
    play.restart_button.click()
    assert "✓ The late worker." in html_text(play.progress.value)


def test_every_challenge_is_listed(play):
    said = html_text(play.progress.value)
    assert all(challenge.task in said for challenge in CHALLENGES)


# Taking out and putting in


def test_the_history_as_json_and_back(play):
    for operation in FENCE.ops:
        play.call(*operation)
    taken = play.share.out.value
    assert Scenario.from_json(taken) == play.scenario
    other = Playground()
    other.share.box.value = taken
    other.share.put_in.click()
    assert other.scenario.ops == FENCE.ops
    assert other.index == 7
    assert other.share.box.value == ""
    replay(other)


HOSTILE = ["", "it's", '"', "\\", "\\n", "{}", "</script>", "<img src=x onerror=alert(1)>", "' + exit() + '", "%s # x"]


def test_the_history_as_a_test_that_runs(play):
    capacity = 16
    play.capacity_field.value = capacity
    play.restart_button.click()
    for number, payload in enumerate(HOSTILE):
        play.call("enqueue", f"job-{number}", payload)
        play.call("reserve")
    play.call("new")
    play.call("enqueue", "a", "in the other")
    play.call("use", 0)
    play.share.form.value = "pytest function"
    program = play.share.out.value
    assert program == play.program
    names = {}
    exec(compile(program, "taken out", "exec"), names)
    names["test_scenario"]()
    spoiled = program.replace("is True", "is False", 1)
    exec(compile(spoiled, "spoiled", "exec"), names)
    with pytest.raises(AssertionError):
        names["test_scenario"]()


BAD_JSON = ["", "{", "[]", "x", '{"capacity":17,"ops":[]}', '{"capacity":1}', '{"capacity":1,"ops":[["Ack"]]}', "null"]


@pytest.mark.parametrize("text", BAD_JSON)
def test_bad_json_is_refused_in_one_sentence_and_the_history_is_kept(play, text):
    for operation in FENCE.ops:
        play.call(*operation)
    play.share.box.value = text
    play.share.put_in.click()
    assert play.message.startswith("✗ ")
    assert play.message.endswith("; your history is as it was")
    assert "\n" not in play.message
    assert play.scenario.ops == FENCE.ops
    assert play.share.box.value == text
    replay(play)


@pytest.mark.parametrize("source", [FENCE, "retry fences old attempt", FENCE.to_dict(), FENCE.to_json()])
def test_code_can_load_what_a_stepper_takes(play, source):
    play.load(source)
    assert play.scenario.ops == FENCE.ops
    play.load(None)
    assert play.message.startswith("✗ expected a Scenario, an example's name, a dict or JSON text, not NoneType")


# Saving


def test_it_goes_on_where_it_was(tmp_path):
    path = tmp_path / "mine.json"
    play = Playground(3, save=path)
    for operation in FENCE.ops:
        play.call(*operation)
    play.stepper.index = 2
    play.call("cancel", "a")
    again = Playground(save=path)
    assert again.histories == play.histories
    assert (again.scenario, again.index) == (play.scenario, play.index)
    assert again.message == "taken up from mine.json"
    assert html_text(again.progress.value) == html_text(play.progress.value)
    replay(again)
    again.restart_button.click()
    assert Playground(save=str(path)).scenario == Scenario(3)


@pytest.mark.parametrize("content", ["my notes", "", '{"capacity":1,"ops":[]}'])
def test_a_file_that_holds_something_else_is_left_alone_and_it_says_so(tmp_path, content):
    path = tmp_path / "notes.json"
    path.write_text(content)
    play = Playground(save=path)
    assert play.message.startswith("✗ notes.json cannot be taken up: ")
    assert "It is left as it is, and nothing is saved" in play.message
    enqueue(play, "a")
    assert "nothing is saved" in play.message
    assert path.read_text() == content
    replay(play)


def test_a_file_that_cannot_be_written_loses_nothing_of_the_history(tmp_path):
    play = Playground(save=tmp_path / "none" / "mine.json")
    enqueue(play, "a")
    assert play.message.startswith("✗ there is no folder ")
    reserve(play)
    assert play.message.startswith("✗ there is no folder ")  # as long as nothing is saved, it says so
    assert len(play.scenario.ops) == 2


def test_a_file_that_cannot_be_written_for_a_while(tmp_path):
    folder = tmp_path / "here"
    folder.mkdir()
    play = Playground(save=folder / "mine.json")
    folder.rmdir()
    enqueue(play, "a")
    assert play.message.startswith("✗ mine.json cannot be written: ")
    assert play.message.endswith("what you do here is not saved")
    folder.mkdir()
    reserve(play)
    assert play.message == ""
    assert Playground(save=folder / "mine.json").index == 2


def test_two_playgrounds_on_one_file_do_not_overwrite_each_other(tmp_path):
    path = tmp_path / "mine.json"
    one, two = Playground(save=path), Playground(save=path)
    enqueue(one, "a")
    kept = path.read_bytes()
    enqueue(two, "b")
    assert "perhaps by another playground" in two.message
    assert path.read_bytes() == kept
    assert two.scenario.ops == (("enqueue", "b", "B"),)


def test_each_history_of_a_file_is_played_once_when_it_is_taken_up(tmp_path, monkeypatch):
    """A queue that hangs would keep one waiting twice. The rules that any of them met are ticked off."""
    first = Playground(save=tmp_path / "mine.json")
    for capacity, calls in ((1, [("enqueue", "a", ""), ("cancel", "a")]), (2, [("reserve",)])):
        first.capacity_field.value = capacity
        first.restart()
        for call in calls:
            first.call(*call)
    played = []
    monkeypatch.setattr("rq.widgets.playground.trace", lambda *given: played.append(given[0]) or trace(*given))
    again = Playground(save=tmp_path / "mine.json")
    assert len(played) == len(first.histories) == len(set(played)) == 2
    assert again._progress.rules == first._progress.rules


# The forms


def test_the_static_and_the_text_form_agree_with_the_trace(play):
    data, _ = play._repr_mimebundle_()
    assert "Run this cell" in html_text(data["text/html"])
    assert CHALLENGES[0].task in html_text(data["text/html"])
    for operation in FENCE.ops:
        play.call(*operation)
    static = html_text(play._repr_mimebundle_()[0]["text/html"])
    assert str(play) == str(play.trace)
    for step in play.trace.steps:
        assert step.decision.why in static
    assert repr(play) == "Playground: capacity 2, step 7 of 7"


@pytest.mark.parametrize("payload", [p for p in HOSTILE if p])
def test_what_a_learner_types_is_text_everywhere(play, payload):
    enqueue(play, "a", payload)
    reserve(play)
    views = [play.stepper.view.value, play.progress.value, play.note.value, play.static_html()]
    views += [row.children[0].value for row in play.rows.children]
    ours = {"div", "b", "br", "code", "table", "caption", "thead", "tbody", "tr", "th", "td", "style", "span"}
    for view in views:
        assert html_tags(view) <= ours | {"ul", "li"}
    assert payload in html_text(play.stepper.view.value)


@pytest.mark.parametrize("seed", range(4))
def test_200_random_clicks_never_raise_and_always_replay(seed, tmp_path):
    rng = random.Random(seed)
    play = Playground(rng.randrange(4), save=tmp_path / "mine.json")
    for _ in range(200):
        bar, stepper = play.bar, play.stepper
        buttons = [*bar.buttons.values(), bar.new, *bar.queues.children, play.restart_button, play.share.put_in]
        buttons += [stepper.first, stepper.back, stepper.next, stepper.last]
        buttons += [button for row in play.rows.children for button in row.children[1:]] * 2
        bar.hand_id.value = rng.choice(["a", "b", "c", "", "<b>"])
        bar.hand_attempt.value = rng.randrange(4)
        if rng.random() < 0.2:
            bar.id.value = rng.choice(["a", "b", "x y", ""])
        if rng.random() < 0.05:
            play.history_list.index = rng.randrange(len(play.histories))
        rng.choice(buttons).click()
        replay(play)
    data = json.loads((tmp_path / "mine.json").read_text())
    assert [Scenario.from_dict(branch) for branch in data["branches"]] == play.histories


def test_a_queue_that_exits_or_keeps_state_in_its_class_does_no_harm():
    class Exits(Queue):
        def ack(self, id, attempt):
            raise SystemExit

    play = Playground(1, Exits)
    for call in (["enqueue", "a", ""], ["reserve"], ["ack", "a", 1], ["cancel", "a"]):
        play.call(*call)
        replay(play)
    assert "raised SystemExit" in str(play)

    class Shares(Queue):
        made: ClassVar = []

        def enqueue(self, id, payload):
            self.made.append(id)
            return self.made.count(id) == 1 and super().enqueue(id, payload)

    play = Playground(1, Shares)
    play.call("enqueue", "a", "")
    play.call("reserve")
    play.call("ack", "a", 1)
    assert play.trace.answers == [True, ["a", "", 1], True]


def test_a_call_may_be_given_as_a_list(play):
    play.call(["enqueue", "a", "A"])
    play.call("reserve")
    assert play.scenario.ops == (("enqueue", "a", "A"), ("reserve",))


@pytest.mark.parametrize("attempt", [True, 1.0, "1"])
def test_a_call_is_checked_also_where_it_looks_like_the_next_one(play, attempt):
    for call in (["enqueue", "a", "A"], ["reserve"], ["ack", "a", 1]):
        play.call(*call)
    play.stepper.index = 2
    play.call("ack", "a", attempt)
    assert play.message.startswith("✗ attempt must be a whole number")
    assert play.index == 2


def test_a_text_is_sent_when_the_field_is_left(play):
    """Each key by itself could reach a busy kernel after the click."""
    assert not any(field.continuous_update for field in (play.bar.id, play.bar.payload, play.bar.hand_id))


@pytest.mark.parametrize("operation", ["call", "restart", "load", "switch"])
def test_a_stop_while_a_queue_plays_changes_nothing(play, operation):
    """The stop button ends what runs too long. The step, the histories and what is shown stay as they were."""

    class Stops(Queue):
        stop = False

        def __init__(self, capacity):
            if Stops.stop:
                raise KeyboardInterrupt
            super().__init__(capacity)

    play = Playground(2, Stops)
    play.call("enqueue", "a", "A")
    play.restart_button.click()
    play.call("enqueue", "b", "B")
    before = (play.scenario, play.index, play.histories, play.stepper.view.value, play.history_list.index)
    Stops.stop = True
    actions = {
        "call": lambda: play.call("reserve"),
        "restart": play.restart,
        "load": lambda: play.load(FENCE),
        "switch": lambda: play.history_list.set_trait("index", 0),
    }
    with pytest.raises(KeyboardInterrupt):
        actions[operation]()
    assert play.message == "✗ stopped; your history is as it was"
    Stops.stop = False
    assert before == (play.scenario, play.index, play.histories, play.stepper.view.value, play.history_list.index)
    replay(play)
    reserve(play)
    assert play.index == 2
