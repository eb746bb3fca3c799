"""Where each parameter goes, how it is written there, and in how many places it should stand."""

from __future__ import annotations

import msgspec
from PySide6.QtWidgets import QVBoxLayout, QWidget

from bayescope.engine.problem.definition import NumberFormat
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.analysis.number_formats import in_style_of
from bayescope.gui.models.fields import Field
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.records import Column, RecordsModel
from bayescope.gui.models.simulator.numbers.written_widths import (
    every_digit_words,
    width_words,
    with_every_digit,
    with_twelve,
)
from bayescope.gui.models.simulator.texts.filled import all_uses, written
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.pages.elsewhere_notice import ElsewhereNotice
from bayescope.gui.widgets.expander import Expander
from bayescope.gui.widgets.notices import FieldNotice, Notice, label
from bayescope.gui.widgets.struct_form import StructForm
from bayescope.gui.widgets.tables import TableView


class UseRow(msgspec.Struct, frozen=True):
    """One parameter and where its value goes; ``expected``: in how many places, if the user said so."""

    name: str
    where: str
    written: str
    form: NumberFormat
    expected: int | None = None


USE_COLUMNS: tuple[Column[UseRow], ...] = (
    Column("name", "Parameter", "The parameter.", lambda r: r.name),
    Column("where", "Used in", "Where its value is put in.", lambda r: r.where),
    Column("written", "Written as", "Its test value as the program gets it.", lambda r: r.written),
)
STYLES = (
    ("general", "As short as it can be (1.5, 2.5e-08)"),
    ("exponent", "With exponent (1.5E+00)"),
    ("fixed", "Fixed decimals"),
    ("integer", "Whole number"),
)
CHOOSE = "Choose a parameter to change how it is written"
FORMAT_FIELDS = (
    Field("style", "Number format", "How the value is written.", "choice", choices=STYLES),
    Field(
        "digits", "Digits", "Significant, or behind the point. Empty: as many as the value has.", "optional_count",
        placeholder="all",
    ),
    Field("width", "Padded to", "Spaces on the left up to this length.", "optional_count", "characters", "no padding"),
    Field(
        "max_width", "At most", "A longer number is an error, never cut.", "optional_count", "characters", "any length"
    ),
)


EXPECTED_FIELDS = (
    Field(
        "expected",
        "Should stand in",
        "You are warned if it stands in more or fewer places, for example after an input file was replaced.",
        "optional_count",
        "places",
        "1",
    ),
)


class UsesPart(QWidget):
    """Edits ``formats`` and ``expected_uses``."""

    def __init__(self, problem: DeclaredProblem, trial: Trial, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem, self.trial = problem, trial
        self.uses = RecordsModel[UseRow](USE_COLUMNS, None, self)
        self.uses_table = TableView("Where each parameter goes", self.uses)
        self.uses_table.set_widths(16, 44, 24)
        self.uses_table.horizontalHeader().setStretchLastSection(True)
        self.uses_table.say_nothing("No parameters yet. Each one is listed here, with the places its value is put in.")
        self.uses_table.selectionModel().currentRowChanged.connect(lambda now, before: self._show_format())
        self.elsewhere = ElsewhereNotice(problem, trial)
        self.every_notice = Notice()
        self.every_notice.pressed.connect(lambda: problem.replace(with_twelve(problem.declared), "Write 12 digits"))
        self.format_form = StructForm()
        self.format_form.changed.connect(self._format_changed)
        self.format_words = label("", "heading")
        self.width_notice = FieldNotice()
        self.expected_notice = Notice()
        self.expected_notice.pressed.connect(self._as_it_is)
        self.expected_form = StructForm()
        self.expected_form.changed.connect(self._expected_changed)
        self.advanced = Expander("Advanced", self.expected_form)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 10, 0, 0)
        box.addWidget(self.expected_notice)
        box.addWidget(self.uses_table, 1)
        box.addWidget(self.elsewhere)
        box.addWidget(self.every_notice)
        box.addWidget(self.format_words)
        box.addWidget(self.width_notice)
        box.addWidget(self.format_form)
        box.addWidget(self.advanced)

    def refresh(self, found: dict[str, list[str]]) -> None:
        """``found``: for each name the places where it stands, in words."""
        problem, values = self.problem.declared, self.trial.values()
        noise = {str(v) for v in msgspec.to_builtins(problem.meaning).get("noise", {}).values() if isinstance(v, str)}
        rows = []
        for p in problem.parameters:
            places = found.get(p.name, [])
            where = ", ".join(
                f"{w}{f' ({places.count(w)} times)' if places.count(w) > 1 else ''}" for w in dict.fromkeys(places)
            )
            where = where or ("the noise model" if p.name in noise else "✕ nowhere yet")
            form = problem.simulator.formats.get(p.name, NumberFormat())
            try:
                text = written(values[p.name], form)
            except ValueError as error:
                text = f"✕ {error}"
            rows.append(UseRow(p.name, where, text, form, problem.simulator.expected_uses.get(p.name)))
        self.uses.set_rows(rows)
        every = with_every_digit(problem)
        button = "" if self.problem.locked else "Use 12 &digits"
        self.every_notice.say("info", every_digit_words(every) if every else "", "12 digits take at most 19.", button)
        self._show_format()

    def select(self, name: str) -> None:
        """The row of ``name``."""
        row = next((i for i, r in enumerate(self.uses.rows) if r.name == name), -1)
        self.uses_table.setCurrentIndex(self.uses.index(row, 0))
        self.uses_table.setFocus()

    def _show_format(self) -> None:
        row, locked = self.uses_table.currentIndex().row(), self.problem.locked
        some = 0 <= row < len(self.uses.rows)
        self.elsewhere.look(self.uses.rows[row].name if some else "")
        self.format_form.setVisible(some)
        how = f"How {one_line(self.uses.rows[row].name, 40)} is written" if some else CHOOSE if self.uses.rows else ""
        self.format_words.setText(how)
        self.width_notice.say("info", width_words(self.problem.declared, self.uses.rows[row].name) if some else "")
        if some:
            self.format_form.show_record(self.uses.rows[row].form, FORMAT_FIELDS, locked, self.uses.rows[row].name)
            self.expected_form.show_record(self.uses.rows[row], EXPECTED_FIELDS, locked, self.uses.rows[row].name)
        self.advanced.setVisible(some)
        found = self.problem.findings("simulator.expected_uses")
        if found:
            button = "" if self.problem.locked else "It is &meant so"
            self.expected_notice.say("warning", found[0].message, found[0].suggestion, button)
        else:
            self.expected_notice.clear()

    # -------------------------------------------------------------- edits

    def _edit(self, text: str, **changes: object) -> bool:
        return self.problem.edit(text, simulator=msgspec.structs.replace(self.problem.declared.simulator, **changes))

    def _format_changed(self, form: NumberFormat) -> None:
        row = self.uses.rows[self.uses_table.currentIndex().row()]
        form = in_style_of(form, row.form)
        formats = dict(self.problem.declared.simulator.formats)
        formats[row.name] = form
        if form == NumberFormat():
            del formats[row.name]
        self._edit("Change number format", formats=formats)

    def _expected_changed(self, row: UseRow) -> None:
        expected = {k: v for k, v in self.problem.declared.simulator.expected_uses.items() if k != row.name}
        if row.expected is not None:
            expected[row.name] = row.expected
        self._edit("Change expected places", expected_uses=expected)

    def _as_it_is(self) -> None:
        """Every placeholder stands where it should: from now on only a change of that is told."""
        simulator = self.problem.declared.simulator
        known = {p.name for p in self.problem.declared.parameters}
        uses = {name: len(places) for name, places in all_uses(simulator).items() if name in known}
        self._edit("Placeholders stand where they should", expected_uses={n: k for n, k in uses.items() if k != 1})
