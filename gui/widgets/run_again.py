"""Stored runs made again: whether the program still gives the same, in words, with the runs that differ named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QProgressBar, QPushButton, QSpinBox, QVBoxLayout, QWidget

from bayescope.engine import protocol
from bayescope.engine.session import rows
from bayescope.engine.session.codec import CodecError
from bayescope.engine.session.replayed import MOST, USUAL, Replay
from bayescope.gui.widgets.notices import Level, Notice, label

if TYPE_CHECKING:
    from bayescope.gui.analysis.analysis_file import AnalysisFile
    from bayescope.gui.analysis.analysis_run import AnalysisRun

EXPLAINED = (
    "The best run and others far from it and from each other are made again, with the same values and seeds, and compared. "
    "Nothing is added to the analysis."
)
LINES = 4  # of the sentences below the result; more are scrolled


class RunAgainPart(QWidget):
    """A line below the list: a button that asks how many; progress and cancel; the result, which stays in sight."""

    run_chosen = Signal(object)  # evaluation index, any whole number of a file: show that run

    def __init__(self, file: AnalysisFile, run: AnalysisRun, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.file, self.run = file, run
        self._file = file.on_disk
        self.open_button = QPushButton("Run some &again…")
        self.open_button.setCheckable(True)
        self.open_button.setToolTip("Does the program still give the same? Makes some of these runs again and compares.")
        self.open_button.toggled.connect(lambda on: self.refresh())
        self.summary = label("", "hint", wrap=True)
        self.runs = QSpinBox()
        self.runs.setRange(1, MOST)
        self.runs.setValue(USUAL)
        self.runs.setAccessibleName("Runs to make again")
        self.runs.setToolTip(f"{USUAL} find out a program that gives another value in half of its runs, with 97 % probability.")
        self.runs.valueChanged.connect(lambda count: self.refresh())
        self.button = QPushButton()
        self.button.clicked.connect(self._pressed)
        self.progress = QProgressBar()
        self.progress.setAccessibleName("Runs made again that have ended")
        self.progress.setTextVisible(False)
        self.explained = label(EXPLAINED, "hint", wrap=True)
        self.message = Notice()
        self.message.pressed.connect(self._show_first)
        self.details = QPlainTextEdit()
        self.details.setReadOnly(True)
        self.details.setTabChangesFocus(True)
        self.details.setAccessibleName("What differs, run by run")
        self.details.setFixedHeight(LINES * self.fontMetrics().lineSpacing() + 18)
        line = QHBoxLayout()
        line.setSpacing(8)
        for widget, stretch in ((self.open_button, 0), (self.runs, 0), (self.button, 0), (self.progress, 1), (self.summary, 3)):
            line.addWidget(widget, stretch, Qt.AlignmentFlag.AlignVCenter)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(6)
        box.addLayout(line)
        for part in (self.explained, self.message, self.details):
            box.addWidget(part)
        run.unrecorded.replay_changed.connect(self.refresh)
        run.unrecorded.replay_done.connect(self._take)
        file.changed.connect(self._session_changed)
        run.state_changed.connect(lambda *_: self.refresh())
        run.places.changed.connect(self.refresh)
        self.record: Replay | None = None
        self._read()

    # ---------------------------------------------------------------- what is known

    def refresh(self) -> None:
        replaying, obstacle, runs = self.run.unrecorded.replaying, self._obstacle(), self.runs.value()
        opened = self.open_button.isChecked() and not replaying
        done, total = self.run.unrecorded.replayed
        self.open_button.setVisible(not replaying)
        self.button.setText("Cancel" if replaying else f"Start {runs} run{'s' if runs != 1 else ''}")
        self.button.setToolTip("Ends those under way; what is compared already is kept." if replaying else "")
        self.button.setEnabled(replaying or not obstacle)
        self.button.setVisible(opened or replaying)
        self.runs.setVisible(opened)
        where = self.run.places.where
        self.explained.setText(EXPLAINED + (f" They run at “{where}”, as the analysis does." if where else ""))
        self.explained.setVisible(opened)
        self.progress.setVisible(replaying)
        self.progress.setRange(0, max(total, 1))
        self.progress.setValue(done)
        if replaying:
            self._say("info", "")
            self.summary.setText(f"{done} of {total} made again")
        elif opened or self.record is None:
            self.summary.setText(obstacle if opened else "Not checked yet: do stored runs, tried a second time, give the same?")
        else:
            begun = sum(e.started_at > self.record.at for e in self.run.data.evaluations)  # those made again are new ones too
            since = max(self.run.n_runs - self.record.evaluations, begun)
            later = f" The {since} made since then are not checked." if since > 1 else " The one made since then is not checked."
            said = f"Checked {self.record.when()}, when {self.record.evaluations} runs were stored."
            self.summary.setText(said + (later if since > 0 else ""))

    def _obstacle(self) -> str:
        """Why none can be made again now, a sentence; empty if they can."""
        if self.run.active:
            return "The analysis is running: stop it first, or wait for its end."
        if not self.run.n_runs or self.file.on_disk is None:
            return "There is no finished run yet that could be made again."
        return ""

    def _session_changed(self) -> None:
        if self.file.on_disk != self._file:
            self._file = self.file.on_disk
            self._read()
        else:
            self.refresh()

    def _read(self) -> None:
        """What the file says of an earlier time."""
        self._show_record(self.run.stored.last_replay())
        self.refresh()

    # ---------------------------------------------------------------- start and result

    def _pressed(self) -> None:
        if self.run.unrecorded.replaying:
            self.run.unrecorded.cancel_trial_run()
        else:
            self.run.unrecorded.replay(self.runs.value())

    def _take(self, found: protocol.ReplayDone) -> None:
        if found.session == str(self.file.on_disk):
            try:
                record = rows.replay_of(found.record_json) if found.record_json else None
            except CodecError as error:
                record, found = None, protocol.ReplayDone(session=found.session, words=f"The result is damaged: {error}.")
            self.open_button.setChecked(record is None and self.open_button.isChecked())
            if record is None:
                self._say("warning", found.words)
            else:
                self._show_record(record, found.words)
        self.refresh()

    def _show_record(self, record: Replay | None, more: str = "") -> None:
        self.record = record
        if record is None:
            self._say("info", "")
            return
        details = [*record.sentences(), *filter(None, [more])]
        if record.agrees:
            self._say("info" if record.note else "ok", record.headline(), " ".join(details))
            return
        self._say("warning", record.headline(), button=f"Show run {record.differing[0].index}")
        self.details.setPlainText("\n".join(details))
        self.details.show()

    def _say(self, level: Level, words: str, suggestion: str = "", button: str = "") -> None:
        """In the banner; no words: nothing is to be said."""
        self.message.say(level, words, suggestion, button)
        self.details.clear()
        self.details.hide()

    def _show_first(self) -> None:
        if self.record is not None and self.record.differing:
            self.run_chosen.emit(self.record.differing[0].index)
