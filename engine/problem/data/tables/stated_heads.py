"""Heads of files that are words about the table below, several statements to a line: unit: 1.0E22 J   missing: -99.99."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .table_text import is_number_or_missing
from .text_lines import COMMENTS

MOST_LINES = 20  # of a head
_STATES = re.compile(r"(?:^|(?<=\s))[^\W\d_][\w /-]{0,30}?\s?[:=](?=\s)")  # missing: -99.99, number of rows = 12
_MARKS = re.compile(r"[\t;|]")
_WORDS = re.compile(r"[^\s,]+")


def head_as_comments(lines: Sequence[str]) -> list[str]:
    """``lines`` of a text with its head as comments, where lines of it state several things each and no table does so: what is
    a name there, and what a number, is no cell."""
    end, several = 0, False
    for i, line in enumerate(lines[:MOST_LINES]):
        if not line.strip() or line.lstrip().startswith(COMMENTS):
            continue
        found = list(_STATES.finditer(line))
        if _MARKS.search(line) or not _are_words(line[: found[0].start()] if found else line):
            break
        if found and any(c.isdigit() for c in line):
            end, several = i + 1, several or len(found) > 1
    rest = [line for line in lines[end:] if line.strip()]
    if not several or len(rest) < 2:
        return list(lines)
    return [f"# {line}" if i < end and line.strip() and not line.lstrip().startswith(COMMENTS) else line
            for i, line in enumerate(lines)]  # fmt: skip


def _are_words(text: str) -> bool:
    """Whether ``text`` begins with no number and has more words than numbers, or is empty."""
    words = _WORDS.findall(text)
    return not words or (not _is_number(words[0]) and 2 * sum(map(_is_number, words)) < len(words))


def _is_number(word: str) -> bool:
    return any(c.isdigit() for c in word) and is_number_or_missing(word)
