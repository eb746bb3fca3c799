"""The outputs and how they are read out of what the program wrote."""

from __future__ import annotations

from . import definition as d
from .check_simulator import check_pattern, check_source
from .findings import Findings, check_names, places, shorten


def check_outputs(findings: Findings, problem: d.Problem) -> None:
    outputs = problem.outputs
    if not outputs:
        findings.error("outputs", "Nothing is read from the program.", "Mark a number in what it prints or writes.")
        return
    names = [o.name for o in outputs]
    check_names(findings, "outputs", "output", names)
    for where, output in zip(places("outputs", names), outputs, strict=True):
        check_source(findings, f"{where}.source", output.source)
        if output.length is not None and output.length < 1:
            findings.error(f"{where}.length", f"The output '{shorten(output.name)}' is to have {output.length} values.",
                           "Enter 1 or more, or leave it empty for any number.")  # fmt: skip
        _check_extractor(findings, f"{where}.extractor", output)
        if output.text and not isinstance(output.extractor, d.CsvColumn | d.TableBlock | d.JsonPath):
            findings.error(
                f"{where}.text", f"Output '{shorten(output.name)}': labels can only be read from a column of a table or from "
                "JSON.", "Choose another way of reading, or read it as a number.",
            )  # fmt: skip


def _check_extractor(findings: Findings, where: str, output: d.Output) -> None:
    extractor, name = output.extractor, shorten(output.name)
    occurrence = getattr(extractor, "occurrence", 1)
    if occurrence == 0:
        findings.error(f"{where}.occurrence", f"Output '{name}': appearances are counted from 1 (or -1 from the end).")
    match extractor:
        case d.LabelledNumber(label=label):
            if not label.strip():
                findings.error(f"{where}.label", f"Output '{name}': there is no text to look for.", "Enter the text before it.")
        case d.RegexGroup(pattern=pattern, group=group):
            groups = check_pattern(findings, f"{where}.pattern", pattern)
            if groups >= 0 and not 0 <= group <= groups:
                findings.error(
                    f"{where}.group", f"Output '{name}': group {group} of the search pattern is asked for, it has {groups}.",
                    "Put round brackets around the number in the pattern.",
                )  # fmt: skip
        case d.CsvColumn(column=column, delimiter=delimiter, axis=axis, row=row):
            if (isinstance(column, int) and column < 0) or column == "":
                findings.error(f"{where}.column", f"Output '{name}': '{column}' is not a column.", "Columns count from 0.")
            if delimiter is not None and len(delimiter) != 1:
                findings.error(f"{where}.delimiter", f"Output '{name}': one character separates columns.", "Leave it empty.")
            if axis == "row" and row is None:
                findings.error(f"{where}.row", f"Output '{name}': a row is to be taken whole, but which?", "Enter its number.")
        case d.JsonPath(path=path):
            if not path.strip() or "" in path.split("."):
                findings.error(f"{where}.path", f"Output '{name}': '{shorten(path)}' is not a path of keys.",
                               "Write keys with dots between them, such as result.fit.0.chi2.")  # fmt: skip
        case d.MarkerOffset(marker=marker, column=column):
            _check_marker(findings, where, name, marker, column)
        case d.RowsAfter(marker=marker, column=column, count=count):
            _check_marker(findings, where, name, marker, column)
            if count is not None and count < 1:
                findings.error(f"{where}.count", f"Output '{name}': {count} rows are expected.", "Enter 1 or more.")
            if count is not None and output.length is not None and count != output.length:
                findings.error(
                    f"{where}.count", f"Output '{name}' is to have {output.length} values, one from each of {count} rows."
                )
        case d.TableBlock():
            _check_table(findings, where, output, extractor)
        case d.LastNumber():
            pass
    single = isinstance(extractor, d.LastNumber | d.LabelledNumber | d.RegexGroup | d.MarkerOffset)
    single = single or (isinstance(extractor, d.CsvColumn) and extractor.axis == "column" and extractor.row is not None)
    if single and output.length is not None and output.length > 1:
        findings.error(
            f"{where}", f"Output '{name}' is to have {output.length} values, but this way of reading gives a single number.",
            "Choose a column or a table.",
        )  # fmt: skip


def _check_marker(findings: Findings, where: str, name: str, marker: str, column: int) -> None:
    if not marker.strip():
        findings.error(f"{where}.marker", f"Output '{name}': there is no text to look for.", "Enter a text of that line.")
    if column < 1:
        findings.error(f"{where}.column", f"Output '{name}': columns of a line count from 1.")


def _check_table(findings: Findings, where: str, output: d.Output, block: d.TableBlock) -> None:
    name = shorten(output.name)
    if not block.columns:
        findings.error(f"{where}.columns", f"Output '{name}': no column of the table is chosen.", "Choose at least one.")
    elif min(block.columns) < 1:
        findings.error(f"{where}.columns", f"Output '{name}': columns of a table count from 1.")
    if block.skip < 0:
        findings.error(f"{where}.skip", f"Output '{name}': {block.skip} lines cannot be skipped.")
    if block.rows is not None and block.key_values is not None:
        findings.error(f"{where}.rows", f"Output '{name}': rows are chosen by number and by key.", "Choose one way.")
    if (block.key_column is None) != (block.key_values is None):
        findings.error(f"{where}.key_column", f"Output '{name}': rows by key need a key column and the values to look for.")
    if block.key_column is not None and block.key_column < 1:
        findings.error(f"{where}.key_column", f"Output '{name}': columns of a table count from 1.")
    if not block.key_tolerance >= 0.0:
        findings.error(f"{where}.key_tolerance", f"Output '{name}': a tolerance is zero or greater.")
    if block.rows is not None and 0 in block.rows:
        findings.error(
            f"{where}.rows", f"Output '{name}': rows of a table count from 1, and row 0 is asked for.",
            "Add 1 to every row number; otherwise all values come from one row further up.",
        )  # fmt: skip
    chosen = block.rows if block.rows is not None else block.key_values
    if chosen == ():
        findings.error(f"{where}.rows", f"Output '{name}': no row of the table is chosen.", "Choose at least one, or all rows.")
    elif chosen is not None and output.length is not None and len(chosen) * len(block.columns) != output.length:
        findings.error(
            f"{where}", f"Output '{name}' is to have {output.length} values, but {len(chosen)} rows and "
            f"{len(block.columns)} columns are chosen.", "Make the two agree.",
        )  # fmt: skip
