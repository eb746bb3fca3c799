"""Classes of ages, of sizes: 0-4, 65+. Pure."""

from __future__ import annotations

import re

_DASH = "[-\u2013]"
CLASS = rf"\d+(?:{_DASH}\d+|\+)"  # a regular expression for one that is a whole word
_WORD = re.compile(CLASS)
_IN_NAME = re.compile(rf"(?<![\w.,])(\d+)(?:\s*{_DASH}\s*(\d+)(?![\w.,])|\s?\+)")


def is_class(word: str) -> bool:
    return _WORD.fullmatch(word) is not None


def class_bounds(name: str) -> tuple[int, ...] | None:
    """Of the first class in ``name``: (0, 4) of 0-4 years, (65,) of 65 +; None: it says none."""
    found = _IN_NAME.search(name)
    return None if found is None else tuple(int(n) for n in found.groups() if n)
