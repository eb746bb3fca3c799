"""Lines of a file that hold no measurement, while it is imported: what is said of them, and the rows' menu."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from bayescope.engine.problem.data.files.data_files import ALL_PARTS, TablePreview
from bayescope.engine.problem.data.tables.table_lines import SaidLine, Told
from bayescope.gui.models.data.rows.special_row import AS_ERRORS, MEASURED
from bayescope.gui.models.data.tables.file_rows import lines_shown, rows_shown
from bayescope.gui.widgets.notices import Notice
from bayescope.gui.widgets.tables import TableView

HOLDS_ERRORS, OUT_OF_TABLE, A_ROW = "This row holds the errors", "Take this row out of the table", "This is a row of the table"
THEY_ARE, THEY_ARE_NOT = "These {} rows are rows of the table", "Take these {} rows out of the table"
MOST_SINGLE = 2  # lines taken out by hand of which each has a sentence
THE_HEADING = "This row is the heading"


class ImportLines(QWidget):
    """``changed``: lines are to be taken otherwise than before, as ``told`` has it. ``table``: the preview, with the menu."""

    changed = Signal()

    def __init__(self, table: TableView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.told = Told()
        self.kept: set[str] = set()  # labels of lines that are said to be rows
        self.table = table
        self._shown: TablePreview | None = None
        self._refused: int | None = None
        self._unread: tuple[int, ...] = ()  # lines of a file that is no table, as they are shown
        self.message = Notice()
        self.message.pressed.connect(self._press)
        self.message.dismissed.connect(self._keep)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.message)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.customContextMenuRequested.connect(self._open)
        table.delete_pressed.connect(self.turn_rows)

    def start(self, again: bool = False) -> None:
        """Another file: nothing is said of its lines yet; but for the headings of one that is opened ``again``."""
        headings = [Told(part=one.part, heading=one.heading) for one in (self.told, *self.told.others)] if again else [Told()]
        self.told, self.kept = replace(headings[0], others=tuple(headings[1:])), set()
        self.show_preview(None)

    def recall(self, told: Told) -> None:
        """What was said of the lines of this file before."""
        self.told = told

    def show_preview(
        self, shown: TablePreview | None, refused: int | None = None, unread: TablePreview | None = None
    ) -> None:
        """None: there is no table; ``refused``: because that one of several, from 0, could not be read so; ``unread``: its lines,
        as the table of the preview shows them."""
        self._shown, self._refused, self._unread = shown, refused, lines_shown(unread)
        errors, others = self._said()
        words = [*(one.words for one in errors), *_together(others, self._mine().out)]
        if not words:
            self.message.clear()
        elif errors and not errors[0].taken:
            self.message.say("warning", words[0], " ".join(words[1:]), AS_ERRORS, MEASURED)
        elif errors:
            more = ("Keep the &others" if len(others) > 1 else "Keep the &other") if others else ""
            self.message.say("info", words[0], " ".join(words[1:]), "Take it as a &row", more)
        else:
            self.message.say("info", " ".join(words), "", "Keep it as a &row" if len(others) == 1 else "Keep them as &rows")
        self.setVisible(bool(words))

    @property
    def struck(self) -> frozenset[int]:
        """Rows of the preview (from 0) that are no rows of the table."""
        if self._shown is None:
            return frozenset()
        gone = {one.line for one in self._shown.said if one.taken}
        return frozenset(i for i, line in enumerate(lines_shown(self._shown)) if line in gone)

    def _said(self) -> tuple[list[SaidLine], list[SaidLine]]:
        """The line of errors, if there is one, and the others."""
        said, out = () if self._shown is None else self._shown.said, self._mine().out
        return [one for one in said if one.kind == "errors" and one.line not in out], [
            one for one in said if one.kind != "errors" or one.line in out
        ]

    def _press(self) -> None:
        errors, others = self._said()
        if errors and not errors[0].taken:
            self._tell(replace(self._mine(), as_errors=True))
        elif errors:
            self.keep(errors[0].line)
        else:
            self.keep(*(one.line for one in others))

    def _keep(self) -> None:
        errors, others = self._said()
        self.keep(*(one.line for one in (errors if errors and not errors[0].taken else others)))

    def keep(self, *lines: int) -> None:
        """These lines are rows of the table, whatever their labels say."""
        said = self._mine()
        errors = None if said.errors in lines else said.errors
        self.kept |= {one.label for one in (() if self._shown is None else self._shown.said) if one.line in lines}
        out = tuple(line for line in said.out if line not in lines)
        self._tell(replace(said, errors=errors, out=out, kept=(*said.kept, *lines)))

    def take_as_errors(self, line: int) -> None:
        said = self._mine()
        out, kept = (tuple(k for k in lines if k != line) for lines in (said.out, said.kept))
        self._tell(replace(said, errors=line, out=out, kept=kept, as_errors=False))

    def take_out(self, *lines: int) -> None:
        said = self._mine()
        kept = tuple(k for k in said.kept if k not in lines)
        errors = None if said.errors in lines else said.errors
        self._tell(replace(said, errors=errors, out=tuple(dict.fromkeys((*said.out, *lines))), kept=kept))

    def turn_rows(self, rows: Sequence[int]) -> None:
        """Rows of the preview (from 0) are taken out of the table; if all of them are, they are rows again."""
        lines = self._lines(rows)
        if lines and set(lines) <= set(self._mine().out):
            self.keep(*lines)
        elif lines:
            self.take_out(*lines)

    def _lines(self, rows: Sequence[int]) -> list[int]:
        """The lines of rows of the preview (from 0) that are rows of the table."""
        lines = lines_shown(self._shown) or self._unread
        above = 0 if self._shown is None else len(rows_shown(self._shown)) - len(self._shown.rows)
        return [lines[row] for row in rows if above <= row < len(lines)]

    @property
    def out(self) -> tuple[int, ...]:
        """The lines that the user took out of the table."""
        return self._mine().out

    def turn(self, out: Sequence[int]) -> None:
        """The table is turned, or back: columns of the file are its rows now, but those with the numbers ``out``."""
        self._put(Told(heading=self._mine().heading, out=tuple(out)))

    @property
    def heading(self) -> int | None:
        """The line that the user said to be the heading; 0: there is none; None: that is found out."""
        return self._mine().heading

    def say_heading(self, line: int | None) -> None:
        """See ``heading``; what else was said of that line is taken back."""
        said = self._mine()
        out, kept = (tuple(k for k in lines if k != line) for lines in (said.out, said.kept))
        errors = None if said.errors == line else said.errors
        self._tell(replace(said, heading=line, errors=errors, out=out, kept=kept))

    def _part(self) -> int | None:
        """Which of several tables what is said is of: the one shown; of all together the one looked at before, or the first."""
        if self._shown is None:
            return self._refused
        if len(self._shown.parts) < 2:
            return None
        return (self.told.part or 0) if self._shown.part == ALL_PARTS else self._shown.part

    def _mine(self) -> Told:
        part = self._part()
        return self.told if part is None else self.told.of_part(part)

    def _tell(self, told: Told) -> None:
        self._put(told)
        self.changed.emit()

    def _put(self, told: Told) -> None:
        part = self._part()
        others = tuple(replace(one, others=()) for one in (self.told, *self.told.others) if one.part != part)
        self.told = replace(told, part=part, others=() if part is None else others)

    def menu(self, row: int) -> QMenu | None:
        """Of a row of the preview (from 0); None: its line is not known."""
        lines = lines_shown(self._shown) or self._unread
        if not 0 <= row < len(lines):
            return None
        line, said, menu = lines[row], self._mine(), QMenu(self.table)
        chosen = self.table.selected_rows()
        if len(chosen) > 1 and row in chosen:
            out = set(self._lines(chosen)) <= set(said.out)
            words = THEY_ARE.format(len(chosen)) if out else THEY_ARE_NOT.format(len(chosen))
            menu.addAction(words, lambda: self.turn_rows(chosen))
        if self._shown is None or line in self._shown.lines:
            if row in self.struck or (self._shown is None and line in said.out):
                menu.addAction(A_ROW, lambda: self.keep(line))
            if line != said.errors:
                menu.addAction(HOLDS_ERRORS, lambda: self.take_as_errors(line))
            if line not in said.out:
                menu.addAction(OUT_OF_TABLE, lambda: self.take_out(line))
        if self._shown is None or not self._shown.turned:  # then a row is a column of the file
            menu.addAction(THE_HEADING, lambda: self.say_heading(line))
        return menu

    def _open(self, at: QPoint) -> None:
        index = self.table.indexAt(at)
        menu = self.menu(index.row()) if index.isValid() else None
        if menu is not None:
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(self.table.viewport().mapToGlobal(at))


def _together(said: Sequence[SaidLine], out: Sequence[int]) -> list[str]:
    """What is said of lines; of several that were taken ``out`` by hand one sentence."""
    by_hand = set(out)
    mine = [one.line for one in said if one.line in by_hand]
    if len(mine) <= MOST_SINGLE:
        return [one.words for one in said]
    named = ", ".join(map(str, mine[:MOST_SINGLE]))
    return [*(one.words for one in said if one.line not in by_hand),
            f"Lines {named} and {len(mine) - MOST_SINGLE} more are left out: they are no rows of the table."]  # fmt: skip
