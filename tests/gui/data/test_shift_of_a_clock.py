"""A clock that was started before the program's: its shift brings rows back that lay outside, and holds for all it times."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, click, column, matches, opened, trial_run, words
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.keys.outside_again import inside_now, outside_anew
from bayescope.gui.models.data.keys.same_shift import ON_PURPOSE, first_other_shift
from bayescope.gui.models.data.keys.scaled_keys import by_other_units
from bayescope.gui.models.data.list_edits import NO_KEY, with_key_scaling
from bayescope.gui.models.data.rows.left_out import changed
from bayescope.gui.models.step_status import step_status
from bayescope.gui.pages.data.page import DataPage

TIMES = [float(t) for t in range(21)]
PLACES = [4.5, 8.5, 12.5, 21.5]  # by a clock that runs 3 s ahead: all lie inside


def printed(times: Sequence[float] = TIMES) -> str:
    return "".join(f"{t:.3f} {50 - t:.3f} {t * t:.3f}\n" for t in times)


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(PROBLEM, outputs=(column("t", 0), column("T", 1), column("p", 2)))


@pytest.fixture
def clocked(qtbot: QtBot, page: DataPage, tmp_path: Path, engines: list[Any]) -> DataPage:
    """Two columns by one clock, interpolated over it by the button that leaves the last row out."""
    rows = "".join(f"{t};{53 - t + 0.01:.4f};{(t - 3) ** 2 + 0.01:.4f}\n" for t in PLACES)
    opened(page, tmp_path / "m.csv", f"TIME (s);T;p\n{rows}")
    page.importer.use.click()
    pairs = tuple(d.Match(output=n, column=n, key_output="t", key_column="TIME (s)") for n in ("T", "p"))
    page.problem.edit("x", meaning=d.Predictions(matches=pairs, noise=d.GaussianKnown(sd=0.1)))
    trial_run(page, engines, printed())
    page.tabs.setCurrentIndex(1)
    page.matching.show_comparison(0)
    QApplication.processEvents()
    click(qtbot, page.matching.mismatch.between)
    return page


def shifted(page: DataPage, row: int, text: str) -> None:
    """Typed into the cell “Paired” of the list, after a click on it."""
    table, model = page.matching.table, page.matching.model
    at = table.visualRect(model.index(row, model.column_of("key"))).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    editors = table.viewport().findChildren(QLineEdit)
    assert editors, "one click opens it"
    editor = editors[-1]
    editor.clear()
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QApplication.processEvents()


def out(controller: SessionController) -> list[tuple[int, ...]]:
    return [m.left_out for m in matches(controller)]


def test_a_row_outside_comes_back_when_the_clock_is_shifted_and_goes_out_when_it_is_shifted_away(
    clocked: DataPage, controller: SessionController
) -> None:
    assert out(controller) == [(4,), (4,)]
    shifted(clocked, 0, "+ 3")
    assert out(controller) == [(), (4,)]
    assert clocked.matching.offer.words() == "Row 4 lies inside what the program prints now: it counts again."
    shifted(clocked, 0, "")
    assert out(controller)[0] == (4,)
    assert "Row 4 lies outside now: it is left out." in clocked.matching.offer.words()


def test_rows_that_the_user_left_out_stay_out_whatever_the_shift(clocked: DataPage, controller: SessionController) -> None:
    controller.problem.replace(changed(controller.problem.declared, [2], True, 0), "x")
    shifted(clocked, 0, "+ 3")
    assert out(controller) == [(2,), (4,)]


def test_a_row_taken_back_by_hand_stays_in_until_the_shift_is_changed(
    clocked: DataPage, controller: SessionController
) -> None:
    taken = changed(controller.problem.declared, [4], False)
    assert outside_anew(controller.problem.declared, taken, clocked.trial.report) == (taken, "")


def test_the_field_of_rows_left_out_says_which_come_back_by_themselves(clocked: DataPage) -> None:
    said = clocked.matching.form._notices["left_out"].text()
    assert said.startswith("ℹ  Row 4 is out only for lying outside what the program prints"), said


def test_a_longer_run_takes_rows_back_and_a_shorter_one_takes_none_out(
    clocked: DataPage, controller: SessionController, engines: list[Any]
) -> None:
    trial_run(clocked, engines, printed([*TIMES, 21.0, 22.0]))
    assert out(controller) == [(), ()]
    trial_run(clocked, engines, printed())
    assert out(controller) == [(), ()]
    assert clocked.trial.unfit() is not None, "what is lost is asked about"
    assert inside_now(controller.problem.declared, clocked.trial.report)[1] == ""


def test_where_nothing_is_interpolated_any_more_the_rows_are_in_again(
    clocked: DataPage, controller: SessionController
) -> None:
    match = msgspec.structs.replace(matches(controller)[0], interpolate=False)
    clocked.matching.form.changed.emit(match)
    assert matches(controller)[0].left_out == ()


def test_a_shift_of_one_is_offered_for_all_that_the_clock_times_and_asked_about_until_then(
    qtbot: QtBot, clocked: DataPage, controller: SessionController
) -> None:
    assert clocked.status()[0] == "done"
    shifted(clocked, 0, "+ 3")
    said = "“T” and “p” are both paired by “TIME (s)”, but are not shifted alike: "
    assert clocked.message.words() == f"{said}t + 3 for the one, t as it is for the other."
    assert clocked.status()[0] == "todo"
    assert step_status(controller, "data")[0] == "todo"
    assert step_status(controller, "run")[1].startswith("ready, but")
    assert words(clocked.message._button) == "Take t + 3 for both"
    band = clocked.matching.offer.same
    assert words(band) == "So for both paired by TIME (s)"
    click(qtbot, band)
    assert [(m.key_offset, m.left_out) for m in matches(controller)] == [(3.0, ()), (3.0, ())]
    assert clocked.status()[0] == "done"
    assert step_status(controller, "run")[1] == "ready to start"


def test_the_banner_takes_the_shift_for_all_or_notes_that_they_differ_on_purpose(
    qtbot: QtBot, clocked: DataPage, controller: SessionController
) -> None:
    shifted(clocked, 1, "+ 3")
    click(qtbot, clocked.message._button)
    assert [m.key_offset for m in matches(controller)] == [3.0, 3.0]
    shifted(clocked, 1, "+ 2.5")
    assert words(clocked.message._dismiss) == ON_PURPOSE
    click(qtbot, clocked.message._dismiss)
    assert [m.key_offset for m in matches(controller)] == [3.0, 2.5]
    assert clocked.status()[0] == "done"
    assert step_status(controller, "run")[1] == "ready to start"


def test_the_field_below_the_list_brings_the_same_offer(clocked: DataPage, controller: SessionController) -> None:
    clocked.matching.form.changed.emit(msgspec.structs.replace(matches(controller)[0], key_offset=3.0))
    assert words(clocked.matching.offer.same) == "So for both paired by TIME (s)"
    assert "counts again" in clocked.matching.offer.words()


def test_series_below_each_other_may_have_clocks_of_their_own() -> None:
    table = d.DataTable(columns={"t": (1.0, 2.0, 3.0, 4.0), "a": (1.0, 2.0, None, None), "b": (None, None, 3.0, 4.0)})
    pairs = (d.Match(output="a", column="a", key_output="t", key_column="t", key_offset=1.0),
             d.Match(output="b", column="b", key_output="t", key_column="t"))  # fmt: skip
    whole = msgspec.structs.replace(PROBLEM, data=table, meaning=d.Predictions(matches=pairs, noise=d.GaussianKnown(sd=1.0)))
    assert first_other_shift(whole) is None


@pytest.mark.parametrize(
    ("typed", "scale"),
    [
        ("+ 12.3", (1.0, 12.3, False)),
        ("− 12.3", (1.0, -12.3, False)),
        ("x 1000", (1000.0, 0.0, False)),
        ("/ 60", (1 / 60, 0.0, False)),
        ("/60 + 2", (1 / 60, 2.0, False)),
        ("min", (60.0, 0.0, False)),
        ("-3600", (1.0, -3600.0, False)),
        ("TIME (s)-3600", (1.0, -3600.0, False)),
        ("- 1 h", (1.0, -3600.0, False)),
        ("+2min", (1.0, 120.0, False)),
        ("-1:30", (1.0, -5400.0, False)),
        ("1239.84 / t", (1239.84, 0.0, True)),
        ("", (1.0, 0.0, False)),
    ],
)
def test_what_is_typed_into_the_cell_of_the_key(typed: str, scale: tuple[float, float, bool]) -> None:
    pair = d.Match(output="T", column="T", key_output="t", key_column="TIME (s)")
    whole = msgspec.structs.replace(PROBLEM, meaning=d.Predictions(matches=(pair,), noise=d.GaussianKnown(sd=1.0)))
    made = with_key_scaling(whole, 0, typed)
    assert isinstance(made.meaning, d.Predictions)
    match = made.meaning.matches[0]
    assert (match.key_factor, match.key_offset, match.key_inverse) == pytest.approx(scale)


def test_a_shift_in_another_kind_of_unit_is_refused_in_words_about_the_key() -> None:
    pair = d.Match(output="T", column="T", key_output="t", key_column="TIME (s)")
    whole = msgspec.structs.replace(PROBLEM, meaning=d.Predictions(matches=(pair,), noise=d.GaussianKnown(sd=1.0)))
    with pytest.raises(ValueError, match="“TIME \\(s\\)” is in s: type the shift as a number, without bar"):
        with_key_scaling(whole, 0, "+1 bar")
    with pytest.raises(ValueError, match="“1 hour later” is no shift and no factor of a key"):
        with_key_scaling(whole, 0, "1 hour later")


@pytest.mark.parametrize(
    ("typed", "factor"), [("TIME x 1000", 1000.0), ("time", 1.0), ("t / 60", None), ("Time × 2", 2.0), ("time/60", 1 / 60)]
)
def test_a_key_is_typed_by_its_name_with_a_factor(typed: str, factor: float | None) -> None:
    outputs = (*PROBLEM.outputs, msgspec.structs.replace(PROBLEM.outputs[0], name="time"))
    data = d.DataTable(columns={"TIME (s)": (1.0, 2.0), "T": (3.0, 4.0)})
    meaning = d.Predictions(matches=(d.Match(output="T", column="T"),), noise=d.GaussianKnown(sd=1.0))
    whole = msgspec.structs.replace(PROBLEM, outputs=outputs, data=data, meaning=meaning)
    if factor is None:
        with pytest.raises(ValueError, match=r"Type the name of a key|No output is called|No column is called"):
            with_key_scaling(msgspec.structs.replace(whole, outputs=outputs[-1:]), 0, typed)
        return
    made = with_key_scaling(whole, 0, typed)
    assert isinstance(made.meaning, d.Predictions)
    match = made.meaning.matches[0]
    assert (match.keys, match.key_factor) == ((("time", "TIME (s)"),), pytest.approx(factor))


def test_a_click_where_rows_are_paired_in_order_says_where_a_key_is_chosen(
    clocked: DataPage, controller: SessionController
) -> None:
    plain = tuple(d.Match(output=n, column=n) for n in ("T", "p"))
    controller.problem.edit("x", meaning=d.Predictions(matches=plain, noise=d.GaussianKnown(sd=0.1)))
    QApplication.processEvents()
    table, model = clocked.matching.table, clocked.matching.model
    at = table.visualRect(model.index(0, model.column_of("key"))).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert clocked.matching.offer.words() == NO_KEY
    assert table.viewport().findChild(QLineEdit) is None


def test_the_one_without_a_shift_is_not_offered_as_the_model_of_the_others(clocked: DataPage) -> None:
    shifted(clocked, 0, "+ 3")
    clocked.matching.show_comparison(1)
    assert not clocked.matching.mismatch.isVisible(), "it would take the shift of the other away"
    clocked.matching.show_comparison(0)
    assert "paired by “TIME (s)” too, but not in the same way" in clocked.matching.mismatch.message.words()


def test_a_shift_of_a_key_in_its_column_s_unit_is_no_question_of_units(clocked: DataPage, controller: SessionController) -> None:
    declared = controller.problem.declared
    outputs = tuple(msgspec.structs.replace(o, unit="s") if o.name == "t" else o for o in declared.outputs)
    controller.problem.edit("x", outputs=outputs)
    shifted(clocked, 0, "+ 3")
    assert by_other_units(controller.problem.declared, 0, clocked.trial.report) is None
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    scaled = tuple(msgspec.structs.replace(m, key_factor=60.0) for m in meaning.matches)
    controller.problem.edit("x", meaning=msgspec.structs.replace(meaning, matches=scaled))
    assert by_other_units(controller.problem.declared, 0, clocked.trial.report) is not None, "a factor is one"
