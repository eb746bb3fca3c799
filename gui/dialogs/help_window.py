"""Help inside the application: the Markdown pages of resources/help. F1 opens the page of what is under the cursor."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QCursor, QDesktopServices, QResizeEvent, QTextCursor, QTextDocument
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QHBoxLayout,
    QListWidget,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from bayescope.gui.style.theme import theme

FIRST = "welcome"
LESSON_SHARE = 56  # % of the height
PICTURE = "\ufffc"  # the character that stands for a picture in a document's text
ORDER = (
    "welcome", "simulator", "inputs", "outputs", "meaning", "limits", "test-run", "parameters", "priors", "data", "noise",
    "archives", "run", "clusters", "graphics-card", "results", "again", "comparison", "methods", "surrogate",
    "elbo", "export", "problem-file", "glossary", "news",
)  # fmt: skip

_LESSONS: dict[str, Callable[[], QWidget]] = {}  # page -> something to try, which stands above its words


def offer_lesson(page: str, make: Callable[[], QWidget]) -> None:
    """From now on the page ``page`` has what ``make`` makes, when it is opened first."""
    _LESSONS[page] = make


def page_names() -> list[str]:
    """Names of the help pages, the first one first."""
    root = files("bayescope.resources") / "help"
    names = (
        sorted(f.name.removesuffix(".md") for f in root.iterdir() if f.name.endswith(".md")) if root.is_dir() else []
    )
    return sorted(names, key=lambda n: (ORDER.index(n) if n in ORDER else len(ORDER), n))


def page_for(widget: QWidget | None) -> str:
    """The help page named by the nearest ancestor's property ``help``; beside the parts of tabs, by that of the tab in front."""
    while widget is not None:
        front = widget.currentWidget() if isinstance(widget, QTabWidget) else None
        name = (front.property("help") if front is not None else "") or widget.property("help")
        if isinstance(name, str) and name:
            return name
        widget = widget.parentWidget()
    return FIRST


class _Page(QTextBrowser):
    """A help page whose pictures are never wider than its text."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_pictures()

    def fit_pictures(self) -> None:
        """Set the width of every picture to its own, or to that of the page where that is smaller."""
        document = self.document()
        room = self.viewport().width() - 2.0 * document.documentMargin()
        found = document.find(PICTURE)
        while not found.isNull():
            picture = found.charFormat().toImageFormat()
            image = document.resource(QTextDocument.ResourceType.ImageResource, QUrl(picture.name()))
            picture.setWidth(min(float(image.width()), room))
            found.setCharFormat(picture)
            found = document.find(PICTURE, found)


class HelpWindow(QDialog):
    """A list of pages beside the page. Links between pages work; links to the web open the browser."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.current = ""
        self.setWindowTitle("Bayescope help")
        self.resize(1050, 700)  # the pictures are shown in full size
        self._list = QListWidget()
        self._list.setAccessibleName("Help pages")
        self._list.setFixedWidth(190)
        self._list.setSpacing(3)
        self._view = _Page()
        self._view.setAccessibleName("Help text")
        self._view.setOpenLinks(False)
        self._view.anchorClicked.connect(self._follow)
        root = files("bayescope.resources") / "help"
        self._view.setSearchPaths([str(root)])
        self._names = page_names()
        for name in self._names:
            self._list.addItem(_title(name))
        self._list.currentRowChanged.connect(
            lambda k: self._show(self._names[k]) if 0 <= k < len(self._names) else None
        )
        row = QHBoxLayout()
        row.addWidget(self._list)
        self._beside = QSplitter(Qt.Orientation.Vertical)
        self._beside.setChildrenCollapsible(False)
        self._tried = QStackedWidget()
        self._tried.hide()
        self._beside.addWidget(self._tried)
        self._beside.addWidget(self._view)
        row.addWidget(self._beside, 1)
        box = QVBoxLayout(self)
        box.setContentsMargins(14, 14, 14, 14)
        box.addLayout(row)
        theme.changed.connect(self._restyle)

    def open_page(self, name: str) -> None:
        """Show page ``name``; the first page if there is none of that name."""
        name = name if name in self._names else FIRST
        if name in self._names:
            self._list.setCurrentRow(self._names.index(name))
            self._show(name)
        else:
            self._view.setPlainText("No help pages are installed.")
        self.show()
        self.raise_()

    def _show(self, name: str) -> None:
        if not name:
            return
        self.current = name
        text = (files("bayescope.resources") / "help" / f"{name}.md").read_text(encoding="utf-8")
        document = self._view.document()
        document.setDefaultStyleSheet(f"a {{ color: {theme.colours.accent}; }}")
        document.setBaseUrl(QUrl.fromLocalFile(str(files("bayescope.resources") / "help") + "/"))
        document.setMarkdown(text, QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
        self._show_lesson(name)
        self._view.fit_pictures()
        self._view.moveCursor(QTextCursor.MoveOperation.Start)

    def _show_lesson(self, name: str) -> None:
        """What can be tried on page ``name``, above its words; nothing on most pages."""
        lesson = self._lesson(name)
        begins = self._tried.isHidden() and lesson is not None
        self._tried.setVisible(lesson is not None)
        if lesson is not None:
            self._tried.setCurrentWidget(lesson)
        if begins:
            height = max(self._beside.height(), 100)
            self._beside.setSizes([LESSON_SHARE * height // 100, height - LESSON_SHARE * height // 100])

    def _lesson(self, name: str) -> QWidget | None:
        """Made at the first visit. (Qt alone holds it, so that it goes with the window.)"""
        made = [self._tried.widget(k) for k in range(self._tried.count())]
        found = next((w for w in made if w is not None and w.objectName() == name), None)
        if found is None and name in _LESSONS:
            found = _LESSONS[name]()
            found.setObjectName(name)
            found.setContentsMargins(0, 0, 0, 8)
            self._tried.addWidget(found)
        return found

    def _restyle(self) -> None:
        self._show(self.current)

    def _follow(self, link: QUrl) -> None:
        name = link.fileName().removesuffix(".md")
        if name in self._names:
            self.open_page(name)
        elif link.scheme() in ("http", "https"):
            QDesktopServices.openUrl(link)


def _title(name: str) -> str:
    text = (files("bayescope.resources") / "help" / f"{name}.md").read_text(encoding="utf-8")
    first = next((line for line in text.splitlines() if line.startswith("# ")), "")
    return first.removeprefix("# ").partition(":")[0].strip() or name.replace("_", " ").replace("-", " ").capitalize()


def show_help(window: QWidget, name: str) -> HelpWindow:
    """Open (or bring up) the window's help on page ``name``."""
    found = window.findChild(HelpWindow) or HelpWindow(window)
    found.open_page(name)
    return found


def show_help_for(window: QWidget) -> HelpWindow:
    """The page of what has the focus or is under the cursor."""
    under = QApplication.widgetAt(QCursor.pos())
    inside = under if under is not None and under.window() is window else QApplication.focusWidget()
    name = page_for(inside)
    if inside is None or name == FIRST:
        name = _page_in_front(window) or FIRST
    return show_help(window, name)


def _page_in_front(window: QWidget) -> str:
    """The help page of the step that the main window shows; '' for another window."""
    step = str(getattr(window, "current", ""))
    page = next((w for w in window.findChildren(QWidget, "page") if w.isVisible()), None)
    return (page_for(page) if page is not None else step) if step else ""
