"""A first name for what was marked in a text: the word before a number, the word marked in a heading."""

from __future__ import annotations

from bayescope.engine.problem.numbers_in_text import line_bounds


def word_before(text: str, position: int) -> str:
    """The last word before a number on its line: a good first name for it (``--width=``, ``rho   ``, ``"k":``)."""
    start, _ = line_bounds(text, position)
    before = text[start:position]
    word = ""
    for c in reversed(before):
        if c.isalnum() or c == "_":
            word = c + word
        elif word:
            break
    return word if word and not word.isdigit() else ""


def word_around(text: str, position: int) -> str:
    """The whole word at ``position``, else the last before it on its line."""
    end = position
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return word_before(text, end)
