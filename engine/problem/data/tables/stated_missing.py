"""Numbers of which a file says in words beside its table that they stand for missing values: missing: -99.99. Pure."""

from __future__ import annotations

import re

MOST_LINES = 100  # of a file's beginning, and as many of its end
_WORD = (
    r"(?:missing(?:[ _-]?(?:values?|data|code|flag|cells?))*|(?:_?fill|bad|null|undefined|invalid)[ _-]?values?"
    r"|no[ _-]?data(?:[ _-]?values?)?|n/?a[ _-](?:code|values?)|not available|undefined"
    r"|fehl(?:end(?:e[rnms]?)?(?:[ _-]?werte?)?|wert(?:e|code)?))"
)
_NUMBER = r"[-+\u2212]?[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?"
_IS = r"(?:\s*(?:[:=(]|(?:is|are|as|by|ist|als|coded?|shown|given|marked|denoted|represented)\b))+"
_BEHIND = re.compile(rf"(?<![^\W_]){_WORD}(?P<so>{_IS}\s*|\s+)[\"'“]?(?P<number>{_NUMBER})(?:f\b|(?![\w.]*\w))", re.IGNORECASE)
_BEFORE = re.compile(
    rf"(?<![\w.-])(?P<number>{_NUMBER})[\"'”]?\s*(?:[:=]|means?|stands for|indicates?|denotes?)\s*(?:an?\s+)?{_WORD}"
    r"(?=\s*(?:[,;.)\]]|$))",
    re.IGNORECASE,
)
_CODE = re.compile(r"9+(?:\.9*)?0*|3276[78]|2147483647")
LEAST = 99.0  # of nines above zero: 9 is how many there are
LARGE = 1e19  # nothing is measured in such numbers


def stated_missing(text: str) -> tuple[float, ...]:
    """Those of ``text``, a file with one table; () where it says none. How many values are missing is another number: only below
    zero, large, or of nines they are such marks."""
    lines = text.splitlines()
    looked_at = lines if len(lines) <= 2 * MOST_LINES else [*lines[:MOST_LINES], *lines[-MOST_LINES:]]
    found = [(match["number"].replace("\u2212", "-"), not match["so"].strip()) for line in looked_at
             for match in _BEHIND.finditer(line)]  # fmt: skip
    found += [(match["number"].replace("\u2212", "-"), False) for line in looked_at for match in _BEFORE.finditer(line)]
    return tuple(dict.fromkeys(float(number) for number, bare in found if _is_mark(number, bare)))


def _is_mark(number: str, bare: bool) -> bool:
    """``bare``: nothing but a space parts it from its word, as a cell of a row is."""
    value = float(number)
    code = _CODE.fullmatch(number.lstrip("+-")) is not None and (value < 0.0 or value >= LEAST)
    return code or abs(value) >= LARGE or (value < 0.0 and not bare)
