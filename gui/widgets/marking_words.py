"""Words about what is marked in an output text: a name for it, why nothing is proposed, how much of the text can be marked."""

from __future__ import annotations

import re
from pathlib import Path

from bayescope.engine.problem.definition import CsvColumn, JsonPath, NumberList, Region
from bayescope.engine.problem.extract.region import squeezed
from bayescope.engine.problem.marks import Mark, Offer
from bayescope.engine.problem.marks.labels.label_names import short_name
from bayescope.engine.problem.marks.labels.number_label import label_of
from bayescope.engine.problem.marks.lists.list_offers import label_of_list
from bayescope.engine.problem.numbers.numbers_in_text import number_at, numbers, problem_at
from bayescope.engine.problem.propose import MAX_TEXT
from bayescope.gui.models.simulator.numbers.first_words import heading_word, word_around, word_before

HEADING_REACH = 4_000  # characters between a row of headings and the first number below it
NEAR = 4_000  # characters before and behind words that were marked, in which a number is looked for
LEAST_HEADINGS = 3  # apart from each other; two may be a title and a remark beside it
MISSING = "stands where the number should be"
GAP_ADVICE = " Drag over the rows above or below it, or click single numbers."
STREAMS = ("", "stdout", "stderr")  # no files
_GAPS = re.compile(r"\s{2,}|\t")


def name_for(offer: Offer, text: str, start: int, end: int, source: str = "") -> tuple[str, str]:
    """A name for what is marked, from its column, its keys, the label before it or above the table, else the stem of the file
    ``source``; and the unit beside it."""
    name, unit = _named(offer, text, start, end)
    stem = "" if source in STREAMS else Path(source).stem
    return name or (short_name(stem) if re.search(r"[^\W\d_]", stem) else "") or "output", unit


def _named(offer: Offer, text: str, start: int, end: int) -> tuple[str, str]:
    extractor = offer.proposals[0].extractor
    if isinstance(extractor, CsvColumn) and isinstance(extractor.column, str):
        return short_name(extractor.column) or extractor.column, ""
    if isinstance(extractor, NumberList):
        return short_name(label_of_list(extractor.name)), ""
    if isinstance(extractor, JsonPath):
        return next((k for k in reversed(extractor.path.split(".")) if k and not k.isdigit()), ""), ""
    number = number_at(text, start, end)
    anchor = extractor.anchor if isinstance(extractor, Region) else None
    found = label_of(text, number.start, number.end) if number is not None else None
    if found is not None and (name := short_name(found.words)):
        return name, found.unit if offer.scope == "number" else ""
    if len(offer.proposals) > 1 and any(offer.names):
        classes = all(not name or name[:1].isdigit() for name in offer.names[:-1])  # 0-4, 65+: the title says of what
        return (heading_word(anchor or "") if classes else ""), ""  # else the word clicked may be one of them
    before = word_before(text, number.start) if number is not None else word_around(text, end)
    before = "" if before[:1].isdigit() else before  # a piece of the number before it
    return before or ("" if _heads_columns(offer, text) else heading_word(anchor or "")), ""


def _heads_columns(offer: Offer, text: str) -> bool:
    """Whether the text by which a column is found is a row of headings, whose words are the names of several columns."""
    extractor, first = offer.proposals[0].extractor, offer.proposals[0].spans[0][0]
    if not isinstance(extractor, Region) or not extractor.columns or extractor.anchor is None:
        return False
    above = text[max(0, first - HEADING_REACH) : first].splitlines()[:-1]
    line = next((line for line in reversed(above) if squeezed(extractor.anchor) in squeezed(line)), "")
    return len(_GAPS.split(line.strip())) >= LEAST_HEADINGS


def why_nothing(mark: Mark, text: str, start: int, end: int) -> str:
    """Why no way of reading is proposed for what was marked; nothing for a click beside the numbers."""
    start, end = min(start, end), max(start, end)
    if end > MAX_TEXT:
        return f"Only numbers in the first {MAX_TEXT:,} characters can be marked. Add the output by hand."
    if mark.refusal:
        return f"{mark.refusal[:1].upper()}{mark.refusal[1:]}"
    if mark.scopes == ["list"]:
        return "What you marked cannot be read as columns of one table. Click on a single number, or mark rows of one table."
    for scope in mark.scopes:
        if mark.why.get(scope):
            gap = GAP_ADVICE if MISSING in mark.why[scope] else ""
            return f"It cannot be read: {mark.why[scope]}{gap}"
    found = number_at(text, start, end)
    if found is None:
        return problem_at(text, start, end) or (_only_words(text, start, end) if end > start else "")
    return "No text was found by which this number is known again in another run. Add the output by hand."


def _only_words(text: str, start: int, end: int) -> str:
    """What to do after a drag over words, with the line of the nearest number, below rather than above."""
    below = next(iter(numbers(text, end, min(len(text), end + NEAR))), None)
    above = list(numbers(text, max(0, start - NEAR), start)) if below is None else []
    near = below or (above[-1] if above else None)
    where = "" if near is None else f"; the nearest stands in line {text.count(chr(10), 0, near.start) + 1}"
    return f"There is no number in what you marked{where}. Mark numbers beside or below these words, or the heading above them."


def part_words(n: int, part: bool, opened: bool) -> tuple[str, str]:
    """Where numbers can be marked in the ``n`` characters shown, if that is not the whole text: in a few words, and in sentences.

    ``part``: the text goes on behind them. ``opened``: it is a file that the user opened.
    """
    reads = "A run reads all of it: what lies behind can be added by hand."
    if n > MAX_TEXT:
        shown = f"the first {n:,} are shown" if part else f"there are {n:,}"
        why = f"Numbers in the first {MAX_TEXT:,} characters can be marked; {shown}. {reads}"
        return f"marking: first {MAX_TEXT:,} characters", why
    if not part:
        return "", ""
    open_it = "" if opened else " Open the file itself to see more."
    return f"first {n:,} characters", f"The beginning of the text is shown, {n:,} characters.{open_it} {reads}"
