"""Rows that a run lacks, between rows that it has: the straight line between those predicts them, without a new run."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ...problem.definition import Match, Predictions, Problem

SIGN = "interpolate between its rows"  # of a reason, where the row that a run lacks lies between others


def interpolating(problem: Problem, reasons: Sequence[str]) -> Problem | None:
    """``problem`` with every comparison interpolated that has a key of numbers; ``reasons``: of runs that lack measured rows.
    None: no such row lies between others, or nothing changes."""
    if not isinstance(problem.meaning, Predictions) or not any(SIGN in reason for reason in reasons):
        return None
    matches = tuple(_interpolated(match, problem) for match in problem.meaning.matches)
    if matches == problem.meaning.matches:
        return None
    return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(problem.meaning, matches=matches))


def _interpolated(match: Match, problem: Problem) -> Match:
    if not match.keys or match.by_day or problem.data is None or match.keys[0][1] not in problem.data.columns:
        return match
    return msgspec.structs.replace(match, interpolate=True, key_tolerance=None)
