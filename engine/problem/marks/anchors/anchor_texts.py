"""What of a line may be an anchor: its words, without the numbers, dates and times of day that change from run to run."""

from __future__ import annotations

import re

from ...data.units.unit_names import known_unit
from ...extract.region import squeezed
from ...numbers.dates_in_text import dates_in
from ...numbers.numbers_in_text import Number, numbers

MOST_WORDS = 64  # characters of an anchor
MOST_BEFORE = 40  # characters before a number that tell whether it is an exponent: lines may be long
_FLOAT = re.compile(r"[.,eEdD]")
_COUNTED = re.compile(r"\(?(\d{1,4})[:)=\]](\S*[^\W\d]\S*)")
_BASE = re.compile(r"[^\W\d_][)\]]?(?:\^|\*\*)[({]?$")  # before the exponent of a unit: A^-2
_SIGNED = re.compile(r"[/(\[](?:[^\s/()\[\]]{1,9} ){0,3}([^\W\d_]{1,4})[-\u2212]$")  # ... of /kJ mol-1; day-1 counts
_POWER = re.compile(r"[-+\u2212]?\d")  # of more digits it is no exponent of a unit
_SIGNS = "-+\u2212"
_EDGES = " \t|\u2502\u2503\u2551#%=~*\u2500-\u257f"


def numbered_names(line: str) -> list[str]:
    """The names of a heading that counts its columns, "# 1:t 2:x 3:P"; empty if it is none."""
    found = [_COUNTED.fullmatch(word) for word in line.strip(_EDGES).split()]
    counts = [int(m.group(1)) for m in found if m is not None]
    if len(counts) < max(len(found), 2) or counts not in (list(range(len(counts))), list(range(1, len(counts) + 1))):
        return []
    return [m.group(2) for m in found if m is not None]


def loose_numbers(line: str) -> list[Number]:
    """The numbers of a line but exponents of units, which are parts of words: those do not change from run to run."""
    return [n for n in numbers(line) if not _is_exponent(line, n)]


def _is_exponent(line: str, number: Number) -> bool:
    start = number.start
    if _POWER.fullmatch(line, start, number.end) is None:
        return False
    before = line[max(0, start - MOST_BEFORE) : start + (line[start] in _SIGNS)]
    unit = _SIGNED.search(before)
    return _BASE.search(before.rstrip(_SIGNS)) is not None or (unit is not None and known_unit(unit[1]))


def texts_of(line: str) -> list[tuple[str, bool]]:
    """What of a line may be an anchor: all of it, or the part before or between its numbers and dates; and with whole numbers
    in it, before any date; and last with the date, if there is one."""
    dates = dates_in(line)
    amid = [n for n in loose_numbers(line) if not any(a <= n.start < b for a, b in dates)]
    found = sorted([*dates, *((n.start, n.end) for n in amid)])
    if not found or numbered_names(line):
        return [(_cut(line), False)] if _cut(line) else []
    begins, ends = [0, *(end for _, end in found)], [*(start for start, _ in found), len(line)]
    pieces = [line[a:b] for a, b in zip(begins, ends, strict=True)]
    named = [p for p in pieces if sum(c.isalpha() for c in p) > 1]
    plain = (pieces[0] if pieces[0] in named else max(named, key=len)) if named else ""
    texts = [(_cut(plain), False)] if _cut(plain) else []
    float_at = next((n.start for n in amid if _FLOAT.search(line[n.start : n.end])), len(line))
    for end in (min([float_at, *(start for start, _ in dates[:1])]), float_at):
        whole = _cut(line[:end])
        if whole and whole not in [t for t, _ in texts]:
            texts.append((whole, True))
    return texts


def _cut(text: str) -> str:
    """``text`` without rules and bars around it, at most MOST_WORDS characters of whole words; empty without a letter."""
    plain = squeezed(text).strip(_EDGES).rstrip("=:, (").strip()
    if len(plain) > MOST_WORDS:
        plain = plain[: MOST_WORDS + 1].rsplit(" ", 1)[0][:MOST_WORDS]
    return plain if any(c.isalpha() for c in plain) else ""
