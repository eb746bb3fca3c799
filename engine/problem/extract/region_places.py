"""Where the rows of a region (``definition.Region``) may begin: the appearances of the text by which it is known again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..definition import Region
from .numbers import ExtractionError
from .reading import Line, T, lines_of, ordinal, quoted, times
from .region_rows import MOSTLY, Place, form_words, row_of, rows_from
from .row_cells import cells_of, form_of

_DIGITS = str.maketrans("023456789", "1" * 9)


def appearances(anchor: str, lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """The lines, counted from 0, with the anchor as whole words, and where it ends there."""
    return ((i, end) for i, _, end in _appearances(anchor, lines))


def _appearances(anchor: str, lines: Sequence[Line]) -> Iterator[tuple[int, int, int]]:
    first, pattern = anchor.split()[0], whole_words(anchor)
    for i, line in enumerate(lines):
        if first in line.text and (match := pattern.search(line.text)) is not None:
            yield i, match.start(), match.end()


def whole_words(text: str) -> re.Pattern[str]:
    """``text`` as whole words, with any white space between them."""
    words = text.split()
    return re.compile(
        (r"(?<!\w)" if words[0][0].isalnum() else "")
        + r"\s+".join(re.escape(word) for word in words)
        + (r"(?!\w)" if words[-1][-1].isalnum() else "")
    )


def behind(text: str, end: int, delimiter: str | None = None) -> int:
    """The character of the line ``text`` where its first cell behind an anchor begins that ends at ``end``."""
    if delimiter == "\t" and text[end : end + 1] == "\t":
        return end + 1  # another one ends an empty cell
    return end + len(text[end:]) - len(text[end:].lstrip(" =:" if delimiter == "\t" else " \t=:"))


def places_of(extractor: Region, lines: Sequence[Line], comma: bool) -> list[Place]:
    """Where rows may begin. On the anchor's line: only where what follows it has the form of the row; below it, if it is to be
    ``followed``: only where a row comes.

    Raises ExtractionError if the anchor is empty, if nothing of the form follows it anywhere, or what follows is a broken row.
    """
    if extractor.anchor is None:
        return [Place(0, 0, len(lines))]
    if not extractor.anchor.strip():
        raise ExtractionError("the text above the rows is empty.")
    found = list(appearances(extractor.anchor, lines))
    if not extractor.on_line:
        limits = [*(i for i, _ in found[1:]), len(lines)]
        places = [Place(i + 1, 0, limit) for (i, _), limit in zip(found, limits, strict=False)]
        if not extractor.followed or not places:
            return places
        if not (led := [p for p in places if next(rows_from(extractor, lines, p, comma), None) is not None]):
            raise ExtractionError(
                f"below {quoted(extractor.anchor)}, which occurs {times(len(places))}, there is nowhere a row of "
                f"{form_words(extractor)}. Mark the numbers again in a text that has them."
            )
        return led
    starts = [(i, behind(lines[i].text, end, extractor.delimiter)) for i, end in found]
    if extractor.form:
        known: dict[str, bool] = {}
        fitting = [(i, at) for i, at in starts if _has_known_form(extractor, lines[i], at, comma, known)]
        if starts and not fitting:
            i, at = starts[0]
            raise ExtractionError(
                f"behind {quoted(extractor.anchor)} there is nowhere a row of {form_words(extractor)}; in line {i + 1} it is "
                f"{quoted(lines[i].text[at:])}. Mark the numbers again in a text that has them."
            )
        starts = fitting
    limits = [*(i for i, _ in starts[1:]), len(lines)]
    return [Place(i, at, limit) for (i, at), limit in zip(starts, limits, strict=False)]


def chosen_places(extractor: Region, places: Sequence[T]) -> Sequence[T]:
    """Of all appearances those from number ``since`` to number ``until``. Raises ExtractionError if there are not as many."""
    first, last = extractor.since, extractor.until
    low = first - 1 if first > 0 else len(places) + first
    high = last if last > 0 else len(places) + last + 1
    if not 0 <= low < high <= len(places):
        what = f"the text {quoted(extractor.anchor or '')} occurs {times(len(places))}"
        if extractor.followed:
            what += " before such a row"
        raise ExtractionError(f"{what}, and of these {which_words(first, last)} are asked for.")
    return places[low:high]


def which_words(since: int, until: int) -> str:
    """Which of all appearances are read, in words: the first 11, all but the last 3, from the 2nd on; empty: all."""
    last = f"but the last {-until - 1}" if until < -2 else "but the last" if until == -2 else ""
    if since == until:
        return "the first" if since == 1 else f"the {ordinal(since)}" if since > 0 else "the last"
    if since == 1:
        return f"the first {until}" if until > 0 else f"all {last}".strip() if last else ""
    if since > 0 and until > 0:
        return f"the {ordinal(since)} to the {ordinal(until)}"
    first = f"from the {ordinal(since)} on" if since > 0 else f"the last {-since}"
    return f"{first} up to the {ordinal(until)}" if until > 0 else f"{first} {last}".strip()


def lines_of_form(extractor: Region, lines: Sequence[Line], comma: bool) -> tuple[list[int], int]:
    """The lines, from 0, where a row stands behind the anchor, and how many more have the anchor and something else there."""
    count = sum(1 for _ in appearances(extractor.anchor or "", lines))
    try:
        found = [place.index for place in places_of(extractor, lines, comma)]
    except ExtractionError:
        found = []
    return found, count - len(found)


def digits_alike(text: str) -> str:
    """``text`` with one digit for all: lines that are alike then have cells of the same kinds."""
    return text.translate(_DIGITS)


def _has_known_form(extractor: Region, line: Line, at: int, comma: bool, known: dict[str, bool]) -> bool:
    """As ``_has_form``; ``known``: what was found for lines that look like each other."""
    shape = digits_alike(line.text[at:])
    if shape not in known:
        known[shape] = _has_form(extractor, line, at, comma)
    return known[shape]


def _has_form(extractor: Region, line: Line, at: int, comma: bool) -> bool:
    """Whether a row begins at character ``at``. Raises ExtractionError if it is one with something else than a number in it."""
    if row_of(extractor, line, at, comma) is not None:
        return True
    form = extractor.form.rstrip("*")
    if extractor.delimiter is None or len(form) < 2:
        return False
    there = form_of(cells_of(line.text[at:], by=extractor.by, delimiter=extractor.delimiter, comma=comma))[: len(form)]
    same = sum(a in (b, "x") for a, b in zip(form, there, strict=False))
    cut = len(there) < len(form) and same == len(there) and 2 * same >= len(form)
    if cut or (len(there) == len(form) and same >= MOSTLY * len(form)):
        fault = "breaks off" if cut else "is no row as the others are"
        raise ExtractionError(
            f"line {line.number} {fault}: behind {quoted(extractor.anchor or '')} it is "
            f"{quoted(line.text[at:])}, where {form_words(extractor)} should stand. Let the program print every number."
        )
    return False


def anchor_spans(extractor: Region, text: str) -> list[tuple[int, int]]:
    """The characters of the anchor, at the appearances that are asked for; none if it is not there."""
    if extractor.anchor is None or not extractor.anchor.strip():
        return []
    lines = lines_of(text)
    found = list(_appearances(extractor.anchor, lines))
    if extractor.followed or (extractor.on_line and extractor.form):
        for comma in (False, True):  # a frame, not a number: whichever of the two can be read
            there = {i - (not extractor.on_line) for i in lines_of_form(extractor, lines, comma)[0]}
            if there:
                found = [one for one in found if one[0] in there]
                break
    spans = [(lines[i].start + a, lines[i].start + b) for i, a, b in found]
    if extractor.occurrence == "all":
        try:
            return list(chosen_places(extractor, spans))
        except ExtractionError:
            return []
    index = extractor.occurrence - 1 if extractor.occurrence > 0 else len(spans) + extractor.occurrence
    return spans[index : index + 1] if 0 <= index < len(spans) else []
