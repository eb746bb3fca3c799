"""Whether the imported values are those of this problem: one simulator run at the best row, before anything is imported."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from bayescope.engine import protocol
from bayescope.engine.archive.interpret import Imported
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.widgets.notices import Notice, label

OFFER = (
    "One run of your simulator at the best row shows whether these values belong to this problem. Nothing is recorded."
)


class ArchiveCheck(QWidget):
    """``offer`` an import; ``agrees``: True, False, None (not checked, or the check could not be made)."""

    changed = Signal()

    def __init__(self, run: AnalysisRun | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._run = run
        self._found: Imported | None = None
        self.running = False
        self.agrees: bool | None = None
        self.words = label(OFFER, "hint", wrap=True)
        self.result = Notice()
        self.button = QPushButton("Check one &row")
        self.button.setToolTip(
            "Runs the simulator once with the parameters of the best row and compares the log density."
        )
        self.button.clicked.connect(self.press)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(10)
        line.addWidget(self.words, 1)
        line.addWidget(self.result, 1)
        line.addWidget(self.button)
        if run is not None:
            run.unrecorded.archive_checked.connect(self._take)
        self.offer(None)

    def offer(self, found: Imported | None) -> None:
        """Another reading of the archive: what was checked before counts no more."""
        self.stop()
        self._found, self.agrees = found, None
        self._show(self._obstacle())

    def stop(self) -> None:
        """End a run under way."""
        if self.running and self._run is not None:
            self._run.unrecorded.cancel_trial_run()
        self.running = False

    def press(self) -> None:
        if self.running:
            self.stop()
            self._show("")
            return
        if self._found is None or self._run is None or self._obstacle():
            return
        self.running = True
        self._show("")
        self._run.unrecorded.check_archive(self._found)

    def _obstacle(self) -> str:
        """Why no simulator run can be made now, a sentence; empty if it can."""
        if self._run is None or self._found is None:
            return ""
        errors = self._run.obstacles()
        if errors:
            return f"It cannot be checked yet: {errors[0].message}"
        return ""

    def _take(self, found: protocol.ArchiveChecked) -> None:
        if not self.running:
            return
        self.running = False
        self.agrees = found.agrees
        self._show("")
        level = {True: "ok", False: "error", None: "warning"}[found.agrees]
        self.words.hide()
        self.result.say(level, found.words)  # type: ignore[arg-type]
        self.changed.emit()

    def _show(self, obstacle: str) -> None:
        self.result.clear()
        self.words.show()
        self.words.setText(obstacle or ("Running the simulator at the best row…" if self.running else OFFER))
        self.button.setText("&Cancel the run" if self.running else "Check one &row")
        self.button.setEnabled(self._found is not None and not obstacle)
        self.setVisible(self._run is not None and self._found is not None)
        self.changed.emit()
