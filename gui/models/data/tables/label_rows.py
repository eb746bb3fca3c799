"""An output that reads rows with labels of every table, where one row of each was measured: an output for each label. Pure.

The labels are the names of data columns; where they are texts of a column, the table is split by it first (``split_table``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import fresh, same_names, sd_columns
from bayescope.engine.problem.data.rows.own_rows import counted
from bayescope.engine.problem.extract import ExtractionError, Reading
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.models.data.keys.key_candidates import MOST_TEXT, paired_by, plain_key_name, text_of
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.outputs.readings import reading_of

MOST_LABELS = 24  # as many outputs as a marked table makes at once
MOST_NAMED = 4


@dataclass(frozen=True)
class Labelled:
    """``problem``: as the button makes it; ``words``: what was found out, sentences; ``button``: its words. Without ``problem``
    there is only something to say."""

    words: str
    problem: d.Problem | None = None
    button: str = ""


def labelled(problem: d.Problem, index: int, report: TrialRunReport | None) -> Labelled | None:
    """What the labels of rows tell of comparison ``index``, whose output gave another number of values than were measured."""
    found = compared(problem, index, report)
    if found is None or report is None:
        return None
    match, data, outputs, _texts = found
    given = len(outputs[match.output])
    if counted(given, match, data) is not None:
        return None
    rows = labelled_rows(problem, index, report)
    tables = given // len(rows) if rows else 0
    told = f"Its {given} values are {tables} times the rows {_listed(list(rows))}." if rows else ""
    for changed, names in _wide(problem, index, data, rows):
        button = f"Read only the row {one_line(names[0], 20)}" if len(names) == 1 else f"One output each for {_listed(names)}"
        return Labelled(told, changed, button)
    if not rows:
        return None
    return Labelled(f"{told} If one of these rows was measured, mark it alone in every table, on the Simulator page.")


def labelled_rows(problem: d.Problem, index: int, report: TrialRunReport | None) -> dict[str, d.Region]:
    """What reads the row of each label that the output of comparison ``index`` reads from every table; {}: it does not."""
    if report is None or not isinstance(problem.meaning, d.Predictions):
        return {}
    output = next((o for o in problem.outputs if o.name == problem.meaning.matches[index].output), None)
    text = text_of(output.source, report) if output is not None else ""
    return rows_by_label(output, text) if output is not None and text and len(text) <= MOST_TEXT else {}


def rows_by_label(output: d.Output, text: str) -> dict[str, d.Region]:
    """What reads the row of each label in every table, where ``output`` reads them all, in the same order in each; else {}."""
    extractor = output.extractor
    whole = isinstance(extractor, d.Region) and extractor.row_label is None and not extractor.on_line
    if not whole or output.text or not isinstance(extractor, d.Region):
        return {}
    values = _read(output, text)
    labels = _read(msgspec.structs.replace(output, extractor=msgspec.structs.replace(extractor, columns=(1,)), text=True), text)
    if values is None or labels is None or not labels.texts or len(labels.texts) != len(values.values):
        return {}
    different = list(dict.fromkeys(labels.texts))
    k, n = len(different), len(labels.texts)
    if not 2 <= k <= MOST_LABELS or n < 2 * k or list(labels.texts) != different * (n // k):
        return {}
    made: dict[str, d.Region] = {}
    for i, label in enumerate(different):
        count = 1 if extractor.occurrence == "all" else None
        own = msgspec.structs.replace(extractor, row_label=label, first=1, count=count, first_number=1, number_count=None)
        mine = _read(msgspec.structs.replace(output, extractor=own), text)
        if mine is None or mine.values != values.values[i::k]:
            return {}
        made[label] = own
    return made


def _read(output: d.Output, text: str) -> Reading | None:
    try:
        return reading_of(output, text)
    except ExtractionError:
        return None


def _listed(names: Sequence[str]) -> str:
    shown = [one_line(name, 16) for name in names]
    return ", ".join(shown) if len(shown) <= MOST_NAMED else f"{shown[0]}, {shown[1]} … {shown[-1]}"


def _wide(
    problem: d.Problem, index: int, data: d.DataTable, rows: Mapping[str, d.Region]
) -> Iterator[tuple[d.Problem, list[str]]]:
    """Labels that are names of columns, the measured one among them."""
    assert isinstance(problem.meaning, d.Predictions)
    match = problem.meaning.matches[index]
    others = {m.column for i, m in enumerate(problem.meaning.matches) if i != index}
    free = [c for c in data.columns if c not in others and c not in sd_columns(list(data.columns))]
    named = same_names(list(rows), free)
    if match.column in named.values():
        yield with_rows(problem, index, rows, named), list(named)


def with_rows(
    problem: d.Problem, index: int, rows: Mapping[str, d.Region], named: Mapping[str, str]
) -> d.Problem:
    """An output for the row of each label that is ``named`` like a column, in place of the one that reads them all."""
    assert isinstance(problem.meaning, d.Predictions)
    match = problem.meaning.matches[index]
    whole = next(o for o in problem.outputs if o.name == match.output)
    used = {name for i, m in enumerate(problem.meaning.matches) if i != index for name in (m.output, *(o for o, _ in m.keys))}
    kept = [o for o in problem.outputs if o is not whole or whole.name in used]
    taken = [o.name for o in kept] + [p.name for p in problem.parameters]
    made: list[d.Output] = []
    outputs: dict[str, str] = {}
    for label in named:
        known = next((o for o in kept if o.source == whole.source and o.extractor == rows[label]), None)
        own = known or msgspec.structs.replace(
            whole, name=fresh(plain_key_name(label), [*taken, *(o.name for o in made)]), extractor=rows[label]
        )
        made += [] if known is not None else [own]
        outputs[label] = own.name
    at = next((i for i, o in enumerate(problem.outputs) if o is whole), len(kept))
    read = msgspec.structs.replace(problem, outputs=(*kept[:at], *made, *kept[at:]))
    return _compared(read, index, outputs, named)


def _compared(problem: d.Problem, index: int, outputs: Mapping[str, str], named: Mapping[str, str]) -> d.Problem:
    """Each output compared with its column, in place of comparison ``index`` and of those that these outputs had, in order."""
    assert isinstance(problem.meaning, d.Predictions)
    matches, columns = problem.meaning.matches, problem.data.columns if problem.data is not None else {}
    new: list[d.Match] = []
    for label, column in named.items():
        like = next((m for m in matches if m.output == outputs[label]), matches[index])
        sd = like.sd_column if like.sd_column in columns else None
        own = msgspec.structs.replace(
            like, output=outputs[label], column=column, sd_column=sd, left_out=(), outside=None, rows=()
        )
        new.append(paired_by(own, ()))
    gone = {m.output for m in new}
    before = [m for m in matches[:index] if m.output not in gone]
    behind = [m for m in matches[index + 1 :] if m.output not in gone]
    meaning = msgspec.structs.replace(problem.meaning, matches=(*before, *new, *behind))
    return msgspec.structs.replace(problem, meaning=meaning)
