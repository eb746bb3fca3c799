"""Tables with the columns of the marked one, each by itself: those with its heading in its text, or in other files of a run."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

import msgspec

from ...definition import CsvColumn, Output, Region
from ...extract import ExtractionError, read_output
from ...extract.reading import Line, lines_of
from ...extract.region import blocks_of, squeezed
from ...propose_tables import Proposal
from ..each import MOST_LOOKED_AT
from ..mark import Mark
from ..offer import Offer
from .title_numbers import names_of_tables, words_apart

MOST_TABLES = 12  # each by itself: more of them are steps of time, which are read together
MOST_OUTPUTS = 60  # of all of them: more than that nobody looks through
_WORDS = re.compile(r"[\W_]+")
_PARTS = re.compile(r"[\W_]+|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")  # of the name of a file


@dataclass(frozen=True)
class EqualTable:
    """A table in the text ``source``; ``behind``: what goes behind the names of its columns; ``columns``: how each is read, in
    the order of the marked ones."""

    source: str
    behind: str
    columns: tuple[Proposal, ...]


def equal_tables(mark: Mark, offer: Offer, texts: Mapping[str, str], others: Mapping[str, str]) -> tuple[EqualTable, ...]:
    """The marked table, of which ``offer`` reads columns or a single one, and those like it; none: there are none, too many, or
    the run at other values (``others``: its texts) does not have them. ``texts``: all of the run, by their source."""
    if offer.scope not in ("table", "column", "block") or not offer.proposals:
        return ()
    found = _in_the_text(mark, offer) or _in_other_files(mark, offer, texts)
    if not 2 <= len(found) <= MOST_TABLES or len(found) * len(found[0].columns) > MOST_OUTPUTS:
        return ()
    if len(mark.text) * len(found) * len(found[0].columns) > MOST_LOOKED_AT:
        return ()
    there = [table for table in found if table.source in others]
    return found if all(_is_read(table, others[table.source]) for table in there) else ()


def _in_the_text(mark: Mark, offer: Offer) -> tuple[EqualTable, ...]:
    """Those below the same text as the marked one."""
    chosen = [_columns(p) for p in offer.proposals if _columns(p)]
    every = next((p for o in mark.offers(offer.scope) if o.repeat == "all" and (p := _alike(o, chosen))), ())
    every = every or _below_the_heading(mark, offer)
    first = every[0].extractor if every else None
    if not isinstance(first, Region):
        return ()
    comma = every[0].decimal_comma
    try:
        blocks = blocks_of(first, mark.lines, comma)
    except ExtractionError:
        return ()
    if not 2 <= len(blocks) <= MOST_TABLES:
        return ()
    behind = names_of_tables(mark.lines, blocks) or [str(k + 1) for k in range(len(blocks))]
    found = [
        EqualTable(mark.source, name, tuple(_of_table(p, first.since + k) for p in every)) for k, name in enumerate(behind)
    ]
    for table, rows in zip(found, blocks, strict=True):
        spans = _spans(table, mark.text)
        if not spans or not rows[0].line.start <= spans[0][0] < rows[0].line.start + len(rows[0].line.text) + 1:
            return ()  # some have no rows: counting goes wrong
    return tuple(found)


def _alike(every: Offer, chosen: Sequence[tuple[int, ...]]) -> tuple[Proposal, ...]:
    """The columns ``chosen`` as all tables have them to their ends; empty: it reads others."""
    plain = tuple(p for p in every.proposals if _columns(p))
    whole = all(isinstance(p.extractor, Region) and p.extractor.count is None and p.extractor.first == 1 for p in plain)
    return plain if whole and [_columns(p) for p in plain] == list(chosen) else ()


def _below_the_heading(mark: Mark, offer: Offer) -> tuple[Proposal, ...]:
    """The columns of a table that is known by a title of its own, below every heading like its own; empty: it has none."""
    heading = _heading(EqualTable(mark.source, "", offer.proposals), mark.text)
    found = []
    for p in offer.proposals if heading is not None else ():
        if not isinstance(p.extractor, Region) or not _columns(p) or p.extractor.count is not None or p.extractor.first != 1:
            return ()
        every = msgspec.structs.replace(p.extractor, anchor=heading, occurrence="all", headings=None, since=1, until=-1)
        found.append(Proposal(every, "", p.values, p.spans, p.decimal_comma, scale_letters=p.scale_letters))
    return tuple(found)


def _columns(proposal: Proposal) -> tuple[int, ...]:
    """Which columns it reads; empty: none, or the titles of tables."""
    e = proposal.extractor
    return e.columns if isinstance(e, Region) and e.title is None and not e.on_line else ()


def _of_table(proposal: Proposal, nth: int) -> Proposal:
    e = proposal.extractor
    assert isinstance(e, Region)
    return Proposal(msgspec.structs.replace(e, occurrence=nth, since=1, until=-1), "", (), (), proposal.decimal_comma,
                    scale_letters=proposal.scale_letters)  # fmt: skip


def _in_other_files(mark: Mark, offer: Offer, texts: Mapping[str, str]) -> tuple[EqualTable, ...]:
    """The file and those of the same kind with the same heading."""
    ending = PurePath(mark.source).suffix
    if mark.source in ("stdout", "stderr") or any(_counted(p) for p in offer.proposals):
        return ()
    mine = EqualTable(mark.source, "", offer.proposals)
    heading = _heading(mine, mark.text)
    if heading is None:
        return ()
    found = [mine]
    for source in (s for s in texts if s != mark.source and PurePath(s).suffix == ending and s not in ("stdout", "stderr")):
        other = EqualTable(source, "", offer.proposals)
        if _heading(other, texts[source]) == heading and _is_read(other, texts[source]):
            found.append(other)
        if len(found) > MOST_TABLES:
            return ()
    found.sort(key=lambda table: list(texts).index(table.source))
    names = _files_apart([PurePath(table.source).stem for table in found]) or [str(k + 1) for k in range(len(found))]
    return tuple(EqualTable(table.source, name, table.columns) for table, name in zip(found, names, strict=True))


def _files_apart(stems: Sequence[str]) -> Sequence[str]:
    """What tells files apart: a number in a word of their names, load1, or the whole word, D2O; empty: nothing does."""
    parts, words = ([" ".join(filter(None, cut.split(stem))) for stem in stems] for cut in (_PARTS, _WORDS))
    names = words_apart(parts, numbered=True)
    return names if all(name.isdigit() for name in names) else words_apart(words, numbered=True) or names


def _counted(proposal: Proposal) -> bool:
    """Whether it is told by counting tables, or by the place of a column that has no name."""
    e = proposal.extractor
    if isinstance(e, CsvColumn):
        return not isinstance(e.column, str)
    return not isinstance(e, Region) or e.occurrence not in (1, -1) or e.title is not None


def _heading(table: EqualTable, text: str) -> str | None:
    """The line above the first row; None: it cannot be read, or numbers stand there."""
    if (spans := _spans(table, text)) == []:
        return None
    lines: Sequence[Line] = lines_of(text)
    top = next((i for i, line in enumerate(lines) if line.start + len(line.text) >= spans[0][0]), 0)
    above = next((squeezed(line.text) for line in reversed(lines[:top]) if line.text.strip(" -=_*#|+")), "")
    return above if any(c.isalpha() for c in above) else None


def _spans(table: EqualTable, text: str) -> list[tuple[int, int]]:
    try:
        return list(read_output(_output(table.columns[0]), text).spans)
    except ExtractionError:
        return []


def _is_read(table: EqualTable, text: str) -> bool:
    try:
        return all(read_output(_output(p), text).values for p in table.columns)
    except ExtractionError:
        return False


def _output(proposal: Proposal) -> Output:
    return Output(
        name="x", source="", extractor=proposal.extractor, decimal_comma=proposal.decimal_comma, length=None,
        scale_letters=proposal.scale_letters, text=bool(proposal.texts), label_columns=proposal.label_columns,
    )  # fmt: skip
