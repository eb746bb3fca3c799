"""Names of momentum transfers, which say where in a scattering pattern something was measured: Q, qz (1/Å), Q_inv_A. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from ..units.unit_names import NAMES_KNOWN
from ..units.unit_scales import is_inverse_length

_NAME = r"[Qq](?:[ _]?(?:[xyzXYZ]|vec|mod|par|perp))?|(?:(?:scattering|momentum|wave)[ _-]?vector|momentum)(?:[ _]transfer)?"
_Q = re.compile(_NAME, re.IGNORECASE)
_UNIT_BEHIND = re.compile(rf"(?P<name>{_NAME})[\s_,]+(?P<unit>[^\s(\[].*)", re.IGNORECASE)  # Qz 1/nm, q_nm-1, Q_inv_A


def is_momentum_transfer(bare: str, unit: str) -> bool:
    """Of a name without its ``unit``: a letter that stands for flows, heats and charges too is one by its unit."""
    return _Q.fullmatch(bare) is not None and is_inverse_length(unit)


@lru_cache(NAMES_KNOWN)
def name_and_inverse_length(name: str) -> tuple[str, str] | None:
    """The name of a momentum transfer and the unit that stands behind it without brackets; None: it is no such."""
    found = _UNIT_BEHIND.fullmatch(name.strip())
    unit = "" if found is None else found["unit"].replace("_", " ")
    return (found["name"], unit) if found is not None and is_inverse_length(unit) else None
