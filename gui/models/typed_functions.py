"""1/4.184, 60*24, (32 - 5)/1.8, ln(160), ln(2)/1.96: arithmetic that people type where a number is asked for. Pure.

A sum counts only inside brackets: 0 - 1 alone may be a range, 2020-01-01 is a date.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from bayescope.engine.problem.numbers.number_characters import plain_signs
from bayescope.engine.problem.numbers.number_text import NumberError, typed

_NUMBER = r"(?:[0-9][0-9.,]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "ln": math.log, "log10": math.log10, "log2": math.log2, "exp": math.exp, "sqrt": math.sqrt,
}  # fmt: skip
_NAMES = "|".join(_FUNCTIONS)
_CALL = rf"\b(?:{_NAMES})\s*\([^()]*\)"
_SIGNED = rf"[-+]?{_NUMBER}"
_IN_TEXT = re.compile(rf"(?:(?<![\w.]){_SIGNED}\s*[*/]\s*)*{_CALL}(?:\s*[*/]\s*(?:{_SIGNED}(?![\w.])|{_CALL}))*", re.IGNORECASE)
_TOKEN = re.compile(rf"\s*(?:(?P<number>{_NUMBER})|(?P<name>{_NAMES})(?=\s*\()|(?P<sign>[-+*/×÷()]))", re.IGNORECASE)
_LOG = re.compile(r"\blog\s*\(", re.IGNORECASE)
_DATE = re.compile(r"[0-9]{1,4}/[0-9]{1,2}/[0-9]{1,4}")
LONGEST = 200  # characters of arithmetic
DEEPEST = 20  # brackets in brackets


class _NoArithmeticError(Exception):
    """The text is something else."""


def computed(text: str) -> float | None:
    """The value of ``text`` where it is arithmetic from its first character to its last, with a sign or a function at least;
    None: it is something else.

    Raises ValueError with words: divided by zero, a logarithm of what is none; and for log(…), which is one function for some
    and another one for others.
    """
    if _LOG.search(text):
        raise ValueError("log(…) may mean two functions. Write ln(…) for the natural logarithm, log10(…) for that to base 10.")
    plain = plain_signs(text.strip())
    if len(plain) > LONGEST or not re.search(rf"[*/×÷]|\b(?:{_NAMES})\b", plain, re.IGNORECASE) or _DATE.fullmatch(plain):
        return None
    try:
        reader = _Reader(plain)
        value = reader.product()
        reader.end()
    except (_NoArithmeticError, NumberError):
        return None
    except (OverflowError, ZeroDivisionError):
        raise ValueError(f"{text.strip()} is no number.") from None
    if not math.isfinite(value):
        raise ValueError(f"{text.strip()} is no number.")
    return value


def evaluated(text: str) -> str:
    """``text`` with functions of numbers, and products and ratios beside them, as numbers; as it is where there are none.

    Raises ValueError as ``computed``.
    """
    if _LOG.search(text):
        computed(text)
    return _IN_TEXT.sub(lambda found: _as_number(found[0]), text)


def _as_number(text: str) -> str:
    value = computed(text)
    return text if value is None else f"{value:.15g}"


@dataclass
class _Reader:
    """From left to right, ``depth`` brackets deep."""

    text: str
    at: int = 0
    depth: int = 0

    def product(self) -> float:
        value = self._factor()
        while (sign := self._next("*/×÷")) is not None:
            other = self._factor()
            value = value * other if sign in "*×" else value / other
        return value

    def end(self) -> None:
        if self.at != len(self.text.rstrip()):
            raise _NoArithmeticError

    def _next(self, signs: str) -> str | None:
        """The next token, and behind it, where it is one of ``signs``."""
        found = _TOKEN.match(self.text, self.at)
        if found is None or found["sign"] is None or found["sign"] not in signs:
            return None
        self.at = found.end()
        return found["sign"]

    def _factor(self) -> float:
        sign = -1.0 if self._next("-+") == "-" else 1.0
        found = _TOKEN.match(self.text, self.at)
        if found is None or (sign < 0.0 and found[0][:1].isspace()):
            raise _NoArithmeticError
        self.at = found.end()
        if found["number"] is not None:
            return sign * typed(found["number"])
        if found["name"] is not None and self._next("("):
            inside = self._brackets()
            try:
                return sign * _FUNCTIONS[found["name"].lower()](inside)
            except ValueError:
                raise ValueError(f"{self.text[found.start() : self.at].strip()} is no number.") from None
        if found["sign"] == "(":
            return sign * self._brackets()
        raise _NoArithmeticError

    def _brackets(self) -> float:
        """Up to the bracket that closes the one before: a sum."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise _NoArithmeticError
        value = self.product()
        while (sign := self._next("-+")) is not None:
            value += self.product() * (1.0 if sign == "+" else -1.0)
        if self._next(")") is None:
            raise _NoArithmeticError
        self.depth -= 1
        return value
