"""Scenarios: the limits of the exercise at the edge and just beyond, and one sentence for every fault."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from suite import EIGHT_QUEUES, scenarios

from rq import Queue, Scenario, ScenarioError
from rq.scenario import Player, _no_repeats


def message(action, *arguments) -> str:
    """The one sentence of the ScenarioError that a call raises."""
    with pytest.raises(ScenarioError) as error:
        action(*arguments)
    text = str(error.value)
    assert text
    assert "\n" not in text
    assert len(text) < 200
    return text


def fault(*ops) -> str:
    """What is wrong with these operations, said the same way for values and for JSON text."""
    said = message(Scenario.from_dict, {"capacity": 2, "ops": list(ops)})
    assert message(Scenario.from_json, json.dumps({"capacity": 2, "ops": ops})) == said
    return said


# At the edge, and just beyond


@pytest.mark.parametrize("capacity", [0, 16])
def test_a_capacity_from_0_to_16_is_accepted(capacity):
    assert Scenario(capacity).capacity == capacity


@pytest.mark.parametrize("capacity", [-1, 17, True, 1.0, "1", None, [], {}])
def test_any_other_capacity_is_refused(capacity):
    assert message(Scenario, capacity).startswith("capacity must be a whole number from 0 to 16, not ")
    assert message(Scenario.from_dict, {"capacity": capacity, "ops": []}) == message(Scenario, capacity)


def test_64_operations_are_accepted_and_the_65th_is_refused():
    assert len(Scenario(1, (("reserve",),) * 64).ops) == 64
    assert fault(*[["reserve"]] * 65) == "ops[64]: at most 64 operations are allowed"


def test_8_queues_are_accepted_and_the_ninth_is_refused():
    assert Scenario(1, (("new",),) * 7).ops[-1] == ("new",)
    assert fault(*[["new"]] * 8) == "ops[7]: at most 8 queues are allowed"


@pytest.mark.parametrize("id", ["a", "A", "0", "_", "-", "aZ09_-aZ09_-aZ09"])
def test_ids_of_1_to_16_of_the_characters_are_accepted(id):
    assert Scenario(1, (("cancel", id),)).ops == (("cancel", id),)


@pytest.mark.parametrize("id", ["", "a" * 17, "a b", "a\n", "\na", "é", "a.b", "٣", "a\x00", 1, None, True, ["a"]])
def test_other_ids_are_refused(id):
    assert fault(["cancel", id]).startswith("ops[0]: id must be 1 to 16 of the characters ")


@pytest.mark.parametrize("payload", ["", " ", "~", "x" * 32, "<b>&\"'\\"])
def test_payloads_of_0_to_32_printable_ascii_are_accepted(payload):
    assert Scenario(1, (("enqueue", "a", payload),)).run() == [True]


@pytest.mark.parametrize("payload", ["x" * 33, "\n", "x\n", "\t", "\x7f", "é", "😀", "\ud800", 1, None, False, {}])
def test_other_payloads_are_refused(payload):
    assert fault(["enqueue", "a", payload]).startswith("ops[0]: payload must be 0 to 32 printable ASCII characters, ")


@pytest.mark.parametrize("verb", ["ack", "retry"])
def test_attempts_from_0_to_64_are_accepted_and_others_refused(verb):
    assert Scenario(1, ((verb, "a", 0), (verb, "a", 64))).run() == [False, False]
    for attempt in (-1, 65, 1.0, True, "1", None, [1]):
        assert fault([verb, "a", attempt]).startswith("ops[0]: attempt must be a whole number from 0 to 64, not ")


def test_use_of_a_queue_not_created_yet_is_refused():
    assert Scenario(1, (("use", 0), *[("new",)] * 7, ("use", 7))).ops[-1] == ("use", 7)
    assert fault(["use", 1], ["new"]) == "ops[0]: queue 1 is not created yet; only queue 0 exists"
    assert fault(["new"], ["use", 2]) == "ops[1]: queue 2 is not created yet; only queues 0 to 1 exist"


@pytest.mark.parametrize("index", [-1, 8, True, False, 0.0, "0", None])
def test_an_index_that_no_queue_can_have_is_refused(index):
    assert fault(["use", index]).startswith("ops[0]: index must be a whole number from 0 to 7, not ")


# The wrong shape


def test_the_message_names_the_place_and_the_value():
    five = [["reserve"]] * 5
    assert fault(*five, ["ack", "a", "1"]) == 'ops[5]: attempt must be a whole number from 0 to 64, not "1"'


@pytest.mark.parametrize(
    ("operation", "said"),
    [
        (["enqueue", "a"], "enqueue takes 2 arguments (id, payload), not 1"),
        (["enqueue", "a", "A", 1], "enqueue takes 2 arguments (id, payload), not 3"),
        (["reserve", "a"], "reserve takes 0 arguments, not 1"),
        (["ack", "a"], "ack takes 2 arguments (id, attempt), not 1"),
        (["retry"], "retry takes 2 arguments (id, attempt), not 0"),
        (["cancel", "a", 1], "cancel takes 1 argument (id), not 2"),
        (["new", 1], "new takes 0 arguments, not 1"),
        (["use"], "use takes 1 argument (index), not 0"),
    ],
)
def test_a_wrong_number_of_arguments_is_refused(operation, said):
    assert fault(["reserve"], operation) == f"ops[1]: {said}"


@pytest.mark.parametrize("name", ["Enqueue", "RESERVE", "release", "reserve ", "", "__init__", "snapshot", None, 1, []])
def test_an_operation_of_another_name_is_refused(name):
    said = fault([name])
    assert said.startswith("ops[0]: unknown operation ")
    assert said.endswith("the operations are enqueue, reserve, ack, retry, cancel, new, use")


@pytest.mark.parametrize("operation", ["reserve", [], {}, None, 1, True])
def test_an_operation_that_is_no_list_is_refused(operation):
    assert fault(operation).startswith('ops[0]: an operation must be a list such as ["reserve"], not ')


@pytest.mark.parametrize("ops", [None, {}, "reserve", 3, True])
def test_ops_that_are_no_list_are_refused(ops):
    assert message(Scenario, 1, ops).startswith("ops must be a list of operations, not ")


@pytest.mark.parametrize("text", ["[]", "null", "1", "true", '"x"', "NaN", "-Infinity", "9" * 5_000])
def test_json_that_is_no_object_is_refused(text):
    assert message(Scenario.from_json, text).startswith('a scenario must be an object with "capacity" and "ops", not ')


def test_missing_unknown_and_repeated_keys_are_refused():
    assert message(Scenario.from_json, '{"ops":[]}') == 'the key "capacity" is missing'
    assert message(Scenario.from_json, '{"capacity":1}') == 'the key "ops" is missing'
    assert message(Scenario.from_json, '{"capacity":1,"ops":[],"Ops":[]}').startswith('unknown key "Ops": ')
    said = message(Scenario.from_json, '{"capacity":1,"ops":[],"capacity":1}')
    assert said == 'the key "capacity" is given more than once'


def test_a_repeated_key_inside_is_refused_too():
    assert "more than once" in message(Scenario.from_json, '{"capacity":1,"ops":[{"a":1,"a":1}]}')


# Text that is no JSON


@pytest.mark.parametrize(
    "text", ["", " ", "x", "{", '{"capacity":1', "{'capacity':1}", '{"capacity":01,"ops":[]}', "[1,]"]
)
def test_text_that_is_not_json_is_refused(text):
    assert message(Scenario.from_json, text).startswith("not JSON: ")


def test_the_place_in_a_text_over_several_lines_is_named():
    assert "(line 3 column 1)" in message(Scenario.from_json, '{\n"capacity": 1,\n!')


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 5_000, "1e0", "1.0", "true"])
def test_numbers_that_no_scenario_holds_are_refused_where_they_stand(number):
    said = message(Scenario.from_json, f'{{"capacity":1,"ops":[["reserve"],["ack","a",{number}]]}}')
    assert said.startswith("ops[1]: attempt must be a whole number from 0 to 64, not ")
    assert message(Scenario.from_json, f'{{"capacity":{number},"ops":[]}}').startswith("capacity must be ")


@pytest.mark.parametrize("number", ["NaN", "9" * 5_000])
def test_an_odd_number_does_not_pass_for_a_string(number):
    said = message(Scenario.from_json, f'{{"capacity":1,"ops":[["enqueue","a",{number}]]}}')
    assert said.startswith("ops[0]: payload must be ")
    said = message(Scenario.from_json, f'{{"capacity":1,"ops":[[{number}]]}}')
    assert said.startswith("ops[0]: unknown operation ")


def test_a_python_number_of_5000_digits_is_refused():
    assert message(Scenario, 10**5_000).startswith("capacity must be a whole number from 0 to 16, not ")


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_100000_brackets_are_refused(opening):
    assert message(Scenario.from_json, opening * 100_000) == "not a scenario: the brackets are nested too deeply"


def test_a_byte_order_mark_is_refused():
    text = '\ufeff{"capacity":1,"ops":[]}'
    assert "byte-order mark" in message(Scenario.from_json, text)
    assert "byte-order mark" in message(Scenario.from_json, text.encode())


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "latin-1"])
def test_bytes_that_are_not_utf8_are_refused(encoding):
    source = '{"capacity":1,"ops":[["cancel","é"]]}'.encode(encoding)
    assert message(Scenario.from_json, source).startswith("the text is not UTF-8: byte ")


class CountingKey(str):
    """A key that counts how often it is compared."""

    compared = 0
    __hash__ = str.__hash__

    def __eq__(self, other):
        CountingKey.compared += 1
        return str.__eq__(self, other)


def test_finding_a_repeated_key_takes_few_looks_at_each_key():
    pairs = [(CountingKey(number), 0) for number in [*range(500), 499]]
    with pytest.raises(ScenarioError, match="more than once"):
        _no_repeats(pairs)
    assert CountingKey.compared <= 20 * len(pairs)


# Any JSON value, and the way there and back

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)
names = st.sampled_from(["enqueue", "reserve", "ack", "retry", "cancel", "new", "use"])
near_operations = st.lists(names | st.sampled_from(["a", 0, 1, 8, True, 1.0]) | json_values, max_size=4)
near_scenarios = st.fixed_dictionaries(
    {"capacity": st.integers(-1, 17) | json_values, "ops": st.lists(near_operations, max_size=5) | json_values}
)


def refused_or_runs(action, source):
    """A source is a scenario that runs, or it raises ScenarioError with one sentence; nothing else."""
    try:
        scenario = action(source)
    except ScenarioError:
        message(action, source)
    else:
        assert len(scenario.run()) == len(scenario.ops)


@given(json_values | near_scenarios)
def test_any_json_value_is_refused_or_runs(value):
    refused_or_runs(Scenario.from_dict, value)
    refused_or_runs(Scenario.from_json, json.dumps(value))


@given(st.text() | st.binary())
def test_any_text_is_refused_or_runs(source):
    refused_or_runs(Scenario.from_json, source)


@given(scenarios())
def test_to_json_and_from_json_give_the_scenario_back(scenario):
    assert Scenario.from_json(scenario.to_json()) == scenario
    assert Scenario.from_json(scenario.to_json().encode()) == scenario
    assert Scenario.from_dict(scenario.to_dict()) == scenario
    assert "\n" not in scenario.to_json()


def test_json_is_in_the_spelling_of_the_exercise():
    scenario = Scenario(1, [["enqueue", "a", "A"], ["reserve"]], "the title stays out")
    assert scenario.to_json() == '{"capacity":1,"ops":[["enqueue","a","A"],["reserve"]]}'


def test_lists_become_tuples_that_no_one_can_change():
    ops = [["reserve"]]
    scenario = Scenario(1, ops)
    ops[0].append("x")
    assert scenario.ops == (("reserve",),)


# Running


def test_new_makes_and_selects_a_queue_and_use_goes_back():
    ops = [["enqueue", "a", "1"], ["new"], ["enqueue", "a", "2"], ["use", 0], ["reserve"], ["use", 1], ["reserve"]]
    assert Scenario(1, ops).run() == [True, None, True, None, ["a", "1", 1], None, ["a", "2", 1]]


def test_each_run_starts_with_fresh_queues():
    assert EIGHT_QUEUES.run() == EIGHT_QUEUES.run()


def test_every_queue_gets_the_same_capacity():
    made = []
    player = Player(lambda capacity: made.append(capacity) or Queue(capacity), 3)
    player.play(("new",))
    assert made == [3, 3]
