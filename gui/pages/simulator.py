"""Simulator page: the program, how parameters get in, how outputs come out, what they mean; and a test run beside it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter, QTabWidget, QWidget

from bayescope.gui.models.trial import Trial
from bayescope.gui.pages.page import Page, Status, status_of
from bayescope.gui.pages.simulator_inputs import InputsTab
from bayescope.gui.pages.simulator_limits import LimitsTab
from bayescope.gui.pages.simulator_meaning import MeaningTab
from bayescope.gui.pages.simulator_outputs import OutputsTab
from bayescope.gui.pages.simulator_program import ProgramTab
from bayescope.gui.pages.trial_panel import TrialPanel
from bayescope.gui.session_controller import SessionController

TABS = (
    ("program", "&1  Program", "simulator.command"),
    ("inputs", "&2  Inputs", "simulator.templates"),
    ("outputs", "&3  Outputs", "outputs"),
    ("meaning", "&4  Meaning", "meaning"),
    ("limits", "&5  Limits", "simulator.limits"),
)


class SimulatorPage(Page):
    title = "Simulator"
    purpose = "Your program, how the parameters get into it, which numbers to read from it, and what they mean."
    help_page = "simulator"
    page_requested = Signal(str)

    def __init__(self, controller: SessionController, parent: QWidget | None = None) -> None:
        super().__init__(controller, parent)
        self.trial = Trial.of(controller)
        self.program = ProgramTab(controller, self.trial)
        self.inputs = InputsTab(controller, self.trial)
        self.outputs = OutputsTab(controller, self.trial)
        self.meaning = MeaningTab(controller)
        self.meaning.to_data.clicked.connect(lambda: self.page_requested.emit("data"))
        self.limits = LimitsTab(controller)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName("Parts of the simulator's description")
        for (_, title, _), part in zip(TABS, self._parts(), strict=True):
            self.tabs.addTab(part, title)
        for part, page in zip(self._parts(), ("simulator", "inputs", "outputs", "meaning", "limits"), strict=True):
            part.setProperty("help", page)
        self.panel = TrialPanel(self.trial)
        self.panel.setProperty("help", "test-run")
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(self.tabs)
        split.addWidget(self.panel)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        split.setSizes([660, 420])
        split.setChildrenCollapsible(False)
        split.setHandleWidth(20)
        self.add(split, 1)
        self.follow()

    def _parts(self) -> tuple[ProgramTab, InputsTab, OutputsTab, MeaningTab, LimitsTab]:
        return self.program, self.inputs, self.outputs, self.meaning, self.limits

    def refresh(self) -> None:
        for part in self._parts():
            part.refresh()
        self.panel.refresh()

    def status(self) -> Status:
        problem = self.controller.problem
        if not problem.simulator.command or not problem.simulator.command[0]:
            return "todo", "Choose the program."
        if not problem.outputs:
            return "todo", "Run it once and mark the numbers to read."
        findings = self.controller.findings("simulator") + self.controller.findings("outputs")
        findings += [
            f
            for f in self.controller.findings("meaning")
            if not f.where.startswith(("meaning.noise", "meaning.matches", "meaning.summaries"))
        ]
        outputs = len(problem.outputs)
        return status_of(findings, "", f"{outputs} output{'s' if outputs != 1 else ''} read")
