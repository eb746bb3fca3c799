"""A column that says of each row whether its measurement is good: ok, spike, suspect; A, P; 0, 1. It names no quantity and holds
no measured values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from ... import definition as d
from ..names.column_names import loose_name, says_where, without_unit
from ..rows.text_keys import plain
from .flag_legends import Legend, is_good, meanings_of
from .quality_words import BAD, GOOD, speaks_against

OF_FLAGS = "whether it is good."  # how the note on a column of flags ends
_NAMES = frozenset("flag flags quality qc qa qflag qcflag status valid validity qualifier qualifiers approval".split())
# of numbers, where quality alone may be what was measured
_SURELY = frozenset("flag flags qc qa qf qflag qcflag qccode qualityflag qualitycode qualifier flagged".split())
_PERHAPS = frozenset("quality code status valid validity".split())
# where a text stands in such a column, the row is no good: outlier? x
_NAMES_OF_BAD = frozenset("outlier outliers bad exclude excluded reject rejected discard omit suspect ignore invalid".split())
_ENDINGS = frozenset("flag flags qc quality status qualifier qualifiers".split())  # quality flag, data quality, R flag
_OF_CODES = frozenset("quality qc qa data qualifier status validation".split())  # quality code, but not station code
MOST_FLAGS = 12  # different whole numbers; more are counts
_CODE = re.compile(r"[0-9]{1,4}|[A-Za-z](?::?[A-Za-z]){0,2}")  # 0, 200; A, P, A:e
_OF_ONE = re.compile(r"(?P<name>[^\W\d_]\w*)\s*[:=\s]\s*(?:[0-9]{1,4}|[A-Za-z])")
_GOOD_OF_BAD = frozenset(("no", "n", "false", "ok", "good"))  # outlier: no
FEWEST_GOOD = 2 / 3  # of the rows, where texts alone say what the column is: words of quality are used for other things too


@dataclass(frozen=True)
class Flags:
    """``column`` with the texts of rows that are no good, and these rows, the first is 1. ``meanings``: what the file says of
    the texts."""

    column: str
    bad: dict[str, tuple[int, ...]]
    meanings: Mapping[str, str] = field(default_factory=dict)

    def is_bad(self, text: str) -> bool:
        """Whether the text itself, or what the file says of it, is a word against the row."""
        meaning = self.meanings.get(text, "")
        words = re.findall(r"[^\W\d_]+", meaning.casefold())
        return text.casefold() in BAD or (bool(words) and (words[0] in BAD or speaks_against(meaning)))

    @property
    def rows(self) -> tuple[int, ...]:
        return tuple(sorted(row for rows in self.bad.values() for row in rows))


def flags_in(table: d.DataTable) -> Flags | None:
    """The first column of flags with rows that are no good; None: there is none, or which rows are good is not told."""
    return next(iter(all_flags(table)), None)


def all_flags(table: d.DataTable, legend: Legend | None = None) -> list[Flags]:
    """Every column of flags with rows that are no good, where it is told which rows are good; by the file's ``legend`` first."""
    legend = legend or {}
    columns = ((c, cells) for c, cells in table.texts.items() if says_quality(table, c) or loose_name(c) in legend)
    found = (_flags(c, cells, _of_its_table(table, cells), meanings_of(legend, c)) for c, cells in columns)
    return [flags for flags in found if flags is not None]


def _of_its_table(table: d.DataTable, cells: Sequence[str | None]) -> list[bool]:
    """Which rows are of the table that a column of flags is of, where tables of several files stand below each other: those with
    a flag, and those with a value in a column that has one beside a flag, but for places and what all rows have."""
    flagged = [bool(plain(cell or "")) for cell in cells]
    beside = [c for name, c in table.columns.items() if not says_where(name) and any(v is None for v in c)]
    measured = [c for c in beside if any(f and v is not None for f, v in zip(flagged, c, strict=False))]
    if not measured:
        return [True] * len(flagged)
    return [f or any(i < len(c) and c[i] is not None for c in measured) for i, f in enumerate(flagged)]


def _flags(column: str, cells: Sequence[str | None], its: Sequence[bool], meanings: Mapping[str, str]) -> Flags | None:
    """``its``: which of the rows are of the table that the column is of; the others have no flags. ``meanings``: of codes, as
    the file says them."""
    words = [plain(cell or "") for cell, own in zip(cells, its, strict=True) if own]
    if told := {w for w in words if w in meanings and is_good(meanings[w])}:
        bad = {w: tuple(i for i, cell in enumerate(cells, 1) if plain(cell or "") == w)
               for w in dict.fromkeys(words) if w and w not in told}  # fmt: skip
        return Flags(column, bad, meanings) if bad else None
    good = {w for w in words if w.casefold() in (_GOOD_OF_BAD if _says_bad(column) else GOOD)}
    good = good or _mostly_zero(words) or ({""} if "" in words else set()) or _commonest(words, surely_flags(column))
    others = [w for w in dict.fromkeys(words) if w and w not in good]  # a row without a flag beside good ones is not bad
    bad = {w: tuple(i for i, cell in enumerate(cells, 1) if plain(cell or "") == w) for w in others}
    return Flags(column, bad, meanings) if good and bad and 2 * sum(map(len, bad.values())) < len(words) else None


def _mostly_zero(words: Sequence[str]) -> set[str]:
    """0 where it is more than half of the codes that there are, be they whole numbers; empty: it is not."""
    codes = [word for word in words if word]
    return {"0"} if 2 * codes.count("0") > len(codes) and all(code.isdecimal() for code in codes) else set()


def _commonest(words: Sequence[str], sure: bool) -> set[str]:
    """The code that more than half of the rows have, of codes that say nothing by themselves, or where it is ``sure`` that they
    are flags; empty: there is none."""
    text, count = Counter(words).most_common(1)[0]
    of_codes = all(_CODE.fullmatch(word) for word in ([text] if sure else words))
    return {text} if 2 * count > len(words) and of_codes else set()


def surely_flags(column: str) -> bool:
    """Whether what stands under a heading are flags, whatever it is."""
    return _is_called_so(loose_name(column))


def value_flagged(flag: str, columns: Iterable[str]) -> list[str]:
    """Those of ``columns`` that a flag names before its code, whose values alone it is of: TA 4, salinity:Q; none: of the row."""
    found = _OF_ONE.fullmatch(flag.strip())
    return [] if found is None else [c for c in columns if loose_name(without_unit(c)) == loose_name(found["name"])]


def flags_as_texts(
    table: d.DataTable, outputs: Collection[str] = (), legend: Legend | None = None
) -> tuple[d.DataTable, tuple[str, ...]]:
    """``table`` with its columns of numbers that are flags as texts, and their names: unless nothing else is measured, or one of
    the ``outputs`` is called so. ``legend``: columns whose codes the file explains are flags, too."""
    known = {loose_name(name) for name in outputs}
    unknown = {c: cells for c, cells in table.columns.items() if loose_name(c) not in known}
    explained = legend or {}
    found = [c for c, cells in unknown.items() if _are_flags(c, cells) or _explained(cells, explained.get(loose_name(c), {}))]
    if not any(c not in found and not says_where(c) for c in table.columns):
        return table, ()
    texts = {c: tuple(None if v is None else f"{v:.0f}" for v in table.columns[c]) for c in found}
    columns = {c: cells for c, cells in table.columns.items() if c not in found}
    return msgspec.structs.replace(table, columns=columns, texts={**table.texts, **texts}), tuple(found)


def flags_as_numbers(table: d.DataTable, column: str) -> tuple[float | None, ...] | None:
    """The numbers that a column of flags held in its file; None: it holds words, or no flags."""
    cells = table.texts.get(column, ())
    if not says_quality(table, column) or not all(cell is None or cell.isdecimal() for cell in cells):
        return None
    return tuple(None if cell is None else float(cell) for cell in cells)


def _are_flags(column: str, cells: Sequence[float | None]) -> bool:
    """Whether a column holds a few whole numbers under a name of flags."""
    there = [v for v in cells if v is not None]
    few = 0 < len(set(there)) <= min(MOST_FLAGS, len(there) // 2)
    if not few or not all(v >= 0 and v.is_integer() for v in there):
        return False
    name, most = loose_name(column), Counter(there).most_common(1)[0][1]
    return _is_called_so(name) or (_may_be_called_so(name) and 2 * most > len(there))


def _explained(cells: Sequence[float | None], meanings: Mapping[str, str]) -> bool:
    """Whether every number of a column is a code of those ``meanings``."""
    there = {v for v in cells if v is not None}
    return bool(there) and bool(meanings) and all(v.is_integer() and f"{v:.0f}" in meanings for v in there)


def _is_called_so(name: str) -> bool:
    """Whether numbers under a name, a loose one, are flags whatever they are."""
    words = name.split()
    return "".join(words) in _SURELY or words[:1] in (["flag"], ["qc"]) or words[-1:] in (["flag"], ["flags"], ["qc"])


def _may_be_called_so(name: str) -> bool:
    words = name.split()
    return "".join(words) in _PERHAPS or (words[-1:] == ["code"] and not _OF_CODES.isdisjoint(words))


def _says_bad(column: str) -> bool:
    return loose_name(column).rstrip("? ") in _NAMES_OF_BAD


def says_quality(table: d.DataTable, column: str) -> bool:
    """Whether a column's name says that it holds flags, or all its texts do, most of which are good."""
    name = loose_name(column)
    if _is_called_so(name) or _may_be_called_so(name):
        codes = [c for cell in table.texts.get(column, ()) if (c := plain(cell or ""))]
        if codes and len(set(codes)) <= MOST_FLAGS and all(code.isdecimal() for code in codes):
            return True
    if _says_bad(column) or name in _NAMES or (name.split()[-1:] and name.split()[-1] in _ENDINGS) or _of_another(table, column):
        return True
    words = [plain(cell or "").casefold() for cell in table.texts.get(column, ())]
    told = {w for w in words if w}
    good = sum(w in GOOD or not w for w in words)
    return bool(told & BAD) and bool(told & GOOD) and told <= GOOD | BAD and good >= FEWEST_GOOD * len(words)


def is_flags(table: d.DataTable, column: str) -> bool:
    """Whether it is a column of texts that says of each row whether it is good: rows are never paired by it."""
    return column in table.texts and says_quality(table, column)


def _of_another(table: d.DataTable, column: str) -> bool:
    """Whether a column is called after another one, and code: flow and flow_cd, as gauges have it."""
    stem = re.sub(r"[ _](?:cd|code|qual)$", "", column.strip(), flags=re.IGNORECASE)
    return stem != column.strip() and any(without_unit(name) == stem for name in table.columns)
