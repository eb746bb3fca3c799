"""Welcome page: begin something new, go on with something old, or look at an example."""

from __future__ import annotations

import shutil
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from bayescope.gui.analysis import session_files
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.dialogs.file_questions import ask
from bayescope.gui.dialogs.run_controls import take_step
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.recent import PATH_ROLE, RecentModel, listed, looked_at
from bayescope.gui.models.step_status import page_to_open
from bayescope.gui.pages.page import Status
from bayescope.gui.widgets.forms import scrolled
from bayescope.gui.widgets.notices import Empty, Notice, label
from bayescope.gui.widgets.recent_list import RecentList

EXAMPLES: dict[str, tuple[str, str, str]] = {  # folder: title, words, program that must be installed
    "contamination": (
        "Contamination source",
        "Where in a channel was a pollutant released, for how long, how strong? Four unknowns from ten readings.",
        "",
    ),
    "predator_prey": (
        "Predator and prey",
        "How fast do hares breed and lynxes starve? Eight unknowns from twenty years of fur trade records.",
        "",
    ),
    "birth_death": (
        "Births and deaths on an island",
        "A random simulator: how fast are animals born, die, arrive? Three unknowns from forty yearly counts.",
        "",
    ),
    "ricker": (
        "Ricker map",
        "A random simulator that overshoots and crashes. Three unknowns from fifty weekly catches, by summaries of them.",
        "",
    ),
    "ngspice_filter": (
        "Low-pass filter (ngspice)",
        "The real values of the parts of an electronic filter, from its measured response. Needs ngspice.",
        "ngspice",
    ),
}


class WelcomePage(QWidget):
    """Not a step; ``page_requested`` asks the window to show one."""

    title = "Welcome"
    help_page = "welcome"
    status_changed = Signal()
    page_requested = Signal(str)

    def __init__(self, controller: SessionController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setAccessibleName(self.title)
        self.setProperty("help", self.help_page)
        self.problem, self.file, self.run = controller.problem, controller.file, controller.run
        self.new_button = QPushButton("&New analysis")
        self.new_button.setProperty("kind", "primary")
        self.new_button.setToolTip("Begin with your own simulator.")
        self.new_button.clicked.connect(self._new)
        self.open_button = QPushButton("&Open…")
        self.open_button.setToolTip("Open a saved analysis (.bayescope) or a problem file (.json).")
        self.open_button.clicked.connect(self._open)
        self.model = RecentModel(self)
        self.recent = RecentList(self.model)
        self.recent.chosen.connect(self._open_recent)
        self.no_recent = Empty("Nothing opened yet", "Analyses you open or save are listed here, with how they stand.")
        self.interrupted = Notice()
        self.interrupted.pressed.connect(self._go_on)
        self.interrupted.dismissed.connect(self._not_now)
        self._interrupted_path: Path | None = None
        self.examples: dict[str, QPushButton] = {}
        self._to_read: list[int] = []
        self._reader = QTimer(self, interval=10)
        self._reader.timeout.connect(self._read_one)

        head = QVBoxLayout()
        head.setSpacing(4)
        head.addWidget(label("Bayescope", "title"))
        head.addWidget(
            label(
                "Learn the unknown numbers of your simulator from measured data, with tens of runs instead of thousands. "
                "Of a random program averages are learnt too, or it is run several times for each set of their values.",
                "hint",
                wrap=True,
            )
        )
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        for button in (self.new_button, self.open_button):
            button.setMinimumWidth(150)
            buttons.addWidget(button)
        buttons.addStretch(1)
        self.begun = QWidget()  # the column of what was begun
        left = QVBoxLayout(self.begun)
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(8)
        left.addWidget(label("Recent analyses", "heading"))
        left.addWidget(self.recent, 1)
        left.addWidget(self.no_recent, 1)
        cards = [self._example_card(name) for name in self._ordered_examples()]
        right = QVBoxLayout()
        right.setSpacing(8)
        right.addWidget(label("Examples: one click, then Run", "heading"))
        right.addWidget(scrolled(*cards), 1)
        columns = QHBoxLayout()
        columns.setSpacing(28)
        columns.addWidget(self.begun, 3)
        columns.addLayout(right, 2)
        box = QVBoxLayout(self)
        box.setContentsMargins(36, 28, 36, 24)
        box.setSpacing(18)
        box.addLayout(head)
        box.addWidget(self.interrupted)
        box.addLayout(buttons)
        box.addLayout(columns, 1)
        controller.file.changed.connect(self.reload)
        self.reload()

    def status(self) -> Status:
        return "done", ""

    def first_field(self) -> QWidget:
        """Typing Return at once begins a new analysis."""
        return self.new_button

    # -------------------------------------------------------------- examples

    @staticmethod
    def _ordered_examples() -> list[str]:
        present = session_files.example_names()
        return [n for n in EXAMPLES if n in present] + [n for n in present if n not in EXAMPLES]

    def _example_card(self, name: str) -> QFrame:
        title, words, needs = EXAMPLES.get(name, (name.replace("_", " ").capitalize(), "", ""))
        missing = bool(needs) and shutil.which(needs) is None
        frame = QFrame()
        frame.setProperty("role", "card")
        box = QVBoxLayout(frame)
        box.setContentsMargins(16, 12, 16, 12)
        box.setSpacing(4)
        box.addWidget(label(title, "heading"))
        box.addWidget(label(f"{words} It is not installed on this computer." if missing else words, "hint", wrap=True))
        button = QPushButton("Open example")
        button.setAccessibleName(f"Open the example {title}")
        button.setToolTip(f"Install {needs} to use this example." if missing else "Opens ready to run.")
        button.setEnabled(not missing)
        button.clicked.connect(lambda: self.open_example(name))
        box.addSpacing(4)
        box.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        self.examples[name] = button
        return frame

    def open_example(self, name: str) -> None:
        if self.file.open_example(name):
            self.page_requested.emit("run")

    # -------------------------------------------------------------- recent

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.reload()

    def reload(self) -> None:
        """List the recent analyses; their files are read afterwards, one per turn of the event loop."""
        rows = listed()
        known = {r.path: r for r in self.model.rows if r.state}
        fresh = [known[r.path] if r.path in known and known[r.path].changed_at == r.changed_at else r for r in rows]
        if fresh != self.model.rows:
            self.model.set_rows(fresh)
        self.recent.setVisible(bool(rows))
        self.no_recent.setVisible(not rows)
        self._to_read = [i for i, r in enumerate(fresh) if not r.state]
        self._tell_interrupted()
        if self._to_read and self.isVisible():
            self._reader.start()

    def _read_one(self) -> None:
        if not self._to_read or not self.isVisible():
            self._reader.stop()
            return
        row = self._to_read.pop(0)
        if row < len(self.model.rows):
            self.model.set_row(row, looked_at(self.model.rows[row]))
            self._tell_interrupted()

    # -------------------------------------------------------------- recovery

    def _tell_interrupted(self) -> None:
        """What a crash interrupted, with one click to go on; nothing is said when nothing was lost."""
        found = next((r for r in self.model.rows if r.interrupted and r.path != self.file.on_disk), None)
        self._interrupted_path = None if found is None else found.path
        if found is None:
            self.interrupted.clear()
        else:
            words = f"{one_line(found.name, 80)}: {found.interrupted}"
            self.interrupted.say("info", words, button="Res&ume", dismiss="&Later")

    def _go_on(self) -> None:
        path = self._interrupted_path
        if path is None or not self.file.open(path):
            self.reload()
            return
        self.page_requested.emit("run")
        take_step(self.window(), self.run)

    def _not_now(self) -> None:
        if self._interrupted_path is not None:
            session_files.forget_interruption(self._interrupted_path)
            self.reload()

    def _open_recent(self, index: QModelIndex) -> None:
        path = Path(str(index.data(PATH_ROLE)))
        if self.file.open(path):
            self._show_opened()
        else:
            self.reload()

    # -------------------------------------------------------------- new and open

    def _new(self) -> None:
        if self.file.new():
            self.page_requested.emit("simulator")

    def _open(self) -> None:
        names = f"Analyses (*{session_files.SUFFIX} *.json);;All files (*)"
        chosen = ask.analyses(self, "Open an analysis", self.file.place, names)
        if chosen and self.file.open(chosen[0]):
            self._show_opened()

    def _show_opened(self) -> None:
        self.page_requested.emit(page_to_open(self.problem, self.run))

    def words_of(self, row: int) -> str:
        """The state of a recent analysis as shown."""
        return one_line(self.model.rows[row].state)
