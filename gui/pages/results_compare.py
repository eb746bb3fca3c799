"""Compare tab: several saved analyses of the same data, their evidences, and their posteriors on top of each other."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QPushButton, QScrollArea, QVBoxLayout, QWidget

from bayescope.gui import session_files
from bayescope.gui.models.comparison import (
    Compared,
    ComparedRow,
    ComparisonError,
    comparison_columns,
    doubts,
    load,
    rows_of,
)
from bayescope.gui.models.records import RecordsModel
from bayescope.gui.plots.overlaid import NamedCurve, OverlaidPlot
from bayescope.gui.session_controller import SessionController
from bayescope.gui.widgets.forms import Choice, beside
from bayescope.gui.widgets.notices import Notice, label
from bayescope.gui.widgets.tables import TableView

MAX_ANALYSES = 12


class CompareTab(QWidget):
    """``set_current`` brings the open analysis, which is always the first."""

    def __init__(self, controller: SessionController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.controller = controller
        self._current: Compared | None = None
        self._others: list[Compared] = []
        self.model = RecordsModel[ComparedRow](comparison_columns(), None, self)
        self.table = TableView("Compared analyses", self.model)
        self.add_button = QPushButton("&Add saved analyses…")
        self.add_button.setToolTip("Other models of the same data, or other settings of the same model.")
        self.add_button.clicked.connect(self._choose)
        self.remove_button = QPushButton("Re&move")
        self.remove_button.setToolTip("Take the selected analysis out of the comparison; its file stays.")
        self.remove_button.clicked.connect(lambda: self.remove(self.table.selected_rows()))
        self.message = Notice()
        self.table.set_widths(24, 17, 17, 13, 40, 7, 16, stretch=(4,))
        self.table.delete_pressed.connect(self.remove)
        self.table.selectionModel().currentRowChanged.connect(lambda now, before: self._buttons())
        self.parameter = Choice("Parameter shown", "Which parameter's posteriors are drawn.")
        self.parameter.chosen.connect(lambda key: self._draw())
        self.plot = OverlaidPlot()
        self.parameter.setMinimumWidth(240)
        self.plot.add_control(self.parameter)
        top = QWidget()
        box = QVBoxLayout(top)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        box.addWidget(
            label(
                "The evidence says how well a model as a whole predicted the data. Compare it between models of the same data.",
                "hint",
                wrap=True,
            )
        )
        box.addWidget(self.message)
        box.addWidget(self.table, 1)
        box.addWidget(beside(self.add_button, self.remove_button, 1))
        body = QWidget()
        inner = QVBoxLayout(body)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(12)
        inner.addWidget(top)
        inner.addWidget(self.plot, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 12, 0, 0)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(body)
        outer.addWidget(area)
        self._refresh()

    def analyses(self) -> list[Compared]:
        return ([self._current] if self._current else []) + self._others

    def set_current(self, current: Compared | None) -> None:
        self._current = current
        self._refresh()

    def _choose(self) -> None:
        paths, _ = QFileDialog.getOpenFileNames(
            self, "Saved analyses", str(self.controller.folder), f"Analyses (*{session_files.SUFFIX});;All files (*)"
        )
        self.add_files([Path(p) for p in paths])

    def add_files(self, paths: list[Path]) -> None:
        """Add saved analyses; those that cannot be compared are said in sentences."""
        problems: list[str] = []
        for path in paths:
            known = {a.path.resolve() for a in self.analyses() if a.path is not None}
            if path.resolve() in known:
                problems.append(f"“{path.name}” is in the table already.")
            elif len(self.analyses()) >= MAX_ANALYSES:
                problems.append(f"At most {MAX_ANALYSES} analyses can be compared at a time.")
                break
            else:
                try:
                    self._others.append(load(path))
                except ComparisonError as error:
                    problems.append(str(error))
        self._refresh()
        if problems:
            self.message.say("warning", " ".join(problems[:4]), " ".join(doubts(self.analyses())))

    def remove(self, rows: list[int]) -> None:
        first = 1 if self._current is not None else 0
        gone = {row - first for row in rows if row >= first}
        self._others = [a for i, a in enumerate(self._others) if i not in gone]
        self._refresh()

    def _refresh(self) -> None:
        analyses = self.analyses()
        self.model.set_rows(rows_of(analyses))
        self.message.say("warning", *doubts(analyses))
        row, head = self.table.verticalHeader().defaultSectionSize(), self.table.horizontalHeader().sizeHint().height()
        self.table.setFixedHeight(min(max(len(analyses), 2), 6) * row + head + 6)
        names: dict[str, str] = {}
        for a in analyses:
            names |= {p.name: p.label or p.name for p in a.problem.parameters if p.name in a.posterior.names}
        current = self.parameter.key() if self.parameter.key() in names else next(iter(names), "")
        self.parameter.offer([(k, v[:60]) for k, v in names.items()] or [("", "–")], current)
        self._buttons()
        self._draw()

    def _buttons(self) -> None:
        first = 1 if self._current is not None else 0
        self.remove_button.setEnabled(any(row >= first for row in self.table.selected_rows()))

    def _draw(self) -> None:
        key = self.parameter.key()
        curves, label_words = [], key
        for a in self.analyses():
            if key in a.posterior.names:
                x, density = a.posterior.marginal(a.posterior.names.index(key))
                curves.append(NamedCurve(a.name, x, density))
                p = next(p for p in a.problem.parameters if p.name == key)
                label_words = f"{p.label or p.name} [{p.unit}]" if p.unit else p.label or p.name
        empty = (
            ""
            if len(self.analyses()) > 1
            else "Add another saved analysis to see both posteriors on top of each other."
        )
        self.plot.show_curves(curves, label_words, empty)
