"""Each challenge is met by a sequence that does what it asks, and by none that stops just short of it."""

import pytest

from rq import EXAMPLES, Rule, Scenario, random_scenario, trace
from rq.challenges import CHALLENGES, Progress

A, B, C, R, NEW = ["enqueue", "a", "A"], ["enqueue", "b", "B"], ["enqueue", "c", "C"], ["reserve"], ["new"]


def ack(id, attempt):
    return ["ack", id, attempt]


def retry(id, attempt):
    return ["retry", id, attempt]


def cancel(id):
    return ["cancel", id]


UNKNOWN, WAITING, ZERO, FUTURE = ack("z", 1), ack("a", 1), ack("a", 0), ack("a", 2)
FIVE_REASONS = [UNKNOWN, A, WAITING, R, ZERO, FUTURE, retry("a", 1), R, retry("a", 1)]

# A sequence whose last call meets the challenge; and one that looks much like it, and does not.
CASES = {
    "The late worker": ((1, [A, R, retry("a", 1), R, ack("a", 1)]), (1, [A, R, retry("a", 1), ack("a", 1)])),
    "Twice the same": ((2, [A, R, A]), (2, [A, A])),
    "Too late": ((1, [A, R, cancel("a"), ack("a", 1)]), (1, [A, cancel("a"), ack("a", 1)])),
    "Behind the others": ((2, [A, B, R, retry("a", 1)]), (2, [A, R, retry("a", 1), B])),
    "Full, and nobody waits": ((1, [A, R]), (2, [A, R])),
    "Empty-handed": ((1, [A, R, R]), (2, [A, R, R])),
    "Behind the worker's back": (
        (1, [A, R, cancel("a"), B, R]),
        (1, [A, R, cancel("a"), ack("a", 1), B, R]),
    ),
    "Second chance": ((1, [A, B, cancel("a"), B]), (1, [A, B, cancel("a"), C])),
    "Third time lucky": (
        (1, [A, R, retry("a", 1), R, retry("a", 2), R, ack("a", 3)]),
        (1, [A, R, retry("a", 1), R, retry("a", 2), R, ack("a", 2)]),
    ),
    "Overtaken": ((2, [A, B, R, R, ack("b", 1)]), (2, [A, B, R, R, ack("a", 1), ack("b", 1)])),
    "Ahead of its time": (
        (1, [A, R, ack("a", 2), retry("a", 1), R, ack("a", 2)]),
        (1, [A, R, retry("a", 2), retry("a", 1), R, ack("a", 2)]),
    ),
    "Four fates": (
        (3, [A, B, C, R, ack("a", 1), R, cancel("b"), R, retry("c", 1), R]),
        (3, [A, B, C, R, ack("a", 1), R, cancel("b"), R, retry("c", 1)]),
    ),
    "Six reasons": ((2, [*FIVE_REASONS, ack("a", 2), ack("a", 2)]), (2, [*FIVE_REASONS, ack("a", 2)])),
    "Namesakes": ((1, [A, R, NEW, A, R]), (1, [A, R, NEW, A, ["use", 0], R])),
}

# More that looks like it: the second attempt for the third, a ticket that was never handed out for the job's own.
MISSES = {
    "Third time lucky": [(1, [A, R, retry("a", 1), R, ack("a", 2)]), (1, [A, R, ack("a", 3)])],
    "Too late": [
        (1, [A, R, cancel("a"), ack("a", 2)]),
        (1, [A, R, retry("a", 1), R, cancel("a"), ack("a", 1)]),
        (1, [A, R, cancel("a"), retry("a", 1)]),
    ],
    "The late worker": [(1, [A, R, retry("a", 1), R, ack("a", 3)]), (1, [A, R, retry("a", 1), R, retry("a", 1)])],
    "Twice the same": [(2, [A, R, ack("a", 1), A]), (2, [A, R, B])],
    "Behind the others": [(1, [A, R, retry("a", 1)])],
}


def met(capacity, ops) -> set[str]:
    progress = Progress()
    progress.note(trace(Scenario(capacity, ops)))
    return progress.challenges


def test_every_challenge_has_a_case():
    assert set(CASES) == {challenge.name for challenge in CHALLENGES}


@pytest.mark.parametrize("name", CASES)
def test_a_challenge_is_met_by_the_last_call_and_not_before(name):
    (capacity, ops), almost = CASES[name]
    assert name in met(capacity, ops)
    assert name not in met(capacity, ops[:-1])
    for miss in [almost, *MISSES.get(name, [])]:
        assert name not in met(*miss)


def test_the_four_sequences_that_the_guide_asks_for_come_first():
    sequences = [
        (1, [A, R, retry("a", 1), R, ack("a", 1)]),
        (2, [A, R, A]),
        (1, [A, R, cancel("a"), ack("a", 1)]),
        (2, [A, B, R, retry("a", 1)]),
    ]
    for challenge, sequence in zip(CHALLENGES[:4], sequences, strict=True):
        assert challenge.name in met(*sequence)


def test_a_refusal_on_another_queue_is_no_help():
    assert "Second chance" not in met(1, [A, B, NEW, B])
    assert "Four fates" not in met(3, [A, B, R, ack("a", 1), R, cancel("b"), NEW, A, R, retry("a", 1), R])


def test_progress_adds_up_and_does_not_shrink():
    progress = Progress()
    for example in EXAMPLES.values():
        before = set(progress.rules), set(progress.challenges)
        progress.note(trace(example.scenario))
        assert before[0] <= progress.rules
        assert before[1] <= progress.challenges
    assert {Rule.E1, Rule.X_STALE, Rule.C2} <= progress.rules
    assert {"The late worker", "Too late"} <= progress.challenges


def test_random_sequences_meet_every_challenge_of_a_single_queue_sooner_or_later():
    progress = Progress()
    for seed in range(60):
        progress.note(trace(random_scenario(seed, 64)))
    assert {challenge.name for challenge in CHALLENGES} - progress.challenges == {"Namesakes"}
