"""Import: cells such as <0.05 count as limits; a choice takes half of them instead, or leaves them out."""

from __future__ import annotations

from pathlib import Path

from data_pages import click, opened, words
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.models.data.fits_words import FITS, fits_words
from bayescope.gui.pages.data.page import DataPage

WATER = "depth;As\n1;3,1\n2;<0,5\n3;<LOD\n4;>200\n5;7,5\n"


def test_limits_count_as_such_unless_the_user_says_otherwise(qtbot: QtBot, page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "water.csv", WATER)
    part = page.importer.censored_message
    assert "3 of 5 cells give a limit only (“<0,5”, “<LOD”, “>200”): 2 count as lying on that side of it, 1 left" in part.words()
    assert "give a limit only" not in page.importer.message.words(), "said once"
    assert part.ways.currentText() == "They lie on their side of the limit (recommended)"
    assert part.level == "info"
    click(qtbot, page.importer.use)
    data = page.problem.declared.data
    assert data is not None
    assert data.columns["As"] == (3.1, None, None, None, 7.5)
    assert data.limits == {"As": (None, "<0.5", None, ">200", None)}
    model = page.table_part.model
    assert [model.data(model.index(row, 1)) for row in range(5)] == ["3.1", "<0.5", "–", ">200", "7.5"]


def test_half_of_them_or_none_are_taken_as_the_user_says(qtbot: QtBot, page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "water.csv", WATER)
    part = page.importer.censored_message
    part.ways.choose("out")
    assert ": left out." in part.words()
    part.ways.choose("half")
    assert "1 taken as half the limit, 2 left out." in part.words()
    assert part.level == "warning"
    click(qtbot, page.importer.use)
    data = page.problem.declared.data
    assert data is not None
    assert data.columns["As"] == (3.1, 0.25, None, None, 7.5)
    assert data.limits == {}


def test_another_file_begins_with_limits_that_count(page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "water.csv", "depth;As\n1;3,1\n2;<0,5\n3;4,2\n")
    assert page.importer.censored_message.ways.currentText() == "They lie below the limit (recommended)"
    page.importer.censored_message.ways.choose("half")
    opened(page, tmp_path / "other.csv", WATER.replace("200", "300"))
    assert "2 count as lying" in page.importer.censored_message.words()
    opened(page, tmp_path / "plain.csv", "depth;As\n1;3,1\n2;4,5\n")
    assert not page.importer.censored_message.isVisible()


def test_limits_that_say_no_number_offer_no_choice(page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "water.csv", "depth;As\n1;3,1\n2;<LOD\n3;4,2\n")
    part = page.importer.censored_message
    assert part.isVisible()
    assert not part.ways.isVisible()
    assert part.level == "warning"


def test_a_cell_is_typed_over_by_a_limit_and_back(page: DataPage, tmp_path: Path, qtbot: QtBot) -> None:
    opened(page, tmp_path / "water.csv", "depth;As\n1;3,1\n2;<0,5\n3;4,2\n")
    click(qtbot, page.importer.use)
    model = page.table_part.model
    model.setData(model.index(0, 1), "<0.2")
    model.setData(model.index(1, 1), "0.7")
    data = page.problem.declared.data
    assert data is not None
    assert data.columns["As"] == (None, 0.7, 4.2)
    assert data.limits == {"As": ("<0.2", None, None)}
    model.setData(model.index(0, 1), "0.4")
    assert page.problem.declared.data is not None
    assert page.problem.declared.data.limits == {}


def test_errors_that_hang_together_have_no_use_for_limits_and_one_button_leaves_them_out(
    page: DataPage, tmp_path: Path, qtbot: QtBot
) -> None:
    opened(page, tmp_path / "water.csv", "t;u\n1;3,1\n2;<0,5\n3;4,2\n4;5\n")
    click(qtbot, page.importer.use)
    meaning = d.Predictions(matches=(d.Match(output="u", column="u"),), noise=d.Ar1Noise(sd=0.3, rho=0.5))
    page.problem.edit("Errors", meaning=meaning)
    assert page.message.words() == (
        "“u” has cells that give a limit only, and errors that depend on their neighbours need every value itself (row 2)."
    )
    assert words(page.message._button) == "Leave them out"
    click(qtbot, page.message._button)
    (match,) = page.problem.declared.meaning.matches  # type: ignore[union-attr]
    assert match.left_out == (2,)
    assert "limit" not in page.message.words()


def test_limits_are_rows_of_a_comparison_as_measured_values_are() -> None:
    data = d.DataTable(columns={"t": (1.0, 2.0, 3.0), "u": (None, 2.0, None)}, limits={"u": ("<0.5", None, None)})
    told = []
    for left_out in ((), (2,)):
        match = d.Match(output="u", column="u", key_output="t", key_column="t", left_out=left_out)
        outputs = tuple(d.Output(name=name, source="stdout", extractor=d.LastNumber()) for name in ("u", "t"))
        meaning = d.Predictions(matches=(match,), noise=d.GaussianKnown())
        problem = d.Problem(
            name="u", simulator=d.Simulator(command=("x",)), parameters=(), outputs=outputs, data=data, meaning=meaning
        )
        told.append(fits_words(problem, 0, None)[0])
    assert told == [FITS, "✓  1 of 2 rows are paired; 1 is left out."]
