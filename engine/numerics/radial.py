"""Correlation as a function of distance: squared exponential or Matern 5/2."""

from __future__ import annotations

from typing import Literal

from .arrays import Values, library

Profile = Literal["smooth", "rough"]  # squared exponential, or Matern 5/2


def radial_profile(q: Values, profile: Profile) -> tuple[Values, Values]:
    """Correlation at squared scaled distance q, and -2 times its derivative with respect to q."""
    if profile == "smooth":
        k = library(q).exp(-0.5 * q)
        return k, k
    r = library(q).sqrt(5.0 * q)
    e = library(q).exp(-r)
    return (1.0 + r + r * r / 3.0) * e, 5.0 / 3.0 * (1.0 + r) * e
