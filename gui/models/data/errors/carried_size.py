"""The size of the errors, kept where another model of them is chosen: 8 % is an sd of the logarithm of 0.08. Pure."""

from __future__ import annotations

import msgspec

from bayescope.engine.problem import definition as d

MOST_PERCENT = 50.0  # up to which an error in per cent and one of the logarithm are about the same


def carried(old: d.NoiseModel, first: d.NoiseModel) -> d.NoiseModel:
    """``first``, what a model begins with, with the size that ``old`` states, where both can say it."""
    sd, percent = _sizes(old)
    parameter = getattr(old, "parameter", None) or None
    changes: dict[str, object] = {}
    match first:
        case d.GaussianKnown():
            column = getattr(old, "scale_column", None)
            changes = {"sd": sd, "sd_column": column, "percent": percent, "together": getattr(old, "together", "sum")}
            changes = changes if any(v is not None for v in (sd, column, percent)) else {}
        case d.StudentTNoise():
            column = getattr(old, "sd_column", None)
            if column is not None or sd is not None or percent is not None:
                together = getattr(old, "together", "sum")
                changes = {"scale": sd, "scale_column": column, "percent": percent, "together": together}
            elif parameter is not None:
                changes = {"scale": None, "parameter": parameter}
        case d.LogNormalNoise():
            if percent is not None and sd is None and 0.0 < percent <= MOST_PERCENT:
                changes = {"log_sd": float(f"{percent / 100.0:.12g}")}
        case d.GaussianInferred():
            changes = {"parameter": parameter} if parameter is not None and isinstance(old, d.StudentTNoise) else {}
        case d.Ar1Noise():
            size = parameter if isinstance(old, d.GaussianInferred) else sd if percent is None else None
            changes = {"sd": size} if size is not None else {}
    return msgspec.structs.replace(first, **changes) if changes else first


def _sizes(noise: d.NoiseModel) -> tuple[float | None, float | None]:
    """One standard deviation for all points, and a percentage of each value."""
    match noise:
        case d.GaussianKnown(sd=sd, percent=percent):
            return sd, percent
        case d.StudentTNoise(scale=scale, percent=percent):
            return (None if noise == d.StudentTNoise(dof=4.0, scale=1.0) else scale), percent
        case d.LogNormalNoise(log_sd=log_sd):
            told = log_sd is not None and 0.0 < log_sd <= MOST_PERCENT / 100.0 and noise != d.LogNormalNoise(log_sd=0.1)
            return None, float(f"{100.0 * log_sd:.12g}") if told and log_sd is not None else None
        case d.Ar1Noise(sd=sd, rho=rho):
            return (sd if isinstance(sd, float) and (sd, rho) != (1.0, 0.5) else None), None
    return None, None
