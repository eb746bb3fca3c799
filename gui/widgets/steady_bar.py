"""A bar of tabs none of which moves when another one is chosen."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QTabBar


class SteadyBar(QTabBar):
    """The chosen tab has bold letters (the style sheet): every tab is as wide as it would be with them."""

    def tabSizeHint(self, index: int) -> QSize:
        hint = super().tabSizeHint(index)
        if index == self.currentIndex():
            return hint
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        words, keys = self.tabText(index), int(Qt.TextFlag.TextShowMnemonic)
        return hint + QSize(QFontMetrics(bold).size(keys, words).width() - self.fontMetrics().size(keys, words).width(), 0)
