"""Above the pages of one window: analyses that were never saved and that no window holds, with a way back to each of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from bayescope.gui.analysis import session_files
from bayescope.gui.analysis.reports import Reports
from bayescope.gui.dialogs.closing import cancel_jobs, throw_words
from bayescope.gui.dialogs.messages import ask
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.recent import Recent, kept_words, left_behind, looked_at
from bayescope.gui.widgets.elided import ElidedLabel
from bayescope.gui.widgets.notices import Notice, label

TOLD = "left-behind-told"  # drafts, with when they changed last, that somebody did not want to be told of again
OPEN, DISCARD, SHOW, HIDE, LATER = "Open it", "Throw away…", "Show them", "Hide them", "Not now"
LOOK_MS = 1000  # between two looks whether what is offered is still there to be opened
LOOKS = 60  # so many at a start: the engine of a window that was killed may be a while in letting go
ROWS_IN_SIGHT = 4  # more are scrolled to: the page below keeps most of a small window


class LeftBehind(QWidget):
    """``begin`` once, when the window stands. "Not now": it is not told of again, and stays in the list of the welcome page."""

    def __init__(self, window: QWidget, settings: QSettings | None, reports: Reports, leave_for: Callable[[Path], None]) -> None:
        """``leave_for``: opens an analysis in place of the one in the window."""
        super().__init__(window)
        self._window, self._settings, self._reports, self._leave_for = window, settings, reports, leave_for
        self._found = list[Recent]()
        self._looks = 0
        self._notice = Notice()
        self._notice.pressed.connect(self._go)
        self._notice.dismissed.connect(self._not_now)
        self._discard = QPushButton(DISCARD)
        self._discard.setProperty("kind", "link")
        self._discard.clicked.connect(lambda: self._throw_away(self._found[0]))
        self._notice.add_between(self._discard)
        self._rows = _Rows()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self._notice)
        box.addWidget(self._rows)
        self._look = QTimer(self, interval=LOOK_MS)
        self._look.timeout.connect(self._look_again)
        self.hide()

    @property
    def looks(self) -> bool:
        """Whether it still looks for them, or offers some."""
        return self._look.isActive()

    def words(self) -> str:
        return self._notice.words()

    def begin(self) -> None:
        self._looks = 0
        self._tell(self._untold())
        self._look.start()

    def _untold(self) -> list[Recent]:
        told = _told(self._settings)
        return [draft for draft in left_behind() if _mark(draft) not in told]

    def _tell(self, found: list[Recent]) -> None:
        shown = self._rows.isVisibleTo(self)
        self._found = found[:1] and [looked_at(found[0]), *found[1:]]
        self.setVisible(bool(found))
        self._discard.setVisible(len(found) == 1)
        self._rows.setVisible(shown and len(found) > 1)
        if not found:
            self._notice.clear()
            return
        name, of_it = f"“{one_line(self._found[0].name, 60)}”", kept_words(self._found[0])
        if len(found) == 1:
            self._notice.say("info", f"Never saved, but kept: {name} ({of_it}).", button=OPEN, dismiss=LATER)
            return
        words = f"{len(found)} analyses were never saved, but are kept. The newest: {name} ({of_it})."
        self._notice.say("info", words, button=HIDE if shown else SHOW, dismiss=LATER)
        if shown:
            self._list()

    def _list(self) -> None:
        self._rows.fill([_Row(looked_at(draft), self._open, self._throw_away) for draft in self._found])

    def _look_again(self) -> None:
        """What was opened or thrown away meanwhile is no more to be told of; at the start what was let go of meanwhile is."""
        self._looks += 1
        left, known = self._untold(), {draft.path for draft in self._found}
        if self._looks > LOOKS:
            left = [draft for draft in left if draft.path in known]
        if {draft.path for draft in left} != known:
            self._tell(left)
        if self._looks > LOOKS and not left:
            self._look.stop()

    def _go(self) -> None:
        if len(self._found) == 1:
            self._open(self._found[0])
        elif self._found:
            self._rows.setVisible(not self._rows.isVisible())
            self._tell(self._found)

    def _open(self, draft: Recent) -> None:
        self._leave_for(draft.path)
        self._look_again()

    def _throw_away(self, draft: Recent) -> None:
        if _thrown_away(self._window, draft, self._reports):
            self._look_again()

    def _not_now(self) -> None:
        if self._settings is not None:
            there = {_mark(draft) for draft in left_behind()}  # those that are gone need not be remembered
            told = (_told(self._settings) | {_mark(draft) for draft in self._found}) & there
            self._settings.setValue(TOLD, sorted(told))
        self._look.stop()
        self._tell([])


class _Row(QWidget):
    """One of several: what it is, and its two buttons."""

    def __init__(self, draft: Recent, opens: Callable[[Recent], None], throws: Callable[[Recent], None]) -> None:
        super().__init__()
        name = one_line(draft.name, 60)
        what = ElidedLabel("hint")
        what.say(kept_words(draft))
        line = QHBoxLayout(self)
        line.setContentsMargins(34, 2, 12, 2)
        line.setSpacing(10)
        line.addWidget(label(name))
        line.addWidget(what, 1)
        for words, does, kind in ((OPEN, opens, ""), (DISCARD, throws, "link")):
            button = QPushButton(words)
            button.setProperty("kind", kind)
            button.setAccessibleName(f"{words.removesuffix('…')} {name}")
            button.clicked.connect(lambda _=False, does=does: does(draft))
            line.addWidget(button)


class _Rows(QScrollArea):
    """Below the words, as high as its rows until they are many."""

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setAccessibleName("Analyses that were never saved")
        self.hide()

    def fill(self, rows: list[_Row]) -> None:
        held = QWidget()
        held.setObjectName("page")
        box = QVBoxLayout(held)
        box.setContentsMargins(0, 4, 0, 4)
        box.setSpacing(2)
        for row in rows:
            box.addWidget(row)
        self.setWidget(held)
        self.setFixedHeight(8 + min(len(rows), ROWS_IN_SIGHT) * (rows[0].sizeHint().height() + 2))


def _thrown_away(window: QWidget, draft: Recent, reports: Reports) -> bool:
    """Ask, and remove a draft that no window holds. False: it stays."""
    throw = throw_words(draft.jobs)
    answer = ask(
        window,
        "Throw away this analysis?",
        f"Throw away “{one_line(draft.name, 80)}”?",
        f"It was never saved. What is in it goes: {kept_words(draft)}.",
        (throw, "destroy"),
        ("&Keep it", "cancel"),
        default=1,
    )
    if answer != throw.replace("&", "") or (draft.jobs and not cancel_jobs(draft.path, reports)):
        return False
    if any(left.path == draft.path for left in left_behind()):  # no window has opened it while the question stood
        session_files.delete_session(draft.path)
    return True


def _mark(draft: Recent) -> str:
    return f"{draft.path.name} {draft.changed_at:.3f}"


def _told(settings: QSettings | None) -> set[str]:
    known = [] if settings is None else settings.value(TOLD) or []
    # Qt gives a list of one back as its only text
    return {known} if isinstance(known, str) else {str(k) for k in known}
