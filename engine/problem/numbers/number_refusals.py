"""Why a text is not read as a number: what is wrong with it, in words that follow the quoted text."""

from __future__ import annotations

import re

from .number_characters import (
    APOSTROPHES,
    COMBINING,
    COMMAS,
    DASHES,
    FRACTIONS,
    INVISIBLE,
    NO_BREAK_SPACES,
    POINTS,
    POWERS,
    TIMES,
    named,
    plain_signs,
)

MANTISSA = r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)"
_NUMBER = rf"{MANTISSA}(?:[eEdDqQ][-+]?[0-9]+)?"
_DIGITS = "0-9.,"
COMMA = "can be read in two ways because of its comma"
STARS = "stands where the number should be: the program could not fit the number into its field"
TOGETHER = "is several numbers with no space between them. Let the program print spaces, or read it with a search pattern"
POWER = "is written with a power. Let the program print it like 1.5e-3"
GROUPS = "has {} between its digits. Write the number without"
DASH = "begins with {}, which may be a minus sign or a dash. Use the hyphen of the keyboard"
OTHER_DIGITS = "has {} in it, which is none of the digits 0 to 9"
UNSEEN = "has {} in it, which nobody sees"
APART = "has a space between sign and digits, so that the sign may be a dash. Write it without the space"
TOO_LARGE = "is too large to compute with"
CUT = "breaks off in its exponent: the output seems to be cut off"
POINT_IN_COMMAS = "can be read in two ways because of its point, since a decimal comma is declared"


def _rules(*rules: tuple[str, str]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern, re.DOTALL | re.IGNORECASE), words) for pattern, words in rules)


# A group called c is the character that the words name. The first rule that fits is taken.
_LIKE_NUMBERS = _rules(
    (r"[-+]?\*{2,}", STARS),
    (rf"(?=.*\d).*(?P<c>[{INVISIBLE}]).*", UNSEEN),
    (rf"[-+{_DIGITS}]*(?P<c>(?![0-9])\d)[\w.,+\-]*", OTHER_DIGITS),
    (rf"(?P<c>[{DASHES}])\s*[{_DIGITS}].*", DASH),
    (rf"[-+]?[{_DIGITS}]+(?P<c>[{NO_BREAK_SPACES}{APOSTROPHES}])[0-9][{_DIGITS}{NO_BREAK_SPACES}{APOSTROPHES}]*", GROUPS),
    (r"[-+]?[0-9]{1,3}(?P<c>_)[0-9]{3}(?:_[0-9]{3})*(?:\.[0-9_]*)?(?:e[-+]?[0-9]+)?|[-+]?[0-9]+\.[0-9]*(?P<d>_)[0-9_]+", GROUPS),
    (rf"[-+]?[0-9]*(?P<c>[{POINTS}{COMMAS}])[0-9].*", GROUPS),
    (rf"[-+]?[{_DIGITS}]*\s?[{FRACTIONS}].*", "is a fraction. Write it with decimals"),
    (rf"{MANTISSA}(?:\s*(?:[{TIMES}x*]|\\times|\\cdot)\s*10\s*(?:[-+^{{{POWERS}]|\*\*).*|\s?(?:\^|\*\*).*|[{POWERS}].*)", POWER),
    (rf"{MANTISSA}\s+[edq]\s?[-+]?[0-9]+|{MANTISSA}[edq]\s+[-+]?[0-9]+", "has a space in its exponent. Write it without"),
    (rf"{MANTISSA}[edq][-+]|[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)e", CUT),
    (rf"{_NUMBER}", TOO_LARGE),
    (rf"{_NUMBER}[-+]", "has its sign behind it. Write the sign before the digits"),
    (rf"[-+]{{2,}}{_NUMBER}", "has two signs"),
    (rf"[-+]\s+{_NUMBER}", APART),
    (r"[-+]?0x[0-9a-f]*\.?[0-9a-f]*p[-+]?[0-9]+", "is a hexadecimal number. Let the program print it with decimal digits"),
    (r"[-+]?1\.#\w+", "stands for something that is no number"),
    (rf"\(?{_NUMBER}[-+]{_NUMBER}[ij]\)?", "is a complex number"),
    (rf"(?=.*\.)(?![0-9]{{4}}-[0-9]{{2}}-){_NUMBER}(?:[-+](?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[edq][-+]?[0-9]+)?)+", TOGETHER),
    (r"[-+]?[0-9]{1,3}(?:\.[0-9]{3}){2,}(?:,[0-9]*)?", GROUPS.format("points")),
    (r"[-+]?[0-9.]+[edq][-+]?[0-9]+\.[0-9.]*", "has a point in its exponent"),
    (r"[-+]?[0-9]+\.{2,}[0-9]*", "has several points"),
    (rf".*[0-9][{COMBINING}].*", "has a mark over or through its digits"),
)
_COMMAS = _rules(
    (r"[-+]?[0-9]*,[0-9]+(?:[ed][-+]?[0-9]+)?|[-+]?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]*)?", COMMA),
    (r"[-+]?[1-9][0-9]{0,2}\.[0-9]{3},[0-9]*", COMMA),
)
_DECIMAL_COMMAS = _rules(
    (r"[-+]?[1-9][0-9]{0,2}\.[0-9]{3}", POINT_IN_COMMAS),
    (r"[-+]?(?=[0-9,]*\.)(?=[0-9.]*,)[0-9.,]+(?:[ed][-+]?[0-9]+)?", "has both a point and a comma"),
    (r"[-+]?[0-9]{1,3}(?:,[0-9]{3}){2,}", GROUPS.format("commas")),
    (r"[-+]?[0-9]*,[0-9]+[edq][-+]?[0-9]+", TOO_LARGE),
)
_OTHERS = _rules(
    (rf"\({_NUMBER}\)", "stands in brackets, which can mean a negative number. Write it with its sign and without the brackets"),
    (rf"{_NUMBER}\s?[%‰]", "is not a number: it has a percent sign"),
    (rf"{_NUMBER}\s?[^\W\d_]+", "is not a number: there is a word or a unit behind it"),
    (rf"[-+]?[{_DIGITS}]+\s+[-+]?[0-9][0-9.,\s]*", "is not a number: it has a space in it"),
    (r".*(?P<c>_).*[0-9].*|.*[0-9].*(?P<d>_).*", "is not a number: it has underscores"),
)


LONGEST = 400  # characters: no number that anybody prints is longer


def reason_of(plain: str, text: str, decimal_comma: bool) -> tuple[str, bool]:
    """What is wrong with ``text``, and whether it stands for a number all the same. ``plain``: with - and + for other signs."""
    if len(plain) > LONGEST:
        return "is not a number", False
    commas = _DECIMAL_COMMAS if decimal_comma else _COMMAS
    for rules, like_number in ((commas, True), (_LIKE_NUMBERS, True), (_OTHERS, False)):
        for pattern, words in rules:
            match = pattern.fullmatch(plain)
            if match is not None:
                return words.format(_character(match, text)) if "{}" in words else words, like_number
    return "is not a number", False


def comma_is_ambiguous(text: str) -> bool:
    """Whether a comma in ``text`` may be a decimal comma or part thousands, as in 1,5 and 1,234.5 and 1.234,5."""
    plain = plain_signs(text)
    return any(pattern.fullmatch(plain) is not None for pattern, _ in _COMMAS)


def _character(match: re.Match[str], text: str) -> str:
    """The name of the character that a rule is about; as it stands in ``text``, where every character has kept its place."""
    at = next((match.start(k) for k in match.groupdict() if match.start(k) >= 0), 0)
    return "underscores" if text[at] == "_" else named(text[at])
