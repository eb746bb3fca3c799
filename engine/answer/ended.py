"""Whether a run ends with an answer by itself: more runs would not tell more of what was asked."""

from __future__ import annotations

from collections.abc import Mapping

from .where_known import CONFIRMED_IN_PART
from .words import BEST_FIT_FOUND


def ends_with(converged: bool, diagnostics: Mapping[str, float]) -> bool:
    """``converged``, ``diagnostics``: as in ``IterationRecord``. True also of an answer that is confirmed where runs succeed, and
    of a best fit where no posterior was asked for."""
    return converged or any(bool(diagnostics.get(key, 0.0)) for key in (CONFIRMED_IN_PART, BEST_FIT_FOUND))
