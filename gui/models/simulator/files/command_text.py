"""The command line as one line of text, the way people write it, and back. No shell is involved, ever."""

from __future__ import annotations

from collections.abc import Sequence


def split_command(text: str) -> tuple[str, ...]:
    """Words separated by spaces; quotes (" or ') keep spaces together; backslashes are ordinary characters (Windows paths).

    A quote that is never closed runs to the end. Inverse of ``join_command``.
    """
    words: list[str] = []
    word, quote, begun = "", "", False
    for c in text:
        if quote:
            if c == quote:
                quote = ""
            else:
                word += c
        elif c in "\"'":
            quote, begun = c, True
        elif c.isspace():
            if begun:
                words.append(word)
            word, begun = "", False
        else:
            word, begun = word + c, True
    if begun:
        words.append(word)
    return tuple(words)


def join_command(words: Sequence[str]) -> str:
    """One line that ``split_command`` reads back."""
    return " ".join(_quoted(word) for word in words)


def _quoted(word: str) -> str:
    if word and not any(c.isspace() or c in "\"'" for c in word):
        return word
    if '"' not in word:
        return f'"{word}"'
    if "'" not in word:
        return f"'{word}'"
    return "".join(f"'{part}'" if part == '"' else f'"{part}"' for part in _pieces(word))


def _pieces(word: str) -> list[str]:
    """``word`` cut so that a double quote stands alone."""
    pieces: list[str] = []
    for c in word:
        if c == '"' or not pieces or pieces[-1] == '"':
            pieces.append(c)
        else:
            pieces[-1] += c
    return pieces
