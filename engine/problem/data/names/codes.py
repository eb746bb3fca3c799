"""Codes behind names that say of which station, drifter, or specimen a quantity is: lon_D31, Latitude D34. Pure."""

from __future__ import annotations

import re

_CODE = re.compile(r"(?P<name>.*[^\W\d_].*?)[ _\-.]+(?P<letters>[^\W\d_]+)(?P<number>[0-9]+)")


def codes_differ(one: str, other: str) -> bool:
    """Whether two names end with codes of one kind that are of different things: D31 and D34, but not D31 and W2."""
    a, b = _CODE.fullmatch(one.strip()), _CODE.fullmatch(other.strip())
    if a is None or b is None or a["letters"].casefold() != b["letters"].casefold():
        return False
    return int(a["number"]) != int(b["number"])


def without_code(name: str) -> str:
    """The name before its code: hour of hour_D31."""
    found = _CODE.fullmatch(name.strip())
    return name if found is None else found["name"]
