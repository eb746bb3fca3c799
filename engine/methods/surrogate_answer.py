"""The answer of the published loops in the form every loop gives it, with what speaks for and against it in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from bayescope.engine.answer.fresh_runs import FreshRuns
from bayescope.engine.answer.surrogate_peak import peak_place
from bayescope.engine.answer.where_known import FAILING_LIMIT
from bayescope.engine.diagnostics.guarded_peak import guarded_peak
from bayescope.engine.diagnostics.metrics import mmtv_to_mixture
from bayescope.engine.diagnostics.possible import possible_marginals
from bayescope.engine.diagnostics.surrogate_checks import LeaveOneOut, calibration, weighted_rms
from bayescope.engine.diagnostics.surrogate_peak import LOOKED_AT
from bayescope.engine.feasibility.share import Share
from bayescope.engine.feasibility.shown import arrays_of as success_arrays
from bayescope.engine.loop_interface import LoopSnapshot, Mixture, Slices, WeightedDraws
from bayescope.engine.methods.default.answer import edge_mass, failing_diagnostics
from bayescope.engine.methods.surrogate_map import MapOfRuns
from bayescope.engine.methods.surrogate_memory import Memory, Step
from bayescope.engine.numerics.randomness import generator
from bayescope.engine.sampling.guarded_density import Hull
from bayescope.engine.sampling.importance import WeightedPoints, systematic
from bayescope.engine.sampling.mixture import GaussianMixture
from bayescope.engine.sampling.pareto import pareto_k
from bayescope.engine.surrogate.exact import ExactSurrogate
from bayescope.engine.surrogate.frames import BoxFrame
from bayescope.engine.surrogate.interface import Surrogate
from bayescope.engine.surrogate.values import Values
from bayescope.engine.variational.elbo import ElboEstimate
from bayescope.engine.variational.guarded_mean import GuardedMean
from bayescope.engine.variational.mixture_draws import surrogate_draws
from bayescope.engine.variational.whitening import Frame

Array = NDArray[np.float64]

SLICE_POINTS = 64
GOOD_ESS = 0.15  # fraction above which draws are preferred to the mixture (with .12 one of five Student-t 10-D had gsKL 1.0)


@dataclass(frozen=True)
class Answer:
    """What a loop knows at this moment. ``surrogate`` None: nothing usable came back yet."""

    name: str
    seed_draws: np.random.Generator
    lower: Array
    upper: Array
    map: MapOfRuns
    memory: Memory
    values: Values | None
    surrogate: Surrogate | None
    elbo: ElboEstimate | None
    guarded: GuardedMean | None  # of the surrogate, working coordinates; None: there is none
    log_jacobian: Callable[[Array], Array] | None = None  # as in ``LoopSettings``
    stable: tuple[str, ...] = ()  # what still speaks against stability; empty: stable
    warm_up: bool = False
    activity: str = "Refining the posterior"
    draws: int = 3000
    design: int = 0  # runs that look around before the first answer
    drawn: WeightedPoints | None = None  # the weighted draws, where the loop made them itself
    evidence_error: float | None = None  # sd of the log evidence beside sampling and quadrature; None: from the loop's steps


def snapshot(now: Answer) -> LoopSnapshot:
    m = now.memory
    if now.surrogate is None or now.guarded is None or m.mixture is None or now.elbo is None or now.values is None:
        return _empty(now)
    q, frame = m.mixture, m.frame
    draws = now.drawn
    if draws is None:
        draws = surrogate_draws(now.guarded, q, now.seed_draws, draws=now.draws)
    mixture = frame.mixture_back(q)
    points = frame.back(draws.points)
    log_z = draws.log_z + frame.log_volume
    good = draws.ess > GOOD_ESS
    agreement = mmtv_to_mixture(points, draws.weights, mixture)
    elbo = now.elbo.value + frame.log_volume
    sd = evidence_sd(now.elbo, draws, m.steps)
    tested = now.evidence_error or 0.0
    seen = _seen(now, now.surrogate, now.guarded, now.values, draws)
    if now.evidence_error is not None:
        sd = float(np.sqrt(now.elbo.expected_log_joint_sd**2 + draws.log_z_sd**2 + now.evidence_error**2))
    spread = seen.failing.spread
    return LoopSnapshot(
        n_evaluations=len(m.log.told),
        mixture=mixture,
        elbo=elbo,
        elbo_sd=now.elbo.sd,
        log_evidence=log_z if good else elbo,
        log_evidence_sd=float(
            np.hypot(sd, spread) if good else np.linalg.norm([now.elbo.sd, min(abs(log_z - elbo), 100.0), tested, spread])
        ),
        converged=not now.stable and seen.failing.mean <= FAILING_LIMIT,
        reasons=_reasons(now, agreement),
        warm_up=now.warm_up,
        draws=WeightedDraws(points, draws.weights),
        preferred="draws" if good else "mixture",
        agreement=agreement,
        diagnostics={
            "ess": draws.ess,
            "components": float(q.components),
            "kl_mixture_surrogate": log_z - elbo,
            "gp_sd": now.elbo.expected_log_joint_sd,
            "failed": float(len(now.values.failed)),
            "impossible": float(len(now.values.impossible)),
            "pareto_k": pareto_k(draws.log_weights),
            **seen.diagnostics,
            **({} if m.checked is None else {"certified_correction": m.checked[0], "certified_error": m.checked[1]}),
        },
        fresh=FreshRuns.of_rows(m.fresh).arrays(),
        slices=_slices(now.surrogate, frame, GaussianMixture.of(mixture), peak_place(seen.peak, _best(now.values))),
        success=seen.success,
        possible=seen.possible,
        peak=seen.peak,
        activity=now.activity,
    )


@dataclass(frozen=True)
class _Seen:
    """What an answer shows that depends on surrogate, runs and draws alone."""

    diagnostics: dict[str, float]
    failing: Share
    success: dict[str, Array]
    possible: dict[str, Array]
    peak: dict[str, Array]


def _seen(now: Answer, surrogate: Surrogate, guarded: GuardedMean, values: Values, draws: WeightedPoints) -> _Seen:
    """``draws`` in working coordinates."""
    frame, box, left_out = now.memory.frame, BoxFrame.of(now.lower, now.upper), _left_out(surrogate)
    points, told = frame.back(draws.points), len(now.memory.log.told)
    runs = now.map.of(values)
    failing = runs.failing_share(box.into(points), draws.weights)
    some = points[systematic(draws.weights, LOOKED_AT, generator(0, "peak", told))]
    calibrated = max(left_out.get("loo_calibration", 1.0), guarded.inflation)
    drawn = possible_marginals(_Joint(surrogate), frame, draws.points, draws.weights, generator(0, "possible", told))
    edge = edge_mass(Hull(*guarded.box), draws.points, draws.weights)
    return _Seen(
        {**left_out, "edge_mass": edge, **failing_diagnostics(failing, draws.log_z + frame.log_volume)},
        failing,
        success_arrays(runs, box),
        drawn.arrays(),
        guarded_peak(guarded, frame, (values.u, values.level), some, now.log_jacobian, calibrated),
    )


@dataclass(frozen=True)
class _Joint:
    """For ``possible_marginals``: x (n, D) in working coordinates."""

    surrogate: Surrogate

    def joint_covariance(self, x: Array) -> Array:
        with torch.no_grad():
            points = torch.as_tensor(x)
            return np.asarray(self.surrogate.covariance(points, points).numpy())


def _left_out(surrogate: Surrogate) -> dict[str, float]:
    """Of a surrogate through all its points; one with inducing points cannot leave one out."""
    if not isinstance(surrogate, ExactSurrogate):
        return {}
    with torch.no_grad():
        mean, variance = surrogate.leave_one_out()
        y = surrogate.train_targets.numpy()
    check = LeaveOneOut(y - mean.numpy(), variance.numpy())
    return {"loo_rms": weighted_rms(check, y), "loo_calibration": calibration(check, y)}


def evidence_sd(elbo: ElboEstimate, draws: WeightedPoints, steps: Sequence[Step]) -> float:
    """sqrt(quadrature^2 + sampling^2 + (fresh residuals)^2 / 6 + range of the last ELBOs^2 / 4 + .01^2) (RECIPE 8).

    The surrogate's own sd covers 72 % where 95 % is meant; residuals at points it had not seen are the honest part.
    """
    recent = [s for s in steps[-8:] if np.isfinite(s.residual)]
    residual = float(np.mean([s.weighted_residual**2 for s in recent])) if recent else 1.0
    elbos = [s.elbo for s in steps[-8:]]
    moved = max(elbos) - min(elbos) if elbos else 1.0
    return float(np.sqrt(elbo.expected_log_joint_sd**2 + draws.log_z_sd**2 + residual / 6.0 + moved**2 / 4.0 + 1e-4))


def _empty(now: Answer) -> LoopSnapshot:
    width = now.upper - now.lower
    told = now.memory.log.told
    n, failed = len(told), sum(t.y is None and not t.impossible for t in told)
    why = f"{n} runs so far gave no usable value" + (f" ({failed} of them failed)." if failed else ".")
    why += " Check one run of the simulator at a point you know, or move the plausible ranges."
    if usable := sum(t.y is not None and math.isfinite(t.y) for t in told):
        why = f"There is no answer yet: {usable} of {n} runs gave a value, and {now.name} "
        why += f"begins after {now.design} that look around" if n < now.design else "needs more"
        why += ". Allow more runs."
    return LoopSnapshot(
        n_evaluations=n,
        mixture=Mixture(np.ones(1), 0.5 * (now.lower + now.upper)[None, :], np.diag((0.25 * width) ** 2)[None, :, :]),
        elbo=float("nan"),
        elbo_sd=float("nan"),
        log_evidence=float("nan"),
        log_evidence_sd=float("nan"),
        converged=False,
        reasons=(why,),
        warm_up=True,
        activity="Evaluating the first points",
    )


def _reasons(now: Answer, agreement: float) -> tuple[str, ...]:
    assert now.values is not None
    told = len(now.memory.log.told)
    found = list(now.stable) or [f"{now.name}: the answer has been stable over the last runs."]
    if agreement > 0.1:
        found.append(
            f"The mixture and the weighted draws of the surrogate differ (mean marginal total variation {agreement:.2f}); "
            "more runs or more components would bring them together."
        )
    if len(now.values.failed):
        found.append(f"{len(now.values.failed)} of {told} runs failed; nothing is known of the density there.")
    if len(now.values.impossible):
        found.append(f"{len(now.values.impossible)} of {told} runs were impossible (density zero).")
    return tuple(found)


def _best(values: Values) -> Array:
    return np.asarray(values.u[int(np.argmax(values.level))])


def _slices(surrogate: Surrogate, frame: Frame, q: GaussianMixture, center: Array) -> Slices:
    """The surrogate along each axis of inference space through ``center`` (D,)."""
    mean, sd = q.mean(), np.sqrt(np.diagonal(q.covariance()))
    d = len(center)
    axes = np.linspace(np.minimum(mean - 4 * sd, center - sd), np.maximum(mean + 4 * sd, center + sd), SLICE_POINTS, axis=1)
    points = np.repeat(center[None, :], d * SLICE_POINTS, axis=0)
    for i in range(d):
        points[i * SLICE_POINTS : (i + 1) * SLICE_POINTS, i] = axes[i]
    with torch.no_grad():
        value, variance = surrogate.predict(torch.as_tensor(frame.into(points)))
    return Slices(center.copy(), axes, value.numpy().reshape(d, -1), np.sqrt(variance.numpy()).reshape(d, -1))
