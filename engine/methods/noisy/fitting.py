"""The noisy surrogate of all values told: its hyperparameters in two frames, the noise of every value, the top.

Whatever is found is kept in the memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ...loop_interface import SummaryCells
from ...machine.devices import Device
from ...problem.method_options import NoisyOptions
from ...surrogate.evaluations import Evaluations
from ...surrogate.frames import BoxFrame, Whitening
from ...surrogate.noisy import hyperparameters
from ...surrogate.noisy.heteroscedastic import precision_factors
from ...surrogate.noisy.noise import NoiseModel, ReportedNoise, student_weights, tempered_values
from ...surrogate.noisy.polynomial import QuarticKernel, QuarticSurrogate
from ...surrogate.quadratic.kernel import Frames
from ...surrogate.quadratic.posterior import QuadraticSurrogate
from .emulated import emulated_summaries, with_smooth_errors
from .memory import NoisyMemory

if TYPE_CHECKING:
    from ...surrogate.outputs.summaries import EmulatedSummaries

Array = NDArray[np.float64]

NOISE_FITS, ROBUST_ROUNDS = 3, 3
FEWEST_VALUES = 3  # near the top for each coefficient of the test whether their noise varies
SMALL = 1e-3  # of a predictive variance: a residual of nothing is luck
LOG_SQUARE = float(np.pi**2 / 2.0)  # variance of the logarithm of a squared normal
UNLIKELY = 0.05  # chance of as much scatter by place where the noise is the same
MISFIT_FROM = 5  # parameters
MISFIT = float(np.log(0.25))  # log s above which the values far below the top are taken for a misfit; its limit is log 1/3
NO_MISFIT = float(np.log(0.1))
AS_GOOD = 2.0  # nats between two fits that explain the values equally well
ASK_AGAIN = 25  # values between two such questions once the answer was yes


class NoisyFits:
    """Fits and builds surrogates of the values in ``memory``; b: the box frame."""

    def __init__(
        self, memory: NoisyMemory, options: NoisyOptions, box: BoxFrame, device: Device = "auto",
        given: SummaryCells | None = None,
    ) -> None:  # fmt: skip
        self.memory, self.options, self.box, self.device, self.given = memory, options, box, device, given
        self.summaries: EmulatedSummaries | None = None
        self.dimension = memory.dimension
        self._taken: tuple[int, Evaluations] | None = None

    def evaluations(self) -> Evaluations:
        """Those the surrogate is built on, in the box frame; ``summaries``: the emulated ones of a synthetic likelihood."""
        m = self.memory
        if self._taken is None or self._taken[0] != m.built_on:
            known = Evaluations.of(m.log.told[: m.built_on], self.dimension, self.box.into)
            self.summaries = emulated_summaries(self.given, known)
            self._taken = m.built_on, known if self.summaries is None else with_smooth_errors(known, self.summaries)
        return self._taken[1]

    def reported(self) -> ReportedNoise:
        """The noise as told, made usable."""
        known = self.evaluations()
        return ReportedNoise.of(known.sd, self.options.noise_scale_sd, known.y)

    def shaped(self, misfit: bool | None = None) -> tuple[Array, Array, NoiseModel]:
        """b (n, D), y - top (n,), their noise before its scales: larger far below the top.

        ``misfit``: how the values far below are tempered; as in memory unless told.
        """
        m = self.memory
        b, y, reported = self.evaluations().points, self.evaluations().y, self.reported()
        if m.top is None:
            m.top = float(np.max(y - 2.0 * np.minimum(reported.sd, 5.0)))
        return b, *tempered_values(y - m.top, reported.sd, self.dimension, m.misfit if misfit is None else misfit)

    def fitted(self, whitened: bool | None = None) -> tuple[Array, Array]:
        """Kernel hyperparameters and noise scales of a frame; of the one in use unless told."""
        m = self.memory
        white = m.whitened if whitened is None else whitened
        theta, scales = (m.theta_white, m.scales_white) if white else (m.theta_box, m.scales_box)
        assert theta is not None
        assert scales is not None
        return theta, scales

    def _factors(self, n: int, robust: bool, levels: bool = True) -> Array:
        """How much more precise than its sd says each value counts (n,)."""
        m, factors = self.memory, np.ones(n)
        for mine, used in ((m.levels, levels), (m.lambdas, robust)):
            if used and mine is not None:
                factors[: len(mine)] *= mine[:n]
        return factors

    def data(self, robust: bool = True, whitened: bool | None = None, levels: bool = True) -> tuple[Array, Array, Array]:
        """b (n, D), shaped y (n,), noise variances (n,); ``robust``: with the Student-t weights; ``levels``: as they vary."""
        b, y, noise = self.shaped()
        return b, y, (noise / self._factors(len(y), robust, levels)).variance(self.fitted(whitened)[1])

    def fit(self) -> None:
        """Hyperparameters in both frames; the frame with the better objective is kept.

        From MISFIT_FROM parameters on, values far below the top that no smooth surface explains are tempered more, and from then
        on the kernel does without its radial block, also once they are explained: otherwise the climb to the mode sticks half
        way (Lotka-Volterra 8-D, sd 3, the only case measured that this concerns; numbers in tests/benchmarks/README.md).
        """
        m, n = self.memory, len(self.evaluations().y)
        if m.misfit and n - m.misfit_at >= ASK_AGAIN:
            m.misfit, m.misfit_at = not self._explained(), n
        self._fit()
        if self.dimension >= MISFIT_FROM and not m.misfit and self.fitted()[1][1] > MISFIT:
            m.misfit, m.misfit_at = True, n
            self._fit()
        self._find_top()

    @property
    def climbed(self) -> bool:
        """Whether values far below the top ever were a misfit: the posterior lay far from the first evaluations."""
        return self.memory.misfit_at > 0

    def _explained(self) -> bool:
        """Whether a smooth surface explains the values far below the top after all."""
        m = self.memory
        radial = m.whitening or Whitening.none(self.dimension)
        b, y, noise = self.shaped(misfit=False)
        reported = self.reported()
        objective = hyperparameters.NoisyObjective(
            Frames(radial if m.whitened else None, radial).coordinates(b), y, noise / self._factors(len(y), robust=True),
            reported.scale_sd, reported.known,
        )  # fmt: skip
        return bool(hyperparameters.fit(objective, hyperparameters.starts(self.dimension)).scales[1] < NO_MISFIT)

    def _fit(self) -> None:
        b, y, noise = self.shaped()
        for k in range(NOISE_FITS):
            self._fit_given(b, y, noise / self._factors(len(y), robust=True), warm_only=k > 0)
            varies = self.options.varying_noise or self._noise_varies()
            if varies:
                self._find_levels()
            else:
                self.memory.levels = None
            if self.options.robust:
                self._reweigh()
            elif not varies:
                break

    def _fit_given(self, b: Array, y: Array, noise: NoiseModel, warm_only: bool) -> None:
        m = self.memory
        radial = m.whitening or Whitening.none(self.dimension)
        reported = self.reported()
        turn = len(y) // self.options.batch
        fits = {}
        for whitened in (False, True) if m.whitening is not None else (False,):
            theta, scales = (m.theta_white, m.scales_white) if whitened else (m.theta_box, m.scales_box)
            if theta is None or scales is None:
                starts = hyperparameters.starts(self.dimension)
            else:
                other = hyperparameters.other_beginning(self.dimension, scales, turn)
                starts = [(theta, scales)] if warm_only else [(theta, scales), other]
            frames = Frames(radial if whitened else None, radial)
            fits[whitened] = hyperparameters.fit(
                hyperparameters.NoisyObjective(frames.coordinates(b), y, noise, reported.scale_sd, reported.known),
                starts, radial=not self.climbed,
            )  # fmt: skip
        m.theta_box, m.scales_box = fits[False].theta, fits[False].scales
        if True in fits:
            m.theta_white, m.scales_white = fits[True].theta, fits[True].scales
        m.whitened = min(fits, key=lambda k: fits[k].value)
        m.frame_gap = abs(fits[True].value - fits[False].value) if True in fits else np.inf

    def other_frame(self) -> QuadraticSurrogate | None:
        """The surrogate of the frame not kept, where it explains the values as well; else None."""
        if not self.memory.frame_gap < AS_GOOD:
            return None
        return self.surrogate(whitened=not self.memory.whitened)

    def surrogate(self, robust: bool = True, whitened: bool | None = None, levels: bool = True) -> QuadraticSurrogate:
        m = self.memory
        white = m.whitened if whitened is None else whitened
        radial = m.whitening or Whitening.none(self.dimension)
        kernel = QuarticKernel.of(self.fitted(white)[0], Frames(radial if white else None, radial))
        return QuarticSurrogate(kernel, *self.data(robust, white, levels), self.device)

    def _reweigh(self) -> None:
        """Student-t weights at the hyperparameters just found."""
        for _ in range(ROBUST_ROUNDS):
            surrogate = self.surrogate()
            mean, variance = surrogate.predict(surrogate.b)
            _, _, noise = self.data(robust=False)
            self.memory.lambdas = student_weights(surrogate.y - mean, variance, noise, self.options.robust_dof)

    def _noise_varies(self) -> bool:
        """Whether the scatter of values near the top, of whose noise nothing was told, depends on the place: logarithms of
        squared residuals from what the others predict, against the coordinates and their squares (Harvey's test, 1976)."""
        if self.reported().known:
            return False
        surrogate = self.surrogate(robust=False, levels=False)
        residual, variance = surrogate.leave_one_out()
        near = self.shaped()[2].near == 1.0
        z = np.clip((self.memory.whitening or Whitening.none(self.dimension)).into(surrogate.b[near]), -6.0, 6.0)
        features = np.column_stack([np.ones(len(z)), z, np.square(z)])
        if len(z) < FEWEST_VALUES * features.shape[1]:
            return False
        squares = np.log(np.square(residual[near]) / variance[near] + SMALL)
        if not np.isfinite(squares).all():
            return False
        left = squares - features @ np.linalg.lstsq(features, squares, rcond=None)[0]
        explained = float(len(z) * (squares.var() - left.var())) / LOG_SQUARE
        return bool(special.chdtrc(features.shape[1] - 1, explained) < UNLIKELY)

    def _find_levels(self) -> None:
        """The noise level over the space at the hyperparameters just found; the common scale stays with log a."""
        surrogate = self.surrogate(robust=False)
        mean, variance = surrogate.predict(surrogate.b)
        _, _, noise = self.shaped()
        z = (self.memory.whitening or Whitening.none(self.dimension)).into(surrogate.b)
        delta = (np.square(surrogate.y - mean) + variance) / noise.variance(self.fitted()[1])
        factors = precision_factors(delta, np.clip(z, -6.0, 6.0))
        self.memory.levels = factors / np.exp(np.log(factors).mean())

    def _find_top(self) -> None:
        """The top is the largest mean at the data, never the largest value: that one is lucky noise."""
        m = self.memory
        assert m.top is not None
        surrogate = self.surrogate()
        m.top += float(surrogate.mean(surrogate.b).max())
