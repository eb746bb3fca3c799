"""Data page: how large the errors are: of all data, of one comparison, from a column, or learned as a parameter."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec
import pytest
from data_pages import CURVES, columns_of_file, imported, matches
from page_views import places, settle
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.across import known_sds
from bayescope.gui.analysis.run_data import Evaluation
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage
from hands import Hands


def keys_of(choice: object) -> list[str]:
    return [str(choice.itemData(i)) for i in range(choice.count())]  # type: ignore[attr-defined]


def words_of(choice: object) -> list[str]:
    return [choice.itemText(i) for i in range(choice.count())]  # type: ignore[attr-defined]


def noise_of(controller: SessionController) -> d.NoiseModel:
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    return meaning.noise


@pytest.fixture
def problem() -> d.Problem:
    return CURVES


def test_every_error_model_can_be_chosen_and_explains_itself(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path)
    page.tabs.setCurrentIndex(2)
    from bayescope.gui.models.data.errors.noise import NOISES

    for kind in NOISES:
        page.noise.kind.choose(kind.tag)
        meaning = controller.problem.declared.meaning
        assert isinstance(meaning, d.Predictions)
        assert isinstance(meaning.noise, kind.kind)
        assert page.noise.words.text() == kind.words
        page.grab()


def test_per_point_errors_come_from_a_column(page: DataPage, controller: SessionController, tmp_path: Path) -> None:
    imported(page, tmp_path)
    form = page.noise.form
    form.editor("sd_column").choose("sd_a")  # type: ignore[attr-defined]
    form.editor("sd").setText("")  # type: ignore[attr-defined]
    form.editor("sd").editingFinished.emit()  # type: ignore[attr-defined]
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    assert meaning.noise == d.GaussianKnown(sd_column="sd_a")


def test_a_covariance_matrix_is_read_from_a_file(page: DataPage, controller: SessionController, tmp_path: Path) -> None:
    imported(page, tmp_path)
    page.noise.kind.choose("covariance")
    good, bad = tmp_path / "cov.txt", tmp_path / "bad.txt"
    good.write_text("1 0.5 0\n0.5 1 0\n0 0 1\n")
    bad.write_text("1 2\n3\n")
    page.noise.open_file(bad)
    assert page.noise.notice.words()
    page.noise.open_file(good)
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    assert isinstance(meaning.noise, d.CovarianceNoise)
    assert meaning.noise.matrix[0] == (1.0, 0.5, 0.0)


def test_the_parameter_for_the_size_of_the_errors_is_made_where_it_is_asked_for(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path)
    page.tabs.setCurrentIndex(2)
    before = controller.problem.declared
    page.noise.kind.choose("gaussian_inferred")
    page.noise.unused.pressed.emit()  # the column sd_a, which it does not use
    found = controller.problem.findings("meaning.noise", "error")
    assert len(found) == 1
    assert "choose one, or make a new one" in found[0].message
    assert "choose one, or make a new one" in page.status()[1]
    choice = page.noise.form.editor("parameter")
    assert words_of(choice) == ["Choose…", "k", "s", "New parameter sigma"]
    choice.choose(keys_of(choice)[-1])  # type: ignore[attr-defined]
    assert noise_of(controller) == d.GaussianInferred(parameter="sigma")
    made = controller.problem.declared.parameters[-1]
    assert (made.name, made.prior) == ("sigma", d.HalfNormal(scale=2.0)), "as wide as the values of column b"
    assert choice.currentText() == "sigma"  # type: ignore[attr-defined]
    assert "half-normal with scale 2" in page.noise.prior.text()
    assert not controller.problem.findings("meaning.noise")
    assert not controller.problem.findings("parameters.sigma")
    controller.problem.undo_stack.undo()
    assert controller.problem.declared.parameters == before.parameters
    assert noise_of(controller) == d.GaussianInferred(parameter="")
    assert choice.currentText() == "Choose…"  # type: ignore[attr-defined]
    choice.choose("k")  # type: ignore[attr-defined]
    doubt = controller.problem.findings("meaning.noise", "warning")
    assert "also written into the program's input (argument 1)" in doubt[0].message
    choice.choose("s")  # type: ignore[attr-defined]
    assert not controller.problem.findings("meaning.noise")


@pytest.mark.parametrize(
    ("kind", "learned", "prior"),
    [
        ("student_t", d.StudentTNoise(dof=4.0, parameter="sigma2"), d.HalfNormal(scale=0.82)),
        ("log_normal", d.LogNormalNoise(parameter="sigma2"), d.HalfNormal(scale=0.5)),
        ("negative_binomial", d.NegativeBinomialNoise(parameter="size"), d.LogUniform(low=0.1, high=1000.0)),
    ],
)
def test_a_comparison_with_errors_of_its_own_gets_a_parameter_of_its_own(
    page: DataPage, controller: SessionController, tmp_path: Path, kind: str, learned: d.NoiseModel, prior: d.Prior
) -> None:
    controller.problem.edit("x", simulator=d.Simulator(command=("sh", "@k@", "@sigma@")))  # this name has another meaning already
    imported(page, tmp_path)
    part = page.matching
    part.table.setCurrentIndex(part.model.index(0, 0))
    part.own.click()
    part.noise.kind.choose(kind)
    steps = controller.problem.undo_stack.count()
    choice = part.noise.form.editor("parameter")
    choice.choose(keys_of(choice)[-1])  # type: ignore[attr-defined]
    assert matches(controller)[0].noise == learned
    assert controller.problem.declared.parameters[-1].prior == prior
    assert controller.problem.undo_stack.count() == steps + 1
    assert not controller.problem.findings("meaning.matches[0].noise")


def test_the_size_of_the_errors_is_not_made_for_a_locked_analysis(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path)
    page.noise.kind.choose("gaussian_inferred")
    choice = page.noise.form.editor("parameter")
    controller.run.data.add_evaluation(Evaluation(0, {"k": 0.5, "s": 1.0}, "ok", -1.0, -1.0, 0.0, 1.0, 0.0))
    before = controller.problem.declared
    choice.choose(keys_of(choice)[-1])  # type: ignore[attr-defined]
    assert controller.problem.declared == before
    assert choice.currentText() == "Choose…"  # type: ignore[attr-defined]


def two_columns(controller: SessionController) -> tuple[d.Match, ...]:
    """Outputs u and v beside measured columns of these names; the pairs."""
    table = d.DataTable(columns={"u": (1.0, 2.0), "v": (3.0, 4.0)})
    controller.problem.edit("x", outputs=columns_of_file("u", "v"), data=table)
    return tuple(d.Match(output=name, column=name) for name in ("u", "v"))


def test_the_errors_tab_says_that_each_comparison_can_have_its_own(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    """Whatever the model, and before a size is typed."""
    matches = two_columns(controller)
    for noise in (d.GaussianKnown(), d.GaussianKnown(sd=0.1), d.PoissonNoise()):
        controller.problem.edit("x", meaning=d.Predictions(matches=matches, noise=noise))
        assert page.shared.notice.words() in ("One size for u and v.", "One model for u and v.")
        here = isinstance(noise, d.GaussianKnown)
        assert page.shared.notice.suggestion() == ("Each can have its own, here:" if here else "Each can have errors of its own.")
        assert page.shared.sizes.isVisibleTo(page.shared) == here
    own = (matches[0], msgspec.structs.replace(matches[1], noise=d.GaussianKnown(sd=1.0)))
    controller.problem.edit("x", meaning=d.Predictions(matches=own, noise=d.PoissonNoise()))
    assert page.shared.notice.words() == "For u; v has its own."
    page.shared.notice._button.click()
    assert page.tabs.currentIndex() == 1
    assert page.matching.table.currentIndex().row() == 0, "the one that has none of its own"
    QApplication.processEvents()
    assert page.focusWidget() is page.matching.own
    controller.problem.edit("x", meaning=d.Predictions(matches=matches[:1], noise=d.PoissonNoise()))
    assert page.shared.notice.words() == ""


def test_the_size_of_one_comparison_s_errors_is_typed_where_that_of_all_is(
    qtbot: QtBot, page: DataPage, controller: SessionController
) -> None:
    pairs = two_columns(controller)
    controller.problem.edit("x", meaning=d.Predictions(matches=pairs, noise=d.GaussianKnown(sd=0.1)))
    page.tabs.setCurrentIndex(2)

    def typed(field: str, text: str) -> None:
        editor = page.shared.sizes.editor(field)
        editor.setText(text)
        editor.finish()

    typed("of_1", "2")
    assert [m.noise for m in matches(controller)] == [None, d.GaussianKnown(sd=2.0)]
    assert page.shared.notice.words() == "For u; v has its own."
    typed("of_0", "3")
    assert [m.noise for m in matches(controller)] == [d.GaussianKnown(sd=3.0), d.GaussianKnown(sd=2.0)]
    assert page.shared.sizes.isVisible(), "both can be typed anew"
    typed("of_1", "-2")
    assert "greater than zero" in page.shared.sizes.editor("of_1").refused
    typed("of_1", "")
    assert matches(controller)[1].noise is None, "as large as the others again"


def typed(field: object, text: str) -> None:
    field.setText(text)  # type: ignore[attr-defined]
    field.finish()  # type: ignore[attr-defined]


UNITS = "time;a (m);b (cm)\n0,5;1;200\n1,0;-2;400\n"


@pytest.fixture
def unsaid(page: DataPage, controller: SessionController, tmp_path: Path) -> DataPage:
    """Two comparisons whose errors are asked for on the tab Errors."""
    controller.problem.edit("x", meaning=d.Predictions(matches=(), noise=d.GaussianKnown()))
    imported(page, tmp_path, "time;a;b\n0,5;1;20\n1,0;-2;40\n")
    page.tabs.setCurrentIndex(2)
    return page


def test_errors_in_percent_of_each_value_are_typed_once_for_all(unsaid: DataPage, controller: SessionController) -> None:
    Hands(unsaid.window()).fill("Plus", "5", end="Tab")
    assert noise_of(controller) == d.GaussianKnown(percent=5.0)
    assert list(controller.problem.declared.data.columns) == ["time", "a", "b"], "no column is made"  # type: ignore[union-attr]
    assert unsaid.status()[0] == "done"
    Hands(unsaid.window()).fill("Standard deviation", "0.01", end="Tab")
    assert noise_of(controller) == d.GaussianKnown(sd=0.01, percent=5.0)
    shown = known_sds(controller.problem.declared, matches(controller)[1], 2)
    assert shown == pytest.approx([1.01, 2.01])


@pytest.mark.parametrize(
    ("text", "noise"),
    [
        ("10 %", d.GaussianKnown(percent=10.0)),
        ("0.01 + 3 %", d.GaussianKnown(sd=0.01, percent=3.0)),
        ("3 % + 0,01", d.GaussianKnown(sd=0.01, percent=3.0)),
        ("± 3% of reading + 0.01", d.GaussianKnown(sd=0.01, percent=3.0)),
        ("1e-2 plus 1,5 percent", d.GaussianKnown(sd=0.01, percent=1.5)),
    ],
)
def test_a_size_plus_a_percentage_can_be_typed_where_a_size_is_asked_for(
    unsaid: DataPage, controller: SessionController, text: str, noise: d.NoiseModel
) -> None:
    Hands(unsaid.window()).fill("Standard deviation", text, end="Tab")
    assert noise_of(controller) == noise
    assert unsaid.noise.form.editor("percent").text() == f"{noise.percent:g}"  # type: ignore[union-attr, attr-defined]
    assert unsaid.status()[0] == "done"
    typed(unsaid.shared.sizes.editor("of_1"), f"2 + {noise.percent:g} %")  # type: ignore[union-attr]
    assert matches(controller)[1].noise == d.GaussianKnown(sd=2.0, percent=noise.percent)  # type: ignore[union-attr]
    assert unsaid.shared.sizes.editor("of_1").text() == f"2 + {noise.percent:g} %"  # type: ignore[union-attr, attr-defined]
    assert matches(controller)[0].noise is None


def test_a_size_with_a_unit_is_counted_in_the_unit_that_each_heading_says(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    controller.problem.edit("x", meaning=d.Predictions(matches=(), noise=d.GaussianKnown()))
    imported(page, tmp_path, UNITS)
    page.tabs.setCurrentIndex(2)
    field = page.noise.form.editor("sd")
    typed(field, "5 s + 3 %")
    assert "is in m, a unit of another kind, so s cannot be counted in it" in field.refused  # type: ignore[attr-defined]
    field.give_up()  # type: ignore[attr-defined]
    typed(field, "1 cm + 3 %")
    assert [m.noise for m in matches(controller)] == [d.GaussianKnown(sd=0.01, percent=3.0), d.GaussianKnown(sd=1.0, percent=3.0)]
    assert [page.shared.sizes.editor(f"of_{k}").text() for k in (0, 1)] == ["0.01 + 3 %", "1 + 3 %"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("together", ["sum", "quadrature"])
def test_a_number_typed_again_in_another_unit_keeps_the_percentage_beside_it(
    page: DataPage, controller: SessionController, tmp_path: Path, together: Literal["sum", "quadrature"]
) -> None:
    stated = d.GaussianKnown(sd=0.05, percent=3.0, together=together)
    controller.problem.edit("x", meaning=d.Predictions(matches=(), noise=stated))
    imported(page, tmp_path, "time [s];a [m]\n0,5;1,5\n1,0;2,5\n")
    page.tabs.setCurrentIndex(2)
    typed(page.noise.form.editor("sd"), "1 cm")
    assert noise_of(controller) == d.GaussianKnown(sd=0.01, percent=3.0, together=together)
    typed(page.noise.form.editor("sd"), "20 %")
    assert noise_of(controller) == d.GaussianKnown(percent=20.0), "a percentage in place of the number"


def test_the_errors_of_one_comparison_are_typed_in_percent_where_its_own_are(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    controller.problem.edit("x", meaning=d.Predictions(matches=(), noise=d.GaussianKnown(sd=3.0)))
    imported(page, tmp_path, "time;a;b\n0,5;1;20\n1,0;-2;40\n")
    page.tabs.setCurrentIndex(1)
    page.matching.table.selectRow(1)
    page.matching.errors.own.click()
    typed(page.matching.errors.noise.form.editor("sd"), "0.5 + 10 %")
    assert [m.noise for m in matches(controller)] == [None, d.GaussianKnown(sd=0.5, percent=10.0)]
    assert noise_of(controller) == d.GaussianKnown(sd=3.0), "the other keeps its errors"


def test_limits_take_no_part_in_what_is_said_of_the_smallest_error(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    controller.problem.edit("x", meaning=d.Predictions(matches=(), noise=d.GaussianKnown()))
    imported(page, tmp_path, "time;a;b\n0;1.2;70\n1;0.9;44\n2;<0.01;30\n3;0.3;12\n")
    page.tabs.setCurrentIndex(2)
    Hands(page.window()).fill("Standard deviation", "3 %", end="Tab")
    assert noise_of(controller) == d.GaussianKnown(percent=3.0)
    assert "smallest error" not in page.message.words()
    data = controller.problem.declared.data
    assert data is not None
    assert data.limits["a"] == (None, None, "<0.01", None)


def test_a_percentage_alone_of_values_near_zero_is_doubted_with_the_figures_and_a_button(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    controller.problem.edit("x", meaning=d.Predictions(matches=(), noise=d.GaussianKnown()))
    rows = [(1.2, 70.0), (0.9, 44.0), (0.6, 30.0), (0.3, 12.0), (0.014, -2.5)]
    imported(page, tmp_path, "time;a;b\n" + "".join(f"{i};{a};{b}\n" for i, (a, b) in enumerate(rows)))
    page.tabs.setCurrentIndex(2)
    Hands(page.window()).fill("Standard deviation", "3 %", end="Tab")
    doubt = "The smallest error of “a” is 0.00042 (3 % of 0.014, row 5), the largest 0.036, 86 times as large."
    assert doubt in page.message.words()
    assert page.status()[0] == "done", "it is a doubt, nothing is refused"
    buttons = [b for b in page.message.findChildren(QPushButton) if b.isVisible()]
    assert [b.text() for b in buttons] == ["&Add 0.009"]
    buttons[0].click()
    assert noise_of(controller) == d.GaussianKnown(sd=0.009, percent=3.0)
    assert page.noise.form.editor("sd").selectedText() == "0.009", "to be typed over"  # type: ignore[attr-defined]
    assert "smallest error" not in page.message.words()


def test_a_percentage_of_a_value_of_0_is_an_error_with_the_same_way_out(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    controller.problem.edit("x", meaning=d.Predictions(matches=(), noise=d.GaussianKnown()))
    imported(page, tmp_path, "time;a\n0,5;0\n1,0;-2\n")
    page.tabs.setCurrentIndex(2)
    Hands(page.window()).fill("Standard deviation", "5 %", end="Tab")
    assert "Row 1 of column “a” is 0, and 5 % of it is no error." in page.message.words()
    assert page.status()[0] != "done"
    page.message.pressed.emit()
    assert noise_of(controller) == d.GaussianKnown(sd=0.03, percent=5.0)
    assert page.status()[0] == "done"


def test_a_percentage_that_cannot_be_taken_is_answered_with_what_to_do(unsaid: DataPage, controller: SessionController) -> None:
    page, meaning = unsaid, controller.problem.declared.meaning
    controller.problem.edit("x", meaning=msgspec.structs.replace(meaning, noise=d.StudentTNoise(dof=4.0, scale=1.0)))
    typed(page.errors.noise.form.editor("scale"), "10 % + 0.5")
    assert noise_of(controller) == d.StudentTNoise(dof=4.0, scale=0.5, percent=10.0)
    controller.problem.edit("x", meaning=msgspec.structs.replace(meaning, noise=d.Ar1Noise(sd=1.0, rho=0.5)))
    field = page.errors.noise.form.editor("sd")
    typed(field, "10 %")
    assert "choose “Normal, size known”" in field.refused  # type: ignore[attr-defined]
    field.give_up()  # type: ignore[attr-defined]
    controller.problem.edit("x", meaning=msgspec.structs.replace(meaning, noise=d.LogNormalNoise(log_sd=0.2)))
    typed(page.errors.noise.form.editor("log_sd"), "10 %")
    assert noise_of(controller) == d.LogNormalNoise(log_sd=0.1)


def test_a_size_that_is_being_typed_is_not_said_to_be_missing_below_its_field(
    page: DataPage, controller: SessionController, tmp_path: Path, qtbot: QtBot
) -> None:
    imported(page, tmp_path)
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    bare = tuple(msgspec.structs.replace(m, sd_column=None) for m in meaning.matches)
    controller.problem.edit("x", meaning=msgspec.structs.replace(meaning, matches=bare, noise=d.GaussianKnown()))
    page.tabs.setCurrentIndex(2)
    assert "is not given" in page.noise.notice.words()
    field = page.noise.form.editor("sd")
    field.setFocus()
    qtbot.keyClicks(field, "0.02")
    assert page.noise.notice.words() == "The return key takes what is typed."
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert "is not given" not in page.noise.notice.words()
    assert noise_of(controller) == d.GaussianKnown(sd=0.02)


def test_no_field_moves_while_a_size_is_typed_nor_when_it_is_taken(unsaid: DataPage, qtbot: QtBot) -> None:
    field, below = unsaid.noise.form.editor("sd"), unsaid.shared.sizes.editor("of_1")
    settle()
    before = places(unsaid, field, below)
    field.setFocus()
    qtbot.keyClicks(field, "0.02")
    assert places(unsaid, field, below) == before
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert places(unsaid, field, below) == before


def test_an_expanded_uncertainty_typed_as_the_size_is_divided_and_said_below_the_field(
    page: DataPage, controller: SessionController
) -> None:
    pairs = two_columns(controller)
    controller.problem.edit("x", meaning=d.Predictions(matches=pairs, noise=d.GaussianKnown()))
    page.tabs.setCurrentIndex(2)
    editor = page.noise.form.editor("sd")
    assert isinstance(editor, QLineEdit)
    editor.setText("U = 0.40, k = 2")
    editor.editingFinished.emit()
    QApplication.processEvents()
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    assert meaning.noise == d.GaussianKnown(sd=0.2)
    assert editor.text() == "0.2"
    said = page.noise.form._notices["sd"].text()
    assert said.endswith("“U = 0.40, k = 2” is divided by its coverage factor, 2: the error is 0.2.")
    page.noise.form.show_findings((), "meaning.noise")
    assert page.noise.form._notices["sd"].text() == said  # however often the page is refreshed
