"""Which colour stands for which mode: a line of squares with names and masses, there only where there are several."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from bayescope.engine.answer.modes import Modes
from bayescope.gui.style.theme import theme

MOST = 4  # named; the room beside a title is small


class ModeLegend(QLabel):
    """``show_modes``: None hides it, as a single mode does."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._modes: Modes | None = None
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setProperty("role", "caption")
        self.hide()
        theme.changed.connect(self._say)

    def show_modes(self, modes: Modes | None) -> None:
        modes = modes if modes is not None and modes.several else None
        if modes is not self._modes:
            self._modes = modes
            self._say()
        self.setVisible(modes is not None)

    def _say(self) -> None:
        if self._modes is None:
            self.clear()
            return
        named = list(enumerate(self._modes))[:MOST]
        squares = [
            f'<span style="color:{theme.mode_colour(k).name()}">■</span>&nbsp;{m.name}:&nbsp;{m.mass:.2f}'
            for k, m in named
        ]
        more = len(self._modes) - len(named)
        self.setText("modes&nbsp; " + "&nbsp; ".join(squares) + (f"&nbsp; +{more}" if more else ""))
        words = ", ".join(f"mode {m.name}: {m.mass_words}" for m in self._modes)
        self.setAccessibleName(f"Modes by colour: {words}")
        self.setToolTip(f"Separate modes by colour, with their share of the posterior: {words}")
