"""The keys of a list of several dimensions in ncdump's text of a netCDF file: months and latitudes of Ts(month, lat). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from math import prod

import msgspec
import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.problem.data.names.column_names import fresh, loose_name, same_names, says_where, sd_columns
from bayescope.engine.problem.data.rows.comparison import ComparisonError, compare_match
from bayescope.engine.problem.marks.lists.list_around import Lists
from bayescope.engine.problem.marks.lists.list_offers import label_of_list, ways
from bayescope.engine.problem.netcdf_text import dimensions, is_coordinate
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared, with_match
from bayescope.gui.models.data.keys.key_candidates import MOST_TEXT, paired_by, text_of
from bayescope.gui.models.data.keys.list_keys import MOST_LISTS
from bayescope.gui.models.plain import one_line

MOST_KEYS = 2  # that a comparison has
SHORTEST = 3  # letters of a name that is the beginning of another: lat of latitude
Axis = tuple[d.Output, str]  # an output of coordinates, one for each number of the list, and the data column that holds them


@dataclass(frozen=True)
class Grid:
    """``problem`` with ``output`` compared with ``column``, paired by the columns ``keys``; ``between``: that one of them over
    which the output is interpolated, '' for none."""

    problem: d.Problem
    output: str
    column: str
    keys: tuple[str, ...]
    between: str

    @property
    def question(self) -> str:
        return f"Is “{one_line(self.column, 24)}” compared with “{one_line(self.output, 24)}”, by {' and '.join(self.keys)}?"

    @property
    def hint(self) -> str:
        told = "The program prints both beside its values."
        return f"{told} Between the places of {self.between} it is interpolated." if self.between else told

    @property
    def button(self) -> str:
        keys = " and ".join(one_line(k, 16) for k in self.keys).replace("&", "&&")
        return f"Compare &by {keys}"


def grid_offered(problem: d.Problem, report: TrialRunReport | None) -> Grid | None:
    """What is still to be compared, where that is one list of several dimensions and one column beside those that hold its
    coordinates; None: it is not told, or the newest test run does not fit."""
    meaning, data = problem.meaning, problem.data
    if report is None or data is None or not isinstance(meaning, d.Predictions):
        return None
    done = {m.output for m in meaning.matches if m.column}
    taken = {m.column for m in meaning.matches} | set(meaning.aside) | set(sd_columns(list(data.columns)))
    found: list[Grid] = []
    for output in problem.outputs:
        axes = _axes(problem, output, report) if output.name not in done else ()
        where = {column for _, column in axes}
        left = [c for c in data.columns if c not in taken | where and not says_where(c)]
        if not axes or len(left) != 1:
            continue
        matches = tuple(m for m in meaning.matches if m.output != output.name)
        sds = [s for s in sd_columns(list(data.columns)) if s not in meaning.aside]
        own = sd_pairs(list(data.columns)).get(left[0], sds[0] if len(sds) == 1 else None)
        match = d.Match(output=output.name, column=left[0], sd_column=own)
        whole = msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, matches=(*matches, match)))
        grid = _paired(whole, len(matches), axes, report)
        found += [grid] if grid is not None else []
    return found[0] if len(found) == 1 else None


def by_grid(problem: d.Problem, index: int, report: TrialRunReport | None) -> Grid | None:
    """Comparison ``index`` of a list of several dimensions paired by all of these; None: of no such list, or it does not fit."""
    found = compared(problem, index, report)
    if found is None or report is None:
        return None
    output = next(o for o in problem.outputs if o.name == found[0].output)
    return _paired(problem, index, _axes(problem, output, report), report)


def _axes(problem: d.Problem, output: d.Output, report: TrialRunReport) -> tuple[Axis, ...]:
    """An output for each dimension of the list that ``output`` reads whole, and its column; () where not all are told."""
    extractor, data = output.extractor, problem.data
    if not isinstance(extractor, d.NumberList) or extractor.first != 1 or extractor.count is not None or data is None:
        return ()
    text = text_of(output.source, report)
    if extractor.occurrence == "all" or extractor.each * extractor.times > 1 or not text or len(text) > MOST_TEXT:
        return ()
    variable = label_of_list(extractor.name)
    path = variable.rpartition("/")[0]
    lengths = dimensions(text, variable)
    long = [(k, name) for k, (name, n) in enumerate(lengths) if n > 1]
    columns = _columns_of([name for _, name in long], [c for c in data.columns if c not in sd_columns(list(data.columns))])
    if len(long) != MOST_KEYS or len(columns) < len(long):
        return ()
    axes: list[Axis] = []
    for k, name in long:
        after, before = prod(n for _, n in lengths[k + 1 :]), prod(n for _, n in lengths[:k])
        known = [*problem.outputs, *(axis for axis, _ in axes)]
        axis = _coordinates(known, output, text, f"{path}/{name}" if path else name, (lengths[k][1], after, before))
        if axis is None:
            return ()
        axes.append((axis, columns[name]))
    return tuple(axes)


def _columns_of(names: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """The column of each dimension: of the same name, or the only one that begins with it or that it begins with."""
    found = same_names(names, columns)
    for name in (n for n in names if n not in found):
        mine = loose_name(name)
        alike = [c for c in columns if c not in found.values() and _begins(mine, loose_name(c))]
        if len(alike) == 1:
            found[name] = alike[0]
    return found


def _begins(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= SHORTEST and long.startswith(short)


def _coordinates(
    known: Sequence[d.Output], output: d.Output, text: str, variable: str, sizes: tuple[int, int, int]
) -> d.Output | None:
    """The output among the ``known`` ones, or a new one, that reads a coordinate for each number of the list of ``output``:
    ``sizes`` are how many there are, how often each stands, and how often all of them do."""
    if not is_coordinate(text, variable):
        return None
    n, each, times = sizes
    for found in Lists(text).within(0, len(text), MOST_LISTS):
        if label_of_list(found.whole.name) != variable.rpartition("/")[2]:
            continue
        _, _, plain = next(ways(found, text, ()))
        if not isinstance(plain.extractor, d.NumberList) or len(plain.values) != n:
            continue
        extractor = msgspec.structs.replace(plain.extractor, each=each, times=times)
        same = next((o for o in known if (o.source, o.extractor) == (output.source, extractor)), None)
        name = fresh(variable.rpartition("/")[2], [o.name for o in known])
        return same or d.Output(name=name, source=output.source, extractor=extractor, decimal_comma=found.comma)
    return None


def _paired(problem: d.Problem, index: int, axes: Sequence[Axis], report: TrialRunReport) -> Grid | None:
    """With the rows paired by ``axes``; the output interpolated over one of them where it has to be."""
    if not axes or not isinstance(problem.meaning, d.Predictions) or problem.data is None:
        return None
    new = tuple(axis for axis, _ in axes if axis.name not in {o.name for o in problem.outputs})
    match = problem.meaning.matches[index]
    for order, interpolate in ((axes, False), *((order, True) for order in permutations(reversed(axes)))):
        changed = paired_by(match, [(axis.name, column) for axis, column in order])
        changed = msgspec.structs.replace(changed, interpolate=interpolate)
        whole = with_match(msgspec.structs.replace(problem, outputs=(*problem.outputs, *new)), index, changed)
        if _fits(whole, index, report):
            between = order[0][1] if interpolate else ""
            return Grid(whole, match.output, match.column, tuple(column for _, column in axes), between)
    return None


def _fits(problem: d.Problem, index: int, report: TrialRunReport) -> bool:
    found = compared(problem, index, report)
    if found is None:
        return False
    match, data, outputs, _ = found
    try:
        return bool(np.isfinite(compare_match(match, data, outputs).prediction).any())
    except ComparisonError:
        return False
