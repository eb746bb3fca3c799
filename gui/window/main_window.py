"""The window: workflow bar, pages built on their first visit, menus, title, closing. Thin: the analysis does the work."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QByteArray, QEvent, QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from bayescope.engine import protocol
from bayescope.gui.analysis.counting import title
from bayescope.gui.analysis.next_step import go_words
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.analysis.session_files import is_draft
from bayescope.gui.dialogs.closing import may_close
from bayescope.gui.dialogs.file_questions import Looked
from bayescope.gui.dialogs.file_questions import ask as ask_file
from bayescope.gui.dialogs.messages import ReportDialog
from bayescope.gui.models.simulator.files.program_folder import study_folder
from bayescope.gui.models.step_status import Status, runs_known, step_status
from bayescope.gui.style.theme import theme
from bayescope.gui.style.words import first_sentence
from bayescope.gui.system.desktop import TaskBarProgress
from bayescope.gui.system.garbage import set_aside
from bayescope.gui.system.later import later
from bayescope.gui.widgets.alt_keys import keys_apart
from bayescope.gui.widgets.scrolling import VerticalScroll, bring_into_sight, measure_hidden
from bayescope.gui.window import dropped
from bayescope.gui.window.left_behind import LeftBehind
from bayescope.gui.window.lessons import offer_lessons
from bayescope.gui.window.menus import Menus
from bayescope.gui.window.tour import Tour
from bayescope.gui.window.window_actions import WindowActions
from bayescope.gui.window.workflow_bar import WorkflowBar

if TYPE_CHECKING:
    from bayescope.engine.session.trust.sheet import TrustSheet
    from bayescope.gui.analysis.session_file import Agreement

PAGES = {
    "welcome": ("bayescope.gui.pages.welcome", "WelcomePage"),
    "simulator": ("bayescope.gui.pages.simulator.page", "SimulatorPage"),
    "parameters": ("bayescope.gui.pages.parameters.page", "ParametersPage"),
    "data": ("bayescope.gui.pages.data.page", "DataPage"),
    "run": ("bayescope.gui.pages.run.page", "RunPage"),
    "results": ("bayescope.gui.pages.results.page", "ResultsPage"),
}
LEAST = (700, 400)  # pixels: a 1440 x 900 screen at 200 % has room for 720 x 450, frame and panel included
FRAME = 32  # pixels left for the window's own frame
STATUS_MS = 150
ASIDE_MS = 2000  # after a page was built: it is there for good


class MainWindow(QMainWindow):
    """``first_paint`` is emitted once, after the window has been painted for the first time; ``closed`` when it has closed."""

    first_paint = Signal()
    closed = Signal()
    went = Signal()  # to another page

    def __init__(self, controller: SessionController, settings: QSettings | None = None) -> None:
        super().__init__()
        self.controller = controller
        self.settings = settings
        self.setObjectName("window")
        theme.dress(self)
        self.setMinimumSize(*LEAST)
        self.setAcceptDrops(True)
        self._painted = False
        self._pages: dict[str, QWidget] = {}
        self._dialogs: list[ReportDialog] = []
        self._task_bar = TaskBarProgress()
        self.tour: Tour | None = None
        self.current = ""

        self.bar = WorkflowBar()
        self.bar.chosen.connect(self.go)
        self._stack = QStackedWidget()
        self._stack.currentChanged.connect(lambda _: self.went.emit())
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        self.left_behind = LeftBehind(
            self, settings, controller.reports, lambda path: self.actions_of_window.leave_for(path)
        )
        column.addWidget(self.left_behind)
        column.addWidget(self._stack, 1)
        self.setCentralWidget(middle)
        self._where = QLabel()
        self._device = QLabel()
        self.statusBar().addWidget(self._where, 1)
        self.statusBar().addPermanentWidget(self._device)
        self.statusBar().setSizeGripEnabled(False)

        self.menus = Menus(self)
        self.menus.add_pages(self, self.go)
        self.actions_of_window = WindowActions(self, controller, self.menus, go=self.go, settings=settings)

        offer_lessons()
        self.menus.actions["tour"].triggered.connect(lambda: self.take_tour())
        self._status_timer = QTimer(self, singleShot=True, interval=STATUS_MS)
        self._aside = QTimer(self, singleShot=True, interval=ASIDE_MS)
        self._aside.timeout.connect(set_aside)
        self._status_timer.timeout.connect(self._refresh)
        for signal in (
            controller.problem.changed, controller.file.changed, controller.file.dirty_changed,
            controller.run.state_changed, controller.run.evaluations_changed, controller.run.answer_changed,
        ):  # fmt: skip
            signal.connect(self._refresh_soon)
        self._looked = Looked()
        controller.file.shown.connect(self._looks_elsewhere)
        controller.reports.reported.connect(self.show_report)
        controller.file.ask_consent = self._ask_consent
        controller.run.ended.connect(self._on_run_ended)
        controller.run.engine_lost.connect(self._on_engine_lost)
        self._restore_geometry()
        self._refresh()

    # ---------------------------------------------------------------- pages

    def page(self, key: str) -> QWidget:
        """The page, built on the first call."""
        if key not in self._pages:
            module, name = PAGES[key]
            page = cast("QWidget", getattr(importlib.import_module(module), name)(self.controller))
            page.setObjectName("page")
            page.status_changed.connect(self._refresh_soon)  # type: ignore[attr-defined]
            asks = getattr(page, "page_requested", None)
            if asks is not None:
                asks.connect(self.go)
            marks = getattr(page, "outputs_wanted", None)
            if marks is not None:
                marks.connect(self._show_outputs)
            uses = getattr(page, "use_wanted", None)
            if uses is not None:
                uses.connect(self._show_use)
            shows = getattr(page, "run_asked", None)
            if shows is not None:
                shows.connect(self._show_run)
            self._pages[key] = page
            self._stack.addWidget(VerticalScroll(page, across=True))  # where the window is too small for it
            measure_hidden(page)
            self._aside.start()
        return self._pages[key]

    def go(self, key: str) -> None:
        """Show a page: ``welcome`` or one of the steps."""
        page = self.page(key)
        self.current = key
        self._stack.setCurrentIndex(list(self._pages).index(key))
        # where something must be typed first, typing goes there; else no control looks chosen before Tab is pressed
        first = getattr(page, "first_field", lambda: None)()
        (self._stack if first is None else first).setFocus()
        self.bar.show_current(key)
        self._refresh()

    def _show_outputs(self, name: str = "") -> None:
        """Where numbers in what the program writes are marked: in the table from which the output ``name`` is read, if any."""
        self.go("simulator")
        self.page("simulator").show_outputs(name)  # type: ignore[attr-defined]

    def _show_use(self, name: str) -> None:
        """Where a parameter stands in what the program is given."""
        self.go("simulator")
        self.page("simulator").show_use(name)  # type: ignore[attr-defined]

    def _show_run(self, index: int) -> None:
        """All that is known of one simulator run."""
        self.go("run")
        self.page("run").show_run(index)  # type: ignore[attr-defined]

    def warm_up(self) -> None:
        """After the first paint: show the first page, then get ready what the next ones need while the user reads."""
        if not self.current:
            self.go("welcome" if self.controller.file.empty else "run")
        later(self, 50, lambda: importlib.import_module("bayescope.gui.plots.pg"))
        later(self, 1500, self.controller.run.prepare_engine)  # Test run and Start then answer at once
        self._refresh()

    def _pointed_at(self, key: str) -> QWidget:
        """What a bubble about a page stands below: on the Run page the strip, so that what is said of the runs stays in sight."""
        strip = getattr(self.page(key), "strip", None) if key == "run" else None
        return self.bar.buttons[key] if strip is None else strip

    def take_tour(self) -> None:
        """Five bubbles on the bundled example, in this window."""
        if self.tour is None:
            self.tour = Tour(self, self.controller, self.go, self._pointed_at)
        self.tour.start()

    # ---------------------------------------------------------------- what is shown about the whole

    def _refresh_soon(self) -> None:
        if not self._status_timer.isActive():  # starting it again would put it off for as long as signals come
            self._status_timer.start()

    def _refresh(self) -> None:
        self._refresh_title()
        for key, button in self.bar.buttons.items():
            page = self._pages.get(key)
            status, words = step_status(self.controller, key) if page is None else page.status()  # type: ignore[attr-defined]
            held = self.controller.problem.held(key)
            if held:
                status, words = "error", held[0].message
            button.set_status(cast("Status", status), words)
        c = self.controller
        self._say_where()
        if c.file.path is not None:
            self._where.setText(f"{c.file.path}{'  (read-only)' if c.file.read_only else ''}")
        elif c.file.on_disk is not None:
            self._where.setText("Not saved to a file of yours yet; kept as a draft until you leave it")
        else:
            self._where.setText("")
        self._device.setText(c.run.device)
        self._device.setToolTip(c.run.computing)
        self.actions_of_window.refresh()

    def _looks_elsewhere(self) -> None:
        """Files of another analysis are not looked for where those of the one before lay."""
        self._looked = Looked()
        self._say_where()

    def _say_where(self) -> None:
        """Dialogs begin where the analysis of the window in front lies."""
        active = QApplication.activeWindow()
        if active is self or not isinstance(active, MainWindow):
            file, problem = self.controller.file, self.controller.problem.declared
            unsaved = file.place == Path.home() or is_draft(file.place / "any")
            self._looked.program = study_folder(problem, file.folder)
            ask_file.looked, ask_file.analysis_folder = self._looked, (unsaved and self._looked.program) or file.place

    def _refresh_title(self) -> None:
        c = self.controller
        progress = ""
        share = min(1.0, runs_known(c.run) / c.run.budget) if c.run.active and c.run.budget else None
        if share is not None:
            progress = f"{round(100 * share)} % – "
        self._task_bar.show(share)
        self.setWindowModified(c.file.dirty)
        name = c.file.title if not c.file.empty else "New analysis"
        self.setWindowTitle(f"{progress}{name[:80]}[*]{' (read-only)' if c.file.read_only else ''} – Bayescope")

    def _ask_consent(self, sheet: TrustSheet, confined: bool) -> Agreement | None:
        from bayescope.gui.dialogs.trust_dialog import ask_whether_to_run

        return ask_whether_to_run(self, sheet, confined)

    def show_report(self, report: protocol.Report) -> None:
        """Errors and warnings as a dialog that does not block; information in the status bar."""
        if report.action == "reached":
            self._close_silence()
        if report.action == "reach" and any(d.takes(report) for d in self._dialogs):
            return
        if report.level == "info":
            self.statusBar().showMessage(report.what, 8000)
            return
        if any(d.report == report or d.takes(report) for d in self._dialogs):
            return
        dialog = ReportDialog(report, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowModality(Qt.WindowModality.WindowModal)
        self._dialogs.append(dialog)
        dialog.finished.connect(lambda: self._dialogs.remove(dialog))
        dialog.recovery_asked.connect(self.actions_of_window.recover)
        dialog.reach_asked.connect(self.controller.run.reach_place)
        dialog.show()

    def _close_silence(self) -> None:
        """What was said of a place that did not answer is over."""
        for dialog in [d for d in self._dialogs if d.report.action == "reach"]:
            dialog.close()

    @property
    def reports_shown(self) -> list[protocol.Report]:
        """The reports whose dialogs are open."""
        return [d.report for d in self._dialogs]

    def close_reports(self) -> None:
        for dialog in list(self._dialogs):
            dialog.close()

    def _on_run_ended(self, ended: protocol.RunEnded) -> None:
        self._close_silence()
        self.statusBar().showMessage(first_sentence(ended.words), 15000)
        what = "Analysis failed" if ended.outcome == "failed" else "Analysis finished"
        self._tell_who_is_away(what, ended.words)

    def _tell_who_is_away(self, what: str, words: str) -> None:
        """The task bar and a notification, unless the window is being looked at."""
        if not self.isActiveWindow():
            QApplication.alert(self)
            self.actions_of_window.notify(f"{what}: {self.controller.file.title[:60]}", words)

    def _on_engine_lost(self, words: str) -> None:
        n, counted = len(self.controller.run.data.evaluations), title(self.controller.problem.declared).lower()
        self._tell_who_is_away(
            "Analysis interrupted", "The engine stopped unexpectedly. Nothing finished is lost."
        )
        self.go("run")
        self.show_report(
            protocol.Report(
                level="error",
                what="The engine stopped unexpectedly.",
                suggestion=f"Nothing that was finished is lost: {n} {counted} are in the session file. "
                f"Press {go_words(self.controller.run)} on the Run page to go on where it stopped.",
                details=words,
            )
        )

    # ---------------------------------------------------------------- events

    def focusNextPrevChild(self, next: bool) -> bool:
        """Tab: what has the focus is in sight. Qt calls this too where what had the focus went away: then nothing scrolls."""
        before = self.focusWidget()
        tab = before is None or (before.isVisible() and before.isEnabled())
        done = super().focusNextPrevChild(next)
        focus = self.focusWidget()
        if focus is not None and tab:
            bring_into_sight(focus)
        return done

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return presses the button that has the focus, as in dialogs and on the web; Qt itself leaves that to Space."""
        button = self.focusWidget()
        if event.key() == Qt.Key.Key_Alt:
            keys_apart(self)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(button, QPushButton):
            button.click()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange:
            self._say_where()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            self.first_paint.emit()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped.files_in(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        page = self.page(self.current) if self.current else None
        dropped.take(dropped.files_in(event.mimeData()), self, page, self.controller, self.actions_of_window.open_file)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not may_close(self, self.controller):
            event.ignore()
            return
        self._task_bar.show(None)
        if self.settings is not None:
            self.settings.setValue("geometry", self.saveGeometry())
        for page in self._pages.values():
            release = getattr(page, "release", None)
            if release is not None:
                release()
        event.accept()
        self.closed.emit()

    def _restore_geometry(self) -> None:
        stored = self.settings.value("geometry") if self.settings is not None else None
        if not (isinstance(stored, QByteArray) and self.restoreGeometry(stored)):
            area = self.screen().availableGeometry()
            self.resize(min(1360, area.width()), min(860, area.height() - FRAME))
