"""Help > Check this installation: ``bayescope self-test`` of this very program, line by line, as a report to copy."""

from __future__ import annotations

import os

from PySide6.QtCore import QProcess, qVersion
from PySide6.QtGui import QCloseEvent, QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from bayescope.engine.machine.frozen import this_program
from bayescope.gui.style.icons import icon

END_MS = 5000  # patience before a check that is given up is killed
_UNDER_WAY = "Bayescope runs an example on this computer, kills and resumes it, and compares the answer with a stored one. "


class CheckInstallation(QDialog):
    """``start`` the check; ``finished_well`` is True or False once it is over, None before."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("check-installation")
        self.setWindowTitle("Check this installation")
        self.resize(760, 420)
        self.finished_well: bool | None = None
        self.words = QLabel(f"{_UNDER_WAY}That takes about half a minute.")
        self.words.setWordWrap(True)
        self.report = QPlainTextEdit(readOnly=True)
        self.report.setAccessibleName("Report of the check")
        self.report.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.copy_button = QPushButton(icon("copy"), "&Copy report")
        self.copy_button.setToolTip("Copy everything said here, to paste it into a message")
        self.copy_button.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.as_text()))
        self.close_button = QPushButton("Close")
        self.close_button.clicked.connect(self.close)
        row = QHBoxLayout()
        row.addWidget(self.copy_button)
        row.addStretch(1)
        row.addWidget(self.close_button)
        box = QVBoxLayout(self)
        box.setContentsMargins(20, 18, 20, 16)
        box.setSpacing(12)
        box.addWidget(self.words)
        box.addWidget(self.report, 1)
        box.addLayout(row)
        self._process: QProcess | None = None
        self.report.setPlainText(
            f"Window: Qt {qVersion()} on {QGuiApplication.platformName()}, "
            f"{self.devicePixelRatioF():g} x, {os.environ.get('XDG_CURRENT_DESKTOP', 'no desktop named')}\n"
        )

    def start(self) -> None:
        program, *arguments = [*this_program(), "self-test"]
        self._process = QProcess(self)
        self._process.setProcessChannelMode(QProcess.ProcessChannelMode.MergedChannels)
        self._process.readyReadStandardOutput.connect(self._read)
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_error)
        self._process.start(program, arguments)

    def as_text(self) -> str:
        return self.report.toPlainText()

    def _read(self) -> None:
        if self._process is None:
            return
        text = bytes(self._process.readAllStandardOutput().data()).decode("utf-8", "replace")
        self.report.moveCursor(self.report.textCursor().MoveOperation.End)
        self.report.insertPlainText(text)
        self.report.ensureCursorVisible()

    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        self._read()
        self.finished_well = code == 0 and status == QProcess.ExitStatus.NormalExit
        self.words.setText(self._conclusion())

    def _conclusion(self) -> str:
        lines = self.as_text().splitlines()
        if self.finished_well:
            return "This installation is as it should be."
        if any(line.startswith("UNSURE ") for line in lines) and not any(line.startswith("WRONG ") for line in lines):
            return (
                "Nothing wrong was found, but not everything could be checked, for a reason outside this installation: see the "
                "lines that begin with UNSURE."
            )
        return (
            "Something is wrong with this installation: see the lines that begin with WRONG, and the last line. If installing "
            "Bayescope again does not help, copy the report and send it to somebody who helps."
        )

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart and self._process is not None:
            self.finished_well = False
            self.words.setText(f"The check could not be started: {self._process.errorString()}. Install Bayescope again.")

    def closeEvent(self, event: QCloseEvent) -> None:
        """A check that is given up is ended; it cleans up after itself."""
        if self._process is not None and self._process.state() != QProcess.ProcessState.NotRunning:
            self._process.terminate()
            if not self._process.waitForFinished(END_MS):
                self._process.kill()
                self._process.waitForFinished(END_MS)
        super().closeEvent(event)
        self.deleteLater()


def show_check(window: QWidget) -> CheckInstallation:
    """Open and start it, or bring forward the one that is open."""
    found = window.findChild(CheckInstallation)
    if found is None:
        found = CheckInstallation(window)
        found.show()
        found.start()
    found.raise_()
    found.activateWindow()
    return found
