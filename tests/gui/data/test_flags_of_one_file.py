"""A file with a column of flags and one without: the flagged rows are asked about, and one click leaves them out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from data_pages import click, matches, opened, trial_run, words
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage

NAMES = ("wl", "Psi_65", "Psi_70", "R")
PLACES = range(500, 560, 10)
PRINTED = " ".join(NAMES) + "\n" + "".join(f"{w} 25 27 0.3\n" for w in PLACES)
FLAGGED = {65: (510,), 70: (500, 530)}
VASE = "Flag:\t0 = good, 1 = intensity below threshold (do not use)\n\n" + "".join(
    f"angle: {a}\nwavelength\tPsi\tPsi_err\tFlag\n"
    + "".join(f"{w}\t{a / 3 + w / 100:.3f}\t0.0{k + 1}\t{int(w in flagged)}\n" for k, w in enumerate(PLACES)) + "\n"
    for a, flagged in FLAGGED.items()
)  # fmt: skip
R = "wavelength,R\n" + "".join(f"{w},0.3{k}\n" for k, w in enumerate(PLACES))


@pytest.mark.parametrize("further", [False, True])
def test_flagged_rows_of_several_tables_are_asked_about_and_left_out_by_one_click(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], further: bool
) -> None:
    read = [d.CsvColumn(column=k, delimiter=" ") for k in range(len(NAMES))]
    outputs = tuple(d.Output(name=n, source="res.txt", extractor=how) for n, how in zip(NAMES, read, strict=True))
    controller.problem.edit("x", outputs=outputs)
    trial_run(page, engines, PRINTED)
    opened(page, tmp_path / "vase.txt", VASE)
    click(qtbot, page.importer.message._button)
    click(qtbot, page.importer.use)
    if further:
        opened(page, tmp_path / "r.csv", R)
        click(qtbot, page.importer.add)
    data = controller.problem.declared.data
    assert data is not None
    compared = [(f"Psi_{a}", next(c for c in data.columns if c.startswith("Psi (") and str(a) in c)) for a in FLAGGED]
    sds = [next(c for c in data.columns if c.startswith("Psi_err") and str(a) in c) for a in FLAGGED]
    made = [d.Match(output=o, column=c, sd_column=s, key_output="wl", key_column="wavelength")
            for (o, c), s in zip(compared, sds, strict=True)]  # fmt: skip
    made += [d.Match(output="R", column="R", key_output="wl", key_column="wavelength")] if further else []
    controller.problem.edit("x", meaning=d.Predictions(matches=tuple(made), noise=d.GaussianKnown(sd=0.01)))
    said = page.message.words()
    assert said == "3 rows that are compared are flagged in “Flag”: “1 = intensity below threshold (do not use)” (3)."
    click(qtbot, page.message._button)
    assert [m.left_out for m in matches(controller)] == [(2,), (7, 10), *([()] if further else [])]
    assert "flagged" not in page.message.words()


def test_the_words_of_a_legend_and_remarks_ask_about_rows_and_one_click_leaves_them_out(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    rows = ["1,10,0,", "2,11,0,sensor fault", "3,12,4,", "4,13,0,no fault found", "5,14,4,", "6,15,0,"]
    table = "# qc_flag 0=ok 4=gauge frozen\nt,u,qc_flag,note\n" + "\n".join(rows) + "\n"
    opened(page, tmp_path / "m.csv", table)
    click(qtbot, page.importer.use)
    made = d.Match(output="u", column="u")
    controller.problem.edit("x", meaning=d.Predictions(matches=(made,), noise=d.GaussianKnown(sd=0.1)))
    assert page.message.words() == "2 rows that are compared are flagged in “qc_flag”: “4 = gauge frozen” (2)."
    click(qtbot, page.message._button)
    assert page.message.words() == "One row that is compared is remarked on in “note” as no good: “sensor fault” (1)."
    click(qtbot, page.message._button)
    assert [m.left_out for m in matches(controller)] == [(2, 3, 5)]


def test_a_remark_that_names_a_quantity_leaves_out_that_value_alone_and_is_not_asked_about_once_it_is_gone(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    star = "* Na: contaminated vial - do not use"
    rows = ["E1,1,10,30,", f"E2,2,23.6 *,31,{star}", "E3,3,12,32,K vial contaminated", "E4,4,13,33,", "E5,5,14,34,"]
    opened(page, tmp_path / "m.csv", "Lab,t,Na,K,Remark\n" + "\n".join(rows) + "\n")
    page.importer.offers.marked.pressed.emit()  # its words may be folded
    click(qtbot, page.importer.use)
    made = tuple(d.Match(output=o, column=c) for o, c in (("u", "Na"), ("v", "K")))
    controller.problem.edit("x", meaning=d.Predictions(matches=made, noise=d.GaussianKnown(sd=0.1)))
    said = "The value of K in row 3 is remarked on in “Remark” as no good: “K vial contaminated”."
    assert page.message.words() == said
    assert (words(page.message._button), words(page.message._dismiss)) == ("Leave K out of row 3", "It counts")
    click(qtbot, page.message._button)
    assert [m.left_out for m in matches(controller)] == [(), (3,)]
    assert "remarked" not in page.message.words()


def _remarked(remarks: dict[int, str], page: DataPage, controller: SessionController, qtbot: QtBot, tmp_path: Path) -> None:
    rows = [f"{k},{10 + k},{remarks.get(k, '')}" for k in range(1, 13)]
    opened(page, tmp_path / "m.csv", "t,u,note\n" + "\n".join(rows) + "\n")
    click(qtbot, page.importer.use)
    made = d.Match(output="u", column="u")
    controller.problem.edit("x", meaning=d.Predictions(matches=(made,), noise=d.GaussianKnown(sd=0.1)))


def test_a_row_with_any_remark_is_shown_and_asked_about(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    _remarked({4: "door was open", 7: "ok", 9: "second operator"}, page, controller, qtbot, tmp_path)
    assert page.message.words() == "One row that is compared has a remark in “note”: “door was open” (row 4)."
    assert "Row 4: t = 4; u = 14." in page.message.suggestion()
    assert (words(page.message._button), words(page.message._dismiss)) == ("Leave it out", "It counts")
    click(qtbot, page.message._button)
    assert page.message.words() == "One row that is compared has a remark in “note”: “second operator” (row 9)."
    click(qtbot, page.message._dismiss)
    assert [m.left_out for m in matches(controller)] == [(4,)]
    assert "remark" not in page.message.words()


def test_many_remarks_are_one_question(qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path) -> None:
    _remarked({2: "windy", 3: "rain", 5: "sun", 8: "snow"}, page, controller, qtbot, tmp_path)
    said = "4 rows that are compared have remarks in “note”: “windy” (row 2), “rain” (row 3), “sun” (row 5) and 1 more."
    assert page.message.words() == said
    click(qtbot, page.message._dismiss)
    assert [m.left_out for m in matches(controller)] == [()]
    assert "remark" not in page.message.words()


def test_names_of_most_rows_are_no_remarks(qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path) -> None:
    _remarked({k: f"sample {k}" for k in range(1, 13)}, page, controller, qtbot, tmp_path)
    assert "remark" not in page.message.words()
