"""From the window, by clicks: a place on a real Slurm is made, tried and used; the window is closed and opened again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from PySide6.QtWidgets import QComboBox, QListWidget, QPlainTextEdit
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.session.ledger import Ledger
from bayescope.engine.session.profiles import Profile, find_profile, save_profile
from bayescope.engine.session.store import SessionStore
from bayescope.gui.pages.run_under_way import cells, counted
from cluster_fixtures import one_slurm, slurm
from clusters import Slurm
from hands.dialogs import Hands

__all__ = ["one_slurm", "slurm"]
pytestmark = [pytest.mark.window, pytest.mark.timeout(240)]
RUNS = 40


@pytest.mark.long
def test_a_place_is_made_tried_and_used_and_the_window_closed_in_the_middle_collects_later(
    open_window: Callable, qtbot: QtBot, tmp_path: Path, slurm: Slurm
) -> None:
    window, controller, _ = open_window()
    assert controller.file.open_example("contamination")
    before = controller.problem.declared.settings
    settings = msgspec.structs.replace(before, max_evaluations=RUNS, seed=3, options={"stop": False})
    assert controller.problem.edit("Fewer runs", settings=settings)
    path = tmp_path / "plume.bayescope"
    assert controller.file.save_as(path)
    hands = Hands(window)
    hands.click("Run")

    def make_place() -> None:
        hands.fill("Name", "box", end="Tab")
        hands.choose("Kind", "Slurm on this machine")
        hands.fill("Folder there", str(tmp_path / "there"), end="Tab")
        hands.fill("Jobs at once", "2", end="Tab")
        hands.click("Test")
        hands.wait_for("This place works.", 30)
        assert hands.reads("Submit: Handed over as job")
        hands.click("Close")

    def settings_acts() -> None:
        hands.dialog("Places…", make_place)
        assert hands.find("Where runs happen", QComboBox).currentData() == "box"
        hands.click("OK")

    hands.dialog("Settings…", settings_acts)
    assert find_profile("box").folder == str(tmp_path / "there")
    hands.click("Start")
    hands.tab("Runs")
    hands.wait(lambda: controller.run.n_runs >= RUNS // 3 and controller.run.data.placed, 60)
    assert hands.sees("box")
    hands.wait_for("Under way", 10)
    with hands._answering(lambda dialog: hands._act(dialog, lambda: hands.click("Close"))) as asked:
        window.close()
    assert asked
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=10_000)

    window, controller, _ = open_window()
    assert controller.file.open(path)
    assert controller.run.places.where == "box"
    hands = Hands(window)
    hands.click("Run")
    hands.click("Resume")
    hands.wait(lambda: controller.run.state in ("finished", "failed"), 180)
    assert controller.run.state == "finished", controller.run.words
    assert controller.run.n_runs == RUNS
    controller.file.close()
    with SessionStore.open(path, mode="read") as store:
        evaluations, attempts = store.evaluations(), Ledger(store).find()
    assert sorted(e.index for e in evaluations) == list(range(RUNS))
    works = [(a.index, a.work) for a in attempts]
    assert len(works) == len(set(works)), "no run was handed over twice"
    assert slurm.are_over()


def test_what_is_wrong_with_a_place_is_said_and_nothing_is_lost(open_window: Callable, tmp_path: Path) -> None:
    window, controller, _ = open_window()
    hands = Hands(window)
    controller.file.open_example("contamination")
    hands.click("Run")

    def acts() -> None:
        hands.fill("Name", "far", end="Tab")
        hands.choose("Kind", "Slurm over SSH")
        hands.fill("Host", "me:secret@host", end="Tab")
        hands.click("Test")
        assert hands.reads("No password")
        hands.fill("Host", "me@host", end="Tab")
        hands.find("Set-up lines", QPlainTextEdit).setPlainText("#SBATCH --qos=long\nmodule load gcc\n\nmodule load R")
        hands.click("Test")
        assert hands.reads("is for the queue and not a command")
        hands.find("Set-up lines", QPlainTextEdit).setPlainText("module load gcc\n\nmodule load R")
        hands.click("New place")
        hands.fill("Name", "far", end="Tab")
        hands.click("Test")
        assert hands.reads("a place called “far” already")
        hands.fill("Name", "Here", end="Tab")
        hands.click("Test")
        assert hands.reads("what this computer is called")
        hands.fill("Name", "near", end="Tab")
        hands.click("Close")

    def settings_acts() -> None:
        hands.dialog("Places…", acts)
        hands.click("Cancel")

    hands.dialog("Settings…", settings_acts)
    assert find_profile("near").setup == ()
    kept = find_profile("far")
    assert (kept.host, kept.setup) == ("me@host", ("module load gcc", "module load R"))
    assert controller.run.places.where == ""


def test_a_place_that_is_gone_is_said_at_the_start_and_the_run_can_go_on_here(
    open_window: Callable, qtbot: QtBot
) -> None:
    window, controller, _ = open_window()
    controller.file.open_example("contamination")
    save_profile(Profile(name="gone", host="no.such.host.invalid"))
    controller.run.places.choose("gone")
    assert controller.run.places.remove("gone") == ""
    assert controller.run.places.where == ""
    controller.run.places.choose("gone")
    assert controller.run.start()
    qtbot.waitUntil(lambda: controller.run.state == "failed", timeout=30_000)
    assert "no place called “gone”" in controller.run.words
    assert window.isVisible()


def test_runs_under_way_are_counted_by_stage_and_timed_by_the_clock_there() -> None:
    queued = protocol.RunPlaced(index=4, stage="queued", job="12", words="Resources", queued_at=100.0)
    running = protocol.RunPlaced(index=5, stage="running", job="13", node="n1", queued_at=100.0, started_at=110.0)
    assert counted([queued, running, queued]) == "1 running, 2 queued"
    assert cells(queued, 160.0) == ("4", "queued", "12", "", "1 min 00 s", "", "Resources")
    assert cells(running, 160.0)[1:6] == ("running", "13", "n1", "10 s", "50 s")
    assert cells(running, 50.0)[5] == "0.0 s", "the clock there is ahead"


def test_the_words_of_a_test_name_its_place_when_another_one_is_looked_at(open_window: Callable, tmp_path: Path) -> None:
    window, controller, _ = open_window()
    hands = Hands(window)
    controller.file.open_example("contamination")
    save_profile(Profile(name="away", host="no.such.host.invalid"))
    save_profile(Profile(name="near", folder=str(tmp_path)))
    hands.click("Run")

    def acts() -> None:
        hands.click("Test")
        hands.find("Places", QListWidget).setCurrentRow(1)
        hands.wait_for("This place cannot be used", 30)
        assert hands.reads("Test of “away”:")
        hands.click("Close")

    def settings_acts() -> None:
        hands.dialog("Places…", acts)
        hands.click("Cancel")

    hands.dialog("Settings…", settings_acts)
