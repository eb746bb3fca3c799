"""The characters in and around numbers: which stand for a sign, which part groups of digits, which nobody sees.

Classes are written for the inside of [ ] in a regular expression.
"""

from __future__ import annotations

import re
import unicodedata

MINUS_SIGNS = "\u2212\uff0d\ufe63"  # signs and nothing else
HYPHENS = "\u2010\u2011"  # as good as the hyphen of the keyboard, which is a minus sign too
PLUS_SIGNS = "\uff0b\ufe62"
DASHES = "\u00ad\u2012-\u2015\u2043\u207b\u208b\u02d7\u2796\ufe58"  # may be a sign, a dash between words, or from-to
NO_BREAK_SPACES = "\u00a0\u202f\u2005-\u200a"  # in print they stand between groups of digits
APOSTROPHES = "'\u2018\u2019\u02bc\uff07`\u00b4\u2032"  # between thousands in Switzerland
POINTS = "\u00b7\u02d9\u0387\u2022\u2024\u2027\u2219\u22c5\u30fb\uff0e\ufe52\u3002\uff61\u066b"  # raised and wide ones
COMMAS = "\u066c\uff0c\ufe50\u3001\u060c\u201a"
POWERS = "\u00b9\u00b2\u00b3\u2070-\u207e\u2080-\u208e"  # raised and lowered digits and signs
FRACTIONS = "\u00bc-\u00be\u2044\u2150-\u215f\u2189"
TIMES = "\u00d7\u2715\u2716\u2a2f\u00b7\u22c5\u2219"
COMBINING = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f"
INVISIBLE = (
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff"
)
_HARMLESS_AROUND = "\ufeff\u200b\u200c\u200d\u2060\u200e\u200f\u061c"  # byte order marks and marks of direction
_SPACES = "".join(c for c in map(chr, range(0x3001)) if c.isspace())
_COLOUR = re.compile(r"\x1b\[[0-9;:?]*[ -/]*[@-~]")  # what a terminal takes for colours, not for text

_WORD = re.compile(r"\S+")
_WIDE_WORD = re.compile(rf"\S+(?:(?<=[0-9])[{NO_BREAK_SPACES}](?=[0-9])\S+)*")


def plain_signs(text: str) -> str:
    """``text`` with - and + for their other forms; every character keeps its place."""
    if text.isascii():
        return text
    for sign in MINUS_SIGNS + HYPHENS:
        text = text.replace(sign, "-")
    for sign in PLUS_SIGNS:
        text = text.replace(sign, "+")
    return text


def without_colours(text: str) -> str:
    """``text`` with spaces for a terminal's colour codes; every character keeps its place."""
    return text if "\x1b" not in text else _COLOUR.sub(lambda match: " " * len(match.group()), text)


def bare(text: str) -> str:
    """``text`` without white space, colour codes and harmless invisible characters around it."""
    text = without_colours(text)
    return text.strip() if text.isascii() else text.strip(_SPACES + _HARMLESS_AROUND)


def word_pattern(text: str) -> re.Pattern[str]:
    """What finds the words of ``text``; digits with a no-break space between them are one word, as people see them."""
    return _WORD if text.isascii() else _WIDE_WORD


def named(character: str) -> str:
    """How a sentence calls a character that may not be seen: NO-BREAK SPACE (U+00A0)."""
    return f"{unicodedata.name(character, 'a control character')} (U+{ord(character):04X})"


def shorten(text: str, most: int = 60) -> str:
    """``text`` on one line, cut in the middle if it is long."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[: most - 20]} … {flat[-15:]}"
