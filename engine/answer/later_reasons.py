"""Reasons that an answer gave, as they stand when more runs are allowed than when it was made."""

from __future__ import annotations

import re
from collections.abc import Sequence

CUT_SHORT = "The budget ended before all checks with fresh runs were made."
NONE_LEFT = "Nothing else speaks against the answer, but the budget leaves too few runs to check it."
NOT_CHECKED = "The answer has yet to be checked with fresh runs."
_SPENT = re.compile(r"The budget of [\d,]+ \w+ is spent\.")
ALLOWED = "More are allowed now than were made: the next answer follows from them."


def as_allowed(reasons: Sequence[str], made: int, budget: int) -> tuple[str, ...]:
    """Without those that a budget ends, where ``budget`` allows more than the ``made`` ones."""
    if budget <= made:
        return tuple(reasons)
    still = [NOT_CHECKED if reason in (CUT_SHORT, NONE_LEFT) else reason for reason in reasons if not _SPENT.match(reason)]
    return tuple(dict.fromkeys(still)) or (ALLOWED,) * bool(reasons)
