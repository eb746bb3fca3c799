"""Dialogs, answered while the action that opened them waits; no timer outlives that action."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox, QFileDialog, QLineEdit, QWidget

from hands.find import LOOK
from hands.mouse import LEFT, Mouse

PATIENCE_S = 55.0  # until a path that the dialog does not take is given up: it reads the folder first, late on a busy machine


class Hands(Mouse):
    """The mouse and the keyboard of one user on a real window."""

    def dialog(self, button: str, acts: Callable[[], None]) -> None:
        """A click on a button that opens a dialog, and what is done there; it must have opened, and be gone afterwards."""
        with self._answering(lambda dialog: self._act(dialog, acts)) as answered:
            self.click(button)
        assert answered, f"{button!r} opened no dialog"

    def click_and_answer(self, button: str, answer: str) -> None:
        """A click on a button that may ask a question, which is answered by a click as well."""
        with self._answering(lambda dialog: self._act(dialog, lambda: self.click(answer))):
            self.click(button)

    def file(self, button: str, *paths: Path, nth: int = 0) -> None:
        """A click on a button that asks for files, and their paths typed there: two actions."""
        self._file(lambda: self.click(button, nth=nth), button, paths)

    def file_by_key(self, keys: str, *paths: Path) -> None:
        """Keys that ask for files, and their paths typed there: two actions."""
        self._file(lambda: self.key(keys), keys, paths)
        self.window.activateWindow()
        self.wait(self.window.isActiveWindow, 10)  # Alt keys are those of the active window

    def _file(self, asks: Callable[[], None], button: str, paths: tuple[Path, ...]) -> None:
        words = " ".join(f'"{p}"' for p in paths) if len(paths) > 1 else str(paths[0])
        end = time.monotonic() + PATIENCE_S

        def write(dialog: QWidget) -> bool:
            """Whether the dialog has been answered; it takes in what was typed on a later turn."""
            if not isinstance(dialog, QFileDialog):
                raise AssertionError(f"{button!r} asks for no file, but: {dialog.windowTitle()}")
            field = dialog.findChild(QLineEdit, "fileNameEdit")
            box = dialog.findChild(QDialogButtonBox)
            assert isinstance(field, QLineEdit)
            assert isinstance(box, QDialogButtonBox)
            popup = QApplication.activePopupWidget()  # the dialog's list of names that fit takes the keys
            if popup is not None:
                popup.close()
            agree = box.buttons()[0]
            assert time.monotonic() < end, f"{words!r} is not taken; in the field stands {field.text()!r}"
            if field.text() != words:
                field.selectAll()
                QTest.keyClicks(field, words)
            elif agree.isEnabled():
                QTest.mouseClick(agree, LEFT)
            return not dialog.isVisible()

        with self._answering(write) as answered:
            asks()
        assert answered, f"{button!r} asked for no file"
        self.done(f"type {words}")

    def _act(self, dialog: QWidget, acts: Callable[[], None]) -> bool:
        acts()
        self.wait(lambda: not dialog.isVisible(), 10)
        return True

    @contextmanager
    def _answering(self, answer: Callable[[QWidget], bool]) -> Iterator[list[bool]]:
        """While the action within waits: looks for a dialog and gives it to ``answer`` until that says True (in the list)."""
        answered: list[bool] = []
        errors: list[BaseException] = []
        before = QApplication.activeModalWidget()
        timer = QTimer(interval=LOOK)

        def look() -> None:
            dialog = QApplication.activeModalWidget()
            if dialog is None or dialog is before or not dialog.isVisible():
                return
            timer.stop()  # the answer takes turns of its own
            try:
                if answer(dialog):
                    answered.append(True)
                else:
                    timer.start()
            except BaseException as error:  # told after the dialog, which would stay open else
                errors.append(error)
                if isinstance(dialog, QDialog):
                    dialog.reject()

        timer.timeout.connect(look)
        timer.start()
        try:
            yield answered
        finally:
            timer.stop()
            timer.deleteLater()
            if QApplication.activeWindow() is None:
                self.window.activateWindow()  # as every window manager does; the offscreen platform has none
        if errors:
            raise errors[0]
