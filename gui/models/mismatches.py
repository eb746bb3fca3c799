"""Rows of the data that no value of the newest test run belongs to, and the ways to mend it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.column_names import fresh
from bayescope.engine.problem.comparison import (
    ComparisonError,
    column,
    compare_match,
    key_codes,
    measured_values,
    unpaired,
)
from bayescope.engine.problem.extract import ExtractionError, read_output
from bayescope.engine.problem.pairing import Unpaired
from bayescope.engine.problem.text_keys import FIRST_LABEL
from bayescope.engine.protocol import TrialOutput, TrialRunReport
from bayescope.gui.models.plain import one_line

Array = NDArray[np.float64]
MOST_TEXT = 2_000_000  # characters of a program's table that labels are looked for in, while the window waits
MOST_COLUMNS = 30  # of a table that a program prints, looked through for labels
ROOM = 1.001  # a tolerance is a little wider than the distance it must bridge


@dataclass(frozen=True)
class Row:
    """One row of the data without a partner, in words: row number, key, what was measured, the output's nearest keys."""

    row: int
    key: str
    measured: str
    nearest: str


@dataclass(frozen=True)
class Mismatch:
    """Why one comparison cannot be made, a sentence; the rows it is about; which of the ways to mend it lead anywhere."""

    words: str
    rows: tuple[Row, ...]
    in_order: d.Problem | None = None
    left_out: d.Problem | None = None
    nearest: d.Problem | None = None
    between: d.Problem | None = None  # the output interpolated at the keys of the data
    other_key: d.Problem | None = None
    other_words: str = ""  # the key that fits, for the button


def unfit_words(problem: d.Problem, index: int, report: TrialRunReport | None) -> str:
    """Why comparison ``index`` cannot be made with the newest test run, a sentence; empty: it can, or it is not known."""
    found = _known(problem, index, report)
    return "" if found is None else _unfit(*found)[0]


def mismatch(problem: d.Problem, index: int, report: TrialRunReport | None) -> Mismatch | None:
    """What does not fit between the data and the newest test run in comparison ``index``; None: nothing, or not known."""
    found = _known(problem, index, report)
    if found is None or report is None:
        return None
    match, data, outputs, texts = found
    words, lost = _unfit(*found)
    if not words:
        return None
    n = int((~np.isnan(measured_values(match, data))).sum())
    other = other_key(problem, index, report)
    return Mismatch(
        words,
        tuple(_rows(match, data, outputs, texts, lost)),
        in_order=_in_order(problem, index, outputs) if match.key_column else None,
        left_out=_left_out(problem, index, lost, n),
        nearest=_nearest(problem, index, lost, outputs, texts),
        between=_between(problem, index, outputs),
        other_key=other[0] if other else None,
        other_words=other[1] if other else "",
    )


def _unfit(
    match: d.Match, data: d.DataTable, outputs: dict[str, Array], texts: dict[str, tuple[str, ...]]
) -> tuple[str, list[Unpaired]]:
    """Why the comparison cannot be made, and the rows without a partner; an empty sentence if it can."""
    try:
        compare_match(match, data, outputs)
        return "", []
    except ComparisonError as error:
        reason = error.what
    given, n = len(outputs[match.output]), int((~np.isnan(measured_values(match, data))).sum())
    if match.key_output is not None and match.key_column is not None:
        lost = []
        if len(outputs[match.key_output]) == given:
            lost = unpaired(match, data, outputs, texts.get(match.key_output, ()))
        many = f"{len(lost)} of {n} measured rows {'has' if len(lost) == 1 else 'have'}"
        return (f"{many} no row of {_called(match.output)} with the same key." if lost else reason), lost
    if given in (len(data.columns[match.column]), n):
        return reason, []  # the numbers are at fault, not how many there are
    gave = "1 value" if given == 1 else f"{given} values"
    words = f"The program gave {gave} of {_called(match.output)}, but {n} {'was' if n == 1 else 'were'} measured."
    return words, _too_many(match, data, given)


def better_key(problem: d.Problem, index: int, report: TrialRunReport | None) -> tuple[d.Problem, str] | None:
    """Labels by which rows now taken in order could be paired, and the column's name; None: no need or no way."""
    found = _known(problem, index, report)
    if found is None or report is None or found[0].key_column is not None or not found[1].texts:
        return None
    return other_key(problem, index, report, labels_only=True)


def other_key(
    problem: d.Problem, index: int, report: TrialRunReport, labels_only: bool = False
) -> tuple[d.Problem, str] | None:
    """The problem with a key that pairs every measured row of comparison ``index``, and the key column's name.

    The key is an output that is read already, or labels that stand beside the values in the program's table.
    """
    found = _known(problem, index, report)
    if found is None:
        return None
    match, data, outputs, _texts = found
    keys = [c for c in (*data.texts, *(() if labels_only else data.columns)) if c not in (match.column, match.key_column)]
    for name in keys:
        for output in outputs:
            if output != match.output and len(outputs[output]) == len(outputs[match.output]):
                trial = msgspec.structs.replace(match, key_output=output, key_column=name, key_tolerance=None)
                if _pairs_all(trial, data, outputs, labels_only):
                    return _with_match(problem, index, trial), name
    declared = next(o for o in problem.outputs if o.name == match.output)
    taken = [o.name for o in problem.outputs] + [p.name for p in problem.parameters]
    for labels, codes, read in _labels_beside(declared, report):
        for name in keys if read else ():
            own = _fresh(name, taken)
            trial = msgspec.structs.replace(match, key_output=own, key_column=name, key_tolerance=None)
            if len(codes) == len(outputs[match.output]) and _pairs_all(trial, data, {**outputs, own: codes}, labels_only):
                added = msgspec.structs.replace(labels, name=own)
                return _with_match(msgspec.structs.replace(problem, outputs=(*problem.outputs, added)), index, trial), name
    return None


# --------------------------------------------------------------------------- what is there


def _known(
    problem: d.Problem, index: int, report: TrialRunReport | None
) -> tuple[d.Match, d.DataTable, dict[str, Array], dict[str, tuple[str, ...]]] | None:
    meaning = problem.meaning
    if report is None or problem.data is None or not isinstance(meaning, d.Predictions):
        return None
    if not 0 <= index < len(meaning.matches):
        return None
    match = meaning.matches[index]
    read = _read(problem, report)
    needed = [match.output, *([match.key_output] if match.key_output else [])]
    declared = {o.name for o in problem.outputs}
    if match.column not in problem.data.columns or any(n not in read or n not in declared for n in needed):
        return None
    if match.key_column and match.key_column not in (*problem.data.columns, *problem.data.texts):
        return None
    outputs = {name: _values(o) for name, o in read.items() if name in declared}
    return match, problem.data, outputs, {name: o.texts for name, o in read.items()}


def _read(problem: d.Problem, report: TrialRunReport) -> dict[str, TrialOutput]:
    """What the newest test run gave, outputs that were marked since included; nothing of a run that failed by itself."""
    read = {o.name: o for o in report.outputs if o.values and not o.problem}
    if report.outcome != "ok":  # all was read, and then it could not be compared: that is what is shown here
        unfit = report.outcome == "failed" and {o.name for o in report.outputs} | {o.name for o in problem.outputs} <= set(read)
        return read if unfit else {}
    for output in problem.outputs:
        text = "" if output.name in read else _text_of(output.source, report)
        if text and len(text) <= MOST_TEXT:
            try:
                reading = read_output(output, text)
            except ExtractionError:
                continue
            read[output.name] = TrialOutput(
                name=output.name, source=output.source, values=reading.values, texts=reading.texts
            )
    return read


def _called(name: str) -> str:
    return f"“{one_line(name, 40)}”"


def _values(output: TrialOutput) -> Array:
    return np.array([np.nan if v is None else v for v in output.values], dtype=float)


def _too_many(match: d.Match, data: d.DataTable, values: int) -> list[Unpaired]:
    """Measured rows for which no value is left, if they are paired in order."""
    measured = np.flatnonzero(~np.isnan(measured_values(match, data)))
    return [Unpaired(int(i) + 1, "") for i in measured[values:]]


def _rows(
    match: d.Match,
    data: d.DataTable,
    outputs: Mapping[str, Array],
    texts: Mapping[str, tuple[str, ...]],
    lost: list[Unpaired],
) -> Iterator[Row]:
    values = column(data, match.column)
    for one in lost:
        near = [_key_words(match.key_output or "", i, outputs, texts) for i in one.nearest]
        yield Row(one.row, one.key or "none", f"{values[one.row - 1]:.6g}", ", ".join(near) or "none is like it")


def _key_words(name: str, i: int, outputs: Mapping[str, Array], texts: Mapping[str, tuple[str, ...]]) -> str:
    labels = texts.get(name, ())
    return one_line(labels[i], 30) if i < len(labels) else f"{outputs[name][i]:.12g}"


def _labels_beside(output: d.Output, report: TrialRunReport) -> Iterator[tuple[d.Output, Array, bool]]:
    """Outputs of labels from the other columns of the table that ``output`` is read from, with the codes read."""
    text = _text_of(output.source, report)
    extractor = output.extractor
    if not text or len(text) > MOST_TEXT or not isinstance(extractor, d.CsvColumn | d.TableBlock | d.Region):
        return
    if isinstance(extractor, d.CsvColumn) and (extractor.axis != "column" or extractor.row is not None):
        return
    for k in range(MOST_COLUMNS):
        other: d.Extractor
        if isinstance(extractor, d.CsvColumn):
            other = msgspec.structs.replace(extractor, column=k)
        else:
            other = msgspec.structs.replace(extractor, columns=(k + 1,))
        found = msgspec.structs.replace(output, extractor=other, text=True)
        if other == extractor and not isinstance(extractor, d.Region):  # where a region counts numbers, labels count all cells
            continue
        try:
            reading = read_output(found, text)
        except ExtractionError:
            continue
        yield found, np.array(reading.values, dtype=float), bool(reading.texts)


def _text_of(source: str, report: TrialRunReport) -> str:
    if source in ("stdout", "stderr"):
        cut = report.stdout_cut if source == "stdout" else report.stderr_cut
        return "" if cut else (report.stdout if source == "stdout" else report.stderr)
    return next((f.text or "" for f in report.files if f.name == source and not f.cut), "")


# --------------------------------------------------------------------------- ways to mend it


def _with_match(problem: d.Problem, index: int, match: d.Match) -> d.Problem:
    assert isinstance(problem.meaning, d.Predictions)
    matches = list(problem.meaning.matches)
    matches[index] = match
    return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(problem.meaning, matches=tuple(matches)))


def _fits(match: d.Match, data: d.DataTable, outputs: Mapping[str, Array]) -> bool:
    try:
        compare_match(match, data, outputs)
    except ComparisonError:
        return False
    return True


def _pairs_all(match: d.Match, data: d.DataTable, outputs: Mapping[str, Array], labels_only: bool) -> bool:
    """Whether this key pairs every measured row, each having one."""
    try:
        keys = key_codes(data, match.key_column or "")[~np.isnan(measured_values(match, data))]
    except ComparisonError:
        return False
    if not len(keys) or np.isnan(keys).any() or (labels_only and not np.any(keys >= FIRST_LABEL)):
        return False
    return _fits(match, data, outputs)


def _in_order(problem: d.Problem, index: int, outputs: Mapping[str, Array]) -> d.Problem | None:
    assert isinstance(problem.meaning, d.Predictions)
    assert problem.data is not None
    plain = msgspec.structs.replace(problem.meaning.matches[index], key_output=None, key_column=None, key_tolerance=None)
    return _with_match(problem, index, plain) if _fits(plain, problem.data, outputs) else None


def _between(problem: d.Problem, index: int, outputs: Mapping[str, Array]) -> d.Problem | None:
    """The output interpolated in every comparison with the same key, where all measured rows lie between its rows."""
    assert isinstance(problem.meaning, d.Predictions)
    assert problem.data is not None
    mine = problem.meaning.matches[index]
    if mine.key_column is None or mine.interpolate:
        return None
    for i, match in enumerate(problem.meaning.matches):
        if (match.key_output, match.key_column) == (mine.key_output, mine.key_column) and match.output in outputs:
            changed = msgspec.structs.replace(match, interpolate=True, key_tolerance=None)
            if _fits(changed, problem.data, outputs):
                problem = _with_match(problem, i, changed)
            elif i == index:
                return None
    return problem


def _left_out(problem: d.Problem, index: int, lost: list[Unpaired], measured: int) -> d.Problem | None:
    assert isinstance(problem.meaning, d.Predictions)
    if not lost or len(lost) >= measured:
        return None
    match = problem.meaning.matches[index]
    rows = tuple(sorted({*match.left_out, *(one.row for one in lost)}))
    return _with_match(problem, index, msgspec.structs.replace(match, left_out=rows))


def _nearest(
    problem: d.Problem,
    index: int,
    lost: list[Unpaired],
    outputs: Mapping[str, Array],
    texts: Mapping[str, tuple[str, ...]],
) -> d.Problem | None:
    """Numbers: a tolerance wide enough. Labels: those of the data written as the program writes them."""
    assert isinstance(problem.meaning, d.Predictions)
    assert problem.data is not None
    match, data = problem.meaning.matches[index], problem.data
    if not lost or not all(one.nearest for one in lost) or match.key_column is None or match.key_output is None:
        return None
    output_key, name = match.key_output, match.key_column
    codes, found = key_codes(data, name), outputs[output_key]
    gaps = [abs(float(found[one.nearest[0]] - codes[one.row - 1])) for one in lost if codes[one.row - 1] < FIRST_LABEL]
    if gaps:
        match = msgspec.structs.replace(match, key_tolerance=float(f"{max(gaps) * ROOM:.4g}"))
    labels = texts.get(output_key, ())
    renamed = {one.row - 1: labels[one.nearest[0]] for one in lost if codes[one.row - 1] >= FIRST_LABEL and labels}
    if renamed and name in data.texts:
        cells = tuple(renamed.get(i, t) for i, t in enumerate(data.texts[name]))
        data = msgspec.structs.replace(data, texts={**data.texts, name: cells})
    changed = _with_match(msgspec.structs.replace(problem, data=data), index, match)
    return changed if _fits(match, data, outputs) else None


def _fresh(name: str, taken: list[str]) -> str:
    """A name for an output that holds the labels of the data column ``name``."""
    base = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in name.strip()).strip("_") or "label"
    base = base if base[0].isalpha() else f"key_{base}"
    return fresh(base, taken)
