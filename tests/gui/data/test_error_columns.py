"""Which column of errors belongs to which measured values: paired by names, said where it is doubtful or left over."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.errors.doubtful_errors import doubtful_errors
from bayescope.gui.pages.data.page import DataPage
from bayescope.gui.pages.data.step import COMPARISON
from tests.support.data_pages import PROBLEM, click, column, imported, matches

pytestmark = pytest.mark.window

PROBES = "time_s,T_A_K,T_A_err,T_B_K,T_B_err,T_mean_K,T_mean_err\n" + "".join(
    f"{t},{300 + t},0.5,{310 + t},0.6,{305 + t},0.3\n" for t in range(13)
)


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(
        PROBLEM,
        outputs=(column("time_s", 1), column("T_A", 2), column("T_mean", 3)),
        meaning=d.Predictions(matches=(), noise=d.GaussianKnown()),
    )


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (("T_A_K", "T_A_err", "T_B_K", "T_B_err", "T_mean_K", "T_mean_err"),
         {"T_A_K": "T_A_err", "T_B_K": "T_B_err", "T_mean_K": "T_mean_err"}),
        (("T_K", "T_err", "T_wall_K", "T_wall_err"), {"T_K": "T_err", "T_wall_K": "T_wall_err"}),
        (("x", "sd_x", "y", "y_sd"), {"x": "sd_x", "y": "y_sd"}),
        (("x_mm", "sd_x"), {"x_mm": "sd_x"}),
        (("x", "err x", "y", "y +-"), {"x": "err x", "y": "y +-"}),
        (("p", "sd", "q", "sd_2"), {"p": "sd", "q": "sd_2"}),
        (("p", "q", "sd"), {}),  # of both?
        (("T_A_K", "T_B_K", "T_err"), {}),
        (("beds_occupied", "survey_infected", "beds_err"), {"beds_occupied": "beds_err"}),
        (("flow_up", "flow_down", "flow_err"), {}),  # of which?
        (("x", "sigma_x"), {}),  # a stress
        (("Psi (deg)", "errPsi (deg)", "R", "errR"), {"Psi (deg)": "errPsi (deg)", "R": "errR"}),
        (("k", "sdk", "s", "sds"), {}),  # words of their own
    ],
)  # fmt: skip
def test_errors_go_with_the_values_whose_name_they_share(columns: tuple[str, ...], expected: dict[str, str]) -> None:
    assert sd_pairs(columns) == expected


def test_every_quantity_of_an_imported_table_gets_its_own_errors_and_names_with_a_unit_are_known(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path, PROBES)
    assert {m.output: (m.column, m.sd_column) for m in matches(controller)} == {
        "T_A": ("T_A_K", "T_A_err"), "T_mean": ("T_mean_K", "T_mean_err"),
    }  # fmt: skip
    before = controller.problem.declared
    page.matching.match_by_name()
    assert controller.problem.declared == before
    assert page.matching.message.words() == "Nothing to add: what has the same name is compared already."


def test_wrong_errors_are_said_and_put_right_by_the_button(
    page: DataPage, controller: SessionController, qtbot: QtBot, tmp_path: Path
) -> None:
    imported(page, tmp_path, PROBES)
    _errors_of(controller, T_mean="T_A_err")
    assert page.status() == ("todo", "Does T_mean_err hold the errors of T_mean_K?")
    assert page.message.suggestion() == "Now T_A_err is taken for them."
    page.tabs.setCurrentIndex(COMPARISON)
    click(qtbot, page.message._button)
    assert [m.sd_column for m in matches(controller)] == ["T_A_err", "T_mean_err"]
    assert page.message.words() == "Column “T_B_K” of measured.csv is compared with nothing: is that meant?"
    click(qtbot, page.message._dismiss)
    assert page.message.level == "ok", page.message.words()


def test_sizes_that_are_in_the_table_are_offered_by_name(
    page: DataPage, controller: SessionController, qtbot: QtBot, tmp_path: Path
) -> None:
    imported(page, tmp_path, PROBES)
    _errors_of(controller, T_A=None, T_mean=None)
    assert page.message.words() == "Do T_A_err and T_mean_err hold the errors of T_A_K and T_mean_K?"
    click(qtbot, page.message._dismiss)
    assert page.message.words().startswith("How large are the errors")
    click(qtbot, page.message._button)  # to the column of the first of them, since each has its own
    assert page.tabs.currentIndex() == COMPARISON
    assert page.matching.errors.form.editor("sd_column").isVisible()


def test_a_column_used_twice_and_one_used_for_none_are_no_silent_matter(problem: d.Problem) -> None:
    data = d.DataTable(columns={"a": (1.0, 2.0), "b": (2.0, 3.0), "sd": (0.1, 0.1), "err": (0.2, 0.2)})
    both = tuple(d.Match(output=o, column=c, sd_column="sd") for o, c in (("T_A", "a"), ("T_mean", "b")))
    used = msgspec.structs.replace(problem, data=data, meaning=d.Predictions(matches=both, noise=d.GaussianKnown()))
    found = doubtful_errors(used)
    assert found is not None
    assert (found.question, found.dismiss) == ("sd is taken for the errors of a and b.", "It is right")
    three = msgspec.structs.replace(used.meaning, matches=(*both, d.Match(output="x", column="err", sd_column="sd")))
    of_three = doubtful_errors(msgspec.structs.replace(used, meaning=three))
    assert (found.hint, of_three and of_three.hint) == ("Does it hold those of both?", "Does it hold those of all three?")
    right = msgspec.structs.replace(used, meaning=msgspec.structs.replace(used.meaning, aside=("sd",)))
    left = doubtful_errors(right)
    assert left is not None
    assert left.question == "Column err looks like errors, but is used for none."
    both_aside = msgspec.structs.replace(right.meaning, aside=("sd", "err"))
    assert doubtful_errors(msgspec.structs.replace(right, meaning=both_aside)) is None


def test_one_column_of_errors_beside_several_of_values_is_taken_for_all_at_one_button(problem: d.Problem) -> None:
    data = d.DataTable(columns={"a": (1.0, 2.0), "b": (2.0, 3.0), "err": (0.2, 0.2)})
    both = tuple(d.Match(output=o, column=c) for o, c in (("T_A", "a"), ("T_mean", "b")))
    meant = msgspec.structs.replace(problem, data=data, meaning=d.Predictions(matches=both, noise=d.GaussianKnown()))
    found = doubtful_errors(meant)
    assert found is not None
    assert (found.question, found.button) == ("Does err hold the errors of a and b?", "Use &it for all")
    assert found.mended is not None
    assert isinstance(found.mended.meaning, d.Predictions)
    assert found.mended.meaning.noise == d.GaussianKnown(sd_column="err")
    assert doubtful_errors(found.mended) is None
    typed = msgspec.structs.replace(meant.meaning, noise=d.GaussianKnown(sd=0.5))
    sized = doubtful_errors(msgspec.structs.replace(meant, meaning=typed))
    assert sized is not None
    assert sized.button == "Say &whose", "a size that was typed is not thrown away"


def test_values_are_not_taken_for_their_own_errors(page: DataPage, controller: SessionController, tmp_path: Path) -> None:
    imported(page, tmp_path, PROBES)
    _errors_of(controller, T_mean="T_mean_K")
    level, words = page.status()
    assert level == "error"
    assert "errors of 100 %" in words


def _errors_of(controller: SessionController, **columns: str | None) -> None:
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    new = tuple(msgspec.structs.replace(m, sd_column=columns.get(m.output, m.sd_column)) for m in meaning.matches)
    assert controller.problem.edit("Errors", meaning=msgspec.structs.replace(meaning, matches=new))


def test_tabs_stay_where_they_are_when_the_message_above_them_goes_and_another_tab_is_opened(
    page: DataPage, controller: SessionController, qtbot: QtBot, tmp_path: Path
) -> None:
    imported(page, tmp_path, PROBES)
    _errors_of(controller, T_mean="T_A_err")
    QApplication.processEvents()
    before = page.tabs.mapTo(page, QPoint(0, 0))
    click(qtbot, page.message._button)
    page.tabs.setCurrentIndex(2)
    QApplication.processEvents()
    assert page.tabs.mapTo(page, QPoint(0, 0)) == before


def test_whose_errors_a_column_holds_is_asked_of_values_in_its_unit_alone(problem: d.Problem) -> None:
    data = d.DataTable(columns={"q [l/s]": (1.0, 2.0), "h [m]": (0.3, 0.2), "z [m]": (0.1, 0.2), "+/- [m]": (0.01, 0.01)})
    flow, depth = d.Match(output="T_A", column="q [l/s]", sd_column=None), d.Match(output="T_mean", column="h [m]")
    one = msgspec.structs.replace(problem, data=data, meaning=d.Predictions(matches=(flow,), noise=d.GaussianKnown()))
    assert doubtful_errors(one) is None, "no value in metres is compared"
    sized = d.Predictions(matches=(flow, depth), noise=d.GaussianKnown(sd=0.5))
    found = doubtful_errors(msgspec.structs.replace(one, meaning=sized))
    assert found is not None
    assert (found.button, found.row) == ("Say &whose", 1)


@pytest.mark.parametrize(("columns", "pairs"), [
    (("hour", "mean wait (min)", "longest wait (min)", "se_wait (min)"), {"mean wait (min)": "se_wait (min)"}),
    (("t", "avg_T", "sd_T"), {"avg_T": "sd_T"}),
    (("t", "T", "mean T", "sd T"), {"T": "sd T"}),
])  # fmt: skip
def test_errors_of_an_average_are_called_without_the_word_for_it(columns: tuple[str, ...], pairs: dict[str, str]) -> None:
    assert sd_pairs(columns) == pairs
