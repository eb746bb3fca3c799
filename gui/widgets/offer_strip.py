"""What a mark proposes, on a strip of fixed height: narrower and wider, which table, how to find it, what it reads, its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from bayescope.engine.problem import placeholders
from bayescope.engine.problem.definition import Output
from bayescope.engine.problem.marks import Mark, Offer, Scope
from bayescope.engine.problem.marks.found import Each, Found
from bayescope.engine.problem.marks.lists.declared_units import declared_unit
from bayescope.engine.problem.marks.mark import MOST_OUTPUTS
from bayescope.engine.problem.propose_tables import Proposal
from bayescope.gui.models.plain import names_needed, one_line
from bayescope.gui.models.simulator.outputs.offered import (
    headings_of,
    names_of_all,
    output_of,
    proposed_names,
    units_of,
)
from bayescope.gui.models.simulator.outputs.repeat_words import (
    TABLES,
    each_choices,
    in_lines,
    repeat_choices,
    table_choices,
)
from bayescope.gui.models.simulator.trials.trial_tables import labels_words, numbers_words
from bayescope.gui.style.theme import repolish
from bayescope.gui.widgets.each_list import EachList, wrong_name
from bayescope.gui.widgets.elided import ElidedLabel
from bayescope.gui.widgets.equal_tables import EqualTablesButton
from bayescope.gui.widgets.forms import Choice, LineField, set_state
from bayescope.gui.widgets.notices import SIGNS, Level, label

SCOPES: dict[Scope, tuple[str, str]] = {
    "each": ("Each by itself", "Read each number, or each row of a list, as an output of its own, named by its label."),
    "number": ("This number", "Read this one number."),
    "part": ("These numbers", "Read the marked numbers of this row as one list."),
    "piece": ("These rows", "Read the marked rows of this column."),
    "row": ("Row", "Read the numbers of this row as one list."),
    "block": ("Block", "Read the marked rows of each marked column, one output for each."),
    "column": ("Column", "Read every row of the column, however many there are."),
    "table": ("Table", "Read every column of the table, one output for each."),
    "list": ("One list", "Read the numbers row by row into one output."),
    "labels": ("Labels", "Read the dates, times or names of this column, to pair rows by them."),
}
SIDES = 10  # pixels beside what stands in the strip
UNBOUND = 16_777_215  # pixels: what Qt takes for no bound
NONE = Each(())
_SEVERAL = "The same heading stands above several tables."
_OF_LINES = "The same text stands before several numbers or lists."
LEAST_REPEATS = 110  # pixels: “this table” whole
ROWS, MOST_ROWS = "rows beside {}: 12, 40, …", 260
ROWS_TIP = "The numbers below it in further rows, by what stands first in these, with commas between. Then press Return."
LEAST_SAID = 120  # pixels: of what is read and of the check, which share a line


class OfferStrip(QFrame):
    """``chosen`` carries the outputs; ``shown``: another offer is looked at."""

    chosen = Signal(object)
    shown = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "well")
        self._proposed = ""  # the names that it stood with first
        self.taken: Callable[[Output], Sequence[str]] = lambda output: ()  # names that may not be proposed for it
        self.lost: Callable[[Found], str] = lambda found: ""  # why a run at other values does not have it
        self.random: Callable[[Found], bool] = lambda found: False  # whether a run at the same values gives other numbers
        self.named: Callable[[Sequence[str]], Set[str]] = lambda names: frozenset()  # which of them the measured data name
        self._offers: list[Offer] = []
        self._mark: Mark | None = None
        self._each = NONE
        self._every: tuple[Each, Each] | None = None  # numbers of one table, and with those in their places in all like it
        self._table = range(0)
        self._shown: Scope = "number"  # what is offered now
        self._unit = ""
        self._source = self._fallback = ""
        self._kept: tuple[str, str, range] = ("", "", range(0))  # the kind of table chosen last by hand: source, kind, lines
        self.scopes: dict[Scope, QToolButton] = {}
        self._group = QButtonGroup(self)
        scopes = QWidget()
        row = QHBoxLayout(scopes)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for scope, (title, tip) in SCOPES.items():
            button = QToolButton()
            button.setText(title)
            button.setToolTip(tip)
            button.setAccessibleName(title)
            button.setProperty("kind", "switch")
            button.setCheckable(True)
            button.clicked.connect(lambda on, s=scope: self._scope_chosen(s))
            button.hide()
            self._group.addButton(button)
            self.scopes[scope] = button
            row.addWidget(button)
        row.addStretch(1)
        self.repeats = Choice("Which of the tables with this heading", _SEVERAL)
        self.repeats.setMinimumContentsLength(max(map(len, TABLES.values())))
        self.repeats.setMinimumWidth(LEAST_REPEATS)  # in a narrow window, which must not widen for it
        self.repeats.chosen.connect(self._repeat_chosen)
        policy = self.repeats.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.repeats.setSizePolicy(policy)
        self.rows = LineField("Further rows", ROWS_TIP)
        self.rows.setMinimumWidth(LEAST_REPEATS)
        self.rows.setMaximumWidth(MOST_ROWS)
        self.rows.hide()
        self.ways = Choice("How to read it", "Ways to find this again in another run, the most reliable first.")
        self.ways.setMinimumContentsLength(12)
        self.ways.chosen.connect(lambda key: self._show_way())
        self.reads = ElidedLabel("hint")
        self.name = LineField(
            "Name of the output", "A short name without spaces; for several outputs: names with commas between."
        )
        self.name.returnPressed.connect(self.accept)
        self.name.textEdited.connect(lambda _: self._corrected())
        self.take = QPushButton("&Add output")
        self.take.setProperty("kind", "primary")
        self.take.clicked.connect(self.accept)
        self.check = ElidedLabel("hint")
        box = QVBoxLayout(self)
        box.setContentsMargins(SIDES, 5, SIDES, 5)
        box.setSpacing(4)
        self.each = EachList()
        self.each.changed.connect(self._show_count)
        self.each.entered.connect(self.accept)
        self.told = ElidedLabel("hint")  # of several: how many are found again, what is missing
        self.told.hide()
        self.take_each = QPushButton("&Add outputs")
        self.take_each.setProperty("kind", "primary")
        self.take_each.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Ignored)  # no higher than the line
        self.take_each.clicked.connect(self.accept)
        self.take_each.hide()
        self.take_tables = EqualTablesButton()
        self.take_tables.clicked.connect(self._accept_tables)
        top = QHBoxLayout()
        top.addWidget(scopes)
        top.addWidget(self.rows, 1)
        top.addWidget(self.told, 1)
        top.addStretch(0)
        top.addWidget(self.repeats)
        top.addWidget(self.take_each)
        top.addWidget(self.take_tables)
        box.addLayout(top)
        self._way = way = QWidget()
        rows = QVBoxLayout(way)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(4)
        line, said = QHBoxLayout(), QHBoxLayout()
        line.addWidget(self.ways, 3)
        line.addWidget(label("as"))
        line.addWidget(self.name, 2)
        line.addWidget(self.take)
        self.reads.setSizePolicy(
            QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred
        )  # the check gets what it leaves
        self.reads.setMinimumWidth(LEAST_SAID)
        self.check.setMinimumWidth(LEAST_SAID)
        said.addWidget(self.reads)
        said.addWidget(self.check, 1)
        rows.addLayout(line)
        rows.addLayout(said)
        self._below = QStackedWidget()  # one way to read, or several numbers each by itself: of the same height
        self._below.addWidget(way)
        self._below.addWidget(self.each)
        box.addWidget(self._below)

    # -------------------------------------------------------------- shown

    def offer(self, mark: Mark, scope: Scope, source: str, name: str, unit: str = "", each: Each = NONE) -> None:
        """Show what ``mark`` may mean, ``scope`` first. ``name``, ``unit``: for an output if the table gives none; ``each``: what
        it is as several numbers."""
        self._mark, self._source, self._fallback, self._unit, self._each = mark, source, name, unit, each
        self._every, self._table = None, mark.table
        for one, button in self.scopes.items():
            button.setVisible(one in mark.scopes or (one == "each" and bool(each.found)))
            button.setEnabled(True)
        if scope == "each":
            self._show_each()
        else:
            self._show_scope(scope)

    def offer_each(
        self, each: Each, source: str, left: str = "", note: str = "", every: Each | None = None, table: range = range(0)
    ) -> None:
        """Show several numbers; ``source``: the text in sight; ``left``: what was not found, in words; ``note``: what else can be
        done; ``every``: each with those in its place in all tables like the ``table`` that holds them."""
        self._mark, self._source, self._table = None, source, table
        self._every = None if every is None else (each, every)
        self._each = each if every is None or self._kept_repeat({"all"}) is None else every
        for button in self.scopes.values():
            button.hide()
        self._show_each(left, note)

    @property
    def lists_columns(self) -> bool:
        """Whether the columns of a table are listed that has more than become outputs at once."""
        return self.by_itself and self._shown != "each"

    def look_at(self, source: str) -> None:
        """Another text is in sight; what is offered stays."""
        self._source = source

    @property
    def by_itself(self) -> bool:
        """Whether several numbers are offered, each as an output of its own."""
        return self._below.currentWidget() is self.each

    @property
    def scope(self) -> Scope | None:
        """What is chosen: a number, a column, each by itself ...; None: nothing is offered."""
        return next((scope for scope, button in self.scopes.items() if button.isChecked() and not button.isHidden()), None)

    def keep(self, scope: Scope | None) -> None:
        """Choose what was chosen for the same mark before, if that is still offered."""
        if scope is not None and scope != self.scope and not self.scopes[scope].isHidden():
            self._scope_chosen(scope)

    def current(self) -> Offer:
        if self.by_itself:
            here = [f for f in self.each.ticked() if f.source == self._source]
            return Offer("each", "", "each number by itself", tuple(f.proposal for f in here), tuple(f.name for f in here))
        return self._offers[int(self.ways.key())]

    def lacks(self, width: int) -> int:
        """Pixels by which the list of several numbers is higher than its place, in a strip of this width."""
        return self.each.wanted_height(width - 2 * SIDES) - self._way.sizeHint().height()

    def _show_each(self, left: str = "", note: str = "") -> None:
        lost = [self.lost(found) for found in self._each.found]
        self.scopes["each"].setChecked(True)
        self._shown = "each"
        self._turn_to(self.each)
        self.each.offer(self._each.found, lost)
        some = sum(bool(why) for why in lost)
        words = f"{some} of {len(lost)} not found at other values" if some else left
        if self._each.left and not words:
            words = f"{self._each.left} more cannot be told apart"
        if not words and (differ := sum(map(self.random, self._each.found))):
            words = f"Random: {differ} of {len(lost)} differ in run 2"
        self._say_told(words or note, "warning" if words else "hint")
        if self._every is not None:
            every = [found.proposal.extractor for found in self._every[1].found]
            self.repeats.setToolTip(_OF_LINES if any(map(in_lines, every)) else _SEVERAL)
            self.repeats.setMaximumWidth(UNBOUND)
            self.repeats.setVisible(True)
            self.repeats.offer(each_choices(every), "all" if self._each is self._every[1] else "this")
        self._show_count()

    def offer_rows(self, first: str) -> None:
        """Ask for further rows of a large table beside the one that begins with ``first``."""
        self.rows.setText("")
        self.rows.setPlaceholderText(ROWS.format(one_line(first, 12)))
        self.rows.setVisible(self._shown == "number" and not self.by_itself)

    def _say_told(self, words: str, role: str) -> None:
        self.told.setProperty("role", role)
        repolish(self.told)
        self.told.say(words)

    def _show_columns(self, offer: Offer) -> None:
        """The columns of a table that has more than become outputs at once, those first and ticked that the data name."""
        names = self._names(offer)
        every = zip(names, self._outputs(offer, names), headings_of(offer), offer.proposals, strict=True)
        found = [Found(self._source, name, o.unit, t or name, p, offer.words) for name, o, t, p in every]
        named = self.named(names)
        found.sort(key=lambda f: f.name not in named)
        self._turn_to(self.each)
        ticks = [f.name in named and k < MOST_OUTPUTS for k, f in enumerate(found)]
        self.each.offer(found, [self.lost(f) for f in found], ticks)
        self._show_count()

    def _show_count(self) -> None:
        n = len(self.each.ticked())
        if self.lists_columns:
            self._say_most(n)
        self.take_each.setText(f"&Add {n} outputs" if n != 1 else "&Add output")
        self.take_each.setEnabled(n > 0 and (n <= MOST_OUTPUTS or not self.lists_columns))
        self.shown.emit()

    def _say_most(self, ticked: int) -> None:
        if ticked > MOST_OUTPUTS:
            self._say_told(f"{ticked} are ticked, {MOST_OUTPUTS} at most become outputs", "error")
        else:
            self._say_told(f"{len(self.each.ones)} columns: tick up to {MOST_OUTPUTS}", "hint")

    def say_not_added(self, words: str) -> None:
        """What was clicked with Ctrl is not one more."""
        if self.by_itself:
            self._say_told(words, "warning")
        else:
            self._say_reads(words, "warning")

    def _turn_to(self, page: QWidget) -> None:
        """The names and values of several numbers, or one way to read."""
        several = page is self.each
        self.rows.hide()
        self.repeats.setVisible(False)
        self.repeats.setMaximumWidth(0 if several else UNBOUND)  # its height stays that of the line
        self._below.setCurrentWidget(page)
        self.take_each.setVisible(several)
        self.take_tables.hide()
        self.told.setVisible(several)

    def _scope_chosen(self, scope: Scope) -> None:
        if self._mark is None:
            return
        if scope == "each":
            self._show_each()
            return
        if self._mark.offers(scope):
            self._show_scope(scope)
            return
        self.scopes[scope].setEnabled(False)
        self.scopes[self._shown].setChecked(True)
        why = self._mark.why.get(scope) or "no text was found by which it is known again in another run."
        words = f"{SCOPES[scope][0]} cannot be read: {why}"
        if self.by_itself:
            self._say_told(words, "error")
        else:
            self._say_reads(words, "error")
            self.say_check(None, kept := f"“{SCOPES[self._shown][0]}” stays chosen.")
            self.check.setMinimumWidth(0)  # of the line what the reason leaves
            self.check.say(kept, parts="; ")

    def _show_scope(self, scope: Scope) -> None:
        if self._mark is None:
            return
        self._offers, self._shown = self._mark.offers(scope), scope
        self.scopes[scope].setChecked(True)
        if len(self._offers[0].proposals) > MOST_OUTPUTS:
            self._show_columns(self._offers[0])
            return
        self._turn_to(self._way)
        there = {o.repeat for o in self._offers}
        repeats = [r for r in TABLES if r in there]
        table = not in_lines(self._offers[0].proposals[0].extractor)
        self.repeats.setToolTip(_SEVERAL if table else _OF_LINES)
        self.repeats.setVisible(len(repeats) > 1)
        kept = self._kept_repeat(there)
        choices = (table_choices if table else repeat_choices)(self._offers, repeats)
        self.repeats.offer(choices, self._offers[0].repeat if kept is None else kept)
        self._offer_ways()

    def _repeat_chosen(self, key: str) -> None:
        """For the next number of the same table the same kind is proposed."""
        self._kept = self._source, key, self._table
        if self.by_itself and self._every is not None:
            names, self._each = self.each.names(), self._every[key == "all"]
            self._show_each()
            self.each.name_them(names)
        elif not self.by_itself:
            self._offer_ways()

    def _kept_repeat(self, there: Set[str]) -> str | None:
        """The kind that was chosen for another number of this table; None: none, or it is not offered here."""
        source, key, lines = self._kept
        table = self._table
        alike = source == self._source and lines and table and lines[0] <= table[-1] and table[0] <= lines[-1]
        return key if alike and key in there else None

    def _offer_ways(self) -> None:
        repeat = self.repeats.key()
        every = list(enumerate(self._offers))
        some = [(i, o) for i, o in every if o.repeat == repeat]
        some = some or every
        self.ways.offer([(str(i), o.words) for i, o in some], str(some[0][0]))
        self._show_way()

    def _show_way(self) -> None:
        offer = self.current()
        several = len(offer.proposals) > 1
        names = self._names(offer)
        self._proposed = ", ".join(names)
        self.name.show_text(self._proposed)
        self.take_tables.offer(self._mark, offer, names)
        set_state(self.name, "")
        self.take.setText(f"&Add {len(offer.proposals)} outputs" if several else "&Add output")
        self._say_what_is_read()
        self.shown.emit()

    def _corrected(self) -> None:
        """What was refused is being typed anew."""
        if not self.by_itself and self.reads.property("role") == "error":
            set_state(self.name, "")
            self._say_what_is_read()

    def _say_what_is_read(self) -> None:
        offer = self.current()
        several = len(offer.proposals) > 1
        first = next((p for p in offer.proposals if not p.texts), offer.proposals[0])
        missing = f"; {first.missing}" if first.missing else ""  # the choice itself may be too narrow for it
        which = "the first" if first is offer.proposals[0] else "one of them"
        each = f"{len(offer.proposals)} outputs, {which} " if several else ""
        if first.texts:
            listed = [f"Reads {labels_words(first.texts, most)}" for most in (4, 2, 1)]
            self._say_reads(listed[0], shorter=tuple(listed[1:]))
            return
        letters = offer.letters_words(self._mark.text) if self._mark is not None else ""
        said = f"; {letters}" if letters else ""
        ways = [f"Reads {each}{numbers_words(first.values, most)}{missing}{said}" for most in (5, 3, 2, 1)]
        if letters:  # that numbers are read so is said before the numbers themselves
            ways.append(f"Reads {len(offer.proposals)} outputs{missing}{said}" if several else f"Reads numbers{missing}{said}")
        self._say_reads(ways[0], shorter=tuple(ways[1:]))

    def _say_reads(self, words: str, role: str = "hint", shorter: tuple[str, ...] = ()) -> None:
        self.reads.setProperty("role", role)
        repolish(self.reads)
        self.reads.say(words, shorter=shorter)

    def _names(self, offer: Offer) -> list[str]:
        return proposed_names(offer, self._fallback, lambda name, proposal: self.taken(self._output(name, proposal)))

    def _output(self, name: str, proposal: Proposal, unit: str = "") -> Output:
        text = "" if self._mark is None else self._mark.text
        unit = unit or self._unit or declared_unit(proposal.extractor, text)
        return output_of(name, self._source, proposal, unit)

    @property
    def typed(self) -> bool:
        """Whether the names are not the proposed ones, or were looked at one by one."""
        return self.by_itself or self.name.text() != self._proposed

    def say_check(self, level: Level | None, words: str, shorter: str = "") -> None:
        """What the run at other values says; nothing: there is none."""
        self.check.setProperty("role", "hint" if level in (None, "info") else level)
        repolish(self.check)
        self.check.setMinimumWidth(LEAST_SAID)
        sign = f"{SIGNS[level]}  " if level is not None else ""
        self.check.say(f"{sign}{words}", shorter=f"{sign}{shorter}" if shorter else "")

    # -------------------------------------------------------------- taken

    def accept(self) -> None:
        """Announce the chosen way under the typed names."""
        if self.by_itself:
            self._accept_each()
            return
        if outputs := self._named():
            self.chosen.emit(outputs)

    def _accept_tables(self) -> None:
        """The marked columns of all tables like the marked one."""
        if outputs := self._named(skips=False):
            self.chosen.emit(self.take_tables.outputs(outputs))

    def _named(self, skips: bool = True) -> tuple[Output, ...]:
        """What is offered under the names that are typed; none, and words, where these cannot be used. ``skips``: one of several
        that is empty is for what is not wanted."""
        offer = self.current()
        typed = names_of_all(offer, [placeholders.normal(name.strip()) for name in self.name.text().split(",")])
        if len(typed) != len(offer.proposals):
            set_state(self.name, "error")
            self._say_reads(names_needed(len(offer.proposals), len(typed)), "error")
            return ()
        names = (skips and [name for name in typed if name]) or typed
        if not all(placeholders.is_name(name) for name in names) or len(set(names)) < len(names):
            set_state(self.name, "error")
            wrong = next((name for name in names if not placeholders.is_name(name)), None)
            self._say_reads("Each name once." if wrong is None else wrong_name(wrong), "error")
            near = [name if placeholders.is_name(name) else placeholders.nearest_name(name) for name in names]
            if wrong is not None and all(near):
                set_state(self.name, "")
                self.name.setText(", ".join(near))  # to be taken or changed, as the sentence says
            return ()
        return tuple(output for name, output in zip(typed, self._outputs(offer, typed), strict=True) if name or not skips)

    def _outputs(self, offer: Offer, names: Sequence[str]) -> tuple[Output, ...]:
        return tuple(self._output(*one) for one in zip(names, offer.proposals, units_of(self._mark, offer), strict=True))

    def _accept_each(self) -> None:
        if fault := self.each.fault():
            self._say_told(fault, "error")
            return
        found = self.each.ticked()
        if found and self.take_each.isEnabled():
            self.chosen.emit(tuple(output_of(f.name, f.source, f.proposal, f.unit) for f in found))
