"""Correlations tab: the matrix, and the strongest in sentences."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QVBoxLayout, QWidget

from bayescope.gui.models.results.summary import CorrelationModel, strongest_words
from bayescope.gui.widgets.fitting import Part
from bayescope.gui.widgets.notices import label
from bayescope.gui.widgets.tables import TableView


class CorrelationsTab(Part):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = CorrelationModel(self)
        self.table = TableView("Correlations of the parameters", self.model, numbers=True)
        self.table.setAlternatingRowColors(False)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignCenter)
        self.table.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)  # else cut at both ends
        self.strongest = label(wrap=True)
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
        box.addWidget(self.strongest)
        box.addWidget(self.table, 1)
        box.addStretch(0)

    def show_values(self, names: list[str], values: Any, modes: list[int]) -> None:
        """``values`` (D, D); ``modes`` (D,): of each marginal."""
        self.model.set_values(names, values, modes)
        self.strongest.setText(strongest_words(names, values, modes))
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
