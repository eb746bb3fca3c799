"""The size of the errors that was said for all comparisons stays that of these, as others come. Pure."""

from __future__ import annotations

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import unit_in
from bayescope.engine.problem.data.rows.censored import rows_with_value
from bayescope.engine.problem.data.units.unit_scales import times

_SIZES = ("sd", "scale", "percent", "log_sd")


def said_for_its_own(before: d.Problem, after: d.Problem) -> d.Problem:
    """``after``, where a common size of errors counts only for what it was said for: the comparisons of ``before``, and those of
    the same output measured in the same unit and table. With others it becomes their own, and that of the others is open."""
    old, new = before.meaning, after.meaning
    if not isinstance(old, d.Predictions) or not isinstance(new, d.Predictions):
        return after
    if old.noise != new.noise or not states_size(old.noise):
        return after
    said = [m for m in old.matches if _common(m)]
    was, is_now = {m.column for m in old.matches if m.column}, {m.column for m in new.matches}
    there = set(before.data.columns) if before.data is not None else set()
    added = [m for m in new.matches if _common(m) and m.column not in was and (was <= is_now or m.column in there)]
    strange = [m for m in added if not any(_alike(after.data, m, one) for one in said)]
    if not was or not strange:  # said before anything was compared, it is of all that comes
        return after
    matches = tuple(msgspec.structs.replace(m, noise=old.noise) if _common(m) and m not in strange else m for m in new.matches)
    open_one = msgspec.structs.replace(old.noise, scale=None, percent=None) if isinstance(old.noise, d.StudentTNoise) else None
    meaning = msgspec.structs.replace(new, matches=matches, noise=open_one or d.GaussianKnown())
    return msgspec.structs.replace(after, meaning=meaning)


def states_size(noise: d.NoiseModel) -> bool:
    """Whether ``noise`` states a size by numbers alone: nothing is learned, nor read from a column."""
    if not isinstance(noise, d.GaussianKnown | d.StudentTNoise | d.LogNormalNoise | d.Ar1Noise):
        return False
    sizes = [getattr(noise, name, None) for name in _SIZES]
    learned = [getattr(noise, name, None) for name in ("parameter", "sd_column", "scale_column")]
    return any(isinstance(size, float) for size in sizes) and not any(one is not None for one in learned)


def _common(match: d.Match) -> bool:
    return bool(match.column) and match.noise is None and match.sd_column is None


def _alike(data: d.DataTable | None, one: d.Match, other: d.Match) -> bool:
    """Whether both are one output, in one unit, measured in rows of one table."""
    units = unit_in(one.column), unit_in(other.column)
    if data is None or one.output != other.output or (units[0] != units[1] and times(*units) != 1.0):
        return False
    return bool(set(rows_with_value(data, one.column)) & set(rows_with_value(data, other.column)))
