"""Texts cut with an ellipsis where there is little room, whole in their tool tips."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from bayescope.gui.models.plain import tip as plain_tip


class ElidedLabel(QLabel):
    """One line that gives way: drawn with an ellipsis where it has no room, whole in ``text()`` and in the tool tip."""

    def __init__(self, role: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._shorter: tuple[str, ...] = ()
        self._uncut = False  # parts are shown whole or not at all

    def say(self, text: str, tip: str = "", shorter: str | tuple[str, ...] = "", parts: str = "") -> None:
        """``shorter``: the same in fewer words, and in still fewer, where there is no room for all. ``parts``: what ends the
        parts of the text (``; `` or ``. ``), of which the last ones are left out whole rather than cut."""
        fewer = (shorter,) if isinstance(shorter, str) else shorter
        self._shorter = tuple(filter(None, fewer)) or (_beginnings(text, parts) if parts else ())
        self._uncut = parts == "; "
        self.setText(text.replace("\n", " "))
        self.setToolTip(plain_tip(tip or text))
        self.setAccessibleName(text)

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(hint.width() + 4, hint.height())  # of what is drawn, two pixels are left free

    @property
    def shown(self) -> str:
        """As it is drawn."""
        room = self.contentsRect().width() - 2
        words = self.text()
        if self._shorter and self.fontMetrics().horizontalAdvance(words) > room:
            fits = (w for w in self._shorter if self.fontMetrics().horizontalAdvance(w) <= room)
            words = next(fits, self._shorter[-1])
        if self._uncut and self.fontMetrics().horizontalAdvance(words) > room:
            return ""
        cut = self.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, max(room, 10))
        least = 20 if self._shorter else 8  # where there are shorter words, a piece of the shortest says little
        return cut if cut == words or len(cut) > least else ""  # a stump of a word says nothing

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        flags = int(self.alignment() | Qt.TextFlag.TextSingleLine)
        self.style().drawItemText(
            painter, self.contentsRect(), flags, self.palette(), self.isEnabled(), self.shown, self.foregroundRole()
        )
        painter.end()

    @property
    def whole(self) -> str:
        return self.text()


_CLAUSE = re.compile(r" \(|: |; | – ")  # what stands before it says something by itself; before a comma it may not
_ITEM = re.compile(r" \(|, ")  # ... in a list with semicolons it does, but a name before a colon does not


def _beginnings(text: str, end: str) -> tuple[str, ...]:
    """``text`` without its last part, its last two ... down to the first."""
    parts, stop = text.split(end), end.rstrip().replace(";", "")
    found = [end.join(parts[:k]) + stop for k in range(len(parts) - 1, 0, -1)]
    clause = _ITEM if end == "; " else _CLAUSE
    starts = [m.start() for m in clause.finditer(parts[0])]
    closed = [s for s in starts if parts[0].count("(", 0, s) == parts[0].count(")", 0, s)]
    bare = [parts[0][:s] + stop for s in closed]  # what explains the first part is left out last
    return (*found, *reversed(bare))


_QUOTED = re.compile(r"“([^“”]+)”")
WIDEST_LIST = 480  # pixels of a list below a choice


class ElidedCombo(QComboBox):
    """A choice too long for it is cut in the middle; list and tool tip have it whole."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._told = ""  # the tool tip without the choice

    def showPopup(self) -> None:
        widen_list(self)
        super().showPopup()

    def setToolTip(self, tip: str) -> None:
        self._told = tip
        super().setToolTip(tip)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_elided(self)
        if self.toolTip() != self.shown_tip:  # here: where Qt deletes a box in an event that Python filters, it crashes
            super().setToolTip(self.shown_tip)

    @property
    def shown_tip(self) -> str:
        """The tool tip as it comes up: of a choice that is cut, all of it first."""
        text, tip = self.currentText(), self._told
        whole = text in tip or self.fontMetrics().horizontalAdvance(text) <= _room(self)
        return tip if whole else plain_tip(f"{text}\n{tip}".strip())


class FittingCombo(ElidedCombo):
    """Grows and shrinks with its row."""

    def __init__(self, name: str, widest: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self.setMaximumWidth(widest)
        self.currentTextChanged.connect(lambda text: self.setToolTip(f"{name}: {text}"))


def widen_list(combo: QComboBox) -> None:
    """Its list holds the longest choice, within reason."""
    wide = max((combo.fontMetrics().horizontalAdvance(combo.itemText(i)) for i in range(combo.count())), default=0)
    combo.view().setMinimumWidth(min(wide + 40, WIDEST_LIST))


def short_quotes(text: str, fits: Callable[[str], bool]) -> str:
    """``text`` with the ends of its long “quotations” left out word by word until it ``fits``; as it is where that fails."""
    shorter = text
    while not fits(shorter):
        quoted = (m for m in _QUOTED.finditer(shorter) if " " in m[1].removesuffix(" …"))
        longest = max(quoted, key=lambda m: len(m[1]), default=None)
        if longest is None:
            return text
        words = longest[1].removesuffix(" …").rpartition(" ")[0].rstrip()
        shorter = f"{shorter[: longest.start(1)]}{words} …{shorter[longest.end(1) :]}"
    return shorter


def cut_path(text: str, metrics: QFontMetrics, room: int) -> str:
    """``text`` as it fits: cut in its middle, but of the path of a file the whole name, as long as there is room for it."""
    text = short_quotes(text, lambda words: metrics.horizontalAdvance(words) <= room)
    cut = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, room)
    last = f"/{text.rpartition('/')[2]}"
    if "/" not in text or cut == text or cut.endswith(last):
        return cut
    return f"…{last}" if metrics.horizontalAdvance(f"…{last}") <= room else cut


def paint_elided(combo: QComboBox) -> None:
    """A choice too long for it is cut in the middle: names often differ in their ends."""
    painter, option = QStylePainter(combo), QStyleOptionComboBox()
    combo.initStyleOption(option)
    painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
    option.currentText = cut_path(combo.currentText(), combo.fontMetrics(), _room(combo))  # type: ignore[attr-defined]
    painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)


def _room(combo: QComboBox) -> int:
    """Pixels for the words of the current choice."""
    option = QStyleOptionComboBox()
    combo.initStyleOption(option)
    field = QStyle.SubControl.SC_ComboBoxEditField
    return combo.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, combo).width() - 4
