"""Extractors of numbers in running text: the last number, after a label, by a search pattern, near a marker."""

from __future__ import annotations

import functools
import re

import regex

from ..definition import LabelledNumber, LastNumber, MarkerOffset, RegexGroup, RowsAfter
from .numbers import ExtractionError, Token, parse_word, scan
from .reading import Line, Reading, lines_of, number_of, pick_occurrence, quoted, times, words_of

REGEX_SECONDS = 2.0  # a pattern can need longer than the age of the universe
_STARS_AS_NUMBER = re.compile(r"(?:[=:]\s*|[0-9]\s+)$")


def last_number(extractor: LastNumber, text: str, decimal_comma: bool) -> Reading:
    """The last number of the text; a row of stars as decoration is skipped, one in a number's place is an error."""
    found: Token | None = None
    for token in scan(text, decimal_comma):
        if not token.problem or text[token.start] not in "*+-" or _is_overflow(text, token):
            found = token
    if found is None:
        raise ExtractionError("there is no number in it.")
    return Reading((found.number(),), ((found.start, found.end),))


def _is_overflow(text: str, token: Token) -> bool:
    if "*" not in text[token.start : token.end]:
        return True
    line_start = text.rfind("\n", 0, token.start) + 1
    return bool(_STARS_AS_NUMBER.search(text[max(line_start, token.start - 80) : token.start]))


def labelled(extractor: LabelledNumber, text: str, decimal_comma: bool) -> Reading:
    """The first number after the label, on its line or, if nothing else follows there, on the next that is not empty."""
    if not extractor.label.strip():
        raise ExtractionError("the label is empty.")
    places = [
        Line(text.count("\n", 0, m.start()) + 1, m.end(), "") for m in re.finditer(re.escape(extractor.label), text)
    ]
    place = pick_occurrence(places, extractor.occurrence, f"the label {quoted(extractor.label)}")
    line_end = _end_of_line(text, place.start)
    rest = text[place.start : line_end]
    if not any(c.isalnum() or c == "*" for c in rest):
        following = re.compile(r"\s*\S").match(text, line_end)
        if following:
            line_end = _end_of_line(text, following.end())
    # cut out, because a number may touch its label ("x5") and scan wants to see a word begin
    token = next(scan(text[place.start : line_end], decimal_comma, units=True), None)
    if token is None:
        raise ExtractionError(
            f"no number follows the label {quoted(extractor.label)} in line {place.number}, only {quoted(rest)}."
            if rest.strip()
            else f"no number follows the label {quoted(extractor.label)} in line {place.number}: the line ends there."
        )
    return Reading((token.number(),), ((place.start + token.start, place.start + token.end),))


def _end_of_line(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


@functools.lru_cache(maxsize=64)
def _compiled(pattern: str) -> regex.Pattern[str]:
    return regex.compile(pattern)


def search_all(pattern: str, text: str) -> list[regex.Match[str]]:
    """Every match of a user's pattern. Raises ExtractionError if it is wrong or takes too long."""
    try:
        return list(_compiled(pattern).finditer(text, timeout=REGEX_SECONDS, concurrent=True))
    except TimeoutError:
        raise ExtractionError(
            f"the search pattern {quoted(pattern)} took longer than {REGEX_SECONDS:g} s. "
            "Patterns such as (a+)+ can take for ever; write a simpler one."
        ) from None
    except (regex.error, OverflowError, RecursionError, MemoryError, ValueError) as error:
        raise ExtractionError(f"the search pattern {quoted(pattern)} is not valid: {error}.") from None


def regex_group(extractor: RegexGroup, text: str, decimal_comma: bool) -> Reading:
    """The chosen group of the chosen match."""
    matches = search_all(extractor.pattern, text)
    what = f"text that fits the search pattern {quoted(extractor.pattern)}"
    lines = [Line(text.count("\n", 0, m.start()) + 1, i, "") for i, m in enumerate(matches)]
    chosen = pick_occurrence(lines, extractor.occurrence, what)
    match = matches[chosen.start]
    if not 0 <= extractor.group <= len(match.groups()):
        raise ExtractionError(
            f"the search pattern {quoted(extractor.pattern)} has {len(match.groups())} groups, "
            f"but group {extractor.group} is asked for. Put round brackets around the number."
        )
    word = match.group(extractor.group)
    if word is None:
        raise ExtractionError(f"group {extractor.group} of {quoted(extractor.pattern)} took no part in the match.")
    start = match.start(extractor.group)
    value, span = number_of(word, start, chosen.number, decimal_comma)
    return Reading((value,), (span,))


def _with_marker(lines: list[Line], marker: str) -> list[Line]:
    if not marker.strip():
        raise ExtractionError("the marker is empty.")
    return [line for line in lines if marker in line.text]


def marker_offset(extractor: MarkerOffset, text: str, decimal_comma: bool) -> Reading:
    """The ``column``-th word, ``lines`` lines below the marker's line."""
    lines = lines_of(text)
    at = pick_occurrence(
        _with_marker(lines, extractor.marker), extractor.occurrence, f"a line with the marker {quoted(extractor.marker)}"
    )
    target = at.number - 1 + extractor.lines
    if not 0 <= target < len(lines):
        raise ExtractionError(
            f"the text ends before the line that is {extractor.lines} below the marker {quoted(extractor.marker)} "
            f"(line {at.number} of {len(lines)}): it seems to be cut off."
        )
    words = words_of(lines[target])
    if not 1 <= extractor.column <= len(words):
        raise ExtractionError(
            f"line {target + 1} has {len(words)} words, but word {extractor.column} is asked for: "
            f"{quoted(lines[target].text)}."
        )
    start, word = words[extractor.column - 1]
    value, span = number_of(word, start, target + 1, decimal_comma)
    return Reading((value,), (span,))


def rows_after(extractor: RowsAfter, text: str, decimal_comma: bool) -> Reading:
    """One number from the row below every marker; as many as expected, or an error."""
    lines = lines_of(text)
    heads = _with_marker(lines, extractor.marker)
    if not heads:
        raise ExtractionError(f"a line with the marker {quoted(extractor.marker)} does not occur.")
    if extractor.count is not None and len(heads) != extractor.count:
        raise ExtractionError(
            f"the marker {quoted(extractor.marker)} occurs {times(len(heads))}, but {extractor.count} are expected."
            + (" The output seems to be cut off." if len(heads) < extractor.count else "")
        )
    values, spans = [], []
    for head in heads:
        target = head.number - 1 + extractor.lines
        if not 0 <= target < len(lines):
            raise ExtractionError(f"the text ends before the row that belongs to the marker in line {head.number}.")
        row = _numbers_of_row(lines[target], decimal_comma)
        if not 1 <= extractor.column <= len(row):
            raise ExtractionError(
                f"line {target + 1} has {len(row)} numbers, but number {extractor.column} is asked for: "
                f"{quoted(lines[target].text)}."
            )
        token = row[extractor.column - 1]
        try:
            values.append(token.number())
        except ExtractionError as error:
            raise ExtractionError(f"in line {target + 1} {error}") from None
        spans.append((token.start, token.end))
    return Reading(tuple(values), tuple(spans))


def _numbers_of_row(line: Line, decimal_comma: bool) -> list[Token]:
    """Numbers and what stands in a number's place (****, numbers run together), in order."""
    row: list[Token] = []
    for start, word in words_of(line):
        try:
            row.append(Token(start, start + len(word), parse_word(word, decimal_comma)))
        except ExtractionError as error:
            inner = [
                Token(start + t.start, start + t.end, t.value, t.problem) for t in scan(word, decimal_comma)
            ]
            suspicious = "not a number" not in str(error)
            row += [Token(start, start + len(word), float("nan"), str(error))] if suspicious and not inner else inner
    return row
