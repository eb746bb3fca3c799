"""Boosted variational Bayesian Monte Carlo (seed 000 algorithm 3).

    evaluate the first design; scale the values by zeromax; fit the GP; first component = the best single Gaussian
    repeat:
        x' = argmax of PROP or MMLT, in turn; y' = log joint there; add it; refit the GP
        f-step: the new component maximizes the stabilized RELBO
        w-step: its weight maximizes the ELBO; the other weights are rescaled; light components are pruned
        every 20 evaluations, or after 3 steps without gain: joint update of all parameters
        now and then: whiten the coordinates, kept if the ELBO does not drop
"""

from __future__ import annotations

import numpy as np

from bayescope.engine.acquisition import functions as acquisition
from bayescope.engine.loop_interface import LoopSettings
from bayescope.engine.methods.surrogate_check import CheckedMethod
from bayescope.engine.methods.surrogate_loop import ELBO_TOLERANCE
from bayescope.engine.methods.surrogate_models import bvbmc_model
from bayescope.engine.problem.method_options import BvbmcOptions, read_options
from bayescope.engine.sampling.mixture import GaussianMixture
from bayescope.engine.surrogate.interface import Surrogate
from bayescope.engine.surrogate.model import Model
from bayescope.engine.surrogate.values import Values
from bayescope.engine.variational.boosting import BoostingOptions, boost
from bayescope.engine.variational.families import DIAGONAL, FULL, Family
from bayescope.engine.variational.joint import fit_mixture, quick_elbo
from bayescope.engine.variational.whitening import Frame

WHITEN_EVERY = 10  # evaluations
LEAST_GAIN = 0.005  # nats; a boosting step that brings less counts as stalled


class BvbmcMethod(CheckedMethod):
    """Settings' options: ``BvbmcOptions``."""

    def __init__(self, settings: LoopSettings) -> None:
        super().__init__(settings)
        self.options = read_options(BvbmcOptions, settings.options)
        self.tail_every, self.noisy_acquisition = self.options.tail_every, self.options.noisy_acquisition
        self._box = Frame.of_box(self.lower, self.upper)
        self._boosting = BoostingOptions(log_delta=self.options.log_delta, entropy_weight=self.options.entropy_weight)

    @property
    def name(self) -> str:
        return "BVBMC"

    @property
    def diagonal(self) -> bool:
        return self.options.diagonal

    @property
    def _family(self) -> Family:
        return DIAGONAL if self.options.diagonal else FULL

    def _design_size(self) -> int:
        return max(self.dimension + 2, round(self.options.design_per_dimension * self.dimension))

    def _model(self, values: Values) -> Model:
        return bvbmc_model(self.options, values, self._box, self.memory.frame)

    def _improve(self) -> bool:
        m = self.memory
        self._fit_surrogate()
        if m.mixture is None:
            self._first_component()
        if self.options.whitening and len(m.log.told) - m.count("whitened at") >= WHITEN_EVERY:
            m.counts["whitened at"] = len(m.log.told)
            self._whiten(self.options.joint_steps)
        self._boost()
        if self._joint_update_due():
            self._joint_update()
        return True

    def _boost(self) -> None:
        """Lines 19 to 23: f-step, w-step, rescaled weights, pruning."""
        m, o = self.memory, self.options
        assert m.mixture is not None
        assert self.values is not None
        rng = self._rng("boost")
        good, (low, high) = self._good_points()
        candidates = np.clip(np.concatenate([m.mixture.sample(200, rng), _wider(m.mixture).sample(200, rng), good]), low, high)
        expected = self.expected
        before = quick_elbo(expected, m.mixture, rng)
        self.check()
        boosted, _ = boost(
            expected, self.guarded_mean, m.mixture, candidates, rng, options=self._boosting, diagonal=self.diagonal
        )
        boosted = _at_most(boosted.pruned(o.prune_below), o.max_components)
        gain = quick_elbo(expected, boosted, rng) - before
        if gain > -ELBO_TOLERANCE:
            m.mixture = boosted
        m.counts["stalls"] = 0 if gain > LEAST_GAIN else m.count("stalls") + 1
        m.counts["since joint"] = m.count("since joint") + 1

    def _joint_update_due(self) -> bool:
        m, o = self.memory, self.options
        return self._last or m.count("since joint") >= o.joint_every or m.count("stalls") >= o.joint_after_stalls

    def _joint_update(self) -> None:
        """Lines 24 to 26."""
        m = self.memory
        assert m.mixture is not None
        m.mixture = fit_mixture(
            self.expected, m.mixture, self._rng("joint"), family=self._family, steps=self.options.joint_steps,
            prune_below=self.options.prune_below, cancel=self.check,
        )  # fmt: skip
        m.counts["since joint"], m.counts["stalls"] = 0, 0

    def _acquisition(self, surrogate: Surrogate, q: GaussianMixture, index: int) -> acquisition.Acquisition:
        name = self.options.acquisition
        if name == "alternate":
            name = ("prop", "mmlt")[index % 2]
        if name == "alternate3":
            name = ("prop", "mmlt", "tempered")[index % 3]
        return {
            "prop": lambda: acquisition.prospective(surrogate, q),
            "mmlt": lambda: acquisition.moment_matched(surrogate),
            "tempered": lambda: acquisition.tempered(surrogate, self.options.exploration),
            "us": lambda: acquisition.uncertainty_sampling(surrogate, q),
            "soft_prop": lambda: acquisition.soft_prospective(surrogate, q, 0.0 if self.values is None else self.values.top),
            "mmlt_p": lambda: acquisition.prospective_moment_matched(surrogate, q),
        }[name]()


def _wider(q: GaussianMixture) -> GaussianMixture:
    return GaussianMixture(q.weights, q.means, 4.0 * q.covariances)


def _at_most(q: GaussianMixture, count: int) -> GaussianMixture:
    """The ``count`` heaviest components."""
    if q.components <= count:
        return q
    keep = np.sort(np.argsort(-q.weights)[:count])
    weights = q.weights[keep]
    return GaussianMixture(weights / weights.sum(), q.means[keep], q.covariances[keep])
