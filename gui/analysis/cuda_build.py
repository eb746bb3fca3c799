"""The CUDA build of PyTorch as the window sees it: ``bayescope cuda`` of this very program, one for the whole application.

It goes on while its dialog is closed; when the application ends it pauses, and the next one goes on from there.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec
from PySide6.QtCore import QCoreApplication, QObject, QProcess, Signal

from bayescope.engine.cuda import card, places
from bayescope.engine.cuda.card import Card
from bayescope.engine.cuda.install import Step, bytes_to_come
from bayescope.engine.cuda.wheels import WheelSet, bundled, from_file, why_none
from bayescope.engine.machine.frozen import this_program
from bayescope.engine.machine.thread_start import thread_or_words

State = Literal["absent", "partial", "working", "pausing", "installed", "removing"]
END_MS = 5000  # patience before it is killed; what has come is kept then too
MOST_WORDS = 2000


class CudaBuild(QObject):
    """``cards``: None until the driver has answered. ``words``: how the last attempt ended, if badly."""

    changed = Signal()
    _answered = Signal(object)

    def __init__(self, parent: QObject | None = None, wheels_file: str = "") -> None:
        """``wheels_file``: another list of files than the one that came along."""
        super().__init__(parent)
        self._options = ["--wheels", wheels_file] if wheels_file else []
        self.wheels: WheelSet = from_file(Path(wheels_file)) if wheels_file else bundled()
        self.place = places.own()
        self.cards: list[Card] | None = None
        self.step: Step | None = None
        self.words = ""
        self._process: QProcess | None = None
        self._doing: State = "absent"
        self._said = ""
        self._answered.connect(self._on_cards)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.shut_down)

    def look(self) -> None:
        """Ask the driver for its cards; it may take seconds."""
        thread_or_words(lambda words: self._on_cards([]), lambda: self._answered.emit(card.cards()), "cards")

    @property
    def state(self) -> State:
        if self._process is not None:
            return self._doing
        if self.place.installed() is not None:
            return "installed"
        return "partial" if self.to_come < sum(w.size for w in self.wheels.needed()) else "absent"

    @property
    def to_come(self) -> int:
        """Bytes that are still to be downloaded."""
        return bytes_to_come(self.wheels, self.place)

    @property
    def useless(self) -> str:
        """Why it would not help on this computer; empty where it would, or while that is not known."""
        return why_none(self.wheels) or ("" if self.cards is None else card.why_useless(self.cards, self.wheels))

    @property
    def for_everybody(self) -> str:
        """The folder where an administrator has installed it; empty where nobody has, or this user has one of their own."""
        found = places.in_use()
        return str(found[0].root) if found is not None and found[0].root != self.place.root else ""

    def start(self) -> None:
        """Download, or go on; the user has agreed."""
        self.step, self.words = None, ""
        self._run("working", ["install", "--yes", "--progress", *self._options])

    def pause(self) -> None:
        """What has come is kept."""
        if self._process is not None and self._doing == "working":
            self._doing = "pausing"
            self._process.closeWriteChannel()
            self.changed.emit()

    def remove(self) -> None:
        self.words = ""
        self._run("removing", ["remove"])

    def shut_down(self) -> None:
        """Pause, and wait for it; the application ends."""
        process, self._process = self._process, None
        if process is not None:
            process.closeWriteChannel()
            if not process.waitForFinished(END_MS):
                process.kill()
                process.waitForFinished(END_MS)

    def _run(self, doing: State, words: list[str]) -> None:
        if self._process is not None:
            return
        command = [*this_program(), "cuda", *words]
        self._doing, self._said = doing, ""
        self._process = QProcess(self)
        self._process.readyReadStandardOutput.connect(self._read)
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_error)
        self._process.start(command[0], command[1:])
        self.changed.emit()

    def _read(self) -> None:
        while self._process is not None and self._process.canReadLine():
            line = bytes(self._process.readLine().data())
            try:
                self.step = msgspec.json.decode(line, type=Step)
            except msgspec.DecodeError:
                self._said = line.decode("utf-8", "replace").strip()
        self.changed.emit()

    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        self._read()
        process, paused = self._process, self._doing == "pausing"
        self._process = None
        if process is None:
            return
        if code != 0 and not paused:
            error = bytes(process.readAllStandardError().data()).decode("utf-8", "replace").strip()
            words = error.removeprefix("bayescope: ") or self._said or f"It ended with status {code}."
            self.words = words[:1].upper() + words[1:MOST_WORDS]
        process.deleteLater()
        self.changed.emit()

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart and self._process is not None:
            self.words = f"It could not be started: {self._process.errorString()}. Install Bayescope again."
            self._process = None
            self.changed.emit()

    def _on_cards(self, cards: list[Card]) -> None:
        self.cards = cards
        self.changed.emit()


def cuda_build() -> CudaBuild:
    """That of this application."""
    application = QCoreApplication.instance()
    found = None if application is None else application.findChild(CudaBuild)
    return found if found is not None else CudaBuild(application)
