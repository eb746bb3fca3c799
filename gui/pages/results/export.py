"""Export tab: everything that can be taken out of an analysis."""

from __future__ import annotations

import contextlib
import threading
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QGridLayout, QPushButton, QVBoxLayout, QWidget

from bayescope.gui.analysis import session_files
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.export_process import ExportFailed, ExportProcess
from bayescope.gui.dialogs.file_questions import ask
from bayescope.gui.dialogs.messages import ask as question
from bayescope.gui.dialogs.messages import ask_where_to_save, reveal
from bayescope.gui.models.plain import elided, one_line
from bayescope.gui.models.results.exports import Export, exports
from bayescope.gui.widgets.forms import beside, card, scrolled
from bayescope.gui.widgets.notices import Notice, label
from bayescope.gui.widgets.number_boxes import CountBox

_WORDS = ("Save…", "Cancel")  # of a button, by whether pressing it cancels
MOST_PATH = 60  # characters said of where files are saved


class ExportTab(QWidget):
    """``figures_asked``: the page shows the figures, which have their own save buttons."""

    figures_asked = Signal()
    finished = Signal(bool)  # an export is there (True) or could not be written
    _done = Signal(object)

    def __init__(self, file: AnalysisFile, run: AnalysisRun, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.file, self.run = file, run
        self.message = Notice()
        self.message.pressed.connect(self._open_written)
        self.message.dismissed.connect(self._open_folder)
        self._written: Path | None = None
        self._writing: dict[str, ExportProcess | None] = {}  # by key; those with a process can be cancelled
        self._pressed: QPushButton | None = None
        self._done.connect(self._say)
        self.count = CountBox(100, 1_000_000, 10_000)
        self.count.setAccessibleName("Number of samples")
        self.count.setSingleStep(1000)
        self.count.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.seed = CountBox(0, 2_000_000_000, 0, groups=False)
        self.seed.setAccessibleName("Seed of the samples")
        self.seed.setToolTip("The same seed gives the same samples.")
        self.buttons: dict[str, QPushButton] = {}
        grid = QGridLayout()
        grid.setHorizontalSpacing(20)
        grid.setVerticalSpacing(10)
        grid.setColumnStretch(0, 1)
        self._exports = exports()
        for row, export in enumerate(self._exports):
            words = QVBoxLayout()
            words.setSpacing(2)
            words.addWidget(label(export.title, "heading"))
            words.addWidget(label(f"{export.words} {export.unavailable}".strip(), "hint", wrap=True))
            button = QPushButton()
            button.clicked.connect(lambda on=False, e=export: self._cancel(e) if e.key in self._writing else self._ask(e))
            self.buttons[export.key] = button
            _call(button, export, cancels=False)
            grid.addLayout(words, row, 0)
            grid.addWidget(button, row, 1, Qt.AlignmentFlag.AlignTop)
        figures = QVBoxLayout()
        figures.setSpacing(2)
        figures.addWidget(label("Figures", "heading"))
        figures.addWidget(label("Each figure has a save button in its corner: PNG, SVG or PDF.", "hint", wrap=True))
        self.figures_button = QPushButton("Show figures")
        self.figures_button.clicked.connect(self.figures_asked)
        grid.addLayout(figures, len(self._exports), 0)
        grid.addWidget(self.figures_button, len(self._exports), 1, Qt.AlignmentFlag.AlignTop)
        body = QWidget()
        body.setLayout(grid)
        grid.setContentsMargins(0, 0, 0, 0)
        samples = beside(label("Number of samples"), self.count, label("Seed"), self.seed, 1)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 12, 0, 0)
        box.setSpacing(10)
        box.addWidget(self.message)  # above, where it is in sight in a low window; its room always there: no row moves
        box.addWidget(scrolled(card(body, samples, title="Take the result with you", spacing=16)), 1)
        self.message.keep_room("Open folder")
        self._keep_widths()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and self.layout() is not None:
            self._keep_widths()

    def _keep_widths(self) -> None:
        """Buttons have the room of both of their words, so that nothing moves."""
        for button in self.buttons.values():
            shown = button.text()
            for words in _WORDS:
                button.setText(words)
                button.setMinimumWidth(max(button.minimumWidth(), button.sizeHint().width()))
            button.setText(shown)

    def refresh(self) -> None:
        ready = self.run.data.answer is not None and self.file.on_disk is not None
        runs = bool(self.run.data.evaluations)
        for export in self._exports:
            there = not export.unavailable and (ready or (runs and export.key == "evaluations"))
            process = self._writing.get(export.key)
            cancels = process is not None and not process.cancelled
            self.buttons[export.key].setEnabled(cancels or (there and export.key not in self._writing))
            _call(self.buttons[export.key], export, process is not None)
        self.figures_button.setEnabled(ready)
        if self.message.level is None:  # its room is kept: it says where, until there is something else to say
            folder = elided(str(ask.saves_in(self.file.place)), MOST_PATH)
            self.message.say("info", f"What you save here goes to {folder}, unless you choose another place.")

    def forget(self) -> None:
        """Another analysis is shown: what was saved of the one before is not said beside it."""
        if not self._writing:
            self._written = None
            self.message.clear()
        self.refresh()

    def _ask(self, export: Export) -> None:
        if not self._settle_name(export):
            return
        proposed = self.file.place / f"{session_files.safe_stem(self.file.title)}-{export.suffix}"
        ending = proposed.suffix
        path = ask.target(self, f"Save {export.title.lower()}", proposed, export.filter, [ending], export.beside)
        if path is not None:
            self.write(export.key, path)

    def _settle_name(self, export: Export) -> bool:
        """What names the session's file is better written once it has one. False: it is not to be written now."""
        if not export.names_file or self.file.path is not None or self.run.active:
            return True
        answer = question(
            self.window(),
            f"Save {export.title.lower()}",
            "Save this analysis first?",
            "What is written names the file of the analysis, for whoever wants to repeat it; there is none yet.",
            ("&Save…", "accept"),
            ("&Export anyway", "destroy"),
            ("Cancel", "cancel"),
        )
        if answer != "Save…":
            return answer == "Export anyway"
        path = ask_where_to_save(self.window(), self.file.title, self.file.place)
        return path is not None and self.file.save_as(path)

    def _cancel(self, export: Export) -> None:
        process = self._writing.get(export.key)
        if process is not None:
            process.cancel()
            self.refresh()

    def write(self, key: str, path: Path) -> None:
        """Write one export in a thread of its own; ``finished`` comes when it is there, or when a sentence says why not.

        A file of that name is replaced: ``ask`` was told so. Others can be written meanwhile.
        """
        export = next(e for e in self._exports if e.key == key)
        file = self.file.on_disk
        if file is None:
            self.message.say("error", "There is nothing to export yet.")
            return
        count, seed = self.count.value(), self.seed.value()
        process = ExportProcess() if export.option else None
        self._writing[key] = process
        if process is None and self.window().focusWidget() is self.buttons[key]:
            self._pressed = self.buttons[key]
            self.setFocus()  # a button that is disabled would hand the focus, and the next key, to the one below
        self.refresh()
        self._say_writing()

        def work() -> None:
            outcome = _written(export, process, file, path, count, seed)
            with contextlib.suppress(RuntimeError):  # the window was closed meanwhile; the file is there all the same
                self._done.emit(outcome)

        try:
            threading.Thread(target=work, name="export").start()
        except RuntimeError as error:
            words = f"{export.title} was not saved: this computer has no room for another thread ({error})."
            self._say(_Outcome(export, path, words, "Close other programs and try again."))

    def _say_writing(self) -> None:
        slow = any(self._writing.values())
        words = "This takes some seconds; everything else can be used meanwhile." if slow else ""
        self.message.say("info", f"{self._under_way('Writing', '…')} {words}".strip())

    def _under_way(self, word: str, end: str) -> str:
        """What is being written, with ``word`` before it and ``end`` behind; nothing: nothing is."""
        titles = [e.title.lower() for e in self._exports if e.key in self._writing]
        return f"{word} {' and '.join(titles)}{end}" if titles else ""

    def _say(self, outcome: _Outcome) -> None:
        process = self._writing.pop(outcome.export.key, None)
        self.refresh()
        if self._pressed is self.buttons[outcome.export.key]:
            if self.window().focusWidget() is self:
                self._pressed.setFocus()
            self._pressed = None
        title, cancelled = outcome.export.title, process is not None and process.cancelled
        if outcome.words:
            self.message.say("error", outcome.words, f"{outcome.suggestion} {self._under_way('Still writing', '.')}".strip())
        elif cancelled:
            self.message.say("info", f"{title} cancelled: nothing was written.", self._under_way("Still writing", "."))
        else:
            self._written = outcome.path
            report = outcome.export.key == "report"
            buttons = ("Open report", "Open folder") if report else ("Open folder", "")
            said = f"{title} saved as {one_line(str(outcome.path), 160)}."
            self.message.say("ok", said, self._under_way("Still writing", "."), *buttons)
        self.finished.emit(not outcome.words and not cancelled)

    def _open_written(self) -> None:
        """The report in the browser; of the other files their folder."""
        if self._written is not None and self._written.suffix == ".html":
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._written)))
        else:
            self._open_folder()

    def _open_folder(self) -> None:
        if self._written is not None:
            reveal(self._written.parent)


@dataclass(frozen=True)
class _Outcome:
    """``words``: what went wrong, or empty."""

    export: Export
    path: Path
    words: str = ""
    suggestion: str = ""


def _call(button: QPushButton, export: Export, cancels: bool) -> None:
    """What pressing it does, in its words."""
    button.setText(_WORDS[cancels])
    button.setAccessibleName(f"{'Cancel' if cancels else 'Save'} {export.title.lower()}")
    button.setToolTip("End writing; nothing is left of it." if cancels else export.unavailable or export.words)


def _written(export: Export, process: ExportProcess | None, file: Path, path: Path, count: int, seed: int) -> _Outcome:
    """Write ``export`` of the session ``file``; what went wrong is said in a sentence. Runs in any thread."""
    from bayescope.engine.session.errors import SessionError
    from bayescope.engine.session.store import SessionStore

    try:
        if process is not None:
            process.run(file, export.option, path, count, seed)
        elif export.write is not None:
            with SessionStore.open(file, mode="read") as store:
                export.write(store, path, count, seed)
    except SessionError as error:
        return _Outcome(export, path, f"{export.title} could not be saved. {error.what}", error.suggestion)
    except ExportFailed as error:
        return _Outcome(export, path, f"{export.title} could not be saved. {error}")
    except Exception as error:  # somebody waits for it
        reason = getattr(error, "strerror", None) or str(error)
        words = f"{export.title} could not be saved as {one_line(str(path), 120)}: {reason}."
        return _Outcome(export, path, words, "Choose another folder.")
    return _Outcome(export, path)
