"""Which column of standard deviations belongs to which column of measured values, by their names and where they stand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from ..names.column_names import (
    SD_WORDS,
    STANDARD_ERROR,
    TABLES_KNOWN,
    plain_name,
    says_sd_of,
    says_where,
    sd_columns,
    unit_in,
    without_unit,
)
from ..names.sd_words import SD_ELSEWHERE
from ..names.series_names import without_repeat
from ..units.unit_names import LETTER_UNIT_WORDS, is_unit

_WORD = "|".join(("standard deviation", "standard dev", "std dev", "st dev", SD_ELSEWHERE, STANDARD_ERROR, *SD_WORDS))
_SIGN = r"\+/-|\+-|±"
_BEHIND = re.compile(rf"(?P<name>.*?)(?:[\W_]*(?:{_SIGN})[\W_]*|(?:^|[\W_]+)(?:{_WORD})[\W_]*\d*)", re.IGNORECASE)
_BEFORE = re.compile(rf"(?:(?:{_SIGN})[\W_]*|(?:{_WORD}|u|\u03c3|\u03b4)[\W_]+(?:of[\W_]+)?)(?P<name>.*?)[\W_]*", re.IGNORECASE)


def sd_pairs(columns: Sequence[str]) -> dict[str, str]:
    """Each column of measured values with the column of its standard deviations, of a table's ``columns`` in their order.

    A name that says it whole goes first (T sd, u(T)), then the longest name in common (T_mean_K, T_mean_err), then one whose
    name begins that of one column alone (beds_occupied, beds_err), then a column called just sd right behind its values, where it
    is no lone one that may be of several. One that fits several columns equally well is given to none, unless they are repeated
    measurements (I A, I B, SD I).
    """
    return dict(_pairs(tuple(columns)))


@lru_cache(TABLES_KNOWN)
def _pairs(columns: tuple[str, ...]) -> dict[str, str]:
    sds = sd_columns(columns)
    values = [c for c in columns if c not in sds]
    told = {v: s for v in values if (s := _told(v, values, sds, columns)) is not None}
    spelled = {s for v, s in told.items() if _spells(s, v)}  # of T and t only that which it is spelled like
    found = {v: s for v, s in told.items() if s not in spelled or _spells(s, v)}
    ranked = sorted(((common_words(v, s), v, s) for v in values for s in sds), key=lambda one: -one[0])
    for size in dict.fromkeys(size for size, _, _ in ranked if size):
        left = [(v, s) for n, v, s in ranked if n == size and v not in found and s not in found.values()]
        for value, sd in left:
            if [v for v, s in left if s == sd] == [value] and [s for v, s in left if v == value] == [sd]:
                found[value] = sd
    found |= _begun(values, [s for s in sds if s not in found.values()], found)
    found |= _of_repeats(values, [s for s in sds if s not in found.values()], found)
    return {v: found[v] for v in columns if v in found} | _behind(columns, values, sds, found)


def _told(value: str, values: Sequence[str], sds: Sequence[str], columns: Sequence[str]) -> str | None:
    """The errors whose name says that they are of ``value``: in its own unit, if others are called the same but for theirs."""
    named = [s for s in sds if says_sd_of(s, value, columns)]
    others = {unit_in(v) for v in values if v != value and plain_name(v) == plain_name(value)}
    own = [s for s in named if unit_in(s) == unit_in(value)]
    return next(iter((*own, *(s for s in named if unit_in(s) not in others))), None)


def _spells(sds: str, column: str) -> bool:
    return re.search(rf"(?<![^\W_]){re.escape(without_unit(column))}(?![^\W_])", sds) is not None


def bare_name(sds: str) -> str:
    """The name of a column of standard deviations without the word that says so; empty: it is called just that."""
    text = " ".join(without_unit(sds).split())
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


def _begun(values: Sequence[str], sds: Sequence[str], known: dict[str, str]) -> dict[str, str]:
    """beds_err with beds_occupied: the words of its name begin the name of one column of values alone."""
    found: dict[str, str] = {}
    for s in sds:
        named = _folded(_words(bare_name(s)))
        begun = [v for v in values if named and _folded(_words(without_unit(v)))[: len(named)] == named]
        if len(begun) == 1 and begun[0] not in known and begun[0] not in found:
            found[begun[0]] = s
    return found


def _of_repeats(values: Sequence[str], sds: Sequence[str], known: Mapping[str, str]) -> dict[str, str]:
    """SD I with Intermediate I A and Intermediate I B: the words of its name stand only in the names of repeated measurements of
    one quantity, in its unit and of its table; each of them has these errors."""
    found: dict[str, str] = {}
    for s in sds:
        named, behind = tuple(_words(bare_name(s))), _behind_name(s)
        holding = [v for v in values if named and _behind_name(v) == behind and _hold(_words(without_unit(v)), named)]
        of_one = len({without_repeat(v) or v for v in holding}) == 1 < len(holding)
        if of_one and not any(v in known or v in found for v in holding):
            found |= dict.fromkeys(holding, s)
    return found


def _behind_name(name: str) -> str:
    """The unit of a column and the title of its table."""
    bare = without_unit(name)
    return name[name.index(bare) + len(bare) :] if bare in name else ""


def _hold(words: Sequence[str], named: Sequence[str]) -> bool:
    """Whether the words stand together among others, letters alone in their case."""
    own, its = ([w if len(w) == 1 else w.casefold() for w in some] for some in (words, named))
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
    return bool(unit) and [v for v in free if unit_in(v) == unit] == list(left)
