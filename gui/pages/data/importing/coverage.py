"""While a table is imported: expanded uncertainties, which are divided by their coverage factor or taken as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout

from bayescope.engine.problem.data.errors.expanded_errors import Coverage, Expanded
from bayescope.engine.problem.data.errors.levels import USUAL
from bayescope.engine.problem.data.files.data_files import TablePreview
from bayescope.gui.models.plain import number_of, one_line
from bayescope.gui.widgets.forms import LineField
from bayescope.gui.widgets.notices import Notice, label

WHY = "No coverage factor is said; mostly it is 2. A comparison needs standard deviations."
WIDTHS = "A comparison needs standard deviations: half the width divided by {:g}; of whole widths type k = {:g}."
WIDTH = 70  # pixels: of a factor with its decimals
WIDEST_PLACE = 30  # characters of the name of a column
MOST_NAMED = 2  # columns by name


class CoverageOffer(Notice):
    """``coverage``: what the user said of this file. ``told``: it is to be read anew."""

    told = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.coverage = Coverage()
        self.told_words: tuple[str, ...] = ()  # what becomes of them, sentences
        self.divided: tuple[tuple[str, float], ...] = ()  # columns of standard deviations, and by what they were divided
        self._said: tuple[Expanded, ...] = ()
        self._unsaid: tuple[Expanded, ...] = ()
        self.field = LineField("Coverage factor", "By how much they are divided: k = 3, for example.", "other")
        self.field.setFixedWidth(WIDTH)
        self.field.committed.connect(self._typed)
        line = self.layout()
        assert isinstance(line, QBoxLayout)
        self.sign = label("k =", "hint")
        line.insertWidget(1, self.sign, 0, Qt.AlignmentFlag.AlignVCenter)
        line.insertWidget(2, self.field, 0, Qt.AlignmentFlag.AlignVCenter)
        self.pressed.connect(self._press)
        self.dismissed.connect(self._other)

    def start(self) -> None:
        """With another file: nothing is said yet."""
        self.coverage = Coverage()

    @property
    def _asked(self) -> bool:
        return bool(self._unsaid) and self.coverage.factor is None

    def _press(self) -> None:
        if self._asked:
            self._tell(replace(self.coverage, factor=USUAL))
        elif self._said:
            self._tell(replace(self.coverage, undivided=not self.coverage.undivided))
        else:
            self._turn()

    def _other(self) -> None:
        if self._asked:
            self._tell(replace(self.coverage, factor=1.0))
        else:
            self._turn()

    def _turn(self) -> None:
        """Those without a factor are taken the other way."""
        self._tell(replace(self.coverage, factor=USUAL if self.coverage.factor == 1.0 else 1.0))

    def _typed(self, text: str) -> None:
        try:
            factor = number_of(text.strip().removeprefix("k").lstrip(" ="), "The coverage factor")
        except ValueError as error:
            self.field.refuse(str(error))
            return
        if factor <= 0.0:
            self.field.refuse("The coverage factor must be above 0.")
        else:
            self._tell(replace(self.coverage, factor=factor))

    def _tell(self, coverage: Coverage) -> None:
        self.coverage = coverage
        self.told.emit()

    def show_preview(self, shown: TablePreview | None) -> None:
        """Of a file as it is read now; None: there is none."""
        every = () if shown is None else shown.expanded
        self._said = tuple(one for one in every if one.said)
        self._unsaid = tuple(one for one in every if not one.said)
        self.told_words = tuple(told for one in every if (told := one.words(self.coverage)))
        self.divided = () if shown is None else divided_columns(shown, self.coverage)
        words = _together(every, self.coverage)
        for part in (self.sign, self.field):
            part.setVisible(bool(self._unsaid))
        factor = self.coverage.factor
        self.field.show_text("" if factor in (None, 1.0) else f"{factor:g}")
        named = bool(self._said) and bool(self._unsaid)
        if self._asked:
            places = [one_line(one.where, WIDEST_PLACE) for one in self._unsaid]
            listed = " and ".join(places) if len(places) <= MOST_NAMED else f"{places[0]} and {len(places) - 1} more"
            question = f"{listed} {'seem' if len(places) > 1 else 'seems'} to hold expanded uncertainties."
            ways = (_button(self._unsaid, divide, named) for divide in (True, False))
            if all(one.width for one in self._unsaid):
                question = f"{listed} {'seem' if len(places) > 1 else 'seems'} to hold half the widths of intervals."
                why = WIDTHS.format(self._unsaid[0].k, 2.0 * self._unsaid[0].k)
            else:
                why = WHY
            self.say("warning", question, f"{why} {words}".strip(), *ways)
            return
        said = _button(self._said, self.coverage.undivided, named)
        unsaid = _button(self._unsaid, self.coverage.factor == 1.0, named)
        self.say("info", words, "", said or unsaid, unsaid if said else "")


def _together(every: Sequence[Expanded], coverage: Coverage) -> str:
    """What becomes of them, in one sentence for all columns of which the same is to be said."""
    alike: dict[str, list[Expanded]] = {}
    for one in every:
        if said := one.words(coverage):
            alike.setdefault(said.removeprefix(one.where) if one.column else said, []).append(one)
    return " ".join(which[0].words(coverage) if len(which) == 1 else _of_columns(which, said) for said, which in alike.items())


def _of_columns(which: Sequence[Expanded], said: str) -> str:
    names = [f"“{one_line(one.column, WIDEST_PLACE)}”" for one in which]
    more = len(names) - MOST_NAMED
    listed = " and ".join(names) if more <= 0 else f"{', '.join(names[:MOST_NAMED])} and {more} more"
    plural = said.replace(" holds ", " hold ", 1).replace(" is taken ", " are taken ", 1)
    return f"Columns {listed}{plural}"


def divided_columns(shown: TablePreview, coverage: Coverage) -> tuple[tuple[str, float], ...]:
    """The columns of standard deviations that come of expanded uncertainties, and by what these are divided."""
    of_line = tuple(name for one in shown.said for name in one.made)
    found = ((name, one.by(coverage)) for one in shown.expanded for name in ((one.column,) if one.column else of_line))
    return tuple((name, by) for name, by in found if by != 1.0)


def _button(which: tuple[Expanded, ...], divide: bool, named: bool) -> str:
    """Words of the button that takes ``which`` so; '': there are none. ``named``: there are others, too."""
    if not which:
        return ""
    one = len(which) == 1
    what = one_line(which[0].where, WIDEST_PLACE).replace("Column", "column").replace("&", "&&") if one and named else ""
    if divide:
        factors = {one.k for one in which}
        by = f"{factors.pop():g}" if len(factors) == 1 else "their factors"
        return f"Divide {what or ('it' if one else 'them')} by {by}"
    return f"Take {what or ('it' if one else 'them')} as {'it is' if one else 'they are'}"
