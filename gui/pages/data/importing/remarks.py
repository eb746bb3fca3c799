"""What was found out about a file that is imported: many remarks that ask for nothing are one line, and the table keeps room."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from bayescope.gui.widgets.elided import ElidedLabel
from bayescope.gui.widgets.notices import Notice

MANY = 4  # notices, from which on those that ask for nothing are folded
CALM = ("info", "ok")


class Remarks(QWidget):
    """The line that opens and closes the calm ones of ``parts``, which are notices or hold some."""

    def __init__(self, *parts: QWidget) -> None:
        super().__init__()
        self._parts = parts
        self.button = QToolButton()
        self.button.setAccessibleName("Remarks on the file")
        self.button.setCheckable(True)
        self.button.setAutoRaise(True)
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.button.toggled.connect(lambda _: self.arrange())
        self.words = ElidedLabel("hint")
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.button)
        line.addWidget(self.words, 1)
        self.hide()

    def start(self) -> None:
        """Another file."""
        self.button.setChecked(False)

    def arrange(self) -> None:
        """After the parts say what is to be said: hide the calm ones where there are many and nobody opened them."""
        told = {part: [notice for notice in _notices(part) if notice.level is not None] for part in self._parts}
        calm = [part for part, said in told.items() if said and all(notice.level in CALM for notice in said)]
        folded = [notice for part in calm for notice in told[part]]
        fold = len(folded) > 1 and sum(map(len, told.values())) >= MANY
        shown = not fold or self.button.isChecked()
        for part in calm:
            part.setVisible(shown)
        self.button.setText(f"{len(folded)} remarks")
        self.button.setArrowType(Qt.ArrowType.DownArrow if shown else Qt.ArrowType.RightArrow)
        self.button.setAccessibleDescription("open" if shown else "closed")
        self.words.say("" if shown else " ".join(notice.words() for notice in folded))
        self.setVisible(fold)


def _notices(part: QWidget) -> list[Notice]:
    return [part] if isinstance(part, Notice) else part.findChildren(Notice)
