"""What stands around a number in running text and changes what it says: a sign with a space behind it, 1'234, 1.5 × 10^-3.

Looked at for the numbers that are used only, since it takes longer than reading them.
"""

from __future__ import annotations

import re
import unicodedata

from .number_characters import (
    APOSTROPHES,
    COMBINING,
    COMMAS,
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
from .number_refusals import COMMA, GROUPS, POWER, UNSEEN
from .number_text import value_of

SEEN_BEFORE, SEEN_BEHIND = 60, 120  # characters looked at
LIST_ROWS = 1000  # lines looked at above a dash, for the line that begins the list
_BLANK = f" {NO_BREAK_SPACES}"
_GAP = f"\t{_BLANK}"
_MINUS = f"-{MINUS_SIGNS}{HYPHENS}"
_SIGN = f"+{PLUS_SIGNS}{MINUS_SIGNS}{HYPHENS}\\-"
_VALUE_EXPECTED = "=:([{,;<>|&~\u2248\u2243\u2264\u2265\u2192\uff1d\uff1a\uff08"  # a dash behind one of these is a sign
_TEN = rf"(?:[{TIMES}xX*]|\\times|\\cdot)[{_BLANK}]*10[{_BLANK}]*(?:[\^{POWERS}]|\*\*|[{_SIGN}{DASHES}][0-9])"
_POWER_BEHIND = rf"[{_BLANK}]*(?:[eE][{_SIGN}]?[0-9]|{_TEN})"
_EXPONENT_APART = "has a space in its exponent"
_FROM_TO = "is joined to another number by {}, which may be a minus sign or mean from-to"
_DASH = "has {} before it, which may be a minus sign or a dash"
_SIGN_BEFORE = "has {} before it, which may be its sign"
_APART = "has its sign or a dash before it, with a space between. The sign has to stand right before the digits"
_TOGETHER = "touches another number"
_DAMAGED = "has a damaged character before it, which may be its sign"

# Each is looked for right behind the number, and right before it; {} is the character that begins the match.
_BEHIND = (
    (re.compile(rf"[{NO_BREAK_SPACES}{APOSTROPHES}{POINTS}{COMMAS}]\d|\\[,;: !][0-9]|\{{,\}}[0-9]"), GROUPS),
    (re.compile(rf"[{POWERS}]|[{_BLANK}]*(?:\^|\*{{2,}}[-+(]*\d|{_TEN})|\([0-9]{{1,6}}\){_POWER_BEHIND}"), POWER),
    (re.compile(rf"[{_BLANK}]+[eEdDqQ][{_BLANK}]?[{_SIGN}{DASHES}][{_BLANK}]?\d"), _EXPONENT_APART),
    (re.compile(rf"[{FRACTIONS}]"), "is part of a fraction"),
    (re.compile("\u221e"), _TOGETHER),
    (re.compile(rf"[{DASHES}]\d|\u00ad"), _FROM_TO),
    (re.compile(rf"[{COMBINING}]"), "has a mark over or through its digits"),
)
_BEFORE = (
    (re.compile(rf"(?<=\d)(?:[{NO_BREAK_SPACES}{APOSTROPHES}{COMMAS}]|\\[,;: !]|\{{,\}})$"), GROUPS),
    (re.compile(rf"\^[{_GAP}({{{APOSTROPHES}]*$|(?<=[\w)\]}}])\*{{2,}}[({{]?$|(?<=[0-9])[{POWERS}]+$"), POWER),
    (re.compile(r"\u221e$"), _TOGETHER),
    (re.compile(rf"(?<=[0-9.])(?:[eE][{_SIGN}]?[{_BLANK}]+|[{_BLANK}]+[eEdDqQ][{_SIGN}][{_BLANK}]?)$"), _EXPONENT_APART),
    (re.compile(rf"(?<=\))[{_BLANK}]?[eE][{_SIGN}]$"), POWER),
    (re.compile(rf"(?<=[0-9])[{FRACTIONS}]$"), "is part of a fraction"),
    (re.compile(rf"[{DASHES}]$"), _DASH),
    (re.compile("(?:\u00e2(?:\u02c6\u2019|\x88\x92|\u20ac.|\x80.)|\u00ef.[\x80-\xbf])$"), _DAMAGED),  # UTF-8 read as Latin-1
    (re.compile(rf"(?<=\w)[{COMBINING}]+$"), "is part of a word"),
)
_RUN_WITH_COMMA = re.compile(r"(?<![\w.])([\w.])[\w.]*,$")
_NO_HYPHEN = re.compile(rf"[\d.{POWERS}{FRACTIONS}][eEdDqQ]?$|\\[A-Za-z]+$")  # x1.5e-3, \approx-1.5
_BACKWARDS = re.compile("\u202e[^\u202c]*$")
_UNSEEN_BEFORE, _UNSEEN_BEHIND = re.compile(rf"[{INVISIBLE}]+$"), re.compile(rf"[{INVISIBLE}]+")
_TOUCHING = re.compile(rf"[\w.,\u221e{_SIGN}{DASHES}]")  # with something unseen between it and a number
_BRACKET_WITH_POWER = re.compile(rf"[^()\n]*\){_POWER_BEHIND}")  # (1.5 ± 0.3)e-05
_SIGN_APART = re.compile(rf"(?P<before>[^{_GAP}]?)[{_GAP}]*(?P<sign>[{_MINUS}{DASHES}])[{_GAP}]+$")
_MISLEADING = re.compile(
    rf"[\^*\\{APOSTROPHES}{NO_BREAK_SPACES}{POINTS}{COMMAS}{POWERS}{FRACTIONS}{DASHES}{TIMES}{COMBINING}{INVISIBLE}\u00e2\u00ef]"
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


def problem_around(
    text: str, start: int, end: int, lone_dashes: bool = False, *, before: bool = True, behind: bool = True
) -> str:
    """Why the number at [start, end) is not what it says by itself, in a sentence; empty: it is.

    ``lone_dashes``: in a table, where a dash by itself is a cell without a value. ``before``, ``behind``: where to look.
    """
    line_start = text.rfind("\n", max(0, start - SEEN_BEFORE), start) + 1
    left = without_colours(text[max(line_start, start - SEEN_BEFORE) : start])
    right = without_colours(text[end : end + SEEN_BEHIND].split("\n", 1)[0])
    number = text[start:end]
    reason = (behind and _reason_behind(left, right)) or (before and _reason_before(left, number))
    if not reason and before and _sign_is_apart(text, start, _UNSEEN_BEFORE.sub("", left), lone_dashes):
        reason = _APART
    return f"“{shorten(number)}” in “{shorten(left[-20:] + number + right[:20])}” {reason}." if reason else ""


def _reason_behind(before: str, behind: str) -> str:
    unseen = _UNSEEN_BEHIND.match(behind)
    if unseen is not None:
        behind = behind[unseen.end() :]
        if _TOUCHING.match(behind):
            return UNSEEN.format(named(unseen.group()[0]))
    for pattern, words in _BEHIND:
        if pattern.match(behind):
            return words.format(named(behind[0]))
    if before.rfind("(") > before.rfind(")") and _BRACKET_WITH_POWER.match(behind):
        return POWER
    return ""


def _reason_before(before: str, number: str) -> str:
    if _BACKWARDS.search(before):
        return "is shown backwards, since a character that nobody sees says so"
    unseen = _UNSEEN_BEFORE.search(before)
    if unseen is not None:
        before = before[: unseen.start()]
        if _TOUCHING.match(before[-1:]):
            return UNSEEN.format(named(unseen.group()[0]))
    for pattern, words in _BEFORE:
        match = pattern.search(before)
        if match is not None:
            return words.format(named(match.group()[0]))
    run = _RUN_WITH_COMMA.search(before)
    if run is not None and not run[1].isalpha() and value_of(run.group()[:-1]) is None:
        return COMMA  # ²0,5, of which 5 was taken; but not run1,5 or 1,5
    last, one_before = before[-1:], before[-2:-1]
    if last and last in POINTS and number[0] not in _SIGN:
        return GROUPS.format(named(last))  # ·05 in print is 0.05
    if before.endswith("+/") and number[0] in _MINUS:
        return "has the minus sign of +/- before it, which is not its own"
    if not last or last not in _SIGN or before.endswith(("+/-", "+/\u2212")):
        return ""
    if number[0] in _SIGN:
        return "has two signs"
    hyphen = last in "+-" + HYPHENS + PLUS_SIGNS and one_before.isalnum()
    if hyphen and not _NO_HYPHEN.search(before[:-1]) and unicodedata.category(one_before) != "Lo":
        return ""  # run-5; scripts without small letters are written without hyphens
    return _SIGN_BEFORE.format(named(last))


def _sign_is_apart(text: str, position: int, before: str, lone_dashes: bool) -> bool:
    match = _SIGN_APART.search(before)
    if match is None:
        return False
    if match["sign"] in MINUS_SIGNS:
        return True
    if text[position] in _SIGN:
        return False
    if match["before"]:
        return match["before"] in _VALUE_EXPECTED
    return not lone_dashes and not _in_list(text, position)


def _in_list(text: str, position: int) -> bool:
    """Whether the dash that begins this line marks an entry of a list, which is the number and nothing else: above all entries
    stands a line that ends with a colon."""
    start, end = text.rfind("\n", 0, position) + 1, text.find("\n", position)
    if len(text[position : len(text) if end < 0 else end].split("#")[0].split()) > 1:
        return False
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
