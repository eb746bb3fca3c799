"""A column of texts that says of each row whether its measurement is good: ok, spike, suspect. It names no quantity."""

from __future__ import annotations

from dataclasses import dataclass

from ... import definition as d
from ..names.column_names import loose_name
from ..rows.text_keys import plain

_NAMES = frozenset("flag flags quality qc qa qflag qcflag status valid validity".split())
# where a text stands in such a column, the row is no good: outlier? x
_NAMES_OF_BAD = frozenset("outlier outliers bad exclude excluded reject rejected discard omit suspect ignore invalid".split())
_ENDINGS = frozenset("flag flags qc quality status".split())  # quality flag, data quality, R flag
GOOD = frozenset("ok okay good g valid pass passed fine normal yes true accepted useful clean gut bon".split())
BAD = frozenset(
    "bad b poor suspect suspicious doubtful questionable invalid reject rejected outlier error fail failed missing broken spike "
    "saturated saturation clipped drift noise noisy fault faulty unreliable discard discarded exclude excluded no false".split()
)
_GOOD_OF_BAD = frozenset(("no", "n", "false", "ok", "good"))  # outlier: no
FEWEST_GOOD = 2 / 3  # of the rows, where texts alone say what the column is: words of quality are used for other things too


@dataclass(frozen=True)
class Flags:
    """``column`` with the texts of rows that are no good, and these rows, the first is 1."""

    column: str
    bad: dict[str, tuple[int, ...]]

    @property
    def rows(self) -> tuple[int, ...]:
        return tuple(sorted(row for rows in self.bad.values() for row in rows))


def flags_in(table: d.DataTable) -> Flags | None:
    """The first column of flags with rows that are no good; None: there is none, or which rows are good is not told."""
    for column, cells in table.texts.items():
        if says_quality(table, column):
            words = [plain(cell or "") for cell in cells]
            good = {w for w in words if w.casefold() in (_GOOD_OF_BAD if _says_bad(column) else GOOD)}
            good = good or ({""} if "" in words else set())
            told = [w for w in dict.fromkeys(words) if w and w not in good]  # a row without a flag beside good ones is not bad
            bad = {w: tuple(i for i, other in enumerate(words, 1) if other == w) for w in told}
            if good and bad and 2 * sum(map(len, bad.values())) < len(words):
                return Flags(column, bad)
    return None


def _says_bad(column: str) -> bool:
    return loose_name(column).rstrip("? ") in _NAMES_OF_BAD


def says_quality(table: d.DataTable, column: str) -> bool:
    """Whether a column's name says that it holds flags, or all its texts do, most of which are good."""
    name = loose_name(column)
    if _says_bad(column) or name in _NAMES or (name.split()[-1:] and name.split()[-1] in _ENDINGS):
        return True
    words = [plain(cell or "").casefold() for cell in table.texts.get(column, ())]
    told = {w for w in words if w}
    good = sum(w in GOOD or not w for w in words)
    return bool(told & BAD) and bool(told & GOOD) and told <= GOOD | BAD and good >= FEWEST_GOOD * len(words)
