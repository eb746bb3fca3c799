"""Expanded uncertainties among measured data: divided by their coverage factor, unless they are to be taken as they are.

A capital U is the sign of an expanded uncertainty, u that of a standard one (JCGM 100:2008, GUM, sections 2.3.5 and 6.2.1).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...numbers.shown_digits import spoken
from ..names.column_names import STANDARD_ERROR, says_sd, sd_columns
from ..tables.table_lines import Apart
from .error_headings import Column, error_headings, factor_in
from .interval_headings import says_half_width
from .levels import EXPANDED, OF_LEVEL, USUAL, factor_of_level
from .stated_level import without_level

_CAPITAL = re.compile(r"U[\W_]")
_STANDARD = re.compile(
    rf"(?<![^\W_])(?:st(?:andar)?d|stdev|stddev|sd|sigma|\u03c3|(?-i:u)|{STANDARD_ERROR})(?![^\W_])", re.IGNORECASE
)


@dataclass(frozen=True)
class Coverage:
    """What a person says of expanded uncertainties. ``undivided``: those whose factor is said stay as they are. ``factor``: of
    those that do not say it; None: nobody told, and they stay as they are. ``stated``: what the file says of all of them in words
    beside its table; None: it says nothing. ``all_expanded``: that all errors are expanded ones."""

    undivided: bool = False
    factor: float | None = None
    stated: float | None = None
    all_expanded: bool = False


@dataclass(frozen=True)
class Expanded:
    """A column or line of expanded uncertainties: ``where`` it is, in words; ``said``: the factor ``k`` stands there; ``column``:
    its name, '' of a line; ``width``: they seem to be half the widths of intervals of a level."""

    where: str
    k: float
    said: bool
    column: str = ""
    width: bool = False

    def by(self, coverage: Coverage) -> float:
        """What they are divided by, 1 where they stay as they are."""
        if not self.said:
            return self.k if self.width and coverage.factor == USUAL else coverage.factor or 1.0
        return 1.0 if coverage.undivided else self.k

    def words(self, coverage: Coverage) -> str:
        """What becomes of them; '' where nobody told and nothing does."""
        k = self.k if self.said else self.by(coverage) if coverage.factor else None
        if k is None:
            return ""
        if coverage.undivided if self.said else k == 1.0:
            return f"{self.where} is taken as standard deviations, not divided by {spoken(self.k)}."
        return f"{self.where} holds expanded uncertainties (k = {spoken(k)}): they are divided by {spoken(k)}."


def divided(
    columns: Mapping[str, Column], names: Sequence[str], given: Sequence[str], coverage: Coverage
) -> tuple[dict[str, Column], tuple[Expanded, ...]]:
    """``columns`` with the expanded uncertainties among them as standard deviations; and which these are.

    ``names``: of all columns of the table, as they were ``given`` by its headings.
    """
    headings = error_headings(given, [i for i, name in enumerate(names) if name in columns])
    sds = sd_columns(list(columns))
    made, found = dict(columns), []
    for i, (name, heading) in enumerate(zip(names, given, strict=True)):
        k = headings[i].k if i in headings else 1.0
        bare = heading.strip().strip('"')
        meant = _says_expanded(bare) or (coverage.all_expanded and _STANDARD.search(bare) is None)
        unsaid = name in sds and k == 1.0 and factor_in(heading) is None and meant
        if unsaid and (told := factor_of_level(heading) or coverage.stated) is not None:
            k, unsaid = told, False
        if name not in columns or (k == 1.0 and not unsaid):
            continue
        if i in headings and headings[i].unsure:
            found.append(Expanded(f"Column “{name}”", k, False, name, width=True))
        else:
            found.append(Expanded(f"Column “{name}”", USUAL if unsaid else k, not unsaid, name))
        by = found[-1].by(coverage)
        if by != 1.0:
            made[name] = tuple(None if v is None else v / by for v in columns[name])
    return made, tuple(found)


def stated_factor(remarks: Sequence[str]) -> float | None:
    """The one factor that lines of words about errors say, as k = 3 or by a level of coverage; None: none, or several."""
    said = {factor_in(line) or (factor_of_level(line) if OF_LEVEL.search(line) else None) for line in remarks} - {None}
    return said.pop() if len(said) == 1 else None


def with_remarks(coverage: Coverage, remarks: Sequence[str]) -> Coverage:
    """``coverage`` with what lines of words about errors say."""
    return replace(coverage, stated=stated_factor(remarks), all_expanded=all_are_expanded(remarks))


def all_are_expanded(remarks: Sequence[str]) -> bool:
    """Whether a line of words about errors says that they are expanded, or half the widths of intervals, by which factor, and no
    size: ±: expanded, k = 2."""
    left = [without_level(line) for line in remarks if EXPANDED.search(line) or says_half_width(line)]
    return any(one.said and not any(c.isdigit() for c in one.words) for one in left)


def _says_expanded(heading: str) -> bool:
    """Of a column of errors: whether they are expanded ones. U_err is the error of a U."""
    return EXPANDED.search(heading) is not None or (_CAPITAL.match(heading) is not None and not says_sd(heading))


def divided_line(apart: Apart, coverage: Coverage) -> tuple[Apart, tuple[Expanded, ...]]:
    """The same of a line of errors that is to be taken as such."""
    row = apart.errors
    if row is None or (row.times == 1.0 and not row.expanded):
        return apart, ()
    place, said = apart.cells.place(row.row), row.times if row.times != 1.0 else coverage.stated
    found = Expanded(place, USUAL if said is None else said, said is not None)
    return replace(apart, errors=replace(row, times=found.by(coverage))), (found,)
