"""What the data taught: each parameter before and after, and the combinations that are known better than their parts."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from bayescope.engine.answer.digits import rough, typeset
from bayescope.engine.answer.intervals import Interval
from bayescope.engine.answer.sensitivity import Sensitivity
from bayescope.engine.answer.taught import DECADE, PRELIMINARY, Learnt, Taught, scales_words, steps
from bayescope.engine.problem.data.units.unit_scales import with_unit
from bayescope.gui.analysis.study import Study
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.records import Column, RecordsModel
from bayescope.gui.pages.results.sensitivity import SensitivityPart
from bayescope.gui.widgets.notices import Notice, label
from bayescope.gui.widgets.scrolling import VerticalScroll
from bayescope.gui.widgets.tables import TableView

MOST_HEIGHT = 360  # of the rows seen at once; more are scrolled to
NAME_WORDS = 60
INTERVAL_WORDS = 32  # characters of an interval of which both ends are powers of ten
MOST_WORDS = 400  # characters of a sentence: titles may be long


class TaughtTab(QWidget):
    """``show_taught``: None empties it."""

    def __init__(self, study: Study, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shown: Taught | None = None
        self.rows = RecordsModel[Learnt](taught_columns(), None, self)
        self.table = TableView("Each parameter before and after the data", self.rows)
        self.table.set_widths(20, 16, 18, 9, 11, 6, 34, stretch=(6,))
        self.table.setWordWrap(True)
        self.table.when_columns_change(self._fit)
        self.note = label("", "hint", wrap=True)
        self.preliminary = Notice()
        self.heading = label("Combinations", "heading")
        self.heading_hint = label("How well something is known is told as one standard deviation.", "hint")
        self.sentences = label(wrap=True)
        self.sensitivity = SensitivityPart(study)
        inner = QWidget()
        box = QVBoxLayout(inner)
        box.setContentsMargins(0, 12, 6, 0)
        box.setSpacing(8)
        box.addWidget(
            label("What was known of each parameter before the data (its prior) and what is known now.", "hint", wrap=True)
        )
        parts = self.preliminary, self.table, self.note, self.heading, self.sentences, self.heading_hint, self.sensitivity
        for widget in parts:
            box.addWidget(widget)
        box.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(VerticalScroll(inner, yields=True))
        self.show_taught(None)

    def show_taught(
        self, found: Taught | None, sensitivity: Sensitivity | None = None, iteration: int | None = None
    ) -> None:
        """``sensitivity``: None: not worked out for the answer of that ``iteration``."""
        self.shown = found
        titles = {} if found is None else {r.parameter.name: r.title for r in found.learnt}
        self.sensitivity.show_sensitivity(sensitivity, titles, iteration)
        self.rows.set_rows(() if found is None else found.learnt)
        for column, most in enumerate((NAME_WORDS, INTERVAL_WORDS, INTERVAL_WORDS)):
            self.table.fit_words(column, most)
        self._fit()
        said = () if found is None else found.of_combinations
        self.preliminary.say("warning", PRELIMINARY if found is not None and not found.settled else "")
        self.sentences.setText("\n".join(one_line(words, MOST_WORDS) for words in said))
        self.heading.setVisible(bool(said))
        self.heading_hint.setVisible(bool(found is not None and found.found))
        self.sentences.setVisible(bool(said))
        self.note.setText("" if found is None else one_line(scales_words(found.learnt), MOST_WORDS))
        self.note.setVisible(bool(self.note.text()))

    def _fit(self) -> None:
        """Sentences take as many lines as they need; as high as its rows, up to MOST_HEIGHT."""
        self.table.resizeRowsToContents()
        rows = sum(self.table.rowHeight(r) for r in range(self.rows.rowCount()))
        self.table.setFixedHeight(min(rows, MOST_HEIGHT) + self.table.horizontalHeader().sizeHint().height() + 8)


def taught_columns() -> tuple[Column[Learnt], ...]:
    return (
        Column("name", "Parameter", "", _title),
        Column("prior", "Before (90 %)", "90 % interval of the prior, equal tails.",
               lambda r: _range(r.prior, steps(r.prior)), numeric=True),
        Column("posterior", "After (90 %)", "90 % interval of the posterior, equal tails.",
               lambda r: _range(r.posterior, r.posterior_steps), numeric=True),
        Column("times", "Sd ratio", "Prior sd / posterior sd: how many times better it is known.", lambda r: rough(r.times),
               numeric=True),
        Column("contraction", "Contraction", "1 − posterior variance / prior variance: near 1: the data decide.",
               lambda r: r.contraction_words.replace("-", "−"), numeric=True),
        Column("bits", "Bits", "Information gained (Kullback-Leibler divergence of the posterior from the prior); each bit "
               "halves what was possible.", lambda r: r.bits_words, numeric=True),
        Column("words", "In words", "", lambda r: r.words),
    )  # fmt: skip


def _title(r: Learnt) -> str:
    return one_line(with_unit(r.title, r.parameter.unit), NAME_WORDS)


def _range(interval: Interval, two_digits: tuple[float, float]) -> str:
    low, high = interval
    step, other = two_digits
    alike = step == other or low * high <= 0.0 or 1.0 / DECADE < high / low < DECADE
    return f"{typeset(low, step, high if alike else 0.0)} … {typeset(high, other, low if alike else 0.0)}"
