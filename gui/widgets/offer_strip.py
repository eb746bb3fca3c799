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
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from bayescope.engine.problem import placeholders
from bayescope.engine.problem.definition import LabelledNumber, Output, Region
from bayescope.engine.problem.marks import Mark, Offer, Scope
from bayescope.engine.problem.propose_tables import Proposal
from bayescope.gui.models.parameters import fresh_name
from bayescope.gui.models.simulator.repeat_words import repeat_choices
from bayescope.gui.models.simulator.trial_tables import numbers_words
from bayescope.gui.style.theme import repolish
from bayescope.gui.widgets.fitting import ElidedLabel
from bayescope.gui.widgets.forms import Choice, LineField, set_state
from bayescope.gui.widgets.notices import SIGNS, Level, label

SCOPES: dict[Scope, tuple[str, str]] = {
    "number": ("This number", "Read this one number."),
    "part": ("These numbers", "Read the marked numbers of this row as one list."),
    "piece": ("These rows", "Read the marked rows of this column."),
    "row": ("Row", "Read the numbers of this row as one list."),
    "block": ("Block", "Read the marked rows of each marked column, one output for each."),
    "column": ("Column", "Read every row of the column, however many there are."),
    "table": ("Table", "Read every column of the table, one output for each."),
    "list": ("One list", "Read the numbers row by row into one output."),
}
REPEATS = {
    "": "by its name",
    "first": "the first table",
    "this": "this table",
    "last": "the last table",
    "all": "all these tables",
    "on": "this and all below",
}


_SEVERAL = "The same heading stands above several tables."
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
        self._offers: list[Offer] = []
        self._mark: Mark | None = None
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
        self.repeats.setMinimumContentsLength(max(map(len, REPEATS.values())))
        self.repeats.chosen.connect(self._repeat_chosen)
        policy = self.repeats.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.repeats.setSizePolicy(policy)
        self.ways = Choice("How to read it", "Ways to find this again in another run, the most reliable first.")
        self.ways.setMinimumContentsLength(12)
        self.ways.chosen.connect(lambda key: self._show_way())
        self.reads = ElidedLabel("hint")
        self.name = LineField(
            "Name of the output", "A short name without spaces; for several outputs: names with commas between."
        )
        self.name.returnPressed.connect(self.accept)
        self.take = QPushButton("&Add output")
        self.take.setProperty("kind", "primary")
        self.take.clicked.connect(self.accept)
        self.check = ElidedLabel("hint")
        box = QVBoxLayout(self)
        box.setContentsMargins(10, 5, 10, 5)
        box.setSpacing(4)
        top = QHBoxLayout()
        top.addWidget(scopes, 1)
        top.addWidget(self.repeats)
        box.addLayout(top)
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
        box.addLayout(line)
        box.addLayout(said)

    # -------------------------------------------------------------- shown

    def offer(self, mark: Mark, scope: Scope, source: str, name: str) -> None:
        """Show what ``mark`` may mean, ``scope`` first. ``name``: for an output if the table gives none."""
        self._mark, self._source, self._fallback = mark, source, name
        for one, button in self.scopes.items():
            button.setVisible(one in mark.scopes)
            button.setEnabled(True)
        self._show_scope(scope)

    def current(self) -> Offer:
        return self._offers[int(self.ways.key())]

    def _scope_chosen(self, scope: Scope) -> None:
        if self._mark is None:
            return
        if self._mark.offers(scope):
            self._show_scope(scope)
            return
        self.scopes[scope].setEnabled(False)
        self.scopes[self._offers[0].scope].setChecked(True)
        why = self._mark.why.get(scope) or "no text was found by which it is known again in another run."
        self._say_reads(f"{SCOPES[scope][0]} cannot be read: {why}", "error")

    def _show_scope(self, scope: Scope) -> None:
        if self._mark is None:
            return
        self._offers = self._mark.offers(scope)
        self.scopes[scope].setChecked(True)
        there = {o.repeat for o in self._offers}
        repeats = [r for r in REPEATS if r in there]
        likeliest = self._offers[0].proposals[0].extractor
        table = not (isinstance(likeliest, LabelledNumber) or (isinstance(likeliest, Region) and likeliest.on_line))
        self.repeats.setToolTip(_SEVERAL if table else "The same text stands before several numbers.")
        self.repeats.setVisible(len(repeats) > 1)
        kept = self._kept_repeat(there)
        choices = [(r, REPEATS[r]) for r in repeats] if table else repeat_choices(self._offers, repeats)
        self.repeats.offer(choices, self._offers[0].repeat if kept is None else kept)
        self._offer_ways()

    def _repeat_chosen(self, key: str) -> None:
        """For the next number of the same table the same kind is proposed."""
        if self._mark is not None:
            self._kept = self._source, key, self._mark.table
        self._offer_ways()

    def _kept_repeat(self, there: Set[str]) -> str | None:
        """The kind that was chosen for another number of this table; None: none, or it is not offered here."""
        source, key, lines = self._kept
        table = self._mark.table if self._mark is not None else range(0)
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
        self._proposed = ", ".join(self._names(offer))
        self.name.show_text(self._proposed)
        set_state(self.name, "")
        self.take.setText(f"&Add {len(offer.proposals)} outputs" if several else "&Add output")
        first = offer.proposals[0]
        missing = f"; {first.missing}" if first.missing else ""  # the choice itself may be too narrow for it
        each = f"{len(offer.proposals)} outputs, the first " if several else ""
        letters = offer.letters_words(self._mark.text) if self._mark is not None else ""
        self._say_reads(f"Reads {each}{numbers_words(first.values, 5)}{missing}{letters and '; ' + letters}")
        self.shown.emit()

    def _say_reads(self, words: str, role: str = "hint") -> None:
        self.reads.setProperty("role", role)
        repolish(self.reads)
        self.reads.say(words)

    def _names(self, offer: Offer) -> list[str]:
        found: list[str] = []
        for k in range(len(offer.proposals)):
            column = getattr(offer.proposals[k].extractor, "column", "")
            told = column if isinstance(column, str) and column else (*offer.names, *[""] * len(offer.proposals))[k]
            name = fresh_name(found, told or self._fallback)
            taken = self.taken(self._output(name, offer.proposals[k]))
            found.append(fresh_name([*found, *taken], name) if taken else name)
        return found

    def _output(self, name: str, proposal: Proposal) -> Output:
        return Output(
            name=name, source=self._source, extractor=proposal.extractor, length=None if proposal.is_vector else 1,
            decimal_comma=proposal.decimal_comma, scale_letters=proposal.scale_letters,
        )  # fmt: skip

    @property
    def typed(self) -> bool:
        """Whether the names are not the proposed ones."""
        return self.name.text() != self._proposed

    def say_check(self, level: Level | None, words: str, shorter: str = "") -> None:
        """What the run at other values says; nothing: there is none."""
        self.check.setProperty("role", "hint" if level in (None, "info") else level)
        repolish(self.check)
        self.check.say(f"{SIGNS[level]}  {words}" if level is not None else words, shorter=shorter)

    # -------------------------------------------------------------- taken

    def accept(self) -> None:
        """Announce the chosen way under the typed names."""
        offer = self.current()
        names = [placeholders.normal(name.strip()) for name in self.name.text().split(",")]
        if len(names) != len(offer.proposals):
            set_state(self.name, "error")
            self._say_reads(
                f"{len(offer.proposals)} names are needed, with commas between; there are {len(names)}.", "error"
            )
            return
        if not all(placeholders.is_name(name) for name in names) or len(set(names)) < len(names):
            set_state(self.name, "error")
            wrong = next((name for name in names if not placeholders.is_name(name)), "")
            said = (
                "The name needs letters, digits and _ only, and cannot begin with a digit."
                if wrong or not names[0]
                else "Each name once."
            )
            self._say_reads(said, "error")
            return
        self.chosen.emit(tuple(self._output(name, p) for name, p in zip(names, offer.proposals, strict=True)))
