"""Ctrl+F and its kin on a page: they act on the text pane that has the focus, else on the page's main one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from bayescope.gui.widgets.text_pane import TextPane

_KEYS: tuple[tuple[QKeySequence.StandardKey | str, Callable[[TextPane], object]], ...] = (
    (QKeySequence.StandardKey.Find, lambda pane: pane.open_find()),
    ("F3", lambda pane: pane.strip.step(True)),
    ("Shift+F3", lambda pane: pane.strip.step(False)),
    ("F8", lambda pane: pane.step_number(True)),
    ("Shift+F8", lambda pane: pane.step_number(False)),
    ("Ctrl+G", lambda pane: pane.open_line()),
)


def install(page: QWidget) -> None:
    """Give ``page`` the keys; they work while it is seen, wherever in its window the focus is."""
    for key, act in _KEYS:
        shortcut = QShortcut(QKeySequence(key), page)
        shortcut.setContext(Qt.ShortcutContext.WindowShortcut)
        shortcut.activated.connect(lambda act=act: _on(page, act))


def _on(page: QWidget, act: Callable[[TextPane], object]) -> None:
    pane = pane_of(page)
    if pane is not None:
        if not pane.strip.opened:
            pane.setFocus()
        act(pane)


def pane_of(page: QWidget) -> TextPane | None:
    """The pane that has the focus, itself or its find field; else the main one that is seen, else the largest."""
    widget: QWidget | None = page.window().focusWidget()
    while widget is not None and widget is not page:
        if isinstance(widget, TextPane):
            return widget
        widget = widget.parentWidget()
    seen = [pane for pane in page.findChildren(TextPane) if pane.isVisible()]
    return max(seen, key=lambda pane: (pane.main, pane.width() * pane.height()), default=None)
