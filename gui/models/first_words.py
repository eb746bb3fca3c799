"""A first name for a number that was marked in a text: the word before it."""

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
