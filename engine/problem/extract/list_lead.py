"""What stands between the name of a list and its first number: signs, brackets, the rest of a tag, a count, a scale factor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..numbers.number_text import looks_like_number, value_of

CLOSING = {"(": ")", "[": "]", "{": "}"}
MISSING = frozenset(("_", "--", "NA", "N/A", "n/a", "null", "NULL", "None"))  # in the place of a number of a list
MOST_LINES = 4  # ends of lines between a name and its list, blank lines among them
LONGEST_TAG = 2_000  # characters
REPEATED = re.compile(r"([0-9]{1,9})\*(\S+)")  # 3*0.0 in a Fortran namelist
WORD = re.compile(r"[^\s,;(){}\[\]<>\"']+")
COLUMNS = re.compile(r"[^\S\n]*Columns?[^\S\n]+([0-9]+)(?:[^\S\n]+(?:through|to|and)[^\S\n]+[0-9]+)?[^\S\n]*:?[^\S\n]*(?:\n|$)")
PLACE = re.compile(r"[^\S\n]*\(([0-9]+(?:,[^\S\n]*[0-9]+)*)\):[^\S\n]+")  # (3,0): before the first number of a line
INDEX = re.compile(r"\[([0-9]+)\][^\S\n]+(?=\S)")  # [5] before the fifth number, as R prints it
_SPACE = re.compile(r"[^\S\n]*")
_SIGN = re.compile(r"<-|[=:>\"']")
_SCALE = re.compile(r"([0-9]+(?:\.[0-9]*)?[eE][-+]?[0-9]+)[^\S\n]*\*[^\S\n]*(?=\n)")
_COUNT = re.compile(r"([0-9]{1,9})[^\S\n]*(?:(\n)|(?=\())")
_OPEN_TAG = re.compile(r"(?<!\w)<([A-Za-z_][\w.:\-]*)(?=[\s>])[^<>]*$")


@dataclass(frozen=True)
class Lead:
    """``at``: where the numbers begin; ``brackets``: those that close the ones opened, the innermost last; ``tag``: of the
    element that they stand in; ``count``: how many are announced; ``scale``: by which each is multiplied, as it is written;
    ``column``: the number of the first column, where columns are named; ``lines``: line ends passed over; ``record``: how many
    numbers make one record, ``field``: which of each is meant, from 0 (None: all)."""

    at: int
    brackets: str = ""
    tag: str = ""
    count: int | None = None
    scale: str = ""
    column: int | None = None
    lines: int = 0
    record: int = 0
    field: int | None = None


def lead(text: str, at: int, counted: bool = False) -> Lead | None:
    """What leads from ``at``, the end of a name, to the numbers of a list; None if none follows.

    ``counted``: a whole number at the end of the name's line says how many there are.
    """
    tag, at = _rest_of_tag(text, at)
    if at < 0:
        return None
    brackets, scale, lines = "", "", 0
    count: int | None = None
    column: int | None = None
    while at < len(text):
        at = _SPACE.match(text, at).end()  # type: ignore[union-attr]  # matches nothing, too
        sign = text[at : at + 1]
        if sign == "\n":
            lines += 1
            if lines > MOST_LINES:
                return None
            at += 1
        elif (sign == "[" and not brackets and INDEX.match(text, at)) or (brackets and PLACE.match(text, at)):
            break
        elif sign in CLOSING and sign:
            brackets += CLOSING[sign]
            at += 1
        elif not brackets and (named := _SIGN.match(text, at)):
            at = named.end()
        elif not scale and (scaled := _SCALE.match(text, at)):
            scale, at = scaled[1], scaled.end()
        elif column is None and (headed := COLUMNS.match(text, at)):
            column, at, lines = int(headed[1]), headed.end(), 0
        elif count is None and not brackets and (found := _count(text, at, counted and lines == 0)):
            count, at = int(found[1]), found.start() + len(found[1])
        else:
            break
    if not begins_list(text, at):
        return None
    return Lead(at, brackets, tag, count, scale, column, lines)


def _rest_of_tag(text: str, at: int) -> tuple[str, int]:
    """The element in whose opening tag ``at`` lies, and the end of that tag; ('', at) in none, (.., -1) if it has no content."""
    before = text[max(0, at - LONGEST_TAG) : at]
    opened = _OPEN_TAG.search(before + text[at : at + 1].strip(">")) if "<" in before else None
    if opened is None:
        return "", at
    end = text.find(">", at, at + LONGEST_TAG)
    return opened[1], end + 1 if end >= 0 and text[end - 1] != "/" else -1


def _count(text: str, at: int, on_line: bool) -> re.Match[str] | None:
    """A whole number that says how many numbers follow: at the end of the name's line, or before the bracket that opens them."""
    found = _COUNT.match(text, at)
    if found is None or on_line:
        return found if found is not None and found[2] else None
    behind = text[found.end() : found.end() + 80].lstrip()
    return found if behind.startswith("(") else None


def begins_list(text: str, at: int) -> bool:
    """Whether a number, or what stands in the place of one, begins at ``at``."""
    index = INDEX.match(text, at) or PLACE.match(text, at)
    at = at if index is None else index.end()
    word = WORD.match(text, at + (text[at : at + 1] in ("'", '"')))
    if word is None:
        return False
    inner = word.group()
    repeated = REPEATED.fullmatch(inner)
    inner = repeated[2] if repeated is not None else inner
    return value_of(inner) is not None or inner in MISSING or looks_like_number(inner)


def name_pattern(name: str) -> re.Pattern[str]:
    """``name`` as whole words on one line, with any white space between them."""
    words = name.split()
    return re.compile(
        (r"(?<![\w.])" if words[0][0].isalnum() or words[0][0] == "_" else "")
        + r"[^\S\n]+".join(map(re.escape, words))
        + (r"(?!\w)" if words[-1][-1].isalnum() or words[-1][-1] == "_" else "")
    )


def leads(text: str, name: str | None, counted: bool = False) -> Iterator[tuple[int, int, Lead]]:
    """The appearances of ``name`` that a list follows: its characters, and what leads to the numbers.

    Without a name: the list with which the text begins, if it does.
    """
    if name is None:
        first = lead(text, 0, counted)
        if first is not None:
            yield 0, 0, first
        return
    for found in name_pattern(name).finditer(text):
        there = lead(text, found.end(), counted)
        if there is not None and (there.count is not None or not counted):
            yield found.start(), found.end(), there
