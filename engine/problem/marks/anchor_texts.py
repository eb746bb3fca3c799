"""What of a line may be an anchor: its words, without the numbers that change from run to run."""

from __future__ import annotations

import re

from ..extract.region import squeezed
from ..numbers.numbers_in_text import numbers

MOST_WORDS = 64  # characters of an anchor
_FLOAT = re.compile(r"[.,eEdD]")
_COUNTED = re.compile(r"\(?(\d{1,4})[:)=\]](\S*[^\W\d]\S*)")
_EDGES = " \t|\u2502\u2503\u2551#%=~*\u2500-\u257f"


def numbered_names(line: str) -> list[str]:
    """The names of a heading that counts its columns, "# 1:t 2:x 3:P"; empty if it is none."""
    found = [_COUNTED.fullmatch(word) for word in line.strip(_EDGES).split()]
    counts = [int(m.group(1)) for m in found if m is not None]
    if len(counts) < max(len(found), 2) or counts not in (list(range(len(counts))), list(range(1, len(counts) + 1))):
        return []
    return [m.group(2) for m in found if m is not None]


def texts_of(line: str) -> list[tuple[str, bool]]:
    """What of a line may be an anchor: all of it, or the part before or between its numbers; and with whole numbers in it."""
    found = list(numbers(line))
    if not found or numbered_names(line):
        return [(_cut(line), False)] if _cut(line) else []
    pieces = [
        line[a:b] for a, b in zip([0, *(n.end for n in found)], [*(n.start for n in found), len(line)], strict=True)
    ]
    named = [p for p in pieces if sum(c.isalpha() for c in p) > 1]
    plain = (pieces[0] if pieces[0] in named else max(named, key=len)) if named else ""
    texts = [(_cut(plain), False)] if _cut(plain) else []
    float_at = next((n.start for n in found if _FLOAT.search(line[n.start : n.end])), len(line))
    whole = _cut(line[:float_at])
    if whole and any(c.isalpha() for c in whole) and whole not in [t for t, _ in texts]:
        texts.append((whole, True))
    return texts


def _cut(text: str) -> str:
    """``text`` without rules and bars around it, at most MOST_WORDS characters of whole words; empty without a letter."""
    plain = squeezed(text).strip(_EDGES).rstrip("=:, (").strip()
    if len(plain) > MOST_WORDS:
        plain = plain[: MOST_WORDS + 1].rsplit(" ", 1)[0][:MOST_WORDS]
    return plain if any(c.isalpha() for c in plain) else ""
