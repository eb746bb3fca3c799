"""Text with @name@ placeholders: known ones highlighted, unknown ones underlined; a marked number becomes a parameter."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import Signal
from PySide6.QtGui import QFocusEvent, QFont, QSyntaxHighlighter, QTextCharFormat
from PySide6.QtWidgets import QWidget

from bayescope.engine.problem import placeholders
from bayescope.gui.models.plain import writable
from bayescope.gui.models.simulator.texts.text_rows import unified
from bayescope.gui.style.theme import theme
from bayescope.gui.widgets.text_pane import TextPane

LONGEST_EDITED = 100_000  # characters of a line: Qt lays it out anew as a whole at each key


class PlaceholderHighlighter(QSyntaxHighlighter):
    """Bold and tinted: a parameter. Wavy underline: a name that no parameter has."""

    def __init__(self, pane: TextPane) -> None:
        super().__init__(pane.document())
        self._known: frozenset[str] = frozenset()
        theme.changed.connect(self.rehighlight)

    def set_known(self, names: Collection[str]) -> None:
        known = frozenset(names) | {"seed"}
        if known != self._known:
            self._known = known
            self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        for name, start, end in placeholders.find(text[:20_000]):
            self.setFormat(start, end - start, self._format(name in self._known))

    @staticmethod
    def _format(known: bool) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setFontWeight(QFont.Weight.Bold)
        made.setForeground(theme.colour("accent" if known else "error"))
        made.setBackground(theme.colour("accent_soft" if known else "error_soft"))
        if not known:
            made.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            made.setUnderlineColor(theme.colour("error"))
        return made


class TemplateEditor(TextPane):
    """Read-only until ``start_editing``; announces a finished edit when the focus leaves, and when editing ends."""

    committed = Signal(str)
    editing_changed = Signal(bool)

    def __init__(self, name: str, parent: QWidget | None = None, *, main: bool = False) -> None:
        super().__init__(name, parent, main=main)
        self._shown = ""
        self._line_end = "\n"
        self._highlighter = PlaceholderHighlighter(self)

    @property
    def editing(self) -> bool:
        return not self.isReadOnly()

    def set_known(self, names: Collection[str]) -> None:
        self._highlighter.set_known(names)

    def show_text(self, text: str) -> None:
        self._line_end = "\r\n" if "\r\n" in text else "\n"
        text = unified(text)
        if text == self._shown and self.editing and self.hasFocus():
            return
        self._shown = text
        self.set_text(text)
        self.document().setModified(False)

    def restored(self, text: str) -> str:
        """``text`` with the line ends that the shown text came with."""
        return text.replace("\n", self._line_end)

    def start_editing(self) -> str:
        """Let the user type. What is against it in words; empty: nothing."""
        if self.editing:
            return ""
        if max(map(len, self.text().split("\n"))) > LONGEST_EDITED:
            return f"A line of more than {LONGEST_EDITED:,} characters cannot be edited here: change the file, and open it again."
        self.set_editable(True)
        self._whole_again()
        return ""

    def end_editing(self) -> None:
        """Announce what was typed, and be read-only again."""
        if self.editing:
            self.commit()
            self.set_editable(False)
            self._whole_again()

    def drop_editing(self) -> None:
        """Be read-only again and forget what was typed: it belongs to a text that is no longer there."""
        self._shown = self.text()
        self.end_editing()

    def _whole_again(self) -> None:
        """The same text, as an editor holds it or as a reader does."""
        self.load(self.text(), whole=self.editing)
        self.document().setModified(False)
        self.strip.text_changed()
        self.editing_changed.emit(self.editing)

    def commit(self) -> None:
        if self.editing and self.text() != self._shown:
            self._shown = self.text()
            self.committed.emit(self.restored(writable(self._shown)))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.commit()
