"""The archive's surrogate and the working coordinates of SVBMC: what is fitted to which data."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray

from bayescope.engine.loop_interface import LoopSettings
from bayescope.engine.machine.devices import compute_device, computing_on
from bayescope.engine.methods.surrogate_models import bvbmc_model, vbmc_model
from bayescope.engine.methods.svbmc import data as svbmc_data
from bayescope.engine.methods.svbmc.buildup import start_of
from bayescope.engine.methods.svbmc.surrogate import (
    Data,
    blocks,
    built,
    first_fit,
    rough_fit,
    stays_unshaped,
    tuned,
)
from bayescope.engine.methods.svbmc.trust import TrustedMethod
from bayescope.engine.problem.method_options import BvbmcOptions, SvbmcOptions, read_options
from bayescope.engine.sampling.mixture import GaussianMixture
from bayescope.engine.surrogate.choice import Choice, choose
from bayescope.engine.surrogate.evaluations import outcome_of
from bayescope.engine.surrogate.model import Model
from bayescope.engine.surrogate.shaping import PUBLISHED, compressed
from bayescope.engine.surrogate.sparse import Variant
from bayescope.engine.surrogate.values import Values
from bayescope.engine.variational.families import FULL, Family
from bayescope.engine.variational.joint import fit_mixture
from bayescope.engine.variational.whitening import Frame

Array = NDArray[np.float64]

TUNE_AT, TUNE_EVERY = (1, 4), 10  # iterations with an update of the hyperparameters


class FittedMethod(TrustedMethod):
    """An archive, cleaned, and the surrogate that is fitted to it and to the evaluations of this run."""

    def __init__(self, settings: LoopSettings) -> None:
        super().__init__(settings)
        self.options = read_options(SvbmcOptions, settings.options)
        self.noisy_acquisition, self._variant = self.options.noisy_acquisition, cast("Variant", self.options.approximation)
        self._whole = svbmc_data.prepare(settings.archive, self.dimension, self.options.trim)
        self.archive = self._whole  # without near-repeats once working coordinates are known
        self.why_surrogate = ""  # exact or sparse, with N, M and the reason

    @property
    def _family(self) -> Family:
        return FULL

    def _values(self, told: int | None = None) -> Values:
        """Of the archive and the first ``told`` (None: all) evaluations of this run."""
        return svbmc_data.together(self.archive, self.memory.log.told[:told], self.dimension)

    def _data(self, values: Values) -> Data:
        """In working coordinates."""
        x = torch.as_tensor(self.memory.frame.into(values.u))
        o = self.options
        noise = torch.as_tensor(values.noise)
        level = values.shaped if values.levels is None else np.asarray(sum(compressed(values.level, self.dimension)))
        measured = None if values.levels is None else noise
        if o.noise_shaping and not self.memory.count("unshaped"):
            shaping = replace(PUBLISHED, threshold=o.shaping_threshold, slope=o.shaping_slope)
            noise = noise + torch.as_tensor(shaping.variance(level.max() - level, self.dimension))
        return Data(x, torch.as_tensor(values.shaped), noise, torch.as_tensor(level), measured)

    def _model(self, values: Values) -> Model:
        if self.options.kernel == "se":
            return vbmc_model(values)
        box = Frame.of_box(self.lower, self.upper)
        return bvbmc_model(BvbmcOptions(kernel=self.options.kernel), values, box, self.memory.frame)

    def _choice(self, values: Values, told: int) -> Choice:
        forced, most = self.options.surrogate, self.options.inducing
        return choose(values.count, told, None if forced == "auto" else forced, most or None)  # type: ignore[arg-type]

    def _build(self) -> None:
        """The surrogate of the last iteration, then one update per evaluation since: the same after a restart."""
        m = self.memory
        assert m.theta is not None
        at = m.count("built at")
        values = self._values(at)
        model = self._model(values).with_hyperparameters(torch.as_tensor(m.theta))
        choice, device = self._choice(values, at), compute_device(self.settings.device, values.count)
        self._trained = self._data(values)
        with computing_on(device):
            found = built(choice, model, self._trained, device, self._variant)
        self.surrogate, self.why_surrogate = found.surrogate, f"{choice.reason} {found.why}".strip()
        for n in range(at, len(m.log.told)):
            self._condition(n)

    def _condition(self, n: int) -> None:
        """Evaluation ``n`` of this run into the surrogate, hyperparameters fixed (seed 001 C.5)."""
        if outcome_of(self.memory.log.told[n]) != "ok":
            return
        assert self.surrogate is not None
        self._trained = data = self._data(self._values(n + 1))
        self.surrogate = self.surrogate.condition(data.x[-1:], data.y[-1:], data.noise[-1:])

    def _fit_surrogate(self, *, fresh: bool = False) -> None:
        """Hyperparameters and inducing points from all evaluations."""
        m = self.memory
        values = self.values = self._values()
        choice = self._choice(values, len(m.log.told))
        rng = self._rng("fit")
        if fresh or m.theta is None:
            self._first_surrogate(values, choice, rng)
            return
        device = compute_device(self.settings.device, values.count)
        model, data = self._model(values), self._data(values)
        with computing_on(device):
            if m.count("iteration") in TUNE_AT or m.count("iteration") % TUNE_EVERY == 0:
                model = model.with_hyperparameters(torch.as_tensor(m.theta))
                m.theta = tuned(choice, model, data, device, self._variant)
        m.counts["built at"], m.counts["arrived"] = len(m.log.told), 0
        self._build()

    def _first_surrogate(self, values: Values, choice: Choice, rng: np.random.Generator) -> None:
        """With noise shaping, and with the noise of values as given, which stays if it predicts evaluations that are held out
        better and its tails are not off by more of its sds than the guard can make up for."""
        m, device = self.memory, compute_device(self.settings.device, values.count)
        m.counts["built at"], m.counts["arrived"] = len(m.log.told), 0
        found = []
        for unshaped in range(1 + self.options.noise_shaping):
            m.counts["unshaped"] = unshaped
            model, data = self._model(values), self._data(values)
            with computing_on(device):
                m.theta = first_fit(choice, model, data, rng, device, self._variant, m.theta if unshaped else None)
            self._build()
            found.append((m.theta, self.surrogate, self.why_surrogate))
            self.check()
        if len(found) > 1:
            plain, shaped = found[1][1], found[0][1]
            m.counts["unshaped"] = int(stays_unshaped(plain, shaped, blocks(data.x, data.level), self._noisy))
            m.theta, self.surrogate, self.why_surrogate = found[m.counts["unshaped"]]
            self._trained = self._data(values)

    def _rough_frame(self) -> None:
        """Working coordinates in which the posterior is about a unit ball: by the good points, then by a rough posterior."""
        m = self.memory
        assert self.values is not None
        x = m.frame.into(self._likely())
        x = x[svbmc_data.farthest(x, max(100, 20 * self.dimension))]
        spread = np.cov(x.T).reshape(self.dimension, self.dimension) + 1e-9 * np.eye(self.dimension)
        if len(x) > 2 * self.dimension:
            m.frame = m.frame.then(Frame.whitening(x.mean(axis=0), spread))
        self._drop_crowded()
        self.values = self._values()
        self._trained = data = self._data(self.values).subset(self._rng("subset"))
        self.surrogate = rough_fit(self._model(self.values), data, self._rng("rough")).surrogate(data.x, data.y, data.noise)
        q = fit_mixture(self.expected, self._start(4), self._rng("rough fit"), family=self._family, steps=40)
        m.frame = m.frame.then(Frame.whitening(q.mean(), q.covariance()))
        self._drop_crowded()

    def _drop_crowded(self) -> None:
        x = self.memory.frame.into(self._whole.u)
        self.archive = svbmc_data.without(self._whole, svbmc_data.crowded(x, self._whole.y, self._whole.noise))

    def _start(self, components: int = 10) -> GaussianMixture:
        return start_of(self.guarded_mean, self.memory.frame.into(self._likely()), self._rng("chains"), components)
