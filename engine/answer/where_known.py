"""Whether enough of the posterior lies where something is known of it: where runs succeed, inside of what was explored."""

from __future__ import annotations

import math

FAILING_LIMIT = 0.1  # share of the posterior where runs fail above which nothing is called right
MOST_FAILING = 0.5  # ... above which the rest is not confirmed either: more of the answer is a guess than is known
HIDDEN, HIDDEN_BESIDE_OTHERS = 0.2, 0.1  # share that a region may hold that no run hit: where none failed, where some did
UNSEEN = 0.05  # probability that such a region escapes the runs
EDGE_LIMIT = 0.05  # ... and at the edge of the region explored
CONFIRMED_IN_PART = "confirmed_in_part"  # diagnostic: 1 of an answer that is confirmed where runs succeed, as ``checkable``
RUNS_COUNT_AS = "runs_count_as"  # diagnostic: as how many draws from the answer all runs count, as ``feasibility.unseen``


def known_well(failing: float, edge: float) -> bool:
    """``failing``, ``edge``: shares of the posterior where runs fail, and at the edge."""
    return not (failing > FAILING_LIMIT or edge > EDGE_LIMIT)


def checkable(failing: float, most: float, edge: float) -> bool:
    """Whether runs can confirm the posterior where they succeed; ``most``: upper end of the interval of ``failing``."""
    return not ((failing > FAILING_LIMIT and most > MOST_FAILING) or edge > EDGE_LIMIT)


def confirmed_state(in_part: bool) -> str:
    """What a loop does whose answer its checks confirmed."""
    return "Confirmed where runs succeed" if in_part else "Converged"


def told_in_part(in_part: bool) -> dict[str, float]:
    """The diagnostic of an answer that is confirmed in part; none of others."""
    return {CONFIRMED_IN_PART: 1.0} if in_part else {}


def escaping(draws: float) -> float:
    """The share p of the posterior that escapes so many draws from it with probability UNSEEN: (1 - p)^draws, about 3 / draws."""
    return -math.expm1(math.log(UNSEEN) / max(draws, 1.0))


def draws_that_show(share: float) -> float:
    """The draws that such a share escapes with probability UNSEEN."""
    return math.log(UNSEEN) / math.log1p(-share)
