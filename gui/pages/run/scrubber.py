"""The slider through past answers."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSlider, QWidget

from bayescope.gui.analysis.run_data import TracePoint
from bayescope.gui.style.words import duration


class Scrubber(QWidget):
    """``chosen`` carries the iteration to show, or None for the newest."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._trace: tuple[TracePoint, ...] = ()
        self.following = True
        self._counted = "runs"
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName("Past answers")
        self.slider.setToolTip("Look at the answer as it was after fewer runs")
        self.slider.setPageStep(5)
        self.label = QLabel()
        self.label.setProperty("role", "hint")
        self.newest = QPushButton("&Newest")
        self.newest.setToolTip("Follow the newest answer again")
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 0, 4, 0)
        row.setSpacing(12)
        caption = QLabel("Answer")
        caption.setProperty("role", "caption")
        row.addWidget(caption)
        row.addWidget(self.slider, 1)
        row.addWidget(self.label)
        row.addWidget(self.newest)
        self.slider.valueChanged.connect(self._moved)
        self.newest.clicked.connect(self.follow)
        self.update_trace(())

    def count(self, noun: str) -> None:
        """Whether runs or points are counted."""
        if noun != self._counted:
            self._counted = noun
            self._words()

    @property
    def iteration(self) -> int | None:
        """The iteration shown; None: the newest."""
        k = self.slider.value()
        return None if self.following or not 0 <= k < len(self._trace) else self._trace[k].iteration

    def update_trace(self, trace: Sequence[TracePoint]) -> None:
        kept = self.iteration
        self._trace = tuple(trace)
        n = len(self._trace)
        self.slider.blockSignals(True)
        self.slider.setMaximum(max(n - 1, 0))
        if self.following or kept is None:
            self.slider.setValue(max(n - 1, 0))
        else:
            place = next((k for k, t in enumerate(self._trace) if t.iteration >= kept), n - 1)
            self.slider.setValue(place)
        self.slider.blockSignals(False)
        self.setEnabled(n > 1)
        self._words()

    def show_iteration(self, iteration: int) -> None:
        place = next((k for k, t in enumerate(self._trace) if t.iteration == iteration), None)
        if place is not None:
            self.slider.setValue(place)

    def follow(self) -> None:
        """Back to the newest answer."""
        self.following = True
        self.update_trace(self._trace)
        self.chosen.emit(None)

    def _moved(self, k: int) -> None:
        self.following = k >= len(self._trace) - 1
        self._words()
        self.chosen.emit(self.iteration)

    def _words(self) -> None:
        self.newest.setEnabled(not self.following)
        if not self._trace:
            self.label.setText("No answer yet")
            return
        t = self._trace[min(self.slider.value(), len(self._trace) - 1)]
        which = "newest answer" if self.following else f"answer {t.iteration} of {self._trace[-1].iteration}"
        took = f", {duration(t.elapsed_s)}" if t.elapsed_s > 0.0 else ""  # 0: made from runs that there were
        self.label.setText(f"{which}: after {t.n_evaluations} {self._counted}{took}")
        self.label.setMinimumWidth(max(self.label.minimumWidth(), self.label.sizeHint().width()))  # the slider stays as it is
        self.slider.setAccessibleDescription(self.label.text())
