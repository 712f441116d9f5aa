"""The executable contract: each rule decides some call, says why in one sentence, and decide is pure."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from suite import ROOT, operations, words

from rq import Job, Phase, Rule, State, decide
from rq.contract import advance
from rq.state import Queues

ENQUEUE = ("enqueue", "job-7", "A")
RESERVE = ("reserve",)
CANCEL = ("cancel", "job-7")


def verb(name, attempt):
    return (name, "job-7", attempt)


CASES = [
    # rule, the calls (the last one is decided), the answer, words that the reason must hold
    (Rule.E1, [ENQUEUE], True, "job-7 1 3"),
    (Rule.E2, [ENQUEUE, ENQUEUE], False, "job-7 waiting"),
    (Rule.E2, [ENQUEUE, RESERVE, ENQUEUE], False, "job-7 flight"),
    (Rule.E2, [ENQUEUE, RESERVE, verb("ack", 1), ENQUEUE], False, "job-7 done"),
    (Rule.E2, [ENQUEUE, CANCEL, ENQUEUE], False, "job-7 cancelled"),
    (Rule.E3, [*[("enqueue", id, "") for id in "abc"], ENQUEUE], False, "job-7 3"),
    (Rule.R1, [ENQUEUE, RESERVE], Job("job-7", "A", 1), "job-7 1"),
    (Rule.R2, [RESERVE], None, "none flight"),
    (Rule.R2, [ENQUEUE, RESERVE, RESERVE], None, "job-7#1"),
    (Rule.A1, [ENQUEUE, RESERVE, verb("ack", 1)], True, "job-7 1 done"),
    (Rule.T1, [ENQUEUE, RESERVE, verb("retry", 1)], True, "job-7 1 tail slot"),
    (Rule.C1, [ENQUEUE, CANCEL], True, "job-7"),
    (Rule.C2, [ENQUEUE, RESERVE, CANCEL], True, "job-7 job-7#1 void"),
    (Rule.C3_UNKNOWN, [CANCEL], False, "job-7 unknown"),
    (Rule.C3_FINISHED, [ENQUEUE, RESERVE, verb("ack", 1), CANCEL], False, "job-7 done"),
    (Rule.C3_FINISHED, [ENQUEUE, CANCEL, CANCEL], False, "job-7 cancelled"),
    (Rule.X_UNKNOWN, [verb("ack", 1)], False, "job-7 1 unknown"),
    (Rule.X_WAITING, [ENQUEUE, verb("retry", 1)], False, "job-7 1 waiting"),
    (Rule.X_FINISHED, [ENQUEUE, CANCEL, verb("ack", 1)], False, "job-7 1 cancelled"),
    (Rule.X_ZERO, [ENQUEUE, RESERVE, verb("ack", 0)], False, "job-7 0"),
    (Rule.X_STALE, [ENQUEUE, RESERVE, verb("retry", 1), RESERVE, verb("ack", 1)], False, "job-7 1 2 stale"),
    (Rule.X_FUTURE, [ENQUEUE, RESERVE, verb("retry", 5)], False, "job-7 1 5 future"),
    (Rule.N1, [("new",)], None, "1 new"),
    (Rule.N2, [("new",), ("use", 0)], None, "0 selected"),
]


def decided(ops):
    queues = Queues((State(3),))
    for operation in ops:
        decision, queues = advance(queues, operation)
    return decision


@pytest.mark.parametrize(
    ("rule", "ops", "answer", "said"), CASES, ids=[f"{rule.code}-{len(ops)}" for rule, ops, *_ in CASES]
)
def test_each_rule_decides_and_says_why(rule, ops, answer, said):
    decision = decided(ops)
    assert decision.rule is rule
    assert decision.returned == answer
    assert "\n" not in decision.why
    assert words(said) <= words(decision.why)


def test_no_rule_is_left_out_above():
    assert {rule for rule, *_ in CASES} == set(Rule)


def test_the_sentence_for_a_stale_attempt():
    ops = [("enqueue", "a", "A"), RESERVE, ("retry", "a", 1), RESERVE, ("ack", "a", 1)]
    assert decided(ops).why == "stale attempt: a is on attempt 2 now, so attempt 1 changes nothing"


def test_each_rule_has_a_code_and_a_statement_of_its_own():
    for texts in ([rule.code for rule in Rule], [rule.statement for rule in Rule]):
        assert all(text.strip() for text in texts)
        assert len(set(texts)) == len(Rule)


def test_codes_are_short_names():
    assert Rule.E1.code == "E1"
    assert Rule.X_STALE.code == "X-stale"
    assert Rule.C3_FINISHED.code == "C3-finished"


def test_an_operation_of_another_name_raises():
    with pytest.raises(ValueError, match="no operation"):
        decide(State(1), ("release", "a", 1))


def test_decide_leaves_its_state_alone_and_answers_the_same_again():
    state = decided([ENQUEUE, RESERVE]).after
    copy = State(*state)
    assert decide(state, verb("ack", 1)) == decide(state, verb("ack", 1))
    assert state == copy


@given(st.lists(operations, max_size=25), st.integers(0, 3))
def test_what_holds_in_every_state(ops, capacity):
    state = State(capacity)
    for operation in ops:
        before = state
        decision = decide(before, operation)
        assert decision == decide(before, operation)
        state = decision.after
        if not decision.returned:
            assert state == before
        assert len(state.slots) <= capacity
        assert sorted(state.waiting) == sorted(job.id for job in state.jobs if job.phase is Phase.WAITING)
        assert [job.id for job in state.jobs[: len(before.jobs)]] == [job.id for job in before.jobs]


@given(st.lists(operations, max_size=25))
def test_finished_is_for_good(ops):
    state = State(2)
    for operation in ops:
        finished = [job for job in state.jobs if not job.phase.active]
        state = decide(state, operation).after
        assert all(state.find(job.id) == job for job in finished)


def test_new_and_use_change_no_queue():
    queues = Queues((decide(State(2), ENQUEUE).after,))
    _, two = advance(queues, ("new",))
    assert two == Queues((queues.current, State(2)), 1)
    _, back = advance(two, ("use", 0))
    assert back == Queues(two.states, 0)


def test_a_call_changes_the_selected_queue_only():
    queues = Queues((State(1), State(1), State(1)), 1)
    _, after = advance(queues, ENQUEUE)
    assert after.states == (State(1), decide(State(1), ENQUEUE).after, State(1))


def imports(module: str) -> set[str]:
    tree = ast.parse((ROOT / "rq" / f"{module}.py").read_text(encoding="utf-8"))
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names.add(node.module)
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    return names


def test_contract_and_queue_import_nothing_from_each_other():
    assert imports("contract") & {"rq", "rq.queue"} == set()
    assert imports("queue") & {"rq", "rq.contract"} == set()
