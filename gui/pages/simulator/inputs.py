"""Inputs tab: every way a parameter's value reaches the program, and where each parameter is used."""

from __future__ import annotations

import msgspec
from PySide6.QtWidgets import QCheckBox, QPushButton, QTabWidget, QVBoxLayout, QWidget

from bayescope.engine.problem.definition import Parameter, Problem, Uniform
from bayescope.engine.problem.placeholders import find
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.records import Column, RecordsModel
from bayescope.gui.models.simulator.numbers.format_hints import hints_in, honoured
from bayescope.gui.models.simulator.numbers.typed_over import typed_over
from bayescope.gui.models.simulator.texts.filled import all_uses, filled
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.pages.make_parameter import MakeParameter
from bayescope.gui.pages.seeded_notice import SeededNotice
from bayescope.gui.pages.simulator.after_runs import AfterRuns
from bayescope.gui.pages.simulator.templates import NOTHING_MARKED, TemplatesPart
from bayescope.gui.pages.simulator.uses import UsesPart
from bayescope.gui.widgets.forms import beside
from bayescope.gui.widgets.notices import FieldNotice, Notice, label
from bayescope.gui.widgets.scrolling import Part
from bayescope.gui.widgets.tables import TableView
from bayescope.gui.widgets.template_editor import TemplateEditor
from bayescope.gui.widgets.text_pane import TextPane

Variable = tuple[str, str]


def _variable_name(row: Variable, text: str) -> Variable:
    if not text.strip() or "=" in text or "\0" in text:
        raise ValueError("The name of a variable cannot be empty or contain “=”.")
    return text.strip(), row[1]


VARIABLE_COLUMNS: tuple[Column[Variable], ...] = (
    Column("name", "Variable", "Name of the environment variable.", lambda v: v[0], _variable_name),
    Column("value", "Value", "Its value; @name@ stands for a parameter.", lambda v: v[1], lambda v, text: (v[0], text)),
)


class InputsTab(Part):
    """Edits ``templates``, ``stdin``, ``environment`` and ``formats``."""

    def __init__(
        self,
        problem: DeclaredProblem,
        file: AnalysisFile,
        run: AnalysisRun,
        trial: Trial,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.problem, self.file, self.run, self.trial = problem, file, run, trial
        self.missing = Notice()
        self.missing.pressed.connect(self._add_missing)
        self.hints = Notice()
        self.hints.pressed.connect(lambda: problem.replace(honoured(problem.declared), "Number formats as written"))
        self.templates = TemplatesPart(problem, file, run, trial)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName("Ways into the program")
        self.tabs.addTab(self.templates, "Input files")
        self.stdin_after_runs = AfterRuns(problem, file, run, "the standard input", "it is")
        self.stdin_after_runs.allowed.connect(lambda: self.stdin.setFocus())
        self.variables_after_runs = AfterRuns(problem, file, run, "the variables")
        self.stdin_part = self._stdin_part()
        self.tabs.addTab(self.stdin_part, "Standard input")
        self.tabs.addTab(self._environment_part(), "Environment")
        self.uses_part = UsesPart(problem, trial)
        self.tabs.addTab(self.uses_part, "Where each parameter goes")
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 12, 0, 0)
        box.setSpacing(8)
        box.addWidget(
            label(
                "A parameter reaches the program where @name@ stands: in the arguments, an input file, stdin or a variable.",
                "hint",
                wrap=True,
            )
        )
        self.seeded = SeededNotice(problem)
        box.addWidget(self.tabs, 1)  # what comes and goes is below it: the text stays where the next name is typed
        box.addWidget(self.missing)
        box.addWidget(self.hints)
        box.addWidget(self.seeded)
        trial.changed.connect(self._preview)

    def show_use(self, name: str) -> None:
        """Where ``name`` stands."""
        if self.templates.show_use(name):
            self.tabs.setCurrentWidget(self.templates)
        else:
            self.tabs.setCurrentWidget(self.uses_part)
            self.uses_part.select(name)

    def _stdin_part(self) -> QWidget:
        part = QWidget()
        self.stdin_on = QCheckBox("The program reads this te&xt from its standard input")
        self.stdin_on.clicked.connect(self._stdin_switched)
        self.stdin = TemplateEditor("Standard input")
        self.stdin.committed.connect(lambda text: self._edit("Edit standard input", stdin=text))
        self.stdin.marked.connect(self._stdin_marked)
        self.stdin_maker = MakeParameter(self.problem, self.trial, _with_stdin)
        self.stdin_maker.offered.connect(self.stdin.select)
        self.stdin_hint = FieldNotice()
        self.stdin_filled = TextPane("Standard input at the values of the test run", strip=False)
        self.stdin_filled_words = label("As the program gets it, at the values of the test run", "hint")
        box = QVBoxLayout(part)
        box.setContentsMargins(0, 10, 0, 0)
        for widget, stretch in (
            (self.stdin_on, 0),
            (self.stdin, 1),
            (self.stdin_hint, 0),
            (self.stdin_filled_words, 0),
            (self.stdin_filled, 1),
            (self.stdin_maker, 0),
            (self.stdin_after_runs, 0),
        ):
            box.addWidget(widget, stretch)
        box.addStretch(0)
        return part

    def _environment_part(self) -> QWidget:
        part = QWidget()
        self.variables = RecordsModel[Variable](VARIABLE_COLUMNS, self._variables_changed, self)
        self.variables_table = TableView("Environment variables", self.variables)
        self.variables_table.set_widths(26, 40)
        self.variables_table.horizontalHeader().setStretchLastSection(True)
        self.variables_table.say_nothing("No variables. Most programs need none.")
        self.variables_table.delete_pressed.connect(lambda rows: self.variables.remove(rows, "Remove variable"))
        self.add_variable = QPushButton("&Add variable")
        self.add_variable.clicked.connect(self._add_variable)
        self.remove_variable = QPushButton("Remove variable")
        self.remove_variable.clicked.connect(
            lambda: self.variables.remove(self.variables_table.selected_rows(), "Remove variable")
        )
        self.variables_notice = FieldNotice()
        self.variables.refused.connect(lambda r, c, words: self.variables_notice.say("error", words))
        box = QVBoxLayout(part)
        box.setContentsMargins(0, 10, 0, 0)
        box.addWidget(
            label(
                "Variables the program finds in its environment, besides those of your own session.", "hint", wrap=True
            )
        )
        box.addWidget(self.variables_table, 1)
        box.addWidget(self.variables_notice)
        box.addWidget(self.variables_after_runs)
        box.addWidget(beside(self.add_variable, self.remove_variable, 1))
        return part

    # -------------------------------------------------------------- shown

    def refresh(self) -> None:
        simulator, locked = self.problem.declared.simulator, self.problem.locked
        names = [p.name for p in self.problem.declared.parameters]
        self.seeded.refresh("simulator.templates", "simulator.stdin", "simulator.environment")
        self.templates.refresh()
        on = simulator.stdin is not None
        held = locked and not self.problem.texts_free
        for asked in (self.stdin_after_runs, self.variables_after_runs):
            asked.refresh()
        self.stdin_on.setChecked(on)
        self.stdin_on.setEnabled(not held)
        for part in (self.stdin, self.stdin_filled, self.stdin_filled_words):
            part.setVisible(on)
        self.stdin.end_editing() if held else self.stdin.start_editing()  # there is no file that a stray key could spoil
        self.stdin.set_known(names)
        self.stdin.show_text(simulator.stdin or "")
        self.variables.read_only = held
        self.variables.set_rows(list(simulator.environment.items()))
        self.add_variable.setEnabled(not held)
        self.remove_variable.setEnabled(not held and bool(simulator.environment))
        self._preview()

    def _preview(self) -> None:
        problem = self.problem.declared
        values = self.trial.values()
        if problem.simulator.stdin is not None:
            self.stdin_filled.set_text(filled(problem.simulator.stdin, values, problem.simulator.formats)[0])
        self.stdin_hint.say("info", NOTHING_MARKED if (text := problem.simulator.stdin) and not find(text) else "")
        found = all_uses(problem.simulator)
        known = {p.name for p in problem.parameters}
        unknown = [name for name in found if name not in known and name not in ("seed", "run_folder")]
        self._say_missing(unknown, found)
        asked = list(hints_in(problem.simulator).values())
        if asked and not self.problem.locked:
            shown = ", ".join(f"@{one_line(text, 30)}@" for text in asked[:3]) + (" …" if len(asked) > 3 else "")
            named = "Number formats are set under Where each parameter goes; between the at signs only a name may stand."
            self.hints.say("warning", f"{shown}: the format belongs elsewhere.", named, "&Move it there")
        else:
            self.hints.clear()
        self.uses_part.refresh(found)

    def _say_missing(self, unknown: list[str], found: dict[str, list[str]]) -> None:
        if not unknown:
            self.missing.clear()
            return
        listed = ", ".join(f"@{one_line(name, 30)}@ (in {found[name][0]})" for name in unknown[:5]) + (
            " …" if len(unknown) > 5 else ""
        )
        one = len(unknown) == 1
        button = "" if self.problem.locked else "Make it a parameter" if one else "Make them parameters"
        self.missing.say(
            "warning",
            f"No parameter is called {listed}.",
            "Add it, or correct the name." if one else "Add them, or correct the names.",
            button,
        )

    # -------------------------------------------------------------- edits

    def _edit(self, text: str, **changes: object) -> bool:
        return self.problem.edit(
            text, simulator=msgspec.structs.replace(self.problem.declared.simulator, **changes)
        )

    def _stdin_switched(self, on: bool) -> None:
        self._edit("Use standard input" if on else "No standard input", stdin="" if on else None)

    def _stdin_marked(self, start: int, end: int) -> None:
        if start != end:
            self.stdin.commit()
            if (place := self.stdin_maker.settled(start, end)) is None:
                self.stdin_maker.take_focus()
                return
            self.stdin_maker.offer(self.stdin.text(), *place)
            self.stdin_maker.take_focus()

    def _variables_changed(self, rows: tuple[Variable, ...], text: str) -> bool:
        self.variables_notice.clear()
        names = [name for name, _ in rows]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            self.variables_notice.say("error", f"There is already a variable called {one_line(twice, 40)}.")
            return False
        return self._edit(text, environment=dict(rows))

    def _add_variable(self) -> None:
        taken = {name for name, _ in self.variables.rows}
        name = next(n for k in range(1, len(taken) + 2) if (n := f"VARIABLE_{k}") not in taken)
        self.variables.append((name, ""), "Add variable")
        self.variables_table.setCurrentIndex(self.variables.index(len(self.variables.rows) - 1, 0))
        self.variables_table.setFocus()

    def _add_missing(self) -> None:
        problem = self.problem.declared
        known = {p.name for p in problem.parameters}
        names = [n for n in all_uses(problem.simulator) if n not in known and n not in ("seed", "run_folder")]
        stood = {n: found for n in names if (found := typed_over(problem.simulator.templates, n)) is not None}
        new = tuple(stood[n][0] if n in stood else Parameter(name=n, prior=Uniform(low=0.0, high=1.0)) for n in names)
        step = f"Add {len(new)} parameters" if len(new) > 1 else "Add a parameter"
        if self.problem.edit(step, parameters=(*problem.parameters, *new)):
            for name, (parameter, value) in stood.items():
                if parameter.prior is not None:
                    self.trial.answers.guess(name, parameter.prior, value)
                self.trial.set_value(name, value)


def _with_stdin(problem: Problem, text: str) -> Problem:
    return msgspec.structs.replace(problem, simulator=msgspec.structs.replace(problem.simulator, stdin=text))
