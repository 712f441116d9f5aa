"""A question for each rule, to think about when a check has found it broken."""

from __future__ import annotations

from rq.answers import Hung, Raised, Unreadable
from rq.contract import Rule

HINTS = {
    Rule.E1: "When may a new job be turned away? Count who takes a slot, and what earlier calls left behind.",
    Rule.E2: "How long does your queue remember an id? Follow one id from its enqueue to its end.",
    Rule.E3: "Which jobs take a slot? And what did a refused enqueue write down before it was refused?",
    Rule.R1: "Write the line on paper after each call. Who is at its head, and which reservation of it is this?",
    Rule.R2: "What does your line still hold after its last job left, or was cancelled?",
    Rule.A1: "What tells your ack that the reservation is still out? Is it kept for each job by itself?",
    Rule.T1: "What tells your retry that the reservation is still out? Is it kept for each job by itself?",
    Rule.C1: "A job that nobody holds can be cancelled as well. How does your queue find it in the line?",
    Rule.C2: "A job that a worker holds can be cancelled as well. Where is it kept meanwhile?",
    Rule.C3_UNKNOWN: "What does your cancel do with a name it has never heard?",
    Rule.C3_FINISHED: "How can your cancel tell a finished job from an active one?",
    Rule.X_UNKNOWN: "What does your queue do with a name it has never heard?",
    Rule.X_WAITING: "The job waits: does anybody hold it? Where does your queue record that?",
    Rule.X_FINISHED: "The job is finished. What is left of it that still matches?",
    Rule.X_ZERO: "Zero is a number like any other. Does your code ask whether an attempt was given, or which one?",
    Rule.X_STALE: "Two reservations of this job were handed out. How does your queue tell them apart?",
    Rule.X_FUTURE: "Nobody holds this attempt yet. Does your code compare, or compare exactly?",
    Rule.N1: "Two queues were made. What do their objects have in common? Look at everything written outside __init__.",
    Rule.N2: "Going back to a queue must find it as it was left.",
}
"""For each rule a question that leads to the fault without giving the mend away."""


def hint_for(rule: Rule, verb: str, answer: object) -> str:
    """The question for a counterexample whose last call, of `verb`, broke `rule` and gave `answer`."""
    match answer:
        case Raised():
            return f"Read the exception: which line of {verb} raises it, and what did that line count on?"
        case Hung():
            return f"Which loop in {verb} has no end?"
        case None if verb != "reserve":
            return f"Does every way through {verb} end in a return?"
        case Unreadable():
            return f"What does {verb} hand back, and what does the contract ask for? Look at the kind of the value."
    return HINTS[rule]
