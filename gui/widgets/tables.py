"""Table views over the models: findings drawn in their cells, copy, paste, delete, sensible keys; columns keep their widths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygon,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from bayescope.gui.models.records import FINDING_ROLE, RecordsModel
from bayescope.gui.style.theme import theme
from bayescope.gui.widgets.elided import widen_list
from bayescope.gui.widgets.forms import MAX_TYPED

Index = QModelIndex | QPersistentModelIndex
MAX_COPIED_CELLS = 200_000
PADDING = 12  # left and right of a cell's words together, as the style sheet has it
LEAST_STRETCHED = 24  # average characters of a column that takes what room is left: in narrower ones sentences are too high
MOST_WRAPPED = 1.5  # times as high as the rows seen at most, where words take several lines
OPENED = "opened"  # property of an editor that has what was in its cell
ROWS_A_STEP = 3  # rows by which a table grows that is as high as its rows


class _AtOnce(QObject):
    """Return in a cell takes what was typed at once. Qt does so after all keys that wait: those of who types ahead, meant for
    the next cell, would go into this one, and be lost with it."""

    def __init__(self, delegate: QStyledItemDelegate) -> None:
        super().__init__(delegate)
        self._delegate = delegate

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent) or not isinstance(watched, QLineEdit):
            return False
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return False
        self._delegate.commitData.emit(watched)
        self._delegate.closeEditor.emit(watched, QAbstractItemDelegate.EndEditHint.SubmitModelCache)
        return True


class FindingDelegate(QStyledItemDelegate):
    """A coloured corner and a wavy line under a cell that has a finding; editors with a length limit or choices."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._at_once = _AtOnce(self)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """When it opens, and whenever the model changes meanwhile: what is typed already stays, and what is to be typed over
        stays selected."""
        if isinstance(editor, QLineEdit) and (editor.isModified() or editor.property(OPENED)):
            if not editor.isModified() and editor.text() != (text := str(index.data(Qt.ItemDataRole.EditRole) or "")):
                editor.setText(text)
                editor.selectAll()
            return
        if isinstance(editor, _CellChoice) and (editor.property(OPENED) or editor.view().isVisible()):
            return
        super().setEditorData(editor, index)
        editor.setProperty(OPENED, True)
        if isinstance(editor, QLineEdit):
            editor.installEventFilter(self._at_once)  # here: before the delegate's own, which Qt installs after ``createEditor``

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        model = index.model()
        # names stand in the first column, and often differ at their ends alone
        if isinstance(model, RecordsModel) and (index.column() == 0 or model.columns[index.column()].path):
            option.textElideMode = Qt.TextElideMode.ElideMiddle  # type: ignore[attr-defined]

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Words that wrap have less than the column's width: Qt leaves the style sheet's padding out."""
        inside = QStyleOptionViewItem(option)
        inside.rect = option.rect.adjusted(0, 0, -PADDING, 0)  # type: ignore[attr-defined]
        return super().sizeHint(inside, index)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        level = index.data(FINDING_ROLE)
        if level is None:
            return
        rect: QRect = option.rect  # type: ignore[attr-defined]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = theme.colour("error" if level == "error" else "warning")
        painter.setPen(QPen(colour, 1.2))
        y, points = rect.bottom() - 2, []
        for k, x in enumerate(range(rect.left() + 4, rect.right() - 3, 3)):
            points.append(QPoint(x, y - (k % 2) * 2))
        painter.drawPolyline(points)
        painter.setBrush(colour)
        painter.setPen(Qt.PenStyle.NoPen)
        corner = rect.topRight() + QPoint(1, 0)
        painter.drawPolygon(QPolygon([corner, corner - QPoint(9, 0), corner + QPoint(0, 9)]))
        painter.restore()

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        model = index.model()
        title = str(model.headerData(index.column(), Qt.Orientation.Horizontal) or "")
        if isinstance(model, RecordsModel) and (choices := model.choices(index)):
            box = _CellChoice(parent)
            box.addItems(list(choices))
            box.activated.connect(lambda _: self._chosen(box))
            box.setAccessibleName(title)
            return box
        editor = QLineEdit(parent)
        editor.setMaxLength(MAX_TYPED)
        editor.setFrame(False)
        editor.setAccessibleName(title)
        return editor

    def _chosen(self, box: QComboBox) -> None:
        self.commitData.emit(box)
        self.closeEditor.emit(box)


class _CellChoice(QComboBox):
    def showPopup(self) -> None:
        widen_list(self)  # a cell may be narrower than its choices
        super().showPopup()


class TableView(QTableView):
    """Tab leaves the table (arrows move inside); Ctrl+C copies cells as a spreadsheet takes them."""

    pasted = Signal(str)
    resized = Signal()  # it has another width
    delete_pressed = Signal(list)  # rows

    def __init__(
        self, name: str, model: QAbstractItemModel, parent: QWidget | None = None, *, numbers: bool = False
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setModel(model)
        self._refused = False  # what was typed last
        self._stretched: tuple[int, ...] = ()
        if isinstance(model, RecordsModel):
            model.refused.connect(self._was_refused)
        self.setItemDelegate(FindingDelegate(self))
        self.setTabKeyNavigation(False)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.AnyKeyPressed
        )
        self.verticalHeader().setVisible(numbers)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 12)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.setCornerButtonEnabled(False)
        self._nothing = ""
        model.modelReset.connect(self.fit_headings)
        if isinstance(model, RecordsModel):
            model.removed.connect(self._keep_place)

    def say_nothing(self, words: str) -> None:
        """What stands in place of rows while there are none."""
        self._nothing = words
        self.setAccessibleDescription(words)
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._nothing and not self.model().rowCount():
            painter = QPainter(self.viewport())
            painter.setPen(theme.colour("muted"))
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.viewport().rect().adjusted(24, 8, -24, -8), int(flags), self._nothing)
            painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._stretch()
            self.resized.emit()

    def when_columns_change(self, work: Callable[[], None]) -> None:
        """``work`` follows once the columns have their widths."""
        later = QTimer(self, singleShot=True, interval=0)
        later.timeout.connect(work)
        self.horizontalHeader().sectionResized.connect(lambda *_: later.start())

    def set_widths(self, *characters: int, stretch: tuple[int, ...] = ()) -> None:
        """Fixed column widths in average characters (measuring contents would cost half a second on long tables)."""
        unit = self.fontMetrics().averageCharWidth()
        for column, width in enumerate(characters):
            self.setColumnWidth(column, unit * width + 16)
        self.fit_headings()
        self._stretched = stretch
        self._stretch()

    def _stretch(self) -> None:
        """The columns that take what room is left; where that is less than their headings, the table can be scrolled."""
        mode, others = self.horizontalHeader().setSectionResizeMode, range(self.model().columnCount())
        taken = sum(self.columnWidth(c) for c in others if c not in self._stretched and not self.isColumnHidden(c))
        least = [max(self.heading_width(c), self.fontMetrics().averageCharWidth() * LEAST_STRETCHED) for c in self._stretched]
        enough = self.viewport().width() - taken >= sum(least)
        for column, width in zip(self._stretched, least, strict=True):
            mode(column, QHeaderView.ResizeMode.Stretch if enough else QHeaderView.ResizeMode.Interactive)
            if not enough:
                self.setColumnWidth(column, width)

    def fit_headings(self) -> None:
        """No heading is cut (the first 100 columns are looked at)."""
        for column in range(min(self.model().columnCount(), 100)):
            needed = self.heading_width(column)
            if self.columnWidth(column) < needed:
                self.setColumnWidth(column, needed)

    def fit_words(self, column: int, most: int) -> None:
        """Wide enough for what stands in ``column``, up to so many average characters; the first 100 rows are looked at."""
        self.setColumnWidth(column, max(self.columnWidth(column), self.words_width(column, most)))

    def narrow_to_fit(self, most: int) -> None:
        """Where the columns do not fit beside each other, none is wider than its heading and its words, up to so many average
        characters; the first 100 columns are looked at."""
        count = min(self.model().columnCount(), 100)
        if sum(self.columnWidth(column) for column in range(count)) <= self.viewport().width():
            return
        for column in range(count):
            self.setColumnWidth(column, min(self.columnWidth(column), self.words_width(column, most)))

    def share_room(self, *most: int, spare: tuple[int, ...]) -> None:
        """Each column as wide as its words, up to so many average characters, and its heading; what room is left goes to words
        that are cut, those that lack least first, then to the columns ``spare`` that have words, the first of them twice as much
        as another. Where there is too little, the table can be scrolled."""
        self._share(self._words_of(len(most)), most, spare)

    def _words_of(self, count: int) -> list[tuple[int, int] | None]:
        """Of the first so many columns ``_words_and_heading``, None for one that is hidden."""
        return [None if self.isColumnHidden(column) else self._words_and_heading(column) for column in range(count)]

    def _share(self, words: Sequence[tuple[int, int] | None], most: Sequence[int], spare: tuple[int, ...]) -> None:
        """``share_room``, where ``words`` are measured already: they are by far most of the work."""
        needed = [0 if each is None else self._up_to(each, width) for each, width in zip(words, most, strict=True)]
        left = self.viewport().width() - sum(needed)
        lacks = [self._up_to(each, MAX_TYPED) - width if each else 0 for each, width in zip(words, needed, strict=True)]
        for column in sorted(range(len(needed)), key=lambda column: lacks[column]):
            more = max(0, min(left, lacks[column]))
            needed[column] += more
            left -= more
        spare = tuple(column for column in spare if self._has_words(column)) or spare[:1]
        if left > 0:
            part = left // (len(spare) + 1)
            for column in spare[1:]:
                needed[column] += part
            needed[spare[0]] += left - part * (len(spare) - 1)
        for column, width in enumerate(needed):
            self.setColumnWidth(column, width)

    def _has_words(self, column: int) -> bool:
        """Whether a cell of ``column`` is not empty; the first 100 rows are looked at."""
        return any(self.model().index(row, column).data() for row in range(min(self.model().rowCount(), 100)))

    def share_all(self, most: Sequence[int], spare: tuple[int, ...], least: int) -> None:
        """As ``share_room``, where long words take less until all columns stand beside each other, but not less than so many
        average characters each."""
        words = self._words_of(len(most))
        while True:
            self._share(words, most, spare)
            every = sum(self.columnWidth(column) for column in range(len(most)))
            if every <= self.viewport().width() or max(most) <= least:
                return
            most = [min(width, max(least, max(most) - 2)) for width in most]

    def words_width(self, column: int, most: int) -> int:
        """Pixels for the heading and what stands in ``column`` alone, up to so many average characters of it; see
        ``fit_words``."""
        return self._up_to(self._words_and_heading(column), most)

    def _words_and_heading(self, column: int) -> tuple[int, int]:
        """Pixels for the longest words in ``column``, of the first 100 rows, and for its heading."""
        model, span, advance = self.model(), self.columnSpan, self.fontMetrics().horizontalAdvance
        rows = (row for row in range(min(model.rowCount(), 100)) if span(row, column) == 1)
        shown = {str(model.index(row, column).data() or "") for row in rows}
        return max(map(advance, shown), default=0), self.heading_width(column)

    def _up_to(self, words_and_heading: tuple[int, int], most: int) -> int:
        words, heading = words_and_heading
        return max(heading, min(words, self.fontMetrics().averageCharWidth() * most) + 22)

    def fit_rows(self, most: int, step: int = ROWS_A_STEP) -> None:
        """As high as its rows, at most ``most`` of them; in steps, so that what is below moves at every third row added only."""
        rows = min(max(step * -(-self.model().rowCount() // step), step), most)
        line = self.verticalHeader().defaultSectionSize()
        more = sum(self.rowHeight(row) - line for row in range(min(self.model().rowCount(), most)))  # of words over several lines
        height = self.horizontalHeader().sizeHint().height() + min(rows * line + more, round(MOST_WRAPPED * most) * line)
        self.setFixedHeight(height + 2 * self.frameWidth() + 4)

    def heading_width(self, column: int) -> int:
        """Pixels that the heading of ``column`` needs."""
        font = self.horizontalHeader().font()
        font.setBold(True)
        words = str(self.model().headerData(column, Qt.Orientation.Horizontal) or "")
        return max(QFontMetrics(font).horizontalAdvance(line) for line in words.split("\n")) + 24

    def _keep_place(self, row: int) -> None:
        """Where rows were removed the one that moved up is chosen, else the last."""
        row = min(row, self.model().rowCount() - 1)
        if row >= 0:
            self.setCurrentIndex(self.model().index(row, max(self.currentIndex().column(), 0)))

    def selected_rows(self) -> list[int]:
        rows = {i.row() for i in self.selectionModel().selectedRows()} if self.selectionModel() else set()
        current = self.currentIndex()
        return sorted(rows) or ([current.row()] if current.isValid() else [])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.Paste):
            self.pasted.emit(QGuiApplication.clipboard().text())
        elif (
            event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
            and self.state() != QAbstractItemView.State.EditingState
        ):
            self.delete_pressed.emit(self.selected_rows())
        else:
            super().keyPressEvent(event)

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        """Return goes on to the cell below, as in a spreadsheet: to be typed into at once."""
        at, refused, self._refused = self.currentIndex(), self._refused, False
        super().closeEditor(editor, hint)
        if hint == QAbstractItemDelegate.EndEditHint.SubmitModelCache and self.currentIndex() == at and not refused:
            below = at.siblingAtRow(at.row() + 1)
            if below.isValid():
                self.setCurrentIndex(below)

    def _was_refused(self, *_: object) -> None:
        self._refused = True

    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self.as_text(self.selected_rows()))

    def as_text(self, rows: list[int] | None = None) -> str:
        """Tab-separated with headings; all rows if none are given (at most MAX_COPIED_CELLS cells)."""
        from bayescope.engine.answer.csv_cells import safe_copy

        model = self.model()
        columns = [c for c in range(model.columnCount()) if not self.isColumnHidden(c)]
        rows = rows if rows else list(range(model.rowCount()))
        rows = rows[: max(1, MAX_COPIED_CELLS // max(1, len(columns)))]
        heads = [_cell(model.headerData(c, Qt.Orientation.Horizontal)) for c in columns]
        body = [[_cell(model.index(r, c).data()) for c in columns] for r in rows]
        return "\n".join("\t".join(map(safe_copy, line)) for line in [heads, *body])


def open_at_click(table: TableView, key: str) -> None:
    """One click into a cell of the column ``key`` opens the list of what it may hold."""

    def opened(index: QModelIndex) -> None:
        model = table.model()
        if not isinstance(model, RecordsModel) or model.columns[index.column()].key != key:
            return
        if model.flags(index) & Qt.ItemFlag.ItemIsEditable:
            table.edit(index)
        if isinstance(editor := table.indexWidget(index), QComboBox):
            QTimer.singleShot(0, editor, editor.showPopup)

    table.clicked.connect(opened)


def _cell(value: Any) -> str:
    return "" if value is None else str(value).replace("\t", " ").replace("\n", " ")
