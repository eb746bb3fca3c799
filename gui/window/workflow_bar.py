"""The bar on top: the way from the program to the posterior, what is done, what is missing, why a step is locked."""

from __future__ import annotations

import re

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QFrame, QHBoxLayout, QSizePolicy, QWidget

from bayescope.gui.models.plain import tip
from bayescope.gui.models.step_status import Status
from bayescope.gui.style.icons import paint_icon
from bayescope.gui.style.theme import theme

STEPS = (
    ("simulator", "&Simulator"),
    ("parameters", "&Parameters"),
    ("data", "&Data"),
    ("run", "&Run"),
    ("results", "R&esults"),
)
_SPOKEN = {"done": "complete", "todo": "to do", "locked": "locked", "error": "needs attention", "busy": "working"}
AROUND = 5  # pixels above and below what a step shows
BADGE = 26.0  # pixels: of the number or sign
# a bracket within a sentence belongs to a name: band 1 (c/a)
_CLAUSE = re.compile(r"[,;:.] | \((?=(?:[^()]|\([^()]*\))*\)[.,;:?]?$)")
MOST_LINES = 2  # of the words below a step's name: what a step asks for stands whole in a window of 1024 pixels


SHORTER = (  # where the whole words have no room
    ("the numbers to read", "outputs"), ("what was measured", "data"), ("guessed priors", "priors"), ("the guessed ", "the "),
    ("Complete the steps before", "Steps 1–3 first"), ("Run the analysis first", "Run it first"),
    ("How large are the errors?", "Errors: how large?"),
)  # fmt: skip


class StepButton(QAbstractButton):
    """One step: a badge (number or sign), the name, a line that says how it stands. Meaning never by colour alone."""

    def __init__(self, number: int, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(text)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._number = number
        self._status: Status = "todo"
        self._words = ""
        self.set_status("todo", "")
        theme.changed.connect(self.update)

    def set_status(self, status: Status, words: str) -> None:
        self._status, self._words = status, words
        plain = self.text().replace("&", "")
        self.setAccessibleName(f"Step {self._number}, {plain}: {_SPOKEN[status]}")
        self.setAccessibleDescription(words)
        self.setToolTip(tip(f"{plain} – {words} (Ctrl+{self._number})" if words else f"{plain} (Ctrl+{self._number})"))
        self.update()

    @property
    def status(self) -> tuple[Status, str]:
        return self._status, self._words

    def sizeHint(self) -> QSize:
        m, small = QFontMetrics(self.font()), QFontMetrics(theme.small_font())
        high = max(m.height() * 2 + 22, m.height() + MOST_LINES * small.height() + 2 * AROUND)
        return QSize(m.horizontalAdvance("Parameters and more words"), round(high))

    def minimumSizeHint(self) -> QSize:
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        return QSize(QFontMetrics(bold).horizontalAdvance(self.text().replace("&", "")) + 60, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        c = theme.colours
        box = QRectF(self.rect()).adjusted(3, AROUND, -3, -AROUND)
        if self.isChecked() or self.underMouse():
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(QColor(c.accent_soft if self.isChecked() else c.raised))
            p.drawRoundedRect(box, 8, 8)
        if self.hasFocus():
            p.setPen(QPen(QColor(c.focus), 2))
            p.setBrush(Qt.BrushStyle.NoBrush)
            p.drawRoundedRect(box.adjusted(1, 1, -1, -1), 7, 7)
        side = min(BADGE, box.height() - 10)
        badge = QRectF(box.left() + 9, box.center().y() - side / 2, side, side)
        self._paint_badge(p, badge)
        left = badge.right() + 9
        width = box.right() - 6 - left
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        small = theme.small_font()
        hb, hs = QFontMetrics(bold).height(), QFontMetrics(small).height()
        lines = self.shown_lines()
        top = box.center().y() - (hb + len(lines) * hs) / 2
        whole = Qt.TextFlag.TextDontClip  # heights of a font are rounded: at 200 % the feet of “y” would be cut
        p.setFont(bold)
        p.setPen(QColor(c.disabled if self._status == "locked" and not self.isChecked() else c.text))
        p.drawText(
            QRectF(left, top, width, hb),
            int(Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextShowMnemonic | whole),
            self.text(),
        )
        p.setFont(small)
        p.setPen(QColor({"error": c.error, "done": c.ok, "busy": c.accent}.get(self._status, c.muted)))
        for k, words in enumerate(lines):
            p.drawText(QRectF(left, top + hb + k * hs, width, hs), int(Qt.AlignmentFlag.AlignLeft | whole), words)
        p.end()

    def _said(self) -> str:
        named = ":" in self._words.split(" ")[0]  # a name keeps its letters: “ncrit: From must be …”
        return (self._words if named else self._words[:1].upper() + self._words[1:]).removesuffix(".")

    def shown_lines(self) -> list[str]:
        """The words below the name as they are painted."""
        box = QRectF(self.rect()).adjusted(3, AROUND, -3, -AROUND)
        width = box.width() - 9 - min(BADGE, box.height() - 10) - 9 - 6
        return lines_of(self._said(), QFontMetrics(theme.small_font()), int(width))

    def _paint_badge(self, p: QPainter, badge: QRectF) -> None:
        c = theme.colours
        fill, line, sign = {
            "done": (c.ok, c.ok, "check"),
            "error": (c.error_soft, c.error, "warning"),
            "locked": (c.sunken, c.border_strong, "lock"),
            "busy": (c.accent, c.accent, "play"),
            "todo": (c.surface, c.accent if self.isChecked() else c.border_strong, ""),
        }[self._status]
        p.setPen(QPen(QColor(line), 1.6))
        p.setBrush(QColor(fill))
        p.drawEllipse(badge)
        if sign:
            inner = badge.adjusted(6, 6, -6, -6) if sign != "warning" else badge.adjusted(5, 4, -5, -6)
            on = {"done": c.surface, "busy": c.on_accent, "error": c.error, "locked": c.muted}[self._status]
            paint_icon(p, sign, inner, QColor(on))
            return
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold)
        p.setFont(font)
        p.setPen(QColor(c.accent if self.isChecked() else c.muted))
        p.drawText(badge, int(Qt.AlignmentFlag.AlignCenter), str(self._number))


def lines_of(words: str, font: QFontMetrics, width: int) -> list[str]:
    """``words`` on at most ``MOST_LINES`` lines of ``width`` pixels; if they are longer, without their last clauses or in fewer
    words, else cut."""
    ends = [len(words), *(m.start() for m in reversed(list(_CLAUSE.finditer(words))) if _outside(words, m.start()))]
    fewer = words
    for long, short in SHORTER:
        fewer = fewer.replace(long, short)
    ways = [_broken(said, font, width) for said in (*(words[:end] for end in ends), fewer)]
    fits = (lines for lines in ways if all(font.horizontalAdvance(line) <= width for line in lines))
    return next(fits, None) or [font.elidedText(line, Qt.TextElideMode.ElideRight, width) for line in ways[0]]


def _outside(words: str, at: int) -> bool:
    """Whether a place is not within a name in quotation marks, or within brackets."""
    return all(words.count(first, 0, at) == words.count(last, 0, at) for first, last in ("“”", "()"))


def _broken(words: str, font: QFontMetrics, width: int) -> list[str]:
    """On as many lines as needed up to ``MOST_LINES``; the last one may be too long."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and font.horizontalAdvance(longer) > width and len(lines) < MOST_LINES:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


class _Arrow(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(6)
        self.setMaximumWidth(16)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(16, 16)

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.setPen(QPen(QColor(theme.colours.border_strong), 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        x, y = self.width() / 2, self.height() / 2
        p.drawLine(QPointF(x - 3, y - 6), QPointF(x + 3, y))
        p.drawLine(QPointF(x + 3, y), QPointF(x - 3, y + 6))
        p.end()


class WorkflowBar(QFrame):
    """Emits ``chosen`` with the step's key."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("workflow")
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 2, 10, 2)
        row.setSpacing(2)
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self.buttons: dict[str, StepButton] = {}
        for k, (key, text) in enumerate(STEPS):
            if k:
                row.addWidget(_Arrow())
            button = StepButton(k + 1, text.replace("&", ""))  # the menus and the pages have the Alt keys
            button.clicked.connect(lambda _=False, key=key: self.chosen.emit(key))
            self._group.addButton(button)
            self.buttons[key] = button
            row.addWidget(button, 1)

    def show_current(self, key: str) -> None:
        """Mark the step whose page is shown; none for pages that are no step (welcome)."""
        self._group.setExclusive(False)
        for k, button in self.buttons.items():
            button.setChecked(k == key)
        self._group.setExclusive(True)
