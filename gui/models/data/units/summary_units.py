"""Doubts whether an output has the unit of what its summaries are compared with, as comparisons have them. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.key_scale import Scale
from bayescope.engine.protocol import TrialOutput, TrialRunReport
from bayescope.gui.models.data.compared_outputs import read_now
from bayescope.gui.models.data.comparison_rows import AS_IT_IS
from bayescope.gui.models.data.summarized import measured_in, runs_at_keys, sizes_of
from bayescope.gui.models.data.units.other_units import OtherUnit, first_by_headings, first_far_off, other_unit

Array = NDArray[np.float64]
OF_SIZE = ("values", "mean", "sd", "quantiles")  # statistics that are as many times larger as the values are


def summary_unit_doubt(problem: d.Problem, index: int, report: TrialRunReport | None) -> OtherUnit | None:
    """What speaks for another unit in summary ``index``, as ``other_unit`` has it of comparisons."""
    rows, shown = _as_comparisons(problem, report)
    return _of_summaries(problem, other_unit(rows, index, shown))


def first_by_summaries(
    problem: d.Problem, report: TrialRunReport | None, kept: Collection[str] = ()
) -> tuple[tuple[int, OtherUnit] | None, tuple[int, OtherUnit] | None]:
    """The first summary of which headings say it, and the first one that is far off in the newest test run; but for doubts in
    ``kept``."""
    rows, shown = _as_comparisons(problem, report)
    told, off = first_by_headings(rows, shown, kept), first_far_off(rows, shown, (), kept)
    return _numbered(problem, told), _numbered(problem, off)


def scaled_words(summary: d.Summary) -> str:
    """By what the output is multiplied, and what is added to it."""
    return Scale(summary.factor, summary.offset).written("").strip() or AS_IT_IS


def in_one_unit(summaries: Sequence[d.Summary], index: int, factor: float, offset: float) -> tuple[d.Summary, ...]:
    """``summaries`` with another scaling of the output of the one at ``index``: all that compare it with the same column have it,
    and spreads that are known are as many times larger."""
    one = summaries[index]
    mates = [(s.output, s.column) == (one.output, one.column) for s in summaries]
    return tuple(_scaled(s, factor, offset) if mate else s for s, mate in zip(summaries, mates, strict=True))


def _scaled(summary: d.Summary, factor: float, offset: float) -> d.Summary:
    by = abs(factor / summary.factor) if summary.factor and summary.statistic in OF_SIZE else 1.0
    scale = tuple(float(f"{v * by:.12g}") for v in summary.scale)
    return msgspec.structs.replace(summary, factor=factor, offset=offset, scale=scale)


def _numbered(problem: d.Problem, found: tuple[int, OtherUnit] | None) -> tuple[int, OtherUnit] | None:
    other = None if found is None else _of_summaries(problem, found[1])
    return None if found is None or other is None else (found[0], other)


def _of_summaries(problem: d.Problem, found: OtherUnit | None) -> OtherUnit | None:
    """``found`` of comparisons with the summaries of ``problem`` in what mends it."""
    if found is None:
        return None
    every, same = (None if one is None else _taken_over(problem, one) for one in (found.every, found.same))
    return replace(found, problem=_taken_over(problem, found.problem), every=every, same=same)


def _taken_over(problem: d.Problem, rows: d.Problem) -> d.Problem:
    """``problem`` with its outputs multiplied as in the comparisons of ``rows``."""
    meaning = problem.meaning
    assert isinstance(meaning, d.SyntheticLikelihood | d.ApproximateBayes)
    assert isinstance(rows.meaning, d.Predictions)
    summaries = meaning.summaries
    for i, (s, m) in enumerate(zip(meaning.summaries, rows.meaning.matches, strict=True)):
        if (s.factor, s.offset) != (m.factor, m.offset):
            summaries = in_one_unit(summaries, i, m.factor, m.offset)
    return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, summaries=summaries))


def _as_comparisons(problem: d.Problem, report: TrialRunReport | None) -> tuple[d.Problem, TrialRunReport | None]:
    """``problem`` with its summaries as comparisons, number by number, and a test run that gave those numbers."""
    summaries = getattr(problem.meaning, "summaries", ())
    read = {} if report is None else read_now(problem, report)
    runs = {name: np.array([np.nan if v is None else v for v in o.values], dtype=float) for name, o in read.items()}
    both = [_both(problem, s, runs) for s in summaries]
    ends = np.cumsum([len(measured) for measured, _ in both]) if both else np.zeros(0, dtype=int)
    total = int(ends[-1]) if len(ends) else 0
    columns: dict[str, list[float | None]] = {s.column: [None] * total for s in summaries if s.column}
    printed: dict[str, list[float]] = {}
    matches = []
    for s, (measured, predicted), end in zip(summaries, both, ends.tolist(), strict=True):
        own = range(end - len(measured), end)
        given = printed.setdefault(s.output, [])
        rows = tuple(range(len(given) + 1, len(given) + len(predicted) + 1))
        given += predicted.tolist()
        if own:
            columns[s.column][own.start : own.stop] = measured.tolist()
        out = tuple(i + 1 for i in range(total) if i not in own)
        matches.append(d.Match(output=s.output, column=s.column, factor=s.factor, offset=s.offset, rows=rows, left_out=out))
    outputs = tuple(_plain(o) for o in problem.outputs if not o.only_key)
    data = d.DataTable(columns={name: tuple(cells) for name, cells in columns.items()})
    made = msgspec.structs.replace(
        problem, outputs=outputs, data=data, meaning=d.Predictions(matches=tuple(matches), noise=d.GaussianKnown())
    )
    if report is None:
        return made, None
    sources = {o.name: o.source for o in outputs}
    given_now = tuple(
        TrialOutput(name=name, source=sources[name], values=tuple(values)) for name, values in printed.items() if name in sources
    )
    return made, msgspec.structs.replace(report, outcome="ok", outputs=given_now, files=(), stdout="", stderr="")


def _plain(output: d.Output) -> d.Output:
    """Nothing is read again where rows are told by labels; what its unit is, stays."""
    return msgspec.structs.replace(output, extractor=d.LastNumber()) if isinstance(output.extractor, d.Region) else output


def _both(problem: d.Problem, summary: d.Summary, runs: dict[str, Array]) -> tuple[Array, Array]:
    """The numbers of ``summary`` that tell a size, of the data and of one run whose outputs are taken as they are (k,); empty:
    there are none, or a factor changes them otherwise."""
    nothing = np.zeros(0), np.zeros(0)
    turned, moved = summary.factor <= 0.0, summary.offset != 0.0
    told = summary.statistic in OF_SIZE and not (turned and summary.statistic == "quantiles")
    if not told or (summary.statistic == "sd" and (turned or moved)):
        return nothing
    plain = msgspec.structs.replace(summary, factor=1.0, offset=0.0)
    found = runs_at_keys(problem, plain, {name: values[None] for name, values in runs.items()})
    if found.ndim != 2 or not len(found):
        return nothing
    measured, predicted = sizes_of(plain, measured_in(problem, plain)), sizes_of(plain, found[0])
    return (measured, predicted) if len(measured) == len(predicted) else nothing
