"""A file or folder to which others append evaluations, rows or run folders: looked at every few seconds in a thread of its own,
and what is new added.

The session remembers it. A file that is opened again watches nothing until a person says so: it may be a stranger's.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from bayescope.engine.problem.definition import Problem
from bayescope.engine.session.watched import Watched
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.arrivals import Arrivals
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.analysis.session_file import OpenFile

if TYPE_CHECKING:
    from bayescope.engine.archive.additions import Addition
    from bayescope.engine.archive.appended_folders import Waiting
    from bayescope.engine.archive.mapping import Mapped
    from bayescope.engine.archive.output_columns import MappedOutputs

LOOK_MS = 2_000  # between two looks: soon enough for people, and a network disk is not kept busy


class Watching(QObject):
    """``watched`` None: nothing is. ``on`` False: remembered from before, and not looked at until ``confirm``. ``words``: what
    the last look found, ``trouble`` whether that needs a person."""

    changed = Signal()
    _looked = Signal(object, object)  # the Watched that was looked at, and _Found or error

    def __init__(
        self, problem: DeclaredProblem, file: AnalysisFile, arrivals: Arrivals, opened: OpenFile, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._problem, self._arrivals, self._opened = problem, arrivals, opened
        self.watched: Watched | None = None
        self.on = self.trouble = False
        self.words = ""
        self._looking = self._adding = False
        self._doubts, self._troubled = "", False
        self._waiting: Waiting | None = None  # for run folders, between two looks
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self.look)
        self._looked.connect(self._take)
        arrivals.added.connect(self._count)
        file.shown.connect(self._shown)
        file.closing.connect(self._timer.stop)
        file.changed.connect(self._go_on)

    @property
    def name(self) -> str:
        return "" if self.watched is None else Path(self.watched.path).name

    def begin(self, watched: Watched) -> None:
        """From now on, and remembered."""
        self._opened.now.watched = watched
        self.watched, self.words, self.trouble, self._waiting = watched, "", False, None
        self.confirm()

    def confirm(self) -> None:
        """A person agrees to look at what the session remembers."""
        self.on = self.watched is not None
        self._timer.start()
        self.look()
        self.changed.emit()

    def stop(self) -> None:
        """Forget it; what was added stays."""
        self._timer.stop()
        self._opened.now.watched = None
        self.watched, self.on, self.words, self.trouble = None, False, "", False
        self.changed.emit()

    def look(self) -> None:
        """Now, unless a look is under way or nothing can be added; what is found is added by itself."""
        watched = self.watched
        if watched is None or not self.on or self._looking or self._arrivals.busy:
            return
        hindrance, _ = self._arrivals.obstacle()
        if hindrance:
            self._say(f"New rows are not taken in now: {hindrance}", trouble=True)
            return
        self._looking = True
        problem, arrivals, waiting = self._problem.declared, self._arrivals, self._waiting

        def work() -> None:
            found: object
            try:
                found = _Found.of(watched, problem, arrivals, waiting)
            except Exception as error:
                found = error
            try:
                self._looked.emit(watched, found)
            except RuntimeError:  # the window was closed meanwhile
                return

        try:
            threading.Thread(target=work, name="watching", daemon=True).start()
        except RuntimeError:  # no room for a thread: the next look may have it
            self._looking = False

    def _take(self, watched: Watched, found: object) -> None:
        self._looking = False
        if watched is not self.watched or not self.on:
            return
        if not isinstance(found, _Found):
            self._say(str(getattr(found, "what", "") or found), trouble=True)
            return
        before, self._doubts, self._waiting = self._doubts, found.words, found.waiting
        self._troubled = found.trouble
        if found.now != watched:
            self.watched = found.now
            if found.addition is not None and found.addition.count:
                self._adding = self._arrivals.add(found.addition, found.now)
                return
            self._opened.now.watched = found.now
        if found.words or self.trouble or before:  # what was added stays to be read
            self._say(found.words, trouble=found.trouble)

    def _count(self, words: str) -> None:
        """It was added; by whom is known, since one at a time is."""
        if self._adding:
            self._adding = False
            said = f"{words.rstrip('.')} at {time.strftime('%H:%M')}."
            self._say(f"{said} {self._doubts}".strip(), trouble=self._troubled)

    def _say(self, words: str, trouble: bool) -> None:
        if (words, trouble) != (self.words, self.trouble):
            self.words, self.trouble = words, trouble
            self.changed.emit()

    def _go_on(self) -> None:
        """It stayed open after all."""
        if self.on and not self._timer.isActive():
            self._timer.start()

    def _shown(self) -> None:
        """Another analysis, or the same one opened again."""
        self._timer.stop()
        self.watched, self.on, self.words, self.trouble = self._opened.now.watched, False, "", False
        self._adding, self._doubts, self._waiting = False, "", None
        self.changed.emit()


@dataclass(frozen=True)
class _Found:
    """What one look found: ``words`` are of what is waited for or, with ``trouble``, needs a person."""

    now: Watched
    addition: Addition | None
    words: str
    trouble: bool
    waiting: Waiting | None = None

    @classmethod
    def of(cls, watched: Watched, problem: Problem, arrivals: Arrivals, waiting: Waiting | None) -> _Found:
        """In the thread of the look. Raises ArchiveError, SessionError, OSError."""
        from bayescope.engine.archive.additions import arriving
        from bayescope.engine.archive.appended import look
        from bayescope.engine.archive.appended_folders import Waiting, look_at_folders

        path, trouble = Path(watched.path), False
        if watched.folders is not None:
            waiting = waiting or Waiting()
            folders = look_at_folders(path, watched.folders, waiting, problem)
            now = watched if folders.taken == watched.folders else replace(watched, folders=folders.taken)
            table, words, trouble = folders.table, folders.words, folders.trouble
        else:
            seen = look(path, watched.files, watched.delimiter, watched.decimal_comma)
            now = watched if seen.files == watched.files else replace(watched, files=seen.files)
            table, words, trouble = seen.table, seen.words, bool(seen.words)
        if table is None:
            return cls(now, None, words, trouble, waiting)
        more = arriving(table, problem, mapped_of(watched), arrivals.known())
        said = " ".join([*([words] if words else []), *more.doubts])
        return cls(now, more, said, trouble or bool(more.doubts), waiting)


def watched_as(
    path: Path, mapped: Mapped | MappedOutputs, delimiter: str | None, decimal_comma: bool | None
) -> Watched:
    """A file or folder from its beginning on: what the analysis has already is not taken twice."""
    from bayescope.engine.archive.appended_folders import holds_run_folders
    from bayescope.engine.archive.mapping import Mapped

    begun = Watched(str(path.absolute()), dict(mapped.columns), delimiter=delimiter, decimal_comma=decimal_comma)
    if holds_run_folders(path):
        begun = replace(begun, folders=())
    if isinstance(mapped, Mapped):
        return replace(begun, value=mapped.value, meaning=mapped.meaning, sd=mapped.sd)
    return replace(begun, outputs=dict(mapped.outputs))


def mapped_of(watched: Watched) -> Mapped | MappedOutputs:
    """Raises ArchiveError where its meaning is none: the file is a stranger's."""
    from bayescope.engine.archive.mapping import MEANINGS, Mapped
    from bayescope.engine.archive.output_columns import MappedOutputs
    from bayescope.engine.archive.table import ArchiveError

    if watched.outputs:
        return MappedOutputs(dict(watched.columns), dict(watched.outputs))
    if watched.meaning not in MEANINGS:
        raise ArchiveError("What the values of the watched file mean is not known.", "", "Choose the file again.")
    return Mapped(dict(watched.columns), watched.value, watched.meaning, watched.sd)
