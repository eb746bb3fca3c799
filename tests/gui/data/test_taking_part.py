"""What takes part in no comparison is pointed out, until it is matched or said not to count."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.problem.data.names.column_names import says_sd_of, says_where, sd_columns
from bayescope.engine.problem.data.tables.long_form import split, value_columns
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.meanings import next_match
from bayescope.gui.models.data.taking_part import Idle, idle
from bayescope.gui.pages.data.page import DataPage
from bayescope.gui.pages.data.step import COMPARISON
from bayescope.gui.pages.data.steps import open_step
from tests.support.data_pages import PROBLEM, click, column, matches, opened

pytestmark = pytest.mark.window


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(
        PROBLEM,
        outputs=(column("time_s", 1), column("T_warm", 2), column("T_end", 3)),
        meaning=d.Predictions(matches=(), noise=d.GaussianKnown()),
    )


@pytest.fixture
def size() -> tuple[int, int]:
    return 1180, 760


@pytest.fixture
def page(page: DataPage, controller: SessionController, tmp_path: Path) -> DataPage:
    """The newcomer's way: sensors first, then the warming up below them."""
    opened(page, tmp_path / "sensors.csv", "sensor,x_mm,y_mm,T_C,u_C\n1,10,40,72.9,0.4\n2,40,40,86.8,0.4\n")
    page.importer.use.click()
    opened(page, tmp_path / "warmup.csv", "time_s,T_warm\n180,52.7\n360,64.5\n")
    page.importer.add.click()
    assert [m.output for m in matches(controller)] == ["T_warm"]
    return page


def test_an_output_left_over_is_asked_about_and_matched_with_its_errors(
    page: DataPage, controller: SessionController, qtbot: QtBot
) -> None:
    assert page.message.words() == "Which column does T_end predict?"
    assert "“T_C”" in page.message.suggestion()
    assert page.status() == ("todo", "Which column does T_end predict?")
    click(qtbot, page.message._button)
    assert page.tabs.currentIndex() == COMPARISON
    assert matches(controller)[-1].output == "T_end"
    page.matching.form.editor("column").choose("T_C")
    assert matches(controller)[-1] == d.Match(output="T_end", column="T_C", sd_column="u_C")
    assert page.message.words() == "How large are the errors of T_warm?"
    assert page.matching.message.words() == "In no comparison: columns “sensor”, “y_mm”."
    click(qtbot, page.matching.message._dismiss)
    assert not page.matching.message.isVisible()


def test_an_output_that_does_not_count_is_not_asked_about_again(
    page: DataPage, controller: SessionController, qtbot: QtBot, tmp_path: Path
) -> None:
    click(qtbot, page.message._dismiss)
    assert page.message.words() == "How large are the errors?"
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    assert meaning.aside == ("T_end",)
    assert controller.file.save_as(tmp_path / "kept.bayescope")
    assert controller.file.open(tmp_path / "kept.bayescope")
    assert page.message.words() == "How large are the errors?"
    controller.problem.undo_stack.undo()


@pytest.mark.parametrize(
    ("sds", "of", "expected"),
    [
        ("u_C", "T_C", True), ("sd mm", "disp_mm", True), ("u_K", "T_C", False), ("u_x", "T_x", False), ("u_k", "x_k", False),
        ("v_C", "T_C", False), ("u_C", "u_C", False),
    ],
)  # fmt: skip
def test_an_uncertainty_in_the_unit_of_a_column_is_of_that_column(sds: str, of: str, expected: bool) -> None:
    assert says_sd_of(sds, of) is expected


def test_a_long_table_of_readings_and_std_dev_is_split_by_what_was_read() -> None:
    columns = {"Freq. [THz]": (1.0, 2.0, None), "Reading": (0.1, 0.2, 0.7), "Std. dev.": (0.01, 0.01, 0.02)}
    table = d.DataTable(columns=columns, texts={"Quantity": ("T", "T", "Band centre")})
    assert value_columns(table) == ["Reading", "Std. dev."]
    made = split(table, "Quantity").columns
    assert list(made) == ["Freq. [THz]", "T", "T sd", "Band centre", "Band centre sd"]
    assert made["T"] == (0.1, 0.2, None)


def test_an_uncertainty_of_a_symbol_is_of_the_one_column_that_begins_with_it() -> None:
    columns = ["density (g/cm3)", "pressure (atm)", "u(p) (atm)", "energy (kcal/mol)"]
    assert sd_columns(columns) == ["u(p) (atm)"]
    assert [c for c in columns if says_sd_of("u(p) (atm)", c, columns)] == ["pressure (atm)"]
    assert sd_columns([*columns, "power (W)"]) == []  # of which of the two, only the user knows


ARGON = ("rho / mol/l", "U conf / kJ/mol", "u(U) / kJ/mol", "p / bar", "u(p) / bar")


def test_an_uncertainty_of_the_first_word_of_one_column_is_of_that_column() -> None:
    assert sd_columns(ARGON) == ["u(U) / kJ/mol", "u(p) / bar"], "u(p) begins with u, and is no other column that U may mean"
    assert sd_pairs(ARGON) == {"U conf / kJ/mol": "u(U) / kJ/mol", "p / bar": "u(p) / bar"}
    assert sd_pairs(("U conf", "Umax", "u(U)")) == {"U conf": "u(U)"}
    assert sd_pairs(("U conf", "u wind", "u(U)")) == {"U conf": "u(U)"}
    assert sd_pairs(("U conf", "U pot", "u(U)")) == {}, "of which of the two, only the user knows"


def test_an_output_called_like_the_first_word_of_one_column_is_compared_with_it_and_its_errors() -> None:
    table = d.DataTable(columns={name: (1.0, 2.0 + i, 3.0) for i, name in enumerate(ARGON)})
    there = d.Match(output="p", column="p / bar", sd_column="u(p) / bar")
    meaning = d.Predictions(matches=(there,), noise=d.GaussianKnown())
    problem = msgspec.structs.replace(PROBLEM, outputs=(column("U", 1), column("p", 2)), meaning=meaning, data=table)
    found = next_match(problem, (there,), output="U")
    assert (found.column, found.sd_column) == ("U conf / kJ/mol", "u(U) / kJ/mol")


def test_nobody_is_asked_what_the_processor_time_predicts() -> None:
    table = d.DataTable(columns={"T_C": (70.0, 80.0), "u": (1.0, 2.0)})
    outputs = (column("T_C", 1), column("cpu_s", 2), column("elapsed", 3))
    meaning = d.Predictions(matches=(d.Match(output="T_C", column="T_C"),), noise=d.GaussianKnown())
    left = idle(msgspec.structs.replace(PROBLEM, outputs=outputs, meaning=meaning, data=table))
    assert (left.outputs, left.columns) == ((), ("u",))
    measured = msgspec.structs.replace(table, columns={**table.columns, "elapsed": (0.0, 1.0)})
    assert idle(msgspec.structs.replace(PROBLEM, outputs=outputs, meaning=meaning, data=measured)).outputs == ("elapsed",)


@pytest.mark.parametrize(("name", "where"), [
    ("Datum (h since 2026-06-01)", True), ("sampled (d since 2019-09-01)", True), ("rain (mm since 2026-01-01)", False),
    ("deaths since Monday", False), ("T_5cm", False),
])  # fmt: skip
def test_what_is_counted_in_time_since_a_day_says_when_and_is_not_asked_about(name: str, where: bool) -> None:
    assert says_where(name) == where


def test_a_numbered_time_is_asked_for_after_what_may_be_predicted() -> None:
    problem = msgspec.structs.replace(PROBLEM, outputs=(column("time_298", 0), column("A_298", 1)))
    step = open_step(msgspec.structs.replace(problem, data=d.DataTable(columns={"y": (1.0, 2.0)}), meaning=d.Predictions(
        matches=(d.Match(output="u", column="y"),), noise=d.GaussianKnown(sd=1.0))), (), None,
        Idle(("time_298", "A_298"), ("z",)))  # fmt: skip
    assert step is not None
    assert step.question == "Which column does A_298 predict?"
    assert step.aside == ("A_298",)


def test_frequencies_that_were_measured_are_asked_for_unless_the_table_says_where_in_them() -> None:
    outputs = tuple(d.Output(name=n, source="r", extractor=d.CsvColumn(column=k)) for k, n in enumerate(("u", "FREQ")))
    meaning = d.Predictions(matches=(d.Match(output="u", column="u"),), noise=d.GaussianKnown(sd=0.1))

    def left(name: str) -> tuple[str, ...]:
        data = d.DataTable(columns={"u": (1.0, 2.0), name: (166.0, 596.0)})
        return idle(msgspec.structs.replace(PROBLEM, outputs=outputs, data=data, meaning=meaning)).outputs

    assert left("MODE [Hz]") == ("FREQ",)
    assert left("frequency [Hz]") == ()
