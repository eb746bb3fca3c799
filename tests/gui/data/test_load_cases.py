"""A load test whose two tables stand in one sheet: nothing of it vanishes when it is split by the load case."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, click, matches, opened, trial_run
from load_test import FILE, output, printed
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.errors.heading_errors import noted_errors
from bayescope.engine.problem.data.files.data_files import ALL_PARTS, Options, parse_with
from bayescope.engine.problem.data.tables.naming_column import split_with_units
from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.problem.marks.mark import Mark
from bayescope.engine.protocol import TrialFile, TrialRunReport
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.archive.import_columns import (
    LEAVE,
    MEASURED,
    PLAIN,
    SPLIT,
    TAKE,
    first_rows,
    made,
    role_columns,
)
from bayescope.gui.models.data.errors.error_size import ErrorSize
from bayescope.gui.models.data.errors.stated_sizes import stated_of, stated_of_columns
from bayescope.gui.models.data.keys.keyed_instead import keyed_instead
from bayescope.gui.models.data.mismatches import mismatch
from bayescope.gui.models.data.rows.unfit import first_unfit, unfit_words
from bayescope.gui.models.data.tables.repeated_places import first_repeated
from bayescope.gui.models.data.taking_part import idle
from bayescope.gui.pages.data.page import DataPage

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


def read_from_all_tables(table: d.DataTable) -> d.Problem:
    outputs = (output("Knoten", 1), output("U_1", 2), output("U_2", 3))
    problem = msgspec.structs.replace(compared(table), outputs=outputs)
    assert isinstance(problem.meaning, d.Predictions)
    meaning = msgspec.structs.replace(problem.meaning, matches=problem.meaning.matches[:2])
    return msgspec.structs.replace(problem, meaning=meaning)


REPORT = TrialRunReport(outcome="ok", files=(TrialFile(name="res.txt", role="produced", text=printed()),))


def test_rows_of_several_tables_are_told_apart_by_the_number_in_their_titles_with_one_button() -> None:
    problem = read_from_all_tables(TABLE)
    found = mismatch(problem, 1, REPORT)
    assert found is not None
    assert "several rows where “Knoten”" in found.words
    assert found.other_key is not None
    assert found.other_words == "node and load case"
    assert unfit_words(found.other_key, 1, REPORT) == ""
    assert "load_case" in [o.name for o in found.other_key.outputs]
    again = mismatch(found.other_key, 0, REPORT)
    assert again is not None
    assert again.other_key is not None
    assert again.other_key.outputs == found.other_key.outputs
    assert first_unfit(again.other_key, REPORT) is None


def test_outputs_of_all_tables_become_one_of_each_table_where_each_was_measured_in_a_column_of_its_own() -> None:
    table = split_with_units(apart(""), "load case")
    problem = read_from_all_tables(table)
    assert isinstance(problem.meaning, d.Predictions)
    named = {"ux (mm)": "ux 1 (mm)", "uy (mm)": "uy 2 (mm)"}
    matches = tuple(msgspec.structs.replace(m, column=named[m.column]) for m in problem.meaning.matches)
    problem = msgspec.structs.replace(problem, meaning=d.Predictions(matches=matches, noise=d.GaussianKnown(sd=0.1)))
    found = mismatch(problem, 0, REPORT)
    assert found is not None
    assert found.label_words == "Make 2 outputs of “U_1”, one for each table"
    made = found.by_label
    assert made is not None
    assert [o.name for o in made.outputs] == ["Knoten_1", "Knoten_2", "U_1_1", "U_1_2", "U_2_1", "U_2_2"]
    assert isinstance(made.meaning, d.Predictions)
    assert [(m.output, m.column, m.key_output) for m in made.meaning.matches] == [
        ("U_1_1", "ux 1 (mm)", "Knoten_1"), ("U_1_2", "ux 2 (mm)", "Knoten_2"),
        ("U_2_1", "uy 1 (mm)", "Knoten_1"), ("U_2_2", "uy 2 (mm)", "Knoten_2"),
    ]  # fmt: skip
    assert first_unfit(made, REPORT) is None


def test_errors_that_the_note_of_a_table_states_are_those_of_its_columns_in_that_unit() -> None:
    stated = parse_with(FILE.encode(), "load.txt", Options(part=ALL_PARTS, named=True)).preview.stated
    assert dict(stated) == {"ux (mm)": "±0.02 mm", "uy (mm)": "±0.02 mm", "reaction (kN)": "±0.4 kN"}
    sizes = stated_of_columns(stated)
    assert sizes["reaction (kN)"].size == ErrorSize(0.4, None, "kN")
    told = stated_of("ux 2 (mm)", sizes)
    assert told is not None
    assert told.size == ErrorSize(0.02, None, "mm")
    assert stated_of("u (m)", sizes) is None


@pytest.mark.parametrize("note", ["accuracy 0.02 mm or 0.4 kN", "gauges of 0.02 mm", "±2 sd of errors", "3 mm wide"])
def test_a_note_that_does_not_say_clearly_whose_errors_it_states_states_none(note: str) -> None:
    assert noted_errors([note], ["ux (mm)", "reaction (kN)"]) == []


def test_the_import_and_the_page_split_alike() -> None:
    rows = first_rows(TABLE, "load case")
    assert rows == [
        ("node", "node", TAKE), ("ux (mm)", "ux (mm)", SPLIT), ("uy (mm)", "uy (mm)", SPLIT),
        ("reaction (kN)", "reaction (kN)", TAKE),
    ]  # fmt: skip
    whole = made(TABLE, rows, "load case")
    assert set(whole.columns) == set(split_with_units(TABLE, "load case").columns)
    assert {"ux 1 (mm)", "load case", "reaction (kN)"} < set(whole.columns)
    every = [(old, name, SPLIT if old == "reaction (kN)" else use) for old, name, use in first_rows(apart(""), "load case")]
    assert made(apart(""), every, "load case").columns["reaction (kN)"] == apart("").columns["reaction (kN)"]


def test_the_column_by_which_a_table_was_split_is_not_asked_about() -> None:
    for table in (split_with_units(TABLE, "load case"), split_with_units(apart(""), "load case")):
        problem = compared(table)
        named = {"ux (mm)": "ux 1 (mm)", "uy (mm)": "uy 2 (mm)"}
        assert isinstance(problem.meaning, d.Predictions)
        matches = tuple(msgspec.structs.replace(m, column=named.get(m.column, m.column)) for m in problem.meaning.matches)
        meaning = msgspec.structs.replace(problem.meaning, matches=matches)
        assert idle(msgspec.structs.replace(problem, meaning=meaning)).columns == ("uy 1 (mm)", "ux 2 (mm)")


def test_columns_of_two_tables_that_are_given_one_name_are_one_column() -> None:
    rows = [(old, "load case" if "case" in old else old, TAKE) for old in apart("").columns]
    assert made(apart(""), rows, "").columns["load case"] == TABLE.columns["load case"]
    twice = [(old, "u" if old.startswith("u") else old, TAKE) for old in apart("").columns]
    with pytest.raises(ProblemError, match="Two columns are called “u”"):
        made(apart(""), twice, "")


def test_only_columns_of_texts_can_be_used_as_times() -> None:
    table = d.DataTable(columns={"ux (mm)": (1.0,)}, texts={"date": ("2024-05-01",), "flag": ("1",)})
    use = role_columns(lambda: table)[-1]
    assert use.choices_of is not None
    assert "in h" in use.choices_of(("date", "date", TAKE))
    assert use.choices_of(("ux (mm)", "ux", TAKE)) == (*PLAIN, LEAVE, SPLIT)
    assert MEASURED in use.choices_of(("flag", "flag", TAKE)), "flags that are numbers"
    assert MEASURED not in use.choices_of(("date", "date", TAKE))


def test_all_tables_marked_at_once_are_compared_by_node_and_load_case_with_one_click(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    text = printed()
    at = text.index("U(2)")
    every = next(o for o in Mark(text, at, at, "res.txt").offers("table") if o.repeat == "all")
    names = ("Knoten", "U_1", "U_2", "LOAD_CASE")
    outputs = [d.Output(name=n, source="res.txt", extractor=p.extractor) for n, p in zip(names, every.proposals, strict=True)]
    force = next(o for o in Mark(text, *[text.index("+3.50000E+04")] * 2, "res.txt").offers("number") if o.repeat == "all")
    outputs.append(d.Output(name="F_2", source="res.txt", extractor=force.proposals[0].extractor))
    controller.problem.edit("x", outputs=tuple(outputs))
    trial_run(page, engines, text)
    assert page.trial.report is not None
    other = TrialFile(name="res.txt", role="produced", text=printed(1.1).replace("+3.5", "+3.6").replace("+7.0", "+7.3"))
    page.trial.other = msgspec.structs.replace(page.trial.report, files=(other,), values={"E": 1.0})
    opened(page, tmp_path / "load.txt", FILE)
    click(qtbot, page.importer.message._button)  # takes both
    click(qtbot, page.importer.use)
    click(qtbot, page.matching.proposed.button)
    assert [(m.output, m.column, tuple(column for _, column in m.keys)) for m in matches(controller)] == [
        ("U_1", "ux (mm)", ("node", "load case")), ("U_2", "uy (mm)", ("node", "load case")),
        ("F_2", "reaction (kN)", ("load case",)),
    ]  # fmt: skip
    assert page.trial.unfit() is None
    assert page.status() == ("todo", "Is one size right in all units?")
    page.message.dismissed.emit()  # it is of all
    assert page.status() == ("todo", "Is an output in another unit?"), "as the start asks"
    page.message.dismissed.emit()  # it is not
    assert page.status() == ("done", "all 16 rows compared: 18 values")


def test_a_comparison_by_a_key_that_comes_again_in_every_table_is_mended_by_one_button() -> None:
    problem = read_from_all_tables(TABLE)
    found = keyed_instead(problem, 0, REPORT)
    assert found is not None
    assert found.button == "Pair all 2 &by load case too"
    assert found.hint == "The number in the title of each table tells its rows from those of the others."
    assert first_unfit(found.problem, REPORT) is None
    assert isinstance(found.problem.meaning, d.Predictions)
    assert {len(m.keys) for m in found.problem.meaning.matches} == {2}
    assert len(found.problem.outputs) == len(problem.outputs) + 1


def test_what_has_one_value_of_each_load_case_is_not_split_with_the_displacements() -> None:
    told = first_repeated(compared(TABLE))
    assert told is not None
    made = told.split.problem
    assert made.data is not None
    assert isinstance(made.meaning, d.Predictions)
    assert {"reaction (kN)", "load case", "ux 1 (mm)", "uy 2 (mm)"} <= set(made.data.columns)
    assert made.meaning.matches[-1].column == "reaction (kN)"
    assert made.data.columns["load case"] == TABLE.columns["load case"]
