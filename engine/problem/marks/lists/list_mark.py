"""A mark in a list of numbers, or on the name before it: what it may mean, beside what it means in a table."""

from __future__ import annotations

from dataclasses import dataclass

from ...extract import ExtractionError, one_decimal_sign
from ...extract.list_lead import COLUMNS, INDEX
from ...extract.reading import Reading
from ...netcdf_text import row_length
from ...numbers.numbers_in_text import line_bounds
from ..offer import Offer
from ..scopes import Scope
from .found_list import Found, stored_at
from .list_around import Lists, widths
from .list_offers import all_fields, label_of_list, ways

MOST_ROWS = 500  # lines of a list, or numbers of one, that may be a table as well


@dataclass(frozen=True)
class ListMark:
    """``hits``: the marked numbers, from 0; none: the name, or all of the list. ``alone``: its lines are no rows of a table;
    ``named``: the mark begins on its name."""

    found: Found
    text: str
    hits: tuple[int, ...]
    alone: bool
    named: bool
    fields: tuple[Found, ...] = ()  # of the records of an HDF5 dataset, all of them
    matrix: bool = False  # its lines are the rows that the text itself says it has

    @property
    def scopes(self) -> tuple[Scope, ...]:
        if self.fields:
            one = len(self.hits) == 1
            return ("number", "list", "table") if one else ("part", "list", "table") if self.hits else ("table",)
        if not self.hits:
            return ("list",)
        if self.found.stored and len(self.found.body.values) == 1:
            return ("number",)
        return ("number", "list") if len(self.hits) == 1 else ("part", "list")

    @property
    def first(self) -> Scope | None:
        """What is meant first; None: what a row or a column of a table would mean."""
        matrix = self.matrix or (not (self.alone or self.enclosed) and len(widths(self.found.body)) > 1)
        return self.scopes[0] if self.better or (self.named and not matrix) else None

    @property
    def enclosed(self) -> bool:
        """Whether something stands around it, so that it is no table of a file."""
        return is_enclosed(self.found)

    @property
    def better(self) -> bool:
        """Whether a number is told by its place in the list rather than by its row and column: its lines are cut anywhere."""
        rows = self.found.body.nested or self.matrix
        return self.alone or (len(widths(self.found.body)) > 1 and self.found.body.lead.lines == 0 and not rows)

    def offers(self, scope: Scope) -> list[Offer]:
        if scope not in self.scopes:
            return []
        if scope == "table":
            return [all_fields(self.fields, self.text)]
        hits = self.hits if scope != "list" else ()
        names = (label_of_list(self.found.whole.name),)
        return [
            Offer(scope, repeat, words, (proposal,), names)
            for repeat, words, proposal in ways(self.found, self.text, hits)
        ]


def is_enclosed(found: Found) -> bool:
    """Whether brackets, a tag or the sign that ends it enclose a list."""
    return bool(found.body.lead.brackets or found.body.lead.tag or found.whole.end)


def list_mark(lists: Lists, start: int, end: int) -> ListMark | None:
    """What a mark [start, end) in a list means; None: it is in none."""
    if "\n" in lists.text[start:end]:
        start, end = _past_columns(lists.text, start, end), max(start, len(lists.text[:end].rstrip()))
    start = _past_index(lists.text, start, end)
    found = lists.at(start, end)
    if found is None or (found.comma and not _one_sign(lists.text, found)):
        return None
    if found.stored:
        return _stored(found, lists, start, end)
    body = found.body
    named = start < body.lead.at
    hits = () if named else tuple(found.numbers_at(start, end))
    if len(hits) == len(body.values) or (hits and list(hits) != list(range(hits[0], hits[-1] + 1))):
        hits = ()
    counts = widths(body)
    alike = len(set(counts)) == 1 and counts[0] > 1
    matrix = alike and len(counts) > 1 and row_length(lists.text, label_of_list(found.whole.name)) == counts[0]
    listed = "," in body.separators or found.whole.counted or body.indexed or body.lead.column
    rows = matrix or (alike and len(counts) <= MOST_ROWS and (body.nested or not listed))
    alone = (len(counts) > 1 and not rows) or max(counts) > MOST_ROWS
    return ListMark(found, lists.text, hits, alone, named, matrix=matrix)


def _stored(found: Found, lists: Lists, start: int, end: int) -> ListMark:
    """In a dump of an HDF5 file: the positions before its numbers, and what its heading says, stand for the whole of it."""
    fields = stored_at(lists.text, start, end) or ()
    hits = () if start < found.body.lead.at else tuple(found.numbers_at(start, end))
    alone = len(fields) < 2 or (not hits and found.start <= start <= found.end)
    across = len(fields) > 1 and sum(bool(f.numbers_at(start, end)) for f in fields) > 1
    hits = () if across or (len(hits) == len(found.body.values) > 1) else hits
    if len(found.body.values) == 1 and (alone or hits):
        return ListMark(found, lists.text, (0,), True, False)
    return ListMark(found, lists.text, hits, True, not hits, () if alone and not across else fields)


def _one_sign(text: str, found: Found) -> bool:
    """Whether the numbers of a list that is read with decimal commas have no decimal points."""
    try:
        one_decimal_sign(text, Reading(tuple(found.body.values), tuple(found.body.spans)))
    except ExtractionError:
        return False
    return True


def _past_columns(text: str, start: int, end: int) -> int:
    """Where a drag over lines comes to what counts: blanks and "Columns 1 through 6:" say nothing of their own."""
    at = start
    while at < end:
        at += len(text[at:end]) - len(text[at:end].lstrip())
        columns = COLUMNS.match(text, at, end)
        if columns is None:
            return at
        at = columns.end()
    return start


def _past_index(text: str, start: int, end: int) -> int:
    """Where a drag begins to hold numbers: the [6] before those of a line is their position."""
    low, high = line_bounds(text, start)
    first = low + len(text[low:high]) - len(text[low:high].lstrip())
    index = INDEX.match(text, first, high)
    return index.end() if index is not None and start < index.end() < end else start
