"""A banner of the first window of a start: analyses that were never saved and whose windows are gone, with a way back to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings, QTimer

from bayescope.gui.models.plain import one_line
from bayescope.gui.models.recent import Recent, date_words, left_behind, looked_at
from bayescope.gui.widgets.notices import Notice

if TYPE_CHECKING:
    from bayescope.gui.window.main_window import MainWindow

TOLD = "left-behind-told"  # drafts, with when they changed last, that somebody did not want to be told of again
OPEN, SHOW, LATER = "Open it", "Show them", "Not now"
LOOK_MS = 1000  # between two looks whether what is offered is still there to be opened
LOOKS = 60  # so many at a start: the engine of a window that was killed may be a while in letting go


class LeftBehind(Notice):
    """``begin`` once, when the window stands. "Not now": it is not told of again, and stays in the list of the welcome page."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self._found = window, list[Recent]()
        self._looks = 0
        self._look = QTimer(self, interval=LOOK_MS)
        self._look.timeout.connect(self._look_again)
        self.pressed.connect(self._go)
        self.dismissed.connect(self._not_now)

    def begin(self) -> None:
        self._tell(self._untold())
        self._look.start()

    def _untold(self) -> list[Recent]:
        told = _told(self._window.settings)
        return [draft for draft in left_behind() if _mark(draft) not in told]

    def _tell(self, found: list[Recent]) -> None:
        self._found = found
        if not found:
            self.clear()
            return
        newest = looked_at(found[0])
        state = newest.state[:1].lower() + newest.state[1:]
        of_it = ", ".join(w for w in (state, date_words(newest.changed_at)) if w)
        name = f"“{one_line(newest.name, 60)}”"
        if len(found) == 1:
            words, button = f"{name} was never saved, and its window is gone. It is kept: {of_it}.", OPEN
        else:
            many = f"{len(found)} analyses were never saved, and their windows are gone. They are kept"
            words, button = f"{many}; the newest: {name}, {of_it}.", SHOW
        self.say("info", words, button=button, dismiss=LATER)

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
        if len(self._found) > 1:
            self._window.go("welcome")
            self._end()
        elif self._found:
            self._window.actions_of_window.leave_for(self._found[0].path)
            self._look_again()

    def _end(self) -> None:
        self._look.stop()
        self._tell([])

    def _not_now(self) -> None:
        if self._window.settings is not None:
            there = {_mark(draft) for draft in left_behind()}  # those that are gone need not be remembered
            told = (_told(self._window.settings) | {_mark(draft) for draft in self._found}) & there
            self._window.settings.setValue(TOLD, sorted(told))
        self._end()


def _mark(draft: Recent) -> str:
    return f"{draft.path.name} {draft.changed_at:.3f}"


def _told(settings: QSettings | None) -> set[str]:
    known = [] if settings is None else settings.value(TOLD) or []
    return (
        {known} if isinstance(known, str) else {str(k) for k in known}
    )  # Qt gives a list of one back as its only text
