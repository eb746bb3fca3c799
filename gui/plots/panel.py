"""The card around a plot: title, a line of plain words, its tools, and words when there is nothing to show."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from bayescope.engine import protocol
from bayescope.engine.session.errors import SessionError
from bayescope.gui.dialogs.file_questions import ask
from bayescope.gui.plots import export
from bayescope.gui.style.icons import icon
from bayescope.gui.style.theme import theme
from bayescope.gui.widgets.elided import ElidedLabel

LEAST_TITLE = 90  # pixels: a word or two; the tool tip has all of it


class PlotPanel(QFrame):
    """Subclasses call ``set_plot`` and implement ``render`` and ``reset``; ``say_empty`` shows words in place of the plot."""

    problem = Signal(object)  # protocol.Report: a figure was written, or could not be
    point_clicked = Signal(int)  # evaluation index of a clicked point

    def __init__(self, title: str, hint: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self.title = title
        self._title = ElidedLabel("heading")
        self._title.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._say_title()
        self._hint = ElidedLabel("caption")
        self.say_hint(hint)
        self.head = QHBoxLayout()
        self.head.setSpacing(6)
        self.head.addWidget(self._title)
        self.head.addWidget(self._hint, 1)
        self._tools: list[tuple[QToolButton, str]] = []
        for name, words, slot in (
            ("reset", "Show everything again (Ctrl with the mouse wheel zooms, dragging moves)", self.reset),
            ("copy", "Copy this figure", self.copy),
            ("save", "Save this figure as PNG, SVG or PDF", self.save),
        ):
            button = QToolButton()
            button.setToolTip(words)
            button.setAccessibleName(f"{words}: {title}")
            button.setIconSize(QSize(16, 16))
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(slot)
            self._tools.append((button, name))
            self.head.addWidget(button)
        self._stack = QStackedLayout()
        self._empty = QLabel(self)  # a stack shows its first widget at once: without a parent it would be a window
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)
        self._empty.setTextFormat(Qt.TextFormat.PlainText)
        self._empty.setProperty("role", "hint")
        self._stack.addWidget(self._empty)
        box = QVBoxLayout(self)
        box.setContentsMargins(12, 8, 8, 8)
        box.setSpacing(4)
        box.addLayout(self.head)
        box.addLayout(self._stack, 1)
        self.setAccessibleName(title)
        theme.changed.connect(self._on_theme)
        self._on_icons()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and self.layout() is not None:
            self._say_title()

    def say_hint(self, words: str) -> None:
        """The line of plain words beside the title."""
        self._hint.say(words, parts="; ")

    def _say_title(self) -> None:
        self._title.say(self.title)
        self._title.setMinimumWidth(min(LEAST_TITLE, self._title.sizeHint().width()))

    def set_plot(self, plot: QWidget) -> None:
        plot.setAccessibleName(f"{self.title}, plot")
        self._stack.addWidget(plot)
        self._stack.setCurrentWidget(plot)

    def keep_height(self, least: int) -> None:
        """The plot is never lower than ``least`` pixels."""
        plot = self._stack.widget(1)
        if plot is not None:
            plot.setMinimumHeight(least)

    def describe(self, title: str, hint: str) -> None:
        """Another title and line of words, for another content."""
        if (title, hint) != (self.title, self._hint.whole):
            self.title = title
            self._say_title()
            self.say_hint(hint)
            self.setAccessibleName(title)

    def add_control(self, widget: QWidget, stretch: int = 0) -> None:
        """A control between title and tools."""
        self.head.insertWidget(self.head.count() - 3, widget, stretch)

    def say_empty(self, words: str) -> None:
        """Words instead of the plot; '' shows the plot again."""
        self._empty.setText(words)
        self._stack.setCurrentIndex(0 if words else 1)
        for button, _ in self._tools:
            button.setEnabled(not words)

    @property
    def empty_words(self) -> str:
        return self._empty.text() if self._stack.currentIndex() == 0 else ""

    # ---------------------------------------------------------------- figures

    def render_figure(self, painter: QPainter, size: QSize) -> None:
        """Draw the plot as shown, for a file."""
        raise NotImplementedError

    def figure_size(self) -> QSize:
        plot = self._stack.widget(1)
        return self.size() if plot is None else plot.size()

    def reset(self) -> None:
        """Show everything again."""

    def copy(self) -> None:
        export.copy(self.render_figure, self.figure_size(), theme.colours.plot_background)

    def save(self) -> None:
        path = export.ask_path(self, ask.analysis_folder, self.title.lower().replace(" ", "-"))
        if path is None:
            return
        try:
            export.write(self.render_figure, self.figure_size(), path, theme.colours.plot_background, self.title)
        except SessionError as error:
            report = protocol.Report(
                level="error", what=f"The figure could not be saved. {error.what}", where=str(path), suggestion=error.suggestion
            )
        else:
            report = protocol.Report(level="info", what=f"The figure was saved as {path}.")
        self.problem.emit(report)

    # ---------------------------------------------------------------- theme

    def on_theme(self) -> None:
        """Colours have changed: existing plot items must be told (pyqtgraph's options do not touch them)."""

    def _on_theme(self) -> None:
        self._on_icons()
        self.on_theme()

    def _on_icons(self) -> None:
        for button, name in self._tools:
            button.setIcon(icon(name, "muted"))
