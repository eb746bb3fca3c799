"""Which rows of an output were measured, where it has more of them than the data and no key pairs them. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import without_unit
from bayescope.engine.problem.data.rows.censored import cells_shown
from bayescope.engine.problem.data.rows.comparison import measured_values
from bayescope.engine.problem.data.rows.own_rows import counted
from bayescope.engine.problem.data.rows.pairing import swept
from bayescope.engine.problem.data.rows.row_remarks import label_numbers, said_places, said_ranges
from bayescope.engine.problem.extract import ExtractionError
from bayescope.engine.problem.numbers.number_text import value_of
from bayescope.engine.problem.numbers.shown_digits import among
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared, with_match
from bayescope.gui.models.data.keys.key_candidates import MOST_TEXT, text_of
from bayescope.gui.models.data.mismatches import Mismatch
from bayescope.gui.models.data.order_words import row_label
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.outputs.readings import reading_of

MOST_SHOWN = 2000  # rows of an output to choose among by clicks
FEWEST_SAMPLES = 4  # fewer numbers that follow each other may be rows all the same
MOSTLY = 0.7  # share of the steps from one sample to the next that are 1: some were lost
LONGEST_LINE = 200  # characters of what the program prints in a row
HINT = "Say below which of its rows were measured."
UNDO = "Choose rows of the output"
_BETWEEN = re.compile(r"[\s,;]+")
_NUMBER = re.compile(r"(?<![\w.,])[-+]?[0-9]+(?:\.[0-9]+)?(?![\w.,])")  # apart from letters: 24 of conc at 24 h
_RANGE = re.compile(r"([0-9]{1,7})(?:-|–|\.\.)([0-9]{1,7})")


@dataclass(frozen=True)
class RowChoice:
    """``lines``: what the program prints in each row of the output; ``measured``: the measured rows in order, with their labels.

    ``told``: the rows that were measured, the first is 1, as labels or remarks tell, () where they do not; ``why``: a sentence.
    """

    output: str
    lines: tuple[str, ...]
    measured: tuple[str, ...]
    told: tuple[int, ...] = ()
    why: str = ""

    @property
    def question(self) -> str:
        n = len(self.measured)
        which = "Which one" if n == 1 else f"Which {n}"
        return f"{which} of the {len(self.lines)} rows of “{one_line(self.output, 30)}” {'was' if n == 1 else 'were'} measured?"


def row_choice(
    problem: d.Problem, index: int, report: TrialRunReport | None, remarks: Sequence[str] = ()
) -> RowChoice | None:
    """What can be chosen in comparison ``index``; None: rows fit, a key pairs them, or more were measured than computed.
    ``remarks``: lines of the data file around its table."""
    found = compared(problem, index, report)
    if found is None or report is None or found[0].keys:
        return None
    match, data, outputs, _ = found
    given = len(outputs[match.output])
    rows = [int(i) for i in np.flatnonzero(~np.isnan(measured_values(match, data)))]
    if not 0 < len(rows) < given <= MOST_SHOWN or counted(given, match, data) is not None:
        return None
    lines = lines_of_output(problem, match.output, report, outputs[match.output])
    values = cells_shown(data)[match.column]
    numbers = [v for v in values if isinstance(v, float)]
    shown = (among(v, numbers) if isinstance(v, float) else str(v) for v in (values[i] for i in rows))
    measured = tuple(f"{row_label(data, i)}: {value}" for i, value in zip(rows, shown, strict=True))
    told, why = _told(problem, index, report, rows, lines, remarks)
    return RowChoice(match.output, lines, measured, told, why)


def asked_beside(
    found: Mismatch, problem: d.Problem, index: int, report: TrialRunReport | None, remarks: Sequence[str] = ()
) -> tuple[Mismatch, RowChoice | None]:
    """What is left of the mismatch ``found`` of comparison ``index`` beside a choice of rows, and that choice; None where
    something else mends it."""
    ways = (found.other_key, found.by_label, found.scaled, found.by_day, found.counted)
    better = any(way is not None for way in ways) or bool(found.passed_over or found.months)
    choice = None if better else row_choice(problem, index, report, remarks)
    if choice is None:
        return found, None
    if choice.told and found.keyless:  # the other columns of the program pair with none of the data
        return replace(found, suggestion=HINT, read=None, read_words="", mark=False, which_rows=""), choice
    return replace(found, which_rows="", suggestion=f"{found.suggestion} Or say below which rows were measured.".strip()), choice


def chosen(problem: d.Problem, index: int, rows: Sequence[int]) -> d.Problem:
    """Comparison ``index`` of these values of its output, the first is 1, in the order of the measured rows."""
    assert isinstance(problem.meaning, d.Predictions)
    match = msgspec.structs.replace(problem.meaning.matches[index], rows=tuple(rows))
    return with_match(problem, index, match)


def rows_typed(text: str, lines: Sequence[str]) -> tuple[int, ...]:
    """The rows (from 1) that a list means: by what stands in one and the same column of their ``lines``, else by their numbers,
    3, 5 or 2-4. Raises ValueError with words for a person."""
    words = [word for word in _BETWEEN.split(text.strip()) if word]
    by_key = _by_key(words, lines)
    if by_key:
        return by_key
    rows: list[int] = []
    for word in words:
        span = _RANGE.fullmatch(word)
        first, last = (int(span[1]), int(span[2])) if span else (int(word), int(word)) if word.isdecimal() else (0, 0)
        if not 1 <= first <= last <= len(lines):
            there = {cell for line in lines for cell in _BETWEEN.split(line)}
            strange = next((w for w in words if w not in there), word)
            raise ValueError(
                f"“{one_line(strange, 30)}” is no row: write numbers from 1 to {len(lines)}, or what stands in one column of "
                "the rows."
            )
        rows += range(first, last + 1)
    if len(set(rows)) < len(rows):
        raise ValueError("A row stands twice in the list.")
    return tuple(rows)


def row_said(words: str, lines: Sequence[str]) -> int | None:
    """The row (from 1) that words name by a number which stands in that row of the ``lines`` alone, conc at 24 h; None: they name
    none, or several."""
    cells = [line.split() for line in lines]
    rows = {k for number in _NUMBER.findall(words) for k, row in enumerate(cells, start=1) if _holds(row, number)}
    return rows.pop() if len(rows) == 1 else None


def _holds(row: Sequence[str], number: str) -> bool:
    return any(value_of(cell) == float(number) for cell in row)


def _by_key(words: Sequence[str], lines: Sequence[str]) -> tuple[int, ...]:
    """The rows that have the ``words``, all different, in the first column of the lines that is different in every row."""
    cells = [_BETWEEN.split(line.strip()) for line in lines]
    if not words or len(set(words)) < len(words) or len({len(row) for row in cells}) != 1:
        return ()
    for column in zip(*cells, strict=True):
        places = {cell: i + 1 for i, cell in enumerate(column)}
        if len(places) == len(lines) and all(word in places for word in words):
            return tuple(places[word] for word in words)
    return ()


def lines_of_output(problem: d.Problem, name: str, report: TrialRunReport, values: np.ndarray) -> tuple[str, ...]:
    """The line that each value of the output stands in; the values themselves where the text is not at hand."""
    plain = tuple(among(v, values) for v in values)
    output = next(o for o in problem.outputs if o.name == name)
    text = text_of(output.source, report)
    if not text or len(text) > MOST_TEXT:
        return plain
    try:
        spans = reading_of(output, text).spans
    except ExtractionError:
        return plain
    if len(spans) != len(plain):
        return plain
    ends = [(text.rfind("\n", 0, start) + 1, text.find("\n", end)) for start, end in spans]
    found = tuple(" ".join(text[a : b if b >= 0 else None].split())[:LONGEST_LINE] for a, b in ends)
    return found if len(set(ends)) == len(ends) else plain  # a list in one line: that line tells nothing


def _told(
    problem: d.Problem, index: int, report: TrialRunReport, rows: Sequence[int], lines: Sequence[str], remarks: Sequence[str]
) -> tuple[tuple[int, ...], str]:
    """The rows that a remark of the file names, else the numbers at the ends of labels; and the ground for it, a sentence."""
    assert isinstance(problem.meaning, d.Predictions)
    assert problem.data is not None
    match = problem.meaning.matches[index]
    column = without_unit(match.column)
    said, clause = said_places(remarks, list(dict.fromkeys((column, *column.split()[:1], match.output))), len(rows))
    if at := _places(said, lines):
        return at, f"The file says: “{one_line(clause, 120)}”."
    if len(rows) == 1 and (row := row_said(column, lines)) is not None:
        return (row,), f"By the number in “{one_line(column, 30)}”."
    given, remark = said_ranges(remarks)
    for cells in problem.data.texts.values():
        labels = [cells[i] for i in rows]
        numbers = label_numbers(labels)
        ends = labels if len(labels) < 3 else labels[:: len(labels) - 1]
        shown = (" and " if len(labels) < 3 else " to ").join(f"“{one_line(label or '', 12)}”" for label in ends)
        if numbers and given and all(n in given for n in numbers) and (at := _places([given[n] for n in numbers], lines)):
            return at, f"By the numbers in {shown}. The file says: “{one_line(remark, 120)}”."
        if _number_samples(numbers) and _has_places(problem, match, rows):
            continue
        if at := _places(numbers, lines):
            return at, f"By the numbers in {shown}."
    return (), ""


def _number_samples(numbers: Sequence[int]) -> bool:
    """Whether numbers count from one to the next, some but a few left out: those of samples, S1 to S8, rather than of rows."""
    if len(numbers) < FEWEST_SAMPLES:
        return False
    steps = np.diff(numbers)
    return swept(np.array(numbers, dtype=float)) and float(np.mean(np.abs(steps) == 1)) >= MOSTLY


def _has_places(problem: d.Problem, match: d.Match, rows: Sequence[int]) -> bool:
    """Whether another column of numbers, which no output predicts, only rises or only falls over these rows: it says where."""
    assert isinstance(problem.meaning, d.Predictions)
    assert problem.data is not None
    used = {m.column for m in problem.meaning.matches if m.column}
    others = ([cells[i] for i in rows] for c, cells in problem.data.columns.items() if c not in used)
    return any(None not in cells and swept(np.array(cells, dtype=float)) for cells in others)


def _places(numbers: Sequence[int], lines: Sequence[str]) -> tuple[int, ...]:
    try:
        return rows_typed(" ".join(map(str, numbers)), lines)
    except ValueError:
        return ()
