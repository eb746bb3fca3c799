"""Intervals among measured data, 95 % CI of an attack rate: in two columns of limits, or as 23.3 – 35.5 in one; and the standard
deviations of normal errors with such an interval, (upper - lower) / (2 z) with z the normal quantile of its level."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import msgspec

from ... import definition as d
from ...numbers.number_text import value_of
from ...numbers.shown_digits import spoken
from ..names.column_names import fresh, says_sd, says_where, without_unit
from ..tables.measured_cells import is_missing
from ..units.unit_names import is_unit
from .sd_pairs import sd_pairs

Column = tuple[float | None, ...]
Texts = tuple[str | None, ...]
USUAL_LEVEL = 95.0  # per cent, where none is said
LOPSIDED = 0.15  # of the half width, by which the middle may lie off the value: less comes of rounded limits
_NUMBER = r"[-+\u2212]?(?:\d+(?:[.,]\d+)?|[.,]\d+)(?:[eE][-+]?\d+)?"
_INTERVAL = re.compile(
    rf"[\[(]?\s*({_NUMBER})\s*[%％]?(?:\s+(?:to|bis|and)\s+|\s*(?:[-\u2013\u2014\u2212;…]|\.\.\.?|,)\s*)({_NUMBER})"
    r"\s*[%％]?\s*[\])]?"
)
_TOKENS = re.compile(r"[^\W\d_]+|\d+(?:[.,]\d+)?")
_BRACKETED = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
_LOWER = frozenset("lower low lo lwr lcl lci lb ll min minimum from l untere unterer untergrenze".split())
_UPPER = frozenset("upper up high hi upr ucl uci ub ul max maximum to u obere oberer obergrenze".split())
_ALONE = frozenset("lwr lcl lci upr ucl uci".split())  # mean nothing but a limit
_INTERVALS = frozenset("ci cri cl ki hdi hpd hpdi eti confidence conf credible konfidenz konfidenzintervall".split())
_AROUND = frozenset(
    "interval intervals intervall int limit limits bound bounds level pct percent quantile percentile q p x of the".split()
)
_LEVELS = frozenset((50.0, 68.0, 80.0, 89.0, 90.0, 95.0, 98.0, 99.0, 99.9))  # that a number beside a side may say
_QUANTILES = frozenset("percentile quantile pct percent".split())
_SIGNED = re.compile(r"(?<![^\W_])[qpx]\d")  # q2.5; R writes X2.5.
_NUMBERED = re.compile(r"(?<![^\W_])(?!(?:ci|cri|ki|hdi|[qpxul])\d)([^\W\d_]+)\d+(?![.,\d])")  # IC50, T90: no levels
_NAMED_NUMBER = re.compile(r"(?<![^\W_])[kn]\s*=\s*\d+(?:[.,]\d+)?")  # k = 2, n = 5: of neither level nor quantile
_OF_VALUE = re.compile(r"(?<!\d)(?<!\d )(?:[%％]|per ?cent|pct\.?)(?=\s+(?:of|von|de|di|van)\b)")  # % of value is no level
_LEAST_LEVEL = 50.0  # per cent; smaller numbers in a heading are quantiles, or something else


@dataclass(frozen=True)
class Interval:
    """``columns``: the one of intervals, or the two of limits; ``of``: the values; ``level``: in per cent, None: not said."""

    columns: tuple[str, ...]
    of: str
    level: float | None
    lower: Column
    upper: Column

    @property
    def sds(self) -> Column:
        """The standard deviations of normal errors with these intervals."""
        z = NormalDist().inv_cdf(0.5 + (self.level or USUAL_LEVEL) / 200.0)
        pairs = zip(self.lower, self.upper, strict=True)
        return tuple(None if a is None or b is None else float(f"{(b - a) / (2.0 * z):.10g}") for a, b in pairs)

    @property
    def words(self) -> str:
        """Which columns they are."""
        named = " and ".join(f"“{name}”" for name in self.columns)
        return f"Columns {named}" if len(self.columns) > 1 else f"Column {named}"

    @property
    def left(self) -> str:
        """That they stay what they are."""
        return f"{self.words} {_verb(self, 'holds', 'hold')} intervals of “{self.of}”, left as they are."


@dataclass(frozen=True)
class _Heading:
    side: int  # -1: of lower limits, 1: of upper ones, 0: of both
    level: float | None
    told: bool  # it says so beyond doubt
    stem: tuple[str, ...]  # words that are left


def intervals_in(table: d.DataTable) -> tuple[Interval, ...]:
    """Those whose headings say that they are intervals, and in which all values lie that they belong to."""
    names = list(table.columns)
    read = {name: _heading(name) for name in names}
    lows, highs = ([n for n in names if (r := read[n]) is not None and r.side == side] for side in (-1, 1))
    found, used = list[Interval](), set[str]()
    values = {n: cells for n, cells in table.columns.items() if n not in (*lows, *highs)}
    for low in lows:
        pairs = [(abs(names.index(high) - names.index(low)), high) for high in highs if high not in used]
        for _, high in sorted(pairs):
            a, b = read[low], read[high]
            if a is None or b is None or a.stem != b.stem or not (a.told or b.told):
                continue
            if a.level and b.level and a.level != b.level:
                continue
            limits = table.columns[low], table.columns[high]
            of = _values_within(values, a.stem, limits, [n for n in names[: names.index(low)] if n in values])
            if of:
                found.append(Interval((low, high), of, a.level or b.level, *limits))
                used.add(high)
                break
    for name, cells in table.texts.items():
        heading, both = _heading(name), _limits(cells)
        if heading is None or heading.side or both is None:
            continue
        if of := _values_within(values, heading.stem, both, ()):
            found.append(Interval((name,), of, heading.level, *both))
    return tuple(found)


def intervals_taken(table: d.DataTable, as_errors: bool) -> tuple[d.DataTable, tuple[tuple[str, str], ...]]:
    """``table`` with its intervals ``as_errors`` of the values, or as they are; a sentence about each, and a warning or ''."""
    found = intervals_in(table)
    return with_sds(table, found) if as_errors else (table, tuple((one.left, "") for one in found))


def with_sds(table: d.DataTable, intervals: Sequence[Interval]) -> tuple[d.DataTable, tuple[tuple[str, str], ...]]:
    """``table`` with the standard deviations of ``intervals`` in their place, and each interval's sentence with its warning (''
    for none). Where values have a column of errors already, the limits are only left out."""
    own = sd_pairs(list(table.columns))
    columns, texts, said = dict(table.columns), dict(table.texts), []
    for one in intervals:
        for name in one.columns:
            columns.pop(name, None)
            texts.pop(name, None)
        if (sds := own.get(one.of)) is not None:
            said.append((f"{one.words} {_verb(one, 'is', 'are')} left out: “{sds}” holds the errors of “{one.of}”.", ""))
            continue
        bare = without_unit(one.of)
        name = fresh(f"± {bare} {one.of[len(bare) :].strip()}".strip(), [*columns, *texts])
        before = list(columns).index(one.of) + 1
        items = list(columns.items())
        columns = dict([*items[:before], (name, one.sds), *items[before:]])
        said.append((sentence(one), lopsided(one, table.columns[one.of])))
    return msgspec.structs.replace(table, columns=columns, texts=texts), tuple(said)


def sentence(one: Interval) -> str:
    """What becomes of an interval."""
    level = one.level or USUAL_LEVEL
    width = 2.0 * NormalDist().inv_cdf(0.5 + level / 200.0)
    unsaid = "" if one.level else f", {spoken(level)} % as no level is said"
    verb = _verb(one, "is", "are")
    sd = f"standard deviation = (upper − lower) / {spoken(width, 3)}"
    return f"{one.words} {verb} taken as the errors of “{one.of}”: {sd}{unsaid}."


def lopsided(one: Interval, values: Column) -> str:
    """A sentence where a value clearly lies off the middle of its interval, as Wilson's and log-normal ones do; else ''."""
    rows = _whole_rows(values, one.lower, one.upper)
    grain = 10.0 ** -max((_decimals(x) for row in rows for x in row), default=0)  # to which they are rounded
    beside = [(abs((a + b) / 2.0 - v), a, v, b) for a, v, b in rows]
    off = [(d / (b - a), a, v, b) for d, a, v, b in beside if d > LOPSIDED * (b - a) / 2.0 + grain]
    if not off:
        return ""
    _, a, v, b = max(off)
    many = f"In {len(off)} of {len(rows)} rows" if len(rows) > 1 else "Here"
    skewed = a > 0.0 and b - v > v - a
    positive = " Where all are above 0, log-normal errors (Data page, tab Errors) may fit better." if skewed else ""
    inside = f"{spoken(v)} in {spoken(a)} to {spoken(b)}"
    return f"{many} the interval is lopsided ({inside}): normal errors are only rough there.{positive}"


def level_in(heading: str) -> float | None:
    """The level that a heading says, in per cent."""
    read = _heading(heading)
    return None if read is None else read.level


def named_without_interval(heading: str) -> str:
    """A heading without the brackets that say what stands beside each value: Prevalence (95 % CI), mean [range]."""
    found = _BRACKETED.sub(lambda m: "" if _says_interval(m[1]) else m[0], heading)
    return " ".join(found.split()) or heading


def _says_interval(text: str) -> bool:
    words = set(_TOKENS.findall(text.casefold()))
    return bool(words & (_INTERVALS | {"range", "iqr", "min", "max"})) or (_heading(text) is not None)


def limits_only(heading: str) -> bool:
    """Whether a heading says that its column holds limits of intervals: 95 % CI lower."""
    read = _heading(heading)
    return read is not None and read.side != 0 and read.told


def _verb(one: Interval, single: str, several: str) -> str:
    return single if len(one.columns) == 1 else several


def _heading(name: str) -> _Heading | None:
    """What a heading says of an interval; None: nothing."""
    if says_sd(name):
        return None
    text = _BRACKETED.sub(lambda m: " " if _only_unit(m[1]) else f" {m[1]} ", name.casefold())
    text = _NAMED_NUMBER.sub(" ", _OF_VALUE.sub(" ", _NUMBERED.sub(r"\1 ", text)))
    tokens = _TOKENS.findall(text)
    numbers = [float(t.replace(",", ".")) for t in tokens if t[0].isdecimal()]
    words = [t for t in tokens if not t[0].isdecimal()]
    named = any(w in _INTERVALS for w in words) or ("c i" in " ".join(words) and "c" in words)
    percent = "%" in text or "％" in text or named or not _QUANTILES.isdisjoint(words) or _SIGNED.search(text) is not None
    level = next((n for n in numbers if _LEAST_LEVEL <= n < 100.0), None) if percent else None
    low, high = (bool(side & set(words)) for side in (_LOWER, _UPPER))
    if low and high:
        return None
    side = -1 if low else 1 if high else 0
    usual = next((n for n in numbers if n in _LEVELS), None)
    side = 0 if usual is None and {"l", "u"} & set(words) else side
    level = level or (usual if side else None)
    if side == 0 and not named and percent and len(numbers) == 1 and numbers[0] != 50.0 and 0.0 < numbers[0] < 100.0:
        side, level = (-1, 100.0 - 2.0 * numbers[0]) if numbers[0] < 50.0 else (1, 2.0 * numbers[0] - 100.0)  # quantiles
        level = level if level >= _LEAST_LEVEL else None
        if level is None:
            return None
    told = named or level is not None or bool(_ALONE & set(words))
    if side == 0 and not (named or ("interval" in words and level is not None)):
        return None
    gone = _LOWER | _UPPER | _INTERVALS | _AROUND | ({"c", "i"} if named else set())
    return _Heading(side, level, told, tuple(w for w in words if w not in gone))


def _only_unit(text: str) -> bool:
    return text.strip() in ("%", "％") or (is_unit(text) and not any(c.isdigit() for c in text))


def _limits(cells: Texts) -> tuple[Column, Column] | None:
    """The two columns of limits that a column of texts holds; None: a filled cell is no interval."""
    found: list[tuple[float | None, float | None]] = []
    for cell in cells:
        if cell is None or is_missing(cell):
            found.append((None, None))
            continue
        match = _INTERVAL.fullmatch(cell.strip())
        pair = [value_of(text.replace(",", ".").replace("\u2212", "-")) for text in match.groups()] if match is not None else []
        if len(pair) != 2 or pair[0] is None or pair[1] is None or pair[0] > pair[1]:
            return None
        found.append((pair[0], pair[1]))
    if all(low is None for low, _ in found):
        return None
    return tuple(low for low, _ in found), tuple(high for _, high in found)


def _values_within(
    values: Mapping[str, Column], stem: tuple[str, ...], limits: tuple[Column, Column], before: Sequence[str]
) -> str:
    """The column of values that intervals belong to: named by the ``stem`` of their heading, or that before them (the last of
    ``before`` that lies within), or the only one; '' where none is told."""
    within = [name for name, cells in values.items() if not says_where(name) and _lies_within(cells, *limits)]
    if stem:
        named = [n for n in within if _words(n) == stem] or [n for n in within if _words(n)[: len(stem)] == stem]
        return named[0] if len(named) == 1 else ""
    return next((n for n in reversed(before) if n in within), within[0] if len(within) == 1 else "")


def _lies_within(cells: Column, lower: Column, upper: Column) -> bool:
    rows = _whole_rows(cells, lower, upper)
    return bool(rows) and all(a <= v <= b for a, v, b in rows) and any(a < b for a, _, b in rows)


def _whole_rows(cells: Column, lower: Column, upper: Column) -> list[tuple[float, float, float]]:
    """Lower limit, value and upper limit of the rows that have all three."""
    rows = zip(lower, cells, upper, strict=True)
    return [(a, v, b) for a, v, b in rows if a is not None and v is not None and b is not None]


def _words(name: str) -> tuple[str, ...]:
    return tuple(t for t in _TOKENS.findall(without_unit(name).casefold()) if not t[0].isdecimal())


def _decimals(value: float) -> int:
    return len(f"{value:.12g}".partition(".")[2]) if "e" not in f"{value:.12g}" else 12
