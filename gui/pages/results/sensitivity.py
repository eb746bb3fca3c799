"""Sensitivities of the answer: which parameters decide the outputs, which data taught it, what to measure next."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from bayescope.engine import protocol
from bayescope.engine.answer import sensitivity_words as words
from bayescope.engine.answer.sensitivity import Over, Sensitivity, sensitivity_of
from bayescope.engine.session.codec import CodecError
from bayescope.gui.analysis.study import Study
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.records import RecordsModel
from bayescope.gui.models.results import sensitivity as models
from bayescope.gui.widgets.bar_cells import BarCells, Share
from bayescope.gui.widgets.expander import Expander
from bayescope.gui.widgets.focus import focus_kept
from bayescope.gui.widgets.folding import FoldingRow
from bayescope.gui.widgets.forms import Choice, beside
from bayescope.gui.widgets.notices import Notice, label
from bayescope.gui.widgets.tables import TableView

MOST_HEIGHT = 330  # of the rows seen at once; more are scrolled to
MOST_WORDS = 400  # characters of a sentence
MOST_SAID = 8  # sentences about outputs
OFFER = "What decides the outputs, which data taught it, what to measure next: worked out from the surrogate when asked."
WORKING = "Working out sensitivities: {} so far. It may take a minute; go on meanwhile, saving included."
PARAMETERS, PARTS, NEXT = "Which parameters decide the outputs", "Which data taught it", "What to measure next"


class SensitivityPart(QWidget):
    """``show_sensitivity``: None: not worked out for the answer shown."""

    refreshed = Signal()

    def __init__(self, study: Study, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shown: Sensitivity | None = None
        self._titles: words.Titles = {}
        self._iteration: int | None = None
        self._study = study
        self._began, self._clock = time.monotonic(), QTimer(self)
        self._clock.setInterval(1000)
        self._clock.timeout.connect(self._say_time)
        self.ask = QPushButton("Work out sensitivities")
        self.ask.setToolTip(
            "Sobol indices of outputs and log density, what each part of the data taught, and what to measure next, from the "
            "surrogate. No simulator run is made; takes about half a minute."
        )
        self.ask.clicked.connect(study.start)
        self.cancel = QPushButton("Cancel")
        self.cancel.setToolTip("End the computing of sensitivities.")
        self.cancel.clicked.connect(study.cancel)
        self.working = label("", "hint", wrap=True)
        self.message = Notice()
        self.indices = IndicesFold()
        self.parts = ListFold(models.part_columns(), "What each part of the data taught", (30, 8, 16, 40, 20), 3, 2)
        self.next = ListFold(models.next_columns(), "Measurements that would teach most", (36, 13, 16, 40), 3, 2)
        self.folds = [
            Expander(title, body) for title, body in ((PARAMETERS, self.indices), (PARTS, self.parts), (NEXT, self.next))
        ]
        self.note = label("", "hint", wrap=True)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        box.addWidget(label("Sensitivities", "heading"))
        box.addWidget(FoldingRow(self.working, beside(self.ask, self.cancel)))
        box.addWidget(self.message)
        for fold in self.folds:
            box.addWidget(fold)
        box.addWidget(self.note)
        study.changed.connect(self._follow)
        study.done.connect(self._done)
        self.show_sensitivity(None, {}, None)

    def show_sensitivity(self, found: Sensitivity | None, titles: words.Titles, iteration: int | None) -> None:
        """``titles`` of parameters by name; ``iteration``: of the answer shown, None: there is none."""
        if iteration != self._iteration:
            self.message.say("info", "")
        self._iteration, self._titles = iteration, titles
        if found is None and self.shown is not None and self.shown.iteration == iteration:
            found = self.shown  # of a session that cannot be written
        self.shown = found
        self.indices.show_indices(found, titles)
        if found is None:
            self.parts.show_rows((), ())
            self.next.show_rows((), ())
        else:
            self.parts.show_rows(models.part_rows(found, titles), words.part_sentences(found, titles))
            self.next.show_rows(models.next_rows(found, titles), words.next_sentences(found, titles))
        there = (False,) * 3 if found is None else (bool(found.indices), bool(found.parts), bool(found.next))
        for fold, shown in zip(self.folds, there, strict=True):
            fold.setVisible(shown)
        notes = () if found is None else found.notes
        self.note.setText("\n".join(one_line(n, MOST_WORDS) for n in notes))
        self.note.setVisible(bool(notes))
        self._follow()
        self.refreshed.emit()

    def _follow(self) -> None:
        with focus_kept((self.ask, self.cancel), (self.cancel, self.ask), self):  # never on to a step of the workflow
            self._show_buttons()

    def _show_buttons(self) -> None:
        running = self._study.running
        if running and not self._clock.isActive():
            self._began = time.monotonic()
            self._clock.start()
        elif not running:
            self._clock.stop()
        self.ask.setVisible(self.shown is None or running)
        self.ask.setEnabled(self._iteration is not None and not running)
        self.cancel.setVisible(running)
        if running:
            self._say_time()
        else:
            self.working.setText(OFFER if self.shown is None else "Worked out from the surrogate; no run was made.")

    def _say_time(self) -> None:
        self.working.setText(WORKING.format(f"{round(time.monotonic() - self._began)} s"))

    def _done(self, found: protocol.StudyDone) -> None:
        self.message.say("warning", found.words)
        with contextlib.suppress(CodecError):  # of another version: nothing is shown
            made = sensitivity_of(found.record_json) if found.record_json else None
            if made is not None and made.iteration == self._iteration:
                self.show_sensitivity(made, self._titles, self._iteration)
                self.folds[0].open()


class IndicesFold(QWidget):
    """Sobol indices of one quantity at a time, and all in sentences."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: Sensitivity | None = None
        self._titles: words.Titles = {}
        self.quantity = Choice("Quantity", "Whose indices are shown")
        self.row = Choice("Row of the output", "All rows together, each counting with its variance, or one alone")
        self.over = Choice("Over what", "What the parameters are drawn from")
        for choice in (self.quantity, self.row, self.over):
            choice.setMinimumContentsLength(18)
            choice.chosen.connect(lambda _: self._fill())
        self.rows = RecordsModel[models.IndexRow](models.index_columns(), None, self)
        self.table = fixed_table("Sobol indices", self.rows, (24, 11, 13, 9, 13, 24), 5, 5, self._share)
        self.sentences, self.hint = label(wrap=True), label("", "hint", wrap=True)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 0, 0, 4)
        box.setSpacing(6)
        box.addWidget(FoldingRow(beside(self.quantity, self.row), beside(self.over, 1)))
        for widget in (self.sentences, self.table, self.hint):
            box.addWidget(widget)

    def show_indices(self, found: Sensitivity | None, titles: words.Titles) -> None:
        self._found, self._titles = found, titles
        if found is None or not found.indices:
            self.rows.set_rows(())
            return
        offered = models.quantities(found)
        chosen = self.quantity.key() if self.quantity.key() in dict(offered) else offered[0][0]
        self.quantity.offer(offered, chosen)
        overs = {i.over for i in found.indices}
        choices = [(key, said) for key, said in models.OVER if key in overs]
        self.over.offer(choices, self.over.key() if self.over.key() in overs else choices[0][0])
        self._fill()

    def _fill(self) -> None:
        found, over = self._found, self.over.key()
        if found is None or over not in ("prior", "posterior"):
            return
        which: Over = "prior" if over == "prior" else "posterior"
        rows = models.rows_of_quantity(found, self.quantity.key(), which)
        self.row.offer(rows or [("0", "All its rows together")], self.row.key() if self.row.key() in dict(rows) else "0")
        self.row.setVisible(len(rows) > 1)
        shown = models.shown_indices(found, self.quantity.key(), which, self.row.key())
        self.rows.set_rows(models.index_rows(found, shown, self._titles))
        self.table.fit_words(0, models.NAME_WORDS)
        fit(self.table, self.rows)
        said = [words.sentence(i, found.parameters, self._titles) for i in found.indices if i.over == which and not i.row]
        if shown is not None and shown.row:
            said = [words.sentence(shown, found.parameters, self._titles), *said]
        more = [f"… and {len(said) - MOST_SAID} more: choose above."] if len(said) > MOST_SAID else []
        self.sentences.setText("\n".join([*(one_line(s, MOST_WORDS) for s in said[:MOST_SAID]), *more]))
        drawn = words.over_words(found, self._titles) if which == "prior" else words.OVER_POSTERIOR
        self.hint.setText(f"{drawn} {found.interval}")

    def _share(self, row: int) -> Share | None:
        return self.rows.rows[row].total if row < len(self.rows.rows) else None


class ListFold(QWidget):
    """Rows with a bar each, and sentences above them."""

    def __init__(
        self, columns: Sequence[Any], name: str, widths: tuple[int, ...], stretch: int, bar: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.rows = RecordsModel[Any](columns, None, self)
        self.table = fixed_table(name, self.rows, widths, stretch, bar, self._share)
        self.table.setWordWrap(True)
        self.table.when_columns_change(lambda: fit(self.table, self.rows))
        self.sentences = label(wrap=True)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 0, 0, 4)
        box.setSpacing(6)
        box.addWidget(self.sentences)
        box.addWidget(self.table)

    def show_rows(self, rows: Sequence[Any], said: Sequence[str]) -> None:
        self.rows.set_rows(rows)
        self.table.fit_words(0, models.PLACE_WORDS)
        self.sentences.setText("\n".join(one_line(s, MOST_WORDS) for s in said[:MOST_SAID]))
        self.sentences.setVisible(bool(said))
        fit(self.table, self.rows)

    def _share(self, row: int) -> Share | None:
        if row >= len(self.rows.rows):
            return None
        share = self.rows.rows[row].share
        return share, share, share


def fixed_table(
    name: str, rows: RecordsModel[Any], widths: tuple[int, ...], stretch: int, bar: int, share_of: Callable[[int], Share | None]
) -> TableView:
    """As high as its rows; column ``bar`` shows a bar."""
    table = TableView(name, rows)
    table.set_widths(*widths, stretch=(stretch,))
    table.setItemDelegateForColumn(bar, BarCells(share_of, table))
    return table


def fit(table: TableView, rows: RecordsModel[Any]) -> None:
    """Sentences take as many lines as they need; as high as its rows, up to MOST_HEIGHT."""
    table.resizeRowsToContents()
    height = sum(table.rowHeight(r) for r in range(rows.rowCount()))
    table.setFixedHeight(min(height, MOST_HEIGHT) + table.horizontalHeader().sizeHint().height() + 8)
