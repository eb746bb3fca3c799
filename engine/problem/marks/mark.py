"""What can be read where something is marked: offers, the best first, narrower and wider ones, all checked by reading. The older
ways (JSON keys, a label, a column of a file that is one table) come first where they say it simply; else a Region."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

import msgspec

from ..definition import CsvColumn, JsonPath, LabelledNumber, NumberList, Region
from ..extract import ExtractionError, one_decimal_sign
from ..extract.reading import Line, lines_of
from ..extract.region import read_region
from ..extract.row_cells import is_rule
from ..json_spans import number_of_key
from ..numbers import scale_letters
from ..numbers.numbers_in_text import Number, line_bounds, numbers, overlaps, scan
from ..propose import MAX_TEXT, labelled_ways, propose
from ..propose_tables import Proposal, delimiter_of
from ..run_times import says_run_time, surely_run_time
from .labels.label_below import counts_far, counts_no_times, is_fragile, labels_below
from .labels.label_column import LabelHit, label_offers, labels_hit
from .labels.labels_in_rows import labelled_in_rows
from .labels.labels_of_table import with_labels
from .labels.led_number import heads_a_table, led_number
from .labels.on_line import names_behind, passed, plain_ways
from .lists.found_list import stored_at
from .lists.list_around import Lists, widths
from .lists.list_mark import ListMark, is_enclosed, list_mark
from .lists.list_offers import label_of_list
from .offer import Offer, marked_first, named_first, of_older, scaled
from .scopes import ORDER, Scope, first_scope, only_rows, scopes_of
from .selection import line_at, select
from .simple_ways import agrees, is_first, simple_ways, simple_words
from .tables.block import Column
from .tables.regions import Repeat, regions
from .tables.table_titles import with_table_key
from .tables.title_numbers import title_number
from .words import bars_before, output_name, words_of

TEXTS_STORED = "what is stored there is no list of numbers."
MOST_OUTPUTS, MOST_LISTED = 24, 240  # columns of a table that become outputs at once; of which some can be ticked in a list


class Mark:
    """What is marked in a text. ``scopes``: what it may mean, the likeliest first; each is read when it is asked for.
    ``other``: the same text at other values. ``refusal``, ``why[scope]``: why nothing is offered. ``part``: the text goes on."""

    def __init__(
        self, text: str, start: int, end: int, source: str = "stdout", other: str | None = None, part: bool = False
    ) -> None:
        self.text = text[:MAX_TEXT]
        self._cut = part or len(text) > MAX_TEXT  # the last table of a piece is not the last of all
        self.source = source
        self._is_json = self.text.lstrip()[:1] in ("{", "[")
        self._lines: Sequence[Line] | None = None
        self._other = other
        self.lists = Lists(self.text)
        self.titled: dict[Region, tuple[list[range], list[str]]] = {}  # where tables with one heading stand, and their names
        self._others: dict[tuple[int, int], Mark] = {}  # in the same text: numbers that are picked one by one are asked for again
        self._mark(start, end)

    def at(self, start: int, end: int) -> Mark:
        """Another mark in the same text."""
        if (start, end) not in self._others:
            again = copy(self)
            again._mark(start, end)
            self._others[start, end] = again
        return self._others[start, end]

    def _mark(self, start: int, end: int) -> None:
        self.start, self.end = max(0, min(start, end)), min(len(self.text), max(start, end))
        self.why: dict[Scope, str] = {}
        self.refusal = self.missing = ""
        self._found: dict[Scope, list[Offer]] = {}
        self._wanted: dict[Scope, tuple[tuple[int, ...], tuple[int, ...], bool]] = {}
        self.scale_letters = False
        self.listed: ListMark | None = None
        self.labelled: LabelHit | None = None
        if self._is_json:
            self._take_json()
            if self._found:
                return
        if self._lines is None:
            self._lines = self.lines = lines_of(self.text)
            other = (self._other or "")[:MAX_TEXT]
            self.other = lines_of(other) if other.strip() else None
            self._delimiter = delimiter_of(self.text, self.source)
        self.scale_letters = scale_letters.evident([n.text for n in self.lines], line_at(self.lines, self.start))
        with scale_letters.reading(self.scale_letters):
            listed = list_mark(self.lists, self.start, self.end)
            if listed is None and stored_at(self.text, self.start, self.end) == ():
                self.refusal = TEXTS_STORED
                return
            self.listed = listed if listed is not None and (self._delimiter is None or listed.enclosed) else None
            if not (self.listed.alone if self.listed is not None else self._over_lists()):  # their lines are no rows
                self._select()
        if self.listed is not None:
            self.refusal = ""

    def _over_lists(self) -> bool:
        """Whether it is a drag over several lists of more than a line each, whose lines are no rows together."""
        if "\n" not in self.text[self.start : self.end]:
            return False
        lists = self.lists.touched(self.start, self.end, 2)
        plain = self._delimiter is None
        return len(lists) > 1 and all(len(widths(one.body)) > 1 and (plain or is_enclosed(one)) for one in lists)

    def _select(self) -> None:
        found = select(self.text, self.lines, self.start, self.end, delimited=self._delimiter == ",")
        if self.listed is None and self.start == self.end and not heads_a_table(found):
            self.start, self.end = led_number(self.text, self.start) or (self.start, self.end)
            found = select(self.text, self.lines, self.start, self.end, delimited=self._delimiter == ",")
        if isinstance(found, str):
            self.refusal = found
        elif found is None:
            self._found = {"number": [of_older(p) for p in self._older() or self._with_unit()]}
        else:
            self.selection = found
            self.missing = self._missing()
            self._wanted = {scope: (rows, columns, whole) for scope, rows, columns, whole in scopes_of(found)}
            self.labelled = labels_hit(self)

    def _is_sure(self, proposal: Proposal) -> bool:
        """Whether a way to read does not depend on what stands behind the part of the text that is looked at."""
        e = proposal.extractor
        if isinstance(e, Region):
            counted = e.count is not None and e.first > 0
            ended = proposal.spans[-1][1] < self.lines[-1].start
            return e.occurrence != "all" and e.occurrence > 0 and (counted or (e.first > 0 and ended))
        if isinstance(e, NumberList):
            return e.occurrence != "all" and e.occurrence > 0 and proposal.spans[-1][1] < self.lines[-1].start
        if isinstance(e, CsvColumn):
            return e.row is not None and e.row >= 0
        return getattr(e, "occurrence", -1) > 0

    @property
    def table(self) -> range:
        """The lines of the table in which the mark lies, from 0; empty: in none."""
        rows = self.selection.block.rows if self._wanted else ()
        return range(rows[0], rows[-1] + 1) if rows else range(0)

    def names_of(self, columns: Sequence[Column], scope: Scope) -> list[str]:
        """Of columns of a matrix that bears a name: with their numbers; empty: it bears none."""
        if self.listed is None or not self.listed.matrix or scope == "number":
            return []
        name = label_of_list(self.listed.found.whole.name)
        return [f"{name}_{column.number}" for column in columns]

    def _missing(self) -> str:
        """Which marked lines with numbers under the marked columns are no rows of the table, in words."""
        if self.selection.kind == "heading":
            return ""
        chosen = [self.selection.block.columns[k] for k in self.selection.columns]
        first, last = self.selection.rows[0], self.selection.rows[-1]
        known = set(self.selection.block.rows)
        others = [self.lines[i].text for i in range(first, last) if i not in known and not is_rule(self.lines[i].text)]
        count = sum(any(x.isdigit() for c in chosen for x in text[c.left : c.right]) for text in others)
        return f"{count} of the marked lines {'is' if count == 1 else 'are'} no row of it" if count else ""

    def _take_json(self) -> None:
        found = propose(self.text, self.start, self.end, self.source)
        if not found and (named := self.lists.at(self.start, self.end)) is not None:  # its key was clicked
            spans = named.body.spans
            found = [p for p in propose(self.text, spans[0][0], spans[1][1], self.source) if p.is_vector]
        if not found and (single := number_of_key(self.text, self.start, self.end)) is not None:
            found = propose(self.text, single.start, single.end, self.source, single=True)
        for p in (one for one in found if isinstance(one.extractor, JsonPath)):
            scope: Scope = "list" if p.is_vector else "number"
            self._found.setdefault(scope, []).append(Offer(scope, "", p.words, (p,), ("",)))

    def _older(self) -> list[Proposal]:
        return propose(self.text, self.start, self.end, self.source, single=True)

    def _by_labels(self, older: list[Proposal]) -> list[Proposal]:
        """``older``, but where only counting tells a label from others like it: first what a heading or a longer label tells."""
        cell, label = self.selection.cell, next((p.extractor for p in older if isinstance(p.extractor, LabelledNumber)), None)
        if cell is None or label is None or not is_fragile(self.text, label):
            return older
        block, at = self.selection.block, self.selection.rows[0]
        better = list(labels_below(self.text, self.lines, block, at, cell, self.other, older[0].decimal_comma))
        return [*better, *(p for p in older if not (better and isinstance(p.extractor, LabelledNumber)))]

    def _with_unit(self) -> list[Proposal]:
        """The number in a word such as 12.5kg, by the label before it."""
        line_start, line_end = line_bounds(self.text, self.start)
        tokens = scan(self.text, units=True, start=line_start, end=line_end)
        token = next((t for t in tokens if not t.problem and t.start <= self.end and self.start <= t.end), None)
        if token is None:
            return []
        return [p for p in labelled_ways(self.text, Number(token.start, token.end, token.value)) if agrees(p, self.text)]

    @property
    def scopes(self) -> list[Scope]:
        if not self._wanted and self.listed is None:
            return [scope for scope in self._found if self._found[scope]]
        mine = self.listed.scopes if self.listed is not None else ()
        first = self.listed.first if self.listed is not None else None
        if first is None or (first in ("number", "part") and self._wanted and only_rows(self.selection, self.lines)):
            first = first_scope(self.selection, self.lines) if self._wanted else next(iter(mine), "number")
        labels: tuple[Scope, ...] = ("labels",) if self.labelled is not None else ()
        first = "labels" if self.labelled is not None and self.labelled.meant else first
        every = dict.fromkeys([*mine, *labels, *self._wanted, *(scope for scope in self._found if self._found[scope])])
        return sorted(every, key=lambda scope: (scope != first, ORDER.index(scope)))

    def first(self) -> Scope | None:
        """The likeliest scope that can be read; None if none can."""
        return next((scope for scope in self.scopes if self.offers(scope)), None)

    def offers(self, scope: Scope) -> list[Offer]:
        """The ways to read ``scope``, best first."""
        if scope not in self._found:
            with scale_letters.reading(self.scale_letters):
                self._find(scope)
            if self.scale_letters:
                self._found[scope] = [scaled(offer) for offer in self._found[scope]]
        return self._found[scope]

    def _find(self, scope: Scope) -> None:
        """Read ``scope``, best way first."""
        self._found[scope] = []
        if scope == "labels" and self.labelled is not None:
            self._found[scope] = label_offers(self, self.labelled)
        mine = self.listed.offers(scope) if self.listed is not None else []
        rows = self.listed is not None and self.listed.matrix and scope == "list"  # its own list holds what is missing, too
        if scope in self._wanted and not rows:
            older = self._by_labels(plain_ways(self.selection.again, self._older())) if scope == "number" else []
            _add_scope(self, scope, *self._wanted[scope], older, self._delimiter is not None)
            known = [p.extractor for o in self._found[scope] for p in o.proposals]
            self._found[scope] += [of_older(p) for p in older if p.extractor not in known]
        if scope in ("number", "part", "row"):
            near = [o for o in self._found[scope] if isinstance(o.first, Region | LabelledNumber) and not counts_far(o.first)]
            named = any(o.repeat == "" and counts_no_times(o.first) for o in near)
            gone = (Region, LabelledNumber) if named else (LabelledNumber,) if any(o.repeat == "this" for o in near) else ()
            self._found[scope] = [o for o in self._found[scope] if not (isinstance(o.first, gone) and counts_far(o.first))]
        if self.listed is not None and mine:
            others = self._found[scope]
            unsure = any(isinstance(o.first, Region) and o.first.characters for o in others[:1])
            self._found[scope] = [*mine, *others] if scope == "list" or self.listed.better or unsure else [*others, *mine]
        found = marked_first(named_first(self._found[scope], self.lines))
        self._found[scope] = with_labels(self, found) if scope == "table" and scope in self._wanted else found
        if self._cut:
            self._found[scope] = [o for o in self._found[scope] if all(self._is_sure(p) for p in o.proposals)]

    def add(self, scope: Scope, repeat: Repeat, words: str, proposals: Sequence[Proposal], names: Sequence[str] = ()) -> None:
        """One more offer, unless it is there or something cannot be read."""
        proposals, names = with_table_key(proposals, names, self)
        known = any([p.extractor for p in o.proposals] == [p.extractor for p in proposals] for o in self._found[scope])
        if proposals and all(p.values for p in proposals) and not known:
            tail = title_number(self, proposals[0]) if any(names) and scope != "number" else ""
            self._found[scope].append(Offer(scope, repeat, words, tuple(proposals), tuple(names), tail))


def _add_scope(
    marked: Mark, scope: Scope, rows: tuple[int, ...], columns: tuple[int, ...], whole: bool,
    older: Sequence[Proposal], delimited: bool,
) -> None:  # fmt: skip
    block = marked.selection.table_of(rows, whole)
    chosen = [block.columns[k] for k in columns]
    chosen, told = labelled_in_rows(block, chosen, marked.lines, scope in ("table", "block"))
    names = marked.names_of(chosen, scope) or told or [output_name(block, c, marked.lines) for c in chosen]
    if scope == "table" and (computed := [c for c, name in zip(chosen, names, strict=True) if not _of_the_run(marked, c, name)]):
        names = [name for c, name in zip(chosen, names, strict=True) if c in computed]
        chosen = computed
    if len(chosen) > MOST_LISTED and scope in ("block", "column", "table"):
        marked.why[scope] = f"{len(chosen)} columns, {MOST_LISTED} at most are listed. Drag over some."
        return
    simple = simple_ways(marked, scope, rows, chosen, older) if delimited or scope == "number" else []
    if simple and is_first(marked, simple[0]):
        _add_simple(marked, scope, simple, names)
        simple = []
    together = scope in ("row", "part", "number", "piece", "list") or len(chosen) == 1
    for extractor, repeat in regions(marked, rows, chosen, whole, scope == "list"):
        parts = [extractor] if together else [msgspec.structs.replace(extractor, columns=(c.number,)) for c in chosen]
        proposals = []
        for part in parts:
            read = _read(marked, scope, part)
            if read is None:
                break
            proposals.append(read[0])
        if parts and len(proposals) == len(parts) and _is_here(marked, scope, repeat, rows, proposals):
            across = max(1, len(extractor.columns)) if together else 1
            counted = len(proposals[0].values) // across if extractor.columns else 0
            tables = read[1] if read is not None else 1
            words = words_of(extractor, tables, bars_before(block, marked.lines), counted if tables == 1 else 0)
            named = names[:1] if together and len(chosen) == 1 else names if not together else [""]
            named = names_behind(marked.selection.again, extractor, named, marked.lines) if extractor.on_line else named
            marked.add(scope, repeat, _with_name(words, named), proposals, named)
    if simple:
        _add_simple(marked, scope, simple, names)


def _of_the_run(marked: Mark, column: Column, name: str) -> bool:
    """Whether a column holds how long the run took, which is no result; it may be simulated time if another run has the same."""
    if not says_run_time(name):
        return False
    if marked.other is None:
        return surely_run_time(name)
    cells = slice(column.left, column.right)
    pairs = ((marked.lines[i].text, marked.other[i].text) for i in marked.selection.block.rows if i < len(marked.other))
    return any(mine[cells] != its[cells] for mine, its in pairs)


def _add_simple(marked: Mark, scope: Scope, simple: Sequence[Proposal], names: Sequence[str]) -> None:
    label = simple[0].extractor
    repeat: Repeat = ""
    if isinstance(label, LabelledNumber):
        names = [""]
        if label.below is None and marked.text.count(label.label) > 1:
            repeat = "last" if label.occurrence == -1 else "this"
    marked.add(scope, repeat, simple_words(simple), simple, names)


def _is_here(
    marked: Mark, scope: Scope, repeat: Repeat, rows: Sequence[int], proposals: Sequence[Proposal]
) -> bool:
    """Whether what is read is what is marked, where it is to be the very same."""
    if repeat not in ("", "this"):
        return True
    cell = marked.selection.cell
    if scope == "number" and cell is not None:
        return overlaps(*proposals[0].spans[0], cell.start, cell.end)
    if scope == "list" and marked.selection.kind == "lines":  # all that is marked, to its last number
        end = max((n.end for n in numbers(marked.text, marked.start, marked.end)), default=marked.start)
        return proposals[0].spans[0][0] <= end <= proposals[0].spans[-1][1]
    first, last = marked.lines[rows[0]], marked.lines[rows[-1]]
    return all(first.start <= p.spans[0][0] <= last.start + len(last.text) for p in proposals)


def _with_name(words: str, names: Sequence[str]) -> str:
    return words.replace(", ", f" (“{names[0]}”), ", 1) if len(names) == 1 and names[0] and ", " in words else words


def _read(marked: Mark, scope: Scope, extractor: Region) -> tuple[Proposal, int] | None:
    """What ``extractor`` reads, and from how many tables; None if it cannot."""
    comma = marked.selection.block.comma
    try:
        reading, tables = read_region(extractor, marked.text, comma, marked.lines)
        if comma and len(reading.values) > 1:
            one_decimal_sign(marked.text, reading)
    except ExtractionError as error:
        marked.why.setdefault(scope, str(error))
        return None
    return Proposal(extractor, "", reading.values, reading.spans, comma, marked.missing or passed(extractor, marked)), tables
