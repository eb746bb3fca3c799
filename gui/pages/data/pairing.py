"""What test runs tell of how rows are paired, looked for once for each problem and test run."""

from __future__ import annotations

from bayescope.engine.problem.definition import Predictions, Problem
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.dates.counted_dates import Counting, dates_to_count, with_dates_counted
from bayescope.gui.models.data.dates.day_doubt import DayDoubt, first_day_doubt
from bayescope.gui.models.data.dates.day_pairing import ByDay, first_by_day
from bayescope.gui.models.data.dates.mended_by_day import mending_by_day
from bayescope.gui.models.data.echoes import first_echo
from bayescope.gui.models.data.errors.own_scatter import seed_doubt
from bayescope.gui.models.data.errors.size_doubts import size_doubt
from bayescope.gui.models.data.errors.suspicious_sizes import SuspiciousSize, suspicious_sizes
from bayescope.gui.models.data.keys.asked_factor import AskedFactor, asked_factor
from bayescope.gui.models.data.keys.by_places import ByPlaces
from bayescope.gui.models.data.keys.clock_shift import first_clock_shift, mends
from bayescope.gui.models.data.keys.grid_keys import Grid, grid_offered
from bayescope.gui.models.data.keys.keyed_instead import Keyed, keyed_instead
from bayescope.gui.models.data.keys.known_keys import known_keys
from bayescope.gui.models.data.keys.order_doubt import order_doubt, order_unproved
from bayescope.gui.models.data.keys.same_pairing import SamePairing, first_alike
from bayescope.gui.models.data.keys.same_shift import open_shift
from bayescope.gui.models.data.keys.told_start_key import told_start_key, with_told_start
from bayescope.gui.models.data.last_pair import LastPair, last_pair
from bayescope.gui.models.data.new_comparison import compared_by_name
from bayescope.gui.models.data.proposal import Proposal, proposal
from bayescope.gui.models.data.replicates import named_repeats
from bayescope.gui.models.data.rows.ending_table import Ending, ending_table
from bayescope.gui.models.data.rows.flagged_rows import Flagged, flagged
from bayescope.gui.models.data.rows.lacking_rows import lacks_rows
from bayescope.gui.models.data.rows.left_out import matches_of
from bayescope.gui.models.data.rows.special_row import ToldRow, told_rows
from bayescope.gui.models.data.summary_keys import (
    SummaryMend,
    mended_summaries,
    summaries_by_name,
    summary_day_doubt,
    with_summaries_of,
)
from bayescope.gui.models.data.summary_lengths import unfit_summary
from bayescope.gui.models.data.summed_columns import first_sum
from bayescope.gui.models.data.tables.further_sheets import FurtherSheets
from bayescope.gui.models.data.tables.repeated_places import Repeated, first_repeated
from bayescope.gui.models.data.tables.split_table import Split, split_by_names
from bayescope.gui.models.data.taking_part import idle, unpaired
from bayescope.gui.models.data.units.other_units import OtherUnit
from bayescope.gui.models.data.units.unit_doubts import first_doubts
from bayescope.gui.models.data.units.untold_signs import untold_sign
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.pages.data.step import Pairing


class PairingTold:
    """Of the present problem; long tables take time."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        self.sheets = FurtherSheets()
        self.remarks: tuple[str, ...] = ()  # lines of the files around their tables
        self._of: tuple[object, ...] | None = None  # the problem, its test runs, and the files that data were read from
        self._by_name: Problem | None = None
        self._split: Split | None = None
        self._proposal: Proposal | None = None
        self._repeated: Repeated | None = None
        self._flagged: tuple[Flagged, ...] = ()
        self._special: tuple[ToldRow, ...] = ()
        self._sizes: tuple[SuspiciousSize, ...] = ()
        self._counting: tuple[Counting, Problem] | None = None
        self._kept: frozenset[str] | None = None  # doubts that are answered, of which the next two are not
        self._units: tuple[int, OtherUnit] | None = None
        self._far_off: tuple[int, OtherUnit] | None = None
        self._untold: tuple[int, str] | None = None
        self._by_day: ByDay | None = None
        self._lacks = True
        self._keyed: Keyed | None = None
        self._alike: tuple[int, SamePairing] | None = None
        self._ending: Ending | None = None
        self._grid: Grid | None = None
        self._factor: AskedFactor | None = None
        self._last: LastPair | None = None
        self._clock_mends = False
        self._summary: SummaryMend | None = None

    def told(self, locked: bool) -> Pairing:
        """``locked``: nothing is to be changed any more."""
        if locked:
            return Pairing()
        problem, report = self.trial.problem.declared, self.trial.report
        told, lines = self.trial.told, self.trial.answers.lines  # of an earlier window, where this one has had no test run
        of = (problem, report, self.trial.second, self.trial.answers.settled.files, told)
        if self._of is None or any(now is not then for now, then in zip(of, self._of, strict=True)):
            self._of = of
            self._counting = _to_count(problem, report, self.trial)
            self._by_name, self._split = None, split_by_names(problem, self.trial)
            self._proposal = proposal(problem, self.trial)
            self._repeated, self._flagged = first_repeated(problem), flagged(problem, self._legends())
            self._ending = ending_table(problem, report, self.trial.second)
            self._special, self._sizes = tuple(told_rows(problem)), suspicious_sizes(problem)
            unfit = self.trial.unfit()
            self._lacks = unfit is None or lacks_rows(problem, unfit[0], report)
            self._keyed = None if unfit is None else self._keyed_by(problem, unfit[0], report)
            self._clock_mends = unfit is not None and mends(problem, unfit[0], report, lines)
            asks = unfit is not None and self._keyed is None
            self._factor = asked_factor(problem, unfit[0], report, self.trial.answers.keys) if unfit and asks else None
            self._alike = first_alike(problem, report) if unfit is None else None
            waiting = not all(m.column for m in matches_of(problem)) or not matches_of(problem)
            self._grid = grid_offered(problem, report) if waiting else None
            self._last = last_pair(problem, idle(problem, known_keys(problem, self.trial).steady), self.trial)
            short = unfit_summary(problem, report) if report is not None else None
            self._summary = summaries_by_name(problem, known_keys(problem, self.trial), self.trial.run_seconds)
            if short is not None:
                self._summary = mended_summaries(problem, short[0], report, self.trial.answers.keys)
            self._kept = None
            self._by_day = first_by_day(problem, report) if unfit is None else mending_by_day(problem, unfit[0], report)
            if isinstance(problem.meaning, Predictions) and problem.data is not None and problem.outputs:
                self._by_name = _more_by_name(problem, self.trial)
        contradicted: ByPlaces | None = order_doubt(self.trial.answers, report, self.trial.second)
        answered = self.trial.answers.settled.kept
        if self._kept != (kept := frozenset(answered)):  # a no to one of them brings the next
            self._kept = kept
            self._units, self._far_off = first_doubts(problem, told, lines, kept)
            self._untold = untold_sign(problem, told, kept)
        special = next((row for row in self._special if row.words not in answered), None)
        split = None if self._split is None or self._split.question in answered else self._split
        known = known_keys(problem, self.trial)
        self.sheets.recall(self.trial.answers.settled.files)
        sheet = self.sheets.next(problem, known.steady, self._by_name, answered)
        proposed = self._proposal if sheet is None else None  # what it holds may fit better
        if split is not None and proposed is not None and not proposed.sure and split.compared > proposed.compared:
            proposed = None  # names tell more once the table is split
        return Pairing(
            self.trial.tried, bool(self.trial.lacking()), contradicted, self._by_name, split, proposed, special,
            self._counting, self._units, self._lacks,
            self._day_doubt(), None if self._by_day is None or self._by_day.words in answered else self._by_day,
            first_echo(problem, known, answered) or first_sum(problem, answered), grid=self._grid, keyed=self._keyed, sheet=sheet,
            repeated=None if self._repeated is None or self._repeated.words in answered else self._repeated,
            seed=None if (seed := seed_doubt(problem)) is None or seed.words in answered else seed,
            far_off=self._far_off,
            ending=None if self._ending is None or self._ending.words in answered else self._ending,
            alike=None if contradicted or self._alike is None or self._alike[1].words in answered else self._alike,
            unproved=order_unproved(self.trial.answers, report), untold=self._untold,
            shifted=open_shift(problem, answered),
            doubtful=size_doubt(problem, answered),
            sizes=next((one for one in self._sizes if one.words not in answered), None),
            flagged=next((one for one in self._flagged if one.words not in answered), None), factor=self._factor,
            last=self._last, summary=self._summary, clock=first_clock_shift(problem, lines, answered),
            clock_mends=self._clock_mends,
        )  # fmt: skip

    def _legends(self) -> tuple[str, ...]:
        """Lines of the files that say what flags mean."""
        return tuple(line for one in self.trial.answers.settled.files for line in one.legends)

    def _day_doubt(self) -> DayDoubt | None:
        settled = self.trial.answers.settled
        problem = self.trial.problem.declared
        asked = self.trial.report, settled.kept, settled.guessed_days
        if hasattr(problem.meaning, "summaries"):
            doubt = with_summaries_of(problem, summary_day_doubt(problem, *asked))
        else:
            doubt = first_day_doubt(problem, *asked)
        return with_told_start(problem, doubt, self.trial.answers.lines, settled.kept)

    def _keyed_by(self, problem: Problem, row: int, report: TrialRunReport | None) -> Keyed | None:
        """By another key; first by the clock from the start that the data file tells."""
        told = told_start_key(problem, row, report, self.trial.answers.lines)
        if told is not None:
            return Keyed(told.problem, told.column, scaled=told.words)
        return keyed_instead(problem, row, report, self.trial.answers.keys)


def _to_count(problem: Problem, report: TrialRunReport | None, trial: Trial) -> tuple[Counting, Problem] | None:
    """Dates of the first comparison that does not fit, as ``dates_to_count`` has them, and the problem with them counted."""
    unfit = trial.unfit()
    one = dates_to_count(problem, unfit[0], report) if unfit is not None else None
    return None if one is None or unfit is None else (one, with_dates_counted(problem, unfit[0], report, one))


def _more_by_name(problem: Problem, trial: Trial) -> Problem | None:
    """``problem`` with what names tell of outputs and columns that are in no comparison yet; None: they tell nothing more."""
    named, present = compared_by_name(problem, trial), {(m.output, m.column) for m in matches_of(problem)}
    new = [m for m in matches_of(named) if m.column and (m.output, m.column) not in present]
    if not present:
        return named if new else None
    left = unpaired(problem, open_too=True)
    named_again = named_repeats(problem)
    free = [m.column in left.columns and (m.output in left.outputs or named_again.get(m.column) == m.output) for m in new]
    return named if any(m.output in left.outputs for m in new) and all(free) else None
