"""What stands in the cells of a measured column besides plain numbers: values with their errors, percentages, dates, marks for
missing values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from ...numbers.number_text import is_two_ways, value_of
from ...numbers.shown_digits import spoken
from ..rows.text_keys import SLASHED_DATE, plain, seconds_of, slashed_date
from .error_spellings import Spelled, spelled
from .limit_cells import limit_in
from .table_cells import MISSING, cell_value, inside

MARKS = (
    -9.0, -99.0, -999.0, -9999.0, -99999.0, -9.99, -99.9, -99.99, -999.9, -999.99, -9999.9, -9999.99, 999.0, 9999.0, 99999.0,
    999.9, 999.99, 9999.9, 9999.99, 1e20, 1e30, 1e36, -1e20, -1e30, -1e34,
)  # fmt: skip
WORDS_FOR_NOTHING = frozenset(("NA", "NaN", "nan", "NULL", "null", "None", "none", "missing"))
MOST_MARKS = 3  # marks for missing values that are named
FAR = 3.0  # a mark for missing values lies so many times beyond the largest measured value
_IN_CELL = re.compile(r"[0-9][0-9.,]*")
_ROUGH = re.compile(r"(?:~|≈|ca\.?)\s*[-+]?[0-9.,]+.*")
_PERCENT = re.compile(r"(.*[0-9.,])\s*(?:[%％]|per ?cent\b|pct\.?)", re.IGNORECASE)
_WITH_UNIT = re.compile(r"([-+\u2212]?[0-9.,]+(?:[eE][-+]?[0-9]+)?)\s*([^\W\d_][^\s\d]{0,7}|°[CFK]?|µ[^\W\d_]+)")


@dataclass(frozen=True)
class Values:
    """Numbers of a column, and standard deviations where its cells hold them; ``suffix`` of its name; ``note``: what was done."""

    values: tuple[float | None, ...]
    sd: tuple[float | None, ...] = ()
    suffix: str = ""
    note: str = ""
    ends: tuple[tuple[float | None, ...], tuple[float | None, ...]] | None = None  # of the interval of each value
    level: float | None = None  # of these intervals, in per cent
    spread: bool = False  # they go from the smallest to the largest value


def is_missing(cell: str) -> bool:
    return inside(cell).lower() in MISSING


def missing_words(cells: Iterable[str], words: Collection[str] = ()) -> str:
    """How many of ``cells`` say that there is no value, and how: ``3 cells missing (2 “n.d.”, 1 empty)``; '' for none. ``words``
    say it too."""
    found = Counter(inside(cell) for cell in cells if is_missing(cell) or inside(cell) in words)
    if not found:
        return ""
    count = sum(found.values())
    named = [f"{n} {f'“{text}”' if text else 'empty'}" for text, n in found.most_common(MOST_MARKS)]
    more = ", …" if len(found) > MOST_MARKS else ""
    how = f" ({', '.join(named)}{more})" if set(found) != {""} else ""
    return f"{count} cell{'s' if count > 1 else ''} missing{how}"


def is_missing_label(cell: str) -> bool:
    """Whether a cell among labels says that there is none; Na is sodium there."""
    text = inside(cell)
    return is_missing(cell) and (not text.isalpha() or text in WORDS_FOR_NOTHING)


def special(column: Sequence[str], decimal_comma: bool) -> Values | None:
    """A column whose filled cells all are values with errors (1.2 ± 0.1, 1.2(3)), percentages, or have one unit; else None."""
    filled = [cell for cell in column if not is_missing(cell)]
    if not filled:
        return None
    for comma in dict.fromkeys((decimal_comma, _has_decimal_commas(filled, decimal_comma))):
        if (found := _with_errors(column, comma) or _in_percent(column, filled, comma) or _in_a_unit(column, filled, comma)):
            return found
    return None


def _in_percent(column: Sequence[str], filled: Sequence[str], comma: bool) -> Values | None:
    if not all(_PERCENT.fullmatch(inside(cell)) for cell in filled):
        return None
    values = tuple(None if is_missing(c) else _number(_PERCENT.sub(r"\1", inside(c)), comma) for c in column)
    if any(v is None and not is_missing(c) for v, c in zip(values, column, strict=True)):
        return None
    return Values(values, (), " (%)", f"holds percentages: “{filled[0]}” is read as {spoken(_first(values))}, not as a share")


def _in_a_unit(column: Sequence[str], filled: Sequence[str], comma: bool) -> Values | None:
    """All cells with the same unit behind their number; 1a, 2a, 3a are labels."""
    units = [_WITH_UNIT.fullmatch(inside(cell)) for cell in filled] if _WITH_UNIT.fullmatch(inside(filled[0])) else [None]
    apart = any(" " in cell.strip() or "." in cell or "," in cell for cell in filled)
    if not apart or not all(units) or len({u[2] for u in units if u}) != 1:
        return None
    values = tuple(None if is_missing(c) else _number(_WITH_UNIT.sub(r"\1", inside(c)), comma) for c in column)
    if any(v is None and not is_missing(c) for v, c in zip(values, column, strict=True)):
        return None
    unit = next(u[2] for u in units if u)
    return Values(values, (), f" ({unit})", f"has the unit {unit} in each cell")


def _first(values: Sequence[float | None]) -> float:
    return next(v for v in values if v is not None)


def _has_decimal_commas(cells: Sequence[str], told: bool) -> bool:
    """Whether commas in ``cells`` of values with their errors are decimal ones: some are beyond doubt, and there is no point."""
    numbers = [number for cell in cells for number in _IN_CELL.findall(cell)]
    return told or (any("," in n and not is_two_ways(n) for n in numbers) and not any("." in n for n in numbers))


def _with_errors(column: Sequence[str], decimal_comma: bool) -> Values | None:
    """A column of values with their errors, each in one cell; plain numbers among them have none. None: another cell is there."""
    found: list[Spelled | None] = []
    for cell in column:
        one = None if is_missing(cell) else spelled(inside(cell), decimal_comma)
        if one is None and not is_missing(cell):
            value = _number(inside(cell), decimal_comma)
            if value is None:
                return None
            one = Spelled(value)
        found.append(one)
    told = [one for one in found if one is not None and (one.sd is not None or one.low is not None)]
    units, ends = {one.unit for one in told}, [one.low is not None for one in told]
    if not told or len(units) > 1 or (any(ends) and not all(ends)) or len({one.level for one in told}) > 1:
        return None
    first = next(cell for cell, one in zip(column, found, strict=True) if one is told[0])
    unit = f" ({next(iter(units))})" if any(units) else ""
    values = tuple(None if one is None else one.value for one in found)
    if any(ends):
        low, high = (tuple(None if one is None else getattr(one, end) for one in found) for end in ("low", "high"))
        spread = any(one.spread for one in told)
        words = "value and range" if spread else "value and interval"
        note = f"holds {words} in each cell (“{first}”); they are three columns now"
        return Values(values, (), unit, note, (low, high), told[0].level, spread)
    words = "value and error of the last digits" if all(one.digits for one in told) else "value and standard deviation"
    two = ", the mean of both sides where these differ" if any(one.lopsided for one in told) else ""
    sds = tuple(None if one is None else one.sd for one in found)
    return Values(values, sds, unit, f"holds {words}{two} in each cell (“{first}”); they are two columns now")


def _number(text: str, decimal_comma: bool) -> float | None:
    try:
        return cell_value(text.strip(), decimal_comma)
    except ValueError:
        return None


def limit_words(cell: str) -> str:
    """What to do about a cell that holds a limit (<0.05) or a rough value (~2) rather than a value; '' if it holds none."""
    if _ROUGH.fullmatch(inside(cell)):
        return "It is a rough value: write the number alone, with an error of its own, or leave the cell empty."
    if limit_in(cell) is None:
        return ""
    return (
        "It is a limit, not a value. Among numbers it counts as one, if it is written as <0.05 or >200; where no number stands "
        "in the column, leave such cells empty."
    )


def marks_in(values: Sequence[float | None]) -> tuple[float, ...]:
    """Numbers such as -999 that stand for missing values: far from all the others, and perhaps repeated."""
    found = [m for m in MARKS if m in values]
    others = [v for v in values if v is not None and v not in found]
    if not found or not others:
        return ()
    span = max(abs(v) for v in others)
    below = min(others) >= 0.0
    return tuple(m for m in found if abs(m) > FAR * span or (m < -9.0 and below))


def without_marks(
    columns: dict[str, tuple[float | None, ...]], told: tuple[float, ...] | None, stated: Collection[float] = ()
) -> tuple[dict[str, tuple[float | None, ...]], tuple[float, ...], list[str]]:
    """``columns`` with the marks that are ``told`` (None: those that look like it) as missing; those that look like it, and
    a sentence about them. ``stated``: numbers of which the file says that they stand for missing values."""
    said = tuple(m for m in stated if any(m in values for values in columns.values()))
    marks = tuple(dict.fromkeys((*said, *(m for values in columns.values() for m in marks_in(values)))))
    missing = marks if told is None else told
    made = {name: tuple(None if v in missing else v for v in values) for name, values in columns.items()}
    if not marks:
        return made, marks, []
    taken = all(m in missing for m in marks)
    how = "is taken for that" if taken else "is taken as measured"
    count = sum(v in said for values in columns.values() for v in values if v is not None)
    cells = f": {count} cell{' is' if count == 1 else 's are'} missing" if taken else ""
    words = [f"{_shown(said)} stands for missing values, as the file says, and {how}{cells}."] if said else []
    guessed = [m for m in marks if m not in said]
    words += [f"{_shown(guessed)} looks like a mark for missing values and {how}."] if guessed else []
    return made, marks, words


def _shown(marks: Sequence[float]) -> str:
    return ", ".join(spoken(m) for m in marks)


def iso_dates(column: Sequence[str], told: bool | None = None) -> tuple[str, ...] | str | None:
    """Dates such as 05/03/2024 or 05-03-2024 as ISO dates; a sentence where day and month cannot be told apart; None: they are no
    such dates.

    ``told``: that the day comes first, or that it does not, where the numbers do not tell.
    """
    filled = [plain(cell) for cell in column if not is_missing(cell)]
    matches = [SLASHED_DATE.fullmatch(cell) for cell in filled]
    if not filled or not all(matches):
        return None
    firsts, seconds = ({int(m[k]) for m in matches if m} for k in (1, 2))
    day_first, month_first = max(firsts) > 12, max(seconds) > 12
    if not day_first and not month_first and told is not None:
        day_first, month_first = told, not told
    if day_first == month_first:
        why = "neither" if day_first else "either"
        return f"holds dates such as “{filled[0]}”, in which {why} number may be the month"
    return tuple(slashed_date(cell, day_first) or "" for cell in column)


def either_way(column: Sequence[str]) -> tuple[str, str, str] | None:
    """A date such as 05/03/2024 of which either number may be the month, and what it is with the day or the month first, as
    ISO dates; None: the column holds no such dates, or they tell."""
    if not isinstance(iso_dates(column), str):
        return None
    days, months = iso_dates(column, True), iso_dates(column, False)
    if not isinstance(days, tuple) or not isinstance(months, tuple):
        return None  # some tell the one, some the other
    return next(((cell, day, month) for cell, day, month in zip(column, days, months, strict=True) if day != month), None)


def all_times(column: Sequence[str]) -> bool:
    """Whether every filled cell is a time or a date, and there is one."""
    filled = [cell for cell in column if not is_missing(cell)]
    return bool(filled) and all(seconds_of(cell) is not None and value_of(inside(cell)) is None for cell in filled)
