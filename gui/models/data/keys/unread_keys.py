"""A key that the program prints beside the values of a comparison and that no output reads yet, read at a button. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import fresh, same_names, says_where, without_unit
from bayescope.engine.problem.data.rows.place_columns import may_say_where
from bayescope.engine.problem.data.rows.text_keys import unit_of
from bayescope.engine.problem.data.units.spectral_keys import spectral
from bayescope.engine.problem.extract import ExtractionError, Reading
from bayescope.engine.problem.marks.lists.list_offers import label_of_list
from bayescope.engine.problem.marks.mark import Mark
from bayescope.engine.problem.marks.scopes import Scope
from bayescope.engine.problem.netcdf_text import is_coordinate
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.models.data.dates.dated_labels import DATES, by_agreement, heading_over, with_times
from bayescope.gui.models.data.keys.key_candidates import MOST_TEXT, columns_beside, plain_key_name, text_of
from bayescope.gui.models.data.keys.list_keys import lists_beside
from bayescope.gui.models.data.keys.part_keys import with_keys
from bayescope.gui.models.data.keys.possible_keys import able_columns
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.outputs.heading_units import heading_unit
from bayescope.gui.models.simulator.outputs.readings import reading_of


@dataclass(frozen=True)
class UnreadKey:
    """``name``: what the program calls it; ``problem``: with an output that reads it; ``column``: of the data that
    it pairs rows with, where it does so at once."""

    name: str
    problem: d.Problem
    words: str
    column: str = ""

    @property
    def button(self) -> str:
        return f"Pair by {one_line(self.column, 20)}" if self.column else f"Read “{one_line(self.name, 24)}” too"


def unread_key(problem: d.Problem, index: int, report: TrialRunReport | None) -> UnreadKey | None:
    """The column or list beside the values of comparison ``index``, as long as these, that is called like a column that may be a
    key, or that says where or when; None: there is none, or every such one is read, or rows are paired by a place, a time or
    labels already."""
    found = compared(problem, index, report)
    columns = [] if found is None else able_columns(problem, found[0].column)
    if found is None or report is None or not columns:
        return None
    match, data, outputs, _ = found
    if any(may_say_where(data, column) or column in data.texts for _, column in match.keys):
        return None
    declared = next(o for o in problem.outputs if o.name == match.output)
    text = text_of(declared.source, report)
    if not text or len(text) > MOST_TEXT:
        return None
    here = [(o.source, o.extractor) for o in problem.outputs]
    beside = {
        name: output
        for name, output in _named(declared, text, len(outputs[match.output]))
        if (output.source, output.extractor) not in here
    }
    beside = {name: by_agreement(output, text, data) for name, output in beside.items()}
    alike = same_names(list(beside), columns)
    alike |= {} if alike else _only_dates(beside, text, data)
    name = next(iter(alike), None) or next((n for n in beside if _says_where(n, text)), None)
    name = name or next((n for n, o in beside.items() if any(spectral(n, c, o.unit) for c in columns)), None)
    if name is None:
        return None
    own = fresh(plain_key_name(without_unit(name)), [o.name for o in problem.outputs] + [p.name for p in problem.parameters])
    added = msgspec.structs.replace(beside[name], name=own)
    changed = msgspec.structs.replace(problem, outputs=(*problem.outputs, added))
    column = alike.get(name)
    same_kind = column is not None and (column in data.texts) == added.text
    changed = with_keys(changed, index, [(own, column)] if column is not None and same_kind else [])
    words = f"The program prints “{one_line(name, 24)}” beside “{one_line(match.output, 24)}”, and no output reads it yet."
    if column is not None and same_kind:
        words += f" It pairs the rows by “{one_line(column, 24)}”."
    return UnreadKey(name, changed, words)


def _says_where(name: str, text: str) -> bool:
    """Of a column or list of ``text``, in a group of it too."""
    return says_where(name.rpartition("/")[2]) or is_coordinate(text, name)


def _only_dates(beside: dict[str, d.Output], text: str, data: d.DataTable) -> dict[str, str]:
    """The one output of dates with the one column of dates, whatever they are called."""
    columns = [name for name in data.texts if unit_of(data.texts[name]) == DATES]
    dates = [n for n, o in beside.items() if o.text and (read := _read(o, text)) is not None and unit_of(read.texts) == DATES]
    return {dates[0]: columns[0]} if len(dates) == len(columns) == 1 else {}


def _named(output: d.Output, text: str, n: int) -> Iterator[tuple[str, d.Output]]:
    """The other columns of the table of ``output``, or the other lists of the text, that have ``n`` entries all different, by
    the names that stand above or before them."""
    if isinstance(output.extractor, d.NumberList):
        for other, values in lists_beside(output, text):
            name = label_of_list(getattr(other.extractor, "name", None))
            if name and len(np.unique(values)) == len(values) == n:
                yield name, msgspec.structs.replace(other, unit="")
        return
    mark: Mark | None = None
    for other in columns_beside(output):
        read = next((r for r in (_read(other, text), _read(msgspec.structs.replace(other, text=True), text)) if r), None)
        timed = None if read is None or not read.texts else with_times(msgspec.structs.replace(other, text=True), read, text)
        other, read = timed or (other, read)  # a date of which every one stands in many rows, with its time
        if read is None or len(set(read.values)) < n or len(read.values) != n or other.extractor == output.extractor:
            continue
        start, end = read.spans[0]
        if timed is not None:
            yield heading_over(text, start, text.find(" ", start)), msgspec.structs.replace(other, unit="")
            continue
        mark = Mark(text, start, end, output.source) if mark is None else mark.at(start, end)
        scope: Scope = "labels" if read.texts else "column"  # beside labels, the columns are those of numbers
        offers = mark.offers(scope) if scope in mark.scopes else []
        if name := next((name for offer in offers for name in offer.names if name), ""):
            unit = "" if read.texts else heading_unit(mark, name, other.extractor)
            yield name, msgspec.structs.replace(other, text=bool(read.texts), unit=unit)


def _read(output: d.Output, text: str) -> Reading | None:
    try:
        return reading_of(output, text)
    except ExtractionError:
        return None
