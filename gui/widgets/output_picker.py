"""A real output text in which the user marks a number; ways to read it are proposed, shown, and one is taken."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from bayescope.engine.problem.definition import Output
from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.problem.marks.each import each_number
from bayescope.engine.problem.marks.found import Each
from bayescope.engine.problem.marks.mark import Mark
from bayescope.engine.problem.text_files import advice, read_beginning
from bayescope.gui.dialogs.file_questions import ask
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.files.strayed_files import relative_name
from bayescope.gui.models.simulator.numbers.first_words import is_heading_word
from bayescope.gui.models.simulator.numbers.next_number import first_pick, in_every_table, with_or_without
from bayescope.gui.models.simulator.outputs.output_names import names_in_the_way
from bayescope.gui.models.simulator.outputs.output_views import read
from bayescope.gui.models.simulator.outputs.picked_headings import (
    MarkAt,
    column_before,
    heading_span,
    labels_under,
    mark_of_pick,
    picked_column,
    picked_each,
    picked_in_all,
)
from bayescope.gui.models.simulator.outputs.rows_by_key import KeyedRows, keyed_rows
from bayescope.gui.models.simulator.texts.run_texts import RunTexts, anchors
from bayescope.gui.models.simulator.texts.text_rows import unified
from bayescope.gui.widgets.forms import Choice, beside
from bayescope.gui.widgets.marking_hints import (
    ADDED,
    CHANGED,
    EMPTY,
    EVERY,
    HOW,
    LABELS_APART,
    MARK_KEY,
    NO_TEXT,
    NOT_ADDED,
    ONE_RUN,
    RANDOM,
    SHORTER,
    MarkingHints,
)
from bayescope.gui.widgets.marking_pane import MarkingPane
from bayescope.gui.widgets.marking_words import name_for, part_words, why_nothing
from bayescope.gui.widgets.notices import Notice
from bayescope.gui.widgets.offer_strip import OfferStrip
from bayescope.gui.widgets.scrolling import Part, VerticalScroll, least_height
from bayescope.gui.widgets.steady_stack import Steady

TEXT_LINES = 4  # at least shown
LINES_KEPT = 9  # of the text, where a long list of numbers is proposed
MAX_OUTPUT_BYTES = 32_000_000  # shown of a file; what is behind them is read by a run, not seen here
LEAST_HINTS = 40  # pixels: a long message scrolls rather than takes the text's room
_NONE: Mapping[str, str] = {}
SOURCE_WORDS = {"stdout": "Printed text (stdout)", "stderr": "Error text (stderr)"}


class OutputPicker(Part):
    """``chosen`` carries new outputs; ``offered``: the strip with the ways to read a number has appeared.

    The strip, the hint and the message share one place of fixed height, so that nothing moves when one of them appears.
    """

    chosen = Signal(object)
    offered = Signal()
    opened = Signal(str)  # a file that no test run wrote, under the name that an output gets it by

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._texts = RunTexts()
        self._folder = Path.home()
        self.roots: Sequence[Path | None] = ()  # folders that opened files are named from
        self._output: Output | None = None
        self._locked = self._taking = False
        self._seen = ""  # the text chosen by hand
        self._mark, self._marked_text = (0, 0), ""
        self._selected = (0, 0)  # in the text, when it was marked
        self._searched = False
        self._keyed: KeyedRows | None = None  # rows of the table that holds the marked number
        self._picked: list[tuple[int, int]] = []  # numbers marked one by one, in that order
        self.text = MarkingPane("Output text")
        self.text.setMinimumHeight(self.text.height_of(TEXT_LINES))
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
        self.hints = MarkingHints()
        self.hint, self.legend, self.message = self.hints.hint, self.hints.legend, self.hints.message
        self.text.marked.connect(self._marked)
        self.text.entered.connect(self._entered)
        self.text.added.connect(self._one_more)
        self.text.cursorPositionChanged.connect(self.hints.moved)
        self.outputs: Sequence[Output] = ()  # all that are declared
        self.strip = OfferStrip()
        self.strip.taken = lambda new: names_in_the_way(self.outputs, new, self.texts(), self._texts.others)
        self.strip.lost = self._texts.lost
        self.strip.random = lambda found: self._texts.is_random(found.source, [found.proposal])
        self.strip.take_tables.alike = self._texts.equal_tables
        self.strip.shown.connect(lambda: self._show_way(chosen=True))
        self.strip.chosen.connect(self._taken)
        self.strip.rows.returnPressed.connect(self._rows_named)
        self.ways, self.reads, self.name, self.take = self.strip.ways, self.strip.reads, self.strip.name, self.strip.take
        self.idle_area = VerticalScroll(self.hints, least=LEAST_HINTS)
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
        self.hints.add(notice)

    def fit_hints(self, whole: bool) -> None:
        """Below the text as much room as a message there needs where it is to be seen ``whole``, else as much as ever. The lower
        lines of the text give way: only for what is said after a run, when no button is down in the text."""
        if self.marking:
            return
        lack = least_height(self.hints, self.idle_area.viewport().width()) - self.below.sizeHint().height() + self.below.more
        room = self.text.height() + self.below.more - LINES_KEPT * self.text.fontMetrics().lineSpacing()
        self.below.grow(max(0, min(lack, room)) if whole else 0)

    # -------------------------------------------------------------- texts

    def texts(self) -> dict[str, str]:
        return self._texts.all()

    def sources(self) -> list[str]:
        return ["stdout", "stderr", *(s for s in self.texts() if s not in SOURCE_WORDS)]

    def set_texts(
        self, texts: Mapping[str, str], folder: Path, locked: bool, others: Mapping[str, str] | None = None,
        parts: Collection[str] = (), again: Mapping[str, str] = _NONE,
    ) -> None:
        """The texts of the newest test run, and of one at other values; opened files stay beside them. ``parts``: cut off;
        ``again``: of a run at the same values, where they differ."""
        self._texts.again = {name: unified(text) for name, text in again.items()}
        self._folder, self._locked, before = folder, locked, bool(self._texts.others)
        changed = self._texts.take(texts, others or {}, parts)
        # a second run says which text is worth looking at, unless the one that is being looked at is: nothing else is put under
        # the eyes that see its numbers change
        told = bool(self._texts.others) and not before and not (self.isVisible() and self._texts.worth_reading(self.source.key()))
        if changed or self.source.count() == 0:
            self._offer_sources(self._seen or ("" if told else self.source.key()))
        self.mark_button.setEnabled(bool(self.texts()) and not locked)

    def open_file(self, path: Path) -> None:
        """Show a file of an earlier run; one that is no text is refused with a sentence."""
        try:
            found, more = read_beginning(path, MAX_OUTPUT_BYTES)
        except ProblemError as error:
            self._leave_strip()
            self.hints.refuse(error.what, advice(error, "output"))
            return
        name = relative_name(path, self.roots)
        self._texts.open(name, found.text, more)
        self._seen = name
        self._offer_sources(name)
        self.opened.emit(name)

    def _open(self) -> None:
        path = ask.file(self, "Output file of your program", self._folder)
        if path is not None:
            self.open_file(path)

    def _source_chosen(self, key: str) -> None:
        self._seen = key
        self.text.horizontalScrollBar().setValue(0)  # another text is read from its beginning
        self._show_source()

    def _offer_sources(self, current: str) -> None:
        self._offer(self._texts.best(current, self._output))
        self._show_source()

    def _offer(self, current: str) -> None:
        self.source.offer([(s, SOURCE_WORDS.get(s, s)) for s in self.texts()] or [("", "No text yet")], current)

    def _show_source(self) -> None:
        source = self.source.key()
        text = self.texts().get(source)
        again = self.marking and text == self._marked_text and (self.strip.by_itself or not self._is_added())
        self.mark_button.setEnabled(bool(self.texts()) and not self._locked)
        kept, chosen = self.marking and self._searched, self.strip.scope if again else None
        if not kept:
            self._leave_strip()
        self.message.clear()
        another = text is not None and text != self.text.text()
        self.text.set_text(text or "")
        self.hints.say(NO_TEXT if text is None else HOW if text.strip() else EMPTY)
        changed, now = self._texts.changed(source), source in self._texts.run
        self.hints.explain(CHANGED if changed else ONE_RUN if now and not self._texts.others else "")
        self.text.strip.set_part(*part_words(len(text or ""), self._texts.is_part(source), not now))
        self.text.set_changed(changed)
        self._highlight_output(reveal=another)
        if kept:
            self.strip.look_at(source)
            self._show_way()
        elif again and self._picked:
            self._offer_picked(source, self._picked)
        elif again:
            self._marked(*self._mark)  # beside another second run
            self.strip.keep(chosen)

    # -------------------------------------------------------------- the selected output

    def show_output(self, output: Output | None) -> None:
        """Highlight what this output reads, if its text is at hand."""
        if output == self._output:
            self._highlight_output()
            return
        self._output = output
        if output is not None and output.source in self.texts() and output.source != self.source.key():
            self._offer(output.source)
            self._show_source()
        self._highlight_output(reveal=not self._taking)

    def reveal_output(self) -> None:
        """Bring what the selected output reads into sight, with how what stands beside it is marked."""
        if self._output is not None and self._output.source in self.texts() and self._output.source != self.source.key():
            self._offer(self._output.source)
            self._show_source()
        self._leave_strip()
        self._highlight_output(reveal=True)
        self.hints.say(MARK_KEY)

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
        self.text.set_anchor(anchors([output.extractor], self.text.text()))

    def _show_others(self) -> None:
        """What the other outputs read in this text; all of them while a new one is marked."""
        others = [o for o in self.outputs if self.marking or o != self._output]
        self.text.set_others(self._texts.read_by(others, self.source.key()))

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

    def _entered(self, start: int, end: int) -> None:
        """Return in the text: what is selected is marked; what is marked already is taken."""
        if self.marking and (self._picked or (start, end) == self._selected):
            self.accept()
        else:
            self._marked(start, end)

    def _marked(self, start: int, end: int) -> None:
        source = self.source.key()
        if self._locked or not source:
            return
        text = self.texts()[source]
        if is_heading_word(text, start, end):
            end = start  # as a click in it: the keyboard marks the whole word
        self._mark = (start, end)
        self._selected, self._marked_text = self.text.selection(), text
        self._seen = source
        self._picked, self._searched = [], False
        self.below.grow(0)
        mark = self._texts.mark(source, start, end)
        each = each_number(mark, [o.name for o in self.outputs])
        scope = "each" if each.apart else mark.first() or ("each" if each.found else None)
        self.message.clear()
        if scope is None:
            self._leave_strip()
            self.hints.say(why_nothing(mark, text, start, end) or HOW, of_place=True)
            self._highlight_output()
            return
        meant = mark.start, mark.end  # the number to which a label leads that was clicked
        name, unit = name_for(mark.offers(scope)[0], text, *meant, source) if scope != "each" else ("", "")
        with QSignalBlocker(self.strip):
            self.strip.offer(mark, scope, source, name, unit, each)
        self._keyed = self._keyed_rows(mark) if scope == "number" else None
        if self._keyed is not None:
            self.strip.offer_rows(self._keyed.first)
        self._show_strip()

    def _keyed_rows(self, mark: Mark) -> KeyedRows | None:
        spans = mark.offers("number")[0].spans
        return keyed_rows(mark.text, spans[0], mark.table) if len(spans) == 1 else None

    def _rows_named(self) -> None:
        """The marked number, and those below it in the rows that were named."""
        spans = self.strip.current().spans
        if self._keyed is None or not spans:
            return
        more, missing = self._keyed.named(self.strip.rows.text())
        if missing:
            self.strip.say_not_added(f"No row begins with {one_line(', '.join(missing), 40)}.")
        elif more:
            self._marked_text = self.texts()[self.source.key()]
            self._offer_picked(self.source.key(), list(dict.fromkeys([spans[0], *more])))
            self._make_room()

    def offer_found(self, each: Each, left: str) -> None:
        """Propose numbers that were looked for in all texts; ``left``: what was not found, in words."""
        source = each.found[0].source
        self._seen, self._picked = source, []
        self._offer_sources(source)
        self._searched = True
        self.strip.offer_each(each, source, left)
        self._make_room()
        self._show_strip()

    def _make_room(self) -> None:
        """For a list of several numbers: no button is down in the text, whose lower lines give way."""
        room = self.text.height() + self.below.more - LINES_KEPT * self.text.fontMetrics().lineSpacing()
        self.below.grow(max(0, min(self.strip.lacks(self.width()), room)))

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
        if self.marking and self.strip.lists_columns and text == self._marked_text and self._ticked(source, text, start):
            return
        led = self._mark_at(source)(start, end)
        start, end = (led.start, led.end) if led.start > start else (start, end)
        before, labels = self._picked, ""
        if not before and self.marking and text == self._marked_text:
            scope = "each" if self.strip.by_itself else self.strip.scope
            first = column_before(self._mark_at(source), text, self._mark, scope, self.strip.current().proposals)
            before = [first] if first else first_pick(self.strip.current().proposals, text, several=self.strip.by_itself)
            labels = "" if before else labels_under(self._mark_at(source), self._mark)
            if not before and self.strip.scope == "number":  # one of every table
                before = with_or_without([], text, *self._mark)
        if (column := picked_column(self._mark_at(source), text, start, end)) is not None:
            picked = [p for p in before if p != column] if column in before else [*before, column]
        else:
            picked = with_or_without(before, text, start, end)
        if picked == before:
            if self.marking:
                self.strip.say_not_added(NOT_ADDED)
            else:
                self._marked(start, end)  # which says why nothing is there
            return
        if len(picked) < 2:
            self._marked(*(mark_of_pick(self._mark_at(source), text, picked[0]) if picked else (start, start)))
            if labels:
                self.strip.say_not_added(LABELS_APART.format(one_line(labels, 24)))
            return
        self._marked_text = text
        self._offer_picked(source, picked)

    def _ticked(self, source: str, text: str, at: int) -> bool:
        """Tick the column of the heading at ``at``, or untick it, in the list of a wide table; False: it is not there."""
        if heading_span(self._mark_at(source), text, at) is None:
            return False
        column = self._mark_at(source)(at, at).offers("column")[0]
        return self.strip.each.turn(column.proposals[0].extractor)

    def _mark_at(self, source: str) -> MarkAt:
        return lambda start, end: self._texts.mark(source, start, end)

    def _offer_picked(self, source: str, picked: list[tuple[int, int]]) -> None:
        mark = self._texts.mark(source, *picked[-1])
        self._seen, self._picked, self._searched = source, picked, False
        note = EVERY if in_every_table(mark, picked) else ""
        taken = [o.name for o in self.outputs]
        each = picked_each(self._mark_at(source), self.texts()[source], source, picked, taken)
        every = None if note else picked_in_all(self._mark_at(source), picked, taken)
        self.strip.offer_each(each, source, note=note, every=every, table=mark.table)
        self._show_strip()

    def _show_way(self, chosen: bool = False) -> None:
        """``chosen``: by hand in the strip; then what is read is brought into sight. A click in the text moves nothing."""
        offer, (low, high) = self.strip.current(), self.text.seen()
        self._show_others()
        if self.marking:
            away = (chosen or self._searched) and not any(low <= start < high for start, _ in offer.spans)
            self.text.highlight(offer.spans, "chosen", show_first=away)
            self.text.set_anchor(anchors([p.extractor for p in offer.proposals], self.text.text()))
        if chosen and self.strip.lists_columns:
            self._make_room()
        if self.strip.by_itself:
            return
        told = self._texts.told(self.source.key(), offer.proposals)
        if self._texts.is_random(self.source.key(), offer.proposals):
            self.strip.say_check("warning", RANDOM, SHORTER[RANDOM])
        elif told is None:
            opened = self._texts.is_opened(self.source.key())
            self.strip.say_check(None, "" if opened else ONE_RUN, SHORTER[ONE_RUN])
        else:
            self.strip.say_check(told.level, told.words, SHORTER["ok"] if told.level == "ok" else "")

    def accept(self) -> None:
        """Announce the chosen way under the typed name."""
        self.strip.accept()

    def _taken(self, outputs: tuple[Output, ...]) -> None:
        self.text.setFocus()  # the next number is clicked there
        self._close_strip()
        self.hints.say(ADDED)
        self._output, self._taking = None, True
        try:
            self.chosen.emit(outputs)
        finally:
            self._taking = False
        self._searched = False

    def keyPressEvent(self, event: object) -> None:
        if not isinstance(event, QKeyEvent) or not self.marking or event.modifiers() & Qt.KeyboardModifier.AltModifier:
            return
        if event.key() == Qt.Key.Key_Escape:
            self._leave_strip()
            self._highlight_output()
        elif event.text().isidentifier() and self.strip.by_itself:
            self.strip.each.begin_name(event.text())
        elif event.text().isidentifier():  # a name, wherever the focus is: in the text, on a button
            self.name.setFocus()
            self.name.setText(event.text())
            self.name.textEdited.emit(event.text())
