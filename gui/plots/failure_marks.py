"""How failed runs are drawn: each kind of reason has a colour and a shape, told in a line of words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QPen
from PySide6.QtWidgets import QLabel, QWidget

from bayescope.engine.answer.failures.kinds import KINDS, NAMES, Kind, kind_of
from bayescope.gui.analysis.run_data import Evaluation
from bayescope.gui.plots.pg import plain_pen
from bayescope.gui.style.theme import theme

MOST = 3  # named; the room beside a title is small


class Mark(NamedTuple):
    """A symbol of pyqtgraph, and the character that looks like it."""

    symbol: str
    sign: str


MARKS: dict[Kind, Mark] = {
    "crash": Mark("x", "✕"),
    "time": Mark("t", "▽"),
    "memory": Mark("s", "□"),
    "size": Mark("p", "⬠"),
    "missing": Mark("d", "◇"),
    "unreadable": Mark("t1", "△"),
    "rows": Mark("t3", "◁"),
    "number": Mark("+", "+"),
    "likelihood": Mark("h", "⬡"),
    "impossible": Mark("o", "○"),
    "other": Mark("star", "☆"),
}


def kind_of_run(e: Evaluation) -> Kind | None:
    """None: it gave a value."""
    return None if e.outcome == "ok" else kind_of(e.outcome, e.reason)


def reason_pen(kind: Kind, width: float = 1.0) -> QPen:
    return plain_pen(theme.reason_colour(KINDS.index(kind)), width)


class ReasonLegend(QLabel):
    """``show_kinds`` of the failed runs on show; hidden while there are none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts: Counter[Kind] = Counter()
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setProperty("role", "caption")
        self.hide()
        theme.changed.connect(self._say)

    def show_kinds(self, kinds: Sequence[Kind]) -> None:
        counts = Counter(kinds)
        if counts != self._counts:
            self._counts = counts
            self._say()
        self.setVisible(bool(counts))

    def _say(self) -> None:
        named = self._counts.most_common()
        signs = [
            f'<span style="color:{theme.reason_colour(KINDS.index(kind)).name()}">{MARKS[kind].sign}</span>'
            f"&nbsp;{NAMES[kind].replace(' ', '&nbsp;')}&nbsp;{count}"
            for kind, count in named[:MOST]
        ]
        more = len(named) - MOST
        self.setText("&nbsp; ".join(signs) + (f"&nbsp; +{more}" if more > 0 else ""))
        words = ", ".join(f"{MARKS[kind].sign} {NAMES[kind]}: {count}" for kind, count in named)
        self.setAccessibleName(f"Failed runs by reason: {words}")
        self.setToolTip(f"Failed runs by reason, each with a shape and a colour: {words}. A click on one opens its folder.")
