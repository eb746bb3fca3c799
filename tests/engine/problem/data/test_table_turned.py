"""A table on its side: its rows are columns of the file, each with its own number."""

from __future__ import annotations

from bayescope.engine.problem.data.files.data_files import DataFile, Options, parse_with
from bayescope.engine.problem.data.tables.table_lines import Told

SUMMARY = """statistic\tpopulation\testimate\ts.e.
diversity per kb\tNorth\t1.063\t0.0441
diversity per kb\tSouth\t0.698\t0.0406
divergence per kb\tNorth-South\t1.243\t0.0477
"""
WITH_WORDS = "what\tby whom\tvalue\terror\nmass\tA. Lee\t1.5\t0.1\nheight\tJ. Roe\t2.5\t0.2\n"


def turned(text: str, told: Told | None = None) -> DataFile:
    return parse_with(text.encode(), "m.txt", Options(turned=True, named=True, told=told or Told()))


def test_rows_of_a_turned_table_are_the_columns_of_the_file() -> None:
    shown = turned(SUMMARY).preview
    assert shown.lines == (3, 4)
    assert [(one.line, one.taken) for one in shown.said] == [(4, True)], "one of them holds the errors"
    assert shown.said[0].words.startswith("Column 4 (“s.e.”) is taken as errors: 0.0441 for diversity per kb North")
    assert shown.across == (1, 2, 3, 4)
    assert shown.row_count == 1


def test_two_columns_of_labels_name_the_quantities_together_where_one_alone_does_not() -> None:
    found = turned(SUMMARY)
    assert found.table.columns["diversity per kb South"] == (0.698,)
    assert found.table.columns["diversity per kb South sd"] == (0.0406,)
    assert "“statistic” and “population” name the quantities together." in found.preview.notes


def test_units_beside_the_labels_stand_behind_the_names() -> None:
    found = turned("what\tunit\tvalue\nmass\tkg\t1.5\nheight\tm\t2.5\n").table
    assert found.columns == {"mass (kg)": (1.5,), "height (m)": (2.5,)}


def test_a_column_of_words_is_no_row_of_a_turned_table() -> None:
    found = turned(WITH_WORDS)
    assert found.table.columns == {"mass": (1.5,), "mass sd": (0.1,), "height": (2.5,), "height sd": (0.2,)}
    assert "Column 2 (“by whom”) is left out: it holds no numbers." in found.preview.notes


def test_one_column_alone_is_taken_out_of_a_turned_table_or_kept_in_it() -> None:
    text = "what\tfirst\tsecond\tthird\na\t1\t2\t3\nb\t4\t5\t6\n"
    assert turned(text, Told(out=(3,))).table.columns == {"a": (1.0, 3.0), "b": (4.0, 6.0)}
    assert turned(SUMMARY, Told(kept=(4,))).table.columns["divergence per kb North-South"] == (1.243, 0.0477)
    assert "diversity per kb_2" in turned(SUMMARY, Told(out=(2,))).table.columns, "a column taken out names nothing"
