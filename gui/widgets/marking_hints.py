"""Below a text in which numbers are marked: what to do, what the marks mean, and messages."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from bayescope.gui.widgets.elided import ElidedLabel
from bayescope.gui.widgets.notices import Notice, label

HOW = (
    "Click a number or a heading (Ctrl: several). Drag over labelled lines, a column, a row or a block. "
    "Click a heading for its column, a title for its table, a name for its list or its columns."
)
CHANGED = "Numbers with a dotted line changed at other values: by parameters, a new seed, the clock."
ONE_RUN = "“Run at other values” marks the numbers that depend on the parameters."
RANDOM = "Another value in the second run at the same values: the program is random."
SHORTER = {  # in a narrow window; ok: of a check
    RANDOM: "Random: run 2 differs.",
    CHANGED: "Dotted: changed at other values.", ONE_RUN: "Run at other values: what changes?", "ok": "Found again",
}  # fmt: skip
MARK_KEY = "Click a date, time or name beside these values, or the heading above it: rows are then paired by what stands there."
EVERY = "One of every pass, as a list? Click on one of them alone: all these tables."
EMPTY = "This text is empty: the program wrote nothing here."
NO_TEXT = "Press Test run, or open a file your program wrote earlier. Its text appears here."
LABELS_APART = "“{}” holds texts and is left off: mark it by itself, as labels."
NOT_ADDED = "No number and no heading above numbers."
ADDED = "Added. Click the next number, if there is another one to read."


class MarkingHints(QWidget):
    """There is room for a message or for the hint, not for both."""

    def __init__(self) -> None:
        super().__init__()
        self.hint = label("", "hint", wrap=True)
        self.legend = ElidedLabel("hint")  # of the marks in the text
        self.folded = QPushButton()  # leads to a message that is not needed at once
        self.folded.setProperty("kind", "link")
        self.folded.hide()
        self.message = Notice()
        self._words = QVBoxLayout(self)
        self._words.setContentsMargins(10, 3, 10, 3)
        self._words.setSpacing(4)
        self._words.addStretch(1)  # in the middle of a room that is as high as that of a mark: below alone it is a gap
        self._words.addWidget(self.hint)
        self._words.addWidget(self.legend)
        self._words.addWidget(self.folded, 0, Qt.AlignmentFlag.AlignLeft)
        self._words.addStretch(1)
        self._messages: list[Notice] = []
        self._of_place = False  # what is said is about the place where the cursor is
        self.add(self.message)

    def add(self, notice: Notice) -> None:
        """Show this banner, too, when it has something to say."""
        self._words.insertWidget(1, notice)
        self._messages.append(notice)
        notice.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self.hint.setVisible(not any(notice.isVisibleTo(self) for notice in self._messages))
        return super().eventFilter(watched, event)

    def say(self, words: str, of_place: bool = False) -> None:
        """``of_place``: it is said until the cursor stands elsewhere."""
        self._of_place = of_place
        self.hint.setText(words)

    def moved(self) -> None:
        """What was said of another place is said no longer."""
        if self._of_place:
            self.say(HOW)

    def fold(self, words: str) -> None:
        """The words of the button that leads to a message; none: there is no such message."""
        self.folded.setText(words.replace("&", "&&"))
        self.folded.setVisible(bool(words))

    def refuse(self, words: str, suggestion: str) -> None:
        """Why what was chosen cannot be shown."""
        self.say("")
        self.message.say("error", words, suggestion)

    def explain(self, words: str) -> None:
        """What the marks in the text mean."""
        self.legend.setVisible(bool(words))  # an empty line takes the room of a message
        self.legend.say(words, shorter=SHORTER.get(words, ""))
