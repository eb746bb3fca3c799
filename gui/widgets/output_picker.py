"""A real output text in which the user marks a number; ways to read it are proposed, shown, and one is taken."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QPushButton, QVBoxLayout, QWidget

from bayescope.engine.problem import placeholders
from bayescope.engine.problem.definition import Output
from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.problem.numbers_in_text import number_at, numbers, problem_at
from bayescope.engine.problem.propose import MAX_TEXT, propose
from bayescope.engine.problem.propose_tables import Proposal
from bayescope.engine.problem.text_files import read_text
from bayescope.gui.file_questions import ask
from bayescope.gui.models.output_views import read
from bayescope.gui.models.parameters import fresh_name
from bayescope.gui.models.trial_tables import numbers_words
from bayescope.gui.widgets.fitting import Part
from bayescope.gui.widgets.forms import Choice, LineField, beside, set_state
from bayescope.gui.widgets.notices import Notice, label
from bayescope.gui.widgets.text_pane import TextPane, unified

LOOKED_AT = 100_000  # characters
TEXT_LINES = 4  # at least shown
MAX_OUTPUT_BYTES = 32_000_000
SOURCE_WORDS = {"stdout": "Printed text (stdout)", "stderr": "Error text (stderr)"}


class OutputPicker(Part):
    """``chosen`` carries the new output; ``offered``: the strip with the ways to read a number has appeared."""

    chosen = Signal(object)
    offered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._texts: dict[str, str] = {}
        self._opened: dict[str, str] = {}
        self._folder = Path.home()
        self._output: Output | None = None
        self._proposals: list[Proposal] = []
        self._locked = False
        self.text = TextPane("Output text")
        self.text.setMinimumHeight(TEXT_LINES * self.text.fontMetrics().lineSpacing() + 14)
        self.source = Choice("Text to mark in", "Which text is shown: what the program printed, or one of its files.")
        self.source.setMinimumContentsLength(19)
        self.source.setMinimumWidth(180)  # of the 210 or so that it takes where there is room
        self.source.chosen.connect(lambda key: self._show_source())
        self.open_button = QPushButton("&Open an output file…")
        self.open_button.setToolTip("A file your program wrote in an earlier run.")
        self.open_button.clicked.connect(self._open)
        self.mark_button = QPushButton("Use the mar&ked number")
        self.mark_button.setToolTip(
            "Mark with Shift and the arrow keys or the mouse, then press this (or Return in the text)."
        )
        self.mark_button.clicked.connect(lambda: self._marked(*self.text.selection()))
        self.hint = label("", "hint", wrap=True)
        self.message = Notice()
        self.text.marked.connect(self._marked)
        self.ways = Choice("How to read it", "Ways to find this number again, the most reliable first.")
        self.ways.chosen.connect(lambda key: self._show_way())
        self.reads = label("", "hint", wrap=True)
        self.name = LineField("Name of the output", "A short name without spaces.")
        self.name.setMaximumWidth(160)
        self.name.returnPressed.connect(self.accept)
        self.take = QPushButton("&Add output")
        self.take.setProperty("kind", "primary")
        self.take.clicked.connect(self.accept)
        self.strip = QFrame()
        self.strip.setProperty("role", "well")
        grid = QGridLayout(self.strip)
        grid.setContentsMargins(12, 8, 12, 8)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        grid.addWidget(label("Read"), 0, 0)
        grid.addWidget(self.ways, 0, 1, 1, 3)
        grid.addWidget(self.reads, 1, 1, 1, 3)
        grid.addWidget(label("as"), 2, 0)
        grid.addWidget(self.name, 2, 1)
        grid.addWidget(self.take, 2, 2)
        grid.setColumnStretch(3, 1)
        self.strip.hide()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 8, 0, 0)
        box.setSpacing(8)
        box.addWidget(beside(self.source, self.open_button, 1, self.mark_button))
        box.addWidget(self.hint)
        box.addWidget(self.message)
        box.addWidget(self.text, 1)
        box.addWidget(self.strip)

    # -------------------------------------------------------------- texts

    def texts(self) -> dict[str, str]:
        found = self._opened | self._texts
        return {s: found[s] for s in sorted(found, key=lambda s: s == "stderr")}  # errors last

    def sources(self) -> list[str]:
        return ["stdout", "stderr", *(s for s in self.texts() if s not in SOURCE_WORDS)]

    def set_texts(self, texts: Mapping[str, str], folder: Path, locked: bool) -> None:
        """The texts of the newest test run; opened files stay beside them."""
        new = {name: unified(text) for name, text in texts.items()}
        self._folder, self._locked = folder, locked
        changed = new != self._texts
        self._texts = new
        if changed or self.source.count() == 0:
            self._offer_sources(self.source.key())
        self.mark_button.setEnabled(bool(self.texts()) and not locked)

    def open_file(self, path: Path) -> None:
        """Show a file of an earlier run; one that is no text is refused with a sentence."""
        try:
            text = read_text(path, MAX_OUTPUT_BYTES).text
        except ProblemError as error:
            self.message.say("error", error.what, error.suggestion)
            return
        self.message.clear()
        self._opened[path.name] = unified(text)
        self._offer_sources(path.name)

    def _open(self) -> None:
        path = ask.file(self, "Output file of your program", self._folder)
        if path is not None:
            self.open_file(path)

    def _offer_sources(self, current: str) -> None:
        texts = self.texts()
        if current not in texts and self._output is not None and self._output.source in texts:
            current = self._output.source
        if current not in texts:
            current = max(
                (s for s in texts if s != "stderr"), key=lambda s: _count_of_numbers(texts[s]), default="stdout"
            )
        if not texts:
            self.source.offer([("", "No text yet")], "")
        else:
            self.source.offer(
                [(s, SOURCE_WORDS.get(s, s)) for s in texts], current if current in texts else next(iter(texts))
            )
        self._show_source()

    def _show_source(self) -> None:
        text = self.texts().get(self.source.key())
        self.mark_button.setEnabled(bool(self.texts()) and not self._locked)
        self.strip.hide()
        if text is None:
            self.text.set_text("")
            self.hint.setText("Press Test run, or open a file your program wrote earlier. Its text appears here.")
        else:
            self.text.set_text(text)
            self.hint.setText(
                "Click a number, or mark several rows of a column."
                if text.strip()
                else "This text is empty: the program wrote nothing here."
            )
        self._highlight_output()

    # -------------------------------------------------------------- the selected output

    def show_output(self, output: Output | None) -> None:
        """Highlight what this output reads, if its text is at hand."""
        if output == self._output:
            self._highlight_output()
            return
        self._output = output
        if output is not None and output.source in self.texts() and output.source != self.source.key():
            self.source.offer([(s, SOURCE_WORDS.get(s, s)) for s in self.texts()], output.source)
            self._show_source()
        self._highlight_output()

    def _highlight_output(self) -> None:
        if self.strip.isVisible():
            return
        output = self._output
        if output is None or output.source != self.source.key():
            self.text.highlight([])
            return
        found = read(output, self.texts())
        self.text.highlight(() if found is None or isinstance(found, str) else found.spans, "found")

    # -------------------------------------------------------------- marking

    def _marked(self, start: int, end: int) -> None:
        if self._locked or not self.source.key():
            return
        text = self.text.text()
        self._proposals = propose(text, start, end, self.source.key())
        if not self._proposals:
            words = why_nothing(text, start, end)
            if words:
                self.hint.setText(words)
            self.strip.hide()
            self._highlight_output()
            return
        self.hint.setText("Choose how to read it; the first way is usually the best.")
        self.ways.offer([(str(i), p.words) for i, p in enumerate(self._proposals)], "0")
        number = number_at(text, start, end)
        at = number.start if number is not None else start
        self.name.show_text(fresh_name([], self._name_for(text, at)))
        set_state(self.name, "")
        self.strip.show()
        self._show_way()
        self.offered.emit()
        self.text.ensureCursorVisible()  # the strip has made the text lower

    def _name_for(self, text: str, position: int) -> str:
        from bayescope.engine.problem.definition import CsvColumn, JsonPath
        from bayescope.gui.pages.make_parameter import word_before

        extractor = self._proposals[0].extractor
        if isinstance(extractor, CsvColumn) and isinstance(extractor.column, str):
            return extractor.column
        if isinstance(extractor, JsonPath):
            return next((k for k in reversed(extractor.path.split(".")) if k and not k.isdigit()), "output")
        return word_before(text, position) or "output"

    def _show_way(self) -> None:
        proposal = self._proposals[int(self.ways.key())]
        self.text.highlight(proposal.spans, "chosen", show_first=False)
        missing = f"; {proposal.missing}" if proposal.missing else ""  # the choice itself may be too narrow for it
        self.reads.setText(f"Reads {numbers_words(proposal.values, 5)}{missing}")

    def accept(self) -> None:
        """Announce the chosen way under the typed name."""
        name = placeholders.normal(self.name.text().strip())
        if not placeholders.is_name(name):
            set_state(self.name, "error")
            self.reads.setText("The name needs letters, digits and _ only, and cannot begin with a digit.")
            return
        proposal = self._proposals[int(self.ways.key())]
        length = None if proposal.is_vector else 1
        self.text.setFocus()  # the next number is clicked there
        self.strip.hide()
        self.hint.setText("Added. Click the next number, if there is another one to read.")
        self._output = None
        self.chosen.emit(
            Output(
                name=name,
                source=self.source.key(),
                extractor=proposal.extractor,
                length=length,
                decimal_comma=proposal.decimal_comma,
            )
        )

    def keyPressEvent(self, event: object) -> None:
        if getattr(event, "key", lambda: None)() == Qt.Key.Key_Escape and self.strip.isVisible():
            self.strip.hide()
            self._highlight_output()


def why_nothing(text: str, start: int, end: int) -> str:
    """Why no way of reading is proposed for what was marked; nothing for a click beside the numbers."""
    start, end = min(start, end), max(start, end)
    if end > MAX_TEXT:
        return f"Only numbers in the first {MAX_TEXT:,} characters can be marked. Add the output by hand."
    found = number_at(text, start, end)
    if found is None:
        none = "There is no number in what you marked. Click on a number." if end > start else ""
        return problem_at(text, start, end) or none
    if "\n" in text[found.start : end]:
        return "What you marked cannot be read as columns of one table. Click on a single number, or mark rows of one table."
    return "No way was found to read this number again in another run. Add the output by hand."


def _count_of_numbers(text: str) -> int:
    """How many numbers stand in a text: what a program computed is usually where most of them are."""
    return sum(1 for _ in numbers(text[:LOOKED_AT]))
