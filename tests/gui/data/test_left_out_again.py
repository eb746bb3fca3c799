"""Values that were left out of a table: in the next one they count again, which is said, with a button that leaves them out."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from data_pages import click, matches, opened
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.rows.left_again import again_words, left_again
from bayescope.gui.pages.data.page import DataPage

TABLE = d.DataTable(columns={"t": (0.0, 1.0, 2.0, 2.0), "u": (1.5, 9.5, 3.5, 3.5), "v": (1.0, 2.0, None, 4.0)})
FILE = "t,u\n0,1.5\n1,9.5\n2,3.5\n"


def declared(table: d.DataTable, *left: tuple[int, ...]) -> d.Problem:
    found = tuple(d.Match(output=c, column=c, left_out=rows) for c, rows in zip("uv", left, strict=True))
    return d.Problem(
        name="x", parameters=(), outputs=(), simulator=d.Simulator(command=("sh",)), data=table,
        meaning=d.Predictions(matches=found, noise=d.GaussianKnown(sd=0.1)),
    )  # fmt: skip


def cut(table: d.DataTable, rows: list[int]) -> d.DataTable:
    return d.DataTable(columns={c: tuple(cells[i] for i in rows) for c, cells in table.columns.items()})


@pytest.mark.parametrize(
    ("name", "left", "rows", "after", "words"),
    [
        ("the same table", ((2,), ()), [0, 1, 2, 3], [(2,), ()], "Row 2, which was left out"),
        ("rows in another order", ((2,), (1, 2)), [1, 0], [(1,), (1, 2)],
         "2 rows that were left out of the table before count again: 1 and 2"),
        ("the row is gone", ((2,), ()), [0, 2], None, ""),
        ("two rows are like it", ((2,), ()), [1, 1, 0], None, ""),
        ("nothing was left out", ((), ()), [0, 1, 2, 3], None, ""),
    ],
)  # fmt: skip
def test_a_value_is_known_again_by_its_row(
    name: str, left: tuple[tuple[int, ...], ...], rows: list[int], after: list[tuple[int, ...]] | None, words: str
) -> None:
    found = left_again(declared(TABLE, *left), declared(cut(TABLE, rows), (), ()))
    assert (found is None) == (after is None), name
    if found is not None:
        assert isinstance(found[0].meaning, d.Predictions)
        assert [m.left_out for m in found[0].meaning.matches] == after
        assert words in again_words(found[1])


def test_what_is_left_out_already_is_not_said_again() -> None:
    before = declared(TABLE, (2,), ())
    assert left_again(before, before) is None
    assert left_again(before, msgspec.structs.replace(before, data=None)) is None


@pytest.mark.window
def test_a_table_removed_and_opened_again_leaves_out_the_same_values_at_a_button(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "first.csv", FILE)
    page.importer.use.click()
    page.matching.match_by_name()
    (match,) = (m for m in matches(controller) if m.column == "u")
    meaning = controller.problem.declared.meaning
    left = msgspec.structs.replace(match, left_out=(2,))
    controller.problem.edit("Leave out", meaning=msgspec.structs.replace(meaning, matches=(left,)))
    assert page.left_again.level is None
    page.remove_button.click()
    opened(page, tmp_path / "first.csv", FILE)
    page.importer.use.click()
    assert [m.left_out for m in matches(controller)] == [()]
    assert page.left_again.words() == "Row 2, which was left out of the table before, counts again."
    click(qtbot, page.left_again._button)
    assert [m.left_out for m in matches(controller)] == [(2,)]
    assert page.left_again.level is None or not page.left_again.words()
