"""Texts in tables, choices and tabs that are wider than their place and whole nowhere: in no tool tip, on no second line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QFontMetrics, QTextDocument
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionViewItem,
    QTabBar,
    QTableView,
    QWidget,
)

from bayescope.gui.widgets.elided import ElidedCombo

FRAME = 6  # pixels that an item view keeps free on each side of a text
MOST_ROWS = 60  # of a table that are looked at: more are not in sight


@dataclass(frozen=True)
class Cut:
    """``where``: the widget's name; ``tip``: what its tool tip says."""

    where: str
    text: str
    width: int
    needed: int
    tip: str

    @property
    def lost(self) -> bool:
        """Whether the whole text can be read nowhere."""
        plain = " ".join(self.tip.split())
        return " ".join(self.text.split()) not in plain

    def __str__(self) -> str:
        return f"{self.where}: {self.text[:80]!r} has {self.width} of {self.needed} pixels"


def cut(widget: QWidget) -> Iterator[Cut]:
    yield from cells(widget)
    yield from choices(widget)
    yield from fields(widget)
    yield from tabs(widget)


def lost(widget: QWidget) -> list[str]:
    return [str(each) for each in cut(widget) if each.lost]


def cells(widget: QWidget) -> Iterator[Cut]:
    for table in (t for t in widget.findChildren(QTableView) if t.isVisible()):
        model = table.model()
        for row in range(min(model.rowCount(), MOST_ROWS)):
            for column in range(model.columnCount()):
                index = model.index(row, column)
                text = str(index.data() or "")
                if table.isColumnHidden(column) or not text or table.columnSpan(row, column) > 1:
                    continue
                option = QStyleOptionViewItem()
                table.initViewItemOption(option)
                table.itemDelegateForIndex(index).initStyleOption(option, index)
                metrics: QFontMetrics = option.fontMetrics  # type: ignore[attr-defined]
                place, needed = table.columnWidth(column), metrics.horizontalAdvance(text) + 2 * FRAME
                if needed > place + 1 and not (table.wordWrap() and _high_enough(table, index, text, metrics)):
                    heading = str(model.headerData(column, Qt.Orientation.Horizontal) or "")
                    tip = _plain(str(index.data(Qt.ItemDataRole.ToolTipRole) or ""))
                    yield Cut(f"{table.accessibleName()}, {heading}", text, place, needed, tip)


def _plain(tip: str) -> str:
    """Of a tool tip that may be rich text."""
    if "<" not in tip and "&" not in tip:
        return tip
    rich = QTextDocument()
    rich.setHtml(tip)
    return rich.toPlainText()


def _high_enough(table: QTableView, index: QModelIndex, text: str, metrics: QFontMetrics) -> bool:
    room = table.columnWidth(index.column()) - 2 * FRAME
    needed = metrics.boundingRect(0, 0, room, 10_000, int(Qt.TextFlag.TextWordWrap), text)
    return needed.width() <= room + 1 and needed.height() <= table.rowHeight(index.row())


def choices(widget: QWidget) -> Iterator[Cut]:
    for box in (b for b in widget.findChildren(QComboBox) if b.isVisible()):
        option = QStyleOptionComboBox()
        box.initStyleOption(option)
        room = box.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, box
        ).width()  # fmt: skip
        needed = box.fontMetrics().horizontalAdvance(box.currentText())
        if needed > room:
            tip = box.shown_tip if isinstance(box, ElidedCombo) else box.toolTip()
            yield Cut(box.accessibleName() or type(box).__name__, box.currentText(), room, needed, _plain(tip))


def fields(widget: QWidget) -> Iterator[Cut]:
    """Of what is typed the caret shows the rest; numbers in boxes that grow no more, and hints in empty fields."""
    for field in (f for f in widget.findChildren(QLineEdit) if f.isVisible()):
        above = field.parentWidget()
        text = field.text() or field.placeholderText()
        needed = field.fontMetrics().horizontalAdvance(text) + 4
        if (isinstance(above, QAbstractSpinBox) or not field.text()) and needed > field.width():
            name = field.accessibleName() or (above.accessibleName() if above is not None else "")
            yield Cut(name, text, field.width(), needed, field.toolTip())


def tabs(widget: QWidget) -> Iterator[Cut]:
    for bar in (b for b in widget.findChildren(QTabBar) if b.isVisible()):
        for k in (k for k in range(bar.count()) if bar.isTabVisible(k)):
            needed, room = bar.fontMetrics().horizontalAdvance(bar.tabText(k)), bar.tabRect(k).width()
            if needed > room:
                yield Cut("tab", bar.tabText(k), room, needed, bar.tabToolTip(k))
