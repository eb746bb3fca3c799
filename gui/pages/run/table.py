"""Table of runs with what each left behind: values, why it failed, its output, its folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QSplitter,
    QTableView,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from bayescope.engine import protocol
from bayescope.engine.answer.failures.set_aside import SetAside
from bayescope.gui.analysis.run_data import Evaluation, RunData
from bayescope.gui.analysis.session_files import kept_run_folder
from bayescope.gui.dialogs.messages import reveal
from bayescope.gui.models.dates import moment
from bayescope.gui.models.runs import RunTableModel, values_text
from bayescope.gui.pages.run.under_way import UnderWay
from bayescope.gui.style.icons import icon
from bayescope.gui.style.theme import repolish, theme
from bayescope.gui.style.words import duration, number
from bayescope.gui.widgets.notices import label
from bayescope.gui.widgets.run_cells import RunCells
from bayescope.gui.widgets.text_pane import TextPane

LEAST_DETAILS = 340  # pixels for what is said of one run, before the list of runs takes its room
ROOM = 8  # pixels beside the last column
WIDE_MOMENT = datetime(2026, 12, 30, 22, 58, 58).timestamp()  # two digits each
MAX_SHOWN_BYTES = 20_000_000  # of one file: read in some 20 ms while one goes through the list
STREAMS = (("Output (stdout)", "bayescope_stdout.txt"), ("Messages (stderr)", "bayescope_stderr.txt"))
WHICH = (
    ("All runs", "all"), ("Good runs", "good"), ("Failed runs", "failed"), ("Far off", "far_off"), ("Made again", "again"),
)  # fmt: skip
LATE = "nothing looked wrong when it ended; Run again makes it anew"


class RunDetails(QFrame):
    """One run: values, outcome in words, what it printed, buttons."""

    run_again = Signal(dict)  # values of all parameters

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._folder: Path | None = None
        self._earlier: Path | None = None  # the folder of the newest attempt that does not count
        self._values: dict[str, float] = {}
        self._index: int | None = None  # of the run on show
        self.head = QLabel()
        self.head.setProperty("role", "heading")
        self.head.setWordWrap(True)
        self.words = QLabel()
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setWordWrap(True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.tabs = QTabWidget()
        self.texts = []
        for name, _ in (("Values", ""), *STREAMS):
            view = TextPane(name, strip=name != "Values", numbers=name != "Values")
            self.texts.append(view)
            self.tabs.addTab(view, name)
        self.open_folder = QPushButton(icon("folder"), "Open f&older")
        self.open_folder.clicked.connect(lambda: self._folder is not None and reveal(self._folder))
        self.open_earlier = QPushButton(icon("folder"), "Open earlier attempt")
        self.open_earlier.setToolTip("The folder of the attempt before this run was made again")
        self.open_earlier.clicked.connect(lambda: self._earlier is not None and reveal(self._earlier))
        self.again = QPushButton(icon("refresh"), "R&un again")
        self.again.setToolTip(
            "Run the program once more with these values as a test run; nothing is added to the analysis"
        )
        theme.changed.connect(self._icons)
        self.again.clicked.connect(lambda: self.run_again.emit(dict(self._values)))
        buttons = QHBoxLayout()
        buttons.addWidget(self.open_folder)
        buttons.addWidget(self.open_earlier)
        buttons.addWidget(self.again)
        buttons.addStretch(1)
        box = QVBoxLayout(self)
        box.setContentsMargins(12, 10, 12, 10)
        box.addWidget(self.head)
        box.addWidget(self.words)
        box.addWidget(self.tabs, 1)
        box.addLayout(buttons)
        self.show_run(None, None)

    def _icons(self) -> None:
        self.open_folder.setIcon(icon("folder"))
        self.open_earlier.setIcon(icon("folder"))
        self.again.setIcon(icon("refresh"))

    def show_run(
        self, e: Evaluation | None, runs_folder: Path | None, far_off: str = "", counts: bool = True, where: str = "",
        earlier: Sequence[SetAside] = (),
    ) -> None:  # fmt: skip
        """``far_off``: what is to be said of a value far off its neighbours, and whether it ``counts``; ``where``: of another
        computer that it ran on; ``earlier``: attempts before it was made again."""
        self.tabs.setVisible(e is not None)
        self.words.setVisible(e is not None)
        for button in (self.open_folder, self.again):
            button.setVisible(e is not None)
        kept = [] if runs_folder is None else [kept_run_folder(runs_folder, one.run_folder) for one in earlier]
        self._earlier = next((folder for folder in reversed(kept) if folder is not None), None)
        self.open_earlier.setVisible(e is not None and self._earlier is not None)
        self._index = None if e is None else e.index
        if e is None:
            self.head.setText("The values of a selected run, what it printed and its folder are shown here.")
            self.head.setProperty("role", "hint")
            self.head.setAlignment(Qt.AlignmentFlag.AlignCenter)
            repolish(self.head)
            return
        if self.head.property("role") != "heading":
            self.head.setProperty("role", "heading")
            self.head.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
            repolish(self.head)
        self._values = dict(e.values)
        self._folder = None if runs_folder is None else kept_run_folder(runs_folder, e.run_folder)
        self.head.setText(
            {"ok": f"Run {e.index}: {'good' if counts else 'left out'}", "failed": f"Run {e.index}: failed"}.get(
                e.outcome, f"Run {e.index}: impossible"
            )
        )
        said = (
            f"Log density {number(e.log_density, 7)}, took {duration(e.duration_s)}." if e.outcome == "ok" else e.reason
        )
        said += f" {far_off}" if far_off and e.outcome == "ok" else ""
        said += f" {where}" if where else ""
        if self._folder is None:
            late = e.outcome == "ok" and not counts  # found out when a later run came out otherwise: its folder was gone by then
            said += f" Its folder was not kept ({LATE if late else 'the Simulator page says which are'})."
        said += "".join(f" {one.words}" for one in earlier)
        self.words.setText(said[:2000])
        self.texts[0].set_text(values_text(e.values, None))
        for view, (_, name) in zip(self.texts[1:], STREAMS, strict=True):
            view.set_text(_printed(self._folder, name) if self._folder is not None else "")
            view.setPlaceholderText("Not kept." if self._folder is None else "Nothing was printed.")
        self.open_folder.setEnabled(self._folder is not None)

    @property
    def index(self) -> int | None:
        """Of the run on show."""
        return self._index

    def show_outputs(self, index: int, outputs: Mapping[str, NDArray[np.float64]]) -> None:
        """What was read from run ``index``, below its values, if it is still the one on show."""
        if index == self._index:
            self.texts[0].set_text(values_text(self._values, outputs))

    def show_repeat(self, report: protocol.TrialRunReport) -> None:
        """What a repeated run gave, in place of what was kept."""
        again = "good" if report.outcome == "ok" else f"{report.outcome}: {report.reason}"
        density = "" if report.log_likelihood is None else f" Log-likelihood {number(report.log_likelihood, 7)}."
        self.words.setText(
            f"Run again just now: {again}, took {duration(report.duration_s)}.{density} It is not part of the analysis."
        )
        for view, text in zip(self.texts[1:], (report.stdout, report.stderr), strict=True):
            view.set_text(text)


def _printed(folder: Path, name: str) -> str:
    """What a run printed; of repeated ones the last, whose failure the reason tells."""
    repeats = [] if (folder / name).is_file() else sorted(folder.glob(f"repeat-*/{name}"))
    return _read(repeats[-1] if repeats else folder / name)


def _read(path: Path) -> str:
    """The beginning of a text file; why not, if it cannot be read."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_SHOWN_BYTES + 1)
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"{path.name} could not be read: {error.strerror}."
    text = data[:MAX_SHOWN_BYTES].decode("utf-8", errors="replace")
    return text + ("\n… (the rest is in the folder)" if len(data) > MAX_SHOWN_BYTES else "")


class RunTable(QWidget):
    """``refresh`` with the run data; ``select`` shows one run."""

    run_again = Signal(dict)
    run_shown = Signal(int)  # its index: what was read from it is wanted

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runs_folder: Path | None = None
        self.noun = "run"  # what a row is called: a point where it takes several runs of the program
        self.model = RunTableModel(self)
        self.view = QTableView()
        self.view.setAccessibleName("Simulator runs")
        self.view.setModel(self.model)
        self.view.setItemDelegate(RunCells(self.view))
        self.view.setSortingEnabled(True)
        self.view.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self.view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setAlternatingRowColors(True)
        self.view.setShowGrid(False)
        self.view.setWordWrap(False)
        self.view.setTabKeyNavigation(False)
        self.view.verticalHeader().setVisible(False)
        self.view.verticalHeader().setSectionResizeMode(
            QHeaderView.ResizeMode.Fixed
        )  # ResizeToContents: 500 ms an update
        self.view.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 9)
        self._none = label(role="hint", wrap=True)  # in place of rows
        self._none.setAlignment(Qt.AlignmentFlag.AlignCenter)
        over = QVBoxLayout(self.view.viewport())
        over.addWidget(self._none)
        self.which = QComboBox()
        self.which.setAccessibleName("Which runs are listed")
        for text, key in WHICH:
            self.which.addItem(text, key)
        self.search = QLineEdit()
        self.search.setPlaceholderText("Filter: value or reason")
        self.search.setToolTip("A value, or a word of why a run failed: other runs are not listed")
        self.search.setAccessibleName("Filter runs")
        self.search.setClearButtonEnabled(True)
        self.count = QLabel()
        self.count.setProperty("role", "hint")
        self._later = QTimer(self, singleShot=True, interval=200)
        self._later.timeout.connect(self._filter)
        self.search.textChanged.connect(self._later.start)
        self.which.currentIndexChanged.connect(self._filter)
        self.details = RunDetails()
        self.details.run_again.connect(self.run_again)
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._selected())
        top = QHBoxLayout()
        for widget, stretch in ((self.which, 0), (self.search, 1), (self.count, 0)):
            top.addWidget(widget, stretch)
        left = QWidget()
        self._left = QVBoxLayout(left)
        self._left.setContentsMargins(0, 0, 0, 0)
        self._left.addLayout(top)
        self._left.addWidget(self.view, 1)
        self.under_way = UnderWay()
        self._left.addWidget(self.under_way)
        self._split = split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(left)
        split.addWidget(self.details)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        split.setChildrenCollapsible(False)
        split.setSizes([720, 420])
        self._moved = False  # by the user: then it stays where it is
        split.splitterMoved.connect(self._keep)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(split)
        self._data: RunData | None = None
        self._columns = -1
        self._bottom = 0  # of the scroll bar when the table was last scrolled to its end
        self._total = self._failed = self._left_out = 0
        self._remade = ""

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.under_way.follow(True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._balance()

    def _keep(self) -> None:
        self._moved = True

    def _balance(self) -> None:
        """As much room for the list as its columns take, if what is said of one run keeps enough."""
        columns, width = self.view.horizontalHeader().length(), self.width() - self._split.handleWidth()
        wanted = columns + self.view.verticalScrollBar().sizeHint().width() + 2 * self.view.frameWidth() + ROOM
        left = min(max(wanted, round(0.6 * width)), max(width - LEAST_DETAILS, round(0.6 * width)))
        if not self._moved and columns:
            self._split.setSizes([left, width - left])

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.under_way.follow(False)

    def refresh(self, data: RunData, runs_folder: Path | None) -> None:
        self.under_way.refresh(data)
        moved, self._runs_folder = runs_folder != self._runs_folder, runs_folder
        other, self._data = moved or data is not self._data, data
        bar = self.view.verticalScrollBar()
        follow = bar.value() >= self._bottom  # nobody scrolled up since the last refresh
        self.model.refresh(data)
        if other and (moved or self.details.index is not None):  # the run on show may be one of another analysis
            self._selected()
        if self.model.columnCount() != self._columns:
            self._columns = self.model.columnCount()
            self._widths()
        noisy = self.model.noise_column  # the one column that may be hidden; another one stood there for other parameters
        for column in range(self._columns):
            hidden = column == noisy and not any(e.noise_sd for e in data.evaluations)
            if self.view.isColumnHidden(column) != hidden:
                self.view.setColumnHidden(column, hidden)
                self._balance()
        self._total, self._failed = len(data.evaluations), data.n_failed
        self._left_out = len(data.far_off.not_counted)
        self._remade = data.remade.words
        self._say_count()
        if follow and not self.view.selectionModel().hasSelection():
            self.view.scrollToBottom()
            self._bottom = bar.value()

    def add_below(self, widget: QWidget) -> None:
        """Something about all runs, below their list."""
        self._left.addWidget(widget)

    def list_far_off(self) -> None:
        """Only the runs whose values are, or were, in doubt."""
        self.search.clear()
        self.which.setCurrentIndex(self.which.findData("far_off"))

    def select(self, index: int) -> None:
        """Show evaluation ``index``, widening the filter if it hides it."""
        row = self.model.row_of(index)
        if row is None:
            self.which.setCurrentIndex(0)
            self.search.clear()
            self._filter()
            row = self.model.row_of(index)
        if row is not None:
            self.view.selectRow(row)
            self.view.scrollTo(self.model.index(row, 0))

    def _widths(self) -> None:
        m = self.fontMetrics()
        d = self._columns - 6
        for c in range(self._columns):
            text = {0: "00000", 1: "✕ impossible", self.model.started_column: moment(WIDE_MOMENT)}.get(c, "−1.23456e−05")
            header = str(self.model.headerData(c, Qt.Orientation.Horizontal))
            wide = max(m.horizontalAdvance(text), min(m.horizontalAdvance(header) + 34, 220))
            self.view.setColumnWidth(c, wide + 16 if d < 40 else wide)
        self._balance()

    def _say_count(self) -> None:
        shown, n = self.model.rowCount(), self._total
        self._none.setText(
            ""
            if shown
            else f"No {self.noun} fits the filter."
            if n
            else f"{self.noun.capitalize()}s are listed here as soon as the first one has ended."
        )
        self._none.setVisible(not shown)
        self.count.setText(
            f"{n if shown == n else f'{shown} of {n}'} {self.noun}{'s' if n != 1 else ''}, {self._failed} failed"
            + (f", {self._left_out} left out" if self._left_out else "")
            + (f", {self._remade}" if self._remade else "")
        )

    def _filter(self) -> None:
        self._later.stop()
        kept = self._chosen()
        self.model.choose(str(self.which.currentData()), self.search.text())
        self._say_count()
        row = None if kept is None else self.model.row_of(kept.index)
        if row is not None:
            self.view.selectRow(row)
        else:
            self._selected()

    def _chosen(self) -> Evaluation | None:
        rows = self.view.selectionModel().selectedRows()
        return self.model.evaluation(rows[0].row()) if rows else None

    def _selected(self) -> None:
        chosen = self._chosen()
        row = None if chosen is None else self.model.row_of(chosen.index)
        said = ("", True) if row is None else (self.model.words_of(row), not self.model.failed(row))
        ran = None if self._data is None or chosen is None else self._data.ran.get(chosen.index)
        earlier = () if self._data is None or chosen is None else self._data.remade.earlier.get(chosen.index, ())
        self.details.show_run(chosen, self._runs_folder, *said, "" if ran is None else ran.words, earlier)
        if chosen is not None:
            self.run_shown.emit(chosen.index)
