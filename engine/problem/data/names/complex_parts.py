"""Of which part of a complex quantity a name is: S11 real, Re(S11), S11_im, |S11|, S11 [dB], S11 angle [deg]. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal

from ..units.unit_names import NAMES_KNOWN
from .column_names import unit_in, without_unit

Part = Literal["real", "imaginary", "magnitude", "dB", "angle"]
Column = Sequence[float | None]
_WORDS: Mapping[Part, str] = {
    "real": "real|re", "imaginary": "imaginary|imag|im", "magnitude": "magnitude|mag|abs", "dB": "db",
    "angle": "angle|ang|phase|arg",
}  # fmt: skip
_BASE = r"(?P<base>[^\W\d_]+[ _]?[0-9(][0-9, ()_]*|[^\W\d_]+)"  # S11, Z(1,2), gamma
_ENDS = {part: re.compile(rf"{_BASE}[\s_.-]*[(]?(?:{words})[)]?", re.IGNORECASE) for part, words in _WORDS.items()}
_BEHIND = rf"(?:[\s_.-]+|\s*(?P<open>\()){_BASE}(?(open)\))"
_BEGINS = {part: re.compile(rf"(?:{words}){_BEHIND}", re.IGNORECASE) for part, words in _WORDS.items()}
_JOINED = re.compile(r"(?P<base>[A-Z])(?P<word>real|imag|imaginary)")  # Zreal, but neither core nor claim
_MINUS = re.compile("^[-\u2212] ?(?=[^\\W\\d_])")
_BARS = re.compile(rf"\|{_BASE}\|")
DECIBELS = 20.0  # of a magnitude, not of a power


@lru_cache(NAMES_KNOWN)
def part_of(name: str) -> tuple[str, Part] | None:
    """The quantity, in one spelling, and which part of it; None: the name says no part."""
    bare = _MINUS.sub("", " ".join(without_unit(name).split()))
    if unit_in(name).casefold() == "db":
        return _spelled(bare), "dB"
    if (bars := _BARS.fullmatch(bare)) is not None:
        return _spelled(bars["base"]), "magnitude"
    if (joined := _JOINED.fullmatch(bare)) is not None:
        return _spelled(joined["base"]), "real" if joined["word"] == "real" else "imaginary"
    whole = _MINUS.sub("", " ".join(name.split()))  # S11 is no unit
    tried = ((part, form.fullmatch(text)) for part in _WORDS for form in (_ENDS[part], _BEGINS[part]) for text in (bare, whole))
    return next(((_spelled(found["base"]), part) for part, found in tried if found is not None and _apart(found)), None)


def is_negative(name: str) -> bool:
    """Whether a name says minus the quantity: -Im(Z)."""
    return _MINUS.match(" ".join(name.split())) is not None


def _apart(found: re.Match[str]) -> bool:
    """Whether the word stands by itself: behind a digit or a sign, not the end of another word (core, claim)."""
    bare, at = found.string, found.end("base")
    return found.start("base") > 0 or not bare[at - 1].isalpha() or not bare[at : at + 1].isalpha()


def _spelled(base: str) -> str:
    return re.sub(r"[\W_]+", "", base).casefold()


def names_by_part(outputs: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """Each output with the only column that is the same part of the same quantity; none where several are."""
    mine, theirs = ({n: part for n in names if (part := part_of(n)) is not None} for names in (outputs, columns))
    fits = {o: [c for c, part in theirs.items() if part == own] for o, own in mine.items()}
    parts = list(mine.values())
    return {o: found[0] for o, found in fits.items() if len(found) == 1 and parts.count(mine[o]) == 1}


def converted(part: Part, given: Mapping[Part, Column]) -> tuple[float | None, ...] | None:
    """That ``part`` (n,) of a quantity of which other parts (n,) are ``given``, angles in degrees; None: they do not tell it."""
    if (size := given.get("magnitude")) is None and (decibels := given.get("dB")) is not None:
        size = [None if v is None else 10.0 ** (v / DECIBELS) for v in decibels]
    real, imaginary, angle = given.get("real"), given.get("imaginary"), given.get("angle")
    if size is not None and part in ("magnitude", "dB"):
        return tuple(_sized(v, part) for v in size)
    if real is not None and imaginary is not None:
        both = zip(real, imaginary, strict=True)
        return tuple(None if a is None or b is None else _of_parts(a, b, part) for a, b in both)
    if size is not None and angle is not None:
        pairs = zip(size, angle, strict=True)
        return tuple(None if v is None or a is None else _turned(v, math.radians(a), part) for v, a in pairs)
    return None


def _sized(size: float | None, part: Part) -> float | None:
    if size is None or part == "magnitude":
        return size
    return DECIBELS * math.log10(size) if size > 0.0 else None


def _of_parts(real: float, imaginary: float, part: Part) -> float | None:
    if part == "angle":
        return math.degrees(math.atan2(imaginary, real))
    return _sized(math.hypot(real, imaginary), part)


def _turned(size: float, angle: float, part: Part) -> float | None:
    return size * (math.cos(angle) if part == "real" else math.sin(angle))
