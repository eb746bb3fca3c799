"""The maximum of the surrogate of a published loop, as ``surrogate_peak`` gives it; apart from it since this needs torch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from ..acquisition.batched_ascent import maxima
from ..variational.guarded_mean import GuardedMean
from ..variational.whitening import Frame
from .surrogate_peak import DRAWS, LOOKED_AT, RUNS, held_against, peak_arrays

Array = NDArray[np.float64]


@dataclass(frozen=True)
class _InUsersUnits:
    """The guarded mean in working coordinates x (n, D), with the Jacobian of the map to the user's units taken out."""

    guarded: GuardedMean
    frame: Frame
    log_jacobian: Callable[[Array], Array] | None

    def jacobian(self, x: Array) -> Array:
        return np.zeros(len(x)) if self.log_jacobian is None else np.asarray(self.log_jacobian(self.frame.back(x)), dtype=float)

    def predicted(self, x: Array) -> tuple[Array, Array]:
        """Of the surrogate alone: mean and variance (n,)."""
        with torch.no_grad():
            mean, variance = self.guarded.surrogate.predict(torch.as_tensor(x))
        return mean.numpy() - self.jacobian(x), variance.numpy()

    def __call__(self, x: Array) -> Array:
        return np.asarray(self.guarded(x) - held_against(self.predicted(x)[1]) - self.jacobian(x))


def guarded_peak(
    guarded: GuardedMean, frame: Frame, runs: tuple[Array, Array], draws: Array, log_jacobian: Callable[[Array], Array] | None,
    calibration: float,
) -> dict[str, Array]:
    """Arrays of a ``session.surrogate_peak.SurrogatePeak``: where the mean is highest, as far as it can be believed; none where
    no climb ends at a place of the guard's box.

    ``runs``: points (n, D) of inference space and their levels (n,); ``draws`` (m, D) of the answer there, equally weighted;
    ``log_jacobian`` and ``calibration`` as in ``surrogate_peak``.
    """
    density = _InUsersUnits(guarded, frame, log_jacobian)
    known, some = frame.into(runs[0]), frame.into(draws[:LOOKED_AT])
    best = known[np.argsort(-(runs[1] - density.jacobian(known)))[:RUNS]]
    ends, values = maxima(density, np.concatenate([best, some[np.argsort(-density(some))[:DRAWS]]]), *guarded.box)
    top = ends[[int(np.argmax(values))]]
    if not np.isfinite(values.max()):
        return {}
    return peak_arrays(frame.back(top)[0], *density.predicted(top), calibration)
