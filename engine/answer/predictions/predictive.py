"""What is predicted for the data: by learnt outputs, or by the runs already made, each weighted by its share of the posterior.

Numpy only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ...problem.data.rows.across import across, apart, known_sds, names_across, values_left_out
from ...problem.data.rows.censored import limits_in
from ...problem.data.rows.comparison import ComparisonError, compare_match, measured_cells
from ...problem.definition import Match, Predictions, Problem
from ...session.stored_arrays import Arrays, NotEmulated
from ..digits import typeset
from ..posterior import StoredPosterior
from .check_words import AS_EXPECTED, in_order, level, surprises
from .emulated import HIGH, LOW, OutputBands
from .judge import Level
from .learnt_runs import LearntOutput, Outputs
from .misfit import Fit
from .missed import Missed
from .of_predicted import OfPredicted, of_predicted
from .residuals import OUTLIERS, Residuals

AGAINST = ("too large", "too small")
FEW_RUNS = 100.0  # by which the 5th percentile is the fifth smallest
SDS_ACROSS = 3.29  # in the width of a 90 % interval of a normal distribution
MOST_NAMED = 6  # columns of which the same is said
Array = NDArray[np.float64]


@dataclass(frozen=True)
class WholeCurve:
    """Every row that the program records, increasing x (m,): low end, median and high end of what it would return there."""

    x: Array
    low: Array
    middle: Array
    high: Array


@dataclass(frozen=True)
class OtherOutput:
    """What is predicted of an output that is compared with nothing: low end, median and high end (L,), by the emulator or by
    quantiles of ``runs`` runs weighted by the posterior, which count like ``effective``."""

    low: Array
    middle: Array
    high: Array
    runs: int
    effective: float = 0.0
    learnt: LearntOutput | None = None

    @property
    def words(self) -> str:
        """A number with its interval; of several, what they rest on."""
        rests = f"learnt from {self.runs} runs"
        if self.learnt is None:
            rests = f"from {self.runs} runs weighted by the posterior, which count like {max(1.0, self.effective):.0f}"
            rests += ", so it is rough" if self.effective < FEW_RUNS else ""
        if len(self.middle) != 1:
            return f"Not compared with data; {rests}."
        low, middle, high = (float(v[0]) for v in (self.low, self.middle, self.high))
        told = [typeset(v, (high - low) / SDS_ACROSS, max(abs(low), abs(high))) for v in (middle, low, high)]
        return f"Median {told[0]}, 90 % interval {told[1]} to {told[2]} (not compared with data; {rests})."


@dataclass(frozen=True)
class Predicted:
    """One data column: where it lies, what was measured, and each run's prediction (n, m) with its weight (n,).

    Rows without a measured value are left out; ``rows``: which rows of the table (from 0) the m points are, where it is known.
    ``bands``: of the m points, by learnt outputs; there are no runs then. The median that everything is compared with is that of
    the program, and of what it misses where it may be off.
    """

    x: Array
    measured: Array
    runs: Array
    weights: Array
    x_label: str
    y_label: str
    rows: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    bands: OutputBands | None = None
    missed: Missed | None = None  # where the program may be off
    residuals: Residuals | None = None
    left_out: tuple[Array, Array] = (np.empty(0), np.empty(0))  # places and values that were measured and take no part
    sds: Array = field(default_factory=lambda: np.empty(0))  # (m,) of the errors, NaN where not known beforehand; or none
    whole: WholeCurve | None = None  # where the program records more rows than were measured
    other: OtherOutput | None = None  # of an output that is compared with nothing
    names: tuple[str, ...] = ()  # of the places (m,), where these are dates, or rows that have labels
    apart: bool = False  # nothing lies between the places: no line joins them
    among: int = 1  # columns that are judged at once
    fit: Fit | None = None  # of all of them together, at the best run
    output: str = ""  # that the column is compared with
    in_percent: OfPredicted | None = None  # errors in per cent look like those of the predicted value
    sides: NDArray[np.int8] = field(default_factory=lambda: np.empty(0, dtype=np.int8))  # (m,) as ``Limits``, or none

    @property
    def limited(self) -> NDArray[np.bool_]:
        """Of which points (m,) only a limit is known, which stands in ``measured``."""
        return np.asarray(self.sides != 0) if len(self.sides) == len(self.x) else np.zeros(len(self.x), dtype=bool)

    @property
    def of_values(self) -> Predicted:
        """Those points that were measured, as ``residuals`` has them; without what is predicted for them."""
        kept = ~self.limited
        names = tuple(name for name, has in zip(self.names, kept, strict=False) if has)
        sds = self.sds[kept] if len(self.sds) == len(kept) else self.sds
        rows = self.rows[kept] if len(self.rows) == len(kept) else self.rows
        none = np.empty(0, dtype=np.int8)
        return replace(self, x=self.x[kept], measured=self.measured[kept], rows=rows, names=names, sds=sds, sides=none)

    @property
    def ends(self) -> tuple[Array, Array, Array]:
        """What the program returns, at each data point: low end, median and high end of 90 %."""
        if self.bands is not None:
            return self.bands.low, self.bands.middle, self.bands.high
        if self.other is not None:
            return self.other.low, self.other.middle, self.other.high
        return self.band(LOW, HIGH)

    @property
    def words(self) -> str:
        """How the measured values agree with what is predicted; '' where it is not known."""
        if self.other is not None:
            return self.other.words
        said = "" if self.level == "unknown" else " ".join(self.surprises) or AS_EXPECTED
        return said if self.missed is None else f"{self.missed.words} {said}".strip()

    @property
    def surprises(self) -> list[str]:
        """What of the agreement chance would hardly give, sentences."""
        off, cure = self.missed is not None, OUTLIERS if self.in_percent is None else self.in_percent.cure
        if self.bands is None:
            return [] if self.residuals is None else self.residuals.surprises(off, self.among, cure)
        if (alone := self._alone) is not None:  # it is all of the data: one judgement, in the same words
            said = [] if alone.level == "fits" else [alone.words]
            return [*said, *in_order(self.bands, self.residuals, off, cure=cure)]
        return surprises(self.bands, self.residuals, off, self.among, cure)

    @property
    def _alone(self) -> Fit | None:
        """The fit of all data, where this column is all there is."""
        return self.fit if self.among == 1 and self.fit is not None and self.fit.level != "unknown" else None

    @property
    def level(self) -> Level:
        """How far the data lie from what is predicted."""
        if self.bands is None:
            return "unknown"
        known = level(self.bands, self.among)
        return known if known == "unknown" or self._alone is None else self._alone.level

    @property
    def scattered(self) -> bool:
        """Whether the data are more scattered about the predictions than the model allows."""
        return self.level == "too large"

    @property
    def too_close(self) -> bool:
        """Whether the data are closer to the predictions than the model allows."""
        return self.level == "too small"

    @property
    def sentences(self) -> tuple[str, ...]:
        """Of every test of the residuals, what it found."""
        return () if self.residuals is None else self.residuals.sentences_among(self.among)

    def band(self, low: float, high: float) -> tuple[Array, Array, Array]:
        """Weighted quantiles at each data point: low, median, high."""
        return weighted_band(self.runs, self.weights, low, high)


def weighted_band(values: Array, weights: Array, low: float, high: float) -> tuple[Array, Array, Array]:
    """Quantiles of each column of values (n, m) with weights (n,): low, median, high, (m,) each."""
    order = np.argsort(values, axis=0)
    sorted_values, share = np.take_along_axis(values, order, axis=0), np.cumsum(weights[order], axis=0)
    out = [sorted_values[np.argmax(share >= p * share[-1], axis=0), np.arange(values.shape[1])] for p in (low, 0.5, high)]
    return out[0], out[1], out[2]


def run_weights(posterior: StoredPosterior | None, theta: Array, good: NDArray[np.bool_], draws: int = 1000) -> Array:
    """(n,) how much of the posterior each run stands for: the share of posterior draws to which it is the nearest good run.

    Nearness is measured in inference space, scaled by the draws' spread. ``theta`` (n, D) in the user's units.
    """
    weights = np.zeros(len(theta))
    here = np.flatnonzero(good)
    if posterior is None or not len(here):
        weights[here] = 1.0 / max(len(here), 1)
        return weights
    points = posterior.sample_in_inference(draws, seed=0)
    runs = posterior.space.to_inference(theta[here])
    scale = np.maximum(points.std(axis=0), 1e-12)
    for chunk in np.array_split(points / scale, max(1, draws * len(here) // 500_000)):
        nearest = ((chunk[:, None, :] - (runs / scale)[None, :, :]) ** 2).sum(axis=2).argmin(axis=1)
        np.add.at(weights, here[nearest], 1.0 / draws)
    return weights


def predicted(
    problem: Problem, match: Match, indices: Sequence[int], outputs: Outputs, weights: Array
) -> Predicted | None:
    """Pair the outputs of the runs ``indices`` with the data of one match, as the likelihood does. None: nothing to pair."""
    if problem.data is None or match.column not in problem.data.columns:
        return None
    found, kept = [], []
    for index, weight in zip(indices, weights, strict=True):
        try:
            compared = compare_match(match, problem.data, outputs.get(index, {}))
        except ComparisonError:
            continue
        if weight > 0:
            found.append(compared)
            kept.append(weight)
    if not found:
        return None
    first = found[0]
    rows = np.flatnonzero(first.present)
    x, label = across(problem, match)
    runs = np.array([c.prediction[rows] for c in found])
    left = values_left_out(problem, match)
    weighed = np.array(kept) / sum(kept)
    sds = _sds(problem, match, rows)
    found_there = Predicted(
        x[rows], first.data[rows], runs, weighed, label, match.column, rows, left_out=left, sds=sds, output=match.output,
        sides=first.limits.sides[rows],
    )  # fmt: skip
    return named(problem, match, found_there)


def emulated(problem: Problem, arrays: Arrays) -> list[Predicted]:
    """Of every comparison of an output with a column, as stored with an answer; empty where outputs were not learnt."""
    if problem.data is None or not isinstance(problem.meaning, Predictions):
        return []
    try:
        columns = [measured_cells(match, problem.data) for match in problem.meaning.matches]
        counts = [int(np.isfinite(c).sum()) for c in columns]
        whole, first, found = OutputBands.of(arrays, sum(counts), len(counts)), 0, []
        missed, left = _also(Missed, arrays, counts), _also(Residuals, arrays, counts)
        for k, (match, measured, count) in enumerate(zip(problem.meaning.matches, columns, counts, strict=True)):
            (x, label), rows = across(problem, match), np.flatnonzero(np.isfinite(measured))
            cells, first = slice(first, first + count), first + count
            none = np.empty((0, count))
            sides = limits_in(problem.data, match.column)[1].sides[rows]
            of_output = left and left.part(cells, k).of_values(sides == 0)
            tested = of_output if of_output is not None and len(of_output.z) else None
            parts = whole.part(cells, k), missed and missed.part(cells, k), tested
            left_out = values_left_out(problem, match)
            sds = _sds(problem, match, rows)
            also = *parts, left_out, sds
            made = Predicted(x[rows], measured[rows], none, np.empty(0), label, match.column, rows, *also, sides=sides)
            percent = None if made.residuals is None or made.missed is not None else of_predicted(
                problem, match, made.residuals.z, made.measured[~made.limited], made.ends[1][~made.limited]
            )  # fmt: skip
            found.append(replace(named(problem, match, made), among=len(counts), in_percent=percent, output=match.output))
    except (ComparisonError, NotEmulated):
        return []
    return found


def named(problem: Problem, match: Match, p: Predicted) -> Predicted:
    """``p`` with the dates or labels of its places, if they have some. Raises ComparisonError."""
    p = replace(p, apart=apart(problem, match))
    label, names = names_across(problem, match)
    return replace(p, x_label=label, names=tuple(names[i] for i in p.rows)) if names and len(p.rows) else p


def _sds(problem: Problem, match: Match, rows: NDArray[np.intp]) -> Array:
    assert problem.data is not None
    return known_sds(problem, match, len(problem.data.columns[match.column]))[rows]


T = TypeVar("T", Missed, Residuals)


def _also(kind: type[T], arrays: Arrays, counts: Sequence[int]) -> T | None:
    """None where the answer is of an earlier version, or has no such."""
    try:
        return kind.of(arrays, sum(counts), len(counts))
    except NotEmulated:
        return None


def agreement(found: Sequence[Predicted]) -> tuple[str, ...]:
    """How the data agree with what is predicted, a sentence or more for each column by name, for those of which the same is said
    together; empty where it is not known."""
    names: dict[str, list[str]] = {}
    fit = next((p.fit for p in found if p.fit is not None and p.among > 1), None)
    against = fit is not None and fit.level in AGAINST
    for one, title in zip(found, titles(found), strict=True):
        if one.words and not (against and one.words == AS_EXPECTED):  # what holds of all is not to be contradicted by each
            names.setdefault(one.words, []).append(title)
    each = tuple(words if len(found) == 1 else f"{_listed(of)}: {words}" for words, of in names.items())
    odd = any(p.level in AGAINST for p in found)
    return each if fit is None or not (against or odd) else (f"All together: {fit.words}", *each)


def with_fit(found: Sequence[Predicted], fit: Fit | None) -> list[Predicted]:
    """``found`` with the judgement of all data together."""
    return [replace(p, fit=fit) for p in found]


def unlikely(found: Sequence[Predicted]) -> bool:
    """Whether chance would hardly give the data, were the program and its errors right."""
    return any(p.surprises for p in found) or any(p.fit is not None and p.fit.level in AGAINST for p in found)


def at_odds(found: Sequence[Predicted]) -> tuple[str, ...]:
    """Columns that by themselves lie too far off, or too near, beside others."""
    return tuple(t for p, t in zip(found, titles(found), strict=True) if p.among > 1 and p.level in AGAINST)


def titles(found: Sequence[Predicted]) -> list[str]:
    """The names of the columns; of one that several outputs are compared with, with the output."""
    of = [p.y_label for p in found]
    return [f"{p.y_label} ({p.output})" if p.output and of.count(p.y_label) > 1 else p.y_label for p in found]


def _listed(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names) if more <= 1 else f"{', '.join(names[:MOST_NAMED])} and {more} more"
