"""What the menu entries do, and which are enabled when."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QSystemTrayIcon

from bayescope.engine.session.watched import Watched
from bayescope.gui.analysis import session_files
from bayescope.gui.analysis.next_step import PAUSED, go_words, next_step
from bayescope.gui.analysis.recovery import recover
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.dialogs.closing import may_leave
from bayescope.gui.dialogs.messages import ask, ask_what_to_open, ask_where_to_put_bundle, ask_where_to_save, reveal
from bayescope.gui.dialogs.problem_export import ask_and_export_problem
from bayescope.gui.dialogs.run_controls import (
    ask_again,
    ask_for_more,
    ask_to_stop,
    begin_step,
    may_ask_again,
    may_have_more,
    pause_or_resume,
)
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.models.step_status import page_to_open
from bayescope.gui.style.theme import Choice, theme
from bayescope.gui.system.desktop import notify_by_portal
from bayescope.gui.widgets.forms import commit_typing
from bayescope.gui.window.menus import Menus
from bayescope.gui.window.top_level import close_all

SAVED_MS = 8000  # how long it is said where something was saved
_LETTERS = {"Answer without running": "Answer &without running", "Resume": "&Resume", "Start": "&Start"}  # keys that choose it


class WindowActions(QObject):
    """Connects the menus to the controller. ``go`` shows the page of that name; ``settings`` keep the choice of a theme."""

    def __init__(
        self,
        window: QMainWindow,
        controller: SessionController,
        menus: Menus,
        *,
        go: Callable[[str], None],
        settings: QSettings | None,
    ) -> None:
        super().__init__(window)
        self._window, self._controller, self._menus, self._go = window, controller, menus, go
        self._settings = settings
        self._tray: QSystemTrayIcon | None = None
        a = menus.actions
        for name, slot in {
            "new": self.new,
            "open": self.open,
            "save": self.save,
            "save_as": self.save_as,
            "duplicate": self.duplicate,
            "ask_again": self.ask_again,
            "archive": self.import_archive,
            "more_archive": self.add_to_archive,
            "export_problem": partial(ask_and_export_problem, window, controller.problem, controller.file),
            "folder": self.show_folder,
            "close": window.close,
            "quit": partial(close_all, window),
            "start": partial(begin_step, window, controller.run, Trial.of(controller).begin),
            "pause": partial(pause_or_resume, controller.run),
            "stop": partial(ask_to_stop, window, controller.run),
            "extend": partial(ask_for_more, window, controller.run),
            "help": self.help_here,
            "contents": self.help_contents,
            "log": lambda: reveal(session_files.home() / "logs"),
            "support": self.save_support_bundle,
            "check": self.check_installation,
            "card": self.show_graphics_card,
            "news": self.show_news,
            "about": self.about,
        }.items():
            a[name].triggered.connect(lambda _=False, slot=slot: self._do(slot))
        choices: tuple[Choice, ...] = ("system", "light", "dark")
        menus.menus["View"].aboutToShow.connect(lambda: a[f"theme_{theme.choice}"].setChecked(True))
        for choice in choices:
            a[f"theme_{choice}"].setChecked(theme.choice == choice)
            a[f"theme_{choice}"].triggered.connect(lambda _=False, choice=choice: theme.choose(choice, settings))
        a["full_screen"].toggled.connect(lambda on: window.showFullScreen() if on else window.showNormal())
        self._edit_menu()
        menus.submenus["recent"].aboutToShow.connect(self._fill_recent)
        menus.submenus["examples"].aboutToShow.connect(self._fill_examples)
        self.refresh()

    def _do(self, slot: Callable[[], object]) -> None:
        commit_typing(self._window)
        slot()

    def _edit_menu(self) -> None:
        stack, menu = self._controller.problem.undo_stack, self._menus.menus["Edit"]
        self._undo, self._redo = QAction("&Undo", self._window), QAction("&Redo", self._window)
        self._undo.setShortcut("Ctrl+Z")
        self._redo.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
        for action, slot in ((self._undo, stack.undo), (self._redo, stack.redo)):
            action.triggered.connect(lambda _=False, slot=slot: slot())
            menu.addAction(action)
        menu.addSeparator()
        chosen = QAction("&Settings…", self._window)
        chosen.setShortcut(QKeySequence("Ctrl+,"))
        chosen.setStatusTip("Theme, folders and graphics card, for every window")
        chosen.triggered.connect(lambda _=False: self.show_settings())
        menu.addAction(chosen)
        self._menus.actions["settings"] = chosen
        menu.aboutToShow.connect(self._refresh_edits)
        stack.changed.connect(self._refresh_edits)

    def _refresh_edits(self) -> None:
        """Undo and Redo name their step; they are disabled while the analysis allows no such change."""
        stack = self._controller.problem.undo_stack
        for action, verb, step, may, why in (
            (self._undo, "&Undo", stack.undoText(), stack.may_undo(), stack.undo_refusal()),
            (self._redo, "&Redo", stack.redoText(), stack.may_redo(), stack.redo_refusal()),
        ):
            action.setText(f"{verb} {step.replace('&', '&&')}".rstrip())
            action.setEnabled(may)
            action.setStatusTip(why)

    def refresh(self) -> None:
        """Enable what makes sense now."""
        c, a = self._controller, self._menus.actions
        may_import = c.run.n_runs == 0 or c.file.only_imported
        kept = c.run.active or c.file.path is not None  # then it says that there is nothing to be done
        a["save"].setEnabled((c.file.dirty or kept) and not c.file.read_only)
        a["save_as"].setEnabled(not c.file.empty and not c.run.active)
        a["duplicate"].setEnabled(not c.file.empty)
        a["ask_again"].setEnabled(may_ask_again(c.run))
        a["export_problem"].setEnabled(not c.file.empty)
        a["archive"].setEnabled(not c.file.empty and not c.run.active and not c.file.read_only and may_import)
        a["more_archive"].setEnabled(c.arrivals.possible and not c.file.read_only and c.run.state != "stopping")
        a["folder"].setEnabled(c.file.path is not None)
        self._refresh_run()
        self._refresh_edits()

    def _refresh_run(self) -> None:
        """Ctrl+R does what the main button of the Run page does; Ctrl+P pauses, and resumes what is paused."""
        c, a = self._controller, self._menus.actions
        step, paused = next_step(c.run), c.run.state in PAUSED
        go = "Resume" if paused or (step in ("more", "wait") and c.run.n_runs) else go_words(c.run)
        a["start"].setText(_LETTERS.get(go, go))
        ready = step in ("resume", "confirm") or (step == "start" and not c.run.obstacles())  # as the button of the Run page
        a["start"].setEnabled(ready and not c.file.read_only)
        a["pause"].setEnabled(c.run.active and not paused and c.run.state != "stopping")
        a["stop"].setEnabled(c.run.active)
        a["extend"].setEnabled(may_have_more(c.run, c.file))
        more = step == "more"
        a["start"].setShortcuts([] if more else [QKeySequence(k) for k in (("Ctrl+R", "Ctrl+P") if paused else ("Ctrl+R",))])
        a["pause"].setShortcuts([] if paused else [QKeySequence("Ctrl+P")])
        a["extend"].setShortcuts([QKeySequence(k) for k in (("Ctrl+R", "Ctrl+Shift+R") if more else ("Ctrl+Shift+R",))])

    # ---------------------------------------------------------------- file

    def new(self) -> None:
        if may_leave(self._window, self._controller.file, self._controller.run) and self._controller.file.new():
            self._go("simulator")

    def open(self) -> None:
        if not may_leave(self._window, self._controller.file, self._controller.run):
            return
        path = ask_what_to_open(self._window, self._controller.file.place)
        if path is not None:
            self.open_file(path)

    def open_file(self, path: Path | str) -> None:
        if self._controller.file.open(Path(path)):
            self._go(page_to_open(self._controller.problem, self._controller.run))

    def recover(self, damaged: Path) -> None:
        """Everything readable of a damaged session into a new file, which is then shown."""
        if not may_leave(self._window, self._controller.file, self._controller.run):
            return
        new = ask_where_to_save(self._window, f"{damaged.stem}-recovered", damaged.parent)
        if new is None:
            return
        session_files.delete_session(new)  # its name was agreed to
        if recover(self._controller.file, damaged, new):
            self._go(page_to_open(self._controller.problem, self._controller.run))

    def leave_for(self, path: Path) -> None:
        if may_leave(self._window, self._controller.file, self._controller.run):
            self.open_file(path)

    def open_example(self, name: str) -> None:
        if may_leave(self._window, self._controller.file, self._controller.run) and self._controller.file.open_example(name):
            self._go("run")

    def save(self) -> None:
        if self._controller.file.path is None and self._controller.run.active:
            words = "Every finished run is on disk already, in a draft that the welcome page lists."
            self._controller.run.reports.report("info", words, suggestion="Give it a name when the run has ended or is stopped.")
        elif self._controller.file.path is None:
            self.save_as()
        elif self._controller.file.save():
            runs = ", with every finished run" if self._controller.run.n_runs else ""
            self._window.statusBar().showMessage(f"Saved in {self._controller.file.path}{runs}.", SAVED_MS)

    def save_as(self) -> None:
        file = self._controller.file
        path = ask_where_to_save(self._window, file.proposed_name, file.place)
        if path is not None:
            file.save_as(path)

    def duplicate(self) -> None:
        if may_leave(self._window, self._controller.file, self._controller.run) and self._controller.file.duplicate():
            self._go("simulator")

    def ask_again(self) -> None:
        if ask_again(self._window, self._controller.file, self._controller.run):
            self._go("data")

    def import_archive(self) -> None:
        from bayescope.gui.pages.archive.importing import ArchiveDialog

        c = self._controller
        dialog = ArchiveDialog(c.problem.declared, c.file.place, self._window, c.run, importing=c.importing)
        dialog.open_chooser()
        if dialog.exec():
            self._watch(dialog.watched)
            self._go("run")
        dialog.deleteLater()

    def add_to_archive(self) -> None:
        from bayescope.gui.pages.archive.importing import ArchiveDialog

        c = self._controller
        words, hint = c.arrivals.obstacle()
        if words:
            c.reports.report("warning", words, suggestion=hint)
            return
        dialog = ArchiveDialog(
            c.problem.declared, c.file.place, self._window, c.run, c.arrivals.known, hold=c.arrivals.takes_in
        )
        dialog.open_chooser()
        if dialog.exec() and dialog.addition is not None and c.arrivals.add(dialog.addition):
            self._watch(dialog.watched)
            self._go("run")
        dialog.deleteLater()

    def _watch(self, watched: Watched | None) -> None:
        if watched is not None:
            self._controller.watching.begin(watched)

    def show_folder(self) -> None:
        if self._controller.file.path is not None:
            reveal(self._controller.file.path.parent)

    def _fill_recent(self) -> None:
        menu = self._menus.submenus["recent"]
        menu.clear()
        for path in session_files.recent():
            action = QAction(str(path), menu)
            action.triggered.connect(lambda _=False, path=path: self.leave_for(path))
            menu.addAction(action)
        if menu.isEmpty():
            menu.addAction("No analyses opened yet").setEnabled(False)

    def _fill_examples(self) -> None:
        menu = self._menus.submenus["examples"]
        menu.clear()
        for name in session_files.example_names():
            action = QAction(name.replace("_", " ").capitalize(), menu)
            action.triggered.connect(lambda _=False, name=name: self.open_example(name))
            menu.addAction(action)

    # ---------------------------------------------------------------- run, help

    def help_here(self) -> None:
        from bayescope.gui.dialogs.help_window import show_help_for

        show_help_for(self._window)

    def help_contents(self) -> None:
        from bayescope.gui.dialogs.help_window import show_help

        show_help(self._window, "")

    def show_news(self) -> None:
        from bayescope.gui.dialogs.help_window import show_help

        show_help(self._window, "news")

    def check_installation(self) -> None:
        from bayescope.gui.dialogs.check_installation import show_check

        show_check(self._window)

    def show_graphics_card(self) -> None:
        from bayescope.gui.dialogs.graphics_card import show_graphics_card

        show_graphics_card(self._window)

    def save_support_bundle(self) -> None:
        """One zip file for somebody who helps; whether the analysis itself goes in is asked first."""
        with_data = False
        if self._controller.file.on_disk is not None:
            answer = ask(
                self._window,
                "Save a support bundle",
                "Put the analysis itself into the support bundle?",
                "Without it the bundle holds logs, versions, settings and how runs ended, but no measured data, no templates "
                "and no parameter values.",
                ("&Without the analysis", "accept"),
                ("With the &analysis", "accept"),
                ("Cancel", "cancel"),
            )
            if answer not in ("Without the analysis", "With the analysis"):
                return
            with_data = answer == "With the analysis"
        path = ask_where_to_put_bundle(self._window)
        if path is not None:
            self._controller.file.save_support_bundle(path, with_data)

    def notify(self, title: str, words: str) -> None:
        """A notification of the desktop: by the tray where there is one, else by the portal."""
        if not QSystemTrayIcon.isSystemTrayAvailable():
            notify_by_portal(title, words)
            return
        if self._tray is None:
            self._tray = QSystemTrayIcon(self._window.windowIcon(), self._window)
            self._tray.setToolTip("Bayescope")
            self._tray.messageClicked.connect(self._come_forward)
            self._tray.activated.connect(lambda _: self._come_forward())
        self._tray.show()
        self._tray.showMessage(title, words)

    def _come_forward(self) -> None:
        """The notification was clicked: the window comes to the front, and its sign in the tray goes."""
        if self._tray is not None:
            self._tray.hide()
        self._window.setWindowState(self._window.windowState() & ~Qt.WindowState.WindowMinimized)
        self._window.raise_()
        self._window.activateWindow()

    def about(self) -> None:
        from bayescope.gui.window.about import show_about

        show_about(self._window)

    def show_settings(self) -> None:
        from bayescope.gui.window.settings_dialog import show_settings

        show_settings(self._window, self._settings)
