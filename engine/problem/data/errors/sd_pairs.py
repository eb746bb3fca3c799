"""Which column of standard deviations belongs to which column of measured values, by their names and where they stand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache

from ..names.column_names import (
    SD_WORD,
    SD_WORDS,
    TABLES_KNOWN,
    around_sd,
    loose_name,
    plain_name,
    says_sd_of,
    says_where,
    sd_columns,
    unit_in,
    without_mean,
    without_unit,
)
from ..names.series_names import title_of, titled, without_repeat
from ..units.unit_names import LETTER_UNIT_WORDS, NAMES_KNOWN, is_unit
from ..units.unit_scales import times

_SIGN = r"\+/-|\+-|±"
_BEHIND = re.compile(rf"(?P<name>.*?)(?:[\W_]*(?:{_SIGN})[\W_]*|(?:^|[\W_]+)(?:{SD_WORD})[\W_]*\d*)", re.IGNORECASE)
_BEFORE = re.compile(rf"(?:(?:{_SIGN})[\W_]*|(?:{SD_WORD}|u|\u03c3|\u03b4)[\W_]+(?:of[\W_]+)?)(?P<name>.*?)[\W_]*", re.IGNORECASE)


def sd_pairs(columns: Sequence[str]) -> dict[str, str]:
    """Each column of measured values with the column of its standard deviations, of a table's ``columns`` in their order.

    A name that ends like that of its values goes first (Psi_err 65 with Psi 65), then one that says it whole (T sd, u(T)), then
    the longest name in common (T_mean_K, T_mean_err), then one whose name begins that of one column alone (beds_occupied,
    beds_err), then a column called just sd right behind its values, where it is no lone one that may be of several. One that fits
    several columns equally well is given to none, unless they are repeated measurements (I A, I B, SD I); none of another table,
    or of another number, counts.
    """
    return dict(_pairs(tuple(columns)))


@lru_cache(TABLES_KNOWN)
def _pairs(columns: tuple[str, ...]) -> dict[str, str]:
    sds = sd_columns(columns)
    values = [c for c in columns if c not in sds]
    of_table = titled(columns)
    apart = {(v, s) for v in values for s in sds if _of_others(of_table[v][1], of_table[s][1]) or _numbered_apart(v, s)}
    found = _ending_alike(values, sds, apart)
    free = [s for s in sds if s not in found.values()]
    names = {v: [s for s in free if (v, s) not in apart] for v in values if v not in found}
    told = {v: s for v, some in names.items() if (s := _told(v, values, some, columns)) is not None}
    for name_of in (without_unit, lambda column: without_mean(without_unit(column))):
        spelled = {s for v, s in told.items() if _spells(s, name_of(v))}  # of T and t only that which it is spelled like
        told = {v: s for v, s in told.items() if s not in spelled or _spells(s, name_of(v))}
    found |= told
    ranked = sorted(((common_words(v, s), v, s) for v in values for s in sds if (v, s) not in apart), key=lambda one: -one[0])
    for size in dict.fromkeys(size for size, _, _ in ranked if size):
        left = [(v, s) for n, v, s in ranked if n == size and v not in found and s not in found.values()]
        for value, sd in left:
            if [v for v, s in left if s == sd] == [value] and [s for v, s in left if v == value] == [sd]:
                found[value] = sd
    found |= _begun(values, [s for s in sds if s not in found.values()], found, apart)
    found |= _of_repeats(values, [s for s in sds if s not in found.values()], found, apart)
    return {v: found[v] for v in columns if v in found} | _behind(columns, values, sds, found)


def is_own_sd(sds: str, column: str) -> bool:
    """Whether the names alone say that ``sds`` are the errors of ``column``, of the same table."""
    if _of_others(title_of(column), title_of(sds)) or _numbered_apart(column, sds):
        return False
    return says_sd_of(sds, column) or _around(sds, _words) == _cased(_words(without_unit(column)))


def _of_others(title: str, its: str) -> bool:
    """Whether the titles of two tables are there, and are not the same."""
    return bool(title and its) and title != its


def _numbered_apart(value: str, sds: str) -> bool:
    """Whether errors are of values of another number: Psi_err 65, which are not those of Psi 70."""
    around, own = around_sd(sds), _last_number(without_unit(value))
    its = _last_number(around[1]) if around is not None else []
    return bool(own and its) and own != its


@lru_cache(NAMES_KNOWN)
def _last_number(name: str) -> list[str]:
    words = _words_but_units(name)
    return words[next((k + 1 for k in reversed(range(len(words))) if not words[k].isdecimal()), 0) :]


def _ending_alike(values: Sequence[str], sds: Sequence[str], apart: Collection[tuple[str, str]]) -> dict[str, str]:
    """Psi 65 with Psi_err 65: all words of values are those around the word that says errors; their units may differ."""
    found: dict[str, str] = {}
    for words in (_words, _words_but_units):
        left = [v for v in values if v not in found], [s for s in sds if s not in found.values()]
        own = {v: _cased(words(without_unit(v))) for v in left[0]}
        its = {s: named for s in left[1] if (named := _around(s, words))}
        alike = {s: [v for v in left[0] if own[v] == named and (v, s) not in apart] for s, named in its.items()}
        once = Counter(v for some in alike.values() for v in some)
        found |= {some[0]: s for s, some in alike.items() if len(some) == 1 and once[some[0]] == 1}
    return found


def _around(sds: str, words: Callable[[str], list[str]]) -> list[str]:
    """The words around the one that says errors; none if nothing stands on one of its sides."""
    around = around_sd(sds)
    return [] if around is None else _cased(words(" ".join(around)))


def _words_but_units(name: str) -> list[str]:
    """The first word, and each other one that is a number or no unit."""
    return [word for k, word in enumerate(_words(name)) if not k or word.isdecimal() or not _says_unit(word)]


def _told(value: str, values: Sequence[str], sds: Sequence[str], columns: Sequence[str]) -> str | None:
    """The errors whose name says that they are of ``value``: in its own unit, if others are called the same but for theirs."""
    named = [s for s in sds if says_sd_of(s, value, columns)]
    others = {unit_in(v) for v in values if v != value and plain_name(v) == plain_name(value)}
    own = [s for s in named if unit_in(s) == unit_in(value)]
    return next(iter((*own, *(s for s in named if unit_in(s) not in others))), None)


def _spells(sds: str, name: str) -> bool:
    return re.search(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", sds) is not None


def bare_name(sds: str) -> str:
    """The name of a column of standard deviations without the word that says so; empty: it is called just that."""
    text = " ".join(without_unit(sds).split())
    if loose_name(text) in SD_WORDS:
        return ""  # err_nm
    match = _BEHIND.fullmatch(text) or _BEFORE.fullmatch(text)
    return text if match is None else match["name"].strip(" _-.")


def common_words(column: str, sds: str) -> int:
    """How many words of ``column`` begin the name that ``sds`` is of: all of its words but units, else 0."""
    words, named = _words(without_unit(column)), _words(bare_name(sds))
    size = min(len(words), len(named))
    same = size > 0 and _folded(words[:size]) == _folded(named[:size])
    return size if same and all(_says_unit(word) for word in (*words[size:], *named[size:])) else 0


def _words(name: str) -> list[str]:
    return [word for word in re.split(r"[\W_]+", name) if word]


def _folded(words: list[str]) -> list[str]:
    return [word.casefold() for word in words]


def _says_unit(word: str) -> bool:
    """T_K, x_mm; the A of T_A rather is a label."""
    return is_unit(word) and (len(word) > 1 or word in LETTER_UNIT_WORDS)


def _begun(
    values: Sequence[str], sds: Sequence[str], known: Mapping[str, str], apart: Collection[tuple[str, str]]
) -> dict[str, str]:
    """beds_err with beds_occupied: the words of its name begin the name of one column of values alone."""
    found: dict[str, str] = {}
    for s in sds:
        named = _folded(_words(bare_name(s)))
        begun = [v for v in values if named and _folded(_words(without_unit(v)))[: len(named)] == named]
        if len(begun) == 1 and begun[0] not in (*known, *found) and (begun[0], s) not in apart:
            found[begun[0]] = s
    return found


def _of_repeats(
    values: Sequence[str], sds: Sequence[str], known: Mapping[str, str], apart: Collection[tuple[str, str]]
) -> dict[str, str]:
    """SD I with Intermediate I A and Intermediate I B: the words of its name stand only in the names of repeated measurements of
    one quantity, in its unit and of its table; each of them has these errors."""
    found: dict[str, str] = {}
    for s in sds:
        named, behind = tuple(_words(bare_name(s))), _behind_name(s)
        holding = [v for v in values if named and _behind_name(v) == behind and _hold(_words(without_unit(v)), named)]
        of_one = len({without_repeat(v) or v for v in holding}) == 1 < len(holding)
        if of_one and not any(v in known or v in found or (v, s) in apart for v in holding):
            found |= dict.fromkeys(holding, s)
    return found


def _behind_name(name: str) -> str:
    """The unit of a column and the title of its table."""
    bare = without_unit(name)
    return name[name.index(bare) + len(bare) :] if bare in name else ""


def _cased(words: Sequence[str]) -> list[str]:
    return [w if len(w) == 1 else w.casefold() for w in words]


def _hold(words: Sequence[str], named: Sequence[str]) -> bool:
    """Whether the words stand together among others, letters alone in their case."""
    own, its = _cased(words), _cased(named)
    return any(own[k : k + len(its)] == its for k in range(len(own)))


def _behind(columns: Sequence[str], values: list[str], sds: list[str], found: dict[str, str]) -> dict[str, str]:
    """Columns called just sd, err 2: each right behind values without another one, or none of them tells."""
    bare = [s for s in sds if s not in found.values() and not bare_name(s)]
    order = list(columns)
    left = [order[order.index(s) - 1] for s in bare if s != order[0]]
    free = [v for v in values if v not in found and (not says_where(v) or (v in left and unit_in(v)))]
    told = len(left) == len(bare) and all(v in free for v in left)
    lonely = len(bare) == 1 and len(free) > 1 and not _in_its_unit(bare[0], left, free)  # perhaps of all of them
    return dict(zip(left, bare, strict=True)) if told and not lonely else {}


def _in_its_unit(sds: str, left: Sequence[str], free: Sequence[str]) -> bool:
    """Whether the column before has the unit of the errors ``sds``, and no other of the ``free`` ones has it."""
    unit = unit_in(sds)
    return bool(unit) and [v for v in free if unit_in(v) == unit or times(unit, unit_in(v)) is not None] == list(left)
