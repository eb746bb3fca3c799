"""Headings whose one word is broken over two lines, FOOT- above NOTE, and whose column may be blank in every row. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ...extract.reading import Line

_BROKEN = re.compile(r"(?<!\S)[^\W\d_]+-(?!\S)")
_WORD = re.compile(r"\S+")


def without_blank_columns(above: Sequence[Line], row: str) -> list[Line]:
    """The lines of a heading, the lowest first, without words broken over two of them where nothing stands below in ``row``."""
    texts = [line.text for line in above]
    for k in range(len(texts) - 1, 0, -1):
        for upper in _BROKEN.finditer(texts[k]):
            low = [m for m in _WORD.finditer(texts[k - 1]) if m.start() < upper.end() and upper.start() < m.end()]
            if len(low) == 1 and low[0].group().isalpha() and not row[upper.start() : upper.end()].strip():
                texts[k], texts[k - 1] = _blanked(texts[k], upper), _blanked(texts[k - 1], low[0])
    kept = [(line, text) for line, text in zip(above, texts, strict=True) if text.strip()]
    return [line if text == line.text else replace(line, text=text) for line, text in kept]


def _blanked(text: str, word: re.Match[str]) -> str:
    return text[: word.start()] + " " * len(word.group()) + text[word.end() :]
