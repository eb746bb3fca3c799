"""One comparison: what is to be said of it, its fields, and its errors."""

from __future__ import annotations

from dataclasses import replace
from operator import is_

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QPushButton, QScrollArea, QVBoxLayout, QWidget

from bayescope.engine.problem.data.dates.day_zero import written
from bayescope.engine.problem.data.rows.text_keys import unit_of
from bayescope.engine.problem.definition import Match, Predictions, Problem
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.models.data.dates.counted_dates import Counting, dates_to_count, with_counting, with_dates_counted
from bayescope.gui.models.data.dates.day_doubt import day_doubt, day_said, stated_start
from bayescope.gui.models.data.dates.day_pairing import by_day_note, ties_words
from bayescope.gui.models.data.dates.day_zero import key_day_zero, starts_at_first, with_day_zero
from bayescope.gui.models.data.errors.noise_parameter import with_new_parameter
from bayescope.gui.models.data.fits_words import FITS, fits_words
from bayescope.gui.models.data.keys.against_order import against_order
from bayescope.gui.models.data.keys.by_places import ByPlaces
from bayescope.gui.models.data.keys.compared_key import no_key_note
from bayescope.gui.models.data.keys.distances import distance
from bayescope.gui.models.data.keys.key_doubt import key_doubt
from bayescope.gui.models.data.keys.nearest_for_all import nearest_for_all
from bayescope.gui.models.data.keys.other_file import of_other_file
from bayescope.gui.models.data.keys.other_key import better_key
from bayescope.gui.models.data.keys.outside_again import outside_note
from bayescope.gui.models.data.keys.own_keys import own_key, paired_by_values
from bayescope.gui.models.data.keys.own_text_keys import foreign_keys
from bayescope.gui.models.data.keys.part_keys import contradiction
from bayescope.gui.models.data.keys.possible_keys import possible_keys
from bayescope.gui.models.data.keys.same_pairing import for_all
from bayescope.gui.models.data.keys.shared_key import shared_key, with_shared_key
from bayescope.gui.models.data.mismatches import mismatch
from bayescope.gui.models.data.order_words import order_words
from bayescope.gui.models.data.rows.chosen_rows import UNDO as ROWS_CHOSEN
from bayescope.gui.models.data.rows.chosen_rows import asked_beside, chosen
from bayescope.gui.models.data.rows.left_out import alike
from bayescope.gui.models.data.rows.row_advice import left_out_note
from bayescope.gui.models.data.rows.unfit import UNFIT, UNFIT_ROWS, unfit_words
from bayescope.gui.models.data.units.other_units import turned
from bayescope.gui.models.fields import Field
from bayescope.gui.models.plain import one_line, shown
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.pages.data.mismatch import MismatchPart
from bayescope.gui.pages.data.own_errors import OwnErrors
from bayescope.gui.pages.data.pairing import PairingTold
from bayescope.gui.pages.data.rows_choice import RowsChoice
from bayescope.gui.pages.data.units import UnitDoubt
from bayescope.gui.style.theme import repolish
from bayescope.gui.widgets.day_zero import DayZeroField
from bayescope.gui.widgets.elided import ElidedLabel
from bayescope.gui.widgets.focus import focus_kept
from bayescope.gui.widgets.forms import Choice, beside, card
from bayescope.gui.widgets.notices import label
from bayescope.gui.widgets.scrolling import bring_into_sight
from bayescope.gui.widgets.struct_form import StructForm

NOT_TRIED = "Press Test run to see whether the rows fit."
MOST_ROOM = 80  # pixels: of a sentence or two with a button
FIELDS = (
    Field("output", "Output", "What the program computes.", "output"),
    Field("column", "Measured column", "The data column with the measured values.", "data_column"),
    Field(
        "factor",
        "Output multiplied by",
        "Not the measured values: 1000 where the program gives metres and millimetres were measured. 1/4.184 is computed.",
        "number",
    ),
    Field(
        "offset",
        "Then added to it",
        "-273.15 where the program gives kelvins and degrees Celsius were measured.",
        "number",
    ),
    Field(
        "key_output",
        "Pair by the output",
        "For example the time. None: first with first, second with second.",
        "optional_output",
    ),
    Field("key_column", "with the column", "The data column with the same quantity or labels.", "optional_key_column"),
    Field(
        "key_factor",
        "That output multiplied by",
        "Before its values are looked for in the column: 0.25 where it is the length of four cells and the column that of one.",
        "number",
    ),
    Field(
        "key_inverse",
        "This number divided by the output",
        "Instead: 1239.84 over a wavelength in nm is a photon energy in eV, 1 over a period a frequency.",
        "flag",
    ),
    Field("key_offset", "Then added to it", "-273.15 where it is in kelvins and the column in degrees Celsius.", "number"),
    Field(
        "key_tolerance",
        "Tolerance",
        "How far two such values may be apart.",
        "optional_number",
        placeholder="automatic",
    ),
    Field(
        "second_key_output",
        "And by the output",
        "Where one key stands in several rows: one depth on many dates.",
        "optional_output",
    ),
    Field("second_key_column", "with the column", "The data column of the second key.", "optional_key_column"),
    Field(
        "interpolate",
        "Interpolate between the rows of the output",
        "What is predicted lies on the straight line between the values on both sides. Where the output bends, let the program "
        "print more rows.",
        "flag",
    ),
    Field(
        "by_day",
        "Pair by the day",
        "Where the dates of the data say no hour: each gets the value of its day that is nearest to 12 h.",
        "flag",
    ),
    Field(
        "rows",
        "Rows of the output",
        "Their numbers among its values, the first is 1, in the order of the measured rows. Where no key pairs them.",
        "counts",
        placeholder="all, or for example 1-4, 6, 7",
    ),
    Field("left_out", "Rows left out", "Their numbers in the table, the first is 1.", "counts", placeholder="none"),
)


class ComparisonDetails(QWidget):
    """Shows the comparison ``row`` of the problem. ``form_changed`` carries the comparison as its fields have it now, ``changed``
    another change of it with words for undo, ``mended`` (problem, words for undo)."""

    form_changed = Signal(object)
    changed = Signal(object, str)
    mended = Signal(object, str)
    marking_wanted = Signal()  # on the Simulator page

    def __init__(self, problem: DeclaredProblem, file: AnalysisFile, trial: Trial, told: PairingTold) -> None:
        super().__init__()
        self.problem, self.file, self.trial, self.told = problem, file, trial, told
        self.row = -1
        self.area: QScrollArea | None = None  # that it is scrolled in
        self.focus_back: QWidget | None = None  # takes the focus of a button that goes with what it mends
        self.form = StructForm()
        self.form.changed.connect(self.form_changed)
        self.every = QPushButton("The same rows left out for all")
        self.every.clicked.connect(self._leave_out_everywhere)
        self.errors = OwnErrors(problem)
        self.own, self.noise = self.errors.own, self.errors.noise
        self.noise.agreed = lambda: trial.answers.settled.kept
        self.errors.changed.connect(self.changed)
        self.errors.size_wanted.connect(lambda: QTimer.singleShot(0, self, self._to_size))
        self.noise.mended.connect(self.mended)
        self.noise.parameter_wanted.connect(self._make_noise_parameter)
        self.words = ElidedLabel("heading")  # long names move no field and push nothing aside
        self.mismatch = MismatchPart()
        self.mismatch.mended.connect(self.mended)
        self.mismatch.key_wanted.connect(self._choose_key)
        self.mismatch.marking_wanted.connect(self.marking_wanted)
        self.mismatch.rows_wanted.connect(self._say_rows)
        self.rows = RowsChoice()
        self.rows.chosen.connect(self._take_rows)
        self.units = UnitDoubt()
        self.units.mended.connect(self.mended)
        self.day_zero = DayZeroField()
        self.day_zero.changed.connect(self._set_day)
        self.day_zero.confirmed.connect(lambda start: self.trial.answers.keep(day_said(start)))
        self.mismatch.day_wanted.connect(self.choose_day)
        self._counting: tuple[Problem, TrialRunReport | None, int, Counting | None] | None = None  # of which it is known
        self._held = 0  # pixels of what was said when a field was changed: the fields stay where they are
        self._room = 0  # pixels that are kept for what is said of a comparison
        self._shown: tuple[object, ...] | None = None  # what the mismatches on the screen are of
        self.said = QWidget()  # what is to be said of one comparison: its room is kept while another is looked at
        room = QVBoxLayout(self.said)
        room.setContentsMargins(0, 0, 0, 0)
        room.setSpacing(10)
        for part in (self.mismatch, self.rows, self.units):
            room.addWidget(part)
        self.calm = label("", "ok", wrap=True)  # where room is kept and nothing is wrong: no empty band
        room.addWidget(self.calm)
        room.addStretch(1)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(card(self.words, self.said, self.day_zero, self.form, beside(self.every, 1), self.errors))

    @property
    def matches(self) -> tuple[Match, ...]:
        meaning = self.problem.declared.meaning
        return meaning.matches if isinstance(meaning, Predictions) else ()

    def show_row(self, row: int) -> None:
        """Of the problem as it is declared now; -1: none."""
        self.row = row
        some = 0 <= row < len(self.matches)
        self.setVisible(some)
        if not some:
            return
        match, problem, locked = self.matches[row], self.problem.declared, self.problem.locked
        columns = list(problem.data.columns) if problem.data else []
        against = f"compared with {one_line(match.column, 40)}" if match.column else "(its measured column is not chosen yet)"
        times = f"{shown(match.factor)} × " if match.factor != 1.0 else ""
        plus = f" {'+' if match.offset > 0 else '−'} {shown(abs(match.offset))}" if match.offset else ""
        self.words.say(f"{times}{one_line(match.output, 40)}{plus} {against}")
        self.form.offer_names(columns, [], texts=list(problem.data.texts) if problem.data else [])
        self.form.offer_outputs([o.name for o in problem.outputs], possible_keys(problem, row, self.trial.report))
        self.form.show_record(match, FIELDS, locked, match.output)
        where = f"meaning.matches[{row}]"
        findings = [replace(f, suggestion=UNFIT_ROWS) if f.suggestion == UNFIT else f for f in self.problem.findings(where)]
        self.form.show_findings(findings, where)
        counting = self._to_count()
        labels = {o.name for o in problem.outputs if o.text}  # dates on both sides count alike
        second = ("second_key_column", match.second_key_column, match.second_key_output)
        for field, name, own in (("key_column", match.key_column, match.key_output), second):
            unit = unit_of(problem.data.texts.get(name, ())) if problem.data and name and own not in labels else ""
            self.form.note(field, f"Its times count in seconds{unit[1:]}; so must the output's." if unit and not counting else "")
        far, counts = distance(problem, row, self.trial.report), key_day_zero(match)
        self.form.note("left_out", outside_note(match) or left_out_note(problem, row, self.trial.report))
        self.form.note("key_tolerance", far.words if far is not None else "")
        if unfit_words(problem, row, self.trial.report):
            self.form.note("key_output", no_key_note(problem, row, self.trial.report))
        self.form.note("by_day", by_day_note(problem, row, self.trial.report))
        if counting is not None and counts is None:
            self.day_zero.show_start(counting.start, locked, proposed=True, stated=counting.said)
        else:
            self._show_day(match, None if counts is None else counts.start)
        self.errors.show_row(problem, row, self.file.folder, locked, findings)
        self.every.setVisible(len(self.matches) > 1)  # always: nothing below it moves
        self.every.setText(f"The same rows left out for all {len(self.matches)}")
        self.every.setEnabled(not locked and alike(problem, row) is not None)
        self._show_mismatch()

    def _show_day(self, match: Match, start: float | None) -> None:
        """Day 0 of the keys, and who said it: the program, the user, or nobody."""
        problem, settled = self.problem.declared, self.trial.answers.settled
        doubt = day_doubt(problem, self.row, self.trial.report, settled.kept, settled.guessed_days)
        stated = stated_start(problem, match, self.trial.report)
        self.day_zero.show_start(
            start, self.problem.locked, doubt is not None and starts_at_first(problem.data, match), guessed=doubt is not None,
            stated=stated.words if stated is not None and stated.start == start else "",
            contradicted=doubt.stated.words if doubt is not None and doubt.stated is not None else "",
        )  # fmt: skip

    def _show_mismatch(self) -> None:
        row, problem, report = self.row, self.problem.declared, self.trial.report
        shown = (problem, row, report, self.problem.locked, self.trial.answers.settled.kept)
        if self._shown is not None and all(map(is_, shown, self._shown)):
            return  # looking for keys that fit takes time where tables are long
        self._shown = shown
        found, one = mismatch(problem, row, report, self.trial.answers.keys, self.trial.answers.lines), self._to_count()
        better = (better_key(problem, row, report) or own_key(problem, row, report, self.trial.second)) if found is None else None
        keys, kept = self.trial.answers.keys, self.trial.answers.settled.kept
        between: ByPlaces | None = None
        if found is None and 0 <= row < len(self.matches) and self.matches[row].keys:
            between = of_other_file(problem, row, report, self.trial.second)
            better = None if between is not None or foreign_keys(problem, self.matches[row]) else better
        elif found is None and better is None:
            between = against_order(problem, row, report, self.trial.second, keys)
        if between is not None and between.problem is not None and between.words not in kept:
            better = between.problem, between.column
        paired = problem if better is None else better[0]
        keyed = paired if found is None else found.other_key
        alike = for_all(keyed, row, report) if keyed is not None else None
        if better is None and (found is None or found.other_key is None or found.partly):
            found, better, alike = with_shared_key(shared_key(problem, row, report), found, alike)
        if found is not None and one is not None:
            found, alike = with_counting(found, one, with_dates_counted(problem, row, report, one)), None
        doubt = contradiction(problem, row, report) if found is None and better is not None else None
        against = between.words if between is not None else doubt[2] if doubt is not None else ""
        against = "" if against in kept else against
        over = between.button if between is not None and between.problem is not None else ""
        far = distance(problem, row, report) if found is None else None
        by_values = paired_by_values(problem, row, report) if found is None and better is None else None
        words = far.words if far is not None and far.far else ""
        choice = None
        if found is not None:
            found, choice = asked_beside(found, problem, row, report, self.told.remarks)
        split = self.told.told(self.problem.locked).split if found is not None else None
        split = split if split is not None and split.of(self.matches[row]) else None
        nearest = None if found is None else nearest_for_all(problem, row, found.nearest, report)
        if found is not None and found.scaled is not None and alike is None:
            alike = for_all(found.scaled, row, report)
        by_order = by_values[0] if by_values is not None else None if found is None else found.in_order
        order = order_words(problem, row, report) if better is not None or by_order is not None else ""
        buttons = [*self.mismatch.findChildren(QPushButton), *self.units.findChildren(QPushButton), self.rows.button]
        with focus_kept(buttons, (self.focus_back or self,), self.focus_back or self):  # its button goes with what it mends
            answers = self.trial.answers
            self.units.show_comparison(problem, row, self.trial.told, self.problem.locked, answers.settled.kept, answers.lines)
            self.rows.show_choice(choice if split is None else None, self.problem.locked)
            self.mismatch.show_mismatch(
                found, self.problem.locked, better, alike, words, by_values, against, split, nearest, order, over
            )
        self._keep_room()

    def _to_count(self) -> Counting | None:
        """Dates of this comparison that are to be counted from a day 0, where its rows do not fit."""
        problem, report, row = self.problem.declared, self.trial.report, self.row
        known = self._counting
        if known is None or known[0] is not problem or known[1] is not report or known[2] != row:
            unfit = bool(problem.data and problem.data.texts) and bool(unfit_words(problem, row, report))
            known = self._counting = (problem, report, row, dates_to_count(problem, row, report) if unfit else None)
        return known[3]

    def _keep_room(self) -> None:
        """The fields of every comparison stand where those of the others do, but for one with a whole table of mismatches."""
        parts = [part for part in (self.mismatch, self.rows, self.units) if part.isVisibleTo(self.said)]
        needed = sum(part.sizeHint().height() for part in parts)
        self._room = max(self._room, min(needed, MOST_ROOM)) if len(self.matches) > 1 else 0
        self.said.setMinimumHeight(max(self._room, self._held))
        known = compared(self.problem.declared, self.row, self.trial.report) is not None
        more = self._say_fits(known)
        self.calm.setVisible(not parts)
        self.said.setVisible(bool(self._room or self._held or parts or more))

    def _say_fits(self, known: bool) -> bool:
        """That rows fit, and what that rests on: a day 0 nobody confirmed, rows left out; whether there is such."""
        problem, settled, said, level = self.problem.declared, self.trial.answers.settled, NOT_TRIED, "hint"
        if known:
            doubt = day_doubt(problem, self.row, self.trial.report, settled.kept, settled.guessed_days)
            sign = turned(problem, self.row, self.trial.report, settled.kept)
            said, level = fits_words(problem, self.row, doubt, sign, key_doubt(problem, self.row, self.trial.report))
            said = f"{said} {ties_words(problem, self.row, self.trial.report)}".strip()
        self.calm.setText(said)
        if self.calm.property("role") != level:
            self.calm.setProperty("role", level)
            repolish(self.calm)
        return said not in (NOT_TRIED, FITS)

    def hold_room(self) -> None:
        """What is said keeps its height while a field is changed: the fields stay where they are."""
        self._held = self.said.height() if self.said.isVisible() else 0

    def let_go(self, all_of_it: bool = False) -> None:
        """Keep no room for what was said; ``all_of_it``: nor for what was said of other comparisons, which may be mended too."""
        self._held = 0
        self._room = 0 if all_of_it else self._room

    # -------------------------------------------------------------- the ways to parts of it

    def part_of(self, field: str) -> QWidget:
        """Where its ``field`` is changed, or for none where rows that do not fit are mended."""
        form = self.errors.form if field == "sd_column" else self.form
        return form.editor(field) if field else self.rows.table if self.rows.found is not None else self.mismatch.first_way

    def _into_sight(self, part: QWidget) -> None:
        bring_into_sight(part)

    def to_own_errors(self) -> None:
        self._into_sight(self.errors)
        self._into_sight(self.own)
        self.own.setFocus()

    def _to_size(self) -> None:
        """The size is what differs most often: the cursor goes there, into sight."""
        size = self.noise.form.editor("sd")
        self._into_sight(size)
        size.setFocus()
        if isinstance(size, QLineEdit):
            size.selectAll()

    def choose_day(self) -> None:
        self._into_sight(self.day_zero)
        self.day_zero.field.setFocus()
        self.day_zero.field.selectAll()

    def _say_rows(self) -> None:
        editor = self.form.editor("rows")
        self._into_sight(editor)
        editor.setFocus()

    def _choose_key(self) -> None:
        editor = self.form.editor("key_output")  # its column comes with it
        self._into_sight(editor)
        editor.setFocus()
        if isinstance(editor, Choice):
            editor.showPopup()

    # -------------------------------------------------------------- edits

    def _take_rows(self, rows: tuple[int, ...]) -> None:
        self.mended.emit(chosen(self.problem.declared, self.row, rows), ROWS_CHOSEN)

    def _leave_out_everywhere(self) -> None:
        found = alike(self.problem.declared, self.row)
        if found is not None:
            self.mended.emit(found, "The same rows left out")

    def _set_day(self, start: float) -> None:
        problem, one = self.problem.declared, self._to_count()
        if one is not None:
            counted = with_dates_counted(problem, self.row, self.trial.report, one, start)
            self.mended.emit(counted, f"Day 0 is {written(start)}")
            return
        counts = key_day_zero(self.matches[self.row]) if 0 <= self.row < len(self.matches) else None
        moved = with_day_zero(problem, start, None if counts is None else counts.start)
        self.mended.emit(moved, f"Day 0 is {written(start)}")

    def _make_noise_parameter(self) -> None:
        if 0 <= self.row < len(self.matches):
            self.mended.emit(with_new_parameter(self.problem.declared, self.row), "New parameter for the errors")
