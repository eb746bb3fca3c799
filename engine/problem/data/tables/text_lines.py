"""The lines of a text with a table: what is a comment is told apart from its rows."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...errors import ProblemError

MAX_ROWS = 100_000
COMMENTS = ("#", "%", "!", "//")
_BLANK = " \t\f\x1a\ufeff"
_NO_CELLS = '";,|'  # a line of these alone separates: ;;;; of a spreadsheet


def is_blank(line: str) -> bool:
    """Whether a line holds nothing but blanks and separators."""
    return not line.strip(_BLANK + _NO_CELLS)


@dataclass
class TextLines:
    """``body``: lines that are no comment and hold more than blanks and separators; ``lines``: their numbers in the text, from 1.
    ``above``, ``below``: the words of comments above all of them, and right below the first one; ``comments``: how many.
    """

    body: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    above: list[str] = field(default_factory=list)
    below: str = ""
    comments: int = 0


def text_lines(text: str, heading: int | None = None) -> TextLines:
    """``heading``: the line of the names, where it is known: it counts though it is a comment, what stands above it does not.

    Raises ProblemError where there are none, or too many.
    """
    found = TextLines()
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.strip(_BLANK)
        if is_blank(content) or number < (heading or 0):
            continue
        if content.startswith(COMMENTS):
            content = content.lstrip("#%!/ \t")
            if number != heading:
                found.comments += 1
                found.above += [content] if not found.body else []
                found.below = content if len(found.body) == 1 and not found.below else found.below
                continue
            line = content
        if len(found.body) > MAX_ROWS:
            raise ProblemError(
                f"The table has more than {MAX_ROWS:,} rows.", "", "Thin it out, or average neighbouring rows, and try again."
            )
        found.body.append(line.strip("\f\x1a\ufeff\r"))
        found.lines.append(number)
    if not found.body:
        raise ProblemError("There is no table: the file holds no rows.", "", "Choose a file with columns of numbers.")
    return found
