"""The import dialog: reads, suggests columns, says what is wrong, and hands the evaluations to the session."""

from __future__ import annotations

import sys

import msgspec
import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt

from bayescope.engine.problem.definition import (
    LabelledNumber,
    LogLikelihoodOutput,
    Output,
    Parameter,
    Problem,
    Simulator,
    Uniform,
)
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.archive.importing import ArchiveDialog

pytestmark = pytest.mark.window


@pytest.fixture
def problem():
    return Problem(
        name="two",
        parameters=(Parameter("rho", Uniform(low=0.0, high=1.0)), Parameter("kappa", Uniform(low=0.0, high=100.0))),
        simulator=Simulator(command=("true",)),
        outputs=(Output("ll", "stdout", LabelledNumber(label="loglik")),),
        meaning=LogLikelihoodOutput(output="ll"),
    )


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    x = np.column_stack([rng.uniform(0, 1, 200), rng.uniform(0, 100, 200)])
    y = -0.5 * ((x[:, 0] - 0.4) / 0.1) ** 2 - 0.5 * ((x[:, 1] - 60) / 20) ** 2
    path = tmp_path / "old.csv"
    np.savetxt(path, np.column_stack([x, y]), delimiter=",", header="rho,kappa,loglik", comments="")
    return path


@pytest.fixture
def loaded(qtbot):
    """Opens the dialog on a file and waits until its columns are understood or refused."""
    made = []

    def load(problem, path, controller=None):
        dialog = ArchiveDialog(problem, path.parent, None, None if controller is None else controller.run)
        made.append(dialog)
        dialog.show()
        dialog.load(path)
        settle(qtbot, dialog)
        return dialog

    yield load
    while made:
        dialog = made.pop()
        dialog.reject()
        dialog.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        vars(dialog).clear()


def settle(qtbot, dialog):
    qtbot.waitUntil(lambda: dialog.imported is not None or dialog.message.level is not None, timeout=20_000)


def written(tmp_path, rows, header="rho,kappa,loglik", name="old.csv"):
    path = tmp_path / name
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


def test_a_table_with_telling_names_needs_no_choices(qtbot, problem, table, loaded):
    dialog = loaded(problem, table)
    assert dialog.use.isEnabled()
    assert "200 of 200 rows" in dialog.summary.text()
    assert "Best point" in dialog.summary.text()
    qtbot.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
    assert dialog.imported.record.points.shape == (200, 2)


def test_swapped_columns_are_said_and_nothing_can_be_imported(qtbot, problem, table, loaded):
    dialog = loaded(problem, table)
    dialog.columns["kappa"].choose("rho")
    dialog.columns["rho"].choose("kappa")
    settle(qtbot, dialog)
    assert not dialog.use.isEnabled()
    assert dialog.message.level == "error"


def test_a_file_that_is_no_table_is_said_in_words(problem, tmp_path, loaded):
    path = tmp_path / "x.csv"
    path.write_text("no numbers\nat all\n")
    dialog = loaded(problem, path)
    assert dialog.message.level == "error"
    assert not dialog.use.isEnabled()


def rows(n, y="-0.5", sd=""):
    return [f"{0.1 + 0.8 * k / n},{50 + k % 7},{y}{sd}" for k in range(n)]


@pytest.mark.parametrize(
    ("content", "header", "usable", "words"),
    [
        (["0.3,50,-1"], "rho,kappa,loglik", True, "A single point says nothing about a posterior"),
        (["0.3,50,-1"] * 40, "rho,kappa,loglik", True, "39 repeated rows were merged"),
        (rows(30, "-inf"), "rho,kappa,loglik", False, "All 30 usable rows have the value minus infinity"),
        ([f"0.3,{k + 5000},-1" for k in range(30)], "rho,kappa,loglik", False, "100 % of the rows have kappa"),
        ([f"{0.3 + 1e-3 * k},{k % 9 / 1000 + 0.05},-1" for k in range(30)], "rho,kappa,loglik", True, "about 10^-3"),
        ([*rows(20, sd=",0"), "0.5,60,-0.1,2"], "rho,kappa,loglik,sd", True, "1 rows are noisy and 20 exact"),
        (["0.3,,-1", "0.4,50,"], "rho,kappa,loglik", False, "None of the 2 rows"),
    ],
)
def test_an_odd_archive_ends_in_a_plain_sentence(content, header, usable, words, problem, tmp_path, loaded):
    dialog = loaded(problem, written(tmp_path, content, header))
    assert dialog.use.isEnabled() == usable
    assert words in dialog.message.words() + dialog.message.suggestion()


def test_a_wrong_separator_is_said_and_another_one_chosen(qtbot, problem, tmp_path, loaded):
    path = written(tmp_path, [f"{0.3 + 0.01 * k}~{50 + k}~-1" for k in range(20)], "rho~kappa~loglik")
    dialog = loaded(problem, path)
    assert dialog.message.level in ("warning", "error")
    assert not dialog.use.isEnabled()
    path = written(tmp_path, [f"{0.3 + 0.01 * k};{50 + k};-1" for k in range(20)], "rho;kappa;loglik", "semi.csv")
    dialog = loaded(problem, path)
    assert dialog.use.isEnabled()
    dialog.delimiter.choose(",")
    qtbot.waitUntil(lambda: not dialog.use.isEnabled() and dialog.message.level is not None, timeout=20_000)
    dialog.delimiter.choose(";")
    qtbot.waitUntil(dialog.use.isEnabled, timeout=20_000)


def test_commas_that_can_be_read_in_two_ways_wait_for_a_choice(qtbot, problem, tmp_path, loaded):
    path = written(tmp_path, [f"0.{31 + k};50;-1,{100 + k}" for k in range(20)], "rho;kappa;loglik")
    dialog = loaded(problem, path)
    assert not dialog.use.isEnabled()
    assert "in two ways" in dialog.message.words()
    assert dialog.comma.isEnabled()
    dialog.comma.choose("yes")
    qtbot.waitUntil(dialog.use.isEnabled, timeout=20_000)
    assert dialog.imported.record.values[0] == -1.1


def test_help_on_archives_opens_from_the_dialog(qtbot, problem, table, loaded):
    from bayescope.gui.dialogs.help_window import HelpWindow

    dialog = loaded(problem, table)
    with qtbot.waitActive(dialog):  # a shortcut belongs to the active window
        dialog.show()
        dialog.activateWindow()
    qtbot.keyClick(dialog, Qt.Key.Key_F1)
    opened = dialog.findChild(HelpWindow)
    assert opened is not None
    assert opened.current == "archives"
    opened.close()


PROGRAM = "import sys\nr, k = map(float, sys.argv[1:])\nprint('loglik', -0.5 * ((r - .4) / .1) ** 2 - 0.5 * ((k - 60) / 20) ** 2)"


@pytest.fixture
def real(problem, tmp_path):
    """The dialog's controller on the real engine, with a program that computes what the table holds."""
    controller = SessionController()
    simulator = Simulator(command=(sys.executable, "-I", "-S", "-c", PROGRAM, "@rho@", "@kappa@"))
    assert controller.file.adopt(msgspec.structs.replace(problem, simulator=simulator))
    yield controller
    controller.shut_down()
    controller.deleteLater()


def test_one_row_is_recomputed_by_the_simulator_before_anything_is_imported(qtbot, real, table, tmp_path, loaded):
    dialog = loaded(real.problem.declared, table, real)
    qtbot.mouseClick(dialog.check.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.check.agrees is not None, timeout=60_000)
    assert dialog.check.agrees
    assert "gives the archived value again" in dialog.check.result.words()
    assert dialog.use.text() == "&Import"
    numbers = np.loadtxt(table, delimiter=",", skiprows=1)
    numbers[:, 2] += 3.0
    shifted = tmp_path / "shifted.csv"
    np.savetxt(shifted, numbers, delimiter=",", header="rho,kappa,loglik", comments="")
    dialog.load(shifted)
    qtbot.waitUntil(lambda: dialog.imported is not None and dialog.check.agrees is None, timeout=20_000)
    qtbot.mouseClick(dialog.check.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.check.agrees is not None, timeout=60_000)
    assert dialog.check.agrees is False
    assert "a constant was left out: add -3" in dialog.check.result.words()
    assert dialog.use.text() == "&Import all the same"
    assert real.run.n_runs == 0


def test_a_check_that_cannot_be_made_says_why(real, problem, table, loaded):
    broken = msgspec.structs.replace(problem, simulator=Simulator(command=()))
    assert real.file.adopt(broken)
    dialog = loaded(real.problem.declared, table, real)
    assert not dialog.check.button.isEnabled()
    assert dialog.check.words.text().startswith("It cannot be checked yet:")


@pytest.mark.long
def test_which_surrogate_is_used_is_on_the_run_page_and_can_be_switched(qtbot, real, table, loaded, show):
    """Imported, a posterior without a run, exact; then sparse by the run settings, and the answer is made anew."""
    from bayescope.gui.pages.run.settings import RunSettingsDialog
    from bayescope.gui.pages.run.strip import RunStrip

    dialog = loaded(real.problem.declared, table, real)
    with qtbot.waitSignal(real.importing.ended, timeout=20_000):
        assert real.importing.begin(dialog.imported)
    assert real.problem.declared.settings.method == "svbmc"
    strip = RunStrip(real.problem, real.file, real.run)
    show(strip, 1200, 200)
    seen = []
    for kind in ("auto", "sparse"):
        settings = RunSettingsDialog(real.problem, real.run)
        settings.evaluations.setValue(0)
        settings.options.rows["surrogate"].editor.choose(kind)
        assert settings.about.text()
        settings._apply()
        settings.deleteLater()
        assert strip.start.isVisible()
        qtbot.mouseClick(strip.start, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: real.run.data.outcome is not None and not real.run.active, timeout=100_000)
        assert real.run.data.outcome.outcome == "budget", real.run.data.outcome.words
        strip.refresh()
        seen.append(strip.surrogate.value.text())
        assert any(("exact" if kind == "auto" else "sparse") in r for r in real.run.data.trace[-1].reasons)
    assert seen[0].startswith("exact: N = ")
    assert seen[1].startswith("sparse: N = ")
    assert ", M = " in seen[1]


def test_several_files_are_joined_and_what_does_not_fit_is_said(qtbot, problem, table, tmp_path, loaded):
    dialog = loaded(problem, table)
    again = tmp_path / "again.csv"
    again.write_text(table.read_text())
    other = written(tmp_path, [f"{50 + k},{0.3 + 0.01 * k},-1" for k in range(20)], "Kappa,Rho,lnL", "other.csv")
    dialog.load(table, again)
    settle(qtbot, dialog)
    assert "200 of 400 rows of 2 files (old.csv, again.csv)" in dialog.summary.text()
    assert "again.csv holds the same rows as old.csv" in dialog.message.words()
    dialog.load(other)
    settle(qtbot, dialog)
    assert "20 of 20 rows" in dialog.summary.text()


def test_a_table_is_chosen_where_a_file_has_several_and_the_mapping_is_remembered(qtbot, problem, tmp_path, loaded):
    import h5py

    x = np.linspace(0.1, 0.9, 30)
    path = tmp_path / "runs.h5"
    with h5py.File(path, "w") as file:
        for group in ("early", "late"):
            for name, values in (("r", x), ("k", 100 * x), ("cost", 50 * (x - 0.5) ** 2)):
                file[f"{group}/{name}"] = values
    dialog = loaded(problem, path)
    assert "2 tables" in dialog.message.words()
    assert not dialog.use.isEnabled()
    dialog.inside.choose("/late")
    qtbot.waitUntil(lambda: dialog.value.isEnabled(), timeout=20_000)
    for choice, column in ((dialog.columns["rho"], "r"), (dialog.columns["kappa"], "k"), (dialog.value, "cost")):
        choice.choose(column)
    dialog.meaning.choose("minus_log_likelihood")
    qtbot.waitUntil(dialog.use.isEnabled, timeout=20_000)
    qtbot.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
    again = loaded(problem, written(tmp_path, [f"{v},{50 * (v - 0.5) ** 2},{100 * v},7" for v in x], "r,cost,k,other"))
    assert again.use.isEnabled()
    assert again.meaning.key() == "minus_log_likelihood"
    assert again.columns["kappa"].key() == "k"
