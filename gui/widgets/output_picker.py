"""A real output text in which the user marks a number; ways to read it are proposed, shown, and one is taken."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from bayescope.engine.problem.definition import JsonPath, LabelledNumber, NumberList, Output, Region
from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.problem.extract import Reading
from bayescope.engine.problem.extract.region import anchor_spans
from bayescope.engine.problem.marks import Mark
from bayescope.engine.problem.marks.compare import changed_numbers, compared, default_source
from bayescope.engine.problem.marks.each import each_number, these_numbers
from bayescope.engine.problem.marks.found import Each, Found
from bayescope.engine.problem.text_files import advice, read_beginning
from bayescope.gui.dialogs.file_questions import ask
from bayescope.gui.models.simulator.next_number import name_of_list, with_or_without
from bayescope.gui.models.simulator.output_names import names_in_the_way
from bayescope.gui.models.simulator.output_views import read
from bayescope.gui.models.simulator.strayed_files import relative_name
from bayescope.gui.models.simulator.text_rows import unified
from bayescope.gui.widgets.fitting import ElidedLabel, Part, VerticalScroll
from bayescope.gui.widgets.forms import Choice, beside
from bayescope.gui.widgets.marking_pane import MarkingPane
from bayescope.gui.widgets.marking_words import name_for, part_words, why_nothing
from bayescope.gui.widgets.notices import Notice, label
from bayescope.gui.widgets.offer_strip import OfferStrip
from bayescope.gui.widgets.steady_stack import Steady

TEXT_LINES = 4  # at least shown
LINES_KEPT = 9  # of the text, where a long list of numbers is proposed
MOST_OTHERS = 30  # outputs whose numbers are framed beside the one that is chosen
MAX_OUTPUT_BYTES = 32_000_000  # shown of a file; what is behind them is read by a run, not seen here
SOURCE_WORDS = {"stdout": "Printed text (stdout)", "stderr": "Error text (stderr)"}
HOW = (
    "Click a number (Ctrl: several). Drag over labelled lines, a column, a row or a block. "
    "Click a heading for its column, a title for its table, a name for its list."
)
CHANGED = "Numbers with a dotted line changed at other values: by parameters, a new seed, the clock."
ONE_RUN = "“Run at other values” marks the numbers that depend on the parameters."
SHORTER = {CHANGED: "Dotted: changed at other values.", ONE_RUN: "Run at other values: what changes?"}  # in a narrow window


class OutputPicker(Part):
    """``chosen`` carries new outputs; ``offered``: the strip with the ways to read a number has appeared.

    The strip, the hint and the message share one place of fixed height, so that nothing moves when one of them appears.
    """

    chosen = Signal(object)
    offered = Signal()
    opened = Signal(str)  # a file that no test run wrote, under the name that an output gets it by

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._texts: dict[str, str] = {}
        self._others: dict[str, str] = {}
        self._opened: dict[str, str] = {}
        self._parts: frozenset[str] = frozenset()  # texts that go on behind what the test run brought
        self._opened_parts: set[str] = set()
        self._folder = Path.home()
        self.roots: Sequence[Path | None] = ()  # folders that opened files are named from
        self._output: Output | None = None
        self._locked = self._taking = False
        self._seen = ""  # the text chosen by hand
        self._mark, self._marked_text = (0, 0), ""
        self._searched = False
        self._picked: list[tuple[int, int]] = []  # numbers marked one by one, in that order
        self._told = False  # why nothing is proposed, for the place where the cursor is
        self.text = MarkingPane("Output text")
        self.text.setMinimumHeight(TEXT_LINES * self.text.fontMetrics().lineSpacing() + 14)
        self.source = Choice("Text to mark in", "Which text is shown: what the program printed, or one of its files.")
        self.source.setMinimumContentsLength(19)
        self.source.setMinimumWidth(180)  # of the 210 or so that it takes where there is room
        self.source.chosen.connect(self._source_chosen)
        self.open_button = QPushButton("&Open an output file…")
        self.open_button.setToolTip("A file your program wrote in an earlier run.")
        self.open_button.clicked.connect(self._open)
        self.mark_button = QPushButton("Use the mar&ked number")
        self.mark_button.setToolTip(
            "Mark with Shift and the arrow keys or the mouse, then press this (or Return in the text)."
        )
        self.mark_button.clicked.connect(lambda: self._marked(*self.text.selection()))
        self.hint = label("", "hint", wrap=True)
        self.legend = ElidedLabel("hint")  # of the marks in the text
        self.message = Notice()
        self.text.marked.connect(self._marked)
        self.text.added.connect(self._one_more)
        self.text.cursorPositionChanged.connect(self._moved)
        self.outputs: Sequence[Output] = ()  # all that are declared
        self.strip = OfferStrip()
        self.strip.taken = lambda new: names_in_the_way(self.outputs, new, self.texts(), self._others)
        self.strip.lost = self._lost
        self.strip.shown.connect(lambda: self._show_way(chosen=True))
        self.strip.chosen.connect(self._taken)
        self.ways, self.reads, self.name, self.take = (
            self.strip.ways,
            self.strip.reads,
            self.strip.name,
            self.strip.take,
        )
        self.idle = QWidget()
        words = QVBoxLayout(self.idle)
        words.setContentsMargins(10, 6, 10, 6)
        words.setSpacing(4)
        words.addWidget(self.hint)
        words.addWidget(self.legend)
        self._words = words
        words.addStretch(1)
        self._messages: list[Notice] = []
        self.add_message(self.message)
        self.idle_area = VerticalScroll(self.idle, least=40)  # a long message scrolls rather than takes the text's room
        self.idle_area.setProperty("role", "well")  # the same place, whether a number is marked or not
        self.below = Steady(self.strip)
        self.below.addWidget(self.idle_area)
        self.below.addWidget(self.strip)
        self.below.setCurrentWidget(self.idle_area)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 2, 0, 0)
        box.setSpacing(6)
        box.addWidget(beside(self.source, self.open_button, 1, self.mark_button))
        box.addWidget(self.text, 1)
        box.addWidget(self.below)

    def add_message(self, notice: Notice) -> None:
        """Show this banner, too, in the place that is kept free below the text."""
        self._words.insertWidget(0, notice)
        self._messages.append(notice)
        notice.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """There is room for a message or for the hint, not for both."""
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self.hint.setVisible(not any(notice.isVisibleTo(self.idle) for notice in self._messages))
        return super().eventFilter(watched, event)

    # -------------------------------------------------------------- texts

    def texts(self) -> dict[str, str]:
        found = self._opened | self._texts
        return {s: found[s] for s in sorted(found, key=lambda s: s == "stderr")}  # errors last

    def sources(self) -> list[str]:
        return ["stdout", "stderr", *(s for s in self.texts() if s not in SOURCE_WORDS)]

    def set_texts(
        self, texts: Mapping[str, str], folder: Path, locked: bool, others: Mapping[str, str] | None = None,
        parts: Collection[str] = (),
    ) -> None:
        """The texts of the newest test run, and of one at other values; opened files stay beside them. ``parts``: cut off."""
        new = {name: unified(text) for name, text in texts.items()}
        second = {name: unified(text) for name, text in (others or {}).items()}
        self._folder, self._locked = folder, locked
        changed = (new, second) != (self._texts, self._others)
        # a second run says which text is worth looking at, unless the one that is being looked at is
        told = bool(second) and not self._others and not (self.isVisible() and self._moves(new, second))
        self._texts, self._others, self._parts = new, second, frozenset(parts)
        if changed or self.source.count() == 0:
            self._offer_sources(self._seen or ("" if told else self.source.key()))
        self.mark_button.setEnabled(bool(self.texts()) and not locked)

    def _moves(self, here: Mapping[str, str], there: Mapping[str, str]) -> bool:
        """Whether a number of the text in sight changes: then nothing else is put under the eyes that look at it."""
        source = self.source.key()
        return source in here and source in there and bool(changed_numbers(here[source], there[source]))

    def open_file(self, path: Path) -> None:
        """Show a file of an earlier run; one that is no text is refused with a sentence."""
        try:
            found, more = read_beginning(path, MAX_OUTPUT_BYTES)
        except ProblemError as error:
            self._leave_strip()
            self._told = False
            self.hint.setText("")
            self.message.say("error", error.what, advice(error, "output"))
            return
        name = relative_name(path, self.roots)
        self._opened[name] = unified(found.text)
        (self._opened_parts.add if more else self._opened_parts.discard)(name)
        self._seen = name
        self._offer_sources(name)
        self.opened.emit(name)

    def _open(self) -> None:
        path = ask.file(self, "Output file of your program", self._folder)
        if path is not None:
            self.open_file(path)

    def _source_chosen(self, key: str) -> None:
        self._seen = key
        self._show_source()

    def _offer_sources(self, current: str) -> None:
        texts = self.texts()
        if current not in texts and self._output is not None and self._output.source in texts:
            current = self._output.source
        if current not in texts:
            current = default_source(texts, self._others) or "stdout"
        if not texts:
            self.source.offer([("", "No text yet")], "")
        else:
            self.source.offer(
                [(s, SOURCE_WORDS.get(s, s)) for s in texts], current if current in texts else next(iter(texts))
            )
        self._show_source()

    def _show_source(self) -> None:
        source = self.source.key()
        text, other = self.texts().get(source), self._others.get(source)
        again = self.marking and text == self._marked_text and (self.strip.by_itself or not self._is_added())
        self.mark_button.setEnabled(bool(self.texts()) and not self._locked)
        self._told = False
        kept = self.marking and self._searched
        if not kept:
            self._leave_strip()
        self.message.clear()
        changed, more = changed_numbers(text, other) if text is not None and other is not None else [], ""
        another = False
        if text is None:
            self.text.set_text("")
            self.hint.setText("Press Test run, or open a file your program wrote earlier. Its text appears here.")
        else:
            another = text != self.text.text()
            self.text.set_text(text)
            more = CHANGED if changed else "" if self._others else ONE_RUN if source in self._texts else ""
            self.hint.setText(HOW if text.strip() else "This text is empty: the program wrote nothing here.")
        self.legend.say(more, shorter=SHORTER.get(more, ""))
        self.text.strip.set_part(*part_words(len(text or ""), self._is_part(source), source not in self._texts))
        self.text.set_changed(changed)
        self._highlight_output(reveal=another)
        if kept:
            self.strip.look_at(source)
            self._show_way()
        elif again and self._picked:
            self._offer_picked(source, self._picked)
        elif again:
            self._marked(*self._mark)  # beside another second run

    def _is_part(self, source: str) -> bool:
        return source in (self._parts if source in self._texts else self._opened_parts)

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
        self._highlight_output(reveal=not self._taking)

    def _highlight_output(self, reveal: bool = False) -> None:
        """``reveal``: bring it into sight, where another output or text was chosen; else nothing moves under the eyes."""
        self._show_others()
        if self.marking:
            return
        output = self._output
        if output is None or output.source != self.source.key():
            self.text.highlight([])
            self.text.set_anchor([])
            return
        found = read(output, self.texts())
        self.text.highlight(() if found is None or isinstance(found, str) else found.spans, "found", reveal)
        self.text.set_anchor(self._anchors([output.extractor]))

    def _show_others(self) -> None:
        """What the other outputs read in this text; all of them while a new one is marked."""
        source, texts = self.source.key(), self.texts()
        others = [o for o in self.outputs if o.source == source and (self.marking or o != self._output)]
        readings = (read(o, texts) for o in others[:MOST_OTHERS]) if source in texts else ()
        self.text.set_others([span for found in readings if isinstance(found, Reading) for span in found.spans])

    def _anchors(self, extractors: Sequence[object]) -> list[tuple[int, int]]:
        """Where the text stands by which these are known."""
        headed = [Region(anchor=e.below) for e in extractors if isinstance(e, LabelledNumber) and e.below]
        every = [*headed, *(e for e in extractors if isinstance(e, Region))]
        regions = {(e.anchor, e.occurrence, e.since): e for e in every}
        return [span for region in regions.values() for span in anchor_spans(region, self.text.text())]

    # -------------------------------------------------------------- marking

    @property
    def searched(self) -> bool:
        """Whether what is proposed was looked for in all texts, not marked in the one in sight."""
        return self._searched

    @property
    def marking(self) -> bool:
        """Whether something is marked and not yet taken."""
        return self.below.currentWidget() is self.strip

    def _is_added(self) -> bool:
        """Whether what is marked is read by an output already: it is not offered again by itself."""
        source, offered = self.source.key(), [p.extractor for p in self.strip.current().proposals]
        known = [o.extractor for o in self.outputs if o.source == source]
        return all(extractor in known for extractor in offered)

    def _leave_strip(self) -> None:
        if self.marking and self.strip.isAncestorOf(self.focusWidget() or self):
            self.text.setFocus()
        self._searched = False
        self._close_strip()

    def _close_strip(self) -> None:
        self.below.setCurrentWidget(self.idle_area)
        self.below.grow(0)

    def _marked(self, start: int, end: int) -> None:
        source = self.source.key()
        if self._locked or not source:
            return
        text, self._mark = self.texts()[source], (start, end)
        self._marked_text = text
        self._seen = source
        self._picked, self._searched = [], False
        self.below.grow(0)
        mark = Mark(text, start, end, source, self._others.get(source), self._is_part(source))
        each = each_number(mark, [o.name for o in self.outputs])
        scope = "each" if each.apart else mark.first() or ("each" if each.found else None)
        self.message.clear()
        if scope is None:
            self._leave_strip()
            self.hint.setText(why_nothing(mark, text, start, end) or HOW)
            self._told = True
            self._highlight_output()
            return
        name, unit = name_for(mark.offers(scope)[0], text, start, end) if scope != "each" else ("", "")
        with QSignalBlocker(self.strip):
            self.strip.offer(mark, scope, source, name, unit, each)
        self._show_strip()

    def offer_found(self, each: Each, left: str) -> None:
        """Propose numbers that were looked for in all texts; ``left``: what was not found, in words."""
        source = each.found[0].source
        self._seen, self._picked = source, []
        self._offer_sources(source)
        self._searched = True
        self.strip.offer_each(each, source, left)
        room = self.text.height() - LINES_KEPT * self.text.fontMetrics().lineSpacing()
        self.below.grow(max(0, min(self.strip.lacks(self.width()), room)))  # no button is down: lower lines of the text give way
        self._show_strip()

    def _show_strip(self) -> None:
        self.below.setCurrentWidget(self.strip)
        self._show_way()
        self.offered.emit()

    def _one_more(self, start: int, end: int) -> None:
        """A number marked beside the others; one that is marked already is left off."""
        source = self.source.key()
        if self._locked or not source:
            return
        text = self.texts()[source]
        first = self._first_pick() if self.marking and not self._picked and text == self._marked_text else []
        before = self._picked or first
        picked = with_or_without(before, text, start, end)
        if picked == before:
            return
        if len(picked) < 2:
            self._marked(*(picked[0] if picked else (start, start)))
            return
        self._marked_text = text
        self._offer_picked(source, picked)

    def _first_pick(self) -> list[tuple[int, int]]:
        """What was marked before a further number or list is picked: a number, numbers by themselves, or the name of a list."""
        found: list[tuple[int, int]] = []
        for proposal in self.strip.current().proposals:
            lists = isinstance(proposal.extractor, NumberList | JsonPath) and proposal.is_vector
            name = name_of_list(self._marked_text, *proposal.spans[0]) if lists else None
            found += [name] if name is not None else proposal.spans
        return found if len(found) == 1 or self.strip.by_itself else []

    def _offer_picked(self, source: str, picked: list[tuple[int, int]]) -> None:
        mark = Mark(self.texts()[source], *picked[-1], source, self._others.get(source), self._is_part(source))
        self._seen, self._picked, self._searched = source, picked, False
        self.strip.offer_each(these_numbers(mark, picked, [o.name for o in self.outputs]), source)
        self._show_strip()

    def _lost(self, found: Found) -> str:
        """Why the run at other values does not have a number; empty: it has, or there is no such run."""
        other = self._others.get(found.source)
        if other is None:
            return ""
        told = compared([found.proposal], self.texts()[found.source], other)
        return told.words if told.level == "error" else ""

    def _moved(self) -> None:
        """What was said of another place is said no longer."""
        if self._told:
            self._told = False
            self.hint.setText(HOW)

    def _show_way(self, chosen: bool = False) -> None:
        """``chosen``: by hand in the strip; then what is read is brought into sight. A click in the text moves nothing."""
        offer, (low, high) = self.strip.current(), self.text.seen()
        self._show_others()
        if self.marking:
            away = (chosen or self._searched) and not any(low <= start < high for start, _ in offer.spans)
            self.text.highlight(offer.spans, "chosen", show_first=away)
            self.text.set_anchor(self._anchors([p.extractor for p in offer.proposals]))
        other = self._others.get(self.source.key())
        if self.strip.by_itself:
            return
        if other is None:
            self.strip.say_check(None, "" if self._opened.get(self.source.key()) else ONE_RUN, SHORTER[ONE_RUN])
        else:
            told = compared(offer.proposals, self.texts()[self.source.key()], other)
            self.strip.say_check(told.level, told.words)

    def accept(self) -> None:
        """Announce the chosen way under the typed name."""
        self.strip.accept()

    def _taken(self, outputs: tuple[Output, ...]) -> None:
        self.text.setFocus()  # the next number is clicked there
        self._close_strip()
        self._told = False
        self.hint.setText("Added. Click the next number, if there is another one to read.")
        self._output, self._taking = None, True
        try:
            self.chosen.emit(outputs)
        finally:
            self._taking = False
        self._searched = False

    def keyPressEvent(self, event: object) -> None:
        if not isinstance(event, QKeyEvent) or not self.marking:
            return
        if event.key() == Qt.Key.Key_Escape:
            self._leave_strip()
            self._highlight_output()
        elif event.text().isidentifier() and not self.strip.by_itself:  # a name, wherever the focus is: in the text, on a button
            self.name.setFocus()
            self.name.setText(event.text())
            self.name.textEdited.emit(event.text())
