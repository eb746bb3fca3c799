"""Says that one model of the errors holds for several comparisons, and that each can have its own."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from bayescope.engine.problem.definition import GaussianKnown, Match, Predictions, Problem, StudentTNoise
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.models.data.errors.error_size import ErrorSize, errors_of, size_of, text_of_size, with_size
from bayescope.gui.models.data.errors.of_one_quantity import OfOneQuantity, of_one_quantity
from bayescope.gui.models.data.errors.size_of_each import SizeOfEach, size_of_each
from bayescope.gui.models.fields import Field
from bayescope.gui.models.plain import one_line
from bayescope.gui.widgets.notices import Notice
from bayescope.gui.widgets.struct_form import StructForm

MOST_NAMED = 3  # columns
MOST_SIZED = 12  # fields below each other
SIZES = "Size of the errors"  # what a field that holds no number is of
EACH = "Each can have errors of its own."
EACH_BELOW = "Each can have its own, here:"
OTHER_MODEL = "&Another model for one"
EMPTY = (
    "A number, a percentage, or both: 0.01 + 3 %; 3 % of the predicted value; or the name of a column. "
    "Empty: as large as the others."
)


class SharedErrors(QWidget):
    """``pressed`` carries the number of the comparison that is to have its own; ``changed`` the meaning with another size for one
    of them; ``mended`` (problem, words for undo)."""

    pressed = Signal(int)
    changed = Signal(object)
    mended = Signal(object, str)

    def __init__(self, take_size: Callable[[ErrorSize, int], None], parent: QWidget | None = None) -> None:
        """``take_size``: of a comparison; raises ValueError with words where it cannot have it."""
        super().__init__(parent)
        self.notice, self.sizes = Notice(two_below=True), StructForm()
        self.sizes.take_size = lambda field, size: take_size(size, self._rows[int(field.removeprefix("of_"))])
        self.sizes.take_name = self._named_column
        self.take_column: Callable[[str, int], bool] | None = None  # named for a comparison; whether it is one
        self.notice.pressed.connect(self._press)
        self.notice.dismissed.connect(self._each)
        self._of_each: SizeOfEach | None = None
        self._may_have_own: dict[int, str] = {}  # comparisons by number, with their measured columns
        self.sizes.changed.connect(self._take)
        self._meaning: Predictions | None = None
        self._rows: tuple[int, ...] = ()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        self.all_of = Notice()  # below the fields: what is typed stays where it is
        self.all_of.pressed.connect(self._for_all_of)
        self._quantity: OfOneQuantity | None = None
        for part in (self.notice, self.sizes, self.all_of):
            box.addWidget(part)

    def show_problem(self, problem: Problem, locked: bool) -> None:
        meaning = problem.meaning
        self._meaning = meaning if isinstance(meaning, Predictions) else None
        self._rows = sized(problem)
        self._show_sizes(locked)
        self._say(problem, locked)
        one = self._quantity = of_one_quantity(problem) if self._rows and not locked else None
        self.all_of.say("info", "" if one is None else one.words, "", "" if one is None else one.button)
        self.setVisible(self.notice.level is not None or bool(self._rows))

    def _show_sizes(self, locked: bool) -> None:
        """A field for each comparison whose size may be its own."""
        self.sizes.setVisible(bool(self._rows))
        if self._meaning is None or not self._rows:
            self.sizes.show_record(None, ())
            return
        matches = [self._meaning.matches[i] for i in self._rows]
        names = [one_line(m.column, 24).replace("&", "&&") for m in matches]
        fields = [
            Field(f"of_{k}", name, EMPTY, "optional_size", placeholder="as above", percent="of each value")
            for k, name in enumerate(names)
        ]
        of = [size_of(m.noise) for m in matches]
        record = msgspec.defstruct("Sizes", [(f.name, ErrorSize | None) for f in fields], frozen=True)
        self.sizes.show_record(record(*of), fields, locked, SIZES)

    def _say(self, problem: Problem, locked: bool) -> None:
        rows, meaning = sharing(problem), problem.meaning
        self._may_have_own = {i: meaning.matches[i].column for i in rows} if isinstance(meaning, Predictions) else {}
        if isinstance(meaning, Predictions) and each_its_own(problem):
            columns = list(dict.fromkeys(m.sd_column for m in meaning.matches if m.noise is None and m.sd_column))
            sizes = columns if len(columns) == len(meaning.matches) else _own_sizes(meaning) if columns else []
            named = f": {', '.join(one_line(c, 50) for c in sizes[:MOST_NAMED])}" if sizes else ""
            more = ", …" if len(sizes) > MOST_NAMED else ""
            what = "its own column" if len(columns) == len(meaning.matches) else "errors of its own"
            here = bool(self._rows)  # their fields stand below
            words = f"Each comparison has {what}{named}{more}"
            if len(meaning.matches) == 1 and columns:
                words = f"The standard deviations stand in the column “{one_line(columns[0], 24)}”"
            where = "" if here else "Change it on the tab Comparison."
            button = ""
            if own_models(problem) and not locked:
                self._may_have_own = {i: m.column for i, m in enumerate(meaning.matches)}
                button = OTHER_MODEL if len(meaning.matches) > 1 else "&Change it"
            self.notice.say("info", f"{words}, here:" if here else f"{words}.", "" if button else where, button)
            return
        if not isinstance(meaning, Predictions) or len(meaning.matches) < 2 or not rows:
            self.notice.clear()
            return
        known = isinstance(meaning.noise, GaussianKnown)
        told = f"{'One size' if known else 'One model'} for {_named([meaning.matches[i] for i in rows])}."
        if len(rows) < len(meaning.matches):
            others = [m for i, m in enumerate(meaning.matches) if i not in rows]
            own = f"{_named(others)} {'has its' if len(others) == 1 else 'have their'} own"
            told = f"For {_named([meaning.matches[i] for i in rows])}; {own}."
        told += _scales_of_columns(meaning)
        button = "&Another size for one" if known else OTHER_MODEL
        self._of_each = None if locked else size_of_each(problem)
        each = self._of_each.button if self._of_each is not None else ""
        self.notice.say("info", told, EACH_BELOW if self._rows else EACH, "" if locked or self._rows else button, each)

    def _for_all_of(self) -> None:
        if self._quantity is not None:
            self.mended.emit(self._quantity.problem, f"Errors of all of {self._quantity.quantity}")

    def _each(self) -> None:
        if self._of_each is not None:
            self.mended.emit(self._of_each.problem, "One size for each quantity")

    def _press(self) -> None:
        """The one that is meant, if several may be, is said by a menu."""
        if len(self._may_have_own) == 1:
            self.pressed.emit(next(iter(self._may_have_own)))
        elif menu := self.menu():
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(self.notice.mapToGlobal(self.notice.rect().bottomLeft()))

    def menu(self) -> QMenu | None:
        """The comparisons that may have errors of their own; None: there is none."""
        if not self._may_have_own:
            return None
        menu = QMenu(self)
        for row, column in self._may_have_own.items():
            menu.addAction(one_line(column, 60).replace("&", "&&"), lambda row=row: self.pressed.emit(row))
        return menu

    def _named_column(self, field: str, text: str) -> bool:
        row = self._rows[int(field.removeprefix("of_"))]
        return self.take_column is not None and self.take_column(text, row)

    def _take(self, record: msgspec.Struct) -> None:
        """One size is another now; none: that of the others."""
        if self._meaning is None:
            return
        matches = list(self._meaning.matches)
        for i, size in zip(self._rows, msgspec.structs.astuple(record), strict=True):
            if size != size_of(matches[i].noise):
                own = None if size is None else errors_of(size)
                matches[i] = msgspec.structs.replace(matches[i], noise=own)
        self.changed.emit(msgspec.structs.replace(self._meaning, matches=tuple(matches)))


def replace_size(problem: DeclaredProblem, size: ErrorSize, row: int) -> None:
    """Errors of that ``size`` for the comparison ``row``, -1: all that have none of their own. Raises ValueError with words."""
    problem.replace(with_size(problem.declared, size, row), f"Errors of {text_of_size(size)}")


def _scales_of_columns(meaning: Predictions) -> str:
    """For which of the comparisons the scale typed or chosen for all does not hold, a sentence."""
    own = [m for m in meaning.matches if m.noise is None and m.sd_column]
    if not own or not isinstance(meaning.noise, StudentTNoise):
        return ""
    whose = "All take" if len(own) == len(meaning.matches) else f"{_named(own)} {'takes' if len(own) == 1 else 'take'}"
    return f" {whose} the scale from a column of sds (tab Comparison), not from above."


def _own_sizes(meaning: Predictions) -> list[str]:
    """What the errors of each comparison are: the column that holds them, or their size, of the measured column."""
    told = [(m.sd_column if m.noise is None else getattr(m.noise, "sd_column", None), size_of(m.noise), one_line(m.column, 28))
            for m in meaning.matches]  # fmt: skip
    return [f"{sds or (text_of_size(size) if size is not None else 'another model')} of {of}" for sds, size, of in told]


def _named(matches: list[Match]) -> str:
    names = [one_line(match.column, 24) for match in matches]
    return " and ".join(names) if len(names) <= MOST_NAMED else f"{len(names)} comparisons"


def sharing(problem: Problem) -> list[int]:
    """The comparisons whose errors are those of the common model, and not from a column of their own."""
    meaning = problem.meaning
    if not isinstance(meaning, Predictions):
        return []
    known = isinstance(meaning.noise, GaussianKnown)
    return [i for i, m in enumerate(meaning.matches) if m.column and m.noise is None and not (known and m.sd_column)]


def each_its_own(problem: Problem) -> bool:
    """Whether no comparison uses the size of the errors, or the column, that is declared for all."""
    meaning = problem.meaning
    chosen = isinstance(meaning, Predictions) and bool(meaning.matches) and all(m.column for m in meaning.matches)
    return chosen and not sharing(problem)


def own_models(problem: Problem) -> bool:
    """Whether every comparison has a model of the errors of its own."""
    meaning = problem.meaning
    return isinstance(meaning, Predictions) and bool(meaning.matches) and all(m.noise is not None for m in meaning.matches)


def sized(problem: Problem) -> tuple[int, ...]:
    """The comparisons for each of which a size of its own can be typed, where errors are normal and of known size; none where
    there is one alone, or more than can be seen at once."""
    meaning = problem.meaning
    if not isinstance(meaning, Predictions) or not isinstance(meaning.noise, GaussianKnown) or meaning.noise.sd_column:
        return ()
    own = [i for i, m in enumerate(meaning.matches) if isinstance(m.noise, GaussianKnown) and not m.noise.sd_column]
    found = sorted({*sharing(problem), *own})
    return tuple(found) if 2 <= len(found) <= MOST_SIZED else ()
