"""The columns of dates, times and names of a table that is marked whole: they pair its rows, so each is an output beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from ...definition import CsvColumn, Region
from ...extract.label_columns import are_clock_times, are_dates
from ...numbers.number_characters import shorten
from ...propose_tables import Proposal
from ..marked import Marked
from ..offer import Offer
from ..tables.block import Block, Column
from ..words import column_name
from .label_column import labels_read

MOST_LABELS = 4  # columns of them
MOST_SHOWN = 24  # characters of a heading in words
MOST_ROWS = 20_000  # whose labels are read while the window waits


def with_labels(marked: Marked, offers: Sequence[Offer]) -> list[Offer]:
    """``offers`` of a table with an output for each of its columns of dates or times, and of labels that differ and have a
    heading; as they are where several tables are alike, or the rows are no cells between signs or blanks."""
    block = marked.selection.block
    shape = block.shape
    apart = shape.characters or shape.on_line or shape.by != "word" or any(o.repeat for o in offers)
    if apart or "t" not in shape.form or not 1 < len(block.rows) <= MOST_ROWS:
        return list(offers)
    return [_with_labels(marked, block, offer) for offer in offers]


def _with_labels(marked: Marked, block: Block, offer: Offer) -> Offer:
    found = dict[int, tuple[Proposal, str]]()
    passed, dragged = 0, marked.text[marked.start : marked.end] if marked.selection.kind == "heading" else ""
    for k, kind in enumerate(block.shape.form.rstrip("*")):
        if kind != "t" or k < passed or len(found) >= MOST_LABELS:
            continue
        name = column_name(block, Column(k + 1, 0, 0), marked.lines)
        if dragged and name not in dragged:
            continue  # a drag over the headings of others
        one = _read(marked, offer.first, k + 1, name, block.comma)
        if one is None or len(one.texts) != len(block.rows):
            continue
        dated = are_dates([t.split()[0] for t in one.texts if t.strip()]) or are_clock_times(one.texts)
        if dated or (name and len(set(one.texts)) > 1):
            found[k + 1] = one, name or ("date" if dated else "")
            passed = k + one.label_columns
    numbers = [(c.number, p, name) for c, p, name in zip(_columns(block, offer), offer.proposals, offer.names, strict=False)]
    if not found or len(numbers) != len(offer.proposals):
        return offer
    every = sorted([*numbers, *((at, p, name) for at, (p, name) in found.items())], key=lambda one: one[0])
    names = " and ".join(f"“{shorten(name, MOST_SHOWN)}”" for _, name in found.values())
    words = f"{offer.words}, and the labels {names}"
    return replace(offer, words=words, proposals=tuple(p for _, p, _ in every), names=tuple(name for *_, name in every))


def _columns(block: Block, offer: Offer) -> list[Column]:
    """The columns that the proposals of an offer read, in their order: one for each, or none."""
    if len(offer.names) != len(offer.proposals):
        return []
    regions = [p.extractor for p in offer.proposals if isinstance(p.extractor, Region) and p.extractor.columns]
    if len(regions) == len(offer.proposals):
        return [Column(region.columns[0], 0, 0) for region in regions]
    return list(block.columns) if len(block.columns) == len(offer.proposals) else []


def _read(marked: Marked, like: object, number: int, name: str, comma: bool) -> Proposal | None:
    """Labels of column ``number``, read in the way of ``like``, one that reads numbers beside them; None: it cannot."""
    if isinstance(like, Region):
        return labels_read(msgspec.structs.replace(like, columns=(number,)), marked.text, comma)
    if isinstance(like, CsvColumn):
        column = name if isinstance(like.column, str) else number - 1
        return labels_read(msgspec.structs.replace(like, column=column), marked.text, comma) if column != "" else None
    return None
