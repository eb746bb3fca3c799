"""What the set-up pages share: title, one line of purpose, the lock banner, and the status for the workflow bar."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.dialogs.closing import may_leave
from bayescope.gui.dialogs.messages import ask_where_to_save
from bayescope.gui.dialogs.run_controls import ask_again
from bayescope.gui.models.plain import one_line
from bayescope.gui.widgets import pane_keys
from bayescope.gui.widgets.forms import LineField
from bayescope.gui.widgets.notices import Notice, label

if TYPE_CHECKING:
    from bayescope.engine.problem.checks.validate import Finding

ASK_AGAIN, DUPLICATE = "Ask again without running", "Duplicate without runs"
READ_ONLY_HINT = "Nothing can be run or changed here. Save it under another name to go on with a copy."
SAVE_AS = "Save as…"
Status = tuple[Literal["done", "todo", "locked", "error"], str]


def save_as(parent: QWidget, file: AnalysisFile) -> None:
    """What the File menu's entry of that name does."""
    path = ask_where_to_save(parent.window(), file.title, file.place)
    if path is not None:
        file.save_as(path)


class ReadOnlyNotice(Notice):
    """Why nothing can be run or changed, on pages that have no other place for it; hidden where all can."""

    def __init__(self, file: AnalysisFile, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._file = file
        self.pressed.connect(lambda: save_as(self, file))
        file.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        self.say("warning", self._file.read_only_words, READ_ONLY_HINT, SAVE_AS)


class Page(QWidget):
    """Thin: shows the declared problem, sends edits to it. ``help_page``: the file in resources/help that F1 opens."""

    status_changed = Signal()
    step = ""  # its key in the workflow
    title = ""
    purpose = ""
    help_page = "welcome"
    asks_again = False  # whether what it shows can be changed and answered from the runs there are

    def __init__(self, controller: SessionController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setProperty("help", self.help_page)
        self.setAccessibleName(self.title)
        self.problem, self.file, self.run = controller.problem, controller.file, controller.run
        self.lock = Notice()
        self.lock.pressed.connect(self._lock_pressed)
        self.lock.dismissed.connect(self._duplicate)
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(24, 18, 24, 18)
        self._box.setSpacing(12)
        self.heading = label(self.title, "title")
        self.subtitle = label(self.purpose, "hint", wrap=True)
        head = QVBoxLayout()
        head.setSpacing(3)
        head.addWidget(self.heading)
        head.addWidget(self.subtitle)
        self._box.addLayout(head)
        self._box.addWidget(self.lock)
        self._last_status: Status | None = None
        pane_keys.install(self)
        self._held: set[LineField] = set()

    def first_field(self) -> QWidget | None:
        """Where typing goes when the page is shown with nothing entered yet; None: nowhere."""
        return None

    def take_files(self, paths: list[Path]) -> bool:
        """Files were dropped here; False: the page as it is now has no use for them."""
        return False

    def add(self, widget: QWidget, stretch: int = 0) -> None:
        self._box.addWidget(widget, stretch)

    def follow(self) -> None:
        """Connect to what it shows; call once at the end of the constructor."""
        self.problem.changed.connect(self._changed)
        self.file.changed.connect(self._changed)
        self.run.state_changed.connect(self._changed)
        self._changed()

    def hold(self, field: LineField, words: str) -> None:
        """What stands in ``field`` cannot be used (``words`` say why), or can again (empty): the step is held up by it."""
        (self._held.add if words else self._held.discard)(field)
        self.problem.hold(field, self.step, words)

    def say_dropped(self, words: str) -> None:
        """What stood in a field was given up."""
        self.run.reports.report("info", words)

    def _changed(self) -> None:
        for field in [f for f in self._held if not self.problem.holds(f)]:
            field.give_up()  # another analysis is shown
        words = self.problem.locked_words
        if not words:
            self.lock.say("info", self._answered_words())
        elif self.asks_again and self.problem.can_be_asked_again:
            self.lock.say("info", words, self.problem.locked_advice, ASK_AGAIN, DUPLICATE)
        else:
            self.lock.say("info", words, self.problem.locked_advice, DUPLICATE)
        self.refresh()
        self.announce()

    def _answered_words(self) -> str:
        """Where the runs of another analysis are to answer this one: what can be changed, and what comes then."""
        first = self.run.answers_from
        if first is None:
            return ""
        return (
            f"The runs of “{one_line(first.stem, 40)}” answer this. Change noise, data or priors, then press “Answer without "
            "running” on the Run page; the program stays as it was."
        )

    def announce(self) -> None:
        """Tell the workflow bar if the status is another one."""
        status = self.status()
        if status != self._last_status:
            self._last_status = status
            self.status_changed.emit()

    def refresh(self) -> None:
        """Show the declared problem. Called whenever it changed."""

    def status(self) -> Status:
        return "todo", ""

    def _lock_pressed(self) -> None:
        if self.asks_again and self.problem.can_be_asked_again:
            ask_again(self, self.file, self.run)
        else:
            self._duplicate()

    def _duplicate(self) -> None:
        if may_leave(self, self.file, self.run):
            self.file.duplicate()


def status_of(findings: list[Finding], empty: str, done: str) -> Status:
    """The status from what validation says: ``empty`` non-empty means nothing was entered yet, and says what to do."""
    if empty:
        return "todo", empty
    errors = [f for f in findings if f.level == "error"]
    if errors:
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        return "error", errors[0].message + more
    return "done", done
