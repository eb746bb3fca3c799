"""Correlations tab: the matrix, and the strongest in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QVBoxLayout, QWidget

from bayescope.engine.answer.modes import mode_name
from bayescope.gui.models.results.summary import CorrelationModel, strongest_words
from bayescope.gui.widgets.forms import Choice, beside
from bayescope.gui.widgets.notices import label
from bayescope.gui.widgets.scrolling import Part
from bayescope.gui.widgets.tables import TableView

NOT_SETTLED = "So far, by an answer that is not confirmed:"
BETWEEN = "Over all modes together, how they lie to each other counts too: choose one to see what holds within it."


class CorrelationsTab(Part):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = CorrelationModel(self)
        self.table = TableView("Correlations of the parameters", self.model, numbers=True)
        self.table.setAlternatingRowColors(False)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignCenter)
        self.table.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideMiddle)  # else cut at both ends
        self.strongest = label(wrap=True)
        self.over = Choice("Over all modes, or within one")
        self.over.setMinimumContentsLength(18)
        self.over.chosen.connect(self._show)
        self._settled = True
        self._shown: tuple[list[str], list[tuple[Any, list[int]]]] = [], []  # names; of all modes and of each: values, modes
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 12, 0, 0)
        box.setSpacing(8)
        box.addWidget(
            label(
                "Near +1: the data cannot tell whether both are larger or both smaller. Near −1: one can make up for the other. "
                "Near 0: each is known by itself. Blue: positive, orange: negative.",
                "hint",
                wrap=True,
            )
        )
        box.addWidget(beside(self.over, 1))
        box.addWidget(self.strongest)
        box.addWidget(self.table, 1)
        box.addStretch(0)

    def show_values(
        self, names: list[str], values: Any, modes: list[int], within: Sequence[Any] = (), settled: bool = True
    ) -> None:
        """``values`` (D, D); ``modes`` (D,): of each marginal. ``within``: (D, D) of each mode, where there are several.
        ``settled``: of a confirmed answer."""
        self._settled = settled
        self._shown = names, [(values, modes), *((each, [1] * len(names)) for each in within)]
        names_of = [mode_name(k) for k in range(len(within))]
        offered = [("", f"Over all {len(within)} modes"), *((name, f"Within mode {name}") for name in names_of)]
        self.over.offer(offered, self.over.key() if self.over.key() in names_of else "")
        self.over.setVisible(bool(within))
        self._show()

    def _show(self) -> None:
        names, each = self._shown
        values, modes = each[self.over.currentIndex()]
        self.model.set_values(names, values, modes)
        said = strongest_words(names, values, modes)
        said = f"{NOT_SETTLED}\n{said}" if said and not self._settled else said
        over_all = len(each) > 1 and self.over.key() == ""
        self.strongest.setText(f"{BETWEEN}\n{said}" if over_all else said)
        self._fit(len(names))

    def _fit(self, n: int) -> None:
        """A few parameters: large even cells; many: as many as fit, the rest is scrolled to."""
        table, few = self.table, n <= 8
        mode = QHeaderView.ResizeMode.Stretch if few else QHeaderView.ResizeMode.Interactive
        # even ones are no narrower than the longest heading: they are scrolled instead
        table.horizontalHeader().setMinimumSectionSize(max((table.heading_width(k) for k in range(n)), default=-1) if few else -1)
        table.horizontalHeader().setSectionResizeMode(mode)
        height = 40 if few else table.fontMetrics().height() + 12
        table.verticalHeader().setDefaultSectionSize(height)
        scrolling = table.horizontalScrollBar().sizeHint().height()
        whole = n * height + table.horizontalHeader().sizeHint().height() + 4 + scrolling
        table.setMaximumHeight(whole if few else 16_777_215)
