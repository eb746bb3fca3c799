"""What stands behind the numbers of a line and says what they are: ``3.5 ! Young's modulus``, ``3.5 / E``, ``0.3 = nu``. Pure."""

from __future__ import annotations

import re

from ...numbers.number_text import NUMBER
from ...numbers.numbers_in_text import line_bounds

_ONE = rf"{NUMBER}(?![\w.])"
_BEFORE = re.compile(rf"[\s,;]*(?:{_ONE}[\s,;]+)*")
_BEHIND = re.compile(
    rf"(?P<more>(?:[\s,;]+{_ONE})*)[\s,;]*(?P<sign>!+|#+|=+|:|(?<=\s)(?:/\*+|/+|--+|\u2013|\u2014|<-+|\\+)|(?<=\s|;);+)\s*(?P<words>[^\W\d].*?)\s*"
)
_NUMBERS = re.compile(_ONE)
_PARTS = (re.compile(r"\s*[,;/]\s*"), re.compile(r"\s{2,}"), re.compile(r"\s+"))
LONGEST = 400  # characters of a line: longer ones hold data
_ENDS = " \t*/!#->"


def words_behind(text: str, start: int, end: int) -> str:
    """The words behind a sign behind the number [start, end), in a line that begins with numbers; of several numbers those
    of this one, if there are as many. '' if there are none."""
    low, high = line_bounds(text, start)
    if high - low > LONGEST:
        return ""
    before = text[low:start]
    behind = _BEHIND.fullmatch(text[end:high].rstrip("\r\n"))
    if behind is None or _BEFORE.fullmatch(before) is None:
        return ""
    words = behind["words"].rstrip(_ENDS)
    k, more = len(_NUMBERS.findall(before)), len(_NUMBERS.findall(behind["more"]))
    if k + more == 0:
        return words
    split = (pattern.split(words) for pattern in _PARTS)
    return next((parts[k] for parts in split if len(parts) == k + more + 1), "")
