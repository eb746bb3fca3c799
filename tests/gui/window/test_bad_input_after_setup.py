"""Bad input where an analysis is run and read: nonsense, double clicks and closing end in words, never in an exception."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QTabWidget,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.session.records import EvaluationRecord, IterationRecord
from bayescope.engine.session.store import SessionStore
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.archive.importing import ArchiveDialog
from bayescope.gui.pages.results.page import ResultsPage
from bayescope.gui.pages.run.page import RunPage
from bayescope.gui.pages.run.settings import RunSettingsDialog
from bayescope.gui.pages.welcome import WelcomePage
from bayescope.gui.widgets.forms import LineField

pytestmark = pytest.mark.timeout(120)
NONSENSE = ("x" * 10_000, "<img src='x'><b>5</b>", "((*[", "nan", "1e999", "a\nb\tc", "\x00\ud83d")


def problem(names: list[str]) -> d.Problem:
    return d.Problem(
        name="Line",
        parameters=tuple(d.Parameter(name=n, prior=d.Normal(mean=0.0, sd=10.0)) for n in names),
        simulator=d.Simulator(command=("bayescope:contamination", *(f"@{n}@" for n in names))),
        outputs=(d.Output(name="y", source="stdout", extractor=d.LastNumber(), length=1),),
        meaning=d.LogLikelihoodOutput(output="y"),
    )


def saved(path: Path, names: list[str]) -> Path:
    """A session file with three runs (one failed) and an answer."""
    n = len(names)
    with SessionStore.create(path, problem(names), own=True) as store:
        for k in range(3):
            u = np.full(n, 0.1 * k)
            good = k < 2
            store.add_evaluation(
                EvaluationRecord(
                    index=k, order=k, u=u, values=dict(zip(names, u.tolist(), strict=True)),
                    outcome="ok" if good else "failed", reason="" if good else "<b>It</b> ended with exit code 3.",
                    log_likelihood=-1.0 if good else None, log_prior=-2.0, log_target=-3.0 if good else None,
                    duration_s=0.1, started_at=1.8e9,
                )
            )  # fmt: skip
        store.add_iteration(
            IterationRecord(
                iteration=1, n_evaluations=3, elbo=-3.6, elbo_sd=0.02, log_evidence=-3.5, log_evidence_sd=0.05,
                converged=False, warm_up=False, reasons=("The posterior still changes.",), weights=np.ones(1),
                means=np.zeros((1, n)), covariances=0.04 * np.eye(n)[None],
            )
        )  # fmt: skip
    return path


@pytest.fixture
def controller(make_controller: Callable[[], SessionController], tmp_path: Path) -> SessionController:
    """One with an opened analysis."""
    controller = make_controller()
    assert controller.file.open(saved(tmp_path / "line.bayescope", ["a", "b"]))
    return controller


@pytest.fixture
def quiet_dialogs(monkeypatch: pytest.MonkeyPatch) -> None:
    """File dialogs are given up at once; message boxes too."""
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *a, **k: ("", ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *a, **k: ([], ""))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: ("", ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *a, **k: "")


def give_up_dialogs(parent: QWidget) -> QTimer:
    """Whatever question comes up is answered with Escape."""

    def look() -> None:
        dialog: Any = QApplication.activeModalWidget()
        if dialog is not None:
            dialog.reject()

    timer = QTimer(parent, interval=20)
    timer.timeout.connect(look)
    timer.start()
    return timer


def double_click_all(qtbot: QtBot, page: QWidget) -> int:
    count, kinds = 0, (QPushButton, QToolButton)
    for button in page.findChildren(QAbstractButton):
        if isinstance(button, kinds) and button.isVisible() and button.isEnabled() and button.width() > 8:
            qtbot.mouseDClick(button, Qt.MouseButton.LeftButton)
            QApplication.processEvents()
            count += 1
    return count


@pytest.mark.usefixtures("quiet_dialogs")
@pytest.mark.parametrize(("kind", "least"), [(WelcomePage, 3), (RunPage, 12), (ResultsPage, 10)])
def test_double_clicks_on_every_button_of_a_page_do_no_harm(
    qtbot: QtBot, show: Callable[..., None], controller: SessionController, kind: type[QWidget], least: int
) -> None:
    page: Any = kind(controller)  # type: ignore[call-arg]
    show(page)
    timer = give_up_dialogs(page)
    clicked = 0
    tabs = page.findChildren(QTabWidget)[:1]
    for k in range(tabs[0].count() if tabs else 1):
        if tabs:
            tabs[0].setCurrentIndex(k)
            QApplication.processEvents()
        clicked += double_click_all(qtbot, page)
    timer.stop()
    assert clicked >= least
    page.grab()


def test_nonsense_in_the_filter_of_the_runs_is_only_no_match(
    show: Callable[..., None], controller: SessionController
) -> None:
    page = RunPage(controller)
    show(page)
    page.show_view("runs")
    table: Any = page.current_view.table  # type: ignore[attr-defined]
    assert table.model.rowCount() == 3
    for text in NONSENSE:
        table.search.setText(text)
        table._filter()
        page.grab()
        assert table.count.text().endswith("of 3 runs, 1 failed") or table.model.rowCount() == 3
    table.search.setText("exit code 3")
    table._filter()
    assert table.model.rowCount() == 1
    table.view.selectRow(0)
    assert table.details.words.textFormat() == Qt.TextFormat.PlainText
    assert "<b>It</b>" in table.details.words.text()


@pytest.mark.long
def test_fifty_parameters_stay_usable_where_an_analysis_is_run_and_read(
    qtbot: QtBot, show: Callable[..., None], make_controller: Callable[[], SessionController], tmp_path: Path
) -> None:
    controller = make_controller()
    assert controller.file.open(saved(tmp_path / "fifty.bayescope", [f"p{i}" for i in range(50)]))
    run, results = RunPage(controller), ResultsPage(controller)
    show(run)
    for key in ("overview", "pairs", "points", "surrogate", "runs"):
        run.show_view(key)
        QApplication.processEvents()
        run.grab()
    assert (run.width(), run.height()) == (1180, 640)  # nothing pushes the page wider
    run.hide()
    show(results)
    qtbot.waitUntil(lambda: results.summary.rowCount() == 50, timeout=30_000)
    for k in range(results.tabs.count()):
        results.tabs.setCurrentIndex(k)
        results.grab()
    assert (results.width(), results.height()) == (1180, 640)


def test_nonsense_in_the_run_settings_stays_within_their_limits(controller: SessionController) -> None:
    dialog = RunSettingsDialog(controller.problem, controller.run)
    dialog.show()
    for text in NONSENSE:
        for field in dialog.findChildren(QAbstractSpinBox):
            if field.isEnabled():
                line = field.findChild(QLineEdit)
                line.selectAll()
                line.insert(text)  # as pasting does
                field.interpretText()
    assert all(s.minimum() <= s.value() <= s.maximum() for s in dialog.findChildren(QSpinBox))
    dialog.reject()
    dialog.deleteLater()
    assert controller.problem.declared.settings == problem(["a", "b"]).settings


def test_windows_close_while_something_is_still_going_on(
    qtbot: QtBot, controller: SessionController, show: Callable[..., None]
) -> None:
    results = ResultsPage(controller)
    show(results)  # its summary is being computed in a thread
    results.close()
    archive = ArchiveDialog(controller.problem.declared, controller.file.folder, None, controller.run)
    archive.show()
    settings = RunSettingsDialog(controller.problem, controller.run)
    settings.show()
    settings.method.showPopup()
    for dialog in (archive, settings):
        for combo in dialog.findChildren(QComboBox):
            combo.hidePopup()
        dialog.close()
        dialog.deleteLater()
    QApplication.processEvents()
    assert not results.isVisible()


def test_half_typed_text_survives_a_refresh_while_another_program_is_in_front(qtbot: QtBot) -> None:
    window = QWidget()
    field = LineField("Number", parent=window)
    other = QLineEdit(window)
    qtbot.addWidget(window)
    field.show_text("1")
    field.setFocus()
    assert not field.hasFocus()  # the window is not the active one
    field.setText("1.2")
    field.show_text("1")  # the truth is told again, as it was
    assert field.text() == "1.2"
    other.setFocus()
    field.show_text("1")
    assert field.text() == "1"


def test_every_name_may_be_ten_thousand_characters_long_where_it_is_shown(
    show: Callable[..., None], controller: SessionController, tmp_path: Path
) -> None:
    long = "y" * 10_000
    parameters = tuple(msgspec.structs.replace(p, label=long, unit=long) for p in controller.problem.declared.parameters)
    changed = msgspec.structs.replace(controller.problem.declared, name=long, parameters=parameters)
    path = tmp_path / "long.bayescope"
    with SessionStore.create(path, changed, own=True) as store, SessionStore.open(controller.file.on_disk, mode="read") as old:  # type: ignore[arg-type]
        for e in old.evaluations():
            store.add_evaluation(e)
        store.add_iteration(old.last_iteration())  # type: ignore[arg-type]
    assert controller.file.open(path)
    for kind in (RunPage, ResultsPage, WelcomePage):
        page: Any = kind(controller)
        show(page)
        for tabs in page.findChildren(QTabWidget)[:1]:
            for k in range(tabs.count()):
                tabs.setCurrentIndex(k)
                QApplication.processEvents()
        page.grab()
        assert page.width() == 1180
