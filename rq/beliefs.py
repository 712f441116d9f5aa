"""Wrong beliefs about queues, in words. `rq/believed.py` has a queue that holds one of them."""

from __future__ import annotations

from typing import NamedTuple


class Belief(NamedTuple):
    """A wrong belief, what holds instead, and the operations whose answers it may explain."""

    wrong: str
    right: str
    verbs: tuple[str, ...]


_RESULTS = ("ack", "retry")

BELIEFS = {
    "refused id used": Belief("a refused enqueue used up its id", "it does not", ("enqueue",)),
    "finished keeps slot": Belief("a finished job kept its slot", "ack and cancel free it", ("enqueue",)),
    "ids shared": Belief("all queues shared their ids", "each queue has its own", ("enqueue",)),
    "one job at a time": Belief("a queue took one job at a time", "it takes one for each slot", ("enqueue",)),
    "reserve frees": Belief("reserving a job freed its slot", "a job in flight keeps it", ("enqueue",)),
    "retry frees": Belief("retry freed the slot", "it keeps it", ("enqueue",)),
    "one slot more": Belief("a full queue had room for one more", "the capacity is the limit", ("enqueue",)),
    "id waits twice": Belief("an id could be in line twice", "an accepted id is used up", ("enqueue",)),
    "id only in line": Belief("an id was free again once its job left the line", "it stays used", ("enqueue",)),
    "id given back": Belief("a finished job gave its id back", "it gives back the slot only", ("enqueue",)),
    "repeat is fine": Belief(
        "enqueue was True whenever the job is in the queue", "it is True only when it adds one", ("enqueue",)
    ),
    "repeat replaces": Belief(
        "a second enqueue with the same id replaced the payload", "it is refused and changes nothing", ("enqueue",)
    ),
    "line empty": Belief("a new job was accepted only if no other waits", "a free slot is enough", ("enqueue",)),
    "nothing in flight": Belief(
        "a new job was accepted only if none is in flight", "a free slot is enough", ("enqueue",)
    ),
    "tells if known": Belief(
        "enqueue told whether the id was there before", "it tells whether the job was accepted", ("enqueue",)
    ),
    "one in flight": Belief("reserve waited until nothing is in flight", "several may be", ("reserve",)),
    "newest first": Belief("the newest job went first", "the one that has waited longest does", ("reserve",)),
    "retry to head": Belief("a retried job went to the head of the line", "it goes to the tail", ("reserve",)),
    "retry to old place": Belief("a retried job got its old place back", "it goes to the tail", ("reserve",)),
    "retry renumbers": Belief("a retried job kept its attempt number", "each reservation raises it by 1", ("reserve",)),
    "one counter": Belief("all jobs counted their attempts together", "each job has its own count", ("reserve",)),
    "payload replaced": Belief("a refused enqueue changed the payload", "a refusal changes nothing", ("reserve",)),
    "handed out again": Belief(
        "a job in flight could be handed out again", "reserve takes from the line", ("reserve",)
    ),
    "same ticket again": Belief("a ticket could be handed out twice", "one reservation, one ticket", ("reserve",)),
    "cancel forgets line": Belief("cancel left a waiting job in the line", "it takes it out", ("reserve",)),
    "cancel retries": Belief("a job cancelled in flight came back", "it is gone for good", ("reserve",)),
    "done comes back": Belief("a job that is done came back", "it is finished for good", ("reserve",)),
    "older counts": Belief("an older attempt was good enough", "only the current one counts", _RESULTS),
    "in order": Belief("results had to come in the order of the reservations", "each job stands for itself", _RESULTS),
    "refusal spoils": Belief("a refused result spoiled the ticket", "a refusal changes nothing", _RESULTS),
    "retry once": Belief("a job could be retried once", "the queue sets no limit", ("retry",)),
    "first ticket only": Belief("only the first ticket of a job counted", "the latest one does", _RESULTS),
    "future counts": Belief("a number above the current one was good enough", "only the current one counts", _RESULTS),
    "0 is any": Belief("0 meant whichever attempt is current", "0 is no attempt at all", _RESULTS),
    "ticket outlives retry": Belief("a ticket counted until the next reservation", "the retry ends it", _RESULTS),
    "no reservation needed": Belief("a job that waits could be reported on", "only one in flight can", _RESULTS),
    "result twice": Belief("the same result counted twice", "the first one ends the reservation", _RESULTS),
    "cancel keeps ticket": Belief("cancel left the ticket valid", "it makes it void", _RESULTS),
    "any id": Belief("any id could be reported on", "it must be that of a job in flight", _RESULTS),
    "finished does not matter": Belief("a finished job could still be reported on", "it cannot", _RESULTS),
    "retry needs slot": Belief("a retried job needed a free slot", "it has kept its own", ("retry",)),
    "no way back": Belief("a job in flight could not go back", "retry puts it at the tail of the line", ("retry",)),
    "reservation lapses": Belief(
        "a reservation ran out after a while", "it lasts until a result that counts, or a cancel", _RESULTS
    ),
    "attempts from 0": Belief("attempts counted from 0", "the first one is 1", ("reserve", *_RESULTS)),
    "cancel in flight only": Belief("only a job in flight could be cancelled", "a waiting one can too", ("cancel",)),
    "cancel waiting only": Belief("only a waiting job could be cancelled", "one in flight can too", ("cancel",)),
    "cancel is a wish": Belief(
        "cancel was True whenever no such job is active", "it is True only when it removes one", ("cancel",)
    ),
    "cancel twice": Belief("a finished job could be cancelled", "cancel needs an active one", ("cancel",)),
}
"""The beliefs by name. Where several lead to a guess, the first one is told."""
