"""A comparison in order that does not fit, paired by the places that the program prints beside its values instead. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from bayescope.engine.problem.data.names.column_names import without_unit
from bayescope.engine.problem.definition import Predictions, Problem
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.keys.between_keys import BetweenKey
from bayescope.gui.models.data.keys.compared_key import ComparedKey, compared_key
from bayescope.gui.models.data.keys.copied_pairing import way_of
from bayescope.gui.models.data.keys.grid_keys import by_grid
from bayescope.gui.models.data.keys.like_sibling import LikeSibling, like_sibling
from bayescope.gui.models.data.keys.other_key import other_key
from bayescope.gui.models.data.keys.over_places import over_places
from bayescope.gui.models.data.keys.own_keys import told_apart
from bayescope.gui.models.data.keys.rows_between import ELSE_FAILS
from bayescope.gui.models.data.keys.rows_outside import outside_words
from bayescope.gui.models.data.keys.same_pairing import for_all, pair_by, paired_anew
from bayescope.gui.models.data.keys.scaled_keys import BUTTON as SCALED
from bayescope.gui.models.data.keys.scaled_keys import ScaledKey, scaled_key
from bayescope.gui.models.data.keys.short_labels import short_labels
from bayescope.gui.models.data.keys.swept_beside import swept_beside, swept_words
from bayescope.gui.models.data.mismatches import mismatch
from bayescope.gui.models.data.rows.unfit import unfit_words


@dataclass(frozen=True)
class Keyed:
    """``problem`` with the comparison paired by ``column``, by ``interpolated`` values where the program prints other places."""

    problem: Problem
    column: str
    interpolated: bool = False
    titles: bool = False  # beside the key that it has, which comes again in every table
    beside: bool = False  # ... with another column of the same table, that tells its rows apart
    scaled: str = ""  # how the key hangs together with the column, a sentence, where a factor is between them
    compared: ComparedKey | None = None  # the key was compared itself
    short: str = ""  # how the program spells its labels, a sentence, where it is in another way than the data
    sweeps: tuple[str, ...] = ()  # its places and those of other sweeps were compared themselves
    lost: int = 0  # rows that are interpolated where it is the key already
    outside: str = ""  # how many rows are left out of it, a sentence
    like: LikeSibling | None = None  # as another comparison is paired
    count: int = 1  # comparisons that are paired so at once

    @property
    def adds(self) -> bool:
        """Whether it has a key more, which tells apart the rows of the one it had."""
        return self.titles or self.beside

    @property
    def button(self) -> str:
        if self.compared is not None:
            return self.compared.button
        if self.like is not None:
            return self.like.button
        if len(self.sweeps) > 1:
            return "&Interpolate each over its own"
        if self.scaled:
            return SCALED
        name = without_unit(self.column)
        if self.titles:
            return f"{pair_by(name, self.count)} too"
        return pair_by(name, self.count, "&Interpolate", "over") if self.interpolated else pair_by(name, self.count)

    @property
    def hint(self) -> str:
        if self.compared is not None:
            return self.compared.words
        if self.like is not None:
            return self.like.words
        if self.sweeps:
            return swept_words(self.sweeps)
        if self.scaled:
            return self.scaled
        if self.titles:
            return "The number in the title of each table tells its rows from those of the others."
        if self.beside:
            return "The program prints both beside its values: together they tell its rows apart."
        if self.short:
            return self.short
        if self.lost:
            return f"{self.outside} {ELSE_FAILS}".strip()
        between = "places beside its values, between which the measured ones lie"
        told = f"The program prints {between if self.interpolated else 'that key beside its values'}."
        return f"{told} {self.outside}".strip()


def keyed_instead(
    problem: Problem, index: int, report: TrialRunReport | None, marked: Collection[str] = ()
) -> Keyed | None:
    """What comparison ``index`` becomes by the one key that pairs all of its rows, or between whose places they all lie; None:
    it has a key that tells its rows apart, fits as it is, or there is no such key. The others that do not fit in order become the
    same where that mends them. ``marked``: columns that were said to be keys, tried first."""
    if (swept := swept_beside(problem, report)) is not None:
        places = tuple(place for place, _ in swept.pairs)
        return Keyed(swept.problem, places[0], interpolated=True, sweeps=places)
    if (like := like_sibling(problem, index, report)) is not None:
        return Keyed(like.problem, like.column, like=like, count=like.count)
    first = _one_more(problem, index, report, marked)
    if first is None or not isinstance(problem.meaning, Predictions):
        return None
    if first.compared is not None or first.lost:
        return first  # it is for all that have the key
    whole = first.problem
    for other in range(len(problem.meaning.matches)):
        more = _one_more(whole, other, report, marked)
        if more is not None and _way(more.problem, other) == _way(first.problem, index):
            whole = more.problem
    if not (first.interpolated or first.adds or first.scaled or first.short):
        others = for_all(whole, index, report, in_order=True)  # those that fit in order too: by chance, it may be
        whole = whole if others is None else others.problem
    return replace(first, problem=whole, count=max(paired_anew(problem, whole), 1))


def _way(problem: Problem, index: int) -> tuple[object, ...]:
    """By which columns comparison ``index`` is paired, and how."""
    assert isinstance(problem.meaning, Predictions)
    match = problem.meaning.matches[index]
    return tuple(column for _, column in match.keys), way_of(match)


def _one_more(problem: Problem, index: int, report: TrialRunReport | None, marked: Collection[str]) -> Keyed | None:
    """Comparison ``index`` by another key, or by one more where its own comes again."""
    return _keyed(problem, index, report, marked) or _of_tables(problem, index, report) or _beside(problem, index, report)


def _beside(problem: Problem, index: int, report: TrialRunReport | None) -> Keyed | None:
    """By another column of the program's table too, where the rows of one key cannot be told apart."""
    matches = problem.meaning.matches if isinstance(problem.meaning, Predictions) else ()
    if report is None or not index < len(matches) or len(matches[index].keys) != 1 or not unfit_words(problem, index, report):
        return None
    found = other_key(problem, index, report)
    if found is None or not isinstance(found[0].meaning, Predictions):
        return None
    keys = found[0].meaning.matches[index].keys
    return Keyed(*found, beside=True) if len(keys) > 1 and matches[index].keys[0] in keys else None


def _of_tables(problem: Problem, index: int, report: TrialRunReport | None) -> Keyed | None:
    """By the number in the titles of its tables too, where the rows of one key cannot be told apart."""
    found = told_apart(problem, index, report)
    return None if found is None else Keyed(found[0], found[1], titles=True)


def _keyed(problem: Problem, index: int, report: TrialRunReport | None, marked: Collection[str]) -> Keyed | None:
    """Comparison ``index`` alone."""
    matches = problem.meaning.matches if isinstance(problem.meaning, Predictions) else ()
    if report is None or not index < len(matches) or not unfit_words(problem, index, report):
        return None
    if matches[index].keys:
        one = scaled_key(problem, index, report)
        return _lacking(problem, index, report) if one is None else _scaled(one)
    if (grid := by_grid(problem, index, report)) is not None:
        return Keyed(grid.problem, grid.between or " and ".join(grid.keys), bool(grid.between))
    found, scaled = other_key(problem, index, report, marked=marked), scaled_key(problem, index, report)
    if found is not None and (scaled is None or scaled.units is None):
        return Keyed(found[0], found[1])
    if scaled is not None:
        return _scaled(scaled)
    if (short := short_labels(problem, index, report)) is not None:
        return Keyed(short.problem, short.column, short=short.words)
    way = over_places(problem, index, report, marked)
    if isinstance(way, BetweenKey):
        return Keyed(way.problem, way.column, interpolated=True, outside=outside_words(way.out, way.measured))
    if (own := compared_key(problem, index, report)) is not None:
        return Keyed(own.problem, own.column, compared=own)
    if way is None or way.problem is None:
        return None
    return Keyed(way.problem, way.column, way.interpolated, outside=way.more)


def _scaled(key: ScaledKey) -> Keyed:
    return Keyed(key.problem, key.column, scaled=key.words)


def _lacking(problem: Problem, index: int, report: TrialRunReport) -> Keyed | None:
    """Comparison ``index`` and those with the same key interpolated, where the run lacks some rows between those it has."""
    found = mismatch(problem, index, report)
    if found is None or found.between is None or not found.between_first or not isinstance(problem.meaning, Predictions):
        return None
    column, beyond = problem.meaning.matches[index].keys[0][1], outside_words(found.beyond, found.measured)
    return Keyed(found.between, column, interpolated=True, lost=len(found.rows), outside=beyond)
