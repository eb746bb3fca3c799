"""The best fit of an analysis: the run of the highest log density, how well it agrees with the data, how sharp the peak is.

Made from the stored runs alone, whatever method chose them; numpy only.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..problem.data.rows.across import across, known_sds
from ..problem.data.rows.comparison import ComparisonError
from ..problem.definition import Parameter, Predictions, Problem, evaluation_noun, free_parameters, is_noisy
from ..problem.findings import shorten
from ..problem.numbers.shown_digits import spoken
from ..problem.transforms import ParameterSpace
from ..session import atomic
from ..session.errors import SessionError
from ..session.imported import PURPOSE
from ..session.records import ArchiveRecord, EvaluationRecord, IterationRecord
from .csv_cells import csv_bytes
from .digits import plain, resolution, rough
from .failures.far_off import FarOff
from .local_width import LocalWidth, width_of_posterior
from .posterior import StoredPosterior
from .predictions.misfit import Fit, Misfit, fit_of, misfits
from .predictions.predictive import Predicted, at_odds, emulated, named
from .surrogate_peak import LUCKY, PeakFound, peak_found
from .usual_scatter import UsualScatter

if TYPE_CHECKING:
    from ..session.store import SessionStore

Array = NDArray[np.float64]

ROUGH, UNKNOWN = 0.2, 1.0  # sds of a local sd, relative to it, above which it is said to be rough, or not known
LONGEST_LABEL = 20  # characters of a row's time or label
STEP = 1e-4  # for the derivative of a transform
IMPORTED = -1  # index of a best fit that no run of this analysis is: an evaluation made earlier
SURROGATE = "surrogate"  # kind of the rows that tell of its maximum
HEADER = ("kind", "name", "unit", "value", "local_sd", "row", "measured", "predicted", "residual_sds", "local_sd_error")


@dataclass(frozen=True)
class BestFit:
    """``values``: all parameters in the user's units; ``log_density`` = log-likelihood + log prior, in these units. ``index``
    of ``n_runs`` runs; IMPORTED: one of ``n_runs`` imported evaluations.

    ``sds``: of the free parameters by name, from the curvature of the answer at the run; empty where it is not known.
    ``sd_errors``: their own sds, relative to them. ``lines``: its prediction of every data column. ``peak``: of the surrogate.
    """

    index: int
    n_runs: int
    parameters: tuple[Parameter, ...]
    values: Mapping[str, float]
    log_density: float
    log_likelihood: float
    noise_sd: float
    random: bool
    sds: Mapping[str, float]
    sd_errors: Mapping[str, float]
    misfits: tuple[Misfit, ...]
    fit: Fit | None
    lines: tuple[Predicted, ...]
    noun: str = "run"
    peak: PeakFound | None = None
    odd: tuple[str, ...] = ()  # columns that do not agree by themselves

    @property
    def imported(self) -> bool:
        return self.index == IMPORTED

    @property
    def words(self) -> tuple[str, ...]:
        """Which run it is, whether it is as good as the data allow, and what limits that."""
        parts = self.log_density, self.log_likelihood, self.log_density - self.log_likelihood
        whole, likelihood, prior = (round(v, 2) + 0.0 for v in parts)  # no minus zero
        which = f"Of {self.n_runs:,} {self.noun}s, {self.noun} {self.index}"
        which = f"One of {self.n_runs:,} imported evaluations" if self.imported else which
        said = [f"{which} has the highest log density, {whole:.2f} (log-likelihood {likelihood:.2f}, log prior {prior:.2f})."]
        if self.fit is not None:
            said.append(self.fit.words)
            if self.odd and self.fit.level == "fits":
                said.append(f"That is of all data together; by itself, not in agreement: {', '.join(self.odd)} (see Residuals).")
        if any(not m.size_known for m in self.misfits):
            said.append("Where noise is fitted, or the program may be off, χ² is near the number of data for any curve.")
        if self.random:
            size = f" of sd {rough(self.noise_sd)}" if self.noise_sd > 0.0 else ""
            said.append(f"Log densities are random here{size}: {LUCKY}.")
        if any(self.is_rough(p) for p in self.parameters):
            worst = 100.0 * max(self.sd_errors.values())
            said.append(f"Local sds marked “about” are rough: the runs so far leave them open by up to {worst:.0f} % (sd).")
        return (*said, *(self.peak.words(self.noun, self.imported, self.random) if self.peak is not None else ()))

    def value_words(self, p: Parameter) -> str:
        """Its value with the digits that the local sd supports, or six."""
        value, sd = self.values[p.name], self.sds.get(p.name)
        return f"{value:.6g}" if sd is None else plain(value, sd)

    def peak_words(self, p: Parameter) -> str:
        """Its value at the surrogate's maximum with the same digits; '' where there is none."""
        value, sd = math.nan if self.peak is None else self.peak.values.get(p.name, math.nan), self.sds.get(p.name)
        return "" if math.isnan(value) else f"{value:.6g}" if sd is None else plain(value, sd)

    def is_rough(self, p: Parameter) -> bool:
        return self.sd_errors.get(p.name, 0.0) > ROUGH

    def sd_words(self, p: Parameter) -> str:
        """``0.48``; ``about 0.5`` where it is rough; '' where it is not known."""
        sd = self.sds.get(p.name)
        if sd is None:
            return ""
        return f"about {spoken(sd, 1)}" if self.is_rough(p) else plain(sd, resolution(sd, self.sd_errors.get(p.name, 0.0)))


def farthest_words(m: Misfit) -> str:
    """The value that lies farthest off: ``row 7: +2.4 sd``; with the time, label or key of its row: ``row 7 (00:30:00): +2.4
    sd``."""
    said = (m.texts or m.keys or [""] * m.count)[m.farthest]
    named = f" ({shorten(said, LONGEST_LABEL)})" if said else ""
    return f"row {int(m.rows[m.farthest]) + 1}{named}: {m.residuals[m.farthest]:+.1f} sd"


def misfit_words(m: Misfit) -> str:
    """... with its numbers, and whether limits are kept: ``row 7: +2.4 sd (measured 3.1, predicted 2.8); 3 limits, all kept``."""
    limits = "" if m.limits is None else f"; {m.limits.words}"
    measured, predicted = (spoken(values[m.farthest], 4) for values in (m.measured, m.predicted))
    return f"{farthest_words(m)} (measured {measured}, predicted {predicted}){limits}"


def best_fit(
    problem: Problem, runs: Sequence[EvaluationRecord], answer: IterationRecord | None, space: ParameterSpace | None = None,
    archive: ArchiveRecord | None = None,
) -> BestFit | None:  # fmt: skip
    """Of the runs there are and of imported evaluations; None where none gave a value. ``answer``: the newest, for the
    curvature."""
    space = space or ParameterSpace(problem.parameters)
    lies = frozenset() if answer is None else FarOff.of(answer.slices).not_counted
    known = [r for r in runs if r.log_likelihood is not None and math.isfinite(r.log_likelihood + r.log_prior)]
    known = [r for r in known if r.index not in lies]
    known += _best_imported(archive, space)
    if not known:
        return None
    best = max(known, key=_density)  # of several alike the first
    found, lines = _compared(problem, best)
    assert best.log_likelihood is not None
    scatter = None if answer is None else UsualScatter.of(answer.slices)
    among = len(runs) if archive is None or best.index != IMPORTED else len(archive.values)
    return BestFit(
        best.index, among, free_parameters(problem), dict(best.values), _density(best), best.log_likelihood,
        best.noise_sd, is_noisy(problem.meaning) or scatter is not None, *_sds(space, best, answer),
        found, fit_of(problem, found, best.outputs, scatter), lines, evaluation_noun(problem.meaning),
        peak_found(runs, answer, _density(best), space), () if answer is None else at_odds(emulated(problem, answer.slices)),
    )  # fmt: skip


def best_fit_of(store: SessionStore) -> BestFit | None:
    """Of a session as it stands."""
    return best_fit(store.problem, store.evaluations(), store.last_iteration(), archive=store.archive())


def _best_imported(archive: ArchiveRecord | None, space: ParameterSpace) -> list[EvaluationRecord]:
    """The highest evaluation of ``archive`` as if it were a run; [] where there is none."""
    if archive is None or archive.names != tuple(space.names):
        return []
    with np.errstate(all="ignore"):
        prior = np.asarray(space.log_prior(archive.points))
        likelihood = archive.values if archive.meaning == "log_likelihood" else archive.values - prior
        density = np.where(np.isfinite(likelihood + prior), likelihood + prior, -np.inf)
    if not len(density) or not np.isfinite(density.max()):
        return []
    at = int(np.argmax(density))
    try:
        u = space.to_inference(archive.points[at])
        values = space.values(u)
    except ValueError:  # a file may hold what cannot be
        return []
    value, sd = float(likelihood[at]), float(archive.sds[at])
    return [EvaluationRecord(IMPORTED, IMPORTED, u, values, "ok", value, float(prior[at]), None, sd, purpose=PURPOSE)]


def _density(r: EvaluationRecord) -> float:
    return -math.inf if r.log_likelihood is None else r.log_likelihood + r.log_prior


def _compared(problem: Problem, best: EvaluationRecord) -> tuple[tuple[Misfit, ...], tuple[Predicted, ...]]:
    """How it lies about the data, and its curve over them; nothing where the program predicts none."""
    if not isinstance(problem.meaning, Predictions) or not best.outputs:
        return (), ()
    try:
        found = misfits(problem, best.outputs, best.values)
        lines = []
        for m in found:
            x, label = across(problem, m.match)
            rows, measured, predicted, sides = m.with_limits
            sds = known_sds(problem, m.match, len(x))[rows]
            line = Predicted(x[rows], measured, predicted[None], np.ones(1), label, m.column, rows, sds=sds, sides=sides)
            lines.append(named(problem, m.match, line))
    except (ComparisonError, KeyError):
        return (), ()
    return found, tuple(lines)


def _sds(
    space: ParameterSpace, best: EvaluationRecord, answer: IterationRecord | None
) -> tuple[dict[str, float], dict[str, float]]:
    """Of the normal that is as sharp as the answer about the run, brought to the user's units by the slope of the transforms;
    and their own sds, relative to them."""
    if answer is None or not len(answer.weights) or not math.isfinite(answer.log_evidence):
        return {}, {}
    u = np.asarray(best.u, dtype=float)
    try:
        with np.errstate(all="ignore"):
            found = LocalWidth.of(answer.slices, u) or width_of_posterior(StoredPosterior.of_iteration(space, answer), u)
            if found is None:
                return {}, {}
            slopes = (space.to_user(u + STEP * np.eye(len(u))) - space.to_user(u - STEP * np.eye(len(u)))).diagonal()
            widths = np.abs(slopes) / (2.0 * STEP) * found.sds
    except (ValueError, np.linalg.LinAlgError):
        return {}, {}
    known = [
        (name, float(width), float(error))
        for name, width, error in zip(space.names, widths, found.error, strict=True)
        if math.isfinite(width) and error <= UNKNOWN
    ]
    return {name: width for name, width, _ in known}, {name: error for name, _, error in known}


def export_best_fit(store: SessionStore, path: Path | str, *, replace: bool = False) -> None:
    """Rows of kind ``run`` (index, densities, chi^2), ``note`` (of random log densities), ``parameter``, ``data`` (each measured
    value) and ``surrogate`` (its maximum and the run made there). Raises SessionError."""
    found = best_fit_of(store)
    if found is None:
        raise SessionError(
            "There is no best fit: no simulator run gave a usable value so far, and none was imported", str(store.path),
            "Look at the reasons of the failed runs; a test run shows everything of one.",
        )  # fmt: skip
    atomic.write(path, csv_bytes(list(HEADER), csv_rows(found)), replace=replace)


def csv_rows(found: BestFit) -> list[list[object]]:
    """Columns as HEADER."""
    numbers: list[tuple[str, float | int | None]] = [
        ("index", None if found.imported else found.index), ("runs", found.n_runs), ("log_density", found.log_density),
        ("log_likelihood", found.log_likelihood), ("noise_sd", found.noise_sd),
    ]  # fmt: skip
    if found.fit is not None:
        numbers += [("chi2", found.fit.chi2), ("chi2_data", found.fit.count), ("chi2_parameters", found.fit.parameters)]
    rows: list[list[object]] = [["run", name, None, value, *[None] * 6] for name, value in numbers]
    if found.random:
        rows.append(["note", f"{LUCKY[:1].upper()}{LUCKY[1:]}.", *[None] * 8])
    units = {p.name: p.unit for p in found.parameters}
    for n, v in found.values.items():
        rows.append(["parameter", n, units.get(n, ""), v, found.sds.get(n), *[None] * 4, found.sd_errors.get(n)])
    for m in found.misfits:
        cells = zip(m.rows, m.measured, m.predicted, m.residuals, strict=True)
        rows += [["data", m.column, None, None, None, int(r) + 1, a, b, z, None] for r, a, b, z in cells]
        if (at := m.limits) is not None:
            told = [f"{'<' if side < 0 else '>'}{limit:.12g}" for side, limit in zip(at.sides, at.limit, strict=True)]
            limits = zip(at.rows, told, at.predicted, strict=True)
            rows += [["data", m.column, None, None, None, int(r) + 1, a, b, None, None] for r, a, b in limits]
    return [*rows, *_peak_rows(found, units)]


def _peak_rows(found: BestFit, units: Mapping[str, str]) -> list[list[object]]:
    """Of the surrogate's maximum: its values, the log density predicted and its sd; of the run made there what was predicted,
    and what it gave."""
    peak = found.peak
    if peak is None:
        return []
    told: list[tuple[str, float | None, float | None]] = [("log_density", peak.log_density, peak.sd)]
    if (check := peak.check) is not None:
        told += [("check_index", check.index, None), ("check_predicted", check.predicted, check.sd)]
        told += [("check_found", check.found, check.noise_sd)]
    rows: list[list[object]] = [[SURROGATE, f"parameter {n}", units.get(n, ""), v, *[None] * 6] for n, v in peak.values.items()]
    for name, value, sd in told:
        rows.append([SURROGATE, name, None, value, *[None] * 5, sd])
    return rows
