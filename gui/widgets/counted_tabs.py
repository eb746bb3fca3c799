"""Tabs that are numbered in the order in which they stand, and all in sight as long as shorter words make that possible."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QWidget

from bayescope.gui.style.theme import repolish
from bayescope.gui.widgets.scrolling import LowTabs
from bayescope.gui.widgets.steady_bar import SteadyBar

KEYS = "1234567890"  # Alt and this key opens the tab: as they stand on the keyboard
FORMS: tuple[tuple[str, bool], ...] = (("", False), ("dense", False), ("dense", True), ("tight", True))  # kind, short titles


class CountedTabs(LowTabs):
    """``add`` instead of ``addTab``, and ``show_part`` instead of ``setTabVisible``."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTabBar(SteadyBar())
        self._titles: list[tuple[str, str]] = []
        self._form = FORMS[0]

    def add(self, part: QWidget, title: str, short: str = "") -> None:
        """``short``: where there is little room."""
        self._titles.append((title, short or title))
        self.addTab(part, title)
        self._fit()

    def show_part(self, part: QWidget, on: bool) -> None:
        k = self.indexOf(part)
        if self.isTabVisible(k) != on:
            self.setTabVisible(k, on)
            self._fit()

    def _fit(self) -> None:
        """The roomiest form in which all are in sight; the tightest where none is."""
        for form in FORMS:
            self._write(form)
            if self.tabBar().sizeHint().width() <= self.width():
                return

    def _write(self, form: tuple[str, bool]) -> None:
        if form[0] != self._form[0]:
            self.tabBar().setProperty("kind", form[0])
            repolish(self.tabBar())
            QApplication.sendEvent(self.tabBar(), QEvent(QEvent.Type.StyleChange))  # else it keeps the widths it had
        self._form = form
        keys = iter(KEYS)
        for k, titles in enumerate(self._titles):
            key = next(keys, "") if self.isTabVisible(k) else ""
            words = f"&{key}{' ' if form[1] else '  '}{titles[form[1]]}" if key else titles[form[1]]
            if self.tabText(k) != words:
                self.setTabText(k, words)
            self.setTabToolTip(k, titles[0] if form[1] and titles[0] != titles[1] else "")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()
