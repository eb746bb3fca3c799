"""An output that reads all tables with one heading, where each was measured in a column of its own: an output for each. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import fresh
from bayescope.engine.problem.extract import ExtractionError
from bayescope.engine.problem.extract.reading import lines_of
from bayescope.engine.problem.extract.region import blocks_of, read_region
from bayescope.engine.problem.marks.tables.table_titles import key_of_tables
from bayescope.engine.problem.marks.tables.title_numbers import in_a_name
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.keys.key_candidates import MOST_TEXT, text_of
from bayescope.gui.models.data.keys.own_table import same_table
from bayescope.gui.models.data.tables.label_rows import MOST_LABELS, Labelled
from bayescope.gui.models.plain import one_line

_BETWEEN = re.compile(r"[\s_\-]+")
_NUMBER = re.compile(r"(?<![0-9.,])[0-9]+(?:[.,][0-9]+)?")

def outputs_of_tables(problem: d.Problem, index: int, report: TrialRunReport | None) -> Labelled | None:
    """What comparison ``index`` becomes where its output reads several tables: it and its keys read each of them alone, and the
    data columns of its name and a table's number are compared with that table. None: there are no such tables."""
    meaning, data = problem.meaning, problem.data
    if report is None or data is None or not isinstance(meaning, d.Predictions):
        return None
    whole = next((o for o in problem.outputs if o.name == meaning.matches[index].output), None)
    tables = () if whole is None else _tables(whole, text_of(whole.source, report))
    if whole is None or not 2 <= len(tables) <= MOST_LABELS:
        return None
    own = _of_same_tables(problem, whole)
    taken = [*(o.name for o in problem.outputs), *(p.name for p in problem.parameters)]
    named = {o.name: [fresh(f"{o.name}_{in_a_name(number)}", taken) for number in tables] for o in own}
    outputs: list[d.Output] = []
    for output in problem.outputs:
        parts = [_of_table(output, name, k) for k, name in enumerate(named.get(output.name, ()))]
        outputs += parts or [output]
    matches = [one for m in meaning.matches for one in _matches(m, named, tables, data)]
    changed = msgspec.structs.replace(meaning, matches=tuple(dict.fromkeys(matches)))
    words = f"It reads {len(tables)} tables one after the other."
    button = f"Make {len(tables)} outputs of “{one_line(whole.name, 20)}”, one for each table"
    return Labelled(words, msgspec.structs.replace(problem, outputs=tuple(outputs), meaning=changed), button)


def _tables(output: d.Output, text: str) -> Sequence[float]:
    """The number in the title of each table; counted where titles tell none."""
    extractor = output.extractor
    if not isinstance(extractor, d.Region) or extractor.occurrence != "all" or not text or len(text) > MOST_TEXT:
        return ()
    if extractor.on_line or extractor.number_count is not None:
        return ()
    lines = lines_of(text)
    try:
        count = len(blocks_of(extractor, lines, output.decimal_comma))
    except ExtractionError:
        return ()
    found = key_of_tables(extractor, text, lines, output.decimal_comma)
    if found is None:
        return [float(k + 1) for k in range(count)]
    return list(dict.fromkeys(read_region(found[0], text, output.decimal_comma, lines)[0].values))


def _of_same_tables(problem: d.Problem, output: d.Output) -> list[d.Output]:
    """The outputs that are columns of the same tables; not the one that says which table it is."""
    regions = [o for o in problem.outputs if isinstance(o.extractor, d.Region) and o.extractor.title is None]
    return [o for o in regions if same_table(o, output)]


def _of_table(output: d.Output, name: str, k: int) -> d.Output:
    extractor = output.extractor
    assert isinstance(extractor, d.Region)
    one = msgspec.structs.replace(extractor, occurrence=extractor.since + k, since=1)
    return msgspec.structs.replace(output, name=name, extractor=one, length=None)


def _matches(match: d.Match, named: dict[str, list[str]], tables: Sequence[float], data: d.DataTable) -> list[d.Match]:
    """The comparison with each table; one of no other output is as it was."""
    if match.output not in named:
        return [match]
    columns, found = _columns_of(match.column, tables, data), []
    for k, output in enumerate(named[match.output]):
        column = columns[k] if columns else match.column if k == 0 else ""
        key = named[match.key_output][k] if match.key_output in named else match.key_output
        second = named[match.second_key_output][k] if match.second_key_output in named else match.second_key_output
        sd = match.sd_column if column == match.column else None
        found.append(
            msgspec.structs.replace(
                match, output=output, column=column, sd_column=sd, key_output=key, second_key_output=second, left_out=(),
                outside=None, rows=(),
            )
        )
    return found


def _columns_of(column: str, tables: Sequence[float], data: d.DataTable) -> Sequence[str]:
    """For each table the data column that is called like ``column`` but for the number of the table: Psi(65°) and Psi(70°). ''
    where there is none; empty: the name of ``column`` has no number of a table."""
    mine = [(rest, value) for rest, value in _numbers_of(column) if value in tables]
    ways = []
    for rest, _ in mine:
        by_value = {value: c for c in reversed(list(data.columns)) for other, value in _numbers_of(c) if other == rest}
        ways.append([by_value.get(value, "") for value in tables])
    return max(ways, key=lambda columns: sum(map(bool, columns)), default=())


def _numbers_of(column: str) -> Iterator[tuple[str, float]]:
    """Each number in the name of a column, behind the name without it; a bracket around it is part of the name."""
    for number in _NUMBER.finditer(column):
        rest = f"{column[: number.start()]} # {column[number.end() :]}"
        yield " ".join(_BETWEEN.sub(" ", rest).split()).casefold(), float(number[0].replace(",", "."))
