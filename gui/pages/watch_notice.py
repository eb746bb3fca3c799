"""On the Run page: which file is watched for new rows, what it brought, and whether a remembered one is to be watched again."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from bayescope.gui.analysis.watching import Watching
from bayescope.gui.models.plain import one_line
from bayescope.gui.widgets.notices import Notice

AGAIN = "Nothing is read from it until you say so. {What} that came meanwhile are then taken in."


class WatchNotice(Notice):
    """Hidden where nothing is watched."""

    def __init__(self, watching: Watching, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.watching = watching
        watching.changed.connect(self.refresh)
        self.pressed.connect(self._press)
        self.dismissed.connect(watching.stop)
        self.refresh()

    def refresh(self) -> None:
        now = self.watching
        what = "new runs" if now.watched is not None and now.watched.folders is not None else "new rows"
        if now.watched is None:
            self.clear()
        elif now.on:
            said = f"Watching {one_line(now.name, 60)} for {what}. {one_line(now.words, 400)}".strip()
            self.say("warning" if now.trouble else "info", said, "", "Stop watching")
        else:
            path = one_line(now.watched.path, 200)
            again = AGAIN.format(What=what.removeprefix("new ").capitalize())
            self.say("info", f"This analysis watched “{path}” for {what}.", again, "Watch again", "Forget it")

    def _press(self) -> None:
        if self.watching.on:
            self.watching.stop()
        else:
            self.watching.confirm()
