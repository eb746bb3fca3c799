"""The outputs and how they are read out of what the program wrote."""

from __future__ import annotations

from .. import definition as d
from ..extract.label_columns import column_behind
from ..extract.region_places import which_words
from ..findings import Findings, check_names, places, shorten
from .check_simulator import check_pattern, check_source
from .twin_outputs import twins


def check_outputs(findings: Findings, problem: d.Problem) -> None:
    outputs = problem.outputs
    if not outputs:
        findings.error("outputs", "Nothing is read from the program.", "Mark a number in what it prints or writes.")
        return
    names = [o.name for o in outputs]
    check_names(findings, "outputs", "output", names)
    for first, second in twins(outputs):
        findings.warning("outputs", f"The outputs “{shorten(first)}” and “{shorten(second)}” read the very same numbers.",
                         "Remove one of them, or read the other somewhere else.")  # fmt: skip
    for where, output in zip(places("outputs", names), outputs, strict=True):
        check_source(findings, f"{where}.source", output.source)
        if output.length is not None and output.length < 1:
            findings.error(f"{where}.length", f"The output “{shorten(output.name)}” is to have {output.length} values.",
                           "Enter 1 or more, or leave it empty for any number.")  # fmt: skip
        _check_extractor(findings, f"{where}.extractor", output)
        if output.text and not isinstance(output.extractor, d.CsvColumn | d.TableBlock | d.JsonPath | d.Region):
            findings.error(
                f"{where}.text", f"Output “{shorten(output.name)}”: labels can only be read from a column of a table or from "
                "JSON.", "Choose another way of reading, or read it as a number.",
            )  # fmt: skip
        if output.label_columns < 1 or (output.text and output.label_columns > 1 and column_behind(output.extractor, 1) is None):
            findings.error(
                f"{where}.label_columns", f"Output “{shorten(output.name)}”: a label of {output.label_columns} neighbouring "
                "columns cannot be read so.", "Choose 1, or another way of reading: columns that are counted have neighbours.",
            )  # fmt: skip


def _check_extractor(findings: Findings, where: str, output: d.Output) -> None:
    extractor, name = output.extractor, shorten(output.name)
    occurrence = getattr(extractor, "occurrence", 1)
    if occurrence == 0:
        findings.error(f"{where}.occurrence", f"Output “{name}”: appearances are counted from 1 (or -1 from the end).")
    match extractor:
        case d.LabelledNumber(label=label):
            if not label.strip():
                findings.error(f"{where}.label", f"Output “{name}”: there is no text to look for.", "Enter the text before it.")
        case d.RegexGroup(pattern=pattern, group=group):
            groups = check_pattern(findings, f"{where}.pattern", pattern)
            if groups >= 0 and not 0 <= group <= groups:
                findings.error(
                    f"{where}.group", f"Output “{name}”: group {group} of the search pattern is asked for, it has {groups}.",
                    "Put round brackets around the number in the pattern.",
                )  # fmt: skip
        case d.CsvColumn(column=column, delimiter=delimiter, axis=axis, row=row):
            if (isinstance(column, int) and column < 0) or column == "":
                findings.error(f"{where}.column", f"Output “{name}”: “{column}” is not a column.", "Columns count from 0.")
            if delimiter is not None and len(delimiter) != 1:
                findings.error(f"{where}.delimiter", f"Output “{name}”: one character separates columns.", "Leave it empty.")
            if axis == "row" and row is None:
                findings.error(f"{where}.row", f"Output “{name}”: a row is to be taken whole, but which?", "Enter its number.")
        case d.JsonPath(path=path):
            if not path.strip() or "" in path.split("."):
                findings.error(f"{where}.path", f"Output “{name}”: “{shorten(path)}” is not a path of keys.",
                               "Write keys with dots between them, such as result.fit.0.chi2.")  # fmt: skip
        case d.MarkerOffset(marker=marker, column=column):
            _check_marker(findings, where, name, marker, column)
        case d.RowsAfter(marker=marker, column=column, count=count):
            _check_marker(findings, where, name, marker, column)
            if count is not None and count < 1:
                findings.error(f"{where}.count", f"Output “{name}”: {count} rows are expected.", "Enter 1 or more.")
            if count is not None and output.length is not None and count != output.length:
                findings.error(
                    f"{where}.count", f"Output “{name}” is to have {output.length} values, one from each of {count} rows."
                )
        case d.Region():
            _check_region(findings, where, output, extractor)
        case d.NumberList():
            _check_list(findings, where, output, extractor)
        case d.TableBlock():
            _check_table(findings, where, output, extractor)
        case d.LastNumber():
            pass
    single = isinstance(extractor, d.LastNumber | d.LabelledNumber | d.RegexGroup | d.MarkerOffset)
    single = single or (isinstance(extractor, d.CsvColumn) and extractor.axis == "column" and extractor.row is not None)
    if single and output.length is not None and output.length > 1:
        findings.error(
            f"{where}", f"Output “{name}” is to have {output.length} values, but this way of reading gives a single number.",
            "Choose a column or a table.",
        )  # fmt: skip


def _check_marker(findings: Findings, where: str, name: str, marker: str, column: int) -> None:
    if not marker.strip():
        findings.error(f"{where}.marker", f"Output “{name}”: there is no text to look for.", "Enter a text of that line.")
    if column < 1:
        findings.error(f"{where}.column", f"Output “{name}”: columns of a line count from 1.")


def _check_region(findings: Findings, where: str, output: d.Output, region: d.Region) -> None:
    name = shorten(output.name)
    if region.anchor is not None and not region.anchor.strip():
        findings.error(f"{where}.anchor", f"Output “{name}”: the text above the rows is empty.", "Enter it, or leave it out.")
    if region.anchor is None and (region.on_line or region.occurrence != 1):
        findings.error(f"{where}.anchor", f"Output “{name}”: there is no text to look for.", "Enter a text that stands above.")
    if region.columns and min(region.columns) < 1:
        findings.error(f"{where}.columns", f"Output “{name}”: columns of a row count from 1.")
    if any(not 1 <= a <= b for a, b in region.characters):
        findings.error(f"{where}.characters", f"Output “{name}”: characters count from 1, the first of a column before its last.")
    if region.characters and max(region.columns, default=1) > len(region.characters):
        given = f"characters are given for {len(region.characters)} only"
        findings.error(f"{where}.columns", f"Output “{name}”: column {max(region.columns)} is asked for, but {given}.")
    if region.headings is not None and region.headings < 0:
        findings.error(f"{where}.headings", f"Output “{name}”: {region.headings} lines above the rows.", "Enter 0 or more.")
    if (region.since, region.until) != (1, -1) and region.occurrence != "all":
        which = which_words(region.since, region.until)
        findings.error(f"{where}.since", f"Output “{name}”: of all times {which} are to be read.",
                       "Enter that only where every time is read: all.")  # fmt: skip
    elif 0 in (region.since, region.until) or (region.since * region.until > 0 and region.since > region.until):
        findings.error(f"{where}.since", f"Output “{name}”: from time {region.since} to time {region.until} there is none.",
                       "The first time is 1, the last −1.")  # fmt: skip
    if region.first == 0:
        findings.error(f"{where}.first", f"Output “{name}”: rows are counted from 1 (or -1 from the end).")
    if region.count is not None and region.count < 1:
        findings.error(f"{where}.count", f"Output “{name}”: {region.count} rows are to be read.", "Enter 1 or more.")
    if region.first_number < 1 or (region.number_count is not None and region.number_count < 1):
        findings.error(f"{where}.first_number", f"Output “{name}”: the numbers of a list count from 1.", "Enter 1 or more.")
    if set(region.form) - set("ntx*") or "*" in region.form[:-1]:
        findings.error(f"{where}.form", f"Output “{name}”: “{shorten(region.form)}” is no form of a row.",
                       "Write n for a number, t for a text, x for either, and * at the end for whatever follows.")  # fmt: skip
    if region.delimiter is not None and len(region.delimiter) != 1:
        findings.error(f"{where}.delimiter", f"Output “{name}”: one character separates columns.", "Leave it empty.")
    columns = len(region.columns) or len(region.characters)
    wanted = region.count * columns if region.count is not None and region.occurrence != "all" else 0
    if wanted and output.length not in (None, wanted):
        findings.error(
            f"{where}", f"Output “{name}” is to have {output.length} values, but {region.count} rows and {columns} columns are "
            "chosen.", "Make the two agree.",
        )  # fmt: skip


def _check_list(findings: Findings, where: str, output: d.Output, extractor: d.NumberList) -> None:
    name = shorten(output.name)
    if extractor.name is not None and not extractor.name.strip():
        findings.error(f"{where}.name", f"Output “{name}”: the name before the list is empty.", "Enter it, or leave it out.")
    if extractor.name is None and (extractor.occurrence != 1 or extractor.counted):
        findings.error(f"{where}.name", f"Output “{name}”: there is no text to look for.", "Enter the text before the list.")
    if extractor.end is not None and extractor.end not in (";", ")", "]", "}"):
        findings.error(f"{where}.end", f"Output “{name}”: “{shorten(extractor.end)}” ends no list.",
                       "Enter a semicolon or a closing bracket, or leave it out.")  # fmt: skip
    if extractor.first == 0:
        findings.error(f"{where}.first", f"Output “{name}”: the numbers of a list count from 1 (or -1 from the end).")
    for field, times in (("each", extractor.each), ("times", extractor.times)):
        if times < 1:
            findings.error(f"{where}.{field}", f"Output “{name}”: its numbers are to be given {times} times.", "Enter 1 or more.")
    if extractor.count is not None and extractor.count < 1:
        findings.error(f"{where}.count", f"Output “{name}”: {extractor.count} numbers are to be read.", "Enter 1 or more.")
    elif extractor.count is not None and extractor.occurrence != "all" and output.length not in (None, extractor.count):
        findings.error(f"{where}", f"Output “{name}” is to have {output.length} values, but {extractor.count} are chosen.",
                       "Make the two agree.")  # fmt: skip


def _check_table(findings: Findings, where: str, output: d.Output, block: d.TableBlock) -> None:
    name = shorten(output.name)
    if not block.columns:
        findings.error(f"{where}.columns", f"Output “{name}”: no column of the table is chosen.", "Choose at least one.")
    elif min(block.columns) < 1:
        findings.error(f"{where}.columns", f"Output “{name}”: columns of a table count from 1.")
    if block.skip < 0:
        findings.error(f"{where}.skip", f"Output “{name}”: {block.skip} lines cannot be skipped.")
    if block.rows is not None and block.key_values is not None:
        findings.error(f"{where}.rows", f"Output “{name}”: rows are chosen by number and by key.", "Choose one way.")
    if (block.key_column is None) != (block.key_values is None):
        findings.error(f"{where}.key_column", f"Output “{name}”: rows by key need a key column and the values to look for.")
    if block.key_column is not None and block.key_column < 1:
        findings.error(f"{where}.key_column", f"Output “{name}”: columns of a table count from 1.")
    if not block.key_tolerance >= 0.0:
        findings.error(f"{where}.key_tolerance", f"Output “{name}”: a tolerance is zero or greater.")
    if block.rows is not None and 0 in block.rows:
        findings.error(
            f"{where}.rows", f"Output “{name}”: rows of a table count from 1, and row 0 is asked for.",
            "Add 1 to every row number; otherwise all values come from one row further up.",
        )  # fmt: skip
    chosen = block.rows if block.rows is not None else block.key_values
    if chosen == ():
        findings.error(f"{where}.rows", f"Output “{name}”: no row of the table is chosen.", "Choose at least one, or all rows.")
    elif chosen is not None and output.length is not None and len(chosen) * len(block.columns) != output.length:
        findings.error(
            f"{where}", f"Output “{name}” is to have {output.length} values, but {len(chosen)} rows and "
            f"{len(block.columns)} columns are chosen.", "Make the two agree.",
        )  # fmt: skip
