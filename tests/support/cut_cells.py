"""Texts in tables, choices and tabs that are wider than their place and whole nowhere: in no tool tip, on no second line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import Qt
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
                wraps = table.wordWrap() and " " in text
                place, needed = table.columnWidth(column), option.fontMetrics.horizontalAdvance(text) + 2 * FRAME  # type: ignore[attr-defined]
                if needed > place + 1 and not (wraps and _high_enough(table, index, text, option)):
                    heading = str(model.headerData(column, Qt.Orientation.Horizontal) or "")
                    yield Cut(f"{table.accessibleName()}, {heading}", text, place, needed, str(_tip(table, index)))


def _tip(table: QTableView, index: object) -> str:
    from PySide6.QtGui import QTextDocument

    rich = QTextDocument()
    rich.setHtml(str(table.model().data(index, Qt.ItemDataRole.ToolTipRole) or ""))  # type: ignore[arg-type]
    return rich.toPlainText()


def _high_enough(table: QTableView, index: object, text: str, option: QStyleOptionViewItem) -> bool:
    room = table.columnWidth(index.column()) - 2 * FRAME  # type: ignore[attr-defined]
    metrics = option.fontMetrics  # type: ignore[attr-defined]
    flags = int(Qt.TextFlag.TextWordWrap)
    return bool(metrics.boundingRect(0, 0, room, 10_000, flags, text).height() <= table.rowHeight(index.row()))  # type: ignore[attr-defined]


def choices(widget: QWidget) -> Iterator[Cut]:
    for box in (b for b in widget.findChildren(QComboBox) if b.isVisible()):
        option = QStyleOptionComboBox()
        box.initStyleOption(option)
        room = box.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, box
        ).width()  # fmt: skip
        needed = box.fontMetrics().horizontalAdvance(box.currentText())
        if needed > room:
            yield Cut(box.accessibleName() or type(box).__name__, box.currentText(), room, needed, box.toolTip())


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
