"""The unknown numbers."""

from __future__ import annotations

from typing import Literal

from .priors import Prior
from .record import Record


class Parameter(Record, frozen=True):
    """One unknown number. ``plausible``: the range where you expect it (left out: from the prior).

    ``lower`` and ``upper`` cut the prior off. ``fixed``: its value, if it is not to be inferred. ``transform``: how a range with
    two limits is stretched for the search; leave it at 'automatic' (which is 'probit').
    """

    name: str
    prior: Prior
    label: str = ""
    unit: str = ""
    lower: float | None = None
    upper: float | None = None
    plausible: tuple[float, float] | None = None
    fixed: float | None = None
    transform: Literal["automatic", "probit", "logit"] = "automatic"
