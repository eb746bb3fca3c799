"""Outputs that read all rows of a table of which those with one label match the data: the state transp, zone 2. Pure."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.extract import ExtractionError
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.models.data.keys.key_candidates import MOST_TEXT, text_of
from bayescope.gui.models.data.keys.own_table import same_table
from bayescope.gui.models.data.rows.unfit import unfit
from bayescope.gui.models.data.tables.label_rows import MOST_LABELS, Labelled
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.outputs.readings import reading_of


def rows_of_label(problem: d.Problem, index: int, report: TrialRunReport | None) -> Labelled | None:
    """What comparison ``index``, which cannot be made with all rows of its output, becomes with those that have one label in a
    column of their table; None: with none, or with those of several labels."""
    if report is None or not isinstance(problem.meaning, d.Predictions):
        return None
    whole = next((o for o in problem.outputs if o.name == problem.meaning.matches[index].output), None)
    text = "" if whole is None else text_of(whole.source, report)
    if whole is None or not text or len(text) > MOST_TEXT:
        return None
    fit = []
    for column, label, count in _labels(whole, text):
        changed = with_label(problem, whole, column, label)
        found = compared(changed, index, report)
        if found is not None and not unfit(*found)[0]:
            fit.append((changed, label, count))
    if len(fit) != 1:
        return None
    changed, label, count = fit[0]
    shown = one_line(label, 20)
    return Labelled(f"Only its {count} rows with “{shown}” match the data.", changed, f"Read only rows with “{shown}”")


def with_label(problem: d.Problem, whole: d.Output, column: int, label: str) -> d.Problem:
    """``problem`` where ``whole`` and the other outputs of its table read only rows with ``label`` in this column of cells."""
    outputs = tuple(_only(o, column, label) if o == whole or same_table(o, whole) else o for o in problem.outputs)
    return msgspec.structs.replace(problem, outputs=outputs)


def _only(output: d.Output, column: int, label: str) -> d.Output:
    extractor = msgspec.structs.replace(output.extractor, where=(column, label))  # type: ignore[type-var]
    return msgspec.structs.replace(output, extractor=extractor, length=None)


def _labels(output: d.Output, text: str) -> Iterator[tuple[int, str, int]]:
    """The labels in the columns of texts of an output's rows, few as they are: the column, the label, how many rows have it."""
    region = output.extractor
    if not isinstance(region, d.Region) or region.characters or region.row_label is not None or region.where is not None:
        return
    if region.on_line or region.count is not None or region.number_count is not None or region.first_number != 1:
        return
    for column, kind in enumerate(region.form.rstrip("*"), start=1):
        if kind != "t":
            continue
        labels = msgspec.structs.replace(output, extractor=msgspec.structs.replace(region, columns=(column,)), text=True)
        try:
            texts = reading_of(labels, text).texts
        except ExtractionError:
            continue
        several = dict.fromkeys(texts)
        if 2 <= len(several) <= min(MOST_LABELS, len(texts) - 1):
            yield from ((column, label, texts.count(label)) for label in several if label)
