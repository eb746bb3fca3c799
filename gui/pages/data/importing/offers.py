"""What is asked about a file that is imported: how large its errors are meant, which number of a date is the month, whether times
are hours and minutes, whether a date and a clock are one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from bayescope.engine.problem.data.errors.expanded_errors import Coverage
from bayescope.engine.problem.data.files.read_options import Options
from bayescope.engine.problem.data.tables.table_preview import TablePreview
from bayescope.engine.session.read_files import Answers
from bayescope.gui.pages.data.importing.censored import CensoredOffer
from bayescope.gui.pages.data.importing.clocks import ClockOffer
from bayescope.gui.pages.data.importing.coverage import CoverageOffer
from bayescope.gui.pages.data.importing.limits import LimitsOffer
from bayescope.gui.pages.data.importing.marked import MarkedOffer
from bayescope.gui.pages.data.importing.moments import MomentsOffer
from bayescope.gui.pages.data.importing.months import MonthOffer

Offer = CoverageOffer | LimitsOffer | CensoredOffer | MarkedOffer | MonthOffer | ClockOffer | MomentsOffer


class ImportOffers(QWidget):
    """``told``: the file is to be read anew, as ``options`` has it."""

    told = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.coverage, self.limits, self.censored = CoverageOffer(), LimitsOffer(), CensoredOffer()
        self.marked, self.month, self.clock, self.moments = MarkedOffer(), MonthOffer(), ClockOffer(), MomentsOffer()
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(10)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)  # the tables get what room is left
        for one in self._all():
            one.told.connect(self.told)
            self._box.addWidget(one)

    def _all(self) -> Iterator[Offer]:
        yield from (self.coverage, self.limits, self.censored, self.marked, self.month, self.clock, self.moments)

    def start(self) -> None:
        """Another file: nothing is said of it yet."""
        for one in self._all():
            one.start()
        self._show()

    def show_preview(self, shown: TablePreview | None) -> None:
        """None: there is no table."""
        for one in (self.coverage, self.limits, self.censored, self.marked, self.clock, self.moments):
            one.show_preview(shown)
        if shown is None:
            self.month.clear()
        else:
            self.month.show_preview(shown)
        self._show()

    def _show(self) -> None:
        """An empty place is a gap."""
        self.setVisible(any(one.level is not None for one in self._all()))

    def options(self, options: Options) -> Options:
        """``options`` with what the user said here."""
        return replace(
            options, day_first=self.month.day_first, coverage=self.coverage.coverage, intervals=self.limits.chosen,
            limits_taken=self.censored.taken, marked_out=self.marked.chosen, minutes=self.clock.chosen,
            moments=self.moments.chosen,
        )  # fmt: skip

    @property
    def answers(self) -> Answers:
        """As the user answered here."""
        coverage = self.coverage.coverage
        return Answers(
            day_first=self.month.day_first, coverage=coverage.factor, undivided=coverage.undivided, intervals=self.limits.chosen,
            moments=self.moments.chosen, limits=self.censored.taken, marked_out=self.marked.chosen,
        )  # fmt: skip

    def recall(self, answers: Answers, minutes: bool) -> None:
        """As the user answered when this file was read before, ``minutes`` among it."""
        self.month.day_first, self.clock.chosen = answers.day_first, minutes
        self.coverage.coverage = Coverage(factor=answers.coverage, undivided=answers.undivided)
        self.limits.chosen, self.moments.chosen = answers.intervals, answers.moments
        self.censored.taken, self.marked.chosen = answers.limits, answers.marked_out

    @property
    def told_words(self) -> tuple[str, ...]:
        """How notes begin that are said here."""
        return (*self.coverage.told_words, *self.censored.said, *self.marked.said)
