"""While a file is added below another: whose day 0 holds, with the button that changes it."""

from __future__ import annotations

from PySide6.QtCore import Signal

from bayescope.gui.models.data.dates.two_zeros import ZeroQuestion
from bayescope.gui.widgets.notices import Notice


class ZeroOffer(Notice):
    """``day_wanted`` carries another day 0 of the file, in s since 1970; ``moves_wanted`` whether the present columns move."""

    day_wanted = Signal(float)
    moves_wanted = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self._asked: ZeroQuestion | None = None
        self.pressed.connect(self._press)

    def show_question(self, one: ZeroQuestion | None) -> None:
        """None: nothing is to be asked."""
        self._asked = one
        if one is None:
            self.clear()
        else:
            self.say(one.level, one.words, one.hint, one.button)

    def _press(self) -> None:
        if (one := self._asked) is None:
            return
        if one.start is not None:
            self.day_wanted.emit(one.start)
        else:
            self.moves_wanted.emit(one.moves)
