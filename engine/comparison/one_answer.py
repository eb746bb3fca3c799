"""One answer of another method, and the methods there are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..loop_interface import Mixture

Array = NDArray[np.float64]
Check = Callable[[], None]

METHODS = {
    "laplace": "Laplace",
    "mcmc": "MCMC on the surrogate",
    "stacking": "Stacked chains",
    "wsabi": "WSABI-L",
    "wsabi_m": "WSABI-M",
    "flow": "Gaussian particle flow",
}


@dataclass(frozen=True)
class BaselineAnswer:
    """Inference space. ``draws`` (n, D) with ``weights`` (n,) None: the mixture is the answer. ``trusted``: its own checks are
    passed. ``evaluations``: of the analysis, used here; none is new."""

    method: str
    name: str
    evaluations: int
    log_evidence: float
    log_evidence_sd: float
    mixture: Mixture
    draws: Array | None
    weights: Array | None
    trusted: bool
    reasons: tuple[str, ...]
