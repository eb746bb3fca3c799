"""Correlation as a function of distance: squared exponential or Matern 5/2."""

from __future__ import annotations

from typing import Literal

from .arrays import Values, decay, library

Profile = Literal["smooth", "rough"]  # squared exponential, or Matern 5/2


def radial_profile(q: Values, profile: Profile) -> tuple[Values, Values]:
    """Correlation at squared scaled distance q, and -2 times its derivative with respect to q."""
    if profile == "smooth":
        k = decay(0.5 * q)
        return k, k
    r = library(q).sqrt(5.0 * q)
    fall = decay(r)
    near = (1.0 + r) * fall
    return near + 5.0 / 3.0 * q * fall, 5.0 / 3.0 * near
