"""Variational Bayesian Monte Carlo (seed 001 A.5).

    evaluate a first design
    each iteration:
        n_active = 5 evaluations, each at the argmax of k exp(m) q (noisy targets: VIQR), the GP updated in between
        train the GP: squared exponential kernel, negative quadratic mean
        warm-up: refit K = 2 components; it ends when ELBO and best value have stopped rising
        afterwards: refit with one more component, kept if the ELBO improves; light components are pruned;
        at growing intervals whiten the coordinates, kept if the ELBO does not drop
    until the reliability index (ELBO change, ELBO sd, divergence of successive posteriors) stays below one
"""

from __future__ import annotations

import numpy as np

from bayescope.engine.acquisition.functions import Acquisition, prospective
from bayescope.engine.loop_interface import LoopSettings, Mixture
from bayescope.engine.methods.surrogate_check import CheckedMethod
from bayescope.engine.methods.surrogate_memory import Step
from bayescope.engine.methods.surrogate_models import vbmc_model
from bayescope.engine.problem.method_options import VbmcOptions, read_options
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.engine.sampling.mixture import GaussianMixture
from bayescope.engine.surrogate.interface import Surrogate
from bayescope.engine.surrogate.model import Model
from bayescope.engine.surrogate.values import Values
from bayescope.engine.variational.families import FAMILIES, Family
from bayescope.engine.variational.growth import grow, split
from bayescope.engine.variational.joint import fit_mixture

TOLERABLE_SD = 0.1  # nats: scale of ELBO change and sd in the reliability index (Acerbi 2018)
TOLERABLE_DIVERGENCE = 0.01  # times sqrt(D): scale of the divergence of successive posteriors (Acerbi 2018)
WARM_UP_RISE = 1.0  # nats by which ELBO and best value may rise over the last iterations for warm-up to end
WARM_UP_LOOKBACK = 3  # iterations
FIRST_WHITENING, WHITENING_GROWTH = 3, 1.5  # iterations after warm-up; factor between successive proposals
FIT_STEPS = 30


class VbmcMethod(CheckedMethod):
    """Settings' options: ``VbmcOptions``."""

    def __init__(self, settings: LoopSettings) -> None:
        super().__init__(settings)
        self.options = read_options(VbmcOptions, settings.options)
        self.noisy_acquisition = self.options.noisy_acquisition

    @property
    def name(self) -> str:
        return "VBMC"

    @property
    def diagonal(self) -> bool:
        return False  # the squared exponential kernel integrates against any covariance

    @property
    def _family(self) -> Family:
        return FAMILIES[self.options.covariances]

    def _design_size(self) -> int:
        return max(self.dimension, self.options.design_points)

    def _model(self, values: Values) -> Model:
        return vbmc_model(values)

    @property
    def satisfied(self) -> bool:
        stable = bool(self.memory.count("stable"))
        checked = bool(self.memory.count("certified")) or self.settings.noisy
        return self.options.stop and stable and checked

    def _warming_up(self) -> bool:
        return not self.memory.count("warm-up ended")

    # ------------------------------------------------------------------ an iteration

    def _improve(self) -> bool:
        m = self.memory
        m.counts["active"] = m.count("active") + 1
        if m.mixture is not None and m.count("active") < self.options.active_points and not self._last:
            self._build()  # inside an iteration: the same hyperparameters with one more value
            return False
        m.counts["active"], m.counts["iteration"] = 0, m.count("iteration") + 1
        self._fit_surrogate(fresh=m.count("iteration") % 5 == 1)
        self.check()
        if m.mixture is None:
            self._first_component()
        if self._warming_up():
            self._refit_warm_up()
            self._end_warm_up_if_settled()
        else:
            self._grow()
            self._whiten_if_due()
        return True

    def _refit_warm_up(self) -> None:
        m = self.memory
        assert m.mixture is not None
        while m.mixture.components < self.options.warm_up_components:
            m.mixture = split(m.mixture, self._rng("split"))
        m.mixture = fit_mixture(
            self.expected, m.mixture, self._rng("warm-up"), family=self._family, steps=FIT_STEPS, cancel=self.check
        )

    def _end_warm_up_if_settled(self) -> None:
        m, values = self.memory, self.values
        assert values is not None
        if len(m.steps) < WARM_UP_LOOKBACK:
            return
        back = m.steps[-WARM_UP_LOOKBACK]
        before = Values.of(m.log.told[: back.evaluations], self.dimension)
        elbo = self.elbo(draws=1024).value + m.frame.log_volume
        if before.count and values.top - before.top < WARM_UP_RISE and elbo - back.elbo < WARM_UP_RISE:
            m.counts["warm-up ended"] = m.count("iteration")
            m.counts["whiten at"] = m.count("iteration") + FIRST_WHITENING

    def _grow(self) -> None:
        m = self.memory
        assert m.mixture is not None
        m.mixture, _ = grow(
            self.expected, m.mixture, self._rng("grow"), family=self._family, max_components=self.options.max_components,
            steps=FIT_STEPS, cancel=self.check,
        )  # fmt: skip

    def _whiten_if_due(self) -> None:
        m = self.memory
        if not self.options.whitening or m.count("iteration") < m.count("whiten at"):
            return
        passed = m.count("iteration") - m.count("warm-up ended")
        m.counts["whiten at"] = m.count("warm-up ended") + int(np.ceil(WHITENING_GROWTH * passed))
        self._whiten(FIT_STEPS)

    def _acquisition(self, surrogate: Surrogate, q: GaussianMixture, index: int) -> Acquisition:
        return prospective(surrogate, q, self.options.density_power)

    # ------------------------------------------------------------------ reliability

    def _unsettled(self) -> tuple[str, ...]:
        return () if self._is_stable() else self._why_unstable()

    def _record(self, residual: float, weight: float, before: Mixture | None) -> None:
        super()._record(residual, weight, before)
        self.memory.counts["stable"] = int(self._is_stable())

    def _is_stable(self) -> bool:
        steps, n = self.memory.steps, self.options.stable_iterations
        if self._warming_up() or len(steps) < n + 1:
            return False
        indices = [reliability(steps[i - 1], steps[i], self.dimension) for i in range(len(steps) - n, len(steps))]
        return indices[-1] < 1.0 and sum(r >= 1.0 for r in indices) <= 1

    def _why_unstable(self) -> tuple[str, ...]:
        steps, n = self.memory.steps, self.options.stable_iterations
        if self._warming_up():
            return ("Still warming up: the ELBO or the best log density keeps rising.",)
        if len(steps) < 2:
            return ("Too few iterations so far to judge the answer.",)
        last = reliability(steps[-2], steps[-1], self.dimension)
        points = self.options.active_points
        return (f"The reliability index is {spoken(last, 2)}; it must stay below 1 for {n} iterations of {points}.",)


def reliability(before: Step, now: Step, dimension: int) -> float:
    """Mean of ELBO change, ELBO sd and divergence of successive posteriors, each in units of what is tolerable (Acerbi 2018)."""
    change = abs(now.elbo - before.elbo) / TOLERABLE_SD
    spread = now.elbo_sd / TOLERABLE_SD
    divergence = now.divergence / (TOLERABLE_DIVERGENCE * np.sqrt(dimension))
    return float((change + spread + divergence) / 3.0) if np.isfinite(divergence) else float("inf")
