"""Residuals: whether what is left of the data looks like chance, and the steps if it does not, each asked again from the runs."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QPushButton, QVBoxLayout, QWidget

from bayescope.engine.answer.best_fit import BestFit
from bayescope.engine.answer.predictions.of_predicted import OfPredicted
from bayescope.engine.answer.predictions.predictive import Predicted, titles
from bayescope.engine.answer.predictions.tangent import apart_from_parameters
from bayescope.engine.answer.predictions.together import Single, singles_of, together
from bayescope.engine.problem.checks.validate import check
from bayescope.engine.problem.data.rows.comparison import ComparisonError
from bayescope.engine.problem.data.rows.discrepancies import with_discrepancy
from bayescope.engine.problem.definition import Predictions, Problem
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.engine.session.errors import SessionError
from bayescope.gui.analysis.run_data import Answer
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.results.residual_steps import (
    Outlier,
    outlier,
    with_inferred_size,
    with_percent_of_predicted,
    without,
)
from bayescope.gui.plots.residuals import OF_SINGLES, ResidualsPlot
from bayescope.gui.style.words import true_minus
from bayescope.gui.widgets.folding import FoldingRow
from bayescope.gui.widgets.forms import Choice, beside
from bayescope.gui.widgets.notices import Notice, label
from bayescope.gui.widgets.scrolling import VerticalScroll

MOST_WORDS = 600  # characters of a verdict: names may be long
PLOT_HEIGHT = 260  # least: its axes keep their names
NAME_WIDTH = 18  # characters of the name of a column with its unit
TOGETHER = "together"  # in place of a column: all that hold one value each, or a few
MOST_SINGLE = 14  # values said in words below the plot; of more, those that lie farthest off
LET_OFF = "Let the program be off, and ask again"
INFER = "Infer the size of the errors, and ask again"


class ResidualsTab(QWidget):
    """``asked``: a changed problem (a program that may be off, errors of inferred size, a value less), to be answered from the
    runs there are, and what the change is called."""

    asked = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shown: tuple[Predicted, ...] = ()
        self._singles: tuple[Single, ...] = ()
        self._problem: Problem | None = None
        self._answer: Answer | None = None
        self._best: BestFit | None = None
        self._far: Outlier | None = None
        self.verdict = Notice()
        self.evidence = label(wrap=True)
        self.words = label("", "hint", wrap=True)
        self.which = Choice("Data column", "The one whose residuals are shown.")
        self.which.setMinimumContentsLength(NAME_WIDTH)
        self._chose = False  # the user chose a column: it stays
        self.which.chosen.connect(lambda _: self._chosen())
        self.button = QPushButton(LET_OFF)
        self.button.setToolTip(
            "Opens a copy in which a smooth curve is added to what the program predicts, and answers it from these runs; no "
            "simulator run is made."
        )
        self.button.clicked.connect(self._ask)
        self.apart = QCheckBox("Apart from what the parameters can do")
        self.apart.setToolTip(
            "The curve has no part in what the parameters can do at the best fit: they stay those that fit best, and the curve "
            "is what no parameter could explain. Not ticked: the curve may stand for either, and parameters become less sure."
        )
        self.size_button = QPushButton(INFER)
        self.size_button.setToolTip(
            "Opens a copy in which the size of these errors, one for all values of the column, is a parameter more, and "
            "answers it from these runs; no simulator run is made."
        )
        self.size_button.clicked.connect(lambda: self._ask_for(self._inferred(), "Infer the size of the errors"))
        self.without_button = QPushButton()
        self.without_button.setToolTip(
            "Only if something was wrong with that measurement. Opens a copy without it and answers it from these runs; no "
            "simulator run is made."
        )
        self.without_button.clicked.connect(lambda: self._ask_for(self._without(), "Leave a value out"))
        self.percent_button = QPushButton()
        self.percent_button.setToolTip(
            "Opens a copy in which these errors are that percentage of the predicted value (log-normal), and answers it from "
            "these runs; no simulator run is made."
        )
        self.percent_button.clicked.connect(lambda: self._ask_for(self._of_predicted(), "Errors in per cent of the prediction"))
        self.plot = ResidualsPlot()
        self.plot.setMinimumHeight(PLOT_HEIGHT)
        self.plot.add_control(self.which)
        self.evidence.setProperty("grow", True)
        inner = QWidget()
        box = QVBoxLayout(inner)
        box.setContentsMargins(0, 12, 6, 0)
        box.setSpacing(8)
        box.addWidget(self.verdict)
        box.addWidget(self.evidence)
        off = beside(self.apart, self.button, 1, spacing=12)
        box.addWidget(FoldingRow(beside(self.percent_button, self.size_button, self.without_button, 1), off))
        box.addWidget(self.words)
        box.addWidget(self.plot, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(VerticalScroll(inner, yields=True))
        self.show_residuals((), None, None, None, "")

    def show_residuals(
        self, found: Sequence[Predicted], problem: Problem | None, answer: Answer | None, best: BestFit | None, evidence: str
    ) -> None:
        """``evidence``: with and without a program that may be off, in words."""
        self._problem, self._answer, self._best = problem, answer, best
        self.shown = tuple(p for p in found if p.residuals is not None)
        self._singles = singles_of(self.shown)
        names, now = [(str(k), one_line(name, 40)) for k, name in enumerate(titles(self.shown))], self.which.key()
        if self._singles:
            names.insert(0, (TOGETHER, self._together_words()))
        if names:
            self.which.offer(names, now if now in dict(names) and self._chose else self._first())
        self.which.setVisible(len(names) > 1)
        self.evidence.setText(evidence)
        self.evidence.setVisible(bool(evidence))
        self._say()
        self._show()

    def forget(self) -> None:
        """Another analysis is shown."""
        self._chose = False
        self.show_residuals((), None, None, None, "")

    def _together_words(self) -> str:
        """What the values that are shown together are called: short, for the list of columns is narrow."""
        count, columns = len(self._singles), {single.column for single in self._singles}
        if not any(single.place for single in self._singles):
            return f"All {count} single values"
        return f"All {count} values" if len(columns) == len(self.shown) else f"{count} values, few each"

    def _first(self) -> str:
        """The column that a warning is of, where it has several values; else those of few values together, else the first one."""
        odd = [k for k, p in enumerate(self.shown) if p.surprises and (len(p.x) > 1 or not self._singles)]
        return str(odd[0]) if odd else TOGETHER if self._singles else "0"

    @property
    def _column(self) -> int | None:
        """Which column is on show; None: none alone."""
        key = self.which.key() or ""
        return int(key) if key.isdigit() and int(key) < len(self.shown) else None

    def _say(self) -> None:
        """The verdict over all columns, and whether there is something to be asked."""
        several = len(self.shown) > 1
        said = [
            f"{one_line(name, 40)}: {words}" if several else words
            for p, name in zip(self.shown, titles(self.shown), strict=True) for words in p.surprises
        ]  # fmt: skip
        fit = self.shown[0].fit if several else None  # of one column it is what is said of that
        if fit is not None and fit.level in ("too large", "too small"):
            said.insert(0, f"All together: {fit.words}")
        if said:
            self.verdict.say("warning", one_line(" ".join(said), MOST_WORDS), self._advice())
        elif (percent := self._percent()) is not None and outlier(self.shown) is not None:
            words = "What is left of the data looks like chance, but for low values."
            self.verdict.say("info", words, one_line(percent[1].words, MOST_WORDS))
        elif (far := outlier(self.shown)) is not None:
            words = f"What is left of the data looks like chance, but for one value: {far.words}."
            self.verdict.say("info", one_line(words, MOST_WORDS), far.alone)
        elif any(p.residuals is not None and p.residuals.tested for p in self.shown):
            self.verdict.say("ok", "What is left of the data looks like chance.")
        else:
            self.verdict.clear()
        possible = self._changed() is not None and not self._only_close
        self.button.setVisible(possible)
        self.apart.setVisible(possible)
        shape, far_off = self._percent(), outlier(self.shown)
        explained = shape is not None and (bool(said) or far_off is not None)  # by errors in per cent of another value
        self.percent_button.setVisible(explained and self._of_predicted() is not None)
        if shape is not None:
            self.percent_button.setText(f"Take {spoken(shape[1].percent)} % of the predicted value, and ask again")
        self.size_button.setVisible(not explained and self._inferred() is not None)
        self._far = None if explained else far_off
        self.without_button.setVisible(self._without() is not None)
        if self._far is not None:
            self.without_button.setText(f"Leave out row {self._far.row}, and ask again")

    def _advice(self) -> str:
        """What may be behind scatter, each with its button below."""
        if (percent := self._percent()) is not None:
            return percent[1].words
        far = outlier(self.shown)
        if self._only_close:
            size = "infer their size below, or state" if self._inferred() is not None else "state"
            close = (
                f"Their errors are probably stated too large ({size} smaller ones on the Data page), or values were smoothed or "
                "averaged before. The program need not be off."
            )
            return close if far is None else f"{close} Yet {far.words}, is far off. {far.alone}"
        if far is None and not any(p.scattered for p in self.shown):
            return ""
        ways = ["the errors are larger than stated (infer their size)", "the program misses something (let it be off)"]
        ways.append(f"a value is wrong ({far.words}, is farthest)" if far else "chance: no single value is outlying")
        return f"What may be behind it: {'; '.join(ways)}. Each can be asked again from the same runs."

    @property
    def _only_close(self) -> bool:
        """Whether the one thing that chance would not give is data too close to the predictions."""
        odd = [p for p in self.shown if p.surprises]
        return bool(odd) and all(p.too_close and len(p.surprises) == 1 for p in odd)

    def _inferred(self) -> Problem | None:
        """With errors of inferred size in the first column that is too scattered, or too close."""
        k = next((k for k, p in enumerate(self.shown) if p.scattered or p.too_close), None)
        if k is None or not self._fits():
            return None
        return None if self._problem is None else with_inferred_size(self._problem, k)

    def _percent(self) -> tuple[int, OfPredicted] | None:
        """The first column that lies too far off, if its errors look like a percentage of the predicted value; its number."""
        odd = [k for k, p in enumerate(self.shown) if p.surprises]
        far = outlier(self.shown)
        first = odd[0] if odd else None if far is None else far.column
        found = None if first is None else self.shown[first].in_percent
        return None if first is None or found is None or self._only_close else (first, found)

    def _of_predicted(self) -> Problem | None:
        found = self._percent()
        if found is None or self._problem is None or not self._fits():
            return None
        return with_percent_of_predicted(self._problem, found[0], found[1].percent)

    def _without(self) -> Problem | None:
        if self._far is None or self._problem is None or not self._fits():
            return None
        return without(self._problem, self._far)

    def _fits(self) -> bool:
        """Whether the columns shown are the comparisons of the problem."""
        meaning = None if self._problem is None else self._problem.meaning
        return isinstance(meaning, Predictions) and len(meaning.matches) == len(self.shown)

    def _ask_for(self, changed: Problem | None, called: str) -> None:
        if changed is not None:
            self.asked.emit(changed, called)

    def _chosen(self) -> None:
        self._chose = True
        self._say()
        self._show()

    def _show(self) -> None:
        if self._singles and self.which.key() == TOGETHER:
            self.plot.show_column(together(self._singles), OF_SINGLES)
            told = sorted(self._singles, key=lambda single: -abs(single.off))[:MOST_SINGLE]
            sentences: Sequence[str] = [true_minus(single.words) for single in self._singles if single in told]
        else:
            p = None if self._column is None else self.shown[self._column]
            self.plot.show_column(p)
            sentences = () if p is None else p.sentences
        self.words.setText("\n".join(one_line(words, MOST_WORDS) for words in sentences))
        self.words.setVisible(bool(sentences))

    def _rows(self) -> list[int]:
        """The comparisons that are to be off: those whose residuals come in long runs; if there are none, the one on show."""
        long = [k for k, p in enumerate(self.shown) if p.residuals is not None and p.residuals.long_runs and p.missed is None]
        k = self._column
        return long or ([k] if k is not None and self.shown[k].missed is None else [])

    def _changed(self) -> Problem | None:
        """The problem with these; None where nothing is to be changed, or it does not go with their errors or keys."""
        problem, rows = self._problem, self._rows()
        if problem is None or not rows or not isinstance(problem.meaning, Predictions):
            return None
        if not self._fits():
            return None
        try:
            changed = with_discrepancy(problem, rows)
        except ComparisonError:
            return None
        wrong = [f for f in check(changed) if f.level == "error" and f.where.endswith("discrepancy")]
        return None if wrong else changed

    def _ask(self) -> None:
        changed, answer = self._changed(), self._answer
        if changed is None or answer is None or self._problem is None:
            return
        if self.apart.isChecked():
            try:
                changed = apart_from_parameters(changed, self._problem, self._best, answer.covariances, answer.slices)
            except SessionError as error:
                self.verdict.say("error", error.what, error.suggestion)
                return
        self.asked.emit(changed, "The program may be off")
