"""Analyses opened lately, with how they stand; read from their files one by one, never all at once."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt

from bayescope.gui.analysis import session_files
from bayescope.gui.models import dates
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.records import Index

PATH_ROLE = Qt.ItemDataRole.UserRole + 1
STATE_ROLE = Qt.ItemDataRole.UserRole + 2
PLACE_ROLE = Qt.ItemDataRole.UserRole + 3
DATE_ROLE = Qt.ItemDataRole.UserRole + 4


@dataclass(frozen=True)
class Recent:
    """One line of the list. ``state`` is empty until the file was looked at."""

    path: Path
    name: str
    state: str
    changed_at: float
    draft: bool
    interrupted: str = ""  # words, when a crash ended its last run
    program: str = ""  # file name of its simulator
    jobs: int = 0  # that wait or run on other computers, or wait to be collected


def listed() -> list[Recent]:
    """What is known without opening a file: saved analyses newest first, then drafts that were never saved."""
    found = [_unread(path, False) for path in session_files.recent()]
    return found + _drafts()


def left_behind() -> list[Recent]:
    """Drafts that no window or engine holds any more, newest first: most of them of windows that did not come to close them."""
    from bayescope.engine.session.lock import SessionLock

    return [draft for draft in _drafts() if not SessionLock(draft.path).holders()]


def _drafts() -> list[Recent]:
    with contextlib.suppress(OSError):
        drafts = session_files.drafts_folder().glob(f"*{session_files.SUFFIX}")
        return [_unread(path, True) for path in sorted(drafts, key=_changed_at, reverse=True)]
    return []


def looked_at(recent: Recent) -> Recent:
    """The same with its name and state read from the file; what cannot be read is said in the state."""
    from bayescope.engine.problem.definition import evaluation_noun
    from bayescope.engine.problem.program import program_name
    from bayescope.engine.session.errors import SessionError
    from bayescope.engine.session.store import SessionStore
    from bayescope.gui.analysis.jobs_there import jobs_of

    try:
        with SessionStore.open(recent.path, mode="read") as store:
            name, runs, last = store.problem.name, store.evaluation_count, store.last_iteration()
            interrupted, runs_now = store.interrupted_words, any(h.role == "engine" for h in store.holders)
            program, jobs = program_name(store.problem.simulator.command), jobs_of(store)
            counted = evaluation_noun(store.problem.meaning)
    except SessionError as error:
        return Recent(recent.path, recent.name, f"✕ {error.what}", recent.changed_at, recent.draft)
    except (OSError, ValueError) as error:
        return Recent(recent.path, recent.name, f"✕ cannot be read ({error})", recent.changed_at, recent.draft)
    name = name if recent.draft else recent.name
    state = _state(runs, last, counted) + (", interrupted" if interrupted else ", running" if runs_now else "")
    return Recent(recent.path, name, state, recent.changed_at, recent.draft, interrupted, program, jobs)


def kept_words(recent: Recent) -> str:
    """What is in it and since when: ``film.py, 41 runs, not converged, interrupted, 2 jobs elsewhere, today 14:05``."""
    state = recent.state[:1].lower() + recent.state[1:]
    jobs = f"{recent.jobs} job{'s' if recent.jobs != 1 else ''} elsewhere" if recent.jobs else ""
    return ", ".join(w for w in (one_line(recent.program, 40), state, jobs, date_words(recent.changed_at)) if w)


def _state(runs: int, last: Any, counted: str = "run") -> str:
    """``counted``: what they are called, points where each takes several runs of the program."""
    if not runs:
        return "Not run yet"
    words = f"{runs} {counted}{'s' if runs != 1 else ''}"
    if last is None:
        return f"{words}, no answer yet"
    return f"{words}, converged" if last.converged else f"{words}, not converged"


def _unread(path: Path, draft: bool) -> Recent:
    return Recent(path, path.stem, "", _changed_at(path), draft)


def _changed_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def date_words(at: float, now: float | None = None) -> str:
    """Today 14:05, yesterday 9:30, else the date; clock and date as the system has them."""
    if not dates.day(at):
        return ""
    then, today = time.localtime(at), time.localtime(time.time() if now is None else now)
    if then[:3] == today[:3]:
        return f"today {dates.clock(at)}"
    if time.localtime(time.mktime(today) - 86400)[:3] == then[:3]:
        return f"yesterday {dates.clock(at)}"
    return dates.day(at)


class RecentModel(QAbstractListModel):
    """Display: name; further roles: path, state, folder, date."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Recent] = []

    @property
    def rows(self) -> list[Recent]:
        return self._rows

    def set_rows(self, rows: Sequence[Recent]) -> None:
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def set_row(self, row: int, recent: Recent) -> None:
        if 0 <= row < len(self._rows) and self._rows[row].path == recent.path:
            self._rows[row] = recent
            self.dataChanged.emit(self.index(row), self.index(row))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or not 0 <= index.row() < len(self._rows):
            return None
        recent = self._rows[index.row()]
        place = "Never saved; kept automatically" if recent.draft else str(recent.path.parent)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return one_line(recent.name, 80)
            case Qt.ItemDataRole.ToolTipRole:
                return str(recent.path)
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{one_line(recent.name, 80)}, {recent.state}, {date_words(recent.changed_at)}"
            case _ if role == PATH_ROLE:
                return str(recent.path)
            case _ if role == STATE_ROLE:
                return one_line(recent.state, 120)
            case _ if role == PLACE_ROLE:
                return one_line(place, 160)
            case _ if role == DATE_ROLE:
                return date_words(recent.changed_at)
        return None
