"""What of the map of failure is stored with an answer: see ``session.success_map``."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from ..answer.failures.success_map import PREFIXES, LightMap, reason_prefix
from ..numerics.map_frame import MapFrame
from ..surrogate.frames import BoxFrame
from .classifier import Feasibility
from .success_process import LogOdds

Array = NDArray[np.float64]


def arrays_of(possible: Feasibility, box: BoxFrame) -> dict[str, Array]:
    """Empty where nothing failed for its place."""
    found: dict[str, Array] = {}
    for prefix, known in zip(PREFIXES, (possible.runs_map, possible.possible_map), strict=True):
        if known is not None and (part := known.place) is not None:
            found |= light_map(part, known.frame, box, float(np.exp(part.log_works))).arrays(prefix)
    if possible.place is not None and possible.why is not None:
        for kind, odds in zip(possible.why.kinds, possible.why.parts, strict=True):
            found |= light_map(odds, possible.place[0].frame, box).arrays(reason_prefix(kind))
    return found


def light_map(part: LogOdds, frame: MapFrame, box: BoxFrame, works: float = 1.0) -> LightMap:
    """``works``: the probability that a run does not fail by chance."""
    root = linalg.solve_triangular(part.factor, np.eye(len(part.factor)), lower=True, check_finite=False)
    kernel = part.kernel
    return LightMap(
        pivots=part.pivots,
        weights=root.T @ part.mean,
        narrowing=root.T @ (np.eye(len(root)) - part.covariance) @ root,
        kernel=np.array([*kernel.lengths, kernel.smooth, kernel.linear]),
        box=np.array([box.middle, box.scale]),
        frame=np.array([frame.center, frame.scale]),
        works=np.array([works]),
    )
