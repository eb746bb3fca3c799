"""A column that was said to be the key when its file was imported pairs rows first later, and is said again by itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, click, column, matches, opened, trial_run, words
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.session.read_files import ReadFile
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.keys.known_keys import KnownKeys, completed
from bayescope.gui.pages.data.page import DataPage

PLACES = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
TABLE = "time (s);load;T\n0.5;0.4;9.6\n1.5;1.3;8.7\n2.5;2.7;7.3\n3.5;4.6;5.4\n"


def printed(places: Sequence[float] = PLACES) -> str:
    return "".join(f"{x:.3f} {10 - x:.3f}\n" for x in places)


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(PROBLEM, outputs=(column("first", 0), column("T", 1)))


def imported(page: DataPage, folder: Path, key: str = "") -> None:
    opened(page, folder / "m.csv", TABLE)
    if key:
        page.importer.used.say(key, "key")
    page.importer.use.click()
    meaning = d.Predictions(matches=(d.Match(output="T", column="T"),), noise=d.GaussianKnown(sd=0.1))
    page.problem.edit("x", meaning=meaning)


@pytest.mark.parametrize(("key", "by"), [("load", "load"), ("", "time")])
def test_rows_that_do_not_fit_are_paired_by_the_column_that_was_said_to_be_the_key_rather_than_by_one_that_says_when(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], key: str, by: str
) -> None:
    imported(page, tmp_path, key)
    trial_run(page, engines, printed())
    assert words(page.message._button) == f"Interpolate over {by}"
    assert words(page.matching.mismatch.other) == f"Interpolate over {by}"
    click(qtbot, page.message._button)
    assert (matches(controller)[0].key_output, matches(controller)[0].interpolate) == ("first", True)


def test_the_output_chosen_as_a_key_brings_the_column_that_was_said_to_be_one(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path, "load")
    match = matches(controller)[0]
    page.matching._form_changed(msgspec.structs.replace(match, key_output="first", key_offset=-2.0))
    assert (matches(controller)[0].key_column, matches(controller)[0].key_offset) == ("load", -2.0)
    labels = msgspec.structs.replace(page.problem.declared, outputs=(column("first", 0, text=True), column("T", 1)))
    chosen = completed(labels, match, msgspec.structs.replace(match, key_output="first"), KnownKeys(marked=("load",)))
    assert chosen.key_column is None, "labels are no numbers"


def test_the_same_file_opened_again_has_the_key_that_was_said_and_so_has_a_saved_analysis(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path, "load")
    assert page.trial.answers.keys == ("load",)
    opened(page, tmp_path / "m.csv", TABLE)
    assert page.importer.keys == ("load",)
    assert "column 2 a key" in page.importer.words.text()
    stored = msgspec.json.decode(msgspec.json.encode(page.trial.answers.settled.files[0]), type=ReadFile)
    assert stored.keys == ("load",)
