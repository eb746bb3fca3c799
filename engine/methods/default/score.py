"""The log joint itself learnt: hyperparameters and frames of the quadratic-kernel surrogate (RECIPE 3, 4)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...machine.devices import Device
from ...surrogate.evaluations import NOISE_VARIANCE, Evaluations
from ...surrogate.frames import BoxFrame, Whitening
from ...surrogate.known_prior import bowl_of
from ...surrogate.quadratic import hyperparameters
from ...surrogate.quadratic.kernel import Bowl, Frames, Kernel, prior_of
from ...surrogate.quadratic.posterior import QuadraticSurrogate
from ...surrogate.shaping import EXACT_VALUES, compressed
from .memory import Memory

Array = NDArray[np.float64]

FRAME_EVERY = 5  # evaluations between choices of the variant, or a fifteenth of them all if that is more
FIT_SHARE = 20  # hyperparameters are fitted anew when there is a twentieth more data: fewer hardly move them
FEW = 40  # values up to which every variant is also fitted from the prior mean; with more, the best, at every other choice
VARIANTS = ("box", "white", "rough")  # SE in the box frame, SE and Matern 5/2 in the whitened one; the best MAP is kept
KNOWN = 1.5  # values for each coefficient, where there are many: up to there descents from where the last ended lead astray
MANY, FIRST = 3, 4  # more coefficients of a full quadratic than MANY (D + FIRST), the first design: relevances are tried too


def coefficients(dimension: int) -> int:
    """Of a full quadratic."""
    return (dimension + 1) * (dimension + 2) // 2


def fit_every(n: int) -> int:
    """Evaluations between two fits of the hyperparameters, with ``n`` values."""
    return max(1, n // FIT_SHARE)


class ScoreLearner:
    """Fits and builds surrogates; what is found is kept in ``memory``."""

    def __init__(
        self, memory: Memory, device: Device = "auto", log_prior: Callable[[Array], Array] | None = None,
        box: BoxFrame | None = None,
    ) -> None:
        """``log_prior``: see ``LoopSettings``; ``box``: the frame of the points."""
        self.memory, self.dimension, self.device = memory, memory.dimension, device
        self.bowl = Bowl.unit(memory.dimension) if box is None else bowl_of(log_prior, box)
        many = coefficients(self.dimension) > MANY * (self.dimension + FIRST)
        self.variants = (*VARIANTS, "axes") if many else VARIANTS
        self.few = KNOWN * coefficients(self.dimension) if many else FEW

    def due(self, n: int) -> bool:
        """Whether the hyperparameters are to be fitted again with ``n`` values."""
        m = self.memory
        return not m.thetas or n - m.fitted_at >= fit_every(n)

    def fit(self, known: Evaluations, moments: tuple[Array, Array] | None) -> None:
        """Hyperparameters (MAP) of the variants; ``moments``: of the posterior as it is known, to whiten by."""
        m, n, b = self.memory, len(known.y), known.points
        y, noise = self._shaped(known)
        mean = prior_of(self.dimension)[0]
        fresh = n - m.framed_at >= max(FRAME_EVERY, n // 15)
        if fresh and moments is not None:
            m.whitening = Whitening.of_moments(*moments)
        fits: dict[str, hyperparameters.MapFit] = {}
        for variant in self.variants if fresh else (m.variant,):
            frames = self._frames(variant)
            if frames is None:
                continue
            warm = m.thetas.get(variant)
            starts = [mean] if warm is None else ([warm, mean] if fresh and n < self.few else [warm])
            fits[variant] = hyperparameters.fit_in(frames, b, y, noise, starts)
        best = min(fits, key=lambda v: fits[v].value + self._fitted_in(v))
        if fresh and n >= self.few and n % 2 == 0:
            again = self._frames(best)
            assert again is not None
            fits[best] = min(fits[best], hyperparameters.fit_in(again, b, y, noise, [mean]), key=lambda f: f.value)
        m.thetas.update({variant: found.theta for variant, found in fits.items()})
        m.variant = best
        m.fitted_at = n
        if fresh:
            m.framed_at = n

    def _fitted_in(self, variant: str) -> float:
        """Nats of evidence that a whitening by the answer gains by having been fitted to the same values: one for each of its
        numbers (Akaike). Beside variants that are whitened alike it is the same for all."""
        return 0.0 if variant == "axes" else 0.5 * self.dimension * (self.dimension + 3)

    def surrogate(self, known: Evaluations) -> QuadraticSurrogate:
        """With the hyperparameters in memory."""
        frames = self._frames(self.memory.variant)
        assert frames is not None
        y, noise = self._shaped(known)
        kernel = Kernel(self.memory.thetas[self.memory.variant], frames)
        return QuadraticSurrogate(kernel, known.points, y, noise, self.device)

    def refitted(self, known: Evaluations) -> QuadraticSurrogate:
        """Of other values, hyperparameters searched from those in memory, which stays as it is."""
        frames = self._frames(self.memory.variant)
        assert frames is not None
        y, noise = self._shaped(known)
        theta = hyperparameters.fit_in(frames, known.points, y, noise, [self.memory.thetas[self.memory.variant]]).theta
        return QuadraticSurrogate(Kernel(theta, frames), known.points, y, noise)

    def _shaped(self, known: Evaluations) -> tuple[Array, Array]:
        """y - top (n,) as the surrogate sees it, and its noise variances (n,)."""
        shaped, _ = compressed(known.y, self.dimension)
        return shaped, NOISE_VARIANCE + np.square(known.sd) + EXACT_VALUES.variance(-shaped, self.dimension)

    def _frames(self, variant: str) -> Frames | None:
        """Frames of a variant of the surrogate; None while no posterior is known to whiten by."""
        whitening = self.memory.whitening
        if variant == "axes":
            return Frames(None, Whitening.none(self.dimension), axes=self.bowl)  # nothing in it is from an answer
        if variant == "box":
            return Frames(None, whitening or Whitening.none(self.dimension))
        if whitening is None:
            return None
        return Frames(whitening, whitening, "rough" if variant == "rough" else "smooth")
