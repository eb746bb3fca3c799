"""Headings of a word and a number each, deme 1 and deme 2, or a number and its unit, 5 cm and 10 cm, with blanks between; and
those that say ± of the one before."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...data.names.column_names import STANDARD_ERROR
from .block import Column
from .united_headings import Span

PHRASE = re.compile(r"\S+(?: \S+)*")
_COMMENT = re.compile(r"^\s*[#%!]+")
_NUMBERED = re.compile(r"[^\W\d_][^=:]*? \d{1,3}")
_MEASURED = re.compile(
    r"(?P<words>[^\W\d_][^=:]* )?[-+]?[0-9]+(?:[.,][0-9]+)? ?(?P<unit>[^\W\d_%°µμ][^\s=:]*|[%°µμ][^\s=:]*)"
)
_BARE_NUMBER = re.compile(r"[-+]?[0-9]*[.,]?[0-9]+(?:[eE][-+]?[0-9]+)?")
_PLUS_MINUS = re.compile(r"[(\[]?\s*(?:\+/-|\+-|±|\+/\u2212)\s*[)\]]?")
_SE = re.compile(rf"{STANDARD_ERROR}\.?")
_SD = re.compile(r"s\.?\s?d\.?|std\.?|st\.? ?dev\.?|stddev|sigma|σ", re.IGNORECASE)
_ERROR = re.compile(r"err(?:or)?\.?|unc(?:ert(?:ainty)?)?\.?", re.IGNORECASE)


def numbered_headings(text: str, columns: Sequence[Column]) -> list[Span]:
    """Where the headings of a line stand, one over each of the ``columns``, if one of them ends with a number: deme 1; empty: it
    is no such line, or one of them stands over another column too."""
    first = _COMMENT.match(text)
    found = [m.span() for m in PHRASE.finditer(text, first.end() if first is not None else 0)]
    phrases = [text[a:b] for a, b in found]
    if len(found) != len(columns) or len(found) < 2:
        return []
    numbered = any(_NUMBERED.fullmatch(phrase) for phrase in phrases) and not any(map(_says_number, phrases))
    if _are_measured(phrases):
        return found  # one for each column, wherever they stand
    if not numbered:
        return []
    over = [[k for k, c in enumerate(columns) if a < c.right and c.left < b] for a, b in found]
    return found if all(hit in ([], [k]) for k, hit in enumerate(over)) and sum(map(bool, over)) * 2 > len(over) else []


def _says_number(phrase: str) -> bool:
    """Whether it says a number rather than a name: 20.0 deg, dt = 2."""
    words = phrase.split()
    numbers = [k for k, word in enumerate(words) if _BARE_NUMBER.fullmatch(word)]
    return "=" in phrase or ":" in phrase or any(k == 0 or k < len(words) - 1 or not words[k].isdigit() for k in numbers)


def has_measured_names(text: str) -> bool:
    """Whether a line names columns by numbers with their unit: 5 cm and 10 cm, T 5 cm and T 10 cm, between separators or
    blanks."""
    sign = next((sign for sign in ";\t," if sign in text), None)
    return _are_measured([cell.strip(' "') for cell in text.split(sign)] if sign else PHRASE.findall(_COMMENT.sub("", text)))


def _are_measured(phrases: Sequence[str]) -> bool:
    """Whether several of them are different numbers with one unit, behind the same words if any, and none is a number alone."""
    found = [m for phrase in phrases if (m := _MEASURED.fullmatch(phrase)) is not None]
    alike = len({(m["words"], m["unit"]) for m in found}) == 1 and len({m[0] for m in found}) == len(found) > 1
    return alike and not any(_BARE_NUMBER.fullmatch(phrase) for phrase in phrases)


def phrase_at(text: str, at: int) -> Span | None:
    """The words with single blanks between them around character ``at`` that end with a number; None: there are none."""
    found = next((m for m in PHRASE.finditer(text) if m.start() <= at <= m.end()), None)
    return found.span() if found is not None and _NUMBERED.fullmatch(found.group()) else None


def error_of(heading: str) -> str:
    """How the errors are called that a heading says to be those of the column before it: se, sd or error; '': it does not."""
    bare = heading.strip()
    if _PLUS_MINUS.fullmatch(bare) or _SE.fullmatch(bare):
        return "se"
    return "sd" if _SD.fullmatch(bare) else "error" if _ERROR.fullmatch(bare) else ""
