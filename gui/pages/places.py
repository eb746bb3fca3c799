"""Places besides this computer where runs may happen: made, changed, and tried by one small job, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import msgspec
from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from bayescope.engine import protocol
from bayescope.engine.session.profiles import DEFAULT_FOLDER, MOST_AT_ONCE, QUEUES, Profile, QueueName, check
from bayescope.engine.session.queue_lines import NOTATIONS
from bayescope.gui.analysis.places import Places
from bayescope.gui.dialogs.messages import ask
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.quantities import MEMORY, TIME
from bayescope.gui.widgets.forms import scrolled
from bayescope.gui.widgets.notices import label
from bayescope.gui.widgets.number_boxes import CountBox
from bayescope.gui.widgets.quantity_edit import QuantityEdit

GONE = (
    "The runs of this analysis are to happen at “{name}”, which is not known on this computer any more. Fill it in again; or "
    "close, and choose another place in Settings…, Where runs happen."
)
THIS_COMPUTER = "This computer"
# (queue, whether over SSH): what people call it
KINDS: tuple[tuple[QueueName, bool, str], ...] = (
    ("slurm", False, "Slurm on this machine"),
    ("slurm", True, "Slurm over SSH"),
    ("", True, "Another computer over SSH"),
    *((name, far, f"{QUEUES[name]} {'over SSH' if far else 'on this machine'}")
      for name in cast("tuple[QueueName, ...]", ("pbs", "lsf", "sge")) for far in (False, True)),
)  # fmt: skip
_STEPS = {
    "connect": "Connect", "folder": "Folder", "copy": "Copy", "submit": "Submit", "start": "Start", "run": "Run",
    "fetch": "Fetch", "test": "Test",
}  # fmt: skip


class PlacesDialog(QDialog):
    """Changes are kept when another place is chosen, tried, or the window is closed; what cannot be kept is said.

    ``works``: names of places that were tried here with success, as they are now; ``renamed``: old names and the newest ones.
    """

    def __init__(self, places: Places, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Where runs happen")
        self.setProperty("help", "clusters")
        self.places = places
        self._steps: list[protocol.PlaceStep] = []  # of the last test
        self._tried = ""  # the name of the place that it tried, or tries
        self._shown = ""  # the name that the fields belong to; "": a new place
        self.works: set[str] = set()
        self.renamed: dict[str, str] = {}
        self._before: Profile | None = None  # as it was kept last
        self.list = QListWidget()
        self.list.setAccessibleName("Places")
        self.list.setMaximumWidth(190)
        self.add, self.remove = QPushButton("&New place"), QPushButton("&Remove")
        self.add.clicked.connect(self._new)
        self.remove.clicked.connect(self._remove)
        left = QVBoxLayout()
        left.addWidget(self.list, 1)
        left.addWidget(self.add)
        left.addWidget(self.remove)
        self._make_fields()
        self.test = QPushButton("&Test")
        self.test.setProperty("kind", "primary")
        self.test.setToolTip("Runs one small job there and says what happened at each step")
        self.test.clicked.connect(self._test)
        close = QPushButton("&Close")
        close.setAutoDefault(False)
        close.clicked.connect(self.close)
        buttons = QHBoxLayout()
        buttons.addWidget(self.test)
        buttons.addStretch(1)
        buttons.addWidget(close)
        self.said = label(role="hint", wrap=True)
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.said.setAccessibleName("What happened")
        right = QVBoxLayout()
        self._scroll = scrolled(self._fields)
        right.addWidget(self._scroll, 1)
        right.addWidget(self.said)
        right.addLayout(buttons)
        box = QHBoxLayout(self)
        box.setContentsMargins(16, 14, 16, 14)
        box.setSpacing(14)
        box.addLayout(left)
        box.addLayout(right, 1)
        self.list.currentRowChanged.connect(self._chosen)
        places.step.connect(self._on_step)
        places.done.connect(self._on_done)
        self.resize(760, 660)
        self._fill(places.where)
        if places.where and self._shown != places.where:
            self._ask_for(places.where)
        if not self._shown:
            (self.kind if self.name.text() else self.name).setFocus()

    def _make_fields(self) -> None:
        self.kind = QComboBox()
        for queue, far, words in KINDS:
            self.kind.addItem(words, (queue, far))
        self.kind.currentIndexChanged.connect(self._fit)
        self.name, self.host, self.folder = QLineEdit(), QLineEdit(), QLineEdit()
        self.partition, self.account = QLineEdit(), QLineEdit()
        self.host.setPlaceholderText("as in “ssh NAME”")
        self.minutes = QuantityEdit(TIME, "from the simulator's limit")
        self.memory = QuantityEdit(MEMORY, "from the simulator's limit; or such as 900 MB, 4 GB")
        self.cores, self.at_once = CountBox(1, 4096, 1), CountBox(1, MOST_AT_ONCE, 16)
        self.setup = QPlainTextEdit()
        self.setup.setPlaceholderText("module load gcc")
        self.setup.setMaximumHeight(70)
        self.setup.setTabChangesFocus(True)
        self.lines = QPlainTextEdit()
        self.lines.setMaximumHeight(70)
        self.lines.setTabChangesFocus(True)
        self._lines_hint = label(role="caption", wrap=True)
        self.pilot = QCheckBox("A few long jobs take one run a&fter the other")
        for line in (self.name, self.host, self.folder, self.partition, self.account, self.minutes, self.memory):
            line.textChanged.connect(self._edited)
        for changed in (
            self.kind.currentIndexChanged, self.cores.valueChanged, self.at_once.valueChanged, self.setup.textChanged,
            self.lines.textChanged, self.pilot.toggled,
        ):  # fmt: skip
            changed.connect(self._edited)
        self._fields = QWidget()
        self._form = QFormLayout(self._fields)
        self._form.setContentsMargins(0, 0, 8, 0)
        for text, field, hint in (
            ("&Name", self.name, "What you call this place."),
            ("&Kind", self.kind, "A cluster's queue, or a computer that starts runs at once."),
            ("&Host", self.host, "A name of ~/.ssh/config, or user@host. Passwords are never kept: ssh asks."),
            ("F&older there", self.folder, "For the runs' files; made if it is not there. All nodes must see it."),
            ("&Jobs at once", self.at_once, "So many points are chosen at a time, too: more than about 16 teach less each."),
            ("&Partition", self.partition, "Partition or queue; empty: the cluster's own choice."),
            ("&Account", self.account, "Account or project; empty: yours."),
            ("T&ime of a job", self.minutes, "The queue ends a job after this time: 30 min, 2 h, 1 d."),
            ("&Memory of a job", self.memory, ""),
            ("Co&res of a job", self.cores, ""),
            ("Set-&up lines", self.setup, "Commands before the program, such as “module load gcc”, one a line."),
            ("More &lines for\nthe scheduler", self.lines, ""),
            ("", self.pilot, "For runs shorter than about 15 s, or a queue that starts jobs slowly."),
        ):  # fmt: skip
            self._row(text, field, hint)

    def _row(self, text: str, field: QWidget, hint: str) -> None:
        name = QLabel(text)
        name.setBuddy(field)
        field.setAccessibleName(text.replace("&", "").replace("\n", " ") or self.pilot.text().replace("&", ""))
        field.setToolTip(hint)
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addWidget(field)
        if hint or field is self.lines:
            column.addWidget(label(hint, role="caption", wrap=True) if hint else self._lines_hint)
        self._form.addRow(name, column)

    # ---------------------------------------------------------------- the list

    def _fill(self, chosen: str, show: bool = True) -> None:
        """``show`` False: what stands in the fields is that place, and stays where it is."""
        known, words = self.places.known()
        self.said.setText(words)
        self.list.blockSignals(True)
        self.list.clear()
        self.list.addItems([profile.name for profile in known])
        self.list.setCurrentRow(next((i for i, p in enumerate(known) if p.name == chosen), 0 if known else -1))
        self.list.blockSignals(False)
        if show:
            self._show(known[self.list.currentRow()] if known else None)

    def _chosen(self, row: int) -> None:
        wanted = self.list.item(row).text() if row >= 0 else ""
        if wanted and wanted != self._shown and self._keep():
            self._fill(wanted)

    def _ask_for(self, name: str) -> None:
        """A form for the place that was chosen and is gone; it is kept once something else than the name was filled in."""
        self._clear_list()
        self.name.setText(name)
        self._before = self.profile
        self.said.setText(self.said.text() or GONE.format(name=one_line(name, 60)))

    def _clear_list(self) -> None:
        """None of the places is chosen: what stands in the fields is to be a new one."""
        with QSignalBlocker(self.list):
            self.list.setCurrentRow(-1)
            self.list.clearSelection()
        self._show(None)

    def _new(self) -> None:
        if self._keep():
            self._fill(self._shown)  # with what has just been kept
            self._clear_list()
            self.name.setFocus()

    def _remove(self) -> None:
        chosen = " The runs of this analysis then happen on this computer." if self._shown == self.places.where else ""
        if self._shown and ask(
            self, "Remove the place", f"Forget the place “{self._shown}”?",
            f"Jobs that still wait or run there can then not be collected or cancelled from here.{chosen}",
            ("&Forget it", "destroy"), ("&Keep it", "cancel"), default=1,
        ) == "Forget it":  # fmt: skip
            words = self.places.remove(self._shown)
            self._shown = ""
            self._fill("")
            self.said.setText(words)

    # ---------------------------------------------------------------- the fields

    def _show(self, profile: Profile | None) -> None:
        self._shown, self._before = "" if profile is None else profile.name, profile
        self._scroll.verticalScrollBar().setValue(0)
        p = profile or Profile(name="")
        self.name.setText(p.name)
        self.kind.setCurrentIndex(next(i for i, (q, far, _) in enumerate(KINDS) if q == p.queue and far == bool(p.host or not q)))
        self.host.setText(p.host)
        self.folder.setText(p.folder or DEFAULT_FOLDER)
        self.partition.setText(p.partition)
        self.account.setText(p.account)
        self.minutes.setValue(p.minutes)
        self.memory.setValue(p.memory_mb)
        self.cores.setValue(p.cores)
        self.at_once.setValue(p.at_once)
        self.setup.setPlainText("\n".join(p.setup))
        self.lines.setPlainText("\n".join(p.lines))
        self.pilot.setChecked(p.pilot)
        self.remove.setEnabled(bool(self._shown))
        self._fit()

    def _fit(self) -> None:
        """Only what the chosen kind has."""
        queue, far = self.kind.currentData()
        if queue:
            notation = NOTATIONS[queue]
            self.lines.setPlaceholderText(notation.example)
            hint = f"Options of a job without a field here, one a line, as they follow {notation.mark}: {notation.example}"
            self._lines_hint.setText(hint)
            self.lines.setToolTip(hint)
        for row in range(self._form.rowCount()):
            label_item = self._form.itemAt(row, QFormLayout.ItemRole.LabelRole)
            field = cast(QLabel, label_item.widget()).buddy() if label_item is not None else None
            if field is self.host:
                self._form.setRowVisible(row, far)
            elif field in (self.partition, self.account, self.minutes, self.memory, self.cores, self.lines, self.pilot):
                self._form.setRowVisible(row, bool(queue))

    @property
    def profile(self) -> Profile:
        """What stands in the fields."""
        queue, far = self.kind.currentData()
        lines = tuple(line for line in self.setup.toPlainText().splitlines() if line.strip())
        profile = Profile(
            name=self.name.text().strip(), queue=queue, host=self.host.text().strip() if far else "",
            folder=self.folder.text().strip(), setup=lines, at_once=self.at_once.value(),
        )  # fmt: skip
        if not queue:
            return profile
        return msgspec.structs.replace(
            profile, partition=self.partition.text().strip(), account=self.account.text().strip(), cores=self.cores.value(),
            minutes=self.minutes.value(), memory_mb=self.memory.value(), pilot=self.pilot.isChecked(),
            lines=tuple(line.strip() for line in self.lines.toPlainText().splitlines() if line.strip()),
        )  # fmt: skip

    def _keep(self) -> bool:
        """Save what stands here; False, with words, where it cannot be. Fields of a new place without a name are nothing."""
        profile = self.profile
        if not self._shown and not profile.name:
            return True
        unread = [self.minutes.refusal(), self.memory.refusal()] if profile.queue else []
        wrong = [words for words in unread if words]
        if profile == self._before and not wrong:
            return True
        words = " ".join(wrong or check(profile)) or self.places.save(profile, self._shown)
        self.said.setText(words)
        if not words:
            self.works -= {profile.name, self._shown}
            self.renamed = {old: profile.name if new == self._shown else new for old, new in self.renamed.items()}
            self.renamed |= {self._shown: profile.name} if self._shown else {}
            self._shown, self._before = profile.name, profile
        return not words

    # ---------------------------------------------------------------- the test

    def _test(self) -> None:
        if self.places.trying:
            self.places.give_up()
            return
        if not self.name.text().strip():
            self.said.setText("Give the place a name first.")
            self.name.setFocus()
            return
        if not self._shown:
            self._before = None
        if self._keep():
            self._fill(self._shown, show=False)
            self.remove.setEnabled(True)
            self.said.setText("Connecting …")
            self._steps.clear()
            self._tried = self._shown
            self.test.setText("&Cancel the test")
            self.places.try_place(self.profile)

    def _edited(self) -> None:
        """What a test said of a place is not true of what stands here now."""
        if self._steps and not self.places.trying and self._tried == self._shown and self.profile != self._before:
            self._steps.clear()
            self.said.setText("")

    def say_steps(self, steps: Sequence[protocol.PlaceStep], end: str = "") -> None:
        """What happened so far, a line each, and the verdict."""
        other = [f"Test of “{self._tried}”:"] if self._tried not in ("", self._shown) else []
        lines = [f"{'✓' if s.good else '✕'} {_STEPS.get(s.step, s.step)}: {s.words} ({s.seconds:.1f} s)" for s in steps]
        self.said.setText("\n".join([*other, *lines, *([end] if end else [])]))

    def _on_step(self, step: protocol.PlaceStep) -> None:
        if step.step == protocol.WAITS:
            self.say_steps(self._steps, step.words)
            return
        self._steps.append(step)
        self.say_steps(self._steps)

    def _on_done(self, good: bool) -> None:
        self.works |= {self._tried} if good else set()
        self.say_steps(self._steps, "This place works." if good else "This place cannot be used as it is.")
        self.test.setText("&Test")

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._keep():
            event.ignore()
            return
        if self.places.trying:
            self.places.give_up()
        super().closeEvent(event)


def open_places(places: Places, parent: QWidget) -> None:
    """The dialog, until it is closed."""
    dialog = PlacesDialog(places, parent)
    dialog.exec()
    dialog.deleteLater()
