"""Methods that start from the answer there is: WSABI around it, and Gaussian particle flow from it."""

from __future__ import annotations

import numpy as np

from ..baselines.particle_flow import particle_flow
from ..baselines.wsabi import Rule, wsabi
from ..loop_interface import Mixture
from ..methods.laplace import GAUSSIAN_ENOUGH
from ..problem.numbers.shown_digits import spoken
from ..sampling.importance import WeightedPoints
from ..sampling.mixture import GaussianMixture
from .known_density import KnownDensity
from .one_answer import METHODS, BaselineAnswer

DRAWS = 4000
SURE = 0.25  # sd of the log evidence up to which WSABI is relied on
CALIBRATED = 3.0  # root mean square of its leave-one-out errors in their own sds
WARNING = (
    "Its free energy, of a few particles, is no bound on the evidence and is not shown; the evidence here is that of fresh "
    "draws of the Gaussian, weighted."
)
OWN = "It is made from the runs themselves and shares no surrogate with the answer; only where it looks is the answer's."


def by_wsabi(known: KnownDensity, answer: GaussianMixture, method: str, rng: np.random.Generator) -> BaselineAnswer:
    """``method``: wsabi or wsabi_m. Raises ValueError."""
    rule: Rule = "moments" if method == "wsabi_m" else "linear"
    mean, covariance = answer.mean(), answer.covariance()
    found = wsabi(known.points, known.values, known.sds, mean, covariance, rule, rng, DRAWS)
    sd = float(np.hypot(found.sd, found.added))
    trusted = sd < SURE and found.left_out < CALIBRATED
    said = (
        f"From the {found.used} runs near the answer; each is predicted from the others to {found.left_out:.1f} of its own "
        f"standard errors (below {CALIBRATED:g} is good)."
    )
    doubt = () if sd < SURE else (f"It leaves the log evidence open by {spoken(min(sd, 99.0), 2)} (sd): too few runs for it.",)
    if found.added:
        doubt = (f"It counts what may lie between runs as density: {spoken(found.added, 2)} of its log evidence.", *doubt)
    centre = found.weights @ found.draws
    spread = (found.draws - centre).T @ ((found.draws - centre) * found.weights[:, None])
    return BaselineAnswer(
        method, METHODS[method], found.used, found.log_evidence, sd,
        Mixture(np.ones(1), centre[None], spread[None]), found.draws, found.weights, trusted, (said, *doubt, OWN),
    )  # fmt: skip


def by_flow(known: KnownDensity, answer: GaussianMixture, rng: np.random.Generator) -> BaselineAnswer:
    found = particle_flow(known.log_density, answer.mean(), answer.covariance(), rng)
    q = GaussianMixture.single(found.mean, found.covariance)
    drawn = q.sample(DRAWS, rng)
    weighed = WeightedPoints(drawn, known.log_density(drawn) - q.log_density(drawn))
    finite = weighed.log_weights[np.isfinite(weighed.log_weights)]
    near = finite[finite > finite.max() - 50.0] if len(finite) else finite
    spread = float(near.std()) if len(near) > 1 else float("inf")
    lost = 1.0 - len(near) / DRAWS
    good = found.settled and spread < GAUSSIAN_ENOUGH and lost < 0.01
    said = ["The Gaussian nearest to the surrogate's posterior in free energy, found by moving particles."]
    if not found.settled:
        said.append("The particles did not come to rest.")
    said.append(
        f"The surrogate {'agrees with' if good else 'is not'} a Gaussian: over its draws they differ by "
        f"{spoken(min(spread, 99.0), 2)} "
        f"(sd; below {GAUSSIAN_ENOUGH:g} is good)"
        + (f", and {100 * lost:.0f} % of them have no density." if lost >= 0.01 else ".")
    )
    return BaselineAnswer(
        "flow", METHODS["flow"], known.evaluations, weighed.log_z, weighed.log_z_sd,
        Mixture(q.weights, q.means, q.covariances), None, None, good, (*said, WARNING),
    )  # fmt: skip
