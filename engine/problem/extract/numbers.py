"""The words of a program's output as numbers. What a text says as a number is decided in ``problem/number_text``.

Fortran writes ``1.0D+03``, drops the letter in ``1.0+103`` and prints ``****`` when a number does not fit its field; others print
``NaN``, ``-1.#IND``, decimal commas, or two numbers with no space between them. A number is never guessed: what can be
read in two ways is an error that says so.
"""

from __future__ import annotations

from ..numbers.number_characters import bare, shorten
from ..numbers.number_text import complaint, looks_like_number, value_of
from ..numbers.numbers_in_text import COMMA_ADVICE, Token, scan, settled

__all__ = [
    "COMMA_ADVICE", "ExtractionError", "Token", "parse_word", "scan", "settled", "shorten", "stands_for_number", "unwrapped",
]  # fmt: skip


class ExtractionError(Exception):
    """Why a number could not be read, in a sentence for people."""


def parse_word(word: str, decimal_comma: bool = False) -> float:
    """The number a whole word is, quotes, brackets and marks of a sentence around it aside. Raises ExtractionError."""
    value = value_of(word, decimal_comma)
    if value is not None:
        return value
    text, stripped = unwrapped(word)
    for candidate in (text, stripped):
        value = value_of(candidate, decimal_comma)
        if value is not None:
            return value
    raise ExtractionError(complaint(stripped or text, decimal_comma, COMMA_ADVICE))


def stands_for_number(word: str, decimal_comma: bool = False) -> bool:
    """Whether ``parse_word`` reads ``word``, or refuses it although it stands where a number should be."""
    if value_of(word, decimal_comma) is not None:
        return True
    return any(looks_like_number(candidate, decimal_comma) for candidate in unwrapped(word))


def unwrapped(word: str) -> tuple[str, str]:
    """``word`` without quotes, and without brackets and marks of a sentence as well."""
    text = bare(bare(word).strip("\"'"))
    return text, text.rstrip(",;:)]}").lstrip("([{=")
