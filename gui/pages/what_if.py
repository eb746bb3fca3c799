"""What if the parameters were these: handles to drag, and the curve that the learnt outputs give there at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from bayescope.engine.answer.posterior import StoredPosterior
from bayescope.engine.answer.predictions.learnt_runs import RunsMade
from bayescope.engine.answer.predictions.predictive import Predicted
from bayescope.engine.answer.predictions.what_if import WhatIf
from bayescope.engine.problem.definition import Problem
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.protocol import TrialRunReport
from bayescope.engine.session.stored_arrays import Arrays
from bayescope.gui.models.plain import one_line
from bayescope.gui.plots.predictive import MOST_AT_ONCE
from bayescope.gui.style.theme import repolish
from bayescope.gui.style.words import number
from bayescope.gui.widgets.notices import label
from bayescope.gui.widgets.parameter_sliders import ParameterSliders, Range
from bayescope.gui.widgets.scrolling import VerticalScroll

Array = NDArray[np.float64]

REACH = 4.0  # posterior standard deviations that a handle can be dragged to either side
OUTPUTS_METHOD = "default"  # the one that learns outputs
WIDTH, LEAST_HEIGHT = 230, 60  # of the panel, and of its handles: the rest is scrolled to
_HINT = "Drag a parameter: orange is what the program would return, with its 90 % band. Nothing is run."
_FAR = "⚠ No run was made near here: the curve is a guess and the program may return something else. Run it to know."
MOVED_ON = "The run ended, but the parameters were moved on meanwhile."
RUN_HERE = "Run the program here"
_NEEDS = "“What if…” needs the program's outputs to be learnt; here the engine learnt how well each run fits."


def why_not(problem: Problem) -> str:
    """Why parameters cannot be dragged where a method learns the score alone, and what to do: sentences."""
    settings = problem.settings
    if settings.method != OUTPUTS_METHOD:
        return f"{_NEEDS} To have it, choose “Duplicate without runs” (File menu) and the method “Recommended” on the Run page."
    if settings.options.get("learn") == "score":
        return f"{_NEEDS} To have it, choose “Duplicate without runs” (File menu), and “auto” as What is learnt on the Run page."
    return f"{_NEEDS} The outputs could not be predicted well enough from other runs: + More runs may change that."


NOT_YET = "“What if…” appears as soon as the outputs are learnt, which takes a few more runs."
NO_USE = "“What if…” is not there: what is stored of the learnt outputs is of no use. + More runs makes it anew."


def returned(found: TrialRunReport | str, outputs: Sequence[Predicted]) -> tuple[list[Array], str]:
    """What a run gave at the measured points (m,) of each of ``outputs``; or none, and why."""
    if isinstance(found, str):
        return [], found
    if found.outcome != "ok" or len(found.predictions) != len(outputs):
        return [], found.reason or "The program ran, but what it returned cannot be put beside the data."
    given = [np.array([np.nan if v is None else v for v in p.predicted]) for p in found.predictions]
    fit = all(len(p.rows) == len(p.x) and max(p.rows, default=-1) < len(v) for p, v in zip(outputs, given, strict=True))
    return ([v[p.rows] for p, v in zip(outputs, given, strict=True)], "") if fit else ([], "Its rows are not those of the data.")


@dataclass(frozen=True)
class Offer:
    """What can be asked of one answer; made off the window's thread."""

    what_if: WhatIf
    within: Range

    @classmethod
    def of(
        cls, problem: Problem, space: ParameterSpace, posterior: StoredPosterior | None, arrays: Arrays,
        runs: RunsMade | None = None, others: Sequence[Predicted] = (),
    ) -> Offer | None:  # fmt: skip
        """None where outputs were not learnt, or what is stored of them is of no use. ``runs``: they tell how far the learnt
        outputs may be believed. ``others``: outputs that are compared with nothing."""
        learnt = [None if p.other is None else p.other.learnt for p in others]
        found = WhatIf.of(problem, space, arrays, runs, learnt)
        if found is None or posterior is None:
            return None
        centre, sd = posterior.moments_in_inference()
        told = space.to_inference(posterior.mean())  # the mean that the summary tells, in the user's units
        mean = np.where(np.isfinite(told), told, centre)
        sd = np.maximum(sd, 1e-9 * (1.0 + np.abs(mean)))
        try:
            with np.errstate(all="ignore"):
                curves = found.at(mean)  # with what is computed once for all points
        except ValueError:  # a file may hold absurd numbers
            return None
        if not all(np.isfinite(c.low).all() and np.isfinite(c.high).all() for c in curves):
            return None
        return cls(found, Range(found.seen, mean - REACH * sd, mean + REACH * sd, mean))


class WhatIfPanel(QFrame):
    """``moved`` carries a list of ``what_if.Curve``, one for each output; it is empty when the panel is closed.

    ``run_asked``: one run at ``values``; what it returned is given to ``show_run``, and ``returned`` carries it, (m,) for each
    output, until a parameter is dragged on.
    """

    moved = Signal(object)
    run_asked = Signal()
    returned = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._offer: Offer | None = None
        self._near = self._made = False  # runs were made near the handles; one was made right there
        self.sliders = ParameterSliders()
        self.sliders.moved.connect(self._tell)
        self.sliders.moved.connect(self.forget_run)
        self.hint = label(_HINT, "hint", wrap=True)
        self.run_here = QPushButton(RUN_HERE)
        self.run_here.setToolTip("One real run at these values, shown beside the curve; it is not part of the analysis")
        self.run_here.clicked.connect(self.run_asked)
        self.run_words = label("", "hint", wrap=True)
        self.run_words.hide()
        self.misfit = label("", "hint", wrap=True)
        self.back = QPushButton("Back to the mean")
        self.back.setToolTip("All parameters at their posterior mean again")
        self.back.clicked.connect(self.sliders.start)
        inner = QWidget()
        box = QVBoxLayout(inner)
        box.setContentsMargins(0, 0, 6, 0)
        box.addWidget(self.sliders)
        box.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(12, 8, 6, 8)
        outer.addWidget(label("What if", "heading"))
        outer.addWidget(self.hint)
        outer.addWidget(VerticalScroll(inner, LEAST_HEIGHT), 1)
        for widget in (self.run_words, self.misfit):
            outer.addWidget(widget)
        outer.addWidget(self.run_here, 0, Qt.AlignmentFlag.AlignLeft)
        outer.addWidget(self.back, 0, Qt.AlignmentFlag.AlignLeft)
        self.setMinimumWidth(WIDTH)
        self.setAccessibleName("What if the parameters were these")

    def update_offer(self, offer: Offer | None) -> None:
        self._offer = offer
        if offer is not None:
            space = offer.what_if.space
            self.sliders.offer(space, space.parameters, offer.within)
        self._tell()

    @property
    def outputs(self) -> list[Predicted]:
        return [] if self._offer is None else self._offer.what_if.outputs

    @property
    def values(self) -> dict[str, float]:
        """Of all parameters at the handles, in the user's units."""
        return {} if self._offer is None else self._offer.what_if.space.values(self.sliders.point)

    def say_running(self) -> None:
        self.run_here.setEnabled(False)
        self._say_run("The program runs…")

    def show_run(self, found: Sequence[Array], words: str) -> None:
        """What one run returned at the measured points of each output, or none and why, in words."""
        self.run_here.setEnabled(True)
        self._made = bool(found)
        self._say_hint()
        self._say_run(words or "Squares: what the program returned here.")
        self.returned.emit(list(found))

    def forget_run(self) -> None:
        """Another place: what was returned elsewhere says nothing here."""
        if self.run_here.isEnabled():
            self._say_run("")
        self._made = False
        self._say_hint()
        self.returned.emit([])

    def _say_hint(self) -> None:
        """What to do, or that the curve is a guess: until a run was made right there."""
        sure = self._near or self._made
        self.hint.setText(_HINT if sure else _FAR)
        self.hint.setProperty("role", "hint" if sure else "warning")
        repolish(self.hint)

    def _say_run(self, words: str) -> None:
        self.run_words.setText(words)
        self.run_words.setVisible(bool(words))
        self.misfit.setVisible(not words)  # there is room for one of them beside the handles

    def open(self, on: bool) -> None:
        self.setVisible(on)
        self._tell()

    def _tell(self) -> None:
        """The curves at the handles."""
        if self._offer is None or self.isHidden():
            self.moved.emit([])
            return
        curves = self._offer.what_if.at(self.sliders.point)
        self._near = all(c.known for c in curves)
        self._say_hint()
        compared = curves[: len(self._offer.what_if.outputs)]
        names = [one_line(p.y_label) + " " for p in self._offer.what_if.outputs]
        names = [""] if len(names) == 1 else names
        sizes = [f"{name}{number(c.misfit, 2)}" for name, c in zip(names, compared, strict=True)][:MOST_AT_ONCE]
        self.misfit.setText(f"Distance from the data: {', '.join(sizes)} times the noise (root mean square).")
        self.moved.emit(curves)
