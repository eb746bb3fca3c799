"""Choosing a model of the measurement errors and filling in its numbers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.files.data_files import read_matrix
from bayescope.engine.problem.errors import ProblemError
from bayescope.gui.dialogs.file_questions import ask
from bayescope.gui.models.data.errors.carried_size import carried
from bayescope.gui.models.data.errors.error_size import with_proposed_sizes
from bayescope.gui.models.data.errors.factor_size import factor_words
from bayescope.gui.models.data.errors.joined_sizes import first_measured
from bayescope.gui.models.data.errors.noise import NOISES, NoiseKind, added_words, given_words, kind_of
from bayescope.gui.models.data.errors.noise_parameter import prior_words, proposed
from bayescope.gui.models.data.errors.size_doubts import size_doubt
from bayescope.gui.models.data.errors.unused_sds import UnusedSds, unused_sds
from bayescope.gui.widgets.forms import Choice, Form, align_labels, say_first
from bayescope.gui.widgets.notices import Notice, label
from bayescope.gui.widgets.struct_form import StructForm

if TYPE_CHECKING:
    from bayescope.engine.problem.checks.validate import Finding


TYPED = "The return key takes what is typed."


class NoiseEditor(QWidget):
    """``changed`` carries the new noise model, ``mended`` (problem, words for undo)."""

    changed = Signal(object)
    mended = Signal(object, str)
    parameter_wanted = Signal()  # a new parameter is to be made for the size of the errors

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._noise: d.NoiseModel | None = None
        self._shown = ("", "", "")  # whose noise, where, of which kind
        self._others: Sequence[Finding] = ()  # about the whole of it
        self._asks = False  # what they say is missing is asked for
        self._touched = False  # something was entered since that is shown
        self._folder = Path.home()
        self.kind = Choice("Measurement errors", "How the measured values scatter around the true ones.")
        self.kind.chosen.connect(self._kind_chosen)
        self.words = label("", "hint", wrap=True)
        self.form = StructForm()
        self.form.changed.connect(self._record_changed)
        self.form.typing.connect(self._typing)
        self.form.parameter_wanted.connect(self.parameter_wanted)
        self.prior = label("", "hint", wrap=True)
        self.open_matrix = QPushButton("Open a covaria&nce matrix…")
        self.open_matrix.clicked.connect(self._open)
        self.matrix_words = label("", "hint", wrap=True)
        self.notice = Notice()
        self.agreed: Callable[[], Collection[str]] = tuple  # guesses to which the user agreed
        self.unused = Notice(below=True)  # of columns that this model does not use
        self._unused: UnusedSds | None = None
        self.unused.pressed.connect(lambda: self._mend(keep=False))
        self.unused.dismissed.connect(lambda: self._mend(keep=True))
        self.kind_form = kind = Form()
        kind.add("Errors are", self.kind)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        for part in (kind, self.words, self.unused, self.form, self.prior, self.open_matrix, self.matrix_words, self.notice):
            box.addWidget(part)

    def show_noise(
        self,
        noise: d.NoiseModel | None,
        problem: d.Problem,
        row: int | None,
        folder: Path,
        locked: bool,
        findings: Sequence[Finding],
        where: str,
    ) -> None:
        """``row``: whose noise model it is in ``problem`` (None: the common one); ``where``: its place, for its findings."""
        self._noise, self._folder = noise, folder
        self.setVisible(noise is not None)
        if noise is None:
            return
        kind = kind_of(noise)
        self.kind.offer([(k.tag, k.title) for k in NOISES], kind.tag)
        self.kind.setEnabled(not locked)
        self.words.setText(kind.words)
        of = "" if row is None else problem.meaning.matches[row].output  # type: ignore[union-attr]
        new = proposed(problem, row)
        columns = list(problem.data.columns) if problem.data else []
        self.form.offer_names(columns, [p.name for p in problem.parameters], f"New parameter {new.name}" if new else "")
        self.form.show_record(kind.shown(noise), kind.fields, locked, of)
        self.form.setVisible(bool(kind.fields))
        believed = prior_words(problem, noise) or added_words(noise, first_measured(problem, noise, row)) or factor_words(noise)
        self.prior.setText(believed)
        self.prior.setVisible(bool(believed))
        align_labels(f for f in (self.kind_form, self.form.form) if f is not None)
        matrix = isinstance(noise, d.CovarianceNoise)
        self.open_matrix.setVisible(matrix)
        self.open_matrix.setEnabled(not locked)
        self.matrix_words.setVisible(matrix)
        if isinstance(noise, d.CovarianceNoise):
            n = len(noise.matrix)
            self.matrix_words.setText(f"{n} × {n} numbers." if n else "No matrix yet.")
        if self._shown != (now := (where, of, kind.tag)):
            self._shown, self._touched = now, False
        if with_proposed_sizes(problem) is not None:  # the page says it, with a button that adds a size
            findings = [f for f in findings if f.where != f"{where}.percent"]
        self.form.show_findings(findings, where, asks=not self._touched)
        fields = {f"{where}.{f.name}" for f in kind.fields}
        self._others = others = [f for f in findings if f.where not in fields]
        self._asks = bool(others) and others[0].where == where and _empty(kind, noise)
        if others:
            say_first(self.notice, others, asks=not self._touched and self._asks)
        else:
            words, guessed = given_words(noise, self.agreed())
            doubt = size_doubt(problem, self.agreed()) if row is None else None
            if doubt is not None and doubt.mended is not None:  # not given for all that it is taken for
                words, guessed = doubt.words, True
            if guessed:
                self.notice.say("info", words)
            else:
                self.notice.settle(words)
        self._say_unused(problem, row, locked)

    def no_gap(self) -> None:
        """No room is kept for what was asked before."""
        self.notice.let_go()
        if self.notice.level == "ok":
            self.notice.clear()

    def _say_unused(self, problem: d.Problem, row: int | None, locked: bool) -> None:
        found = self._unused = unused_sds(problem, row)
        if found is None:
            self.unused.clear()
            return
        hint = "Drop them, or keep the errors they stand for."
        self.unused.say("error", found.words, hint, *(("", "") if locked else (found.drop_words, found.keep_words)))

    def _mend(self, keep: bool) -> None:
        if self._unused is not None:
            changed = self._unused.keep if keep else self._unused.drop
            self.mended.emit(changed, "Keep the errors of a column" if keep else "Do not use a column of standard deviations")

    def _record_changed(self, record: msgspec.Struct) -> None:
        self._touched = True
        if self._noise is not None:
            self.changed.emit(kind_of(self._noise).taken(self._noise, record))

    def _typing(self, text: str) -> None:
        """Nothing is said to be missing below the field in which it is being typed."""
        if self._asks and text.strip():
            self.notice.settle(TYPED, "info")
        elif self._asks:
            say_first(self.notice, self._others, asks=not self._touched)

    def _kind_chosen(self, tag: str) -> None:
        kind = next(k for k in NOISES if k.tag == tag)
        self.notice.let_go()
        if self._noise is not None and not isinstance(self._noise, kind.kind):
            self.changed.emit(carried(self._noise, kind.first))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.no_gap()

    def _open(self) -> None:
        path = ask.file(self, "Covariance matrix", self._folder)
        if path is not None:
            self.open_file(path)

    def open_file(self, path: Path) -> None:
        """Take the matrix from a file; what is no square table of numbers is refused with a sentence."""
        try:
            matrix = read_matrix(path)
        except ProblemError as error:
            self.notice.say("error", error.what, error.suggestion)
            return
        self.changed.emit(d.CovarianceNoise(matrix=matrix))


def _empty(kind: NoiseKind, noise: d.NoiseModel) -> bool:
    """Whether none of the ways to give its size was used: that is asked for, and not wrong yet."""
    ways = [f.name for f in kind.fields if f.kind.startswith("optional")]
    return bool(ways) and all(getattr(noise, name, None) is None for name in ways)
