"""The answer of slice sampling: its draws, a mixture fitted to them, the evidence, and whether the chains agree, in words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...baselines.evidence import evidence_of
from ...diagnostics.chains import GOOD_ESS, GOOD_RHAT, bulk_ess, rank_normalized_rhat
from ...diagnostics.metrics import mmtv_to_mixture
from ...loop_interface import LoopSettings, LoopSnapshot, Mixture, WeightedDraws
from ...numerics.randomness import generator
from .memory import Memory

Array = NDArray[np.float64]

COMPONENTS = 6


@dataclass(frozen=True)
class ChainsState:
    settings: LoopSettings
    memory: Memory


def snapshot(now: ChainsState) -> LoopSnapshot:
    s, m = now.settings, now.memory
    points, values = m.draws()
    rhat, ess = rank_normalized_rhat(points), bulk_ess(points)
    flat, flat_values = points.reshape(-1, s.dimension), values.reshape(-1)
    rng = generator(s.seed, "slice answer", m.told)
    found = evidence_of(flat, flat_values, float(ess.min()), rng, COMPONENTS)
    q = found.mixture
    agreement = mmtv_to_mixture(flat, None, q)
    settled = bool(rhat.max() < GOOD_RHAT and ess.min() > GOOD_ESS)
    return LoopSnapshot(
        n_evaluations=m.told,
        mixture=Mixture(q.weights, q.means, q.covariances),
        elbo=found.elbo,
        elbo_sd=found.elbo_sd,
        log_evidence=found.log_z,
        log_evidence_sd=float(np.hypot(found.log_z_sd, 0.0 if settled else 0.5)),
        converged=settled and not s.noisy,
        reasons=_reasons(now, rhat, ess),
        warm_up=not np.isfinite(rhat).all(),
        draws=WeightedDraws(flat.copy(), np.full(len(flat), 1.0 / len(flat))),
        preferred="draws",
        agreement=agreement,
        diagnostics={
            "rhat": float(min(rhat.max(), 1e6)),
            "chain_ess": float(ess.min()),
            "sweeps": float(min(c.sweeps for c in m.chains)),
            **{k: float(m.counts.get(k, 0)) for k in ("failed", "impossible")},
        },
        activity="Chains are wandering through the posterior",
    )


def empty_answer(settings: LoopSettings, memory: Memory) -> LoopSnapshot:
    """The budget ended before every chain had taken a few sweeps."""
    nan = float("nan")
    lower, upper = settings.plausible_lower, settings.plausible_upper
    why = (
        f"{memory.told} runs are too few for Markov chains, which need thousands. Allow more, or choose the "
        "recommended method."
        if memory.chains
        else f"None of {memory.told} runs gave a usable value. Check one run of the simulator at a point you know."
    )
    return LoopSnapshot(
        n_evaluations=memory.told,
        mixture=Mixture(np.ones(1), 0.5 * (lower + upper)[None], np.diag(np.square(0.25 * (upper - lower)))[None]),
        elbo=nan, elbo_sd=nan, log_evidence=nan, log_evidence_sd=nan, converged=False, reasons=(why,), warm_up=True,
        diagnostics={k: float(v) for k, v in memory.counts.items()}, activity="Looking around",
    )  # fmt: skip


def _reasons(now: ChainsState, rhat: Array, ess: Array) -> tuple[str, ...]:
    s, m = now.settings, now.memory
    names = s.names or tuple(f"parameter {i + 1}" for i in range(s.dimension))
    worst = int(np.argmax(rhat))
    size = f"{rhat[worst]:.3f}" if rhat[worst] < 100 else "very large"
    said = []
    if rhat[worst] < GOOD_RHAT and ess.min() > GOOD_ESS:
        said.append(
            f"Four chains agree: R-hat is {size} at most (below {GOOD_RHAT:g} is good) and they are worth {ess.min():.0f} "
            f"independent draws (above {GOOD_ESS:g} is good)."
        )
    elif rhat[worst] >= 1.1:
        said.append(
            f"The four chains are in different places (R-hat of {names[worst]} is {size}; below {GOOD_RHAT:g} is good): either "
            "there are several separate regions, or the chains need many more runs. Stacked chains on the Compare tab weigh them."
        )
    else:
        said.append(
            f"The chains need more runs: R-hat of {names[worst]} is {size} (below {GOOD_RHAT:g} is good), and they are worth "
            f"{ess.min():.0f} independent draws (above {GOOD_ESS:g} is good)."
        )
    if s.noisy:
        said.append(
            "The values are noisy, and slice sampling takes them for exact: the posterior is wrong by an unknown amount."
        )
    failed = m.counts.get("failed", 0)
    if failed:
        said.append(
            f"{failed} of {m.told} runs failed and were taken for impossible; if that is wrong, so is the answer there."
        )
    return tuple(said)
