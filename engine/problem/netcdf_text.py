"""What ncdump's text of netCDF files says of their variables (CDL, Common Data Language; NetCDF User's Guide)."""

from __future__ import annotations

import re
from collections.abc import Iterator

_HEAD = re.compile(r"^netcdf\s+\S.*\{[ \t]*$", re.MULTILINE)  # other text may stand before it, and other files behind
_DATA = re.compile(r"^data:", re.MULTILINE)
_LENGTH = r"\s*=\s*(?:UNLIMITED\s*;\s*//\s*\()?(\d+)"  # depth = 5 ; time = UNLIMITED ; // (241 currently)


def row_length(text: str, variable: str) -> int | None:
    """How many numbers of ``variable`` belong to one row, its last dimension; None: it has no two, several files say different
    things of it, or ``text`` is none of ncdump's."""
    if not variable:
        return None
    found = {length for said in _declarations(text) if (length := _last_of_two(said, variable)) is not None}
    return found.pop() if len(found) == 1 else None


def is_coordinate(text: str, variable: str) -> bool:
    """Whether ``variable`` says where the others are: it has the name of its only dimension (NetCDF User's Guide, Coordinate
    Variables)."""
    of = re.compile(rf"^\s*\w+\s+{re.escape(variable)}\({re.escape(variable)}\)\s*;", re.MULTILINE)
    return bool(variable) and any(of.search(said) for said in _declarations(text))


def _declarations(text: str) -> Iterator[str]:
    """What stands before the data of each file."""
    for head in _HEAD.finditer(text):
        data = _DATA.search(text, head.end())
        yield text[head.end() : data.start() if data is not None else len(text)]


def _last_of_two(said: str, variable: str) -> int | None:
    of = re.search(rf"^\s*\w+\s+{re.escape(variable)}\(([^()]*,\s*)([^(),]+)\)\s*;", said, re.MULTILINE)
    size = None if of is None else re.search(rf"^\s*{re.escape(of[2].strip())}{_LENGTH}", said, re.MULTILINE)
    return None if size is None else int(size[1])
