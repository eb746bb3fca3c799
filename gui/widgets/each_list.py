"""Several numbers that may each become an output: for each a tick, its name, what it reads; in two rows, which scroll."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QGridLayout, QHBoxLayout, QScrollArea, QSizePolicy, QWidget

from bayescope.engine.problem import placeholders
from bayescope.engine.problem.definition import Extractor
from bayescope.engine.problem.marks.found import Found
from bayescope.gui.models.plain import names_needed, one_line
from bayescope.gui.models.simulator.trials.trial_tables import labels_words, numbers_words
from bayescope.gui.style import words
from bayescope.gui.widgets.elided import ElidedLabel
from bayescope.gui.widgets.forms import LineField, set_state

WIDE, WIDER = 265, 400  # pixels: of one of them with its value, and with what was measured
FEW_SHOWN = 2  # numbers of a list
MOST_ROWS = 6  # that the list asks to be seen at once


def wrong_name(name: str) -> str:
    """Which signs names have, and the nearest allowed name that is filled in instead of ``name``, a sentence."""
    near = placeholders.nearest_name(name)
    return f"A name has {placeholders.NAME_SIGNS}" + (f": “{one_line(near, 24)}” instead?" if near else ".")


class _One(QWidget):
    def __init__(self, found: Found, lost: str, on: bool) -> None:
        super().__init__()
        self.found = found
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)  # many rows scroll, none is squeezed
        self.tick = QCheckBox()
        self.tick.setChecked(on)
        self.tick.setAccessibleName(f"Add {found.name}")
        self.tick.setToolTip(found.label)
        self.name = LineField("Name of the output", f"{found.words}. Names with commas between: of this one and the next.")
        self.name.show_text(found.name)
        self.name.setProperty("kind", "dense")
        self.value = ElidedLabel("error" if lost else "hint")
        unit = f" {found.unit}" if found.unit else ""
        values = found.proposal.values
        shown = words.number(values[0], 5) if len(values) == 1 else numbers_words(values, FEW_SHOWN)
        shown = labels_words(found.proposal.texts, FEW_SHOWN) if found.proposal.texts else shown
        said = f"{shown}{unit}{'; ' + found.note if found.note else ''}"
        self.value.say(f"✕ {lost}" if lost else said, tip=f"{said}\nin {found.source}: {found.words}\n{lost}".strip())
        self.tick.toggled.connect(self.name.setEnabled)
        self.name.setEnabled(on)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(5)
        line.addWidget(self.tick)
        line.addWidget(self.name, 5 if found.note else 6)
        line.addWidget(self.value, 8 if found.note else 5)


class EachList(QScrollArea):
    """``changed``: a tick or a name; ``entered``: Return in a name; ``looked_at``: one that the keyboard or the mouse is on."""

    changed = Signal()
    entered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.viewport().setAutoFillBackground(False)
        self.setAccessibleName("Numbers that become outputs")
        self.ones: list[_One] = []
        self._columns, self._wide = 0, WIDE
        self._body = QWidget()
        self._body.setAutoFillBackground(False)
        self._grid = QGridLayout(self._body)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(3)
        self.setWidget(self._body)

    def sizeHint(self) -> QSize:
        return QSize(WIDE, 0)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def offer(self, found: Sequence[Found], lost: Sequence[str], ticks: Sequence[bool] | None = None) -> None:
        """``lost``: why another run does not have it, beside each; "": it does, or there is no other run. ``ticks``: which are
        ticked of those that it has; left out: all."""
        for one in self.ones:
            one.setParent(None)
            one.deleteLater()
        ticks = [True] * len(found) if ticks is None else ticks
        self.ones = [_One(f, why, on and not why) for f, why, on in zip(found, lost, ticks, strict=True)]
        for one in self.ones:
            one.tick.toggled.connect(lambda on: self.changed.emit())
            one.name.textEdited.connect(lambda text: self.changed.emit())
            one.name.returnPressed.connect(self.entered)
            one.name.editingFinished.connect(self._spread)
        self._columns, self._wide = 0, WIDER if any(f.note for f in found) else WIDE
        self._place()
        self.verticalScrollBar().setValue(0)

    def wanted_height(self, width: int) -> int:
        """Pixels in which its rows are seen at once, up to a few, at this width."""
        rows = min(-(-len(self.ones) // max(1, width // self._wide)), MOST_ROWS)
        each = self.ones[0].sizeHint().height() + self._grid.verticalSpacing() if self.ones else 0
        return rows * each

    def turn(self, extractor: Extractor) -> bool:
        """Tick what ``extractor`` reads, or take its tick away, and bring it into sight; False: it is not listed."""
        one = next((o for o in self.ones if o.found.proposal.extractor == extractor), None)
        if one is not None:
            one.tick.toggle()
            self.ensureWidgetVisible(one)
        return one is not None

    def names(self) -> list[str]:
        return [one.name.text() for one in self.ones]

    def name_them(self, names: Sequence[str]) -> None:
        for one, name in zip(self.ones, names, strict=False):
            one.name.show_text(name)

    def begin_name(self, letter: str) -> None:
        """A name is being typed, wherever the cursor was: that of the first number; several are those of the next ones too."""
        if self.ones:
            self.ones[0].name.setFocus()
            self.ones[0].name.setText(letter)
            self.ones[0].name.textEdited.emit(letter)

    def _spread(self) -> None:
        """Several names typed in one field, with commas between: those of the ticked numbers from there on; empty: not it."""
        ticked = [one for one in self.ones if one.tick.isChecked()]
        for k, one in enumerate(ticked):
            names = [placeholders.normal(name.strip()) for name in one.name.text().split(",")]
            if 1 < len(names) <= len(ticked) - k and any(names) and all(not n or placeholders.is_name(n) for n in names):
                for each, name in zip(ticked[k:], names, strict=False):
                    each.name.show_text(name or each.found.name)
                    each.tick.setChecked(bool(name))

    def ticked(self) -> list[Found]:
        """Under the names that are typed."""
        return [replace(o.found, name=placeholders.normal(o.name.text().strip())) for o in self.ones if o.tick.isChecked()]

    def fault(self) -> str:
        """What is wrong with the names, a sentence, and the field red; "": nothing."""
        self._spread()
        names = [f.name for f in self.ticked()]
        for one in (o for o in self.ones if o.tick.isChecked()):
            name = placeholders.normal(one.name.text().strip())
            several = name.count(",") + 1
            if several > 1:
                set_state(one.name, "error")
                one.name.setFocus()
                return names_needed(len(names) - names.index(name), several)
            bad = wrong_name(name) if not placeholders.is_name(name) else "Each name once." if names.count(name) > 1 else ""
            set_state(one.name, "error" if bad else "")
            if bad:
                near = "" if placeholders.is_name(name) else placeholders.nearest_name(name)
                if near:
                    set_state(one.name, "")
                    one.name.setText(near)
                one.name.setFocus()
                self.ensureWidgetVisible(one)
                return bad
        return ""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        columns = max(1, self.viewport().width() // self._wide)
        if columns == self._columns:
            return
        self._columns = columns
        for k, one in enumerate(self.ones):
            self._grid.addWidget(one, k // columns, k % columns)
        for k in range(self._grid.columnCount()):
            self._grid.setColumnStretch(k, k < columns)
        self._grid.setRowStretch(self._grid.rowCount(), 1)
