"""Which column of earlier evaluations is which parameter, and which hold how well they fit, or what the program printed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QWidget

from bayescope.engine.archive.mapping import MEANINGS, Mapped, Meaning, mapping_from_options
from bayescope.engine.archive.output_columns import (
    MappedOutputs,
    can_hold_outputs,
    groups,
    holds_outputs,
    outputs_from_options,
    outputs_offered,
    program_parameters,
    required_outputs,
    vector_columns,
)
from bayescope.engine.archive.table import ArchiveError, Table
from bayescope.engine.problem.definition import Problem
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.gui.models.archive.import_memory import recall, recall_outputs
from bayescope.gui.models.plain import one_line
from bayescope.gui.widgets.forms import Choice
from bayescope.gui.widgets.notices import label

KINDS = (("value", "How well each run fits (a log density)"), ("outputs", "What the program gave (its outputs)"))


class ColumnRoles(QWidget):
    """``offer`` a table; ``mapped`` is what is chosen, ``missing`` what is not. ``form`` may be given rows above."""

    chosen = Signal()  # by the user

    def __init__(self, problem: Problem, *, hold: Literal["values", "outputs", ""], parent: QWidget | None = None) -> None:
        """``hold``: what the rows hold; "": either, if the problem allows it."""
        super().__init__(parent)
        self._problem, self._names = problem, ParameterSpace(problem.parameters).names
        self._own = program_parameters(problem)
        self._table: Table | None = None
        self.kind = Choice("What the rows hold", "A number that says how well a run fits, or what the program printed.")
        self.kind.offer(KINDS, "outputs" if hold == "outputs" else "value")
        self.columns = {n: Choice(f"Column of {n}", f"The column that holds {n}.") for n in self._names}
        self.value = Choice("Column of the log density", "The number that says how well these values fit.")
        self.meaning = Choice("What it means", "Log-likelihood, log-posterior, or minus two log-likelihood.")
        self.meaning.offer(tuple(MEANINGS.items()), "log_likelihood")
        self.noise = Choice("Column of its noise", "Standard deviation of the value, if the simulator is random.")
        self._may_hold, self._always = hold != "values" and can_hold_outputs(problem), hold == "outputs"
        tip = "One column for a number, or columns that are numbered in order: curve[0], curve[1]…"
        offered = outputs_offered(problem) if self._may_hold else ()
        self.outputs = {name: Choice(f"Columns of the output {name}", tip) for name in offered}
        self.form = QFormLayout(self)
        self.form.addRow(label("The rows hold"), self.kind)
        self.form.setRowVisible(self.kind, self._may_hold and not self._always)
        for name, choice in self.columns.items():
            self.form.addRow(label(one_line(name, 30)), choice)
        for words, choice in (("Log density", self.value), ("It is the", self.meaning), ("Its noise", self.noise)):
            self.form.addRow(label(words), choice)
        for name, choice in self.outputs.items():
            self.form.addRow(label(f"Output {one_line(name, 24)}"), choice)
        for choice in (*self.columns.values(), self.value, self.noise, *self.outputs.values()):
            choice.setPlaceholderText("choose a file or folder first")
        for choice in self.choices:
            choice.chosen.connect(lambda _key: self._choose())
        self._show_rows()

    @property
    def choices(self) -> tuple[Choice, ...]:
        return (self.kind, *self.columns.values(), self.value, self.meaning, self.noise, *self.outputs.values())

    @property
    def of_outputs(self) -> bool:
        return self.kind.key() == "outputs"

    def offer(self, table: Table) -> None:
        """Its columns, with what was chosen for such a table before, or what the names suggest."""
        self._table = table
        known = recall(self._names, table.columns)
        kept = recall_outputs(self._own, tuple(self.outputs), table.columns) if self._may_hold else None
        suggested = self._may_hold and (kept is not None or (known is None and holds_outputs(table, self._problem)))
        self.kind.offer(KINDS, "outputs" if suggested or self._always else "value")
        self._offer_values(table, known, {} if kept is None else kept.columns)
        self._offer_outputs(table, kept)
        self._show_rows()

    def mapped(self) -> Mapped | MappedOutputs | None:
        """What is chosen; None: something is ``missing``."""
        if self._table is None or self.missing():
            return None
        named = {n: choice.key() for n, choice in self.columns.items()}
        if not self.of_outputs:
            return Mapped(named, self.value.key(), cast("Meaning", self.meaning.key()), self.noise.key() or None)
        given = {n: vector_columns(self._table, choice.key()) for n, choice in self.outputs.items() if choice.key()}
        return MappedOutputs({n: named[n] for n in self._own}, given)

    def missing(self) -> list[str]:
        """Names of what must still be chosen."""
        needed = self._own if self.of_outputs else self._names
        found = [n for n in needed if not self.columns[n].key()]
        if self.of_outputs:
            return found + [n for n in required_outputs(self._problem) if not self.outputs[n].key()]
        return found or ([] if self.value.key() else ["the log density"])

    def _choose(self) -> None:
        self._show_rows()
        self.chosen.emit()

    def _offer_values(self, table: Table, known: Mapped | None, kept: Mapping[str, str]) -> None:
        offered = [("", "Choose…"), *((c, one_line(c, 40)) for c in table.columns)]
        guess = known or self._guess(table)
        by_name = {**({} if guess is None else guess.columns), **kept}
        for name, choice in self.columns.items():
            choice.offer(offered, by_name.get(name, name if name in table.columns else ""))
        self.value.offer(offered, "" if guess is None else guess.value)
        if guess is not None:
            self.meaning.offer(tuple(MEANINGS.items()), guess.meaning)
        noise = "" if guess is None or guess.sd is None else guess.sd
        self.noise.offer([("", "Exact: no noise"), *offered[1:]], noise)

    def _offer_outputs(self, table: Table, kept: MappedOutputs | None) -> None:
        vectors = groups(table.columns)
        within = {c for columns in vectors.values() for c in columns}
        offered = [(name, f"{one_line(name, 30)} ({len(columns):,} columns)") for name, columns in vectors.items()]
        offered += [(c, one_line(c, 40)) for c in table.columns if c not in within]
        offered += [(c, one_line(c, 40)) for c in table.columns if c in within and c not in vectors]
        of_columns = {columns: name for name, columns in vectors.items()}
        guess = kept or self._guess_outputs(table)
        needed = required_outputs(self._problem)
        for name, choice in self.outputs.items():
            columns = () if guess is None else guess.outputs.get(name, ())
            first = ("", "Choose…") if name in needed else ("", "Not in the table")
            choice.offer([first, *offered], of_columns.get(columns, columns[0] if len(columns) == 1 else ""))

    def _guess(self, table: Table) -> Mapped | None:
        """What the names suggest; None: not enough."""
        try:
            return mapping_from_options(table, self._problem, {}, None, None, None)
        except ArchiveError:
            return None

    def _guess_outputs(self, table: Table) -> MappedOutputs | None:
        try:
            return outputs_from_options(table, self._problem, {}, {}) if self._may_hold else None
        except ArchiveError:
            return None

    def _show_rows(self) -> None:
        for choice in (self.value, self.meaning, self.noise):
            self.form.setRowVisible(choice, not self.of_outputs)
        for choice in self.outputs.values():
            self.form.setRowVisible(choice, self.of_outputs)
        for name, choice in self.columns.items():
            self.form.setRowVisible(choice, not self.of_outputs or name in self._own)
