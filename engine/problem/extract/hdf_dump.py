"""The text that h5dump prints of an HDF5 file: its datasets and attributes by their paths, and where their numbers stand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from .list_lead import Lead

_BEGINS = re.compile(r'^HDF5 "[^"\n]*" \{', re.MULTILINE)
_TOKEN = re.compile(
    r'(?<!\S)(GROUP|DATASET|ATTRIBUTE) ("(?:[^"\\\n]|\\.)*") \{|(?<!\S)(DATATYPE|DATA)\b[^{}"\n]*(\{?)|("(?:[^"\\]|\\.)*")|[{}]'
)
_FIELD_END = re.compile(r"\s*;")
KINDS = ("GROUP", "DATASET", "ATTRIBUTE")


class Field(NamedTuple):
    """A field of the records of a dataset, and the characters of its name."""

    name: str
    start: int
    end: int


@dataclass(frozen=True)
class Stored:
    """A dataset or an attribute. ``path``: /run/flux, of an attribute /run/flux@units. ``start``: of its heading, ``name_end``:
    of the name in it; ``at``, ``stop``: what is between the braces of its DATA; ``fields``: of records of plain values."""

    path: str
    start: int
    name_end: int
    at: int
    stop: int
    fields: tuple[Field, ...] = ()

    def name_of(self, field: Field) -> str:
        """By which a field is read."""
        return f"{self.path}.{field.name}"


@lru_cache(maxsize=2)  # that of a run, and of one at other values
def stored_in(text: str) -> tuple[Stored, ...]:
    """The datasets and attributes of a dump, in their order; () in any other text."""
    begins = _BEGINS.search(text)
    if begins is None:
        return ()
    found: list[Stored] = []
    opened: list[_Opened] = []
    for token in _TOKEN.finditer(text, begins.end()):
        kind, named, part, brace, quoted = token.groups()
        inside = opened[-1] if opened else None
        if kind:
            opened.append(_Opened(kind, _path(opened, kind, named[1:-1]), token.start(), token.end(2)))
        elif part and brace:
            opened.append(_Opened(part, "", token.start(), token.end()))
        elif token.group() == "{":
            opened.append(_Opened("", "", token.start(), token.end()))
        elif quoted and inside is not None and inside.kind == "DATATYPE" and _FIELD_END.match(text, token.end()):
            inside.fields.append(Field(quoted[1:-1], token.start(), token.end()))
        elif token.group() == "}" and inside is not None:
            opened.pop()
            holder = next((one for one in reversed(opened) if one.kind in KINDS), None)
            if inside.kind == "DATA" and holder is not None and holder.kind != "GROUP":
                found.append(Stored(holder.path, holder.start, holder.end, inside.end, token.start(), tuple(holder.fields)))
            elif inside.kind == "DATATYPE" and holder is not None:
                holder.fields = [] if inside.nested else inside.fields
            elif opened and opened[-1].kind == "DATATYPE":
                opened[-1].nested = True
    if len(opened) > 1 and opened[-1].kind == "DATA" and opened[-2].kind in KINDS[1:]:  # the text ends within its data
        holder, data = opened[-2:]
        found.append(Stored(holder.path, holder.start, holder.end, data.end, len(text), tuple(holder.fields)))
    return tuple(found)


def places(text: str, name: str) -> list[tuple[int, int, Lead]]:
    """Where what is stored under the path ``name``, or a field of it (/run/table.flux), has its numbers."""
    found = []
    for one in stored_in(text):
        if name == one.path:
            found.append((one.start, one.name_end, Lead(one.at, "}", record=len(one.fields))))
        for k, field in enumerate(one.fields):
            if name == one.name_of(field):
                found.append((field.start, field.end, Lead(one.at, "}", record=len(one.fields), field=k)))
    return found


class _Opened:
    """Something whose closing brace is still to come."""

    def __init__(self, kind: str, path: str, start: int, end: int) -> None:
        self.kind, self.path, self.start, self.end = kind, path, start, end
        self.fields: list[Field] = []
        self.nested = False


def _path(opened: list[_Opened], kind: str, name: str) -> str:
    """The root group is called /, and so is the beginning of a dataset's name where it was dumped alone."""
    if name.startswith("/"):
        return name if len(name) > 1 else ""
    above = next((one.path for one in reversed(opened) if one.kind in KINDS), "")
    return f"{above or '/'}@{name}" if kind == "ATTRIBUTE" else f"{above}/{name}"
