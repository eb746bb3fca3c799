"""Dialogs in words: errors (what happened, where, what to try, details, copy) and the questions of opening, closing, running."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QRect, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QFont, QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
    QSpacerItem,
    QVBoxLayout,
    QWidget,
)

from bayescope.engine import protocol
from bayescope.gui.analysis.session_files import SUFFIX, safe_stem
from bayescope.gui.dialogs.file_questions import ask as ask_file
from bayescope.gui.dialogs.question_box import QuestionBox
from bayescope.gui.style.icons import icon
from bayescope.gui.style.theme import theme

_TITLES = {"info": "For your information", "warning": "Please note", "error": "Something went wrong"}
_SAYING: set[QMessageBox] = set()  # open ones that nobody waits for
_ICONS = {"info": ("info", "accent"), "warning": ("warning", "warning"), "error": ("error", "error")}


class ReportDialog(QDialog):
    """One report. Text is shown as plain text: names and program output may contain anything."""

    recovery_asked = Signal(object)  # the Path of a session
    reach_asked = Signal()  # the place is tried again

    def __init__(self, report: protocol.Report, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.report = report
        self.setWindowTitle(_TITLES[report.level])
        self.setMinimumWidth(460)
        head = QHBoxLayout()
        picture = QLabel()
        name, colour = _ICONS[report.level]
        picture.setPixmap(icon(name, colour).pixmap(32, 32))
        picture.setAlignment(Qt.AlignmentFlag.AlignTop)
        picture.setAccessibleName(_TITLES[report.level])
        head.addWidget(picture)
        words = QVBoxLayout()
        self._what, self._earlier = _text(report.what, "heading" if len(report.what) < 160 else ""), 0
        words.addWidget(self._what)
        if report.where:
            words.addWidget(_text(f"Where: {report.where}", "hint"))
        if report.suggestion:
            words.addWidget(_text(f"What to try: {report.suggestion}"))
        head.addLayout(words, 1)
        head.setSpacing(14)
        box = QVBoxLayout(self)
        box.setContentsMargins(20, 18, 20, 16)
        box.setSpacing(14)
        box.addLayout(head)
        self._details = QPlainTextEdit(report.details, readOnly=True)
        self._details.setAccessibleName("Details")
        self._details.setFont(QFont("monospace", self.font().pointSize()))
        self._details.setMinimumHeight(170)
        self._details.setVisible(False)
        box.addWidget(self._details, 1)
        row = QHBoxLayout()
        if report.action == "recover":
            recover = QPushButton("&Recover…")
            recover.setToolTip("Copy everything readable into a new file; this one stays as it is")
            recover.clicked.connect(self.accept)
            recover.clicked.connect(lambda: self.recovery_asked.emit(Path(report.where)))
            row.addWidget(recover)
        if report.action == "reach":
            reach = QPushButton("&Try again now")
            reach.setToolTip("Connect at once, not only when the pause between two tries is over")
            reach.clicked.connect(self.reach_asked)
            row.addWidget(reach)
        if report.details:
            more = QPushButton("Show &details")
            more.setCheckable(True)
            more.toggled.connect(self._show_details)
            row.addWidget(more)
        copy = QPushButton(icon("copy"), "&Copy")
        copy.setToolTip("Copy everything said here, to paste it into a message")
        copy.clicked.connect(self.copy)
        row.addWidget(copy)
        folder = _folder_in(report.where)
        if folder is not None:
            open_folder = QPushButton(icon("folder"), "Open &folder")
            open_folder.clicked.connect(lambda: reveal(folder))
            row.addWidget(open_folder)
        row.addStretch(1)
        close = QPushButton("Close")
        close.setDefault(True)
        close.setProperty("kind", "primary")
        close.clicked.connect(self.accept)
        row.addWidget(close)
        box.addLayout(row)
        close.setFocus()

    def takes(self, report: protocol.Report) -> bool:
        """Whether it is one more of the warnings from the place that this one tells of: the newest is shown, and how many came
        before it. Who has to close twenty boxes reads none."""
        mine = self.report
        silent = report.action == mine.action == "reach"
        alike = (report.level == "warning" or silent) and mine.level == "warning" and report.where == mine.where != ""
        other = report.suggestion != mine.suggestion or report.action != mine.action or mine.action == "recover"
        if not alike or other or report.details or mine.details:
            return False
        if report != mine:
            self.report, self._earlier = report, self._earlier + 1
            before = f" {self._earlier} earlier message{'s' if self._earlier > 1 else ''} from there."
            self._what.setText(f"{report.what[:3000]}\n{before.strip()}")
            self.adjustSize()
        return True

    def as_text(self) -> str:
        r = self.report
        where = f"Where: {r.where}" if r.where else ""
        parts = [r.what, where, f"What to try: {r.suggestion}" if r.suggestion else "", r.details]
        return "\n\n".join(p for p in parts if p)

    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self.as_text())

    def _show_details(self, shown: bool) -> None:
        self._details.setVisible(shown)
        self.adjustSize()


def _text(words: str, role: str = "") -> QLabel:
    label = QLabel(words[:4000])
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setProperty("role", role)
    return label


def _folder_in(where: str) -> Path | None:
    path = Path(where) if where and len(where) < 1000 else None
    if path is None or not path.is_absolute():
        return None
    return path if path.is_dir() else path.parent if path.parent.is_dir() else None


def reveal(folder: Path) -> None:
    """Show a folder in the system's file manager; where there is none, say where the folder is."""
    if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
        _say_where(folder)


def _say_where(folder: Path) -> None:
    box = QMessageBox(QApplication.activeWindow())
    box.setWindowTitle("Show folder")
    box.setIconPixmap(icon("folder", "accent").pixmap(36, 36))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText("No program that shows folders was found. The folder is:")
    box.setInformativeText(str(folder))
    box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    copy = box.addButton("&Copy", QMessageBox.ButtonRole.ActionRole)
    copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(str(folder)))
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Close))
    _SAYING.add(box)
    box.finished.connect(lambda _: _SAYING.discard(box))
    box.finished.connect(box.deleteLater)
    box.open()


def show_report(parent: QWidget | None, report: protocol.Report) -> None:
    """Show and wait; no more than a closed dialog remains."""
    dialog = ReportDialog(report, parent)
    if parent is None:
        theme.dress(dialog)
    dialog.exec()
    dialog.deleteLater()


LEAST_QUESTION = 440  # pixels
MOST_IN_LINE = 420  # pixels: a longer question is wrapped
GROWS_BY = "0000"  # what a question about something that goes on may get longer by
LIVE_MS = 500  # between two looks at what a question says of something that goes on


def ask(
    parent: QWidget, title: str, text: str, more: str, *buttons: tuple[str, str], default: int = 0,
    live: Callable[[], str] | None = None,
) -> str:  # fmt: skip
    """A question with named buttons (name, kind); returns the name chosen, '' for Escape. Kinds: accept, destroy, cancel.
    ``live``: the text as it is now, for what goes on while the question waits."""
    box = QuestionBox(parent)
    box.setIcon(QMessageBox.Icon.NoIcon)
    box.setIconPixmap(icon("help", "accent").pixmap(36, 36))
    box.setWindowTitle(title)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(text)
    box.setInformativeText(more)
    roles = {
        "accept": QMessageBox.ButtonRole.AcceptRole,
        "destroy": QMessageBox.ButtonRole.DestructiveRole,
        "cancel": QMessageBox.ButtonRole.RejectRole,
    }
    made = {}
    for k, (name, kind) in enumerate(buttons):
        button = box.addButton(name, roles[kind])
        if kind == "accept":
            button.setProperty("kind", "primary")
        made[button] = name.replace("&", "")
        if k == default:
            box.setDefaultButton(button)
        if kind == "cancel":
            box.setEscapeButton(button)
    if isinstance(grid := box.layout(), QGridLayout):  # as wide as its title: a window manager cuts it
        grid.addItem(QSpacerItem(LEAST_QUESTION, 0), grid.rowCount(), 0, 1, grid.columnCount())
    if live is not None:
        _keep_room(box, text)
        tick = QTimer(box, interval=LIVE_MS)
        tick.timeout.connect(lambda: _say_again(box, live()))
        box.finished.connect(tick.stop)
        tick.start()
    box.exec()
    chosen = box.clickedButton()
    answer = next((name for button, name in made.items() if button is chosen), "")
    box.deleteLater()
    return answer


def _say_again(box: QMessageBox, text: str) -> None:
    """Another text, in a window that gets no smaller by it: buttons stay where the mouse is about to press."""
    for name in ("qt_msgbox_label", "qt_msgbox_informativelabel"):
        if (shown := box.findChild(QLabel, name)) is not None:
            shown.setMinimumSize(shown.minimumSize().expandedTo(shown.size()))
    _keep_room(box, text)
    box.setText(text)


def _keep_room(box: QMessageBox, text: str) -> None:
    """Room for the whole text in its own font, in lines of ``MOST_IN_LINE``, and for counts that grow: Qt measures before the
    font is known."""
    if (shown := box.findChild(QLabel, "qt_msgbox_label")) is not None:
        shown.ensurePolished()
        wrapped = QRect(0, 0, MOST_IN_LINE, 10_000)
        room = shown.fontMetrics().boundingRect(wrapped, Qt.TextFlag.TextWordWrap, f"{text}{GROWS_BY}")
        shown.setMinimumSize(shown.minimumSize().expandedTo(room.size()))


def ask_where_to_save(parent: QWidget, name: str, folder: Path) -> Path | None:
    """The file dialog of Save as; None if the user cancelled."""
    proposed = folder / f"{safe_stem(name)}{SUFFIX}"
    return ask_file.target(parent, "Save analysis as", proposed, f"Bayescope analyses (*{SUFFIX})", [SUFFIX], here=True)


def ask_where_to_put_bundle(parent: QWidget) -> Path | None:
    """The file dialog of the support bundle; None if the user cancelled."""
    proposed = ask_file.analysis_folder / f"bayescope-support-{time.strftime('%Y%m%d-%H%M')}.zip"
    return ask_file.target(parent, "Save support bundle", proposed, "Zip files (*.zip)", [".zip"])


def ask_what_to_open(parent: QWidget, folder: Path) -> Path | None:
    kinds = f"Bayescope analyses (*{SUFFIX});;Problem files (*.json);;All files (*)"
    return ask_file.file(parent, "Open analysis", folder, kinds)
