"""The stated sd of the log evidence: quadrature, surrogate and hyperparameter error, all counted (RECIPE 8 and certification)."""

from __future__ import annotations

import numpy as np

from . import stopping


def evidence_floor(dimension: int) -> float:
    """.01 up to D = 6, .03 from D = 10: error that no fresh residual shows."""
    return float(np.interp(dimension, [6, 10], [0.01, 0.03]))


def evidence_sd(gp_sd: float, residual_rms: float, certification_se: float, dimension: int) -> float:
    """sqrt(sdZ^2 + rw^2 / 6 + se^2 + f^2)."""
    return float(np.sqrt(gp_sd**2 + residual_rms**2 / 6.0 + certification_se**2 + evidence_floor(dimension) ** 2))


def stated_sd(history: list[stopping.Fresh], certification_se: float, dimension: int) -> float:
    """``evidence_sd`` of the answer as it stands; infinite before the first fresh residual."""
    gp_sd = history[-1].log_z_sd if history else float("inf")
    return evidence_sd(gp_sd, stopping.residual_rms(history, dimension), certification_se, dimension)
