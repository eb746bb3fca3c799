"""While a table is imported: what was found out about the file, and the buttons that take it the other way."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import Signal

from bayescope.engine.problem.data.files.data_files import ALL_PARTS, TablePreview
from bayescope.engine.problem.data.tables import long_form
from bayescope.engine.problem.data.tables.format_lines import SAYS_FORMATS
from bayescope.engine.problem.data.tables.quality_flags import OF_FLAGS
from bayescope.engine.problem.data.tables.table_columns import without_split
from bayescope.engine.problem.definition import DataTable
from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.engine.session.read_files import Answers
from bayescope.gui.models.archive.import_columns import LEAVE, ColumnRow, percent_words
from bayescope.gui.widgets.notices import Notice

# ends of notes that ask for nothing
_CALM = ("can pair rows.", "it holds errors.", "states its errors.", OF_FLAGS, SAYS_FORMATS, "the table was turned.")
_AS_MISSING = " as missing: "  # as the user said
MOST_NOTES = 4  # sentences about a file: of what is not taken, and the first others, which are about what was changed


class FileNotes(Notice):
    """``told``: the file is to be read anew, with ``nothing``, ``marks_measured`` and ``relative`` as the user said;
    ``every_wanted``: all tables of the file are to be taken."""

    told = Signal()
    every_wanted = Signal()
    line_out = Signal(int)  # a line of the file that could not be read is no row of its table
    heading_told = Signal(int)  # ... or holds the names of its columns

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[str, frozenset[str]] = {}  # words that say in a file, by its name, that there is no value
        self._asked: frozenset[str] = frozenset()
        self.start()
        self._refused = self._takes_all = False
        self._unread_line: int | None = None
        self._heading: int | None = None
        self.pressed.connect(self._press)
        self.dismissed.connect(self._other)

    def start(self, file: str = "") -> None:
        """Another file: nothing is said of it yet, but for words that counted as missing when it was read before."""
        self._file = file
        self.marks_measured = False  # numbers that look like marks for missing values are measured
        self.relative = True  # errors in percent are of their values

    @property
    def nothing(self) -> frozenset[str]:
        """Words that say that there is no value, as the user told of this file."""
        return self._said.get(self._file, frozenset())

    def recall(self, nothing: frozenset[str], answers: Answers) -> None:
        """Words that were said before to mean that there is no value, and what was answered."""
        self._said[self._file] = self.nothing | nothing
        self.marks_measured, self.relative = answers.marks_measured, answers.relative

    def refuse(self, error: ProblemError) -> None:
        """The file is no table as it is read now."""
        self._refused = True
        self._asked = getattr(error, "bad_cells", frozenset())
        self._heading = getattr(error, "heading", None)
        button = "Count them as &missing" if self._asked else ""
        button = button if self._heading is None else f"Line {self._heading} is the &heading"
        self._unread_line = getattr(error, "line", None)
        other = "" if self._unread_line is None else f"&Leave out line {self._unread_line}"
        self.say("error", error.what, error.suggestion, button, other)

    def show_notes(self, shown: TablePreview, notes: Sequence[str]) -> None:
        """``notes``: those of a file as it is read now that are still to be said."""
        self._refused = False
        marks = ", ".join(spoken(m) for m in shown.marks)
        button = f"Take {marks} as {'missing' if self.marks_measured else 'measured'}" if marks else ""
        self._takes_all = not button and len(shown.parts) > 1 and shown.part != ALL_PARTS
        if self._takes_all:
            button = "Take &both" if len(shown.parts) == 2 else f"Take &all {len(shown.parts)}"
        calm = all(note.endswith(_CALM) or _AS_MISSING in note for note in notes)
        other = ("Take them as they are" if self.relative else "They are percent of the values") if shown.relative else ""
        if other and button:  # the two are about different things: each says which
            other = "Take errors as they are" if self.relative else "Errors are percent of the values"
        lost = [note for note in notes if "left out" in note]
        kept = (*lost, *(note for note in notes if note not in lost))[:MOST_NOTES]
        self.say("info" if calm else "warning", " ".join(note for note in notes if note in kept), "", button, other)

    def _press(self) -> None:
        if self._takes_all and not self._refused:
            self.every_wanted.emit()
            return
        if self._refused and self._heading is not None:
            self.heading_told.emit(self._heading)
            return
        if self._refused:
            self._said[self._file] = self.nothing | self._asked
        else:
            self.marks_measured = not self.marks_measured
        self.told.emit()

    def _other(self) -> None:
        """A line that could not be read is left out; or errors in percent are taken the other way: of their values, or in the
        unit of these."""
        if self._refused:
            if self._unread_line is not None:
                self.line_out.emit(self._unread_line)
            return
        self.relative = not self.relative
        self.told.emit()


def _untitled(note: str) -> str:
    """A note without the title of its table before it: “Weekly”: Line 29 ..."""
    return re.sub(r"^“[^”]*”: ", "", note)


def notes_left(
    shown: TablePreview, table: DataTable, rows: Sequence[ColumnRow], split: str, counted: Sequence[str], elsewhere: Sequence[str]
) -> list[str]:
    """The notes on a file without those that begin like what is said ``elsewhere``, those on columns of times that are
    ``counted``, and those on columns that are left out or by which the table is ``split``, which pair no rows."""
    apart = (*(one.words for one in shown.said), *(f"Column “{column}” holds dates such as" for column, *_ in shown.either))
    apart += (*elsewhere, *(f"Column “{column}” holds times or dates" for column in counted))
    notes, texts = [note for note in shown.notes if not _untitled(note).startswith(apart)], list(table.texts)
    for gone in (*(long_form.parts(table, split) if split else ()), *(old for old, _, use in rows if use == LEAVE)):
        texts = [name for name in texts if name != gone]
        notes = without_split(notes, gone, texts) if gone else notes
    return [*notes, *percent_words(table, rows)]
