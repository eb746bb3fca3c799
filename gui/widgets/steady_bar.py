"""A bar of tabs none of which moves when another one is chosen; chosen by its key, it has the keyboard."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QTabBar, QWidget


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

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.Shortcut:
            self._take_focus()
        return done

    def _take_focus(self) -> None:
        """Where Qt found no field in the tab, the focus would be on what takes no keys, or on what comes next in the window."""
        around, here = self.parentWidget(), self.window().focusWidget()
        inside = isinstance(around, QWidget) and here is not None and around.isAncestorOf(here)
        if not inside or here is None or not here.isVisible() or here.focusPolicy() == Qt.FocusPolicy.NoFocus:
            self.setFocus(Qt.FocusReason.ShortcutFocusReason)
