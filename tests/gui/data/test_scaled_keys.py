"""A key of the program that is the column's times a constant: the page says so, and one button pairs by it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from data_pages import PROBLEM, click, column, matches, opened, trial_run, typed, words
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.comparison import compare_match
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.models.data.keys.common_factor import common_factor
from bayescope.gui.pages.data.page import DataPage

TABLE = "Lattice const [Å],Press\n3.30,75\n3.33,66\n3.36,54\n3.39,\n3.42,40\n"
PRINTED = "13.2 76\n13.32 65\n13.44 53\n13.56 46\n13.68 41\n14.1 5\n"
MINUTES = "t [min],Press\n1,75\n2,66\n3,54\n4,30\n"
SECONDS = "".join(f"{10 * i} {100 - i}\n" for i in range(31))  # 1 to 4 are no seconds of it, and 4 min lies inside


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(
        PROBLEM, outputs=(column("Lx", 0), column("Press", 1)),
        meaning=d.Predictions(matches=(d.Match(output="Press", column="Press"),), noise=d.GaussianKnown(sd=0.1)),
    )  # fmt: skip


def tried(qtbot: QtBot, page: DataPage, tmp_path: Path, engines: list[Any], table: str = TABLE, text: str = PRINTED) -> None:
    opened(page, tmp_path / "m.csv", table)
    click(qtbot, page.importer.use)
    trial_run(page, engines, text)


def predicted(page: DataPage) -> list[float]:
    report = page.trial.report
    assert report is not None
    found = compared(page.problem.declared, 0, report)
    assert found is not None
    return compare_match(*found[:3]).prediction.tolist()


def test_the_page_says_that_the_key_is_a_multiple_and_one_button_pairs_by_it(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    tried(qtbot, page, tmp_path, engines)
    assert "“Lx” is 4 times “Lattice const [Å]”." in page.message.suggestion()
    assert words(page.message._button) == "Pair them so"
    click(qtbot, page.message._button)
    (match,) = matches(controller)
    assert (match.keys, match.key_factor) == ((("Lx", "Lattice const [Å]"),), 0.25)
    assert not page.matching.mismatch.isVisible()
    assert np.allclose(predicted(page), [76, 65, 53, 46, 41])
    assert page.matching.model.index(0, 2).data() == "by Lattice const [Å] (Lx × 0.25)"


def test_the_same_button_stands_beside_the_rows_of_a_key_that_was_chosen(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    tried(qtbot, page, tmp_path, engines)
    keyed = msgspec.structs.replace(matches(controller)[0], key_output="Lx", key_column="Lattice const [Å]")
    meaning = msgspec.structs.replace(controller.problem.declared.meaning, matches=(keyed,))  # type: ignore[type-var]
    controller.problem.edit("x", meaning=meaning)
    page.tabs.setCurrentIndex(1)
    part = page.matching.mismatch
    assert "“Lx” is 4 times “Lattice const [Å]”." in part.message.suggestion()
    assert not part.nearest.isVisible()
    click(qtbot, part.scale)
    assert matches(controller)[0].key_factor == 0.25
    controller.problem.undo_stack.undo()
    assert matches(controller)[0].key_factor == 1.0


def test_the_factor_can_be_typed_and_goes_with_the_key_that_it_is_of(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    tried(qtbot, page, tmp_path, engines)
    page.tabs.setCurrentIndex(1)
    form = page.matching.form
    form.editor("key_output").chosen.emit("Lx")  # type: ignore[attr-defined]
    form.editor("key_column").chosen.emit("Lattice const [Å]")  # type: ignore[attr-defined]
    typed(form.editor("key_factor"), "0.25", qtbot)
    assert matches(controller)[0].key_factor == 0.25
    assert not page.matching.mismatch.isVisible()
    form.editor("key_output").chosen.emit("")  # type: ignore[attr-defined]
    assert matches(controller)[0].keys == ()
    assert matches(controller)[0].key_factor == 1.0


def in_seconds(controller: SessionController) -> None:
    """The program says in which unit it prints its key."""
    outputs = tuple(msgspec.structs.replace(o, unit="s") if o.name == "Lx" else o for o in controller.problem.declared.outputs)
    controller.problem.edit("x", outputs=outputs)


def test_units_tell_the_factor_where_numbers_alone_would_pair_with_the_wrong_rows(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    in_seconds(controller)
    tried(qtbot, page, tmp_path, engines, MINUTES, SECONDS)
    assert "“Lx” is 60 times “t [min]”, as s are against min." in page.message.suggestion()
    click(qtbot, page.message._button)
    assert matches(controller)[0].key_factor == pytest.approx(1 / 60)
    assert not matches(controller)[0].interpolate
    assert np.allclose(predicted(page), [94, 88, 82, 76])


def test_a_key_in_another_unit_that_pairs_all_the_same_is_doubted(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    in_seconds(controller)
    every = "".join(f"{i} {1000 - i}\n" for i in range(301))
    tried(qtbot, page, tmp_path, engines, MINUTES, every)
    keyed = msgspec.structs.replace(matches(controller)[0], key_output="Lx", key_column="t [min]")
    controller.problem.edit("x", meaning=msgspec.structs.replace(controller.problem.declared.meaning, matches=(keyed,)))  # type: ignore[type-var]
    page.tabs.setCurrentIndex(1)
    doubt = page.matching.units
    assert "“Lx” is in s, as it says, and “t [min]” in min, but rows are paired as if both had one unit." in doubt.words()
    click(qtbot, doubt._button)
    assert np.allclose(predicted(page), [940, 880, 820, 760])
    assert not doubt.isVisible()


def test_kelvins_pair_with_degrees_celsius(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    outputs = tuple(msgspec.structs.replace(o, unit="K") if o.name == "Lx" else o for o in controller.problem.declared.outputs)
    controller.problem.edit("x", outputs=outputs)
    tried(qtbot, page, tmp_path, engines, "temp [°C],Press\n25,1\n50,2\n75,3\n",
          "298.15 1\n323.15 2\n348.15 3\n373.15 4\n")  # fmt: skip
    assert "“Lx” is in K and “temp [°C]” in °C." in page.message.suggestion()
    click(qtbot, page.message._button)
    assert (matches(controller)[0].key_factor, matches(controller)[0].key_offset) == (1.0, -273.15)


SWEEP = np.arange(1.0, 12.0)


@pytest.mark.parametrize(
    ("keys", "places", "factor"),
    [
        ([3.3, 3.33, 3.36], [13.2, 13.32, 13.44, 14.1], 0.25),
        ([1.0, 2.0, 4.0], [-1.0, -2.0, -4.0], -1.0),  # a depth beside a height
        ([0.5, 1.0, 2.0], [500.0, 1000.0, 2000.0, 12.0], 1e-3),
        ([1.0, 2.0, 3.5], [1 * 1.609344, 2 * 1.609344, 3.5 * 1.609344], 1 / 1.609344),
    ],
)
def test_one_factor_brings_all_keys_together(keys: list[float], places: list[float], factor: float) -> None:
    assert common_factor(np.array(keys), np.array(places)) == pytest.approx(factor, rel=1e-9)


@pytest.mark.parametrize(
    ("keys", "places"),
    [
        ([1.0, 2.0, 3.0], SWEEP),  # as they are
        ([1.5, 3.0, 4.5], SWEEP),  # 1.5, but 0.75 and 0.5 too
        ([1.0, 2.0], [4.0, 8.0]),  # of two, any factor brings one
        ([1.0, 2.0, 4.0], [4.0, 8.0, 17.0]),
        ([1.0, np.nan, 4.0], [4.0, 8.0, 16.0]),
    ],
)
def test_no_factor_is_told_where_there_is_none_or_several(keys: list[float], places: Any) -> None:
    assert common_factor(np.array(keys), np.array(places, dtype=float)) is None


def test_many_keys_among_more_places_are_looked_through_at_once() -> None:
    places = np.arange(2000) * 0.125 + 7.0
    keys = places[np.array([0, 3, 10, 11, 400, 977, 1500, 1999])] * 0.5
    assert common_factor(keys, places) == 0.5
    assert common_factor(places * 0.5, places) == 0.5


TWO = "Lattice const [Å],Press,Vol\n3.30,75,9.0\n3.33,66,9.2\n3.36,54,9.5\n"
PRINTED_TWO = "13.2 76 8.98\n13.32 65 9.23\n13.44 53 9.48\n13.56 46 9.7\n"


def with_two(controller: SessionController, *keys: str | None) -> None:
    outputs = (column("Lx", 0), column("Press", 1), column("Vol", 2))
    pairs = tuple(d.Match(output=n, column=n, key_output=k, key_column=k and "Lattice const [Å]")
                  for n, k in zip(("Press", "Vol"), keys, strict=True))  # fmt: skip
    controller.problem.edit("x", outputs=outputs, meaning=d.Predictions(matches=pairs, noise=d.GaussianKnown(sd=0.1)))


def test_one_button_pairs_all_comparisons_that_the_same_key_pairs(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "m.csv", TWO)
    click(qtbot, page.importer.use)
    with_two(controller, None, None)
    trial_run(page, engines, PRINTED_TWO)
    click(qtbot, page.message._button)
    assert {(m.output, m.key_output, m.key_factor) for m in matches(controller)} == {("Press", "Lx", 0.25), ("Vol", "Lx", 0.25)}


def test_the_factor_goes_with_a_key_that_is_taken_for_all(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "m.csv", TWO)
    click(qtbot, page.importer.use)
    with_two(controller, "Lx", None)
    trial_run(page, engines, PRINTED_TWO)
    page.tabs.setCurrentIndex(1)
    page.matching.show_comparison(0)
    click(qtbot, page.matching.mismatch.all)
    assert {m.key_factor for m in matches(controller)} == {0.25}
    assert {m.key_output for m in matches(controller)} == {"Lx"}
