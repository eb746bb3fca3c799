"""Help inside the application: the Markdown pages of resources/help, and a search of them all. F1 opens the page of what is under
the cursor."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, QUrl
from PySide6.QtGui import (
    QCursor,
    QDesktopServices,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShortcut,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QTextBrowser,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from bayescope.gui.dialogs.help_search import Found, search
from bayescope.gui.style.theme import theme

FIRST = "welcome"
LESSON_SHARE = 56  # % of the height
LIST_WIDTH = 190  # pixels
SOME_MORE = 400  # characters below a hit
PICTURE = "\ufffc"  # the character that stands for a picture in a document's text
ORDER = (
    "welcome", "simulator", "inputs", "outputs", "binary-files", "meaning", "limits", "test-run", "parameters", "priors",
    "data", "noise", "archives", "run", "clusters", "graphics-card", "results", "again", "comparison", "methods", "surrogate",
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
        document.documentLayout().documentSize()  # to the end: what was not laid out before a change stays without lines
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
        self._list.setFixedWidth(LIST_WIDTH)
        self._list.setSpacing(3)
        self._list.setWordWrap(True)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.wanted = QLineEdit()
        self.wanted.setAccessibleName("Search the help")
        self.wanted.setPlaceholderText("Search (Ctrl+F)")
        self.wanted.setToolTip("All pages are searched. Enter goes to the next hit, Esc shows all pages again.")
        self.wanted.setClearButtonEnabled(True)
        self.wanted.setFixedWidth(LIST_WIDTH)
        self.wanted.textChanged.connect(self._search)
        self.wanted.installEventFilter(self)
        self.said = QLabel()
        self.said.setWordWrap(True)
        self.said.setProperty("role", "hint")
        self.said.setFixedWidth(LIST_WIDTH)
        self.said.hide()
        self._found = Found()
        self._rows: list[tuple[str, int]] = []  # page and hit of each line of the list
        find = QShortcut(QKeySequence.StandardKey.Find, self)
        find.activated.connect(self._to_search)
        self._view = _Page()
        self._view.setAccessibleName("Help text")
        self._view.setOpenLinks(False)
        self._view.anchorClicked.connect(self._follow)
        root = files("bayescope.resources") / "help"
        self._view.setSearchPaths([str(root)])
        self._names = page_names()
        self._titles = {name: _title(name) for name in self._names}
        self._texts: dict[str, str] = {}  # plain, once something is looked for
        self._list_pages()
        self._list.currentRowChanged.connect(self._chosen)
        row = QHBoxLayout()
        left = QVBoxLayout()
        left.addWidget(self.wanted)
        left.addWidget(self.said)
        left.addWidget(self._list, 1)
        row.addLayout(left)
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
        self.wanted.clear()
        if name in self._names:
            self._list.setCurrentRow(self._names.index(name))
            self._show(name)
        else:
            self._view.setPlainText("No help pages are installed.")
        self.show()
        self.raise_()

    # -------------------------------------------------------------- search

    def _list_pages(self) -> None:
        with QSignalBlocker(self._list):
            self._list.clear()
            self._list.addItems(list(self._titles.values()))
            self._rows = [(name, 0) for name in self._names]
            if self.current in self._names:
                self._list.setCurrentRow(self._names.index(self.current))

    def _to_search(self) -> None:
        self.wanted.setFocus()
        self.wanted.selectAll()

    def _search(self, wanted: str) -> None:
        if not self._texts:
            self._texts = {name: _plain(name) for name in self._names}
        self._found = search(self._texts, self._titles, wanted)
        self.said.setVisible(self._found.pattern is not None)
        if self._found.pattern is None:
            self._list_pages()
            self._mark()
            return
        many = sum(page.count for page in self._found.pages)
        pages = f"{len(self._found.pages)} page{'s' if len(self._found.pages) > 1 else ''}"
        self.said.setText(f"{many} on {pages}" if many else "No page says this. Try another word, or fewer.")
        with QSignalBlocker(self._list):
            self._list.clear()
            self._rows = []
            for page in self._found.pages:
                self._add_row(f"{self._titles[page.name]}  ({page.count})", page.name, 0, heading=True)
                for hit in page.hits:
                    self._add_row(hit.words, page.name, hit.nth)
        if self._rows:
            here = next((k for k, (name, _) in enumerate(self._rows) if name == self.current), 0)
            self._list.setCurrentRow(here)  # the page that is read, where it has hits
            self._chosen(here)
        else:
            self._mark()

    def _add_row(self, words: str, name: str, nth: int, heading: bool = False) -> None:
        item = QListWidgetItem(words)
        font = item.font()
        font.setBold(heading)
        item.setFont(font if heading else theme.small_font())
        self._list.addItem(item)
        self._rows.append((name, nth))

    def _chosen(self, row: int) -> None:
        if 0 <= row < len(self._rows):
            name, nth = self._rows[row]
            if name != self.current or self._found.pattern is None:
                self._show(name)
            self._mark(nth)

    def _mark(self, nth: int | None = None) -> None:
        """All hits on the page; the ``nth`` is gone to."""
        document, marks = self._view.document(), []
        found = [] if self._found.pattern is None else list(self._found.pattern.finditer(document.toPlainText()))
        for k, hit in enumerate(found):
            mark = QTextEdit.ExtraSelection()
            mark.cursor = QTextCursor(document)
            mark.cursor.setPosition(hit.start())
            mark.cursor.setPosition(hit.end(), QTextCursor.MoveMode.KeepAnchor)
            mark.format.setBackground(theme.colour("highlight", 0.75 if k == nth else 0.3))
            marks.append(mark)
        self._view.setExtraSelections(marks)
        if nth is not None and nth < len(marks):
            self._view.setTextCursor(QTextCursor(document))
            at = QTextCursor(document)
            at.setPosition(min(found[nth].start() + SOME_MORE, document.characterCount() - 1))
            self._view.setTextCursor(at)  # some lines below the hit are in sight too
            at.setPosition(found[nth].start())
            self._view.setTextCursor(at)

    def _next_hit(self, step: int) -> None:
        """Along the list, around its end."""
        count = len(self._rows)
        lines = [k for k in range(count) if not k or self._rows[k] != self._rows[k - 1]]  # a heading and its first hit are one
        if self._found.pattern is not None and lines:
            now = next((i for i, k in enumerate(reversed(lines)) if k <= self._list.currentRow()), 0)
            self._list.setCurrentRow(lines[(len(lines) - 1 - now + step) % len(lines)])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.wanted and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._next_hit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
                return True
            if event.key() == Qt.Key.Key_Escape and self.wanted.text():
                self.wanted.clear()
                return True
            if event.key() == Qt.Key.Key_Down:
                self._list.setFocus()
                return True
        return super().eventFilter(watched, event)

    # -------------------------------------------------------------- pages

    def _show(self, name: str) -> None:
        if not name:
            return
        self.current = name
        text = (files("bayescope.resources") / "help" / f"{name}.md").read_text(encoding="utf-8")
        self._view.setExtraSelections([])
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
        self._mark()

    def _follow(self, link: QUrl) -> None:
        name = link.fileName().removesuffix(".md")
        if name in self._names and self._found.pattern is not None:
            self._show(name)  # the list of hits stays
            self._mark()
        elif name in self._names:
            self.open_page(name)
        elif link.scheme() in ("http", "https"):
            QDesktopServices.openUrl(link)


def _plain(name: str) -> str:
    """Its text as the page shows it."""
    document = QTextDocument()
    text = (files("bayescope.resources") / "help" / f"{name}.md").read_text(encoding="utf-8")
    document.setMarkdown(text, QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
    return document.toPlainText()


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
