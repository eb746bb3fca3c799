"""The tour: takes the user through the steps of the window, a bubble at each, and learns the example's answer on the way."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.dialogs.closing import may_leave
from bayescope.gui.models.tour import CONVERGED, ENDED, STEPS, UNDER_WAY, tour_problem
from bayescope.gui.widgets.bubble import Bubble

RUN = next(k for k, step in enumerate(STEPS) if step.page == "run")


class Tour(QObject):
    """``start`` it; ``at`` is the bubble that is shown, None when it is not under way.

    ``go`` shows the page of that name; ``target``: what the bubble of that page points at.
    """

    def __init__(
        self, window: QWidget, controller: SessionController, go: Callable[[str], None], target: Callable[[str], QWidget]
    ) -> None:
        super().__init__(window)
        self._window, self._controller, self._go, self._target = window, controller, go, target
        self.at: int | None = None
        self._waits = False  # "Next" had the focus when the runs began: it has it again when they end
        self.bubble = Bubble(window)
        self.end_button = self.bubble.add_button("&End the tour", "link")
        self.back_button = self.bubble.add_button("&Back")
        self.next_button = self.bubble.add_button("&Next", "primary")
        self.end_button.clicked.connect(self.end)
        self.bubble.left.connect(self.end)
        self.back_button.clicked.connect(lambda: self._show((self.at or 0) - 1))
        self.next_button.clicked.connect(self._on_next)
        self._controller.run.state_changed.connect(lambda *_: self._refresh())
        self._controller.file.changed.connect(self._on_other_file)

    def start(self) -> None:
        """Open the tour's example in this window, once what is in it may be left, and show the first bubble."""
        if not may_leave(self._window, self._controller.file, self._controller.run):
            return
        self.at = None
        if self._controller.file.adopt(tour_problem()):
            self._name = self._controller.problem.declared.name
            self._show(0)

    def end(self) -> None:
        """The bubbles go; the example stays open."""
        self.at = None
        self.bubble.hide()

    def _on_next(self) -> None:
        if self.at is None:
            return
        if self.at == RUN and not self._controller.run.data.evaluations:
            self._controller.run.start()
        elif self.at == len(STEPS) - 1:
            self.end()
        else:
            self._show(self.at + 1)

    def _show(self, at: int) -> None:
        self.at = at
        self._go(STEPS[at].page)
        self._refresh()
        self.bubble.point_at(self._target(STEPS[at].page))
        self.next_button.setFocus()

    def _refresh(self) -> None:
        """What the buttons say, as the run stands."""
        if self.at is None:
            return
        run, step = self._controller.run, STEPS[self.at]
        said = self._of_the_runs() if self.at == RUN else step.words
        self.bubble.say(step.heading, said, f"{self.at + 1} of {len(STEPS)}")
        words, may = "&Next", True
        if self.at == RUN:
            words = "Start the &runs" if not run.data.evaluations and not run.active else "&Next"
            may = not run.active
        elif self.at == len(STEPS) - 1:
            words = "&Done"
        self.next_button.setText(words)
        self._enable_next(may)
        self.back_button.setVisible(self.at > 0)
        self.end_button.setVisible(self.at < len(STEPS) - 1)

    def _of_the_runs(self) -> str:
        run = self._controller.run
        if run.active:
            return UNDER_WAY
        if not run.data.evaluations:
            return STEPS[RUN].words
        return CONVERGED if run.data.trace and run.data.trace[-1].converged else ENDED

    def _enable_next(self, may: bool) -> None:
        """While it is disabled the bubble keeps the focus, else Qt gives it to what stands next in the window."""
        focus = self._window.focusWidget()
        if not may and focus is self.next_button:
            self._waits = True
            self.bubble.setFocus()
        self.next_button.setEnabled(may)
        if may and self._waits:
            self._waits = False
            if self._window.focusWidget() is self.bubble:
                self.next_button.setFocus()

    def _on_other_file(self) -> None:
        if self.at is not None and self._controller.problem.declared.name != self._name:
            self.end()  # another analysis was opened
