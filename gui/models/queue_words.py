"""Why a job waits, as queues say it in one word, in words for people. No Qt."""

from __future__ import annotations

import re

# Slurm's own words (squeue, %r), the first that fits; what is not known here is shown as it is
_WAITS = (
    (r"None$", "the queue has not looked at it yet"),
    (r"Priority$", "jobs of others come first"),
    (r"Resources$", "waits for free processors or memory"),
    (r"(QOS|Assoc).*(Limit|Max|Grp)", "a limit of your account or queue is reached"),
    (r"JobArrayTaskLimit$", "as many as may run at once are running"),
    (r"ReqNodeNotAvail", "its computers are down or reserved now"),
    (r"Node_?Down|NodesDown", "its computers are down now"),
    (r"Partition(Down|Inactive)$", "its partition is closed now"),
    (r"Reserv", "its computers are reserved for others now"),
    (r"JobHeld(User|Admin)$", "it is held: “scontrol release” lets it go"),
    (r"BeginTime$", "it may not begin yet"),
    (r"Dependency$", "waits for another job"),
    (r"Licenses$", "waits for a licence"),
)


def wait_words(reason: str) -> str:
    """With the queue's own word behind it, by which its handbook and its administrators know it."""
    for pattern, words in _WAITS:
        if re.match(pattern, reason):
            return f"{words} ({reason})"
    return reason
