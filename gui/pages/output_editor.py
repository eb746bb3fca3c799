"""Every detail of one output, for those who want to set it by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from bayescope.engine.problem.definition import CsvColumn, Extractor, JsonPath, Output, Region, TableBlock
from bayescope.gui.models.fields import Field
from bayescope.gui.models.simulator.outputs.extractors import KINDS, ExtractorKind, kind_of, words_of
from bayescope.gui.style.theme import repolish
from bayescope.gui.widgets.expander import Expander
from bayescope.gui.widgets.forms import Choice, Form, align_labels, say_first, scrolled
from bayescope.gui.widgets.notices import FieldNotice, label
from bayescope.gui.widgets.struct_form import StructForm

if TYPE_CHECKING:
    from bayescope.engine.problem.checks.validate import Finding

OF_LABELS = (CsvColumn, TableBlock, JsonPath, Region)  # ways of reading that can tell labels from what is around them
OUTPUT_FIELDS = (
    Field("name", "Name", "A short name without spaces."),
    Field("source", "Read from", "stdout, stderr, or the name of a file in the run's folder."),
    Field("length", "How many numbers", "1 for a single number; empty: any.", "optional_count", placeholder="any"),
    Field("unit", "Unit", "As the program prints it, for those who look at it; nothing is converted."),
)
LABEL_FIELDS = (
    Field("label_columns", "Columns of a label", "2 where a date and its time stand side by side: both are one.", "count"),
    Field(
        "month", "Month of 05/03/2024", "Which number it is. Until that is said such dates pair with the same texts only.",
        "choice", choices=(("", "not said"), ("first", "the first number"), ("second", "the second number")),
    ),
)


class OutputEditor(QWidget):
    """``changed`` carries the output with one thing changed."""

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._output: Output | None = None
        self.nothing = label("Select an output above to see its details.", "hint", wrap=True)
        self.whole = label("", wrap=True)  # how it is read, however long that is to say
        self.basic = StructForm()
        self.basic.changed.connect(self.changed)
        self.kind = Choice("How it is found", "The way the number is found in the text.")
        self.kind.chosen.connect(self._kind_chosen)
        self.words = label("", "hint", wrap=True)
        self.details = StructForm()
        self.details.changed.connect(lambda extractor: self._replace(extractor=extractor))
        self.reads = label("", wrap=True)  # what it reads as the fields are now
        self.more = StructForm()
        self.more.changed.connect(lambda extractor: self._replace(extractor=extractor))
        self.rare = Expander("&More", self.more)
        self.comma = QCheckBox("&Numbers have a decimal comma (1,5 means one and a half)")
        self.comma.clicked.connect(lambda on: self._replace(decimal_comma=on))
        self.scaled = QCheckBox("&Letters behind numbers are powers of ten (1.5K is 1500, 20m is 0.02)")
        self.scaled.setToolTip("T, G, Meg, K or k, m, u, n, p, f and a, as circuit simulators print them; M alone is not read.")
        self.scaled.clicked.connect(lambda on: self._replace(scale_letters=on))
        self.labels = QCheckBox("It reads labels, times or dates, to pair rows by")
        self.labels.setToolTip("Node names or 00:30:00, for example; numbers are compared with what was measured.")
        self.labels.clicked.connect(lambda on: self._replace(text=on))
        self.label_form = StructForm()
        self.label_form.changed.connect(self.changed)
        self.notice = FieldNotice()
        self.kind_form = kind = Form()
        kind.add("Ho&w", self.kind)
        self.body = QWidget()
        box = QVBoxLayout(self.body)
        box.setContentsMargins(0, 0, 0, 0)
        for part in (
            self.whole, self.basic, kind, self.words, self.details, self.reads, self.rare, self.comma, self.scaled, self.labels,
            self.label_form, self.notice,
        ):  # fmt: skip
            box.addWidget(part)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 8, 0, 0)
        outer.addWidget(scrolled(self.nothing, self.body))
        self.show_output(None, [], [], False)

    def show_output(
        self, output: Output | None, findings: Sequence[Finding], sources: Sequence[str], locked: bool, reads: str = ""
    ) -> None:
        """``reads``: what it reads in the newest texts, or why nothing, behind ✕; '': no text of it is at hand."""
        self._output = output
        self.nothing.setVisible(output is None)
        self.body.setVisible(output is not None)
        if output is None:
            return
        kind = kind_of(output.extractor)
        self.whole.setText(f"Read from {output.source}: {words_of(output.extractor)}.")
        self.basic.show_record(output, OUTPUT_FIELDS, locked, output.name)
        self.kind.offer([(k.tag, k.title) for k in KINDS], kind.tag)
        self.kind.setEnabled(not locked)
        self.words.setText(kind.words)
        self.details.show_record(output.extractor, kind.fields, locked, output.name)
        self.details.setVisible(bool(kind.fields))
        self.more.show_record(output.extractor, kind.more, locked, output.name)
        self.rare.setVisible(bool(kind.more))
        self.rare.button.setText(f"&More{_set_words(output.extractor, kind)}")
        self._say_reads(reads)
        self.label_form.show_record(output, LABEL_FIELDS, locked, output.name)
        self.label_form.setVisible(output.text)
        forms = (self.basic.form, self.kind_form, self.details.form, self.more.form, self.label_form.form)
        align_labels(f for f in forms if f is not None)
        self.comma.setChecked(output.decimal_comma)
        self.comma.setEnabled(not locked)
        self.scaled.setChecked(output.scale_letters)
        self.scaled.setEnabled(not locked)
        self.labels.setChecked(output.text)
        self.labels.setEnabled(not locked and (output.text or isinstance(output.extractor, OF_LABELS)))
        say_first(self.notice, findings)

    def _say_reads(self, reads: str) -> None:
        fault = reads.startswith("✕")
        self.reads.setText(reads if fault else f"Reads {reads}" if reads else "Press Test run to see what it reads.")
        role = "error" if fault else "" if reads else "hint"
        if (self.reads.property("role") or "") != role:
            self.reads.setProperty("role", role)
            repolish(self.reads)

    def _kind_chosen(self, tag: str) -> None:
        kind = next(k for k in KINDS if k.tag == tag)
        if self._output is not None and not isinstance(self._output.extractor, kind.kind):
            self._replace(extractor=kind.first)

    def _replace(self, **changes: object) -> None:
        if self._output is not None:
            self.changed.emit(msgspec.structs.replace(self._output, **changes))


def _set_words(extractor: Extractor, kind: ExtractorKind) -> str:
    """How many of the fields that few need are not as they are at first, for the line that opens them."""
    n = sum(getattr(extractor, field.name) != getattr(kind.first, field.name) for field in kind.more)
    return f" ({n} set)" if n else ""
