"""The pairing of one comparison for all the others that have the same keys. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.key_scale import scale_of
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.keys.copied_pairing import copied_to, way_of
from bayescope.gui.models.data.keys.own_columns import by_own_columns
from bayescope.gui.models.plain import in_quotes, one_line

LONGEST = 20  # characters of the names of keys on a button


@dataclass(frozen=True)
class SamePairing:
    """``problem`` with ``count`` more comparisons paired as one is, by the data columns ``columns`` (words); ``otherwise``: they
    have that key already, with another factor, tolerance or way between its rows. ``called``: what the key is called in the files
    of others, where it is another name."""

    problem: d.Problem
    columns: str
    count: int
    otherwise: bool = False
    called: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        n, columns = self.count, one_line(self.columns, 30)
        if self.otherwise:
            others = "Another comparison is" if n == 1 else f"{n} other comparisons are"
            return f"{others} paired by “{columns}” too, but not in the same way."
        others = "Another comparison has" if n == 1 else f"{n} other comparisons have"
        named = f", called {in_quotes(self.called)} there," if self.called else ""
        return f"{others} the key “{columns}”{named} and {'is' if n == 1 else 'are'} not paired by it."


def pair_by(columns: str, count: int, how: str = "Pair", by: str = "&by") -> str:
    """Words of a button that pairs ``count`` comparisons at once by the data columns ``columns``."""
    name = one_line(columns, LONGEST).replace("&", "&&")
    return f"{how} all {count} {by} {name}" if count > 1 else f"{how} {by} {name}"


def paired_anew(before: d.Problem, after: d.Problem) -> int:
    """How many comparisons have other keys ``after`` than ``before``."""
    if not isinstance(before.meaning, d.Predictions) or not isinstance(after.meaning, d.Predictions):
        return 0
    return sum(old.keys != new.keys for old, new in zip(before.meaning.matches, after.meaning.matches, strict=False))


def first_alike(problem: d.Problem, report: TrialRunReport | None) -> tuple[int, SamePairing] | None:
    """The first comparison with a key that pairs others too, which are paired by none; and these with it."""
    matches = problem.meaning.matches if isinstance(problem.meaning, d.Predictions) else ()
    if all(m.keys for m in matches):
        return None
    for i, match in enumerate(matches):
        if match.keys and (found := for_all(problem, i, report, in_order=True)) is not None:
            return i, found
    return None


def _columns(match: d.Match) -> tuple[str, ...]:
    return tuple(column for _, column in match.keys)


def for_all(
    problem: d.Problem, index: int, report: TrialRunReport | None, in_order: bool = False
) -> SamePairing | None:
    """The pairing of comparison ``index`` for the others whose rows it pairs too; None: there are none, or it has no key.
    ``in_order``: only for those that have no key of their own."""
    meaning = problem.meaning
    data = problem.data
    if report is None or data is None or not isinstance(meaning, d.Predictions) or not 0 <= index < len(meaning.matches):
        return None
    mine = meaning.matches[index]
    columns = _columns(mine)
    same = [i for i, m in enumerate(meaning.matches) if _columns(m) == columns]
    own = [i for i, m in enumerate(meaning.matches) if m.keys and _columns(m) == _columns(by_own_columns(data, m, mine))]
    left = [i for i, m in enumerate(meaning.matches) if i not in (index, *same, *own) and not (in_order and m.keys)]
    changed, done = copied_to(problem, left if columns else (), report, mine)
    otherwise = [i for i in same if i != index and way_of(meaning.matches[i]) != way_of(mine)]
    if scale_of(mine).plain:  # a shift that somebody gave another is not taken away so
        otherwise = [i for i in otherwise if scale_of(meaning.matches[i]).plain]
    if otherwise and columns and not in_order and not done:
        changed, done = copied_to(problem, otherwise, report, mine)
    if not done:
        return None
    assert isinstance(changed.meaning, d.Predictions)
    used = dict.fromkeys(column for i in done for _, column in changed.meaning.matches[i].keys if column not in columns)
    return SamePairing(changed, " and ".join(columns), len(done), not paired_anew(problem, changed), tuple(used))
