"""Parts in one place of fixed height, so that nothing below or above moves when another one is shown."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget


class Steady(QStackedWidget):
    """As high as its tallest page, whichever is shown and whatever the others say. ``more``: pixels beside, for a long list."""

    def __init__(self, tallest: QWidget) -> None:
        super().__init__()
        self._tallest, self.more = tallest, 0
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def grow(self, more: int) -> None:
        if more != self.more:
            self.more = more
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._tallest.sizeHint().height() + self.more)

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self._tallest.sizeHint().height() + self.more)

    def hasHeightForWidth(self) -> bool:
        return False
