"""Which columns of a file that is imported are taken, under which names, as what; and day 0 of its dates."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMenu

from bayescope.engine.problem.data.dates.stated_day_zero import Stated
from bayescope.engine.problem.data.dates.zone_words import Zone, stated_zone
from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.problem.data.rows.place_columns import leading_column
from bayescope.engine.problem.data.tables import long_form
from bayescope.engine.problem.data.tables.table_preview import TablePreview
from bayescope.engine.problem.data.tables.tracked import says_when
from bayescope.engine.problem.definition import DataTable
from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.session.read_files import ReadFile
from bayescope.gui.models.archive.column_roles import (
    WORDS,
    as_said,
    held_roles,
    keys,
    may_be,
    pairing_roles,
    role_of,
    unsaid_names,
)
from bayescope.gui.models.archive.import_columns import (
    AS_TIME,
    KEY,
    LEAVE,
    NOTHING_SPLIT,
    SPLIT,
    TAKE,
    TWINS,
    ColumnRow,
    dated,
    first_day,
    first_rows,
    joined_words,
    made,
    role_columns,
    twins_in,
)
from bayescope.gui.models.data.dates.counted_dates import NO_UNITS, NOTHING_SAID
from bayescope.gui.models.data.dates.two_zeros import zero_question
from bayescope.gui.models.data.unmeasured import emptied
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.records import RecordsModel
from bayescope.gui.pages.data.importing.dates import DatesOffer
from bayescope.gui.pages.data.importing.zeros import ZeroOffer
from bayescope.gui.widgets.day_zero import DayZeroField
from bayescope.gui.widgets.notices import Notice
from bayescope.gui.widgets.tables import TableView, open_at_click

WIDEST_NAMES = 66  # average characters of the table of columns: the preview needs room too
WIDEST_CELL = 24  # characters of a name in the file that its column grows for
FIND_OUT = "Find out"
SPLIT_MEASURED = "Split the &measured columns"


class ImportColumns(QObject):
    """``changed``: they are used otherwise than before, or day 0 is another one. ``table``, ``day_zero``, ``dates``, ``message``:
    what is shown of them."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._known_day: float | None = None  # day 0 of the table there is: of this one too
        self._day: float | None = None  # day 0 as the user gave it
        self.day_typed: float | None = None  # ... by hand, or said to be right
        self.day_guessed: float | None = None  # ... or as it was proposed
        self._found: DataTable | None = None
        self._places: dict[str, int] = {}  # the columns by their places in the file
        self.said: dict[int, str] = {}  # what the user said of columns of the file, by their places
        self.names: dict[int, str] = {}  # ... and called them
        self._held: dict[tuple[int, str], str] = {}  # what columns were found to be, by places and names, before rows were out
        self.split: tuple[int, ...] | None = None  # ... and by which the table is split; none of them: it is not; None: not said
        self.by = ""  # the column by which the table is split
        self.model = RecordsModel[ColumnRow](role_columns(lambda: self._found), self._edited, self)
        self.message = Notice()
        self.message.pressed.connect(self._way_out)
        self._twins: tuple[str, str, str] | None = None  # columns of one name: the second, that name, and another one
        self.model.refused.connect(lambda r, c, words: self.message.say("error", words))
        self.table = TableView("Columns to use", self.model)
        self.table.set_widths(18, 18, 14, stretch=(1,))
        open_at_click(self.table, "take")
        self.dates = DatesOffer()
        self.dates.pressed.connect(self._count_dates)
        self.day_zero = DayZeroField()
        self.day_zero.changed.connect(self._set_day)
        self.day_zero.confirmed.connect(self._set_day)
        self.moves = False  # the present columns get day 0 of this file: where it was asked for
        self._there: Zone | None = None
        self._lines: tuple[str, ...] = ()
        self.zeros = ZeroOffer()
        self.zeros.day_wanted.connect(self._set_day)
        self.zeros.moves_wanted.connect(self._set_moves)

    def know(
        self, day: float | None, clocks: Mapping[str, NDArray[np.float64]], stated: Mapping[str, Stated] = NOTHING_SAID,
        units: Mapping[str, str] = NO_UNITS,
    ) -> None:
        """Day 0 of the table there is (s since 1970), the numbers (n,) of outputs that count time, and from when and in what
        these count as the program and words say; for the next file."""
        self._known_day, self._day = day, None
        self.day_typed = self.day_guessed = None
        self.moves = False
        self.dates.know(clocks, day, stated, units)

    def know_zone(self, there: Zone | None, lines: Sequence[str]) -> None:
        """In which zone the times of the table there is are, and what this file says above its table."""
        self._there, self._lines = there, tuple(lines)

    def refuse(self) -> None:
        """There is no table."""
        self._found = None
        self.message.clear()
        self.dates.clear()
        self.model.set_rows(())
        self.day_zero.show_start(None)
        self.zeros.clear()

    def show(
        self, table: DataTable, shown: TablePreview, by: str, known: Collection[str], values: Sequence[str] | None = None,
        outputs: Sequence[str] = (),
    ) -> None:
        """The columns of ``table``, of which ``values`` (None: found out) are split by column ``by``; ``known``: those of the
        table there is. ``outputs``: of the program."""
        self._found, self.by = table, by
        self._places = dict(zip(shown.columns, shown.across, strict=False))
        lead = "" if by else leading_column(table, outputs)
        found = first_rows(table, by, known, values)
        first = [(old, name, KEY if old == lead and use == TAKE else use) for old, name, use in found]
        said = self._said_names()
        held = {old: self._held.get((place, old), "") for old, place in self._places.items() if old not in said}
        rows = held_roles(table, as_said(table, first, said), {old: role for old, role in held.items() if role})
        self.model.set_rows([(old, self.names.get(self._places.get(old, 0), name), use) for old, name, use in rows])
        self._make_room()
        self._show_day()

    # -------------------------------------------------------------- what was said

    def hold_roles(self) -> None:
        """Columns stay the keys and the measured ones that they are, whatever rows are taken out of the table."""
        if self._found is not None:
            roles = pairing_roles(self._found, self.model.rows)
            self._held |= {(self._places[old], old): role for old, role in roles.items() if old in self._places}

    def forget(self) -> None:
        """Another file, or another table of it: nothing is said of its columns yet."""
        self.said, self.names, self.split, self._held = {}, {}, None, {}

    def recall(self, known: ReadFile) -> None:
        """What was said of the columns of this file before."""
        self.said, self.names, self.split = dict(known.used), dict(known.names), known.split

    def say_split(self, by: str) -> None:
        """By which column, or which two, the table is to be split; '': by none."""
        parts = () if self._found is None else long_form.parts(self._found, by)
        places = tuple(self._places[name] for name in parts if name in self._places)
        self.split = places if len(places) == len(parts) else None

    def said_split(self, table: DataTable, shown: TablePreview) -> str | None:
        """By which column of ``table`` it was said to be split; '': by none; None: nothing was said, or the column is no more."""
        if not self.split:
            return None if self.split is None else ""
        at = {place: name for name, place in zip(shown.columns, shown.across, strict=False)}
        parts = [at.get(place, "") for place in self.split]
        by = long_form.both(*parts) if len(parts) == 2 else parts[0]
        return by if long_form.parts(table, by) else None

    def _said_names(self) -> dict[str, str]:
        """By names; errors that a line of the file gave go with their columns."""
        assert self._found is not None
        said = {column: use for column, place in self._places.items() if (use := self.said.get(place)) is not None}
        said = {column: use for column, use in said.items() if self.by or use != SPLIT}
        pairs = sd_pairs(list(self._found.columns)).items()
        gone = {sd: said[v] for v, sd in pairs if said.get(v) in (LEAVE, TAKE) and sd not in self._places}
        return said | gone

    def say(self, column: str, use: str) -> None:
        """What a column of the file is; TAKE: that is found out."""
        if column in self._places:
            self.said[self._places[column]] = use
            self._held.pop((self._places[column], column), None)
        rows = [(old, name, use if old == column else u) for old, name, u in self.model.rows]
        self._put(rows)

    def _edited(self, rows: tuple[ColumnRow, ...], text: str) -> bool:
        before = {old: (name, use) for old, name, use in self.model.rows}
        for old, name, use in rows:
            place, (called, was) = self._places.get(old), before.get(old, ("", ""))
            if place is not None and use != was:
                self.said[place] = use
            elif place is not None and name != called:
                self.names[place] = name
        self._put(rows)
        return True

    def _put(self, rows: Sequence[ColumnRow]) -> None:
        assert self._found is not None
        self.model.set_rows(as_said(self._found, unsaid_names(rows, self.model.rows), {}))
        self._show_day()
        self.changed.emit()

    def menu(self, column: str) -> QMenu | None:
        """What a column of the file may be said to be; None: the table is split by it."""
        table = self._found
        if table is None or not (now := role_of(table, self.model.rows, column)):
            return None
        menu = QMenu(self.table)
        menu.setAccessibleName(f"What “{column}” is")
        for role in may_be(table, column):
            action = menu.addAction(WORDS[role].capitalize(), lambda r=role: self.say(column, r))
            action.setCheckable(True)
            action.setChecked(role == now)
        menu.addSeparator()
        menu.addAction(FIND_OUT, lambda: self.say(column, TAKE))
        return menu

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of columns that were said to be keys."""
        return keys(self.model.rows)

    @property
    def counted(self) -> list[str]:
        """The columns of the file whose times become numbers."""
        return [old for old, _, use in self.model.rows if use in AS_TIME]

    def _make_room(self) -> None:
        """The names to use stand whole beside those in the file, within reason."""
        table, metrics = self.table, self.table.fontMetrics()
        names = [metrics.horizontalAdvance(str(row[1])) for row in self.model.rows[:100]]
        table.fit_words(0, WIDEST_CELL)
        named = max(table.heading_width(1), max(names, default=0) + 26)
        whole = table.columnWidth(0) + named + table.columnWidth(2) + 2 * table.frameWidth()
        table.setMinimumWidth(min(whole, WIDEST_NAMES * metrics.averageCharWidth()))

    def _able(self) -> list[str]:
        """The columns of numbers that can be split: all but times, by which rows are paired."""
        table = self._found
        if table is None:
            return []
        return [old for old, _, use in self.model.rows if old in table.columns and use != LEAVE and not says_when(table, old)]

    def _way_out(self) -> None:
        """Out of what the choices contradict."""
        if self._twins is None:
            self._split_measured()
        else:
            old, _, name = self._twins
            self._edited(tuple((o, name if o == old else n, use) for o, n, use in self.model.rows), "")

    def _split_measured(self) -> None:
        """All measured columns are split by the column that was chosen."""
        able = self._able()
        self.said |= {self._places[old]: SPLIT for old in able if old in self._places}
        self._put([(old, name, SPLIT if old in able else use) for old, name, use in self.model.rows])

    # -------------------------------------------------------------- dates

    def _count_dates(self) -> None:
        """The dates become numbers; the cursor goes to their day 0, which only the user knows."""
        if (one := self.dates.found) is None:
            return
        row = next(i for i, r in enumerate(self.model.rows) if r[0] == one.column)
        if self._known_day is None and self._day is None:
            self._day = self.day_guessed = one.start
        self.model.setData(self.model.index(row, 2), f"in {one.unit}", Qt.ItemDataRole.EditRole)
        self.day_zero.field.setFocus()
        self.day_zero.field.selectAll()

    def _set_day(self, start: float) -> None:
        self._day, self.day_typed, self.moves = start, start, False
        self._show_day()
        self.changed.emit()

    def _set_moves(self, on: bool) -> None:
        self.moves = on
        self._show_day()
        self.changed.emit()

    def _show_day(self) -> None:
        """From which day dates count that are used as numbers: in their names, and in the field."""
        start = self._start()
        if self._found is not None and start is not None:
            self.model.set_rows(dated(self._found, self.model.rows, start))
        known = start in (self.day_typed, self._known_day)
        first = self._found is not None and start == first_day(self._found, self.model.rows) and not known
        guessed = start is not None and start == self.day_guessed and not known
        self.day_zero.show_start(start, first=first, guessed=guessed, stated=self.dates.said(start))
        here = stated_zone(self.counted, self._lines)
        self.zeros.show_question(zero_question(self._known_day, start, self._there, here, self.moves))

    def _start(self) -> float | None:
        first = None if self._found is None else first_day(self._found, self.model.rows)
        return next((s for s in (self._day, self._known_day) if s is not None), first) if first is not None else None

    # -------------------------------------------------------------- taken over

    def emptied(self) -> tuple[str, ...]:
        """Columns without any value, which the table that is taken over lacks."""
        return () if self._found is None else emptied(self._found, self.model.rows, self.by)

    def made(self) -> DataTable | None:
        """The table as it would be taken over; None, and words, where the choices contradict each other."""
        if self._found is None:
            return None
        self._twins = None
        try:
            return made(self._found, self.model.rows, self.by, self._start())
        except ProblemError as error:
            able = self._able() if error.what.startswith(NOTHING_SPLIT) else []
            self._twins = twins_in(self._found, self.model.rows) if error.what.startswith(TWINS) else None
            other = f"Call one “{one_line(self._twins[2], 30)}”".replace("&", "&&") if self._twins is not None else ""
            self.message.say("error", error.what, "" if other else error.suggestion, SPLIT_MEASURED if able else other)
            return None

    @property
    def joined(self) -> str:
        """That columns of one name become one, a sentence; '' where none do."""
        return "" if self._found is None else joined_words(self._found, self.model.rows)
