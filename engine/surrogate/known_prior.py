"""What the log prior says of the log joint before there is a run: the mean function of a surrogate."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .frames import BoxFrame
from .quadratic.kernel import Bowl

Array = NDArray[np.float64]

END = 2.0  # of the box frame
FARTHEST = 4.0  # a prior that leans to one side has its top no farther than so many box units from the middle


def bowl_of(log_prior: Callable[[Array], Array] | None, box: BoxFrame) -> Bowl:
    """The parabola of each parameter through the log prior (points u (n, D) -> (n,)) at both ends and in the middle of its range.

    Exact for normal, log-normal and uniform priors. Where that is no parabola with a top, or no prior is known: that of a normal
    whose 95 % are the range.
    """
    d = len(box.middle)
    if log_prior is None:
        return Bowl.unit(d)
    ends = END * np.eye(d)
    middle, low, high = (log_prior(box.back(b)) for b in (np.zeros((1, d)), -ends, ends))
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        curvature = -(high - 2.0 * middle + low) / END**2
        centre = (high - low) / (2.0 * END) / curvature
    sound = np.isfinite(curvature) & np.isfinite(centre) & (curvature > 1e-6)
    curvature, centre = np.where(sound, curvature, 1.0), np.where(sound, centre, 0.0)
    return Bowl(curvature, np.clip(centre, -FARTHEST, FARTHEST))
