"""What is pointed at stays under the pointer when banners above it come, go or grow."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtGui import QMoveEvent
from PySide6.QtWidgets import QWidget

from bayescope.gui.widgets.scrolling import VerticalScroll

SETTLING = 4  # turns of the event loop until a layout has come to rest


class UnderPointer(QObject):
    """Of ``moving``, a part of a page below its banners: what scrolls in it is scrolled by as much as the banners move it."""

    def __init__(self, moving: QWidget) -> None:
        super().__init__(moving)
        self._moving = moving
        self._new = 0  # turns of the event loop until what is on show has its place: nobody has pointed at it yet
        moving.installEventFilter(self)

    def shown_anew(self) -> None:
        """Another part is on show: it begins at its top."""
        running, self._new = self._new > 0, SETTLING
        if not running:
            QTimer.singleShot(0, self, self._turn)

    def _turn(self) -> None:
        self._new -= 1
        if self._new > 0:
            QTimer.singleShot(0, self, self._turn)

    @property
    def settling(self) -> bool:
        """Whether what is on show has no place yet that anybody pointed at."""
        return self._new > 0

    def pointed(self, moved: int = 0) -> VerticalScroll | None:
        """What scrolls and is pointed at, or was before all moved down by so many pixels."""
        if self.settling:
            return None
        return next((area for area in self._moving.findChildren(VerticalScroll) if area.pointed_at(moved)), None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show:
            self.shown_anew()
        elif event.type() == QEvent.Type.Move and isinstance(event, QMoveEvent):
            by = event.pos().y() - event.oldPos().y()
            if by and (area := self.pointed(by)) is not None:
                area.pushed(by)
        return False
