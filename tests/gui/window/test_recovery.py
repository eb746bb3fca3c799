"""After a crash: told once, one click to go on, never a word when nothing was lost; logs and the bundle for who helps."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer
from PySide6.QtWidgets import QApplication, QPlainTextEdit
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.engine.session.records import AskRecord, EvaluationRecord
from bayescope.engine.session.store import SessionStore
from bayescope.gui.analysis import session_files
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.dialogs.messages import ReportDialog
from bayescope.gui.pages.run.page import RunPage
from bayescope.gui.pages.run.views import VIEWS
from bayescope.gui.pages.welcome import WelcomePage
from bayescope.gui.system import crash
from bayescope.gui.window import window_actions
from bayescope.gui.window.main_window import MainWindow

pytestmark = pytest.mark.window


def interrupted(path: Path, *, crashed: bool = True) -> Path:
    """A session that a killed engine left: three runs finished, one under way."""
    with SessionStore.create(path, session_files.load_example("contamination"), own=True) as store:
        names = [p.name for p in store.problem.parameters]
        for k in range(4):
            u = np.full(4, 0.1 * k)
            store.add_cycle(asks=[AskRecord(k, u, told_before=0)])
            if k < 3:
                store.add_evaluation(
                    EvaluationRecord(
                        index=k, order=k, u=u, values=dict.fromkeys(names, 0.3), outcome="ok", log_likelihood=-1.0,
                        log_prior=-2.0, log_target=-3.0, duration_s=0.1, started_at=1.8e9, run_folder="../outside",
                    )
                )  # fmt: skip
        store.note_run(crashed)
    session_files.remember(path)
    return path


@pytest.fixture
def window(make_controller: Callable[[], SessionController], qtbot: QtBot) -> Iterator[MainWindow]:
    made: list[MainWindow] = []
    made.append(MainWindow(make_controller()))
    made[0].resize(1280, 720)
    made[0].show()
    yield made[0]
    close(made.pop())


def close(window: MainWindow) -> None:
    """Emptied too: pytest holds the window until the check for leftovers is over."""
    window.close_reports()
    window.controller.shut_down()
    for page in window._pages.values():
        if hasattr(page, "release"):
            page.release()
    window._pages.clear()
    window.hide()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def welcome_of(window: MainWindow, qtbot: QtBot) -> WelcomePage:
    window.go("welcome")
    page = window.page("welcome")
    assert isinstance(page, WelcomePage)
    page.reload()
    qtbot.waitUntil(lambda: all(r.state for r in page.model.rows), timeout=10_000)
    return page


def test_an_interrupted_run_is_told_on_the_next_start_and_goes_on_with_one_click(
    window: MainWindow, engines: list[Any], qtbot: QtBot, tmp_path: Path
) -> None:
    path = interrupted(tmp_path / "plume.bayescope")
    page = welcome_of(window, qtbot)
    assert page.interrupted.isVisible()
    words = page.interrupted.words()
    assert words.startswith("plume: The last run was interrupted. All 3 finished simulator runs are saved.")
    assert "One that was under way will be run again" in words
    assert page.model.rows[0].state.endswith("interrupted")
    qtbot.mouseClick(page.interrupted._button, Qt.MouseButton.LeftButton)
    assert window.controller.file.path == path
    assert window.current == "run"
    assert engines[-1].sent == [protocol.StartRun(session=str(path), max_evaluations=None)]


def test_later_is_an_answer_and_is_not_asked_again(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = interrupted(tmp_path / "plume.bayescope")
    page = welcome_of(window, qtbot)
    qtbot.mouseClick(page.interrupted._dismiss, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: all(r.state for r in page.model.rows), timeout=10_000)
    assert not page.interrupted.isVisible()
    with SessionStore.open(path, mode="read") as store:
        assert store.interrupted_words == ""
        assert store.evaluation_count == 3


def test_a_run_that_ended_in_good_order_is_never_mentioned(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    interrupted(tmp_path / "plume.bayescope", crashed=False)
    page = welcome_of(window, qtbot)
    assert not page.interrupted.isVisible()
    assert page.model.rows[0].state == "3 runs, no answer yet"


def test_an_interrupted_analysis_says_so_when_it_is_opened_and_once_closed_no_more(
    make_controller: Callable[[], SessionController], tmp_path: Path
) -> None:
    path, controller = interrupted(tmp_path / "plume.bayescope"), make_controller()
    assert controller.file.open(path)
    assert "All 3 finished simulator runs are saved" in controller.run.words
    assert controller.run.words.endswith("Press Resume to go on.")
    assert controller.file.close()
    assert controller.file.open(path)
    assert controller.run.words == "Stopped earlier; it can be resumed"


def test_run_folders_named_by_a_strangers_file_stay_inside(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "bayescope_stdout.txt").write_text("secret")
    runs = tmp_path / "plume.runs"
    (runs / "good").mkdir(parents=True)
    (runs / "link").symlink_to(tmp_path / "outside")
    assert session_files.kept_run_folder(runs, "good") == runs / "good"
    for name in ("", ".", "..", "../outside", str(tmp_path / "outside"), "link", "\\\\evil\\share", "C:x", "a\0b"):
        assert session_files.kept_run_folder(runs, name) is None
    assert window.controller.file.open(interrupted(tmp_path / "plume.bayescope"))
    window.go("run")
    page = window.page("run")
    assert isinstance(page, RunPage)
    page.show_run(1)
    shown = page.findChildren(QPlainTextEdit)
    assert shown
    assert "secret" not in "".join(text.toPlainText() for text in shown)


def test_save_as_over_a_link_never_removes_what_it_leads_to(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "thesis.txt").write_text("x")
    (tmp_path / "new.runs").symlink_to(precious)
    (tmp_path / "old.bayescope").write_text("session")
    (tmp_path / "old.runs").mkdir()
    session_files.replace_by_copy(
        lambda part: part.write_text("copy") and None, tmp_path / "old.bayescope", tmp_path / "new.bayescope"
    )
    assert (precious / "thesis.txt").exists()
    assert not (tmp_path / "new.runs").is_symlink()
    (tmp_path / "draft.runs").symlink_to(precious)
    (tmp_path / "draft.bayescope").write_text("draft")
    session_files.delete_session(tmp_path / "draft.bayescope")
    assert (precious / "thesis.txt").exists()


def test_the_support_bundle_is_in_the_help_menu_and_asks_about_the_analysis(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert window.menus.actions["support"] in window.menus.menus["Help"].actions()
    assert window.controller.file.open(interrupted(tmp_path / "plume.bayescope"))
    monkeypatch.setattr(window_actions, "ask_where_to_put_bundle", lambda parent: tmp_path / "b.zip")
    for answer, held in (("", None), ("Without the analysis", False), ("With the analysis", True)):
        monkeypatch.setattr(window_actions, "ask", lambda *_, answer=answer, **__: answer)
        window.menus.actions["support"].trigger()
        assert (tmp_path / "b.zip").exists() == (held is not None)
        if held is not None:
            with zipfile.ZipFile(tmp_path / "b.zip") as bundle:
                assert "session.json" in bundle.namelist()
                assert ("session.bayescope" in bundle.namelist()) == held


def test_a_crash_that_no_code_survives_leaves_its_traceback_in_a_log(application_home: Path) -> None:
    code = "import faulthandler; from bayescope.gui.system import crash; crash.enable_fault_log(); faulthandler._sigsegv()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True)
    assert done.returncode != 0
    assert "Current thread" in (application_home / "logs" / "window-crash.log").read_text()


def test_the_windows_log_is_rotated(window: MainWindow, application_home: Path) -> None:
    hooks = sys.excepthook, crash.threading.excepthook
    crash.log.handlers.clear()
    try:
        crash.install_exception_hook(window)
        for _ in range(40):
            crash.log.error("x" * 60_000)
    finally:
        sys.excepthook, crash.threading.excepthook = hooks
        for handler in list(crash.log.handlers):
            handler.close()
            crash.log.removeHandler(handler)
    sizes = {f.name: f.stat().st_size for f in (application_home / "logs").iterdir()}
    assert set(sizes) == {"window.log", "window.log.1", "window.log.2"}
    assert max(sizes.values()) <= 1_000_000


def test_two_windows_on_one_session_only_the_first_writes(
    make_controller: Callable[[], SessionController], tmp_path: Path
) -> None:
    path = interrupted(tmp_path / "shared.bayescope", crashed=False)
    code = (
        "import sys; from bayescope.engine.session.store import SessionStore\n"
        "with SessionStore.open(sys.argv[1]) as store:\n    print(store.writable, flush=True); sys.stdin.read()\n"
    )
    first = subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with first:
        assert first.stdout is not None
        assert first.stdin is not None
        assert first.stdout.readline() == "True\n"
        second = make_controller()
        assert second.file.open(path)
        assert second.file.read_only
        assert "in use" in second.file.read_only_words
        assert not second.run.start()
        assert second.run.n_runs == 3
        first.stdin.close()
    assert second.file.close()
    assert second.file.open(path)
    assert not second.file.read_only, "once the first is closed the second may write"


def test_an_exception_in_the_window_is_a_dialog_and_a_log_line_and_the_run_goes_on(
    qtbot: QtBot, tmp_path: Path, application_home: Path
) -> None:
    """With the real engine: while the dialog is open further evaluations arrive and are saved."""
    code = "import sys, time; time.sleep(0.2); print(-float(sys.argv[1])**2)"
    problem = d.Problem(
        name="slow",
        parameters=(d.Parameter(name="a", prior=d.Normal(mean=0.0, sd=2.0)),),
        simulator=d.Simulator(command=(sys.executable, "-I", "-S", "-c", code, "@a@")),
        outputs=(d.Output(name="y", source="stdout", extractor=d.LastNumber()),),
        meaning=d.LogLikelihoodOutput(output="y"),
        settings=d.Settings(max_evaluations=200),
    )
    controller = SessionController()
    window = MainWindow(controller)
    window.show()
    hooks = sys.excepthook, crash.threading.excepthook
    crash.log.handlers.clear()
    crash.install_exception_hook(window)
    seen: list[tuple[str, int]] = []

    def look() -> None:
        """While the dialog is open: note its words and how many runs there are; close it when two more have come."""
        for dialog in QApplication.topLevelWidgets():
            if isinstance(dialog, ReportDialog) and dialog.isVisible():
                seen.append((dialog.report.what, controller.run.n_runs))
                if controller.run.n_runs >= seen[0][1] + 2:
                    dialog.accept()

    timer = QTimer()
    timer.setInterval(50)
    timer.timeout.connect(look)
    try:
        assert controller.file.adopt(problem)
        assert controller.file.save_as(tmp_path / "slow.bayescope") or controller.file.on_disk is not None
        assert controller.run.start()
        qtbot.waitUntil(lambda: controller.run.n_runs >= 1, timeout=60_000)
        timer.start()
        try:
            raise ValueError("seven")
        except ValueError as error:
            sys.excepthook(ValueError, error, error.__traceback__)
        qtbot.waitUntil(
            lambda: bool(seen) and not any(d.isVisible() for d in window.findChildren(ReportDialog)), timeout=60_000
        )
        assert seen[-1][1] >= seen[0][1] + 2
        assert "Your analysis is saved, and a run in progress goes on" in seen[0][0]
        assert controller.run.active
        assert "ValueError: seven" in (application_home / "logs" / "window.log").read_text()
    finally:
        timer.stop()
        sys.excepthook, crash.threading.excepthook = hooks
        for handler in list(crash.log.handlers):
            handler.close()
            crash.log.removeHandler(handler)
        controller.run.end_engine()
        close(window)
        controller.deleteLater()
    with SessionStore.open(tmp_path / "slow.bayescope", mode="read") as store:
        assert store.evaluation_count >= seen[-1][1]
        assert store.interrupted_words == "", "an end in good order"


def test_unknown_and_hostile_contents_of_messages_leave_the_window_alive(
    window: MainWindow,
    engines: list[Any],
    qtbot: QtBot,
    tmp_path: Path,
    evaluation_done: Callable,
    snapshot_ready: Callable,
) -> None:
    controller = window.controller
    assert controller.file.open(interrupted(tmp_path / "plume.bayescope"))
    window.go("run")
    assert controller.run.start()
    page = window.page("run")
    assert isinstance(page, RunPage)
    say = engines[-1].message.emit
    nan = float("nan")
    names = [p.name for p in controller.problem.declared.parameters]
    good = snapshot_ready(0, 3, np.zeros(4))
    say(protocol.RunEnded(outcome="failed", words="<b>x</b>" * 1000))
    say(evaluation_done(-5, {}))
    say(evaluation_done(2**62, dict.fromkeys(names, nan), nan))
    say(evaluation_done(7, dict.fromkeys([*names, "<img src=x>"], float("inf")), -1e308))
    say(
        protocol.Progress(
            evaluations=-1,
            failed=10**9,
            budget=0,
            running=-3,
            elapsed_s=nan,
            remaining_s=(nan, -1.0),
            activity="\0" * 500,
        )
    )
    say(protocol.StateChanged(state="running"))
    say(protocol.Heartbeat(activity="x" * 100_000, busy_seconds=nan))
    blob = protocol.Blob.of
    for change in (
        {"weights": blob(np.array([nan, 1.0]))},
        {"weights": blob(np.zeros(0))},
        {"means": blob(np.zeros((2, 9)))},
        {"covariances": blob(np.full((2, 4, 4), -1.0))},
        {"covariances": blob(np.zeros((2, 4, 4)))},
        {"slices": {"center": blob(np.zeros(1)), "u": blob(np.zeros((7, 1)))}},
        {"iteration": -1, "n_evaluations": -1, "elbo": nan, "log_evidence_sd": float("inf")},
        {"weights": protocol.Blob(shape=(99,), data=b"x")},
    ):
        say(msgspec.structs.replace(good, **change))
        for key in VIEWS:
            page.show_view(key)
        qtbot.wait(30)
    say(msgspec.structs.replace(good, iteration=9))
    qtbot.waitUntil(lambda: controller.run.data.answer is not None and controller.run.data.answer.iteration == 9, timeout=5000)
    assert controller.run.active
