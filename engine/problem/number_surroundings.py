"""What stands around a number in running text and changes what it says: a sign with a space behind it, 1'234, 1.5 × 10^-3.

Looked at for the numbers that are used only, since it takes longer than reading them.
"""

from __future__ import annotations

import re
import unicodedata

from .number_characters import (
    APOSTROPHES,
    COMBINING,
    DASHES,
    FRACTIONS,
    HYPHENS,
    INVISIBLE,
    MINUS_SIGNS,
    NO_BREAK_SPACES,
    PLUS_SIGNS,
    POINTS,
    POWERS,
    TIMES,
    named,
    shorten,
    without_colours,
)
from .number_refusals import GROUPS, POWER, UNSEEN

SEEN_BEFORE, SEEN_BEHIND = 60, 120  # characters looked at
LIST_ROWS = 1000  # lines looked at above a dash, for the line that begins the list
_BLANK = " \t\u00a0\u202f"
_MINUS = f"-{MINUS_SIGNS}{HYPHENS}"
_SIGN = f"+{PLUS_SIGNS}{MINUS_SIGNS}{HYPHENS}\\-"
_VALUE_EXPECTED = "=:([{,;<>|&~\u2248\u2243\u2264\u2265\u2192\uff1d\uff1a\uff08"  # a dash behind one of these is a sign
_TEN = rf"(?:[{TIMES}xX*]|\\times|\\cdot)[{_BLANK}]?10[{_BLANK}]?(?:[\^{POWERS}]|\*\*|[{_SIGN}{DASHES}][0-9])"
_POWER_BEHIND = rf"[{_BLANK}]?(?:[eE][{_SIGN}]?[0-9]|{_TEN})"
_EXPONENT_APART = "has a space in its exponent"
_FROM_TO = "is joined to another number by {}, which may be a minus sign or mean from-to"
_DASH = "has {} before it, which may be a minus sign or a dash"
_SIGN_BEFORE = "has {} before it, which may be its sign"
_APART = "has its sign or a dash before it, with a space between. Let the program print the sign right before the digits"
_DAMAGED = "has a damaged character before it, which may be its sign"

# Each is looked for right behind the number, and right before it; {} is the character that begins the match.
_BEHIND = (
    (re.compile(rf"[{NO_BREAK_SPACES}{APOSTROPHES}{POINTS}][0-9]|\\[,;: !][0-9]|\{{,\}}[0-9]"), GROUPS),
    (re.compile(rf"[{POWERS}]|[{_BLANK}]?(?:\^|\*\*[-+(]?[0-9]|{_TEN})|\([0-9]{{1,6}}\){_POWER_BEHIND}"), POWER),
    (re.compile(rf"[{_BLANK}][eEdDqQ][{_BLANK}]?[{_SIGN}][{_BLANK}]?[0-9]"), _EXPONENT_APART),
    (re.compile(rf"[{FRACTIONS}]"), "is part of a fraction"),
    (re.compile(rf"[{DASHES}][0-9]"), _FROM_TO),
    (re.compile(rf"[{COMBINING}]"), "has a mark over or through its digits"),
    (re.compile(rf"[{INVISIBLE}]+[\w.,{_SIGN}]"), UNSEEN),
)
_BEFORE = (
    (re.compile(rf"(?<=[0-9])(?:[{NO_BREAK_SPACES}{APOSTROPHES}{POINTS}]|\\[,;: !]|\{{,\}})$"), GROUPS),
    (re.compile(rf"(?<=[\w)\]}}])(?:\^|\*\*)[({{]?$|(?<=[0-9])[{POWERS}]+$"), POWER),
    (re.compile(rf"(?<=[0-9.])(?:[eE][{_SIGN}]?[{_BLANK}]+|[{_BLANK}][eEdDqQ][{_SIGN}][{_BLANK}]?)$"), _EXPONENT_APART),
    (re.compile(rf"(?<=\))[{_BLANK}]?[eE][{_SIGN}]$"), POWER),
    (re.compile(rf"[{DASHES}]$"), _DASH),
    (re.compile("(?:\u00e2(?:\u02c6\u2019|\x88\x92|\u20ac.|\x80.)|\u00ef.[\x80-\xbf])$"), _DAMAGED),  # UTF-8 read as Latin-1
    (re.compile(rf"(?<=[\w.{_SIGN}])[{INVISIBLE}]+$"), UNSEEN),
    (re.compile(rf"(?<=\w)[{COMBINING}]+$"), "is part of a word"),
    (re.compile("\u202e[^\u202c]*$"), "is shown backwards: {} stands before it"),
)
_BRACKET_WITH_POWER = re.compile(rf"[^()\n]*\){_POWER_BEHIND}")  # (1.5 ± 0.3)e-05
_SIGN_APART = re.compile(rf"(?P<before>[^{_BLANK}]?)[{_BLANK}]*(?P<sign>[{_MINUS}{DASHES}])[{_BLANK}]+$")
_MISLEADING = re.compile(
    rf"[\^*\\{APOSTROPHES}{NO_BREAK_SPACES}{POINTS}{POWERS}{FRACTIONS}{DASHES}{TIMES}{COMBINING}{INVISIBLE}\u00e2\u00ef]"
    rf"|[{MINUS_SIGNS}{HYPHENS}](?![0-9.])|(?<=\w)[{MINUS_SIGNS}]|(?<=[^\x00-\x7f])-[0-9]|[-+][-+]|\+/"
    rf"|[{re.escape(_VALUE_EXPECTED)}] *- |[ )][xXeEdDqQ] ?[-+0-9]|[0-9.][eEdDqQ] "
)

_ORDINARY = re.compile(r"[-+0-9.,; \t\r]*")
_WITH_EXPONENTS = re.compile(r"[-+0-9.,;eE \t\r]*")


def may_mislead(line: str) -> bool:
    """Whether something in ``line`` makes it worth while to look around the words that are numbers, in a table."""
    if "- " not in line:
        if _ORDINARY.fullmatch(line) is not None:
            return False
        if _WITH_EXPONENTS.fullmatch(line) is not None:
            return "E " in line or "e " in line or " E" in line or " e" in line
    return _MISLEADING.search(line) is not None


def problem_around(text: str, start: int, end: int, lone_dashes: bool = False) -> str:
    """Why the number at [start, end) is not what it says by itself, in a sentence; empty: it is.

    ``lone_dashes``: the text is a table, in which a dash by itself is a cell without a value.
    """
    line_start = text.rfind("\n", max(0, start - SEEN_BEFORE), start) + 1
    before = without_colours(text[max(line_start, start - SEEN_BEFORE) : start])
    behind = without_colours(text[end : end + SEEN_BEHIND].split("\n", 1)[0])
    number = text[start:end]
    reason = _reason_behind(before, behind) or _reason_before(before, number)
    if not reason and number[0] not in _SIGN and _sign_is_apart(text, start, before, lone_dashes):
        reason = _APART
    return f"“{shorten(number)}” in “{shorten(before[-20:] + number + behind[:20])}” {reason}." if reason else ""


def _reason_behind(before: str, behind: str) -> str:
    for pattern, words in _BEHIND:
        if pattern.match(behind):
            return words.format(named(behind[0]))
    if before.rfind("(") > before.rfind(")") and _BRACKET_WITH_POWER.match(behind):
        return POWER
    return ""


def _reason_before(before: str, number: str) -> str:
    for pattern, words in _BEFORE:
        match = pattern.search(before)
        if match is not None:
            return words.format(named(match.group()[0]))
    last, one_before = before[-1:], before[-2:-1]
    if not last or last not in _SIGN or before.endswith(("+/-", "+/\u2212")):
        return ""
    if number[0] in _SIGN:
        return "has two signs"
    hyphen = last in "+-" + HYPHENS + PLUS_SIGNS and (one_before.isalnum() or one_before == "_")
    if hyphen and not (not one_before.isascii() and unicodedata.category(one_before) == "Lo"):
        return ""  # run-5; scripts without small letters are written without hyphens
    return _SIGN_BEFORE.format(named(last))


def _sign_is_apart(text: str, start: int, before: str, lone_dashes: bool) -> bool:
    match = _SIGN_APART.search(before)
    if match is None:
        return False
    if match["sign"] in MINUS_SIGNS:
        return True
    if match["before"]:
        return match["before"] in _VALUE_EXPECTED
    return not lone_dashes and not _in_list(text, start)


def _in_list(text: str, position: int) -> bool:
    """Whether the dash that begins this line marks an entry of a list: above all entries stands a line that ends with a colon."""
    start = text.rfind("\n", 0, position) + 1
    indent = text[start:position].split("-", 1)[0]
    for _ in range(LIST_ROWS):
        if start == 0:
            return False
        above = text.rfind("\n", 0, start - 1) + 1
        line = text[above : start - 1]
        if not line.startswith(indent + "- "):
            return line.rstrip().endswith(":")
        start = above
    return False
