"""Recognizing numbers as programs write them, and naming what only looks like one.

Fortran writes ``1.0D+03``, drops the letter in ``1.0+103`` and prints ``****`` when a number does not fit its field; others print
``NaN``, ``-1.#IND``, decimal commas, or two numbers with no space between them. A number is never guessed: what can be
read in two ways is an error that says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_MANTISSA = r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)"
_NUMBER = re.compile(rf"({_MANTISSA})(?:[eEdDqQ]([-+]?[0-9]+))?")
_NO_LETTER = re.compile(r"([-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+))([-+][0-9]{3})")  # Fortran with a three-digit exponent
_NAN = re.compile(r"[-+]?(?:nan(?:q|s|\([^()\s]{0,20}\))?|1\.#(?:qnan|snan|ind)[0-9]*)", re.IGNORECASE)
_INFINITY = re.compile(r"([-+]?)(?:inf(?:inity)?|1\.#inf[0-9]*)", re.IGNORECASE)
_STARS = re.compile(r"[-+]?\*{2,}")
_COMMA = re.compile(r"[-+]?[0-9]*,[0-9]+(?:[eEdD][-+]?[0-9]+)?")
_THOUSANDS = re.compile(r"[-+]?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]*)?")
_TOGETHER = re.compile(rf"{_MANTISSA}(?:[eEdD][-+]?[0-9]+)?(?:[-+][0-9]*\.[0-9]+(?:[eEdD][-+]?[0-9]+)?)+")
_WITH_UNIT = re.compile(rf"({_MANTISSA}(?:[eE][-+]?[0-9]+)?)[^\W\d_]+")
_CHUNK = re.compile(
    r"(?<![\w.])(?:[-+]?1\.#\w+|[-+]?(?:[0-9]|[.,][0-9])[\w.,+\-]*|[-+]?\*{2,}|[-+]?(?:nan|inf)[a-z]*(?:\([^()\s]{0,20}\))?(?!\w))",
    re.IGNORECASE,
)
COMMA_ADVICE = "If the comma is a decimal comma, say so beside the output; else choose the column of a table instead."


class ExtractionError(Exception):
    """Why a number could not be read, in a sentence for people."""


@dataclass(frozen=True)
class Token:
    """Characters [start, end) that are a number, or look like one: then ``problem`` says what is wrong with it."""

    start: int
    end: int
    value: float
    problem: str = ""

    def number(self) -> float:
        """The value. Raises ExtractionError if this only looks like a number."""
        if self.problem:
            raise ExtractionError(self.problem)
        return self.value


def parse_word(word: str, decimal_comma: bool = False) -> float:
    """The number a whole word is; NaN and infinities are values too. Raises ExtractionError naming what it is instead."""
    text = word.strip().strip("\"'").replace("\N{MINUS SIGN}", "-")
    value = _value(text.replace(",", ".") if decimal_comma else text)
    if value is not None:
        return value
    stripped = text.rstrip(",;:)]}").lstrip("([{=")
    value = _value(stripped.replace(",", ".") if decimal_comma else stripped)
    if value is not None and stripped:
        return value
    raise ExtractionError(_complaint(stripped or text, word))


def scan(text: str, decimal_comma: bool = False, units: bool = False) -> Iterator[Token]:
    """Everything in ``text`` that is or looks like a number standing by itself, in order.

    Digits inside or before words (``chi2``, ``3rd``, ``2026-11-21``) are no numbers; with ``units`` a word may
    follow at once (``3.2kg``).
    """
    for match in _CHUNK.finditer(text):
        yield from _classify(match.group(), match.start(), decimal_comma, units)


def _classify(chunk: str, start: int, decimal_comma: bool, units: bool) -> Iterator[Token]:
    if _STARS.fullmatch(chunk):
        yield Token(start, start + len(chunk), float("nan"), _complaint(chunk, chunk))
        return
    body = chunk.rstrip(",")
    value = _value(body.replace(",", ".") if decimal_comma else body)
    if value is None and body.endswith("."):
        body = body.rstrip(".,")
        value = _value(body.replace(",", ".") if decimal_comma else body)
    if value is not None:
        yield Token(start, start + len(body), value)
    elif "," in body and not decimal_comma:
        parts = body.split(",")
        numbers = [_value(part) for part in parts]
        ambiguous = _COMMA.fullmatch(body) or _THOUSANDS.fullmatch(body)
        if any(number is None for number in numbers) or ambiguous:
            if ambiguous:
                yield Token(start, start + len(body), float("nan"), _complaint(body, body))
            return
        position = start
        for part, number in zip(parts, numbers, strict=True):
            if number is not None:
                yield Token(position, position + len(part), number)
            position += len(part) + 1
    elif _TOGETHER.fullmatch(body):
        yield Token(start, start + len(body), float("nan"), _complaint(body, body))
    elif units and (match := _WITH_UNIT.fullmatch(body.replace(",", ".") if decimal_comma else body)):
        yield Token(start, start + len(match[1]), float(match[1]))


def _value(text: str) -> float | None:
    match = _NUMBER.fullmatch(text)
    if match:
        return float(f"{match[1]}e{match[2] or 0}")
    match = _NO_LETTER.fullmatch(text)
    if match:
        return float(f"{match[1]}e{match[2]}")
    if _NAN.fullmatch(text):
        return float("nan")
    match = _INFINITY.fullmatch(text)
    if match:
        return float(f"{match[1]}inf")
    return None


def _complaint(text: str, word: str) -> str:
    shown = shorten(word.strip())
    if not text:
        return "there is nothing where the number should be."
    if _STARS.fullmatch(text):
        return f"“{shown}” stands where the number should be: the program could not fit the number into its field."
    if _THOUSANDS.fullmatch(text) or _COMMA.fullmatch(text):
        return f"“{shown}” can be read in two ways because of its comma. {COMMA_ADVICE}"
    if _TOGETHER.fullmatch(text):
        return f"“{shown}” is several numbers with no space between them. Read it with a search pattern (regular expression)."
    return f"“{shown}” is not a number."


def shorten(text: str, most: int = 60) -> str:
    """``text`` on one line, cut in the middle if it is long."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[: most - 20]} … {flat[-15:]}"
