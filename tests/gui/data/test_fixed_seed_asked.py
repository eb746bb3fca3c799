"""Predictions of a program whose input fixes its random seed: the Data page asks, before anything is run."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from data_pages import PROBLEM, click, imported, words
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.checks.validate import check
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage

TABLE = "u,v\n1,2\n2,3\n"
MATCHES = (d.Match(output="u", column="u"), d.Match(output="v", column="v"))


@pytest.fixture
def problem(request: pytest.FixtureRequest) -> d.Problem:
    deck = d.TemplateFile(target="ward.cfg", text="stay = @E@\nseed = 4711  ! 0 = from the clock\n")
    return msgspec.structs.replace(
        PROBLEM, simulator=d.Simulator(command=("sh", "ward.cfg"), templates=(deck,)),
        meaning=d.Predictions(matches=MATCHES, noise=d.GaussianKnown(sd=0.1), random=bool(getattr(request, "param", False))),
    )  # fmt: skip


def test_one_click_gives_each_run_a_new_seed_and_the_outputs_an_error_of_their_own(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path, TABLE)
    said = page.message.words()
    assert said.startswith("The program is given the same random seed in every run (ward.cfg, line 2: “seed = 4711 ! 0")
    assert page.status() == ("todo", "Is the program random?")
    assert words(page.message._button) == "New seed in each run"
    click(qtbot, page.message._button)
    declared = controller.problem.declared
    assert "seed = @seed@ " in declared.simulator.templates[0].text
    assert isinstance(declared.meaning, d.Predictions)
    assert declared.meaning.random
    assert not [f for f in check(declared) if f.level == "error"]
    assert "random seed" not in page.message.words()


def test_it_is_kept_with_one_click_and_not_asked_again(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path, TABLE)
    click(qtbot, page.message._dismiss)
    assert page.status()[0] == "done", page.status()
    assert "seed = 4711" in controller.problem.declared.simulator.templates[0].text


@pytest.mark.parametrize("problem", [True], indirect=True)
def test_where_outputs_scatter_by_what_was_said_only_the_seed_is_made_new(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path, TABLE)
    assert "which shows only where the seed differs" in page.message.suggestion()
    click(qtbot, page.message._button)
    assert "seed = @seed@ " in controller.problem.declared.simulator.templates[0].text
