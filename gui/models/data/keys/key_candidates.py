"""Keys that may pair the rows of a comparison: outputs that are read, and labels beside the values in the same table. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import fresh, says_sd, sd_columns, without_unit
from bayescope.engine.problem.data.rows.censored import rows_with_value
from bayescope.engine.problem.data.rows.comparison import key_codes, measured_values
from bayescope.engine.problem.data.rows.pairing import by_key, swept_outwards, tolerance
from bayescope.engine.problem.data.rows.text_keys import unit_of
from bayescope.engine.problem.data.tables.quality_flags import is_flags
from bayescope.engine.problem.extract import ExtractionError
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.dates.dated_labels import dated
from bayescope.gui.models.data.keys.list_keys import lists_beside
from bayescope.gui.models.data.keys.own_table import own_first
from bayescope.gui.models.data.keys.running_numbers import only_numbers
from bayescope.gui.models.data.keys.title_keys import keys_in_titles
from bayescope.gui.models.simulator.outputs.readings import reading_of

Array = NDArray[np.float64]
Pair = tuple[str, str]  # an output and a data column that pair rows
NO_KEY = (None, None)
FEWEST_SWEPT = 3  # places of a sweep: fewer may agree by chance
MOST_SWEPT = 0.75  # of the places of the shorter of two runs
MOST_TEXT = 2_000_000  # characters of a program's table that labels are looked for in, while the window waits
MOST_COLUMNS = 30  # of a table that a program prints, looked through for labels


@dataclass(frozen=True)
class Key:
    """An output and a data column that may pair rows; ``declared``, ``codes``: of an output that is not read yet; ``heading``:
    what the program prints above it."""

    output: str
    column: str
    declared: d.Output | None = None
    codes: Array | None = None
    heading: str = ""

    @property
    def pair(self) -> Pair:
        return self.output, self.column


def may_pair(data: d.DataTable, name: str) -> bool:
    """Whether column ``name`` may be a key: most entries of another column of numbers, of no errors, have one of it beside them,
    or at least no such column stands wholly below or above it, as quantities of a long table do."""
    sds = sd_columns(list(data.columns))

    def filled(column: str) -> set[int]:
        return rows_with_value(data, column)

    mine = filled(name)
    others = [filled(other) for other in data.columns if other != name and other not in sds]
    return any(2 * len(mine & there) > len(there) for there in others) or all(mine & there for there in others)


def paired_by(match: d.Match, keys: Sequence[Pair]) -> d.Match:
    """``match`` with its rows paired by no key (in order), one or two, to the automatic tolerance, and no other way."""
    (output, column), (second_output, second_column) = (*keys, NO_KEY, NO_KEY)[:2]
    return msgspec.structs.replace(
        match, rows=() if keys else match.rows, key_output=output, key_column=column, key_factor=1.0, key_offset=0.0,
        key_inverse=False, key_tolerance=None, interpolate=False, by_day=False, second_key_output=second_output,
        second_key_column=second_column,
    )  # fmt: skip


def candidates(
    problem: d.Problem,
    match: d.Match,
    data: d.DataTable,
    outputs: dict[str, Array],
    report: TrialRunReport,
    labels_only: bool,
) -> Iterator[Key]:
    """Keys of comparison ``match`` that hold every key of the data: read already from the same text, beside the values in the
    same table, or read from another text, whose rows may be others."""
    n = len(outputs[match.output])
    columns = [c for c in (*data.texts, *(() if labels_only else data.columns)) if c != match.column and not says_sd(c)]
    columns = [c for c in columns if not is_flags(data, c)]  # what is good of all rows pairs none
    measured = ~np.isnan(measured_values(match, data))
    wanted = {c: np.unique(codes[measured]) for c in columns if len(codes := key_codes(data, c)) == len(measured)}
    near = {c: tolerance(_untold(match), codes) for c, codes in wanted.items()}
    declared = next(o for o in problem.outputs if o.name == match.output)
    elsewhere = {o.name for o in problem.outputs if o.source != declared.source}
    read_already = [
        Key(output, name)
        for name, codes in wanted.items()
        for output in own_first(problem, match.output, outputs)
        if output != match.output and len(values := outputs[output]) == n and not only_numbers(data, name, values)
        and holds(match, codes, values, near[name])
    ]  # fmt: skip
    yield from (key for key in read_already if key.output not in elsewhere)
    taken = [o.name for o in problem.outputs] + [p.name for p in problem.parameters]
    for labels, values, read in _labels_beside(declared, report):
        for name, codes in wanted.items() if read is not None and len(values) == n else ():
            if not only_numbers(data, name, values) and holds(match, codes, values, near[name]):
                own = _fresh(name, taken)
                yield Key(own, name, msgspec.structs.replace(labels, name=own), values)
    text = "" if labels_only or not n else text_of(declared.source, report)
    for title, values in keys_in_titles(declared, text) if text else ():
        for name, codes in wanted.items() if len(values) == n else ():
            if holds(match, codes, values, near[name]):
                own = _fresh(without_unit(name), taken)
                yield Key(own, name, msgspec.structs.replace(title, name=own), values)
    yield from (key for key in read_already if key.output in elsewhere)


def keys_beside(problem: d.Problem, match: d.Match, report: TrialRunReport, column: str) -> Iterator[Key]:
    """The other columns of the table that the output of ``match`` is read from, as keys for the data ``column``."""
    declared = next(o for o in problem.outputs if o.name == match.output)
    own = fresh_key_name(without_unit(column), problem)  # in which unit the program prints it, only its heading can say
    for labels, values, read in _labels_beside(declared, report):
        if labels.label_columns > 1 or labels.month:
            continue  # read as labels, not as numbers
        clock = unit_of(read or ()) == "s"  # 01:30 is no number
        yield Key(own, column, msgspec.structs.replace(labels, name=own, text=clock, unit=""), values)


def holds(match: d.Match, wanted: Array, values: Array, near: Array | None = None) -> bool:
    """Whether each of these keys (n,) is among the output's (m,). ``near``: their tolerances (n,), where they are known."""
    return bool(np.isfinite(wanted).all()) and bool((by_key(_untold(match), wanted, values, near) >= 0).all())


def _untold(match: d.Match) -> d.Match:
    """With the tolerance that is taken where none is told."""
    return match if match.key_tolerance is None else msgspec.structs.replace(match, key_tolerance=None)


def same_places(one: Array, other: Array) -> bool:
    """Whether two runs have the same keys (n,), (m,): all of them, or those of a sweep of which a run may lack some."""
    if len(one) == len(other) and np.array_equal(one, other, equal_nan=False):
        return True
    fewer, more = sorted((one, other), key=len)
    if len(fewer) < FEWEST_SWEPT or not (swept_outwards(fewer) and swept_outwards(more)):
        return False
    if float(np.isin(fewer, more).mean()) < MOST_SWEPT:
        return False
    # as many values, all but one where they were: one has changed, none is lacking
    return len(fewer) < len(more) or int((fewer == more).sum()) < int(np.isin(fewer, more).sum())


def steady(
    problem: d.Problem, key: Key, outputs: Mapping[str, Array], second: TrialRunReport | None
) -> bool:
    """Whether the key is the same at other values, as far as is known."""
    declared = key.declared or next(o for o in problem.outputs if o.name == key.output)
    text = text_of(declared.source, second) if second is not None else ""
    if not text:
        return True
    try:
        values = np.array([np.nan if v is None else v for v in reading_of(declared, text).values], dtype=float)
    except ExtractionError:
        return False
    return same_places(values, key.codes if key.codes is not None else outputs[key.output])


def _labels_beside(
    output: d.Output, report: TrialRunReport
) -> Iterator[tuple[d.Output, Array, tuple[str, ...] | None]]:
    """Outputs of labels from the other columns of the table that ``output`` is read from, with the codes and the texts read, ()
    of lists of numbers; None: there are no labels."""
    text = text_of(output.source, report)
    extractor = output.extractor
    if text and len(text) <= MOST_TEXT and isinstance(extractor, d.NumberList):
        yield from ((other, values, ()) for other, values in lists_beside(output, text))
    for other in columns_beside(output) if text and len(text) <= MOST_TEXT else ():
        found = msgspec.structs.replace(other, text=True)
        if other == output and not isinstance(extractor, d.Region):  # where a region counts numbers, labels count all cells
            continue
        try:
            reading = reading_of(found, text)
        except ExtractionError:
            continue
        for way, meant in ((found, reading), *dated(found, reading, text)):
            yield way, np.array(meant.values, dtype=float), tuple(meant.texts) or None


def columns_beside(output: d.Output) -> Iterator[d.Output]:
    """``output`` reading each of the first columns of its table instead of its own; none where it reads no whole column."""
    extractor = output.extractor
    if isinstance(extractor, d.CsvColumn) and (extractor.axis != "column" or extractor.row is not None):
        return
    for k in range(MOST_COLUMNS):
        if isinstance(extractor, d.CsvColumn):
            yield msgspec.structs.replace(output, extractor=msgspec.structs.replace(extractor, column=k))
        elif isinstance(extractor, d.TableBlock | d.Region):
            yield msgspec.structs.replace(output, extractor=msgspec.structs.replace(extractor, columns=(k + 1,)))


def text_of(source: str, report: TrialRunReport) -> str:
    if source in ("stdout", "stderr"):
        cut = report.stdout_cut if source == "stdout" else report.stderr_cut
        return "" if cut else (report.stdout if source == "stdout" else report.stderr)
    return next((f.text or "" for f in report.files if f.name == source and not f.cut), "")


def _fresh(name: str, taken: list[str]) -> str:
    """A name for an output that holds the labels of the data column ``name``."""
    return fresh(plain_key_name(name), taken)


def fresh_key_name(name: str, problem: d.Problem) -> str:
    """As ``_fresh``, among the outputs and parameters of ``problem``."""
    return _fresh(name, [o.name for o in problem.outputs] + [p.name for p in problem.parameters])


def plain_key_name(name: str) -> str:
    """``name`` as an output may be called."""
    base = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in name.strip()).strip("_") or "label"
    return base if base[0].isalpha() else f"key_{base}"
