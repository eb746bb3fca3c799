"""From the window, by clicks: a place on a real Slurm is made, tried and used; the window is closed and opened again."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QListWidget, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.session.ledger import Ledger
from bayescope.engine.session.profiles import Profile, find_profile, load_profiles, save_profile
from bayescope.engine.session.store import SessionStore
from bayescope.gui.analysis.run_data import Evaluation, RunData
from bayescope.gui.dialogs.run_controls import ask_to_stop
from bayescope.gui.models.runs import RunTableModel
from bayescope.gui.pages.places import PlacesDialog
from bayescope.gui.pages.run.settings import RunSettingsDialog
from bayescope.gui.pages.run.strip import RunStrip
from bayescope.gui.pages.run.strip_words import activity_of, verdict_of
from bayescope.gui.pages.run.under_way import HELD, UnderWay, cells, counted
from cluster_fixtures import one_slurm, one_sshd, slurm, sshd
from clusters import Slurm, Sshd
from hands.dialogs import Hands

__all__ = ["one_slurm", "one_sshd", "slurm", "sshd"]
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
        hands.find("More lines for the scheduler", QPlainTextEdit).setPlainText("#SBATCH --comment=mine")
        hands.click("Test")
        hands.wait_for("This place works.", 30)
        assert hands.reads("Submit: Handed over as job")
        hands.fill("Partition", "nowhere", end="Tab")  # after the test: it is not known to work any more
        hands.click("Close")

    def settings_acts() -> None:
        hands.dialog("Places…", make_place)
        where = hands.find("Where runs happen", QComboBox)
        assert where.currentData() == ""
        assert hands.reads("“box” is kept, but was not tried with success")
        where.setCurrentIndex(where.findData("box"))
        assert hands.reads("As the place says: 2 jobs at once")
        hands.click("OK")

    def correct() -> None:
        assert hands.find("Name", QLineEdit).text() == "box"
        hands.fill("Partition", "main", end="Tab")
        hands.click("Close")

    hands.dialog("Settings…", settings_acts)
    assert find_profile("box").folder == str(tmp_path / "there")
    hands.click("Start")
    hands.wait_for("Correct the place…", 60)
    assert controller.run.words.startswith("Invalid partition name specified")
    assert controller.run.n_runs == 0
    hands.dialog("Correct the place…", correct)
    hands.click("Start")
    hands.tab("Runs")
    hands.wait(lambda: controller.run.n_runs >= RUNS // 3 and controller.run.data.placed, 60)
    assert not hands.sees("Correct the place…")
    assert hands.sees("box")
    hands.wait_for("Under way", 10)
    assert "%" in window.windowTitle()
    assert any(ran.again for ran in controller.run.data.ran.values()), "the second run of the first point is said"
    with hands._answering(lambda dialog: hands._act(dialog, lambda: hands.click("Close"))) as asked:
        window.close()
    assert asked
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=10_000)

    window, controller, _ = open_window()
    assert controller.file.open(path)
    assert controller.run.places.where == "box"
    with SessionStore.open(path, mode="read") as store:  # all jobs may have been over by then
        assert ("at “box”: waiting, running, or over" in controller.run.words) == bool(Ledger(store).open)
    hands = Hands(window)
    hands.click("Run")
    hands.click("Resume")
    hands.wait(lambda: controller.run.state in ("finished", "failed"), 180)
    assert controller.run.state == "finished", controller.run.words
    assert controller.run.n_runs == RUNS
    assert len(controller.run.data.ran) == RUNS
    assert {ran.node for ran in controller.run.data.ran.values()} <= {"n1", "n2"}
    hands.tab("Runs")
    assert hands.table("Job", 0)
    controller.file.close()
    with SessionStore.open(path, mode="read") as store:
        evaluations, attempts = store.evaluations(), Ledger(store).find()
    assert sorted(e.index for e in evaluations) == list(range(RUNS))
    works = [(a.index, a.work) for a in attempts if a.job]  # the others were refused
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


def test_time_and_memory_of_a_job_take_units_and_what_cannot_be_read_is_refused_and_stays(open_window: Callable) -> None:
    window, controller, _ = open_window()
    dialog = PlacesDialog(controller.run.places, window)
    dialog.name.setText("box")
    for text, mb in (("900 GB", 900_000.0), ("1.5TB", 1_500_000.0), ("4000", 4000.0), ("750 mb", 750.0), ("", None)):
        dialog.memory.setText(text)
        dialog.memory.editingFinished.emit()
        assert dialog.profile.memory_mb == mb, text
    times = (("2 h", 120.0, "2 h"), ("30 min", 30.0, "30 min"), ("90", 90.0, "90 min"), ("1 day", 1440.0, "1 d"))
    for text, minutes, shown in times:
        dialog.minutes.setText(text)
        dialog.minutes.editingFinished.emit()
        assert (dialog.profile.minutes, dialog.minutes.text()) == (minutes, shown)
    wrong = ((dialog.memory, "900 GB MB"), (dialog.memory, "much"), (dialog.minutes, "2 weeks"), (dialog.minutes, "-3 h"))
    for field, text in wrong:
        field.setText(text)
        field.editingFinished.emit()
        assert field.text() == text
        dialog.test.click()
        assert dialog.said.text().startswith(f"“{text}” is no "), dialog.said.text()
        field.clear()


def test_a_test_moves_nothing_in_the_form_and_its_words_go_with_the_next_edit(open_window: Callable, tmp_path: Path) -> None:
    window, controller, _ = open_window()
    save_profile(Profile(name="away", host="no.such.host.invalid", partition="main"))
    dialog = PlacesDialog(controller.run.places, window)
    dialog.resize(760, 420)
    dialog.show()
    bar = dialog._scroll.verticalScrollBar()
    bar.setValue(bar.maximum())
    dialog.test.click()
    assert bar.value() == bar.maximum() > 0
    Hands(window).wait(lambda: not controller.run.places.trying, 30)
    assert "This place cannot be used" in dialog.said.text()
    dialog.partition.setText("other")
    assert dialog.said.text() == ""
    dialog.close()
    assert find_profile("away").partition == "other"


@pytest.mark.loops
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
    hands = Hands(window)
    hands.click("Run")

    def acts() -> None:
        assert hands.find("Name", QLineEdit).text() == "gone"
        assert hands.reads("not known on this computer any more")
        hands.click("Close")

    hands.wait_for("Correct the place…")  # the page follows the run with its next redraw
    hands.dialog("Correct the place…", acts)
    assert load_profiles() == [], "nothing was filled in"
    hands.dialog("Correct the place…", lambda: (hands.fill("Folder there", "/tmp", end="Tab"), hands.click("Close")))
    assert find_profile("gone").folder == "/tmp"
    assert controller.run.corrected


def test_a_silent_place_can_be_corrected_during_the_run_and_when_that_counts_is_said(open_window: Callable) -> None:
    window, controller, _ = open_window()
    hands = Hands(window)
    controller.file.open_example("contamination")
    save_profile(Profile(name="away", host="no.such.host.invalid"))
    controller.run.places.choose("away")
    hands.click("Run")
    controller.run._link.state = "running"
    strip = window.findChild(RunStrip)
    strip.refresh()
    assert not hands.sees("Correct the place…")
    controller.run.data.silent = "“away” does not answer. " * 9
    strip.refresh()
    assert strip.activity.toolTip().startswith("“away” does not answer; tried at ")
    assert strip.activity.toolTip().count("does not answer") == 9
    assert strip.activity.shown, "in few words where there is no room"
    assert controller.run.data.silent in strip.reasons.reasons
    hands.dialog("Correct the place…", lambda: hands.click("Close"))
    assert window.reports_shown == []
    hands.dialog("Correct the place…", lambda: (hands.fill("Host", "other.invalid", end="Tab"), hands.click("Close")))
    assert "Resume" in window.reports_shown[0].suggestion
    window.close_reports()
    controller.run._link.state = "idle"


def test_a_test_run_at_a_place_that_cannot_be_used_has_a_button_that_opens_its_form(open_window: Callable) -> None:
    window, controller, _ = open_window()
    hands = Hands(window)
    controller.file.open_example("contamination")
    controller.run.places.choose("gone")
    hands.click("Simulator")
    hands.click("Test run")

    def acts() -> None:
        assert hands.find("Name", QLineEdit).text() == "gone"
        hands.click("Close")

    hands.wait_for("Correct the place…", 30)
    hands.dialog("Correct the place…", acts)


@pytest.mark.loops
def test_a_host_that_cannot_be_reached_at_the_start_has_a_button_that_opens_its_form(open_window: Callable) -> None:
    window, controller, _ = open_window()
    hands = Hands(window)
    controller.file.open_example("contamination")
    save_profile(Profile(name="away", host="no.such.host.invalid"))
    controller.run.places.choose("away")
    hands.click("Run")
    hands.click("Start")
    hands.wait_for("Correct the place…", 30)
    assert controller.run.words.startswith("There is no computer called")

    def acts() -> None:
        assert hands.find("Host", QLineEdit).text() == "no.such.host.invalid"
        hands.click("Close")

    hands.dialog("Correct the place…", acts)


@pytest.mark.long
def test_a_host_that_goes_away_during_a_run_is_tried_again_by_a_click_and_the_run_goes_on(
    open_window: Callable, tmp_path: Path, sshd: Sshd
) -> None:
    window, controller, _ = open_window()
    hands = Hands(window)
    controller.file.open_example("contamination")
    settings = msgspec.structs.replace(controller.problem.declared.settings, max_evaluations=12, seed=3)
    assert controller.problem.edit("Fewer runs", settings=settings)
    assert controller.file.save_as(tmp_path / "far.bayescope")
    save_profile(Profile(name="away", host="far", queue="", folder=str(tmp_path / "there"), at_once=2))
    controller.run.places.choose("away")
    hands.click("Run")
    hands.click("Start")
    hands.wait(lambda: controller.run.n_runs > 0, 60)
    sshd.down()
    try:
        hands.wait_for("Try again now", 30)
        assert "“far”" in controller.run.data.silent
        assert [r.action for r in window.reports_shown] == ["reach"]
        hands.wait(lambda: "No ssh server" in controller.run.data.silent, 60)
        assert "No ssh server" in window.reports_shown[0].what, "the newest reason is the one that is shown"
        window.close_reports()
        hands.wait_for("Try again now", 10)  # the strip's, which the page shows when it is drawn the next time
        hands.click("Try again now")
        assert controller.run.data.silent, "nobody is there yet"
    finally:
        sshd.up()
    controller.run.reach_place()  # as the button does, which goes when the place has been reached meanwhile
    hands.wait(lambda: not hands.sees("Try again now"), 10)
    hands.wait(lambda: not controller.run.active, 120)
    assert controller.run.n_runs == 12


def test_what_is_said_of_a_silent_place_can_be_tried_again_there_and_goes_when_it_answers(open_window: Callable) -> None:
    window = open_window()[0]
    silent = protocol.Report(level="warning", what="“far” does not answer.", where="away", action="reach")
    window.show_report(silent)
    window.show_report(msgspec.structs.replace(silent, level="info", what="No ssh server answers at “far”."))
    assert [r.what for r in window.reports_shown] == ["No ssh server answers at “far”."]
    asked: list[bool] = []
    window._dialogs[0].reach_asked.connect(lambda: asked.append(True))
    Hands(window).click("Try again now")
    assert asked
    window.show_report(protocol.Report(level="info", what="“far” answers again.", where="away", action="reached"))
    assert window.reports_shown == []


def test_runs_that_wait_for_the_second_run_of_the_first_are_counted_and_said(open_window: Callable) -> None:
    window, controller, _ = open_window()
    controller.file.open_example("contamination")
    strip = window.findChild(RunStrip)
    data, link = controller.run.data, controller.run._link
    data.progress = protocol.Progress(
        evaluations=0, failed=0, budget=40, running=13, elapsed_s=61.0, remaining_s=(140.0, 900.0), activity="Running", held=3,
        workers=16,
    )  # fmt: skip
    link.state = "running"
    link._on_message(msgspec.structs.replace(data.progress, held=4))
    link._on_message(msgspec.structs.replace(data.progress, held=3))
    link._announce_new()
    Hands(window).wait(lambda: window.windowTitle().startswith("8 %"), 10)
    strip.refresh()
    assert strip.runs.value.text().startswith("3 ")
    assert "3 of them count when the first run, made a second time, gives the same" in strip.runs.value.toolTip()
    assert strip.remaining.value.text() == "up to 15 min"
    link.state = "failed"
    strip.refresh()
    assert strip.runs.value.text().startswith("0 "), "a random program: none of them counts"


def test_runs_under_way_are_counted_by_stage_and_timed_by_the_clock_there() -> None:
    queued = protocol.RunPlaced(index=4, stage="queued", job="12", words="Resources", queued_at=100.0)
    running = protocol.RunPlaced(index=5, stage="running", job="13", node="n1", queued_at=100.0, started_at=110.0)
    assert counted([queued, running, queued]) == "1 running, 2 queued"
    assert cells(queued, 160.0) == ("4", "queued", "12", "", "1 min 00 s", "", "waits for free processors or memory (Resources)")
    assert cells(running, 160.0)[1:6] == ("running", "13", "n1", "10 s", "50 s")
    held = msgspec.structs.replace(running, stage="ended")
    assert counted([held, held, queued]) == "1 queued, 2 done"
    assert cells(held, 160.0)[1:] == ("done", "13", "n1", "10 s", "", HELD)
    assert cells(running, 50.0)[5] == "0.0 s", "the clock there is ahead"
    twice = cells(msgspec.structs.replace(running, again=True), 160.0)
    assert twice[0] == "5 again"
    assert "is it random? (not counted)" in twice[-1]


def test_a_new_place_has_an_empty_form_from_its_top_and_one_is_removed_only_when_that_is_meant(
    open_window: Callable, tmp_path: Path
) -> None:
    window, controller, _ = open_window()
    hands = Hands(window)
    controller.file.open_example("contamination")
    save_profile(Profile(name="near", folder=str(tmp_path), lines=("--qos=long",)))
    hands.click("Run")

    def acts() -> None:
        dialog, known = hands.top(), hands.find("Places", QListWidget)
        assert hands.find("More lines for the scheduler", QPlainTextEdit).toPlainText() == "--qos=long"
        hands.click_and_answer("Remove", "Keep it")
        assert find_profile("near")
        dialog._scroll.verticalScrollBar().setValue(10_000)
        hands.click("New place")
        assert dialog._scroll.verticalScrollBar().value() == 0
        assert (known.count(), known.currentRow(), known.selectedItems()) == (1, -1, [])
        assert hands.find("Name", QLineEdit).text() == ""
        assert hands.find("More lines for the scheduler", QPlainTextEdit).toPlainText() == ""
        hands.fill("Name", "other", end="Tab")
        hands.find("More lines for the scheduler", QPlainTextEdit).setPlainText("--job-name=x")
        hands.click("Test")
        assert hands.reads("to find, follow and cancel its jobs")
        hands.find("More lines for the scheduler", QPlainTextEdit).setPlainText("\n--gres=gpu:1\n\n--qos=long")
        known.setCurrentRow(0)
        assert find_profile("other").lines == ("--gres=gpu:1", "--qos=long")
        known.setCurrentRow(0)
        hands.click_and_answer("Remove", "Forget it")
        assert [p.name for p in load_profiles()] == ["other"]
        hands.click("Close")

    def settings_acts() -> None:
        hands.dialog("Places…", acts)
        assert hands.find("Where runs happen", QComboBox).currentData() == ""
        assert hands.reads("No more than your computer has processors for")
        hands.click("Cancel")

    hands.dialog("Settings…", settings_acts)


def test_jobs_are_cancelled_only_by_a_click_that_says_so(open_window: Callable) -> None:
    window, controller, _ = open_window()
    controller.file.open_example("contamination")
    save_profile(Profile(name="near"))
    controller.run.places.choose("near")
    controller.run.data.under_way[3] = {}
    controller.run.data.silent = "Nobody answers."
    hands = Hands(window)
    told: list[tuple[str, bool]] = []
    words: list[str] = []

    def look(dialog: QWidget) -> bool:
        words.extend(label.text() for label in dialog.findChildren(QLabel))
        told.extend((b.text().replace("&", ""), b.isDefault()) for b in dialog.findChildren(QPushButton))
        QTest.keyClick(dialog, Qt.Key.Key_Return)
        return True

    with hands._answering(look):
        ask_to_stop(window, controller.run)
    assert ("Keep running", True) in told
    assert ("Cancel them and stop", False) in told
    assert any("they go on there until it answers" in text for text in words)


def test_the_table_of_runs_under_way_stays_between_batches_and_finished_runs_keep_their_job_and_node() -> None:
    data = RunData(["a"])
    placed = protocol.RunPlaced(index=0, stage="fetching", job="12", node="n1", queued_at=100.0, started_at=120.0)
    data.earlier = {0: "job 9 was cancelled by Stop"}
    data.place(placed)
    data.place(msgspec.structs.replace(placed, again=True, job="13"))
    model = RunTableModel()
    model.refresh(data)
    before = model.columnCount()
    data.add_evaluation(Evaluation(0, {"a": 1.0}, "ok", -1.0, -1.0, 0.0, 1.0, 100.0))
    assert (data.elsewhere, data.placed) == (True, {})
    assert data.ran[0].words == (
        "Job 12 on n1 after 20 s in the queue; job 13 ran it a second time, not counted, to see whether the program is random; "
        "job 9 was cancelled by Stop."
    )
    model.refresh(data)
    assert model.columnCount() == before + 2
    assert [model.text(0, before), model.text(0, before + 1)] == ["12", "n1"]
    for column in range(model.columnCount()):
        model.sort(column)
    data.place(protocol.RunPlaced(index=0, stage="running", again=True, job="14"))
    assert (0, True) in data.placed
    data.place(protocol.RunPlaced(index=0, stage="ended", again=True, job="14"))
    assert data.placed == {}, "the run itself was collected by an earlier start: nothing waits for it any more"
    assert data.ran[0].again == "14"
    data.nothing_under_way()
    assert not data.elsewhere


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


def test_while_a_place_is_silent_what_is_shown_is_said_to_be_the_last_that_was_known(open_window: Callable, qtbot: QtBot) -> None:
    window, controller, _ = open_window()
    controller.file.open_example("contamination")
    strip, link, data = window.findChild(RunStrip), controller.run._link, controller.run.data
    link.state = "running"
    table = UnderWay()
    qtbot.addWidget(table)
    data.place(protocol.RunPlaced(index=5, stage="running", job="13", started_at=time.time() - 60.0))
    data.hear(protocol.Report(level="warning", what="“far” does not answer.", action="reach"))
    data.silent_since -= 50.0
    data.hear(protocol.Report(level="info", what="No ssh server answers at “far”.", action="reach"))
    table.refresh(data)
    strip.refresh()
    at = time.strftime("%H:%M", time.localtime(data.silent_since))
    assert table.head.text() == f"Under way, last known at {at}: 1 running"
    assert table.table.item(0, 5).text().startswith("10"), "how long it has run since, nobody knows"
    assert strip.chip.text() == "Waiting"
    assert strip.activity.text().startswith("No ssh server answers at “far”; tried at ")
    strip.reach.click()
    strip.refresh()
    assert strip.activity.text() == "No ssh server answers at “far”; trying again now."
    data.hear(protocol.Report(level="info", what="No ssh server answers at “far”. Does one run there?", action="reach"))
    strip.refresh()
    assert "; tried at " in strip.activity.text()
    assert strip.activity.text().endswith(". Does one run there?")
    assert verdict_of(controller.run)[2] == (data.silent,), "all of it where there is room"
    data.hear(protocol.Report(level="info", what="“far” answers again.", action="reached"))
    table.refresh(data)
    strip.refresh()
    assert table.head.text() == "Under way: 1 running"
    assert strip.chip.text() == "Running"
    link.state = "stopped"


def test_another_place_that_is_chosen_after_one_failed_is_named_and_one_that_did_not_work_is_marked(
    open_window: Callable, tmp_path: Path
) -> None:
    window, controller, _ = open_window()
    controller.file.open_example("contamination")
    for name in ("away", "near", "never"):
        save_profile(Profile(name=name, folder=str(tmp_path)))
    run, strip = controller.run, window.findChild(RunStrip)
    run.places.choose("away")
    run._ran_at = "away"
    words = "The folder “/sealed/runs” on “far” cannot be used: mkdir: cannot create directory: Permission denied and so forth."
    ended = protocol.RunEnded(outcome="failed", words=words, correct="place")
    run._link._on_message(protocol.StateChanged(state="failed", words=words))
    run._link._on_message(ended)
    strip.refresh()
    for width in (900, 300):
        strip.activity.resize(width, 30)
        assert strip.activity.shown.startswith("The folder “/sealed/runs”"), "cut, but not left out"
    run.places.choose("away")
    assert run.corrects == "place", "nothing was chosen anew"
    run.places.note("never", False)
    for where, words in (
        ("near", "Runs happen at “near” from now on; Start tries it"),
        ("", "Runs happen on this computer from now on; Start tries it"),
        ("never", "Runs are to happen at “never”, which did not work when it was tried last; Start tries it again"),
    ):  # fmt: skip
        run.places.choose(where)
        assert activity_of(run, controller.problem, None) == words
    dialog = RunSettingsDialog(controller.problem, run, window)
    shown = [dialog.place.itemText(i).partition(" – ")[0] for i in range(dialog.place.count())]
    assert shown[1:] == ["away ✕ (did not work)", "near", "never ✕ (did not work)"]
    assert run.places.save(Profile(name="never", folder=str(tmp_path / "other")), "never") == ""
    assert not run.places.here_is_bad, "it was changed since"
    dialog.deleteLater()
