"""Rows paired by the places that stand beside the program's values, in whatever unit: row by row, or between them. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import msgspec
import numpy as np

from bayescope.engine.problem.data.names.column_names import without_unit
from bayescope.engine.problem.data.rows.comparison import key_codes, measured_values
from bayescope.engine.problem.data.rows.key_scale import with_scale
from bayescope.engine.problem.data.rows.text_keys import FIRST_LABEL
from bayescope.engine.problem.definition import Predictions, Problem
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared, fits, with_match
from bayescope.gui.models.data.keys.constant_shift import shift_of
from bayescope.gui.models.data.keys.key_candidates import Array, Key, paired_by
from bayescope.gui.models.data.keys.key_scales import PLAIN, KeyScale, likely_scale, scales_of
from bayescope.gui.models.data.keys.places_of_rows import place_columns, said_columns, sweeps_beside
from bayescope.gui.models.data.keys.rows_outside import outside_words, without_outside
from bayescope.gui.models.data.keys.same_pairing import pair_by

FEWEST = 3  # measured places: fewer rise by chance
MOST_ROWS = 100_000  # of a table, looked at while the window waits
BESIDE = "The program prints places beside its values; between these it is interpolated."
SAME_PLACES = "The program prints that key beside its values."
NOTHING_BESIDE = "Let the program print it beside its values, or say that its rows are those of the data, one by one."
ELSEWHERE = "Let the program print the places that were measured, or choose another key."


@dataclass(frozen=True)
class ByPlaces:
    """Comparison ``row`` and the data ``column`` of its places; ``words``: how that contradicts its order, a sentence.
    ``problem``: paired by it, with ``count`` comparisons; None: no place of the program fits. ``out``: rows that are left out,
    of ``measured``."""

    row: int
    column: str
    words: str
    problem: Problem | None = None
    interpolated: bool = False
    scale: KeyScale = PLAIN
    out: int = 0
    measured: int = 0
    count: int = 1
    printed: bool = True  # places beside the values
    shifted: bool = False  # the places lie the same distance beside those measured in every row: these may be the same

    @property
    def sure(self) -> bool:
        """Whether nothing is guessed or left out: a column that was said to be the key may pair the rows so at once."""
        exact, guessed = not self.interpolated, self.out or self.shifted
        return self.problem is not None and not guessed and (exact or self.scale.told or self.scale == PLAIN)

    @property
    def button(self) -> str:
        if self.problem is None:
            return "Sho&w it"
        name = without_unit(self.column)
        return pair_by(name, self.count, "&Interpolate", "over") if self.interpolated else pair_by(name, self.count)

    @property
    def hint(self) -> str:
        if self.problem is None:
            return ELSEWHERE if self.printed else NOTHING_BESIDE
        return f"{BESIDE if self.interpolated else SAME_PLACES} {self.more}".strip()

    @property
    def more(self) -> str:
        """By what its places are multiplied and how many rows are left out, sentences; '' where there is nothing to say."""
        times = "" if self.scale.plain else f"They are multiplied by {spoken(self.scale.factor)}."
        times = f"{spoken(self.scale.factor)} over them is taken." if self.scale.inverse else times
        times = f"{times.removesuffix('.')}: {self.scale.kinds}." if self.scale.kinds else times
        return f"{times} {outside_words(self.out, self.measured)}".strip()


def by_places(
    problem: Problem, index: int, report: TrialRunReport | None, marked: Collection[str] = ()
) -> ByPlaces | None:  # fmt: skip
    """Comparison ``index``, which has no key and need not fit in order, paired by the places beside its values, in whatever unit;
    None: none fit, or several do equally well."""
    found = compared(problem, index, report)
    if found is None or report is None or found[0].keys or found[0].rows:
        return None
    match, data, outputs, _ = found
    there = np.flatnonzero(~np.isnan(measured_values(match, data)))
    if not FEWEST <= len(there) <= MOST_ROWS:
        return None
    said, ways = said_columns(data, match, marked, there), []
    for column in place_columns(problem, match, data, said):
        codes = key_codes(data, column)
        usable = len(codes) > there[-1] and (np.isfinite(codes[there]) & (codes[there] < FIRST_LABEL)).all()
        for key, places in sweeps_beside(problem, match, report, column, outputs, column in said) if usable else ():
            scales = scales_of(problem, key)
            ways += [paired_by_place(problem, index, key, places, likely_scale(scales, places, codes[there]))]
    fit = sorted((way for way in ways if way.problem is not None), key=rank)
    return fit[0] if fit and (len(fit) == 1 or rank(fit[0]) < rank(fit[1])) else None


def paired_by_place(problem: Problem, index: int, key: Key, places: Array, scale: KeyScale | None) -> ByPlaces:
    """Comparison ``index`` paired by ``key``, row by row or between the ``places`` so multiplied; None: no factor is known."""
    assert isinstance(problem.meaning, Predictions)
    assert problem.data is not None
    match, data = problem.meaning.matches[index], problem.data
    plain = ByPlaces(index, key.column, "", measured=int((~np.isnan(measured_values(match, data))).sum()))
    if scale is None:
        return plain
    by = with_scale(paired_by(match, (key.pair,)), scale)
    outputs = {match.output: np.zeros(len(places)), key.output: places}
    added = () if key.declared is None else (key.declared,)
    wider = msgspec.structs.replace(problem, outputs=(*problem.outputs, *added))
    if fits(by, data, outputs):
        return replace(plain, problem=with_match(wider, index, by), scale=scale)
    between = without_outside(msgspec.structs.replace(by, interpolate=True), data, outputs)
    if between is None or not fits(between[0], data, outputs):
        return plain
    whole = with_match(wider, index, between[0])
    shift = shift_of(key_codes(data, key.column)[~np.isnan(measured_values(match, data))], scale.of(places))
    return replace(plain, problem=whole, interpolated=True, scale=scale, out=between[1], shifted=shift is not None)


def rank(way: ByPlaces) -> tuple[bool, bool, int, bool]:
    """The best way first: that there is one, row by row, with few rows left out, in units that are told."""
    return way.problem is None, way.interpolated, way.out, not way.scale.told
