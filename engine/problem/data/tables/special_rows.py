"""Lines of a table that hold no measurement, by their labels: errors of the columns above, means and totals, units, limits."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ... import definition as d
from ...numbers.shown_digits import spoken
from ..errors.levels import EXPANDED, factor_of_level, without_level
from ..errors.sd_pairs import sd_pairs
from ..names.column_names import fresh, plain_name, says_where, sd_columns, without_unit
from ..names.sd_words import SD_ELSEWHERE
from ..rows.censored import limits_in
from ..rows.text_keys import FIRST_LABEL, code

Kind = Literal["errors", "limits", "units", "summary", "words"]
Column = tuple[float | None, ...]
SPREAD = 0.02  # a line of sds that are those of the columns above within so much sums them up
FEWEST_SPREAD = 3  # rows that have a spread
SUMMED = 1e-6  # relative, of sums: rounding of decimals in a file
FEWEST_SUMMED = 3  # rows above: of two numbers a third is the sum by chance
MOST_NAMED = 3  # columns whose errors are told
MOST_READ = 2_000  # rows whose labels are all looked at: of longer tables only so many at each end, patterns take time
AT_ENDS = 20

_KIND_OF_ERROR = (
    r"(?:(?:measure(?:ment|d|ing)|experimental|exp\.?|abs(?:olute)?\.?|rel(?:ative)?\.?|typical|standard|std\.?|estimated"
    r"|expanded|total|instrument(?:al)?|random|combined|erweiterte)\s+)*"
)
_ERROR = (
    r"err(?:or)?s?|error ?bars?|uncertaint(?:y|ies)|uncert|unc|accuracy|precision|s\.?d|sds|stds?|st\.? ?devs?"
    r"|std\.? ?dev(?:iation)?s?|stddev|standard ?deviations?|standard ?devs?|sigma|σ|±|\+/-|\+-|s\.?e\.?m?"
    rf"|standard errors?(?: of the mean)?|{SD_ELSEWHERE}"
)
_ADJECTIVE = r"(?:[ée]largie|expandida|estesa|ampliada)"  # behind the word, in other languages
_ERRORS = re.compile(
    rf"(?:[0-9.]+\s*[x×*]?\s*)?{_KIND_OF_ERROR}(?:{_ERROR})(?:\s+{_ADJECTIVE})?(?:\s+u)?"
    r"(?:\s+(?:%|percent|per cent|[0-9.]+\s*(?:σ|sigma|sd)))?"
)
_SIGN_WITH_FACTOR = re.compile(r"u?\s*[(\[]?\s*k\s*=\s*[0-9.]+\s*[)\]]?")
_CAPITAL = re.compile(r"(?<![^\W_])U(?![^\W_])")  # the sign of an expanded uncertainty (GUM, section 2.3.5)
_TIMES = re.compile(r"([0-9.]+)\s*[x×*-]?\s*(?:σ|sigma|s\.?d\b|std)|k\s*=\s*([0-9.]+)")
_LIMITS = re.compile(
    r"l\.?o\.?[dq]|mdl|lld|lloq|uloq|(?:lower |upper |method |instrument )?(?:limits? of (?:detection|quantification)"
    r"|(?:detection|quantification|reporting|det\.?) limits?)|nachweisgrenze|bestimmungsgrenze|limite de d[ée]tection"
)
_UNITS = re.compile(r"units?|einheit(?:en)?|unit[ée]s?|unidad(?:es)?|unit[àa]")
_SUMMARY = re.compile(
    r"(?:grand |sub)?totals?|sum|summe|avg|averages?|(?:arithmetic |grand )?means?|mittel(?:wert)?|durchschnitt|moyennes?"
    r"|min(?:imum)?|max(?:imum)?|counts?|median|range|variance|rsd|cv"
)
_WHAT = {
    "errors": "holds the errors of the columns above",
    "limits": "holds detection limits, no measurement",
    "units": "holds units, no measurement",
    "summary": "sums up the rows, it is no measurement",
    "words": "holds words, no measurement",
}


@dataclass(frozen=True)
class SpecialRow:
    """``row`` from 0; ``label`` as the table has it; errors: ``percent`` of the values, so many (``times``) sds, or
    ``expanded`` by a factor that is not said there; ``shares``: columns whose errors alone are in percent of the values."""

    row: int
    kind: Kind
    label: str = ""
    percent: bool = False
    times: float = 1.0
    expanded: bool = False
    shares: frozenset[str] = frozenset()

    def in_percent(self, column: str) -> bool:
        """Whether the error of ``column`` is in percent of its values."""
        return self.percent or column in self.shares

    @property
    def what(self) -> str:
        """What it is, a clause: holds the errors of the columns above."""
        return _WHAT[self.kind]


def kind_of(label: str) -> Kind | None:
    """What a line with this label holds in place of a measurement; None: the label does not tell."""
    word = " ".join(without_unit(label).casefold().replace("_", " ").strip(" :.,;=").split())
    found: tuple[tuple[Kind, re.Pattern[str]], ...] = (
        ("summary", _SUMMARY), ("errors", _ERRORS), ("limits", _LIMITS), ("units", _UNITS),
    )  # fmt: skip
    return next((kind for kind, pattern in found if pattern.fullmatch(word)), None)


def named(row: int, label: str) -> SpecialRow | None:
    """The row ``row`` (from 0) with what its label tells; None: nothing."""
    bare = without_level(label)
    folded, kind = bare.casefold(), kind_of(bare)
    if kind is None and (_SIGN_WITH_FACTOR.fullmatch(folded.strip(" :.,;")) or (folded == "u" and factor_of_level(label))):
        kind = "errors"
    if kind is None:
        return None
    percent = kind == "errors" and ("%" in folded or "percent" in folded or "per cent" in folded or folded.startswith("rel"))
    expanded = kind == "errors" and (EXPANDED.search(bare) is not None or _CAPITAL.search(bare) is not None)
    return SpecialRow(row, kind, " ".join(label.split()), percent, _times(label), expanded)


def errors_in(row: int, label: str) -> SpecialRow:
    """The row ``row`` (from 0) as one of errors, as was said of it, with what its label tells of their size."""
    found = named(row, label) or named(row, f"error {label}") or SpecialRow(row, "errors", times=_times(label))
    return replace(found, kind="errors", label=" ".join(label.split()))


def _times(label: str) -> float:
    """How many standard deviations errors with this label are, or by its level of coverage; 1 where it does not say."""
    found = _TIMES.search(label.casefold())
    return factor_of_level(label) or _number((found[1] or found[2]) if found else "")


def _number(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        return 1.0
    return found if found > 0.0 else 1.0


def special_rows(
    labels: Sequence[str], columns: Mapping[str, Column], outputs: Sequence[str] = ()
) -> tuple[SpecialRow, ...]:
    """The rows that hold no measurement, among the first and the last ones.

    ``labels``: of each row, '' for none; ``columns``: their numbers by name, (n,) each, None for none. Words that name
    ``outputs`` are quantities, as they are where nothing but such words stand beside the numbers. Errors beside a line of means
    are the spread of the rows above, as are those that equal it: a summary. So is a last line of the sums of all columns,
    whatever its label is.
    """
    known = {plain_name(o) for o in outputs}
    found: list[SpecialRow | None] = [None] * len(labels)
    for i in _looked_at(len(labels)):
        quantity = plain_name(labels[i]) in known and not _TIMES.search(labels[i].casefold())  # U (k=2) is no output u
        found[i] = None if not labels[i] or quantity else named(i, labels[i])
    for i in _looked_at(len(labels)):
        beside = [found[k] for k in (i - 1, i + 1) if 0 <= k < len(labels)]
        if labels[i].casefold().strip(" :=") == "n" and any(beside):  # how many there are; alone it is a name
            found[i] = SpecialRow(i, "summary", labels[i])
    if labels and found[-1] is None and _is_sum(labels, columns):
        found[-1] = SpecialRow(len(labels) - 1, "summary", labels[-1])
    ends = _ends(found)
    measured = [i for i in range(len(labels)) if i not in ends]
    filled = {i for cells in columns.values() for i, v in enumerate(cells) if v is not None}
    if not any(i in filled for i in measured) or any(found[i] is not None for i in measured):
        return ()
    kept = [row for i in sorted(ends) if (row := found[i]) is not None]
    sums = any(row.kind == "summary" for row in kept)
    special = []
    for row in kept:
        if row.kind in ("errors", "summary") and row.row not in filled:
            continue
        standard = not (row.percent or row.expanded or row.times != 1.0)
        spread = row.kind == "errors" and standard and _is_spread(row.row, measured, columns)
        only = row.kind == "errors" and (spread or (sums and kind_of(row.label) == "errors" and _bare_sd(row.label)))
        if row.kind == "errors" and not only and not errors_of(d.DataTable(columns=dict(columns)), row):
            continue
        special.append(SpecialRow(row.row, "summary", row.label) if only else row)
    if len(measured) < 2:  # of one row there is no sum
        special = [row for row in special if row.kind != "summary"]
    return tuple(special)


def _looked_at(n: int) -> Sequence[int]:
    return range(n) if n <= MOST_READ else [*range(AT_ENDS), *range(n - AT_ENDS, n)]


def _ends(found: Sequence[SpecialRow | None]) -> set[int]:
    """The rows at the beginning and at the end whose labels say that they are special."""
    n = len(found)
    first = next((i for i in range(n) if found[i] is None), n)
    last = next((i for i in range(n - 1, -1, -1) if found[i] is None), -1)
    top = set(range(first))
    if any(row is not None and row.kind == "summary" for row in found[:first]):
        top = set()  # sums stand below
    return top | set(range(last + 1, n))


def _bare_sd(label: str) -> bool:
    """Whether it says the spread of values rather than their errors."""
    folded = label.casefold()
    return "standard err" in folded or not re.search(r"err|unc|±|\+|accuracy|precision|fehler|unsicher|incert", folded)


def _is_sum(labels: Sequence[str], columns: Mapping[str, Column]) -> bool:
    """Whether the numbers of the last row, whose label is neither a number nor a date nor another row's too, are the sums of
    those above, or most of them are: those of a column with cells left blank may be sums of more."""
    if not labels[-1] or labels[-1] in labels[:-1] or (not math.isnan(key := code(labels[-1])) and key < FIRST_LABEL):
        return False
    seen = others = 0
    for cells in columns.values():
        values = [v for v in cells[:-1] if v is not None]
        if cells[-1] is None:
            continue
        if math.isclose(cells[-1], math.fsum(values), rel_tol=SUMMED):
            seen += int(np.count_nonzero(values) > 1 and len(values) >= FEWEST_SUMMED)  # one number and zeros are no sum
        elif len(values) == len(cells) - 1:
            return False
        else:
            others += 1
    return seen > others


def _is_spread(row: int, measured: Sequence[int], columns: Mapping[str, Column]) -> bool:
    """Whether the numbers of ``row`` are the standard deviations of the columns."""
    seen = 0
    for cells in columns.values():
        values = [v for i in measured if (v := cells[i]) is not None]
        told = cells[row]
        if told is None or len(values) < FEWEST_SPREAD:
            continue
        if not any(abs(told - float(np.std(values, ddof=k))) <= SPREAD * abs(told) for k in (0, 1)):
            return False
        seen += 1
    return seen > 0


def errors_of(data: d.DataTable, row: SpecialRow) -> dict[str, Column]:
    """The standard deviation in each row (n,) of every column that ``row`` holds an error of; those of places and of errors
    themselves aside. Percentages are of values or of their limits. {}: it holds none, or a negative one."""
    columns = data.columns
    found: dict[str, Column] = {}
    sds = sd_columns(list(columns))
    for name, cells in columns.items():
        size = cells[row.row]
        if size is None or says_where(name) or name in sds:
            continue
        if size < 0.0:
            return {}
        if size > 0.0:
            share = size / row.times
            if row.in_percent(name):
                limits = limits_in(data, name)[0]
                sizes = (None if math.isnan(at) else at for at in limits.tolist())
                of = (at if v is None else v for v, at in zip(cells, sizes, strict=True))
                found[name] = tuple(None if v is None else float(f"{abs(v) * share / 100.0:.12g}") for v in of)
            else:
                found[name] = (share,) * len(cells)
    return found


def sd_name(column: str, taken: Sequence[str]) -> str:
    """The name of a column of the standard deviations of ``column``: band 1 sd (c/a)."""
    bare = without_unit(column)
    unit = column.strip()[len(bare) :].strip()
    return fresh(f"{bare} sd {unit}".strip(), taken)


def with_errors(data: d.DataTable, row: SpecialRow) -> tuple[d.DataTable, dict[str, str]]:
    """The table without ``row``, its errors as columns of standard deviations in their place; and these by measured column."""
    made: dict[str, Column] = {}
    names: dict[str, str] = {}
    errors, pairs = errors_of(data, row), sd_pairs(list(data.columns))
    for name, cells in data.columns.items():
        made[name] = cells
        if name in errors:
            own = pairs.get(name)  # a column of errors that has none in the rows
            empty = own is not None and all(v is None for i, v in enumerate(data.columns[own]) if i != row.row)
            names[name] = own if own is not None and empty else sd_name(name, [*data.columns, *data.texts, *made])
            made[names[name]] = errors[name]
    for name, own in names.items():
        made[own] = errors[name]
    whole = d.DataTable(columns=made, texts=data.texts, limits=data.limits, origin=data.origin)
    return without_rows(whole, (row.row,)), names


def without_rows(data: d.DataTable, rows: Sequence[int]) -> d.DataTable:
    """The table without ``rows`` (from 0)."""
    gone = set(rows)

    def kept(cells: Sequence[object]) -> tuple[object, ...]:
        return tuple(v for i, v in enumerate(cells) if i not in gone)

    columns = {name: kept(cells) for name, cells in data.columns.items()}
    texts = {name: kept(cells) for name, cells in data.texts.items()}
    limits = {name: kept(cells) for name, cells in data.limits.items()}
    return d.DataTable(columns=columns, texts=texts, limits=limits, origin=data.origin)  # type: ignore[arg-type]


def labels_of(data: d.DataTable) -> list[str]:
    """The label of each row: of its texts the first that tells what the row holds, else the first one."""
    n = max((len(c) for c in (*data.columns.values(), *data.texts.values())), default=0)
    cells = [[t for column in data.texts.values() if (t := column[i] if i < len(column) else None)] for i in range(n)]
    found = [(*texts, "")[0] for texts in cells]
    for i in _looked_at(n):
        found[i] = next((t for t in cells[i] if kind_of(t) is not None), found[i])
    return found


def in_table(data: d.DataTable, outputs: Sequence[str] = ()) -> tuple[SpecialRow, ...]:
    """The rows of a table taken over that hold no measurement, as far as its labels tell."""
    return special_rows(labels_of(data), data.columns, outputs) if data.texts else ()


def sizes_words(data: d.DataTable, row: SpecialRow) -> str:
    """Which errors a row holds, for people: 0.002 for band 1 (c/a), 0.003 for band 2 (c/a)."""
    names = list(errors_of(data, row))
    units = {name: " %" if row.in_percent(name) else "" for name in names}
    sizes = {name: data.columns[name][row.row] or 0.0 for name in names}
    told = [f"{spoken(sizes[name])}{units[name]} for {' '.join(name.split())}" for name in names[:MOST_NAMED]]
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"{', '.join(told)}{more}"


