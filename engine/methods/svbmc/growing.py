"""SVBMC on an archive that grows: evaluations that arrive are taken in by the surrogate as it is (``SparseSurrogate.absorbed``),
and the mixture takes a few steps on. Nothing is fitted anew unless the archive's best evaluation is beaten clearly, or noise
was not shaped for a much smaller one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.loop_interface import Archive
from bayescope.engine.methods.svbmc import data as svbmc_data
from bayescope.engine.methods.svbmc.fitted import TUNE_AT, TUNE_EVERY
from bayescope.engine.methods.svbmc.loop import REFIT_STEPS, SvbmcMethod
from bayescope.engine.surrogate.sparse import SparseSurrogate
from bayescope.engine.variational.joint import fit_mixture
from bayescope.engine.variational.whitening import Frame

Array = NDArray[np.float64]

REBUILT_UP_TO = 5_000  # archived evaluations; beyond, a pass over them at every iteration takes longer than most runs
CLEARLY_BEATEN = 3.0  # nats above the best value so far: then coordinates, noise shaping and hyperparameters are of another place

GROWN = 0.5  # times as many evaluations again: without noise shaping each one binds the same inducing points more tightly


class GrowingMethod(SvbmcMethod):
    """``take_archive`` at any time between two updates."""

    def _fit_surrogate(self, *, fresh: bool = False) -> None:
        """A large archive's surrogate is built anew only with new hyperparameters; else the newest evaluation is added to it."""
        iteration, told = self.memory.count("iteration"), len(self.memory.log.told)
        tuned = fresh or iteration in TUNE_AT or iteration % TUNE_EVERY == 0
        if tuned or told == 0 or not isinstance(self.surrogate, SparseSurrogate) or len(self.archive.y) <= REBUILT_UP_TO:
            super()._fit_surrogate(fresh=fresh)
            return
        self.values = self._values()
        self._condition(told - 1)

    def take_archive(self, more: Archive) -> None:
        """See ``loop_interface.TakesArchives``."""
        arrived = svbmc_data.prepare(more, self.dimension, self.options.trim)
        known = self.settings.archive
        self.settings = replace(self.settings, archive=more if known is None else svbmc_data.joined(known, more))
        m = self.memory
        if m.mixture is None or self.values is None or not isinstance(self.surrogate, SparseSurrogate):
            self._anew()
            return
        arrived = svbmc_data.seen_from(self._whole, arrived)
        if len(arrived.y) and arrived.levels.top > self.values.top + CLEARLY_BEATEN:
            self._anew()
            return
        near = arrived.levels.value >= self.values.top - self.options.trim * self.dimension
        fresh = near & ~svbmc_data.repeated(arrived, self._whole)
        arrived = svbmc_data.without(arrived, ~fresh)
        m.counts["batches"] = m.count("batches") + 1
        if len(arrived.y):
            self._absorb_archive(self.surrogate, arrived)

    def _anew(self) -> None:
        """As if the archive had been so from the start."""
        self._whole = self.archive = svbmc_data.prepare(self.settings.archive, self.dimension, self.options.trim)
        m = self.memory
        m.counts["batches"] = m.count("batches") + 1
        if m.mixture is not None:
            m.mixture, m.theta, m.frame = None, None, Frame.of_box(self.lower, self.upper)
        self._forget()

    def _absorb_archive(self, surrogate: SparseSurrogate, arrived: svbmc_data.Prepared) -> None:
        m, before = self.memory, len(self.archive.y)
        self.archive, self._whole = svbmc_data.longer(self.archive, arrived), svbmc_data.longer(self._whole, arrived)
        self.values = self._values()
        self._trained = data = self._data(self.values)
        new = slice(before, before + len(arrived.y))
        m.counts["arrived"] = m.count("arrived") + len(arrived.y)
        if m.count("unshaped") and m.count("arrived") > GROWN * (self.values.count - m.count("arrived")):
            self._fit_surrogate(fresh=True)
        else:
            self.surrogate = surrogate.absorbed(data.x[new], data.y[new], data.noise[new])
            self.why_surrogate = (
                f"{self.values.count:,} evaluations, {m.count('arrived'):,} of them taken in as they arrived, without a new fit; "
                f"{self._inducing:,} inducing points."
            )
        assert m.mixture is not None
        self._keep(
            fit_mixture(
                self.expected, m.mixture, self._rng("arrival"), family=self._family, steps=REFIT_STEPS, cancel=self.check
            )
        )
