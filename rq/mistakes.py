"""The mistake behind a wrong guess: a belief about queues under which the guess would be right.

A belief is played. If its queue gives the guessed answer after the same calls, it explains the guess.
To every wrong True or False some belief leads, in any state; to a job or None, not always.
"""

from __future__ import annotations

from typing import Any

from rq.answers import plain, quoted, same
from rq.beliefs import BELIEFS
from rq.believed import BelievedQueue
from rq.scenario import Player
from rq.state import Phase, State
from rq.trace import Trace


def mistake(trace: Trace, number: int, guess: object) -> str:
    """One or two sentences on what is wrong with taking `guess` for the answer of step `number` (from 1).

    `guess` is a plain answer: True, False, None, or `[id, payload, attempt]`. Raises ValueError if
    it is the right one.
    """
    step = trace.steps[number - 1]
    verb = step.operation[0]
    if verb in ("new", "use"):
        raise ValueError(f"{step.call} returns nothing, so there is nothing to guess")
    if same(guess, step.expected):
        raise ValueError(f"{step.call} does return that, so there is no mistake to explain")
    if isinstance(guess, bool) == (verb == "reserve"):
        return f"{verb} returns {'a job or None' if verb == 'reserve' else 'True or False'}."
    found = {name: _explains(name, trace, number, guess) for name in BELIEFS if verb in BELIEFS[name].verbs}
    best = max(found, key=lambda name: found[name])  # of equals, max() gives the first
    if verb == "reserve" and not found[best]:
        return _about_reserve(step.before.current, guess)
    return f"That would be right if {BELIEFS[best].wrong}; {BELIEFS[best].right}."


def _about_reserve(state: State, guess: Any) -> str:
    """What is true of a wrong guess that no belief explains; without giving the right one away."""
    if guess is None:
        return "Somebody waits, so reserve hands out a job."
    id, payload, attempt = guess
    job = state.find(id)
    if job is None:
        return f"{id} is not in this queue: it was never accepted here."
    if job.phase is not Phase.WAITING:
        return f"{id} is {job.phase}, so it does not wait."
    if attempt != job.attempt + 1:
        return (
            f"{id} has had {job.attempt} reservation{'s' * (job.attempt != 1)}, so {attempt} is not its next attempt."
        )
    if payload != job.payload:
        return f"{id} was accepted with the payload {quoted(job.payload)}."
    return "Reserve takes the job that has waited longest."


def _explains(name: str, trace: Trace, number: int, guess: object) -> int:
    """2 if this belief, held from the start, leads to the guess and to no wrong answer before; 1 if, held now; or 0."""
    always, agrees = _answer(name, trace, number, since=1)
    if agrees and same(always, guess):
        return 2
    now, _ = _answer(name, trace, number, since=number)
    return int(same(now, guess))


def _answer(name: str, trace: Trace, number: int, since: int) -> tuple[object, bool]:
    """The answer to step `number` under a belief held since step `since`, and whether those before it were right."""
    shared: set[str] = set()
    player = Player(lambda capacity: BelievedQueue(capacity, "", shared), trace.scenario.capacity)
    agrees = True
    for step in trace.steps[:number]:
        for queue in player.queues:
            assert isinstance(queue, BelievedQueue)
            queue.belief = name if step.number >= since else ""
        answer = plain(player.play(step.operation))
        agrees = agrees and (step.number == number or same(answer, step.expected))
    return answer, agrees
