"""A compared column that is the sum of other compared ones is asked about: the same measurements would count twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, click, column, matches, opened, trial_run
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.summed_columns import parts_of
from bayescope.gui.pages.data.page import DataPage

TABLE = "young;old;all ages\n21;4;25\n57;10;67\n72;20;92\n40;;\n"


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(PROBLEM, outputs=tuple(column(name, k) for k, name in enumerate(("young", "old", "all"))))


@pytest.fixture
def size() -> tuple[int, int]:
    return 1280, 720


@pytest.mark.parametrize("leaves", [True, False])
def test_what_is_measured_once_does_not_count_twice(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], leaves: bool
) -> None:
    opened(page, tmp_path / "m.csv", TABLE)
    page.importer.accept()
    trial_run(page, engines, "20 5 25\n50 11 61\n70 21 91\n41 3 44\n")
    both = tuple(d.Match(output=o, column=c) for o, c in (("young", "young"), ("old", "old"), ("all", "all ages")))
    controller.problem.edit("x", meaning=d.Predictions(matches=both, noise=d.GaussianKnown(sd=1.0)))
    assert page.message.words().startswith("“all ages” is the sum of 2 other columns that are compared too.")
    assert page.status() == ("todo", "A column is the sum of others")
    click(qtbot, page.message._button if leaves else page.message._dismiss)
    assert [m.output for m in matches(controller)] == (["young", "old"] if leaves else ["young", "old", "all"])
    assert "sum of" not in page.message.words()


def test_only_sums_in_every_row_are_told() -> None:
    columns = {"t": (1.0, 2.0, 3.0, 4.0), "a": (1.0, 2.0, None, 4.0), "b": (3.0, 5.0, 1.0, 1.0), "s": (4.0, 7.0, None, 5.0)}
    assert parts_of("s", columns) == ("a", "b")
    assert parts_of("b", columns) == ()
    assert parts_of("s", {**columns, "s": (4.0, 7.0, 3.0, 5.2)}) == ()
    assert parts_of("s", {"a": (1.0, 2.0), "b": (1.0, 1.0), "s": (2.0, 3.0)}) == ()  # two rows may be so by chance
    assert parts_of("s", {"a": (0.0,) * 4, "b": (0.0,) * 4, "s": (0.0,) * 4}) == ()
