"""The separate modes of an answer: how much each holds, its best run, where it lies, and the summary within the chosen one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from bayescope.engine.answer.intervals import Kind
from bayescope.engine.answer.modes import Modes, best_words
from bayescope.engine.problem.definition import Parameter
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.records import Column, RecordsModel
from bayescope.gui.models.results.summary import SummaryRow, summary_columns, summary_rows
from bayescope.gui.pages.results.summary import SummaryTable
from bayescope.gui.plots.mode_legend import ModeLegend
from bayescope.gui.widgets.forms import beside
from bayescope.gui.widgets.notices import label
from bayescope.gui.widgets.scrolling import VerticalScroll
from bayescope.gui.widgets.tables import TableView

MOST_WORDS = 300  # characters of a cell
MOST_ROWS = 6  # modes seen at once; more are scrolled to


@dataclass(frozen=True)
class ModeRow:
    """One mode in words, and the rows of its own summary."""

    name: str
    mass: str
    best: str
    differs: str
    summary: tuple[SummaryRow, ...]


@dataclass(frozen=True, eq=False)
class ModesShown:
    """What the tab shows; computed off the window's thread. ``same``: sentences."""

    modes: Modes
    rows: tuple[ModeRow, ...]
    same: tuple[str, ...]
    kind: Kind
    correlations: tuple[Any, ...]  # (D, D) within each mode


def modes_shown(modes: Modes, parameters: Sequence[Parameter], kind: Kind) -> ModesShown | None:
    """None for a single mode."""
    if not modes.several:
        return None
    rows = tuple(
        ModeRow(
            m.name, m.mass_words, one_line(best_words(m), MOST_WORDS), one_line(m.differs, MOST_WORDS),
            summary_rows(m.posterior, parameters, kind),
        )
        for m in modes
    )  # fmt: skip
    return ModesShown(modes, rows, modes.same_words, kind, tuple(m.posterior.correlation() for m in modes))


def mode_columns() -> tuple[Column[ModeRow], ...]:
    return (
        Column("name", "Mode", "Mode 1 holds most of the posterior.", lambda r: r.name),
        Column("mass", "Share", "How much of the posterior it holds, with its standard deviation.", lambda r: r.mass),
        Column("differs", "Where it lies", "The parameters that set it apart.", lambda r: r.differs),
        Column("best", "Best run in it", "The highest log density among the runs inside it.", lambda r: r.best),
    )


class ModesTab(QWidget):
    """``show_modes``: None empties it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shown: ModesShown | None = None
        self.rows = RecordsModel[ModeRow](mode_columns(), None, self)
        self.table = TableView("Separate modes", self.rows)
        self.table.set_widths(7, 14, 34, 45, stretch=(2, 3))
        self.table.selectionModel().currentRowChanged.connect(lambda now, before: self._show_summary(now.row()))
        self.legend = ModeLegend()
        self.same = label(wrap=True)
        self.within = label("", "heading")
        self.summary = RecordsModel[SummaryRow](summary_columns(), None, self)
        self.summary_table = SummaryTable(self.summary)
        self.summary_table.setAccessibleName("Summary of the chosen mode")
        inner = QWidget()
        box = QVBoxLayout(inner)
        box.setContentsMargins(0, 12, 6, 0)
        box.setSpacing(8)
        box.addWidget(
            label(
                "The posterior has separate peaks with hardly anything between them. Choose one to see the summary within it.",
                "hint",
                wrap=True,
            )
        )
        box.addWidget(self.table)
        box.addWidget(self.same)
        box.addWidget(beside(self.within, self.legend, 1))
        box.addWidget(self.summary_table)
        box.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(VerticalScroll(inner, yields=True))

    def show_modes(self, shown: ModesShown | None) -> None:
        self.shown = shown
        chosen = max(self.table.currentIndex().row(), 0)
        self.rows.set_rows(() if shown is None else shown.rows)
        self.same.setText("" if shown is None else "\n".join(shown.same))
        self.same.setVisible(bool(shown is not None and shown.same))
        self.legend.show_modes(None if shown is None else shown.modes)
        if shown is not None:
            height = self.table.verticalHeader().defaultSectionSize()
            head = self.table.horizontalHeader().sizeHint().height()
            self.table.setFixedHeight(min(len(shown.rows), MOST_ROWS) * height + head + 8)
            self.table.selectRow(min(chosen, len(shown.rows) - 1))
            self._show_summary(self.table.currentIndex().row())

    def _show_summary(self, row: int) -> None:
        if self.shown is None or not 0 <= row < len(self.shown.rows):
            return
        mode = self.shown.rows[row]
        self.within.setText(f"Within mode {mode.name}")
        self.summary.columns = summary_columns(self.shown.kind)
        self.summary.set_rows(mode.summary)
        self.summary_table.fit()

    def release(self) -> None:
        """The window closes."""
        self.summary_table.release()
