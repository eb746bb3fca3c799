"""Measured values of several conditions in one table: told where a comparison mixes them, split by one button; flagged rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from data_pages import click, matches, opened, trial_run
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage

PLACES = [450 + 10 * k for k in range(6)]
FILM = "wavelength_nm,angle,pol,R,dR,flag\n" + "".join(
    f"{w},{angle},{pol},{0.1 * k + 0.001 * w:.3f},0.01,{'spike' if (w, angle, pol) == (460, 60, 'p') else 'ok'}\n"
    for k, (angle, pol) in enumerate((a, p) for a in (20, 60) for p in "sp")
    for w in PLACES
)
PRINTED = "wl Rs20 Rp20 Rs60 Rp60\n" + "".join(f"{w} 0.5 0.6 0.7 0.8\n" for w in PLACES)
NAMES = ("wl", "Rs20", "Rp20", "Rs60", "Rp60")


def film(controller: SessionController, names: tuple[str, ...] = NAMES) -> None:
    outputs = tuple(
        d.Output(name=n, source="res.txt", extractor=d.CsvColumn(column=NAMES.index(n), delimiter=" ")) for n in names
    )
    controller.problem.edit("x", outputs=outputs)


def test_a_table_of_two_labels_is_split_by_both_and_compared_by_names(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    film(controller)
    trial_run(page, engines, PRINTED)
    opened(page, tmp_path / "film.csv", FILM)
    assert page.importer.split.key() == "pol, angle"
    click(qtbot, page.importer.use)
    assert [(m.output, m.column, m.sd_column, m.key_column) for m in matches(controller)] == [
        (n, f"R {n[1]} {n[2:]}", f"R {n[1]} {n[2:]} sd", "wavelength_nm") for n in NAMES[1:]
    ]
    assert page.message.words() == "One row that is compared is flagged in “flag”: “spike” (1)."
    assert page.message._button.text() == "Leave it &out"
    click(qtbot, page.message._button)
    assert [m.left_out for m in matches(controller)] == [(), (), (), (20,)]
    assert "flagged" not in page.message.words()


def test_flagged_rows_that_count_are_not_asked_about_again(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    film(controller)
    trial_run(page, engines, PRINTED)
    opened(page, tmp_path / "film.csv", FILM)
    click(qtbot, page.importer.use)
    click(qtbot, page.message._dismiss)
    assert "flagged" not in page.message.words()
    assert all(m.left_out == () for m in matches(controller))


def test_each_flag_that_may_mean_anything_is_asked_about_by_itself_the_rarest_first(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    film(controller, ("wl", "Rs20"))
    places = list(enumerate("GUUEGGGG", 450))
    trial_run(page, engines, "wl Rs20\n" + "".join(f"{w} 0.5\n" for w, _ in places))
    opened(page, tmp_path / "r.csv", "wl,Rs20,Status\n" + "".join(f"{w},0.5,{flag}\n" for w, flag in places))
    click(qtbot, page.importer.use)
    assert page.message.words() == "One row that is compared is flagged in “Status”: “E” (1)."
    click(qtbot, page.message._button)
    assert [m.left_out for m in matches(controller)] == [(4,)]
    assert page.message.words() == "2 rows that are compared are flagged in “Status”: “U” (2)."
    click(qtbot, page.message._dismiss)
    assert "flagged" not in page.message.words()
    assert [m.left_out for m in matches(controller)] == [(4,)]


def test_flags_that_are_numbers_are_asked_about_and_remarks_are_no_way_to_split(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    film(controller, ("wl", "Rs20"))
    places = list(enumerate("00100000", 450))
    trial_run(page, engines, "wl Rs20\n" + "".join(f"{w} 0.5\n" for w, _ in places))
    rows = "".join(f"{w},0.5,{flag},{'rain' if w % 2 else 'calm'}\n" for w, flag in places)
    opened(page, tmp_path / "r.csv", f"wl,Rs20,qc,remarks\n{rows}")
    assert not page.importer.split.isVisible()
    click(qtbot, page.importer.use)
    assert [(m.output, m.column) for m in matches(controller)] == [("Rs20", "Rs20")]
    assert page.message.words() == "One row that is compared is flagged in “qc”: “1” (1)."
    click(qtbot, page.message._button)
    assert [m.left_out for m in matches(controller)] == [(3,)]


def test_a_column_of_flags_can_be_said_to_be_measured(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "r.csv", "wl,R,flag\n1,0.5,0\n2,0.6,0\n3,0.7,1\n4,0.8,0\n")
    page.importer.used.say("flag", "measured")
    click(qtbot, page.importer.use)
    assert controller.problem.declared.data is not None
    assert controller.problem.declared.data.columns["flag"] == (0.0, 0.0, 1.0, 0.0)


def test_values_of_two_conditions_in_one_comparison_are_told_and_split_by_one_button(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    film(controller)
    trial_run(page, engines, PRINTED)
    opened(page, tmp_path / "film.csv", FILM)
    page.importer.split.choose("pol")
    click(qtbot, page.importer.use)
    made = tuple(
        d.Match(output=f"R{p}{a}", column=p, sd_column=f"{p} sd", key_output="wl", key_column="wavelength_nm")
        for a in (20, 60) for p in "sp"
    )  # fmt: skip
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    controller.problem.edit("x", meaning=d.Predictions(matches=made, noise=meaning.noise))
    trial_run(page, engines, PRINTED)
    words = "Rs20 is compared with 2 measured values at one wavelength_nm: they differ in “angle”."
    assert page.message.words() == words
    assert page.status()[0] != "done"
    click(qtbot, page.message._button)
    columns = [m.column for m in matches(controller) if m.column]
    assert len(set(columns)) == 4
    assert {(m.output, m.column) for m in matches(controller)} == {(f"R{p}{a}", f"{p} {a}") for a in (20, 60) for p in "sp"}


def test_repeats_at_one_place_are_nothing_to_be_told_where_no_column_tells_them_apart(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    film(controller, ("wl", "Rs20"))
    trial_run(page, engines, PRINTED)
    opened(page, tmp_path / "twice.csv", "wl,Rs20\n" + "".join(f"{w},{0.5 + 0.001 * r}\n" for w in PLACES for r in range(2)))
    page.importer.accept()
    made = (d.Match(output="Rs20", column="Rs20", key_output="wl", key_column="wl"),)
    controller.problem.edit("x", meaning=d.Predictions(matches=made, noise=d.GaussianKnown(sd=0.1)))
    trial_run(page, engines, PRINTED)
    assert "differ in" not in page.message.words()


def test_comparisons_between_printed_places_are_all_interpolated_by_one_button_each_over_the_places_of_its_table(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    printed = "".join(
        f"ANGLE {a} deg\nwl Rs Rp\n" + "".join(f"{w} {0.5 + 0.001 * w} {0.6 + 0.001 * w}\n" for w in range(440, 520, 8)) + "\n"
        for a in (20, 60)
    )
    outputs = tuple(
        d.Output(name=f"{n}_{a}", source="res.txt", extractor=d.Region(anchor=f"ANGLE {a} deg", columns=(k + 1,)))
        for a in (20, 60) for k, n in enumerate(("wl", "Rs", "Rp"))
    )  # fmt: skip
    controller.problem.edit("x", outputs=outputs)
    trial_run(page, engines, printed)
    opened(page, tmp_path / "film.csv", FILM)
    click(qtbot, page.importer.use)
    assert page.message._button.text() == "&Interpolate all 4 over wavelength_nm"
    click(qtbot, page.message._button)
    assert [(m.output, m.key_output, m.interpolate) for m in matches(controller)] == [
        (f"R{p}_{a}", f"wl_{a}", True) for a in (20, 60) for p in "sp"
    ]
    assert page.trial.unfit() is None
