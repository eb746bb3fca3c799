"""Column names as people write them, brought to one form."""

from __future__ import annotations

import re

_SIGNS = {
    "-2": "minus2", "−2": "minus2", "α": "alpha", "β": "beta", "χ": "chi", "²": "2", "^2": "2", "squared": "2", "square": "2",
}  # fmt: skip
_UNIT = re.compile(r"\s*[\[({][^\[({\])}]*[\])}]\s*$")


def plain(name: str) -> str:
    """Lower-case letters and digits alone; what stands in brackets at the end (a unit) stays."""
    name = name.lower()
    for sign, word in _SIGNS.items():
        name = name.replace(sign, word)
    return re.sub(r"[^a-z0-9]", "", name)


def without_unit(name: str) -> str:
    """``plain`` of "rho [g/cm3]" is that of "rho"."""
    return plain(_UNIT.sub("", name)) or plain(name)
