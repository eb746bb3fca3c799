"""How a file of measured data is to be read, where somebody says it."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..errors.expanded_errors import Coverage
from ..tables.detection_limits import Taken
from ..tables.table_lines import Told


@dataclass(frozen=True)
class Options:
    """How a file is to be read. None: find out.

    ``delimiter``: a character, ' ' for any white space, '' for one column. ``part``: which of the file's tables, from 0, or
    ALL_PARTS. ``turned``: the quantities are rows. ``missing``: numbers that stand for missing values. ``nothing``: words
    (in lower case) that say in a column of numbers that there is none. ``outputs``: names that help to find out what is what.
    ``relative``: errors in percent of values are made errors in their unit. ``told``: of lines that hold no measurement.
    ``coverage``: of expanded uncertainties. ``day_first``: in dates such as 01/05/2024, where no number tells.
    ``minutes``: times such as 01:30 are minutes and seconds, where no heading tells.
    ``intervals``: limits of confidence become standard deviations, where ``named``.
    ``moments``: a column of dates and one of the clock are one, where ``named``.
    ``limits_taken``: <0.05 lies below 0.05, or is 0.025, or is left out. ``marked_out``: so are numbers such as 1.5*.
    ``legends``: lines of the file that say what flags mean, which the reader finds.
    ``named``: units below the names go to them, columns called just ± or k=2 are named after others; not in problem files.
    """

    delimiter: str | None = None
    decimal_comma: bool | None = None
    header: bool | None = None
    part: int | None = None
    turned: bool | None = None
    missing: tuple[float, ...] | None = ()
    nothing: frozenset[str] = frozenset()
    outputs: tuple[str, ...] = ()
    relative: bool = False
    told: Told = field(default_factory=Told)
    coverage: Coverage = field(default_factory=Coverage)
    day_first: bool | None = None
    minutes: bool | None = None
    intervals: bool = True
    moments: bool = True
    limits_taken: Taken = "sides"
    marked_out: bool = False
    named: bool = False
    legends: tuple[str, ...] = ()
