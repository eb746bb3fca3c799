"""The list of comparisons: output, measured column, factor and errors are set in its cells; what was changed in one is offered
for all others that were like it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QComboBox,
    QCompleter,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QStyleOptionViewItem,
    QWidget,
)

from bayescope.engine.problem.definition import Match, Problem
from bayescope.gui.models.data.comparison_rows import is_common, match_columns
from bayescope.gui.models.data.errors.factor_size import LEVEL_95
from bayescope.gui.models.data.list_edits import Offer, offer_alike
from bayescope.gui.models.plain import tip
from bayescope.gui.models.records import Index, RecordsModel
from bayescope.gui.style.theme import repolish, theme
from bayescope.gui.widgets.notices import label
from bayescope.gui.widgets.tables import FindingDelegate, TableView

TYPED_HERE = "Factors, errors and the shift of a key are typed into the list."
TYPED_BEYOND = "That was the last row: click a cell, to type into it."
TYPED = ("key", "factor", "noise")  # cells that are typed into; those before them are chosen
PLACEHOLDERS = {"noise": "0.5, 3 %, factor 1.3", "factor": "1000, or a unit", "key": "+ 12.3, - 1 h, x 1000, / 60"}


class ComparisonsModel(RecordsModel[Match]):
    """``take`` (row, key of the column, text) makes the change of a cell; it raises ValueError with words for a person."""

    def __init__(
        self, commit: Callable[[tuple[Match, ...], str], bool], take: Callable[[int, str, str], None], parent: QWidget
    ) -> None:
        super().__init__(match_columns(), commit, parent)
        self._take = take

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or not index.isValid() or self.read_only:
            return False
        key, text = self.columns[index.column()].key, str(value).strip()
        if text == str(self.data(index, Qt.ItemDataRole.EditRole) or "").strip():
            return False
        try:
            self._take(index.row(), key, text)
        except ValueError as error:
            self.refused.emit(index.row(), index.column(), str(error))
            return False
        return True

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.ForegroundRole and index.isValid() and self.columns[index.column()].key == "noise":
            return theme.colour("muted") if is_common(self.rows[index.row()]) else None
        return super().data(index, role)


class ComparisonTable(TableView):
    """A click into a factor or a size opens it, to be typed; Delete empties such a cell, and removes
    the comparison elsewhere (``delete_pressed``). ``emptied`` carries the column and the rows."""

    emptied = Signal(int, list)
    key_missing = Signal()  # a click where rows are paired by none
    typed_beyond = Signal()  # a key after Return in the last row

    def __init__(self, model: ComparisonsModel) -> None:
        super().__init__("Comparisons of outputs with data", model)
        self.records = model
        self.columns_of_errors: tuple[str, ...] = ()
        self._ended = False  # Return was pressed in the last row: what is typed on is of no row
        self.setItemDelegate(_Cells(self))
        self.setWordWrap(True)
        self.clicked.connect(self._clicked)
        lines = self.verticalHeader()
        lines.setMinimumSectionSize(lines.defaultSectionSize())  # rows of one line stay as high as in other tables

    def is_typed(self, index: Index) -> bool:
        return index.isValid() and self.records.columns[index.column()].key in TYPED

    def edit(self, index: QModelIndex, trigger: Any = None, event: QEvent | None = None) -> Any:  # type: ignore[override]
        """What is chosen from a list opens at a double click or F2 only."""
        if trigger is None:
            super().edit(index)
            return None
        soft = trigger == QAbstractItemView.EditTrigger.AnyKeyPressed
        return False if soft and not self.is_typed(index) else super().edit(index, trigger, event)  # type: ignore[arg-type]

    def _clicked(self, index: QModelIndex) -> None:
        self._ended = False
        if not self.is_typed(index) or not self.records.flags(index) & Qt.ItemFlag.ItemIsEditable:
            return
        if self.records.columns[index.column()].key == "key" and not self.records.rows[index.row()].keys:
            self.key_missing.emit()
        else:
            super().edit(index)  # at once: what is typed within the time of a double click would be lost else

    def keyPressEvent(self, event: Any) -> None:
        at = self.currentIndex()
        keys = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
        if event.key() in keys and self.is_typed(at) and self.state() != QAbstractItemView.State.EditingState:
            self.emptied.emit(at.column(), self.selected_rows())
            return
        if self._ended and event.text().isprintable() and event.text():
            self.typed_beyond.emit()
            return
        self._ended = False
        super().keyPressEvent(event)

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        at = self.currentIndex()
        super().closeEditor(editor, hint)
        submitted = hint == QAbstractItemDelegate.EndEditHint.SubmitModelCache
        self._ended = submitted and self.currentIndex() == at and at.row() == self.records.rowCount() - 1


class _WholeText(QObject):
    """A double click selects all that stands in a cell: a word of it, as "5" of "0.5", is no number."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.MouseButtonDblClick or not isinstance(watched, QLineEdit):
            return False
        watched.selectAll()
        return True


class _Cells(FindingDelegate):
    """Cells of errors propose the columns that may hold them."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._whole = _WholeText(self)

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor, table = super().createEditor(parent, option, index), self.parent()
        if isinstance(editor, QComboBox) and editor.findText(str(index.data(Qt.ItemDataRole.EditRole))) < 0:
            editor.setCurrentIndex(-1)  # nothing is chosen by looking
        if isinstance(editor, QLineEdit) and isinstance(table, ComparisonTable):
            key = table.records.columns[index.column()].key
            of_errors = key == "noise"
            editor.setPlaceholderText(PLACEHOLDERS[key])
            editor.installEventFilter(self._whole)
            if of_errors and table.columns_of_errors:
                names = QCompleter(list(table.columns_of_errors), editor)
                names.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
                names.setFilterMode(Qt.MatchFlag.MatchContains)
                editor.setCompleter(names)
        return editor


class AlikeOffer(QWidget):
    """One line above the list, whose room is kept: what can be typed there, what became of it, and the same for others.

    ``mended`` (problem, words for undo)."""

    mended = Signal(object, str)

    def __init__(self) -> None:
        super().__init__()
        self._offer: Offer | None = None
        self._of: Problem | None = None
        self.said = label(TYPED_HERE, "hint", wrap=True)
        self._meant: Problem | None = None  # what was typed may mean this instead
        self.other, self.same, self.every = QPushButton(), QPushButton(), QPushButton()
        self.other.clicked.connect(self._mean_other)
        self.same.clicked.connect(lambda: self._do(self._offer.problem if self._offer is not None else None))
        self.every.clicked.connect(lambda: self._do(self._offer.every if self._offer is not None else None))
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        line.addWidget(self.said, 1)
        for button in (self.other, self.same, self.every):
            button.setProperty("kind", "link")
            button.hide()
            line.addWidget(button)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        two_lines = 2 * self.said.fontMetrics().lineSpacing() + 2
        self.setFixedHeight(max(two_lines, self.same.sizeHint().height()))  # what comes and goes here moves nothing below

    def words(self) -> str:
        return self.said.text()

    def _say(self, words: str, role: str = "") -> None:
        self.said.setText(words)
        self.said.setToolTip(tip(words))
        if self.said.property("role") != role:
            self.said.setProperty("role", role)
            repolish(self.said)
        offer, other = self._offer, LEVEL_95 if self._meant is not None else ""
        texts = (other, offer.button if offer else "", offer.every_button if offer else "")
        for button, text in zip((self.other, self.same, self.every), texts, strict=True):
            button.setText(text)
            button.setVisible(bool(text))

    def note(
        self, before: Problem, after: Problem, row: int, unit: str = "", said: str = "", meant: Problem | None = None
    ) -> None:
        """One comparison was changed; ``said``: what became of what was typed; ``meant``: the problem where 95 % are meant."""
        self._meant = meant
        offer = self._offer = offer_alike(before, after, row, unit)
        self._of = after
        if offer is None and not said:
            self._say(TYPED_HERE, "hint")
        else:
            self._say(said or (offer.words if offer is not None else ""))

    def tell(self, words: str, problem: Problem) -> None:
        """What can be done, or was done by itself."""
        self._offer, self._of, self._meant = None, problem, None
        self._say(words)

    def refuse(self, words: str, problem: Problem) -> None:
        """What was typed into a cell cannot be taken."""
        self._offer, self._of, self._meant = None, problem, None
        self._say(words, "error")

    def follow(self, problem: Problem, locked: bool = False) -> None:
        """What is offered is of the problem as it was then; nothing is where the list is ``locked``."""
        if self._of is not problem or locked or not self.words():
            self._offer = self._of = self._meant = None
            self._say("" if locked else TYPED_HERE, "hint")

    def _mean_other(self) -> None:
        if self._meant is not None:
            self.mended.emit(self._meant, "Errors that hold 95 %")

    def _do(self, problem: Problem | None) -> None:
        if problem is not None:
            self.mended.emit(problem, "The same for all alike")
