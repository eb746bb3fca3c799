"""What a data file says of its errors in words about its table: "# errors: 0.02 mm and 1 % of reading in quadrature"."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from ...errors import ProblemError
from ...text_files import decode
from ..files.sheets import is_spreadsheet
from .error_headings import factor_in
from .error_words import CAPITAL, OF_ERRORS, SIGN

HEAD, TAIL = 20_000, 4_000  # bytes of a file in which its remarks are looked for
MOST_REMARKS = 10
LONGEST = 300  # characters of a remark
_TOLERANCE = re.compile(r"\b(?:tolerance|toleranz)\b", re.IGNORECASE)
# a size with its level and nothing else: +-0.6 cm (1 sd); 12 %, k = 2; all values ± 0.4 (95 %)
_WITH_LEVEL = re.compile(
    r"[^\W\d]*(?:\s+[^\W\d]+){0,3}\W*[0-9][0-9.,]*(?:[eE][-+]?[0-9]+)?\s*(?:[%°]?[^\W\d_]*)\s*[,;(]*\s*"
    r"(?:k\s*=\s*[123]|[123]\s*(?:sd|σ|sigma)|9[059](?:[.,][0-9]+)?\s*%)\W*(?:[^\W\d_]+\W*){0,3}",
    re.IGNORECASE,
)
_FACTOR = re.compile(r"\bwithin\s+(?:an?\s+)?factor\s+(?:of\s+)?[0-9]|\blog-?\s?normal\b.*[0-9]", re.IGNORECASE)
_ROW = re.compile(r"\s*[-+\u2212]?\.?[0-9]")
_MARKS = "#%!;/*\"' \t\ufeff"
_ENDS = ",;#*/\"' \t"


def remarks_on_errors(data: bytes) -> tuple[str, ...]:
    """Lines of the file with a word or a sign for errors and a number, comment signs left out; none of a spreadsheet."""
    if is_spreadsheet(data):
        return ()
    both = data if len(data) <= HEAD + TAIL else data[:HEAD] + b"\n" + data[-TAIL:]
    try:
        text = decode(both, "").text
    except ProblemError:
        text = both.decode("utf-8", "replace")
    return _of_errors(text.splitlines())


def remarks_on_sheet(text: str) -> tuple[str, ...]:
    """The same of a sheet of a spreadsheet, a line for each row with tabs between its cells: of rows with one filled cell."""
    cells = ([cell for cell in line.split("\t") if cell.strip()] for line in text[:HEAD].splitlines())
    return _of_errors([row[0] for row in cells if len(row) == 1])


def remarks_elsewhere(remarks: Sequence[str], parts: Sequence[str], part: int, rows: Sequence[int]) -> tuple[str, ...]:
    """Those of ``remarks`` that stand beside another table than the one with this number: right below rows of another, or among
    its lines. What stands above the first table, a blank line apart, is of all.

    ``parts``: of each table the text with its lines alone, the others empty; ``rows``: numbers of lines, from 1, of this one.
    """
    texts = [text.split("\n") for text in parts]
    every, mine = ["".join(lines) for lines in zip(*texts, strict=False)], texts[part]
    begin = next((i for i, line in enumerate(every) if line.strip()), 0)
    head = next((i for i in range(begin, len(every)) if not every[i].strip()), begin)
    head = begin if any(_ROW.match(line) for line in every[begin:head]) else head
    found = []
    for words in remarks:
        at = next((i for i, line in enumerate(every) if words in line), -1)
        if at >= head and not _is_of(at, every, mine, set(rows)):
            found.append(words)
    return tuple(found)


def _is_of(at: int, every: Sequence[str], mine: Sequence[str], rows: Collection[int]) -> bool:
    """Whether line ``at`` (from 0) is of a table with these ``rows``: no blank line parts them, or it is one of its lines."""
    for above in range(at - 1, -1, -1):
        if above + 1 in rows:
            return True
        if not every[above].strip():
            break
        if not mine[above].strip():
            return False
    return mine[at].strip() != ""


def _of_errors(lines: Sequence[str]) -> tuple[str, ...]:
    said, signed = [], []
    for line in lines:
        words = line.lstrip(_MARKS).rstrip(_ENDS)  # a percent sign opens a remark, or ends what it says
        if len(words) > LONGEST or not any(c.isdigit() for c in words):
            continue
        expanded = CAPITAL.search(words) is not None and factor_in(words) is not None  # U = 0.3 (k = 2)
        whole = _WITH_LEVEL.fullmatch(words) or _FACTOR.search(words)
        if expanded or whole or OF_ERRORS.search(words) or _TOLERANCE.search(words):
            said.append(words)
        elif SIGN.search(words) and any(c.isalpha() for c in words):
            signed.append(words)
    return tuple(dict.fromkeys((*said, *signed)))[:MOST_REMARKS]  # rows may have signs too: words first
