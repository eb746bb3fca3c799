"""A number by its label below a heading that the text has once: where the label alone stands in many places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from ...definition import Extractor, LabelledNumber, Region
from ...extract import ExtractionError, extract
from ...extract.reading import Line
from ...extract.region import appearances, squeezed
from ...extract.row_cells import Cell
from ...numbers.dates_in_text import behind_dates
from ...numbers.numbers_in_text import numbers
from ...propose import MAX_LABEL
from ...propose_tables import Proposal
from ..anchors.text_above import anchors_above
from ..tables.block import Block

FEW = 4  # appearances that are counted; a higher count is off by one after any line more or less
LEAST_HEADING = 4  # letters of a heading that tells one place from another
LEAST_LABEL = 3  # letters: shorter ones stand within other words
_SIGNS = ("=", ":", "\u2248", "~")


def signed_label(line: Line, start: int) -> str:
    """The words between the number before and the one at ``start`` of the text, with the sign behind them: "A ="."""
    at = start - line.start
    before = [n.end for n in numbers(line.text) if n.end <= at]
    label = line.text[behind_dates(line.text[:at], before[-1] if before else 0) : at].strip()[-MAX_LABEL:]
    return label if any(c.isalpha() for c in label) else ""


def is_fragile(text: str, label: LabelledNumber) -> bool:
    """Whether counting to ``label`` may end elsewhere in another run: it is short, or stands in many places, or amid them."""
    count = text.count(label.label)
    if count == 1:
        return False
    few_letters = sum(c.isalpha() for c in label.label) < LEAST_LABEL
    return label.occurrence != -1 or (count > FEW and few_letters)


def counts_no_times(extractor: Extractor) -> bool:
    """Whether it is read at the first appearance of a text, of which there may be one only."""
    return isinstance(extractor, Region | LabelledNumber) and extractor.occurrence == 1


def counts_far(extractor: Extractor) -> bool:
    """Whether it counts so many appearances that one more or less in another run is likely; of a letter or two, any."""
    nth = extractor.occurrence if isinstance(extractor, Region | LabelledNumber) else 1
    short = isinstance(extractor, LabelledNumber) and sum(c.isalpha() for c in extractor.label) < LEAST_LABEL
    return nth != "all" and abs(nth) > (1 if short else FEW)


def labels_below(
    text: str, lines: Sequence[Line], block: Block, at: int, cell: Cell, other: Sequence[Line] | None, comma: bool
) -> Iterator[Proposal]:
    """The number ``cell`` in line ``at`` by its label where that, with its sign, stands once; else below the nearest heading
    that this run and the ``other`` have once."""
    label = signed_label(lines[at], cell.start)
    if not label:
        return
    ways = []
    if label.endswith(_SIGNS) and text.count(label) == 1 and (other is None or sum(n.text.count(label) for n in other) == 1):
        ways.append((LabelledNumber(label=label), f"the number after “{label}”"))
    for anchor in anchors_above(lines, block, other, at):
        once = anchor.count == 1 and (other is None or len(list(islice(appearances(anchor.text, other), 2))) == 1)
        if once and not anchor.numbered and anchor.line < at and sum(c.isalpha() for c in anchor.text) >= LEAST_HEADING:
            way = LabelledNumber(label=squeezed(label), below=anchor.text)
            ways.append((way, f"the number after “{way.label}” below “{anchor.text}”"))
    for way, words in ways:
        try:
            reading = extract(way, text, comma)
        except ExtractionError:
            continue
        if reading.spans == ((cell.start, cell.end),):
            yield Proposal(way, words, reading.values, reading.spans, comma)
            return
