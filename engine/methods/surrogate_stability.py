"""When the answer of a published loop may be called stable, and how far two successive posteriors are apart."""

from __future__ import annotations

import numpy as np

from bayescope.engine.answer.digits import rough_beside
from bayescope.engine.methods.surrogate_memory import Step
from bayescope.engine.sampling.mixture import GaussianMixture

STABLE_WINDOW = 8  # evaluations
RESIDUAL_LIMIT, ELBO_LIMIT, ELBO_SD_LIMIT = 0.3, 0.1, 0.1  # nats (RECIPE 7)


def unstable(steps: list[Step]) -> tuple[str, ...]:
    """What speaks against stability over the last ``STABLE_WINDOW`` evaluations, in words; empty: nothing."""
    recent = steps[-STABLE_WINDOW:]
    known = [s for s in recent if np.isfinite(s.residual)]
    if len(recent) < STABLE_WINDOW or len(known) < STABLE_WINDOW - 2:
        return ("Too few runs so far to judge the answer.",)
    found: list[str] = []
    worst = max(s.weighted_residual for s in known)
    if worst > RESIDUAL_LIMIT:
        found.append(
            f"The newest runs did not come out as predicted: their log density was off by up to "
            f"{rough_beside(worst, RESIDUAL_LIMIT)}, "
            f"where less than {RESIDUAL_LIMIT:g} is asked."
        )
    moved = max(s.elbo for s in recent) - min(s.elbo for s in recent)
    if moved > ELBO_LIMIT:
        found.append(
            f"The ELBO still moves: by {rough_beside(moved, ELBO_LIMIT)} over the last {STABLE_WINDOW} runs, "
            f"where less than {ELBO_LIMIT:g} is asked."
        )
    if recent[-1].elbo_sd > ELBO_SD_LIMIT:
        found.append(
            f"The uncertainty of the ELBO is still {rough_beside(recent[-1].elbo_sd, ELBO_SD_LIMIT)}, "
            f"where less than {ELBO_SD_LIMIT:g} is asked."
        )
    return tuple(found)


def symmetrized_divergence(p: GaussianMixture, q: GaussianMixture, rng: np.random.Generator, draws: int = 500) -> float:
    """(KL(p, q) + KL(q, p)) / 2 by draws."""
    x, y = p.sample(draws, rng), q.sample(draws, rng)
    forward = float((p.log_density(x) - q.log_density(x)).mean())
    backward = float((q.log_density(y) - p.log_density(y)).mean())
    return 0.5 * (forward + backward)
