"""What a data file says of its errors in words about its table: "# errors: 0.02 mm and 1 % of reading in quadrature"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .sheets import is_spreadsheet

HEAD, TAIL = 20_000, 4_000  # bytes of a file in which its remarks are looked for
MOST_REMARKS = 10
LONGEST = 300  # characters of a remark
_OF_ERRORS = re.compile(
    r"\b(?:errors?|uncertaint(?:y|ies)|accurac(?:y|ies)|precision|tolerance|standard deviations?|std|sds?|sigma)\b|σ",
    re.IGNORECASE,
)
_MARKS = "#%!;/*\"' \t\ufeff"


def remarks_on_errors(data: bytes) -> tuple[str, ...]:
    """Lines of the file with a word for errors and a number, comment signs left out; none of a spreadsheet."""
    if is_spreadsheet(data):
        return ()
    both = data if len(data) <= HEAD + TAIL else data[:HEAD] + b"\n" + data[-TAIL:]
    return _of_errors(both.decode("utf-8", "replace").splitlines())


def remarks_on_sheet(text: str) -> tuple[str, ...]:
    """The same of a sheet of a spreadsheet, a line for each row with tabs between its cells: of rows with one filled cell."""
    cells = ([cell for cell in line.split("\t") if cell.strip()] for line in text[:HEAD].splitlines())
    return _of_errors([row[0] for row in cells if len(row) == 1])


def _of_errors(lines: Sequence[str]) -> tuple[str, ...]:
    found = []
    for line in lines:
        words = line.strip(_MARKS).rstrip(",;")
        if len(words) <= LONGEST and any(c.isdigit() for c in words) and _OF_ERRORS.search(words):
            found.append(words)
    return tuple(dict.fromkeys(found))[:MOST_REMARKS]
