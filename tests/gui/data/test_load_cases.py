"""A load test whose two tables stand in one sheet: nothing of it vanishes when it is split by the load case."""

from __future__ import annotations

import msgspec
from data_pages import PROBLEM
from load_test import FILE

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.data_files import ALL_PARTS, Options, parse_with
from bayescope.gui.models.data.repeated_places import first_repeated

TABLE = parse_with(FILE.encode(), "load.txt", Options(part=ALL_PARTS, named=True)).table
NAMES = ("Knoten", "U_1", "U_2", "F_2")


def compared(table: d.DataTable) -> d.Problem:
    matches = (
        d.Match(output="U_1", column="ux (mm)", key_output="Knoten", key_column="node"),
        d.Match(output="U_2", column="uy (mm)", key_output="Knoten", key_column="node"),
        d.Match(output="F_2", column="reaction (kN)", factor=0.001),
    )  # fmt: skip
    outputs = tuple(d.Output(name=n, source="r", extractor=d.CsvColumn(column=i)) for i, n in enumerate(NAMES))
    meaning = d.Predictions(matches=matches, noise=d.GaussianKnown(sd=0.1))
    return msgspec.structs.replace(PROBLEM, outputs=outputs, data=table, meaning=meaning)


def apart(remark: str) -> d.DataTable:
    """As ``TABLE``, but the load case of the pier is a column of its own."""
    cases = TABLE.columns["load case"]
    columns = {
        "node": TABLE.columns["node"], f"load case{remark}": (*cases[:14], None, None), "ux (mm)": TABLE.columns["ux (mm)"],
        "uy (mm)": TABLE.columns["uy (mm)"], "case of the pier": (*(None,) * 14, *cases[14:]),
        "reaction (kN)": TABLE.columns["reaction (kN)"],
    }  # fmt: skip
    return d.DataTable(columns=columns)


def test_the_reaction_of_a_second_small_table_and_its_comparison_stay_where_the_first_is_split() -> None:
    told = first_repeated(compared(apart("")))
    assert told is not None
    made = told.split.problem
    assert made.data is not None
    assert made.data.columns["reaction (kN)"] == apart("").columns["reaction (kN)"]
    assert isinstance(made.meaning, d.Predictions)
    assert made.meaning.matches[-1] == d.Match(output="F_2", column="reaction (kN)", factor=0.001)
    assert set(made.data.columns) > {"ux 1 (mm)", "uy 1 (mm)", "ux 2 (mm)", "uy 2 (mm)", "case of the pier"}
    assert told.split.columns == {"load case", "ux (mm)", "uy (mm)"}


def test_one_column_whose_name_holds_a_comma_is_named_as_one() -> None:
    told = first_repeated(compared(apart(" (Dial gauges, accurate)")))
    assert told is not None
    assert told.split.button.count("“") == 1
    assert " and “" not in told.words


def test_the_load_case_of_both_tables_is_one_column_under_its_own_name() -> None:
    assert list(TABLE.columns) == ["node", "load case", "ux (mm)", "uy (mm)", "reaction (kN)"]


def test_columns_that_two_tables_have_are_called_after_their_titles_without_remarks() -> None:
    text = FILE.replace("node\tload case", "node\treading").replace("load case\treaction", "reading\treaction")
    text = text.replace("2\t58.7", "9\t58.7")
    table = parse_with(text.encode(), "load.txt", Options(part=ALL_PARTS, named=True)).table
    assert list(table.columns)[1::3] == ["reading (Dial gauges)", "reading (Reaction of the middle pier)"]
