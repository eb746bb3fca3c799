"""A slider for each parameter: its name, its value in the user's unit, and a handle to drag."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QSlider, QWidget

from bayescope.engine.problem.data.units.unit_scales import with_unit
from bayescope.engine.problem.definition import Parameter, told_apart
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.gui.models.plain import one_line
from bayescope.gui.style.words import number
from bayescope.gui.widgets.elided import ElidedLabel

Array = NDArray[np.float64]

STEPS = 400  # of a slider
PAGE = STEPS // 20


@dataclass(frozen=True)
class Range:
    """From where to where the parameters ``columns`` of inference space may be dragged; all (D,) in inference space."""

    columns: tuple[int, ...]
    low: Array
    high: Array
    start: Array


class _Slider(QSlider):
    """The wheel scrolls what it lies in, instead of moving it by accident."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class ParameterSliders(QWidget):
    """``moved``: a handle was dragged; ``point`` (D,) then has another value."""

    moved = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(0, 1)
        self._space: ParameterSpace | None = None
        self._names: tuple[str, ...] = ()
        self._range: Range | None = None
        self.sliders: list[QSlider] = []
        self._values: list[QLabel] = []
        self.point: Array = np.empty(0)
        self._dragged: dict[str, float] = {}  # in the user's units: another analysis has another inference space

    def forget(self) -> None:
        """Nothing was dragged: the next offer is another analysis's."""
        self._dragged = {}

    def offer(self, space: ParameterSpace, parameters: Sequence[Parameter], within: Range) -> None:
        """``parameters``: all of ``space``. Handles that were dragged stay at their values, at the ends at most; the others are
        where they begin."""
        names = tuple(parameters[i].name for i in within.columns)
        if names != self._names:
            self._names, self._dragged = names, {}
            self._build([parameters[i] for i in within.columns])
        self._space, self._range = space, within
        self.go(self._place())

    def _place(self) -> Array:
        """The point (D,) of the handles in the present inference space."""
        assert self._range is not None
        assert self._space is not None
        low, high, place = self._range.low, self._range.high, self._range.start.copy()
        theta, ends = self._space.to_user(place), np.sort(self._space.to_user(np.stack([low, high])), axis=0)
        for name, i in zip(self._names, self._range.columns, strict=True):
            if name in self._dragged:
                theta[i] = np.clip(self._dragged[name], ends[0, i], ends[1, i])
                place[i] = np.clip(self._space.to_inference(theta)[i], low[i], high[i])
        return place

    def go(self, point: Array) -> None:
        """All handles to a point (D,), which need not be a step of a slider."""
        assert self._range is not None
        self.point = point.copy()
        for slider, i in zip(self.sliders, self._range.columns, strict=True):
            low, high = self._range.low[i], self._range.high[i]
            slider.blockSignals(True)
            slider.setValue(round(STEPS * float((point[i] - low) / (high - low))))
            slider.blockSignals(False)
        self._say()

    def start(self) -> None:
        """Back to where they began."""
        assert self._range is not None
        self.forget()
        self.go(self._range.start)
        self.moved.emit()

    def _build(self, parameters: Sequence[Parameter]) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        self.sliders, self._values = [], []
        for k, parameter in enumerate(told_apart(parameters)):
            name, value, slider = ElidedLabel(), QLabel(), _Slider(Qt.Orientation.Horizontal)
            words = with_unit(one_line(parameter.label or parameter.name), one_line(parameter.unit))
            name.say(words, shorter=one_line(parameter.label or parameter.name))
            value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            slider.setRange(0, STEPS)
            slider.setPageStep(PAGE)
            slider.setAccessibleName(words)
            slider.setToolTip("Drag, or use the arrow keys")
            slider.valueChanged.connect(lambda _, k=k: self._on_moved(k))
            self._grid.addWidget(name, 2 * k, 0)
            self._grid.addWidget(value, 2 * k, 1)
            self._grid.addWidget(slider, 2 * k + 1, 0, 1, 2)
            self.sliders.append(slider)
            self._values.append(value)

    def _on_moved(self, k: int) -> None:
        assert self._range is not None
        i = self._range.columns[k]
        low, high = self._range.low[i], self._range.high[i]
        self.point[i] = low + (high - low) * self.sliders[k].value() / STEPS
        assert self._space is not None
        self._dragged[self._names[k]] = float(self._space.to_user(self.point)[i])
        self._say()
        self.moved.emit()

    def _say(self) -> None:
        assert self._range is not None
        assert self._space is not None
        theta = self._space.to_user(self.point)
        for label, i in zip(self._values, self._range.columns, strict=True):
            label.setText(number(float(theta[i]), 4))
