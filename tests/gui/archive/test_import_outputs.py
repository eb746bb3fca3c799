"""Earlier runs with what the program printed: roles of columns in the dialog, written beside the window's thread, then learnt."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from archived_runs import CURVE_COLUMNS, curve_problem, curve_runs, two_parameters
from PySide6.QtCore import QCoreApplication, QEvent, Qt

from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.archive.importing import ArchiveDialog

pytestmark = pytest.mark.window


def written(path, rows, columns=CURVE_COLUMNS):
    np.savetxt(path, rows, delimiter=",", header=",".join(columns), comments="")
    return path


@pytest.fixture
def opened(tmp_path):
    controller = SessionController()
    controller.said = []
    controller.reports.reported.connect(controller.said.append)
    assert controller.file.adopt(curve_problem())
    assert controller.file.save_as(tmp_path / "curve.bayescope")
    yield controller
    controller.shut_down()
    controller.deleteLater()


@pytest.fixture
def made(opened, tmp_path):
    """Makes dialogs, which let go of their pictures in the end."""
    found = []

    def make(problem=None):
        whose = {} if problem is not None else {"run": opened.run, "importing": opened.importing}
        found.append(ArchiveDialog(problem or opened.problem.declared, tmp_path, None, **whose))
        found[-1].show()
        return found[-1]

    yield make
    while found:
        dialog = found.pop()
        dialog.reject()
        dialog.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        vars(dialog).clear()


@pytest.fixture
def dialog(made):
    return made()


def load(qtbot, dialog, path):
    dialog.load(path)
    qtbot.waitUntil(lambda: dialog.imported is not None or dialog.message.level is not None, timeout=20_000)


def test_telling_names_need_no_choices_and_the_runs_are_in_the_analysis_after_one_click(
    qtbot, opened, dialog, tmp_path
):
    load(qtbot, dialog, written(tmp_path / "old.csv", curve_runs(40)))
    assert dialog.kind.key() == "outputs"
    assert dialog.outputs["y"].currentText() == "y (12 columns)"
    assert not dialog.value.isVisible()
    assert dialog.watch.isVisible()
    assert "40 of 40 rows of old.csv can be used" in dialog.summary.text()
    with qtbot.waitSignal(opened.importing.ended, timeout=20_000) as ended:
        qtbot.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
    assert ended.args == [True]
    assert dialog.result() == ArchiveDialog.DialogCode.Accepted
    assert opened.run.n_runs == 40
    assert opened.run.budget == 80
    assert opened.run.words.startswith("Earlier runs are imported")
    assert opened.file.only_imported


def test_columns_are_chosen_where_names_do_not_tell_and_are_remembered(qtbot, opened, dialog, made, tmp_path):
    columns = ("first", "second", *(f"signal {i}" for i in range(1, 13)))
    path = written(tmp_path / "old.csv", curve_runs(20), columns)
    load(qtbot, dialog, path)
    dialog.kind.choose("outputs")
    assert dialog.message.words().startswith("Choose the column of a, k, y")
    for choice, column in (
        (dialog.columns["a"], "first"),
        (dialog.columns["k"], "second"),
        (dialog.outputs["y"], "signal"),
    ):
        choice.choose(column)
    qtbot.waitUntil(dialog.use.isEnabled, timeout=20_000)
    with qtbot.waitSignal(opened.importing.ended, timeout=20_000):
        qtbot.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
    again = made()
    load(qtbot, again, path)
    assert again.kind.key() == "outputs"
    assert again.use.isEnabled()


def test_a_wrong_length_is_said_and_nothing_can_be_imported(qtbot, dialog, tmp_path):
    load(qtbot, dialog, written(tmp_path / "old.csv", curve_runs(20)[:, :11], CURVE_COLUMNS[:11]))
    qtbot.waitUntil(lambda: dialog.message.level == "error", timeout=20_000)
    assert "has 9 values" in dialog.message.words()
    assert not dialog.use.isEnabled()


def test_an_import_that_is_cancelled_writes_nothing_and_another_one_can_follow(qtbot, opened, dialog, tmp_path):
    load(qtbot, dialog, written(tmp_path / "old.csv", curve_runs(40)))
    before = opened.problem.declared
    store = opened.file._opened.now._store
    with store._guard:  # as if the disk were slow: nobody writes while this is held
        qtbot.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
        assert opened.importing.busy
        qtbot.mouseClick(dialog.cancel, Qt.MouseButton.LeftButton)
        assert dialog.isVisible()
    qtbot.waitUntil(lambda: not opened.importing.busy, timeout=20_000)
    assert opened.run.n_runs == 0
    assert store.evaluation_count == 0
    assert opened.problem.declared == before
    assert dialog.message.words() == "Nothing was imported."
    with qtbot.waitSignal(opened.importing.ended, timeout=20_000) as ended:
        qtbot.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
    assert ended.args == [True]


def test_a_problem_without_predictions_is_asked_for_a_log_density_only(qtbot, made, tmp_path):
    dialog = made(two_parameters())
    load(qtbot, dialog, written(tmp_path / "old.csv", curve_runs(5)))
    assert not dialog.kind.isVisible()
    assert not dialog.outputs


def appended(path, n, seed):
    with path.open("a") as file:
        np.savetxt(file, curve_runs(n, seed), delimiter=",")


def watched(qtbot, opened, dialog, path):
    """Imported and watched, as by the dialog's button."""
    load(qtbot, dialog, path)
    dialog.watch.setChecked(True)
    with qtbot.waitSignal(opened.importing.ended, timeout=20_000):
        qtbot.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
    opened.watching.begin(dialog.watched)


def said(qtbot, opened, words):
    def seen():
        opened.watching.look()
        return words in opened.watching.words

    qtbot.waitUntil(seen, timeout=20_000)


def test_rows_of_outputs_appended_to_a_watched_table_wait_for_the_run_and_more_can_be_added_by_hand(
    qtbot, opened, dialog, tmp_path
):
    path = written(tmp_path / "old.csv", curve_runs(20))
    watched(qtbot, opened, dialog, path)
    appended(path, 3, 5)
    said(qtbot, opened, "3 new rows from old.csv at ")
    stored = opened.file._opened.now
    assert len(stored._store.arrived_runs()) == 3
    assert not stored.all_taken_in
    assert stored.watched.outputs["y"] == CURVE_COLUMNS[2:]
    by_hand = ArchiveDialog(opened.problem.declared, tmp_path, None, opened.run, opened.arrivals.known, hold="outputs")
    qtbot.addWidget(by_hand)
    load(qtbot, by_hand, written(tmp_path / "more.csv", np.concatenate([curve_runs(20), curve_runs(4, 6)])))
    assert "4 of 24 rows of more.csv are new; 20 are there already." in by_hand.summary.text()
    assert by_hand.kind.isHidden()
    assert opened.arrivals.add(by_hand.addition)
    qtbot.waitUntil(lambda: len(stored._store.arrived_runs()) == 7, timeout=20_000)


@pytest.mark.journeys
def test_what_arrives_in_a_watched_table_of_outputs_is_in_the_answer_without_a_run(qtbot, opened, dialog, tmp_path):
    path = written(tmp_path / "old.csv", curve_runs(60))
    watched(qtbot, opened, dialog, path)
    assert opened.run.start()
    qtbot.waitUntil(lambda: opened.run.data.outcome is not None and not opened.run.active, timeout=100_000)
    before, made, budget = opened.run.data.answer.iteration, opened.run.n_runs, opened.run.budget
    opened.run.data.outcome = None
    appended(path, 10, 5)
    opened.watching.look()
    qtbot.waitUntil(lambda: opened.run.data.outcome is not None and not opened.run.active, timeout=100_000)
    assert opened.run.words == "10 runs made elsewhere taken in; no simulator run was made."
    assert opened.run.data.answer.iteration == before + 1
    assert opened.run.n_runs == made + 10
    assert opened.run.budget == budget + 10


@pytest.mark.journeys
def test_imported_runs_are_learnt_as_outputs_and_answer_other_noise_without_a_run(qtbot, opened, dialog, tmp_path):
    load(qtbot, dialog, written(tmp_path / "old.csv", curve_runs(60)))
    with qtbot.waitSignal(opened.importing.ended, timeout=20_000):
        qtbot.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
    assert opened.run.start()
    qtbot.waitUntil(lambda: opened.run.data.outcome is not None and not opened.run.active, timeout=100_000)
    assert opened.run.data.outcome.outcome == "converged", opened.run.data.outcome.words
    assert 60 <= opened.run.n_runs < 100, "no more than confirm it"
    assert opened.file.duplicate(from_runs=True)
    meaning = opened.problem.declared.meaning
    wider = msgspec.structs.replace(meaning, noise=msgspec.structs.replace(meaning.noise, sd=0.06))
    assert opened.problem.edit("Noise", meaning=wider)
    assert opened.run.start()
    qtbot.waitUntil(lambda: opened.run.data.outcome is not None and not opened.run.active, timeout=100_000)
    assert "no run was made" in opened.run.data.outcome.words
