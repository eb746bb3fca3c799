"""The windows of one running application, each on an analysis of its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QRect, QSize

from bayescope.gui.system.later import later
from bayescope.gui.system.one_application import Door, Request
from bayescope.gui.system.user_settings import settings
from bayescope.gui.window.top_level import come_forward

if TYPE_CHECKING:
    from bayescope.gui.window.main_window import MainWindow

LEAST = QSize(900, 600)  # a further window is rather made smaller than put over the first, down to this
CASCADE = 32  # pixels between a window and the next, so that none hides another


class Windows(QObject):
    """``open`` one; ``listen`` for further starts of the application."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.open_ones: list[MainWindow] = []
        self._door: Door | None = None

    def listen(self) -> None:
        """From now on further starts hand over their files to this application."""
        self._door = Door(self)
        self._door.asked.connect(self.take)

    def take(self, request: Request) -> None:
        """What a further start asks for: its files, each in a window; a file that is open comes forward."""
        for file in request.files:
            shown = self.window_on(Path(file))
            if shown is None:
                self.open(Path(file))
            else:
                come_forward(shown)
        if request.example or not (request.files or request.check):
            self.open(None, request.example)
        if request.check:
            self.check_installation()

    def window_on(self, file: Path) -> MainWindow | None:
        """The window that shows this very file."""
        for window in self.open_ones:
            path = window.controller.file.on_disk
            try:
                if path is not None and path.samefile(file):
                    return window
            except OSError:  # one of the two is gone
                continue
        return None

    def open(self, file: Path | None = None, example: str = "") -> MainWindow:
        """A new window, with the file or the example once it has been painted."""
        from bayescope.gui.analysis.session_controller import SessionController
        from bayescope.gui.window.main_window import MainWindow

        controller = SessionController()
        window = MainWindow(controller, settings())
        if self.open_ones:
            last = self.open_ones[-1]
            if not window.isMaximized():
                frame = last.frameGeometry().size() - last.geometry().size()
                place = beside(last.frameGeometry().topLeft(), window.size() + frame, last.screen().availableGeometry())
                window.move(place.topLeft())
                window.resize(place.size() - frame)
        self.open_ones.append(window)
        window.closed.connect(lambda: self._put_away(window))

        def after_first_paint() -> None:
            if file is not None:
                controller.file.open(file)
            elif example:
                controller.file.open_example(example)
            window.warm_up()
            if not any(other.left_behind.looks for other in self.open_ones):
                window.left_behind.begin()
            if controller.file.empty and window is self.open_ones[0]:
                from bayescope.gui.window.greeting import greet

                greet(window, settings())

        window.first_paint.connect(lambda: later(window, 0, after_first_paint))
        window.show()
        if len(self.open_ones) > 1:
            come_forward(window)
        return window

    def check_installation(self) -> None:
        """In the window in front, or a new one."""
        window = self.open_ones[-1] if self.open_ones else self.open()
        come_forward(window)
        later(window, 0, window.actions_of_window.check_installation)

    def _put_away(self, window: MainWindow) -> None:
        """A closed window and its analysis, once the event that closed it is over."""
        if window in self.open_ones:
            self.open_ones.remove(window)
            window.deleteLater()
            window.controller.deleteLater()


def beside(last: QPoint, size: QSize, area: QRect) -> QRect:
    """Where a further window goes, frame included: lower and further right than the one at ``last``, and whole in ``area``."""
    at = last + QPoint(CASCADE, CASCADE)
    room = QSize(area.right() + 1 - at.x(), area.bottom() + 1 - at.y())
    if room.width() < min(size.width(), LEAST.width()) or room.height() < min(size.height(), LEAST.height()):
        at, room = area.topLeft(), area.size()  # from the corner again
    return QRect(at, size.boundedTo(room))
