"""Where the model stops: simulations of what a real system adds around the queue.

Each drives a real `Queue` through its five operations and tells what happens as a `Story`:
nothing in the queue or the contract changes. Threads, clocks and networks are plain values here.
"""

from rq.beyond.effects import Attempts, Ledger
from rq.beyond.generations import Forgetful, Generations, Reuse, bytes_for, remembered, schemes
from rq.beyond.interleavings import Counts, count, fate, histories, tally
from rq.beyond.policy import DeadLetter, Driven, Policy
from rq.beyond.stopping import Machine
from rq.beyond.story import Moment, Story, Table
from rq.beyond.systems import QUESTIONS, SYSTEMS, systems_table

__all__ = [
    "QUESTIONS",
    "SYSTEMS",
    "Attempts",
    "Counts",
    "DeadLetter",
    "Driven",
    "Forgetful",
    "Generations",
    "Ledger",
    "Machine",
    "Moment",
    "Policy",
    "Reuse",
    "Story",
    "Table",
    "bytes_for",
    "count",
    "fate",
    "histories",
    "remembered",
    "schemes",
    "systems_table",
    "tally",
]
