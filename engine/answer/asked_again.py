"""How an answer came about that another analysis' runs gave: whose they are, how many, and what was changed in the question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from ..problem.data.rows.censored import cells_shown
from ..problem.definition import DataTable, Match, Meaning, Predictions, Problem
from ..problem.numbers.shown_digits import spoken
from ..session.errors import DamagedSession
from .likelihood_words import likelihood_words, numbered

if TYPE_CHECKING:
    from ..session.store import SessionStore

_KEY = "asked_again"
MOST_ROWS = 6  # rows of a data table that are told with their values


class AskedAgain(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``first``: name of the analysis that made the runs; ``runs`` of it were judged anew, ``outside`` lay beyond the new bounds.
    ``changes``: of the question, sentences."""

    first: str
    runs: int
    outside: int = 0
    changes: tuple[str, ...] = ()

    def sentences(self, own: int = 0) -> tuple[str, ...]:
        """``own``: runs that this analysis made itself later."""
        n = f"{self.runs} run{'s' if self.runs != 1 else ''}"
        made = f"{own} more runs were made for it." if own else "No run was made for it."
        left = ""
        if self.outside:
            left = f" {self.outside} of its runs lie outside the new bounds and were not taken over."
        return (f"This answer comes from {n} of another analysis, “{self.first}”, judged anew. {made}{left}", *self.changes)


def note(store: SessionStore, told: AskedAgain) -> None:
    store._set_meta(**{_KEY: msgspec.json.encode(told)})


def asked_again(store: SessionStore) -> AskedAgain | None:
    """None where the runs are the analysis' own, or an earlier version took them over. Raises DamagedSession."""
    content = store._meta(_KEY)
    try:
        return None if content is None else msgspec.json.decode(content, type=AskedAgain)
    except msgspec.MsgspecError as error:
        raise DamagedSession(f"What was asked again cannot be read: {error}", str(store.path)) from error


def changes(old: Problem, new: Problem) -> tuple[str, ...]:
    """What differs in what was asked, the program being the same: data, rows left out, likelihood, priors. Sentences."""
    found = [*_data(old.data, new.data), *_rows(old, new), *_likelihood(old, new)]
    before, now = {p.name: p for p in old.parameters}, {p.name: p for p in new.parameters}
    other = [name for name, p in now.items() if name in before and p.prior != before[name].prior]
    other += [name for name in now if name not in before]
    if other:
        found.append(f"Other priors were given for: {', '.join(other)}.")
    ranges = [n for n, p in now.items() if n in before and n not in other and p.plausible != before[n].plausible]
    if ranges:
        found.append(f"Other plausible ranges were given for: {', '.join(ranges)}.")
    return tuple(found)


def _data(old: DataTable | None, new: DataTable | None) -> list[str]:
    if old is None or new is None or (old.columns, old.texts, old.limits) == (new.columns, new.texts, new.limits):
        return []
    if {*old.columns, *old.texts} != {*new.columns, *new.texts}:
        return [f"Other data were given: the columns are {', '.join((*new.columns, *new.texts))}."]
    before, now = _lines(old), _lines(new)
    gone, come = _missing(before, now), _missing(now, before)
    found = [f"Left out of the data: {_told(gone, before)}."] if gone else []
    return found + ([f"Added to the data or changed: {_told(come, now)}."] if come else [])


Line = tuple[tuple[str, float | str | None], ...]


def _lines(table: DataTable) -> list[Line]:
    """The rows of a table, each as (column, entry), by name of the column."""
    columns = {**cells_shown(table), **table.texts}
    names = sorted(columns)
    return [tuple(zip(names, row, strict=True)) for row in zip(*(columns[n] for n in names), strict=False)]


def _missing(here: Sequence[Line], there: Sequence[Line]) -> list[int]:
    """Which of ``here``, from 0, have no equal in ``there``."""
    left, found = Counter(there), []
    for k, line in enumerate(here):
        if left[line]:
            left[line] -= 1
        else:
            found.append(k)
    return found


def _told(which: Sequence[int], lines: Sequence[Line]) -> str:
    if len(which) > MOST_ROWS:
        return f"{len(which)} rows of the table, {numbered([k + 1 for k in which])}"
    each = [f"{c} {spoken(v)}" if isinstance(v, float) else f"{c} {v}" for k in which for c, v in lines[k] if v is not None]
    if len(which) > 1:
        return f"rows {numbered([k + 1 for k in which])} of the table"
    return f"row {which[0] + 1} of the table ({', '.join(each)})"


def _rows(old: Problem, new: Problem) -> list[str]:
    """Rows that a comparison leaves out now, or takes in again."""
    before, found = {_pair(m): m for m in _matches(old)}, []
    for match in _matches(new):
        was = set(before[_pair(match)].left_out) if _pair(match) in before else set()
        for words, rows in (("Left out", set(match.left_out) - was), ("Taken in again", was - set(match.left_out))):
            if rows:
                many = "rows" if len(rows) > 1 else "row"
                where = f"where output “{match.output}” is compared with “{match.column}”"
                found.append(f"{words}, {where}: {many} {numbered(rows)}.")
    return found


def _matches(problem: Problem) -> tuple[Match, ...]:
    return problem.meaning.matches if isinstance(problem.meaning, Predictions) else ()


def _pair(match: Match) -> tuple[str, str]:
    return match.output, match.column


def _likelihood(old: Problem, new: Problem) -> list[str]:
    """The likelihood in full where it is another, but for rows left out."""
    one, two = (likelihood_words(_with_all_rows(p)) for p in (old, new))
    if one == two:
        return []
    gone = [words for words in (one[0], *one[1]) if words not in (two[0], *two[1])]
    come = [words for words in (two[0], *two[1]) if words not in (one[0], *one[1])]
    return [*(f"It was: {words}" for words in gone), *(f"It is now: {words}" for words in come)]


def _with_all_rows(problem: Problem) -> Meaning:
    meaning = problem.meaning
    if not isinstance(meaning, Predictions):
        return meaning
    whole = tuple(msgspec.structs.replace(m, left_out=(), outside=None) for m in meaning.matches)
    return msgspec.structs.replace(meaning, matches=whole)
