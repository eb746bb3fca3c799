"""Simulator page: the program, how parameters get in, how outputs come out, what they mean; and a test run beside it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtWidgets import QTabWidget, QWidget

from bayescope.engine.problem.checks.check_random import seeded_but_exact
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.models.step_status import RANDOM_BUT_EXACT, meaning_open, misread_words, unread_words
from bayescope.gui.pages.page import Page, Status, status_of
from bayescope.gui.pages.seeded_notice import SeededNotice
from bayescope.gui.pages.simulator.program import ProgramTab
from bayescope.gui.pages.trial_panel import TrialPanel
from bayescope.gui.widgets.folding import FoldingSplitter
from bayescope.gui.widgets.scrolling import VerticalScroll, bring_into_sight, measure_hidden
from bayescope.gui.widgets.steady_bar import SteadyBar

if TYPE_CHECKING:
    from bayescope.gui.pages.simulator.inputs import InputsTab
    from bayescope.gui.pages.simulator.limits import LimitsTab
    from bayescope.gui.pages.simulator.meaning import MeaningTab
    from bayescope.gui.pages.simulator.outputs import OutputsTab

    Part = ProgramTab | InputsTab | OutputsTab | MeaningTab | LimitsTab

TABS = (  # key, title, help page
    ("program", "&1  Program", "simulator"),
    ("inputs", "&2  Inputs", "inputs"),
    ("outputs", "&3  Outputs", "outputs"),
    ("meaning", "&4  Meaning", "meaning"),
    ("limits", "&5  Limits", "limits"),
)


class SimulatorPage(Page):
    step = "simulator"
    title = "Simulator"
    purpose = "Your program, how the parameters get into it, which numbers to read from it, and what they mean."
    help_page = "simulator"
    page_requested = Signal(str)

    def __init__(self, controller: SessionController, parent: QWidget | None = None) -> None:
        super().__init__(controller, parent)
        self.trial = Trial.of(controller)
        self._built: dict[str, Part] = {}
        self.tabs = QTabWidget()
        self.tabs.setTabBar(SteadyBar())
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName("Parts of the simulator's description")
        for _, title, _ in TABS:
            self.tabs.addTab(QWidget(), title)
        self._part("program")
        self.tabs.currentChanged.connect(self._tab_shown)
        self.seeded = SeededNotice(self.problem)
        self.seeded.meaning_wanted.connect(self._to_meaning)
        self.panel = TrialPanel(self.trial)
        self.panel.setProperty("help", "test-run")
        self.panel.place_wanted.connect(self._open_place)
        self.panel.marking_wanted.connect(self._show_marking)
        self.panel.use_wanted.connect(self.show_use)
        self.panel.meaning_wanted.connect(lambda: self.tabs.setCurrentWidget(self.meaning))
        self.panel.file_wanted.connect(self._show_fixed_files)
        split = FoldingSplitter()
        split.addWidget(self.tabs)
        split.addWidget(VerticalScroll(self.panel))
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        split.setSizes([660, 420])
        split.setHandleWidth(20)
        self.add(self.seeded)
        self.add(split, 1)
        self.file.shown.connect(self._another)
        self.follow()

    def _another(self) -> None:
        now = self.problem.declared
        if not any(now.simulator.command[:1]) and not now.simulator.templates and not now.outputs:
            self._begin()

    def _open_place(self) -> None:
        from bayescope.gui.pages.places import open_places

        open_places(self.run.places, self.window())

    # ---------------------------------------------------------- the tabs, each built when it is first asked for

    def _part(self, key: str) -> Part:
        if key not in self._built:
            self._built[key] = part = self._make(key)
            index = [k for k, _, _ in TABS].index(key)
            part.setProperty("help", TABS[index][2])
            part.refresh()
            with QSignalBlocker(self.tabs):
                shown, empty = self.tabs.currentIndex(), self.tabs.widget(index)
                self.tabs.removeTab(index)
                self.tabs.insertTab(index, part, TABS[index][1])
                self.tabs.setCurrentIndex(shown)
            if empty is not None:
                empty.deleteLater()
            measure_hidden(part)
        return self._built[key]

    def _make(self, key: str) -> Part:
        if key == "program":
            program = ProgramTab(self.problem, self.file, self.run, self.trial)
            program.template_wanted.connect(self._open_template)
            program.redirect.taken.connect(self._show_standard_input)
            program.seeded.meaning_wanted.connect(self._to_meaning)
            return program
        if key == "inputs":
            from bayescope.gui.pages.simulator.inputs import InputsTab

            inputs = InputsTab(self.problem, self.file, self.run, self.trial)
            inputs.seeded.meaning_wanted.connect(self._to_meaning)
            return inputs
        if key == "outputs":
            from bayescope.gui.pages.simulator.outputs import OutputsTab

            outputs = OutputsTab(self.problem, self.file, self.trial)
            outputs.picker.text.main = True  # Ctrl+F finds in it, and not in the test run's texts beside it
            return outputs
        if key == "meaning":
            from bayescope.gui.pages.simulator.meaning import MeaningTab

            meaning = MeaningTab(self.problem, self.trial)
            meaning.to_data.clicked.connect(lambda: self.page_requested.emit("data"))
            return meaning
        from bayescope.gui.pages.simulator.limits import LimitsTab

        return LimitsTab(self.problem, self.file, self.run)

    @property
    def program(self) -> ProgramTab:
        return cast("ProgramTab", self._part("program"))

    @property
    def inputs(self) -> InputsTab:
        return cast("InputsTab", self._part("inputs"))

    @property
    def outputs(self) -> OutputsTab:
        return cast("OutputsTab", self._part("outputs"))

    @property
    def meaning(self) -> MeaningTab:
        return cast("MeaningTab", self._part("meaning"))

    @property
    def limits(self) -> LimitsTab:
        return cast("LimitsTab", self._part("limits"))

    def _show_marking(self) -> None:
        self.tabs.setCurrentWidget(self.outputs)
        self.outputs.tabs.setCurrentWidget(self.outputs.picker)
        text = self.outputs.picker.text
        text.setFocus()  # the keyboard marks there, too
        QTimer.singleShot(0, self, lambda: bring_into_sight(text))  # when the tab has its place

    def _show_fixed_files(self) -> None:
        """Where what a run lacks is put into its folder."""
        self.tabs.setCurrentWidget(self.program)
        self.program.fixed_files.add_button.setFocus(Qt.FocusReason.TabFocusReason)  # to be seen where the tab is shown already
        QTimer.singleShot(0, self, lambda: bring_into_sight(self.program.fixed_files))

    def show_outputs(self, name: str = "") -> None:
        """Where outputs are marked; the output ``name`` in sight, so that what stands beside its values can be marked."""
        self.tabs.setCurrentWidget(self.outputs)
        if name and self.outputs.show_output(name):
            self._show_marking()

    def _open_template(self, path: Path | None) -> None:
        self.tabs.setCurrentWidget(self.inputs)
        self.inputs.tabs.setCurrentWidget(self.inputs.templates)
        if path is None:
            self.inputs.templates.ask_for_file()
        else:
            self.inputs.templates.open_file(path)

    def show_use(self, name: str) -> None:
        """Where ``name`` stands: in the text of an input file, or named in the list of all places."""
        self.tabs.setCurrentWidget(self.inputs)
        self.inputs.show_use(name)

    def take_files(self, paths: list[Path]) -> bool:
        """Dropped: the program, where none is chosen yet, or input files with unknown numbers."""
        if self.problem.locked:
            return False
        if self.tabs.currentWidget() is self.program and not self.problem.declared.simulator.command:
            return self.program.take_program(paths[0])
        if self.tabs.currentWidget() is not self.inputs:
            return False
        self.inputs.tabs.setCurrentWidget(self.inputs.templates)
        for path in paths:
            self.inputs.templates.open_file(path)
        return True

    def _show_standard_input(self) -> None:
        self.tabs.setCurrentWidget(self.inputs)
        self.inputs.tabs.setCurrentWidget(self.inputs.stdin_part)
        self.inputs.stdin.setFocus()

    def _to_meaning(self) -> None:
        self.tabs.setCurrentWidget(self.meaning)
        self.meaning.to_random()

    def _tab_shown(self, index: int) -> None:
        self._part(TABS[index][0])
        self.setProperty("help", TABS[index][2])
        self._say_seeded()

    def _say_seeded(self) -> None:
        """On the tabs that do not say it where the seed stands: the step's error is seen, with its buttons, wherever one is."""
        own = getattr(self._built.get(TABS[self.tabs.currentIndex()][0]), "seeded", None)
        if own is not None and own.level is not None:
            self.seeded.clear()
        else:
            self.seeded.refresh("")

    def first_field(self) -> QWidget | None:
        problem = self.problem.declared
        return None if any(problem.simulator.command[:1]) or self.tabs.currentIndex() else self.program.program

    def refresh(self) -> None:
        for part in self._built.values():
            part.refresh()
        self.panel.refresh()
        self._say_seeded()

    def _begin(self) -> None:
        """A new analysis begins where the first one did, in the tabs within the tabs too."""
        self.tabs.setCurrentIndex(0)
        for part in self._built.values():
            within = getattr(part, "tabs", None)
            if isinstance(within, QTabWidget):
                within.setCurrentIndex(0)

    def status(self) -> Status:
        problem = self.problem.declared
        if not problem.simulator.command or not problem.simulator.command[0]:
            return "todo", "Choose the program."
        if not problem.outputs:
            return "todo", "Mark the numbers to read."
        if meaning_open(problem):
            return "todo", "Say what the outputs mean."
        findings = self.problem.findings("simulator") + self.problem.findings("outputs")
        findings += [
            f
            for f in self.problem.findings("meaning")
            if not f.where.startswith(("meaning.noise", "meaning.matches", "meaning.summaries"))
        ]
        if findings and findings[0] == seeded_but_exact(problem):
            return "error", RANDOM_BUT_EXACT
        outputs = len(problem.outputs)
        if (unread := self.trial.unread()) and not any(f.level == "error" for f in findings):
            return "todo", unread_words(unread)
        if (misread := self.trial.misread()) and not any(f.level == "error" for f in findings):
            return "todo", misread_words(misread)
        return status_of(findings, "", f"{outputs} output{'s' if outputs != 1 else ''} read")
