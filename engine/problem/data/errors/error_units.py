"""Columns of errors in another unit than the values they are of, as errors in the unit of those values. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ...numbers.shown_digits import spoken
from ..names.column_names import fresh, scale_in, unit_in, without_unit
from ..names.percent_names import parts_of
from ..units.unit_scales import error_times, is_day_count, is_share, times
from .relative_errors import hundredth, values_of
from .sd_pairs import sd_pairs

Column = tuple[float | None, ...]
SAME = 1e-9  # relative: such factors are one


@dataclass(frozen=True)
class ErrorUnits:
    """The unit of a column of errors and that of its values ``of``. ``factor``: by which the errors are multiplied, those of a
    share of each value by its size too (``relative``)."""

    of: str
    unit: str
    its: str
    factor: float
    relative: bool = False

    def sds(self, errors: Column, values: Column) -> Column:
        """The ``errors`` (n,) in the unit of the ``values`` (n,)."""
        pairs = zip(errors, values, strict=True)
        return tuple(
            None if e is None or (self.relative and v is None)
            else float(f"{e * self.factor * (abs(v or 0.0) if self.relative else 1.0):.12g}")
            for e, v in pairs
        )  # fmt: skip

    def name(self, sds: str) -> str:
        """Of the column ``sds``, in the other unit."""
        return f"{without_unit(sds)} ({self.its})" if self.its else without_unit(sds)


def error_units(sds: str, of: str, cells: Column = ()) -> ErrorUnits | None:
    """What the headings of errors ``sds`` and of their values ``of`` say; None: one unit, or none of both can be counted in the
    other. ``cells``: the errors, which tell of relative ones whether these are percentages where no heading does."""
    unit, its = unit_in(sds), scale_in(of)
    its = "d" if is_day_count(its) else its
    if parts_of(sds, of):
        told = unit if is_share(unit) and unit not in ("1", "-") else ""
        size = times(told, "1") if told else hundredth(sds, cells)
        return ErrorUnits(of, told or ("%" if size != 1.0 else "parts"), its, size or 0.01, relative=True)
    if not unit or not its:
        return None
    factor, share = error_times(unit, its), times(unit, "1") if is_share(unit) and unit not in ("1", "-") else None
    if factor is None:
        return None if share is None else ErrorUnits(of, unit, its, share, relative=True)
    return None if math.isclose(factor, 1.0, rel_tol=SAME) else ErrorUnits(of, unit, its, factor)


def in_units_of_values(columns: Mapping[str, Column]) -> tuple[dict[str, Column], list[str]]:
    """``columns`` with those errors of which names or places tell whose they are in the unit of these, under names that say it;
    and a sentence about each. Percentages are asked about elsewhere."""
    whose = {**values_of(list(columns)), **{sds: of for of, sds in sd_pairs(list(columns)).items()}}
    told = {sds: units for sds, of in whose.items() if (units := error_units(sds, of)) is not None}
    found = {sds: units for sds, units in told.items() if not (units.relative and parts_of(sds, units.of))}
    made: dict[str, Column] = {}
    notes = []
    for name, cells in columns.items():
        if (one := found.get(name)) is None:
            made[name] = cells
            continue
        sds = one.sds(cells, columns[one.of])
        made[fresh(one.name(name), [*columns, *made])] = sds
        pairs = ((e, s) for e, s in zip(cells, sds, strict=True) if e and s)
        first = next((f": {spoken(e)} {one.unit} is {spoken(s, 4)} {one.its}" for e, s in pairs), "")
        said = f"Column “{name}” holds errors in another unit than “{one.of}”{first}."
        notes.append(f"{said} They are counted in the unit of these.")
    return made, notes
