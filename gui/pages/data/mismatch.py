"""The rows of a comparison that found no partner in the newest test run, one by one, with the buttons that mend it."""

from __future__ import annotations

import re

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QVBoxLayout, QWidget

from bayescope.engine.problem.definition import Problem
from bayescope.gui.models.data.dates.counted_dates import UNDO
from bayescope.gui.models.data.dates.day_pairing import BUTTON as PAIR_BY_DAY
from bayescope.gui.models.data.dates.day_pairing import NEAREST
from bayescope.gui.models.data.dates.day_pairing import UNDO as BY_DAY
from bayescope.gui.models.data.keys.nearest_for_all import NearestForAll
from bayescope.gui.models.data.keys.same_pairing import SamePairing
from bayescope.gui.models.data.keys.scaled_keys import BUTTON as PAIR_SO
from bayescope.gui.models.data.keys.scaled_keys import UNDO as SCALED
from bayescope.gui.models.data.mismatches import Mismatch
from bayescope.gui.models.data.order_words import row_label
from bayescope.gui.models.data.rows.lost_rows import Row
from bayescope.gui.models.data.rows.row_advice import MOST_ASKED
from bayescope.gui.models.data.tables.split_table import Split
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.plain import tip as plain_tip
from bayescope.gui.models.records import Column, RecordsModel
from bayescope.gui.widgets.notices import Notice
from bayescope.gui.widgets.tables import TableView

IN_ORDER = "The first measured value with the first value of the output, and so on."
MARK = "Mar&k a key, on the Simulator page…"
ALL = "This comparison and all others whose rows the same key pairs."
LONGEST_KEY = 24  # characters of the names of keys on a button
MOST_SHOWN = 500  # rows without a partner; more of them are one mistake, not many
MOST_HIGH = 6  # rows shown without scrolling
COLUMNS: tuple[Column[Row], ...] = (
    Column("row", "Row", "Of the data table, counted from 1.", lambda r: str(r.row), numeric=True),
    Column("key", "Its key", "As the data table has it.", lambda r: r.key),
    Column("measured", "Measured", "The value of this row.", lambda r: r.measured, numeric=True),
    Column("nearest", "Nearest keys of the output", "The nearest first.", lambda r: r.nearest),
)


def _short(columns: str) -> str:
    """Names of key columns for a button: without what stands in brackets where they are long."""
    if len(columns) > LONGEST_KEY:
        columns = re.sub(r"\s*[(\[][^()\[\]]*[)\]]", "", columns) or columns
    return one_line(columns, LONGEST_KEY).replace("&", "&&")


def _none_for(row: int, problem: Problem) -> str:
    """Words for a button: that the program gives no value for a row, with the label that it has."""
    label = row_label(problem.data, row - 1) if problem.data is not None and problem.data.texts else ""
    named = f" ({label})" if label.startswith("“") else ""
    return f"None for row {row}{named}".replace("&", "&&")


class MismatchPart(QWidget):
    """``mended`` carries (problem, words for undo); ``key_wanted``: the user is to choose a key in the form."""

    mended = Signal(object, str)
    key_wanted = Signal()
    marking_wanted = Signal()  # an output that can be a key is to be marked first
    rows_wanted = Signal()  # ... which rows of the output were measured
    day_wanted = Signal()  # the user is to say what day 0 is

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.found: Mismatch | None = None
        self._better: Problem | None = None
        self._in_order: Problem | None = None
        self._alike: SamePairing | None = None
        self._against = ""
        self._by_label: Problem | None = None
        self._nearest_in_all: NearestForAll | None = None
        self.message = Notice(two_below=True)
        self.message.pressed.connect(self._use_better)
        self.message.dismissed.connect(self._use_alike)
        self.model = RecordsModel[Row](COLUMNS, None, self)
        self.table = TableView("Rows of the data without a partner", self.model)
        self.table.set_widths(6, 20, 11, 30, stretch=(3,))  # 2024-05-03 14:10:00
        self.read = QPushButton("Read the key too")
        self.read.setToolTip("An output for what the program prints beside these values, by which rows can be paired.")
        self.label = QPushButton("Read the rows one by one")
        self.order = QPushButton("Pair in order")
        self.drop = QPushButton("&Leave these rows out")
        self.between = QPushButton("&Interpolate between rows")
        self.nearest = QPushButton("Use the &nearest key")
        self.nearest_all = QPushButton("Nearest key in all")
        self.other = QPushButton("Another &key…")
        self.all = QPushButton("Pair all by this key")
        self.which = QPushButton("Say which rows")
        self.which.setToolTip("Their numbers among the values that the program prints, in the order of the measured rows.")
        self.which.clicked.connect(self.rows_wanted)
        self.day = QPushButton("Another da&y 0…")
        self.count = QPushButton("Count from a day 0")
        self.daily = QPushButton(PAIR_BY_DAY)
        self.scale = QPushButton(PAIR_SO)
        self.scale.setToolTip("The output is multiplied before its values are looked for in the column.")
        self.scale.clicked.connect(lambda: self._mend("scaled", SCALED))
        self.shift = QPushButton("&Shift the key")
        self.shift.setToolTip("The keys of the program are moved by that before the rows are paired, by the same in every row.")
        self.shift.clicked.connect(self._shift)
        self.clock = QPushButton("They show the &same clock")
        self.utc = QPushButton("It is &UTC")
        self.months = (QPushButton("Day first"), QPushButton("Month first"))
        for i, button in enumerate(self.months):
            button.clicked.connect(lambda _=False, i=i: self._say_month(i))
            button.setToolTip("In every row.")
        self.passed = tuple(QPushButton("None for this row") for _ in range(MOST_ASKED))
        for i, button in enumerate(self.passed):
            button.clicked.connect(lambda _=False, i=i: self._pass_over(i))
            button.setToolTip("The program's values are those of all other rows, in order.")
        self.read.clicked.connect(lambda: self._mend("read", self.read.text().replace("&&", "&")))
        self.label.clicked.connect(self._use_labels)
        self.count.clicked.connect(self._count)
        self.count.setToolTip("The dates become numbers that pair with the output's, from the day 0 that is proposed below.")
        self.order.clicked.connect(lambda: self._mend("in_order", "Pair rows in order"))
        self.drop.clicked.connect(lambda: self._mend("left_out", "Leave rows out"))
        self.daily.clicked.connect(lambda: self._mend("by_day", BY_DAY))
        self.daily.setToolTip(f"{NEAREST}, in this comparison and in all others of the same dates.")
        self.between.clicked.connect(lambda: self._mend("between", "Interpolate between rows"))
        self.nearest.clicked.connect(lambda: self._mend("nearest", "Use the nearest key"))
        self.nearest_all.clicked.connect(self._use_nearest_in_all)
        self.nearest_all.setToolTip("This comparison and all others whose rows find their partner so.")
        self.clock.clicked.connect(lambda: self._mend("same_clock", "Times of the same clock"))
        self.utc.clicked.connect(lambda: self._mend("in_utc", "Times without a zone are UTC"))
        self.other.clicked.connect(self._other)
        self.day.clicked.connect(self._other_day)
        self.day.setToolTip("The date from which the keys count. It is the same for all columns of dates.")
        self.all.clicked.connect(self._use_alike)
        self.all.setToolTip(ALL)
        self.order.setToolTip(IN_ORDER)
        self.drop.setToolTip("They stay in the table, but this comparison does not use them.")
        self.between.setToolTip("The straight line between the values of the output on both sides of each measured key.")
        self.clock.setToolTip("10:00 belongs to 10:00+02:00. The data are written so.")
        self.utc.setToolTip("08:00 belongs to 10:00+02:00, the same instant. The data are written so.")
        self.nearest.setToolTip("Numbers: allow them to be so far apart. Labels: write them as the program does.")
        self._grid = QGridLayout()
        self._grid.setSpacing(8)
        self.ways = (
            *self.months, *self.passed, self.shift, self.scale, self.read, self.count, self.daily, self.label, self.clock,
            self.utc, self.day, self.between, self.order, self.drop, self.nearest, self.nearest_all, self.other,
            self.which,
        )  # fmt: skip
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        box.addWidget(self.message)
        box.addLayout(self._grid)  # beside the words that they answer; the rows below may be cut off
        box.addWidget(self.table)
        for button in (*self.ways, self.all):
            self._grid.addWidget(button)
        self._place(first=None)
        self.show_mismatch(None, False)

    def _place(self, first: QPushButton | None) -> None:
        """Those that are offered, without gaps, in the order of the focus too; ``first``: the best of them."""
        ways = sorted((*self.ways, self.all), key=lambda button: (button.isHidden(), button is not first))
        shown = sum(not button.isHidden() for button in ways)
        for i, button in enumerate(ways):
            at = min(i, shown)  # those that are not offered take no rows
            self._grid.addWidget(button, at // 2, at % 2)
            if i:
                QWidget.setTabOrder(ways[i - 1], button)

    @property
    def first_way(self) -> QWidget:
        """The best of the ways that are offered; the rows where there is none."""
        at = self._grid.itemAtPosition(0, 0)
        first = at.widget() if at is not None else None
        return self.table if first is None or first.isHidden() else first

    def show_mismatch(
        self,
        found: Mismatch | None,
        locked: bool,
        better: tuple[Problem, str] | None = None,
        alike: SamePairing | None = None,
        far: str = "",
        by_values: tuple[Problem, str] | None = None,
        against: str = "",
        split: Split | None = None,
        nearest: NearestForAll | None = None,
        order: str = "",
        over: str = "",
    ) -> None:
        """``better``: the problem with labels that pair the rows, where they are now taken in order, and the labels' column.

        ``alike``: the problem in which other comparisons are paired as this one is, or would be. ``far``: that a tolerance pairs
        rows so far apart that they may be the wrong ones, a sentence. ``by_values``: the rows in order again, and how they are
        paired by values now, a sentence. ``against``: what is wrong with the order where ``better`` contradicts it, a sentence.
        ``nearest``: the nearest key in every comparison that it mends, where these are several. ``split``: the table split by
        the column that names the quantity of each row, where these rows are of several. ``order``: the first rows as they are
        paired in order, with their labels, a sentence. ``over``: words of the button for ``better``, where these are others.
        """
        self.found, self._alike, self._against, self._nearest_in_all = found, alike, against, nearest
        self._in_order = by_values[0] if by_values is not None and found is None and better is None and not far else None
        self._better = better[0] if better is not None and found is None else None
        self.setVisible(any(x is not None for x in (found, self._better, alike, self._in_order)) or bool(far))
        some = found is not None
        self.table.setVisible(some and bool(found and found.rows))
        for button in self.ways:
            button.setVisible(some)
        every = f"Pair all by {_short(alike.columns)}" if alike is not None else ""
        self.all.setText(every)
        self.all.setVisible(some and bool(every))
        self.all.setEnabled(not locked)
        if found is None:
            self.model.set_rows(())
            self._say_paired(locked, better[1] if better is not None else "", every, far, order, over)
            if self._in_order is not None and by_values is not None:
                self.message.say("info", by_values[1], order, "" if locked else "Pair in &order instead", "" if locked else every)
            return
        rest, advice = len(found.rows) - MOST_SHOWN, found.suggestion if split is None else split.hint
        self.message.say("warning", found.words, f"{rest} more are not shown." if rest > 0 else advice)
        self._by_label = found.by_label if split is None else split.problem
        self.order.setToolTip(plain_tip(f"{IN_ORDER} {order}".strip()))
        self.model.set_rows(found.rows[:MOST_SHOWN])
        self.table.fit_rows(MOST_HIGH)
        ways = (
            (self.read, found.read),
            (self.label, self._by_label),
            (self.count, found.counted),
            (self.daily, found.by_day),
            (self.shift, found.shift),
            (self.scale, found.scaled),
            (self.clock, found.same_clock),
            (self.utc, found.in_utc),
            (self.between, found.between),
            (self.order, found.in_order),
            (self.drop, found.left_out),
            (self.nearest, found.nearest),
            (self.nearest_all, nearest),
        )
        for button, changed in ways:
            button.setVisible(changed is not None)  # what leads nowhere is not offered
            button.setEnabled(not locked)
        for i, button in enumerate(self.passed):
            asked = i < len(found.passed_over)
            button.setVisible(asked)
            button.setEnabled(not locked)
            button.setText(_none_for(*found.passed_over[i]) if asked else "")
        for i, button in enumerate(self.months):
            button.setVisible(i < len(found.months))
            button.setEnabled(not locked)
            button.setText(found.months[i][0] if i < len(found.months) else "")
        self.between.setText(f"&Interpolate, {found.beyond} left out" if found.beyond else "&Interpolate between rows")
        self.other.setEnabled(not locked)
        self.which.setVisible(bool(found.which_rows) and split is None)
        self.which.setEnabled(not locked)
        self.which.setText(f"Say which rows of {one_line(found.which_rows, LONGEST_KEY)}".replace("&", "&&"))
        self.day.setVisible(found.dates)
        self.day.setEnabled(not locked)
        self.day.setText(f"Da&y 0 is {found.day_words}" if found.from_day is not None else "Another da&y 0…")
        self.nearest.setText("Use the &nearest key" + (f", {found.nearest_words}" if found.nearest_words else ""))
        by = found.other_button or f"Pair by {_short(found.other_words)}"
        no_key = "Another &key…" if found.in_order else "Choose a &key…"  # there is one already, or none
        self.other.setText(by if found.other_key else MARK if found.mark else no_key)
        self.other.setToolTip(plain_tip(found.other_words) if found.other_key else "")
        self.all.setToolTip(plain_tip(f"{ALL} {alike.columns}") if alike is not None else ALL)
        self.label.setText((found.label_words if split is None else split.button).replace("&", "&&"))
        self.read.setText(found.read_words.replace("&", "&&"))
        self.nearest_all.setText("" if nearest is None else nearest.words)
        leads = found.other_key is not None or found.mark or not found.keyless
        self.other.setVisible(leads and (self._by_label is None or found.other_key is not None))
        self.count.setText(found.count_words.replace("&", ""))  # the key is that of the page's message
        first = self.between if found.between_first else None
        best = self.count if found.counted is not None else self.daily if found.by_day is not None else None
        best = self.label if best is None and self._by_label is not None else best
        best = self.read if best is None and found.read is not None else best
        best = self.scale if found.scaled is not None else best
        self.shift.setText("" if found.shift is None else found.shift.button)
        by_shift = found.shift is not None and found.shift.first and found.by_day is None  # days lead
        best = self.shift if by_shift else best
        other = self.all if every else self.other  # what mends several at once before what mends one
        self._place(best or first or (other if found.other_key is not None else None))

    def _say_paired(self, locked: bool, safer: str, every: str, far: str, order: str, over: str) -> None:
        """All rows fit: by which labels they would be paired more safely, and whether others could be paired as these are."""
        if far:
            more = "They may be paired with the wrong rows: check the key, or lower the tolerance."
            self.message.say("warning", far, more, "" if locked else every)
        elif safer and self._against:
            button = over or f"Pair &by {one_line(safer, 30)}"
            self.message.say("warning", self._against, order, "" if locked else button, "" if locked else every)
        elif safer:
            name = one_line(safer, 30)
            data = self._better.data if self._better is not None else None
            said = f"the labels of “{name}” too: they are" if data is not None and safer in data.texts else f"“{name}” too: it is"
            words = f"Rows are paired in order. The program prints {said} safer."
            self.message.say("info", words, order, "" if locked else f"Pair &by {name}", "" if locked else every)
        elif self._alike is not None:
            self.message.say("info", self._alike.words, "", "" if locked else every)
        else:
            self.message.clear()

    def _mend(self, way: str, words: str) -> None:
        changed = getattr(self.found, way, None)
        if changed is not None:
            self.mended.emit(changed, words)

    def _shift(self) -> None:
        if self.found is not None and self.found.shift is not None:
            self.mended.emit(self.found.shift.problem, self.found.shift.button.replace("&", ""))

    def _say_month(self, i: int) -> None:
        if self.found is not None and i < len(self.found.months):
            self.mended.emit(self.found.months[i][1], f"Month of the dates: {self.found.months[i][0]}")

    def _pass_over(self, i: int) -> None:
        if self.found is not None and i < len(self.found.passed_over):
            row, changed = self.found.passed_over[i]
            self.mended.emit(changed, f"No value for row {row}")

    def _count(self) -> None:
        self._mend("counted", UNDO)
        self.day_wanted.emit()  # only the user knows whether the one proposed is right

    def _use_labels(self) -> None:
        if self._by_label is not None:
            self.mended.emit(self._by_label, self.label.text().replace("&&", "&"))

    def _other(self) -> None:
        if self.found is not None and self.found.other_key is not None:
            self.mended.emit(self.found.other_key, "Pair by another key")
        elif self.found is not None and self.found.mark:
            self.marking_wanted.emit()
        else:
            self.key_wanted.emit()

    def _other_day(self) -> None:
        if self.found is not None and self.found.from_day is not None:
            self.mended.emit(self.found.from_day, f"Day 0 is {self.found.day_words}")
        else:
            self.day_wanted.emit()

    def _use_nearest_in_all(self) -> None:
        if self._nearest_in_all is not None:
            self.mended.emit(self._nearest_in_all.problem, "Use the nearest key in all")

    def _use_better(self) -> None:
        if self._in_order is not None:
            self.mended.emit(self._in_order, "Pair rows in order")
        elif self._better is not None:
            self.mended.emit(self._better, "Pair by labels")
        else:
            self._use_alike()

    def _use_alike(self) -> None:
        if self._alike is not None:
            self.mended.emit(self._alike.problem, f"Pair all by {one_line(self._alike.columns, 30)}")
