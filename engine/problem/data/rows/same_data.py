"""Whether two problems explain the same measured numbers: evidences of different data are probabilities of different events, so
that their ratio says nothing about the models (Kass and Raftery, JASA 90, 1995). Noise, priors and programs may differ."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from ... import definition as d
from .comparison import ComparisonError, column, key_codes, measured_cells

Entry = tuple[float, tuple[float, ...]]  # a measured value and the codes of its keys


@dataclass(frozen=True)
class Measured:
    """What a likelihood is of. ``columns``: of each data column the numbers that count, with their keys, as often as they count;
    ``keys``: the names of its key columns. ``summaries``: which ones of the columns, where not the numbers themselves count."""

    columns: dict[str, Counter[Entry]]
    keys: dict[str, tuple[str, ...]]
    summaries: tuple[d.Summary, ...] = ()

    @property
    def count(self) -> int:
        return sum(counter.total() for counter in self.columns.values())


def measured(problem: d.Problem) -> Measured | None:
    """None: nobody but the program knows what it compares with, or the data cannot be read."""
    data, meaning = problem.data, problem.meaning
    if data is None:
        return None
    try:
        match meaning:
            case d.Predictions(matches=matches):
                return _of_matches(matches, data)
            case d.SyntheticLikelihood(summaries=summaries) | d.ApproximateBayes(summaries=summaries):
                pairs = [d.Match(output=s.output, column=s.column) for s in summaries]
                return Measured(_of_matches(pairs, data).columns, {}, tuple(sorted((_bare(s) for s in summaries), key=repr)))
            case d.InverseBinomial(output=output, column=name):
                return _of_matches((d.Match(output=output, column=name),), data)
    except ComparisonError:
        return None
    return Measured({name: _entries(column(data, name).tolist()) for name in data.columns}, {})


def other_data(reference: d.Problem, problem: d.Problem) -> str:
    """How the data of ``problem`` differ from those of ``reference``: ``38 of the 39 values``; '' where they are the same, or
    where one of the two is not known."""
    one, two = measured(reference), measured(problem)
    if one is None or two is None:
        return ""
    if one.summaries != two.summaries:
        return "other summaries of them" if one.columns == two.columns else "other summaries"
    shared, n, m = _shared(one, two), one.count, two.count
    if shared == n == m:
        return ""
    if shared == m:
        return f"{m} of the {n} values"
    if shared == n:
        return f"the {n} values and {m - n} more"
    if not shared:
        return f"other values, {m} of them"
    return f"{_values(m)}, {shared} of them among the {n}"


def _values(count: int) -> str:
    return f"{count} value{'s' if count != 1 else ''}"


def _of_matches(matches: tuple[d.Match, ...] | list[d.Match], data: d.DataTable) -> Measured:
    columns: dict[str, Counter[Entry]] = {}
    keys: dict[str, tuple[str, ...]] = {}
    for match in matches:
        if not match.column:
            continue  # not chosen yet
        names = tuple(name for _, name in match.keys)
        codes = [key_codes(data, name).tolist() for name in names]
        columns[match.column] = columns.get(match.column, Counter()) + _entries(measured_cells(match, data).tolist(), codes)
        keys[match.column] = names if keys.get(match.column, names) == names else ()
    return Measured(columns, keys)


def _entries(values: list[float], codes: list[list[float]] | None = None) -> Counter[Entry]:
    rows = zip(*codes, strict=False) if codes else ((),) * len(values)
    return Counter((v, tuple(k)) for v, k in zip(values, rows, strict=False) if not math.isnan(v))


def _shared(one: Measured, two: Measured) -> int:
    """How many numbers both have. A column that only has another name is the same; where it was measured counts too, if both pair
    it by the same key columns."""
    mine, count = dict(one.columns), 0
    for name, entries in sorted(two.columns.items(), key=lambda item: item[0] not in mine):
        own = name if name in mine else next((k for k, c in mine.items() if _bare_values(c) == _bare_values(entries)), None)
        if own is None:
            continue
        theirs, ours = entries, mine.pop(own)
        if one.keys.get(own, ()) != two.keys.get(name, ()):
            theirs, ours = _bare_values(theirs), _bare_values(ours)
        count += (theirs & ours).total()
    return count


def _bare_values(entries: Counter[Entry]) -> Counter[Entry]:
    found: Counter[Entry] = Counter()
    for (value, _), times in entries.items():
        found[value, ()] += times
    return found


def _bare(summary: d.Summary) -> d.Summary:
    """But for how the program and its errors are modelled."""
    return d.Summary(
        output="", column=summary.column, statistic=summary.statistic, levels=summary.levels, lags=summary.lags,
        edges=summary.edges,
    )  # fmt: skip
