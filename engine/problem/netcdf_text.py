"""What ncdump's text of netCDF files says of their variables (CDL, Common Data Language; NetCDF User's Guide)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

_HEAD = re.compile(r"^netcdf\s+\S.*\{[ \t]*$", re.MULTILINE)  # other text may stand before it, and other files behind
_DATA = re.compile(r"^[ \t]*data:", re.MULTILINE)
_LENGTH = r"\s*=\s*(?:UNLIMITED\s*;\s*//\s*\()?(\d+)"  # depth = 5 ; time = UNLIMITED ; // (241 currently)


_GROUP = re.compile(r"^[ \t]*(?:group:[ \t]*(\S+)[ \t]*\{|\}[ \t]*//[ \t]*group[ \t]+(\S+))[ \t]*$", re.MULTILINE)


class Group(NamedTuple):
    """A group of a netCDF-4 file, in the characters [start, stop) of the text. ``path``: its name behind those it lies in,
    ``ocean/surface``."""

    path: str
    start: int
    stop: int


@lru_cache(maxsize=4)  # that of a run, and of one at other values; a mark asks several times
def groups_in(text: str) -> tuple[Group, ...]:
    """The groups of a text that ncdump prints, in the order of their ends; () in any other text."""
    if _HEAD.search(text) is None:
        return ()
    found: list[Group] = []
    opened: list[tuple[str, int]] = []
    for line in _GROUP.finditer(text):
        if line[1]:
            opened.append((f"{opened[-1][0]}/{line[1]}" if opened else line[1], line.end()))
        elif opened and opened[-1][0].rpartition("/")[2] == line[2]:
            found.append(Group(*opened.pop(), line.start()))
    found += [Group(path, start, len(text)) for path, start in reversed(opened)]  # the text ends within them
    return tuple(found)


def group_of(text: str, at: int) -> str:
    """The path of the group that character ``at`` lies in; '' for none."""
    return next((one.path for one in groups_in(text) if one.start <= at < one.stop), "")


def row_length(text: str, variable: str) -> int | None:
    """How many numbers of ``variable`` belong to one row, its last dimension; None: it has no two, several files say different
    things of it, or ``text`` is none of ncdump's. In a group its name stands behind the path of that: ocean/temp."""
    if not variable:
        return None
    path, _, name = variable.rpartition("/")
    around = [said for outer in _outwards(path)[1:] for said in _declarations(text, outer)]  # dimensions may be of these
    found = {
        length for said in _declarations(text, path) if (length := _last_of_two(said, name, (said, *around))) is not None
    }
    return found.pop() if len(found) == 1 else None


def dimensions(text: str, variable: str) -> tuple[tuple[str, int], ...]:
    """The names and lengths of the dimensions of ``variable``, in the order of ncdump; () where it is not declared, a length is
    not said, or several files say different things. In a group its name stands behind the path of that."""
    path, _, name = variable.rpartition("/")
    if not name:
        return ()
    around = [said for outer in _outwards(path)[1:] for said in _declarations(text, outer)]
    found: set[tuple[tuple[str, int], ...]] = set()
    for said in _declarations(text, path):
        of = re.search(rf"^\s*\w+\s+{re.escape(name)}\(([^()]+)\)\s*;", said, re.MULTILINE)
        names = [one.strip() for one in of[1].split(",")] if of is not None else []
        lengths = [_length(one, (said, *around)) for one in names]
        if names:
            found.add(tuple((one, n) for one, n in zip(names, lengths, strict=True) if n is not None))
            if None in lengths:
                return ()
    return found.pop() if len(found) == 1 else ()


def is_coordinate(text: str, variable: str) -> bool:
    """Whether ``variable`` says where the others are: it has the name of its only dimension (NetCDF User's Guide, Coordinate
    Variables)."""
    path, _, name = variable.rpartition("/")
    of = re.compile(rf"^\s*\w+\s+{re.escape(name)}\({re.escape(name)}\)\s*;", re.MULTILINE)
    return bool(name) and any(of.search(said) for said in _declarations(text, path))


def _outwards(path: str) -> list[str]:
    """A group, those that it lies in, and the file: ocean/surface, ocean, ''."""
    found = [path]
    while found[-1]:
        found.append(found[-1].rpartition("/")[0])
    return found


def _declarations(text: str, path: str = "") -> Iterator[str]:
    """What stands before the data of each file, or of each group ``path``."""
    starts = (
        [(one.start, one.stop) for one in groups_in(text) if one.path == path]
        if path
        else [(head.end(), len(text)) for head in _HEAD.finditer(text)]
    )
    for start, stop in starts:
        ends = (found.start() for way in (_DATA, _GROUP) if (found := way.search(text, start, stop)) is not None)
        yield text[start : min(ends, default=stop)]


def _last_of_two(said: str, variable: str, around: Sequence[str]) -> int | None:
    of = re.search(rf"^\s*\w+\s+{re.escape(variable)}\(([^()]*,\s*)([^(),]+)\)\s*;", said, re.MULTILINE)
    if of is None:
        return None
    return _length(of[2].strip(), around)


def _length(dimension: str, around: Sequence[str]) -> int | None:
    size = re.compile(rf"^\s*{re.escape(dimension)}{_LENGTH}", re.MULTILINE)
    return next((int(found[1]) for one in around if (found := size.search(one)) is not None), None)
