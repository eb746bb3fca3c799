"""What ncdump's text of a netCDF file says of its variables (CDL: the network Common data form Language, NetCDF User's Guide)."""

from __future__ import annotations

import re

_HEAD = re.compile(r"\s*netcdf\s+\S+\s*\{")
_DATA = re.compile(r"^data:", re.MULTILINE)
_LONGEST = re.compile(r"\s*=\s*(?:UNLIMITED\s*;\s*//\s*\()?(\d+)")  # depth = 5 ; time = UNLIMITED ; // (241 currently)


def row_length(text: str, variable: str) -> int | None:
    """How many numbers of ``variable`` belong to one row, its last dimension; None: it has no two, or ``text`` is
    none of ncdump's."""
    if not variable or _HEAD.match(text) is None:
        return None
    data = _DATA.search(text)
    said = text[: data.start() if data is not None else len(text)]
    of = re.search(rf"^\s*\w+\s+{re.escape(variable)}\(([^()]*,\s*)([^(),]+)\)\s*;", said, re.MULTILINE)
    if of is None:
        return None
    size = re.search(rf"^\s*{re.escape(of[2].strip())}{_LONGEST.pattern}", said, re.MULTILINE)
    return int(size[1]) if size is not None else None
