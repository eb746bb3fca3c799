"""The doubt whether a comparison's two sides have the same unit, and the button that changes the output."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from bayescope.engine.problem.definition import Problem
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.units.other_units import OtherUnit, columns_changed
from bayescope.gui.models.data.units.unit_doubts import unit_doubt
from bayescope.gui.widgets.notices import Notice


class UnitDoubt(Notice):
    """``mended`` carries (problem, words for undo)."""

    mended = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, two_below=True)
        self._found: OtherUnit | None = None
        self.pressed.connect(lambda: self._mend(False))
        self.dismissed.connect(lambda: self._mend(True))

    def show_comparison(
        self, problem: Problem, row: int, report: TrialRunReport | None, locked: bool, kept: Collection[str],
        lines: Sequence[str] = (),
    ) -> None:  # fmt: skip
        """``kept``: doubts to which the user said no. ``lines``: those of the data files around their tables."""
        found = self._found = unit_doubt(problem, row, report, lines)
        if found is None or found.words in kept:
            self.clear()
            return
        button = "" if locked else found.button
        every = found.every_button if found.every is not None and not locked else ""
        columns = columns_changed(problem, found.every) if every else ""
        more = f" “{every}” changes what is compared with {columns}." if columns else ""
        self.say("warning", found.words, f"{found.hint}{more}".strip(), button, every)

    def _mend(self, every: bool) -> None:
        if self._found is not None:
            changed = self._found.every if every else self._found.problem
            self.mended.emit(changed, "Another unit")
