"""While a table is imported: what can be read in one of two ways, with a button for the other one."""

from __future__ import annotations

from PySide6.QtCore import Signal

from bayescope.gui.widgets.notices import Notice


class TwoWays(Notice):
    """``chosen``: whether a file is read in the way that the class names; ``usual``: until the user says otherwise. ``told``: it
    is to be read anew."""

    told = Signal()

    def __init__(self, usual: bool) -> None:
        super().__init__()
        self.chosen = self._usual = usual
        self.pressed.connect(self._other_way)

    def start(self) -> None:
        """With another file: nothing is said yet."""
        self.chosen = self._usual

    def _other_way(self) -> None:
        self.chosen = not self.chosen
        self.told.emit()
