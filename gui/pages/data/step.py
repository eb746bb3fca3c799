"""A question or a fault on the Data page, and what test runs tell of the pairing. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from bayescope.engine.problem.data.rows.order_places import Unproved
from bayescope.engine.problem.definition import Problem
from bayescope.gui.models.data.dates.counted_dates import Counting
from bayescope.gui.models.data.dates.day_doubt import DayDoubt
from bayescope.gui.models.data.dates.day_pairing import ByDay
from bayescope.gui.models.data.echoes import Echo
from bayescope.gui.models.data.errors.own_scatter import SeedDoubt
from bayescope.gui.models.data.errors.size_doubts import SizeDoubt
from bayescope.gui.models.data.errors.stated_sizes import Stated
from bayescope.gui.models.data.errors.suspicious_sizes import SuspiciousSize
from bayescope.gui.models.data.keys.asked_factor import AskedFactor
from bayescope.gui.models.data.keys.by_places import ByPlaces
from bayescope.gui.models.data.keys.clock_shift import ClockShift
from bayescope.gui.models.data.keys.grid_keys import Grid
from bayescope.gui.models.data.keys.keyed_instead import Keyed
from bayescope.gui.models.data.keys.same_pairing import SamePairing
from bayescope.gui.models.data.keys.same_shift import OtherShift
from bayescope.gui.models.data.last_pair import LastPair
from bayescope.gui.models.data.proposal import Proposal
from bayescope.gui.models.data.rows.ending_table import Ending
from bayescope.gui.models.data.rows.flagged_rows import Flagged
from bayescope.gui.models.data.rows.special_row import ToldRow
from bayescope.gui.models.data.summary_keys import SummaryMend
from bayescope.gui.models.data.tables.further_sheets import FurtherSheet
from bayescope.gui.models.data.tables.repeated_places import Repeated
from bayescope.gui.models.data.tables.split_table import Split
from bayescope.gui.models.data.units.other_units import OtherUnit

if TYPE_CHECKING:
    pass

TABLE, COMPARISON, ERRORS = 0, 1, 2  # tabs
OUTPUTS = "outputs"  # a field that is on the Simulator page
SHEET = "sheet"  # what is asked for is a further table of the file
NOISE = "noise"  # the errors of one comparison
TEST = "test"  # ... or a test run
FACTOR = "factor"  # a factor between two keys, which is asked for
MARK_IT = "&Mark it"  # on the Simulator page
INTERPOLATE = "Interpolate between rows"
MOST_TOLD = 3  # columns named in a question


@dataclass(frozen=True)
class Step:
    """A question or a fault, where it is settled, and the words of the button that leads there.

    ``row``: the comparison it is about; ``field``: of its form, '' for the list of rows that do not fit. ``dismiss``: words of
    the other button, with which ``aside`` (outputs and columns) do not count any more.
    """

    tab: int
    question: str
    hint: str
    button: str
    level: Literal["info", "warning", "error"] = "info"
    row: int | None = None
    field: str = ""
    dismiss: str = ""
    aside: tuple[str, ...] = ()
    out: int | None = None  # the summary that the button leaves out
    others: bool = False  # the other button makes a test run at other values
    settled: bool = False  # it is only said: nothing waits for an answer
    mended: Problem | None = None  # what the button makes of the problem
    undo: str = "Compare a further series"  # what that is called
    caption: str = ""  # of the step in the bar, where the question is too long for it
    confirms: str = ""  # what is noted as said by the user: by the button, or by the other one where the button mends


@dataclass(frozen=True)
class Pairing:
    """What test runs tell of the pairing: how many were ``tried``; whether the newest is ``lacking`` rows that others have; the
    first comparison whose order a key contradicts; and the problem
    with what names tell of outputs in no comparison. ``split``: with the table split by a column of names; ``proposal``: of what
    names do not tell; ``special``: a row that holds no measurement; ``counting``: dates of the
    first comparison that does not fit, to be counted from a day 0, and the problem with them so."""

    tried: int = 0
    lacking: bool = False
    contradicted: ByPlaces | None = None
    by_name: Problem | None = None
    split: Split | None = None
    proposal: Proposal | None = None
    special: ToldRow | None = None
    counting: tuple[Counting, Problem] | None = None
    units: tuple[int, OtherUnit] | None = None  # the first comparison of an output that headings say is in another unit
    lacks: bool = True  # rows that do not fit are some the test run lacks: one at other values may have them
    day: DayDoubt | None = None  # day 0 of dates that nobody confirmed, or that the program contradicts
    by_day: ByDay | None = None  # dates without an hour paired with what a program of hours computes at 0 h
    echo: Echo | None = None  # an output that repeats the column it is compared with
    stated: Stated | None = None  # what the data file says of its errors
    headings: Mapping[str, Stated] = field(default_factory=dict)  # ... and the headings of its columns
    repeated: Repeated | None = None  # a comparison with several measured values at each place
    flagged: Flagged | None = None  # rows that a column of flags says are no good
    sheet: FurtherSheet | None = None  # a table of the file that is not taken yet
    untested: bool = False  # another table came since the last test run that is known
    untold: tuple[int, str] | None = None  # an output multiplied as units say, of whose sign no test run has told
    unproved: Unproved | None = None  # a comparison in order beside a column that says where, before any test run
    grid: Grid | None = None  # a list of several dimensions, compared with the only column beside those of its keys
    seed: SeedDoubt | None = None  # a random seed that is the same in every run
    ending: Ending | None = None  # a table whose end depends on the parameters, with rows measured near it
    keyed: Keyed | None = None  # the first comparison that does not fit, in order, paired by a key instead
    alike: tuple[int, SamePairing] | None = None  # a comparison with a key that others have too, which are taken in order
    shifted: OtherShift | None = None  # comparisons by one key, of which one is shifted otherwise
    far_off: tuple[int, OtherUnit] | None = None  # the first comparison whose predictions are all a power of ten off
    sizes: SuspiciousSize | None = None  # errors that are too large or too small to be standard deviations
    doubtful: SizeDoubt | None = None  # one size in several units, or one that nobody typed
    clock: ClockShift | None = None  # what the data file says of a clock that pairs rows
    clock_mends: bool = False  # shifted so, rows find their partners that find none now
    last: LastPair | None = None  # the only output and the only column that are in no comparison
    summary: SummaryMend | None = None  # what pairs the first summary that does not fit
    factor: AskedFactor | None = None  # the key of the first comparison that does not fit, but for a factor that is not known
