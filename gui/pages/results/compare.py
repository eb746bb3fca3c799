"""Compare tab: saved analyses of the same data and other methods on the same runs; evidences, distances, overlaid posteriors."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QScrollArea, QVBoxLayout, QWidget

from bayescope.engine import protocol
from bayescope.engine.problem.data.units.unit_scales import with_unit
from bayescope.engine.problem.definition import with_names
from bayescope.gui.analysis import session_files
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.dialogs.file_questions import ask
from bayescope.gui.models.records import RecordsModel
from bayescope.gui.models.results.baselines import OFFERED, compared
from bayescope.gui.models.results.comparison import (
    Compared,
    ComparedRow,
    ComparisonError,
    comparison_columns,
    distance_words,
    doubts,
    load,
    rows_of,
    this_one,
)
from bayescope.gui.models.scales import is_logarithmic
from bayescope.gui.plots.overlaid import NamedCurve, OverlaidPlot
from bayescope.gui.widgets.elided import ElidedLabel
from bayescope.gui.widgets.folding import FoldingRow
from bayescope.gui.widgets.forms import Choice, beside
from bayescope.gui.widgets.notices import Notice, label
from bayescope.gui.widgets.reasons import ReasonsLine
from bayescope.gui.widgets.tables import TableView

MAX_ANALYSES = 12
WIDEST_CELL = 30  # average characters
PLOT_HEIGHT = 310  # pixels, empty or not, so that no scroll bar comes and goes
FIRST = 3  # methods that stay beside each other in the narrowest window
LEAST_ROWS = 1 + len(OFFERED)  # room for all methods: what stands below does not move when they come


class CompareTab(QWidget):
    """``set_current`` brings the open analysis, which is always the first. ``compare_with`` asks the engine for other methods'
    answers to the same runs, one after another. ``working_said``: which is being computed, '' when none is."""

    working_said = Signal(str)

    def __init__(self, file: AnalysisFile, run: AnalysisRun, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.file, self.run = file, run
        file.changed.connect(self._renamed)
        self._current: Compared | None = None
        self._data = run.data  # whose answer it is
        self._others: list[Compared] = []
        self._baselines: dict[str, Compared] = {}
        self._distances: dict[tuple[int, int], tuple[object, object, str]] = {}
        self._queue: list[protocol.BaselineMethod] = []
        self._trouble = ""
        self.model = RecordsModel[ComparedRow](comparison_columns(), None, self)
        self.table = TableView("Compared analyses", self.model)
        self.add_button = QPushButton("&Add saved analyses…")
        self.add_button.setToolTip("Other models of the same data, or other settings of the same model.")
        self.add_button.clicked.connect(self._choose)
        self.remove_button = QPushButton("Re&move")
        self.remove_button.setToolTip("Take the selected analysis out of the comparison; its file stays.")
        self.remove_button.clicked.connect(lambda: self.remove(self.table.selected_rows()))
        self.message = Notice()
        self.table.set_widths(14, 22, 5, 16, 9, 16, 6, 14, 11, 17, 26, stretch=(10,))
        self.table.delete_pressed.connect(self.remove)
        self.table.selectionModel().currentRowChanged.connect(lambda now, before: self._buttons())
        self.parameter = Choice("Parameter shown", "Which parameter's posteriors are drawn.")
        self.parameter.chosen.connect(lambda key: self._parameter_chosen())
        self.plot = OverlaidPlot()
        self.plot.setMinimumHeight(PLOT_HEIGHT)
        self.parameter.setMinimumWidth(240)
        self.plot.add_control(self.parameter)
        self.methods: dict[str, QPushButton] = {}
        for method, name, tip in OFFERED:
            button = QPushButton(name)
            button.setToolTip(tip)
            button.clicked.connect(lambda _=False, m=method: self.compare_with((m,)))
            self.methods[method] = button
        self.working = ElidedLabel("hint")
        self.working.setProperty("grow", True)
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.setProperty("kind", "link")
        self.cancel_button.clicked.connect(self.cancel)
        self.reasons = ReasonsLine()
        self.reasons.setProperty("grow", True)
        self.said = self.reasons.first
        run.unrecorded.baseline_ready.connect(self._ready)
        run.unrecorded.baseline_failed.connect(self._failed)
        methods = list(self.methods.values())
        top = QWidget()
        box = QVBoxLayout(top)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        box.addWidget(
            label(
                "Other methods on the same runs show how much the answer depends on the method. The evidence says how well a "
                "model as a whole predicted the data: compare it between models of the same data.",
                "hint",
                wrap=True,
            )
        )
        box.addWidget(  # above what grows, so that no button moves
            FoldingRow(
                FoldingRow(
                    beside(label("On the same runs:"), *methods[:FIRST], 1),
                    beside(*methods[FIRST:], self.working, self.cancel_button),
                ),
                beside(self.add_button, self.remove_button, 1),
            )
        )  # fmt: skip
        box.addWidget(self.table, 1)
        box.addWidget(self.reasons)
        box.addWidget(self.message)
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
        return ([self._current] if self._current else []) + list(self._baselines.values()) + self._others

    def _renamed(self) -> None:
        """The open analysis was saved under another name."""
        now, name, path = self._current, this_one(self.file.title), self.file.on_disk
        if now is not None and (now.name, now.path) != (name, path) and self._data is self.run.data:  # else it brings its own
            self._current = replace(now, name=name, path=path)
            self._refresh()

    def set_current(self, current: Compared | None) -> None:
        """Answers of other methods go when another analysis comes; after more runs they stay, with the runs they are of."""
        old, self._current, self._data = self._current, current, self.run.data
        if old is not None and (
            current is None or current.path != old.path or current.posterior.names != old.posterior.names
        ):
            self._baselines.clear()
            self._queue.clear()
            self.run.unrecorded.cancel_compare()
        if current is not None and (old is None or current.path != old.path):
            self._others = [a for a in self._others if a.path is None or a.path != current.path]
            self._add_first()
        self._refresh()

    def _add_first(self) -> None:
        """The analysis whose runs answer this one stands beside it; not where its file has gone."""
        first = self.file.runs_of
        if first is None or first.resolve() in {a.path.resolve() for a in self.analyses() if a.path is not None}:
            return
        with contextlib.suppress(ComparisonError):
            self._others.append(load(first))

    # ---------------------------------------------------------------- other methods

    def compare_with(self, methods: Sequence[protocol.BaselineMethod]) -> None:
        """Ask for them one after another; those that are there already are computed anew."""
        idle = not self._queue
        self._queue += [m for m in methods if m not in self._queue]
        if idle and self._queue and self._current is not None:
            self._ask()
        self._buttons()

    def cancel(self) -> None:
        del self._queue[1:]
        self.run.unrecorded.cancel_compare()

    def _ask(self) -> None:
        if self._queue and not self.run.unrecorded.compare_with(self._queue[0]):
            self._queue.clear()

    def _next(self) -> None:
        if self._queue:
            self._queue.pop(0)
        self._ask()
        self._refresh()

    def _ready(self, found: protocol.BaselineReady) -> None:
        if self._current is None:
            return
        try:
            self._baselines.pop(found.method, None)
            self._baselines[found.method] = compared(found, self._current.problem, self._current.path)
        except ValueError as error:
            self._trouble = f"{found.name} gave no usable answer: {error}."
        self._next()

    def _failed(self, found: protocol.BaselineFailed) -> None:
        self._trouble = f"{found.words} {found.suggestion}".strip()
        self._next()

    def _choose(self) -> None:
        kinds = f"Analyses (*{session_files.SUFFIX});;All files (*)"
        self.add_files(ask.analyses(self, "Saved analyses", self.file.place, kinds, several=True))

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
        analyses = self.analyses()
        gone = [analyses[row] for row in rows if row < len(analyses) and analyses[row] is not self._current]
        self._others = [a for a in self._others if a not in gone]
        self._baselines = {m: a for m, a in self._baselines.items() if a not in gone}
        self._refresh()

    def _refresh(self) -> None:
        analyses = self.analyses()
        self.message.say("warning", *((self._trouble, "") if self._trouble else doubts(analyses)))
        self._trouble = ""
        row, head = self.table.verticalHeader().defaultSectionSize(), self.table.horizontalHeader().sizeHint().height()
        self.table.setFixedHeight(min(max(len(analyses), LEAST_ROWS), LEAST_ROWS) * row + head + 6)
        names: dict[str, str] = {}
        for a in analyses:
            names |= {p.name: p.label or p.name for p in with_names(a.problem.parameters) if p.name in a.posterior.names}
        current = self.parameter.key() if self.parameter.key() in names else next(iter(names), "")
        self.parameter.offer([(k, v[:60]) for k, v in names.items()] or [("", "–")], current)
        self._fill()
        self._buttons()
        self._draw()

    def _fill(self) -> None:
        analyses = self.analyses()
        self.model.columns = comparison_columns(self.parameter.currentText() if self.parameter.key() else "")
        self.model.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.model.columns) - 1)
        self.model.set_rows(rows_of(analyses, [self._distance(a) for a in analyses], self.parameter.key() or ""))
        for k, column in enumerate(self.model.columns):
            said = any(column.text(row) not in ("", "–") for row in self.model.rows)
            self.table.setColumnHidden(k, bool(self.model.rows) and not said)
            if column.key != "words":
                self.table.fit_words(k, WIDEST_CELL)

    def _parameter_chosen(self) -> None:
        self._fill()
        self._draw()

    def _distance(self, other: Compared) -> str:
        """Of the first one; remembered, since it takes a moment."""
        first = self._current
        if first is None or other is first:
            return "–"
        key = id(first.posterior), id(other.posterior)
        known = self._distances.get(key)
        if known is None or known[0] is not first.posterior or known[1] is not other.posterior:
            self._distances = {k: v for k, v in self._distances.items() if v[0] is first.posterior}
            known = (first.posterior, other.posterior, distance_words(first, other))
            self._distances[key] = known
        return known[2]

    def _buttons(self) -> None:
        self._say_reasons()
        names = {m: name for m, name, _ in OFFERED}
        if self.window().focusWidget() in self.methods.values() and self._queue:
            self.table.setFocus()  # a button that is disabled would hand the focus, and the next key, to the one beside it
        for method, button in self.methods.items():
            button.setEnabled(self._current is not None and method not in self._queue)
        words = f"Computing: {names[self._queue[0]]}…" if self._queue else ""
        self.working.say(words)
        self.working_said.emit(words)
        self.cancel_button.setVisible(bool(self._queue))
        first = 1 if self._current is not None else 0
        self.remove_button.setEnabled(any(row >= first for row in self.table.selected_rows()))

    def _say_reasons(self) -> None:
        """Of the method selected in the table; else of the one computed last."""
        analyses = self.analyses()
        selected = [analyses[row] for row in self.table.selected_rows() if row < len(analyses)]
        shown = selected[0] if selected and selected[0].on_same_runs else next(reversed(self._baselines.values()), None)
        self.reasons.say(() if shown is None else (f"{shown.name}: {' '.join(shown.reasons)}",))

    def _draw(self) -> None:
        key = self.parameter.key()
        curves, label_words, logarithmic = [], key, True
        for a in self.analyses():
            if key in a.posterior.names:
                x, density = a.posterior.marginal(a.posterior.names.index(key))
                curves.append(NamedCurve(a.name, x, density))
                p = next(p for p in with_names(a.problem.parameters) if p.name == key)
                logarithmic = logarithmic and is_logarithmic(p)  # one that may be below zero has no place on such an axis
                label_words = with_unit(p.label or p.name, p.unit)
        empty = (
            ""
            if len(self.analyses()) > 1
            else "Press a method above, or add another saved analysis, to see posteriors on top of each other."
        )
        self.plot.show_curves(curves, label_words, empty, logarithmic and bool(curves))
