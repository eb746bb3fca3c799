"""The answer in the form every loop gives it: draws, mixture, evidence with an honest sd, slices, reasons in words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.diagnostics.local_width import local_width
from bayescope.engine.diagnostics.metrics import mmtv_to_mixture
from bayescope.engine.diagnostics.possible import possible_marginals
from bayescope.engine.diagnostics.surrogate_checks import LeaveOneOut, calibration, rms_near, weighted_rms
from bayescope.engine.diagnostics.surrogate_peak import LOOKED_AT, surrogate_peak
from bayescope.engine.problem.method_options import DefaultOptions
from bayescope.engine.sampling.pareto import pareto_k

from ...answer import words as answer_words
from ...answer.fresh_runs import FreshRuns
from ...answer.surrogate_peak import peak_place
from ...answer.where_known import RUNS_COUNT_AS, checkable, told_in_part
from ...answer.words import RUN_SECONDS
from ...feasibility.share import Share
from ...feasibility.shown import arrays_of as success_arrays
from ...loop_interface import LoopSettings, LoopSnapshot, Mixture, Slices, WeightedDraws
from ...numerics.randomness import generator
from ...sampling.guarded_density import Hull
from ...surrogate.evaluations import counted
from ...surrogate.frames import BoxFrame
from ...surrogate.log_joint import LogJoint
from . import stopping, words
from .bordering import left_open, share_told
from .evidence import log_of_mean, stated
from .memory import Memory
from .stage import LoopState
from .words import Shares

if TYPE_CHECKING:
    from .outputs import OutputsLearner

Array = NDArray[np.float64]

_Ended = tuple[tuple[float, float] | None, bool]  # of an answer: by which check it was converged, and whether no run was left

SLICE_POINTS = 64
COUNTED_DRAWS = 1000  # of an answer, which the runs share among them
TIMED_DRAWS = 1000  # of an answer, over which the seconds of a run are averaged
DRAWN_ANEW = 0.1  # share of the runs that is new when the costly pictures of an answer are made again before its end


@dataclass(frozen=True)
class Pictures:
    """What is shown of an answer and costs as much as a run's share of the method: made again only when enough runs are new."""

    built_on: int  # runs
    ended: _Ended
    possible: dict[str, Array]
    width: dict[str, Array]
    peak: dict[str, Array]
    emulated: dict[str, Array]  # none where the score is learnt


@dataclass(frozen=True)
class Portrait:
    """What an answer shows that depends on surrogate, draws and mixture alone."""

    made_of: tuple[int, int]  # while checks are under way it stays the same
    draws: WeightedDraws
    moments: tuple[Array, Array]
    edge: float
    failing: Share
    walled: float
    border: float  # what the border of a zero density leaves open
    run_seconds: float | None
    count: float  # as how many draws from the answer the runs count
    agreement: float
    pareto_k: float
    loo_rms: float
    loo_calibration: float
    slices: Slices
    success: dict[str, Array]
    pictures: Pictures

    def shares(self, log_evidence: float) -> Shares:
        """``log_evidence``: with the density where runs fail as it is nearby."""
        return replace(shares_of(self.edge, self.failing, self.walled, log_evidence), border=self.border)


def portrait(now: LoopState, outputs: OutputsLearner | None = None, last: Portrait | None = None) -> Portrait:
    """``outputs``: their learner, where they are learnt; ``last``: of an earlier answer of the same run."""
    m = now.memory
    made_of = m.built_on, m.mixture_at
    ended = _ended(m)
    kept = None if last is None or _outdated(last.pictures, m.built_on, ended) else last.pictures
    if kept is not None and bool(kept.emulated) != (outputs is not None):  # what is learnt has changed
        kept = None
    if last is not None and last.made_of == made_of:
        return last if kept is not None else replace(last, pictures=_pictures(now, outputs, last.loo_calibration))
    weights, points = now.draws.weights, now.draws.points
    assert m.mixture is not None
    moments = now.draws.moments()
    left_out = LeaveOneOut(*now.surrogate.leave_one_out())
    calibrated = calibration(left_out, now.surrogate.y)
    pictures = kept or _pictures(now, outputs, calibrated)
    through = now.box.into(peak_place(pictures.peak, now.box.back(_best_run(now))))
    some = points[now.draws.resample(LOOKED_AT, generator(now.settings.seed, "scatter", m.built_on))]
    return Portrait(
        made_of=made_of,
        draws=WeightedDraws(now.box.back(points), weights),
        moments=moments,
        edge=edge_mass(now.hull, points, weights),
        failing=share_told(now),
        walled=now.possible.walled_mass(points, weights),
        border=left_open(now),
        run_seconds=run_seconds(now),
        count=runs_count_as(now),
        agreement=mmtv_to_mixture(points, weights, m.mixture),
        pareto_k=pareto_k(now.draws.log_weights),
        loo_rms=weighted_rms(left_out, now.surrogate.y),
        loo_calibration=calibrated,
        slices=slices(now.surrogate, now.box, now.top, *moments, through),
        success=success_arrays(now.possible, now.box) | ({} if outputs is None else outputs.noise_shown(now.surrogate, some)),
        pictures=pictures,
    )


def _ended(m: Memory) -> _Ended:
    return m.certified if m.converged else None, m.log.full


def _outdated(pictures: Pictures, built_on: int, ended: _Ended) -> bool:
    """At every end, and between ends (runs may go on after a check) when enough is new."""
    new = built_on - pictures.built_on
    at_end = ended != (None, False) and ended != pictures.ended
    return new > 0 and (at_end or new >= DRAWN_ANEW * built_on)


def _best_run(now: LoopState) -> Array:
    return np.asarray(now.surrogate.b[int(np.argmax(now.surrogate.y))])


def _pictures(now: LoopState, outputs: OutputsLearner | None, calibrated: float) -> Pictures:
    m, weights, points = now.memory, now.draws.weights, now.draws.points
    assert m.mixture is not None
    other, climbed, of_outputs = (generator(now.settings.seed, what, m.built_on) for what in ("possible", "peak", "predictions"))
    some = points[now.draws.resample(LOOKED_AT, climbed)]
    beside = 0.0 if outputs is None else rms_near(outputs.left_out(now.surrogate), now.surrogate.y)
    region, jacobian = (now.hull, now.possible), now.settings.log_jacobian
    return Pictures(
        built_on=m.built_on,
        ended=_ended(m),
        possible=possible_marginals(now.surrogate, now.box, points, weights, other).arrays(),
        width=local_width(now.surrogate, now.box, m.mixture, _best_run(now), calibrated),
        peak=surrogate_peak(now.surrogate, now.box, now.top, region, some, jacobian, calibrated, beside),
        emulated={} if outputs is None else outputs.shown(now.surrogate, now.draws, of_outputs) | _modes_left_open(now),
    )


def _modes_left_open(now: LoopState) -> dict[str, Array]:
    """Of the modes that a claim is made of those which learnt outputs leave open."""
    from .left_open import arrays_of  # needs torch

    return arrays_of(now)


def snapshot(now: LoopState, seen: Portrait) -> LoopSnapshot:
    m, d = now.memory, now.memory.dimension
    mixture = m.mixture
    assert mixture is not None
    of_the_mean = now.draws.log_z + now.top + now.box.log_volume
    log_z = of_the_mean + log_of_mean(now)
    gp_sd = m.history[-1].log_z_sd if m.history else float("inf")
    sd = stated(now, m.checked if m.converged else None, log_z)
    if not m.converged:
        unchecked = np.hypot(stopping.evidence_range(m.history, d), stopping.residual_rms(m.history, d))
        sd = float(np.hypot(sd, np.hypot(unchecked, m.refused_by)))
    sd = float(np.linalg.norm([sd, seen.failing.spread, m.outputs.hidden_mass, m.missed]))
    well_sampled = now.draws.ess * len(now.draws.points) > 500 and now.draws.temperature == 1.0
    counts, shares = counted(m.log.told), seen.shares(log_z)
    figures = words.figures(now.settings, now.options, m, *seen.moments, shares)
    return LoopSnapshot(
        n_evaluations=len(m.log.told),
        mixture=Mixture(
            mixture.weights, now.box.back(mixture.means), mixture.covariances * np.outer(now.box.scale, now.box.scale)
        ),
        elbo=m.elbo[0],
        elbo_sd=m.elbo[1],
        log_evidence=log_z,
        log_evidence_sd=sd,
        converged=figures.converged,
        reasons=answer_words.reasons(figures),
        warm_up=now.draws.temperature < 1.0 or len(m.log.told) < 2 * d + 8,
        draws=seen.draws,
        preferred="draws" if well_sampled else "mixture",
        agreement=seen.agreement,
        diagnostics={
            "ess": now.draws.ess,
            "temperature": now.draws.temperature,
            "gp_sd": gp_sd,
            "residual_rms": stopping.residual_rms(m.history, d),
            "kl_mixture_surrogate": of_the_mean - m.elbo[0],
            "edge_mass": seen.edge, RUNS_COUNT_AS: seen.count,
            **failing_diagnostics(seen.failing, log_z), **words.runs_to_end(figures, m),
            **told_in_part(figures.in_part),
            "walled_mass": seen.walled,
            **({} if seen.run_seconds is None else {RUN_SECONDS: seen.run_seconds}),
            "pareto_k": seen.pareto_k,
            "loo_rms": seen.loo_rms,
            "loo_calibration": seen.loo_calibration,
            "failed": float(counts.failed),
            "impossible": float(counts.impossible - counts.far_below),
            "certifications_refused": float(m.refusals),
            **({} if m.certified is None else {"certified_correction": m.certified[0], "certified_error": m.certified[1]}),
        },
        slices=seen.slices,
        emulated=seen.pictures.emulated,
        success=seen.success,
        fresh=FreshRuns.of_rows(m.fresh).arrays(),
        far_off=m.doubts.shown.arrays(),
        doubted=tuple(sorted(m.doubts.shown.not_counted)),
        possible=seen.pictures.possible,
        width=seen.pictures.width,
        peak=seen.pictures.peak,
        activity=words.activity(m, figures.in_part),
    )


def shares_of(edge: float, failing: Share, walled: float, log_evidence: float) -> Shares:
    """``log_evidence``: with the density where runs fail as it is nearby."""
    told = failing.high > 0.0
    interval, evidence = ((failing.low, failing.high), log_evidence) if told else (None, None)
    return Shares(edge, failing.mean, walled, interval, evidence, failing.reasons)


def failing_diagnostics(failing: Share, log_evidence: float) -> dict[str, float]:
    """What is kept with an answer of the share where runs fail, and the log evidence if values there are impossible."""
    found = {"failing_mass": failing.mean}
    if failing.high > 0.0:
        without = answer_words.evidence_if_impossible(log_evidence, failing.mean)
        found |= {"failing_low": failing.low, "failing_high": failing.high, "evidence_if_impossible": without}
    return found


def empty_snapshot(settings: LoopSettings, options: DefaultOptions, memory: Memory, box: BoxFrame) -> LoopSnapshot:
    """The answer when nothing usable came back: the plausible box as a Gaussian, no evidence, and why."""
    d = memory.dimension
    covariance = np.diag(np.square(box.scale))
    return LoopSnapshot(
        n_evaluations=len(memory.log.told),
        mixture=Mixture(np.ones(1), box.middle[None].copy(), covariance[None]),
        elbo=float("nan"),
        elbo_sd=float("nan"),
        log_evidence=float("nan"),
        log_evidence_sd=float("nan"),
        converged=False,
        reasons=answer_words.reasons(words.figures(settings, options, memory, np.zeros(d), np.eye(d), Shares())),
        warm_up=True,
        activity=words.activity(memory),
    )


def edge_mass(hull: Hull, points: Array, weights: Array) -> float:
    """Posterior mass in the outer twentieth of the trusted region: mass there may go on beyond it."""
    margin = 0.05 * (hull.upper - hull.lower)
    inner = np.all((points > hull.lower + margin) & (points < hull.upper - margin), axis=1)
    return float(weights[~inner].sum())


def runs_count_as(now: LoopState) -> float:
    """As how many draws from the posterior where runs succeed the runs count."""
    chosen = now.draws.points[now.draws.resample(COUNTED_DRAWS, generator(now.settings.seed, "counted", now.memory.built_on))]
    works = ~now.possible.runs_fail(chosen)
    chosen = chosen[works] if works.any() else chosen
    return now.possible.nearest_runs(chosen, np.full(len(chosen), 1.0 / len(chosen))).draws


def run_seconds(now: LoopState) -> float | None:
    """What a run at a draw of the answer takes on average; None where all take about as long."""
    times = now.possible.times
    if times is None:
        return None
    chosen = now.draws.resample(TIMED_DRAWS, generator(now.settings.seed, "seconds", now.memory.built_on))
    return float(times.seconds(now.draws.points[chosen]).mean())


def goes_too_far(hull: Hull, share: Share, points: Array, weights: Array) -> bool:
    """Whether so much of the posterior lies at the edge of the trusted region, or, by ``share``, where runs fail, that the rest
    is not to be confirmed either: of every loop."""
    return not checkable(share.mean, share.high, edge_mass(hull, points, weights))


def slices(
    surrogate: LogJoint, box: BoxFrame, top: float, mean: Array, covariance: Array, centre: Array
) -> Slices:
    """The surrogate along each axis through ``centre`` (D,), over the posterior mean +- 4 sd and the centre."""
    d = len(mean)
    sd = np.sqrt(np.diag(covariance))
    low, high = np.minimum(mean - 4 * sd, centre - sd), np.maximum(mean + 4 * sd, centre + sd)
    axes = np.linspace(low, high, SLICE_POINTS, axis=1)  # (D, G)
    points = np.repeat(centre[None], d * SLICE_POINTS, axis=0)
    for i in range(d):
        points[i * SLICE_POINTS : (i + 1) * SLICE_POINTS, i] = axes[i]
    value, variance = surrogate.predict(points)
    u = box.middle[:, None] + axes * box.scale[:, None]
    shape = (d, SLICE_POINTS)
    return Slices(box.back(centre), u, (value + top).reshape(shape), np.sqrt(variance).reshape(shape))
