"""The table of parameters, and parameters pasted from a spreadsheet."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from PySide6.QtCore import QObject, Qt, Signal

from bayescope.engine.problem import placeholders
from bayescope.engine.problem.definition import Parameter, Prior, Uniform
from bayescope.gui.models.plain import number_of, one_line, optional_number_of, shown, writable
from bayescope.gui.models.prior_families import prior_text, prior_words
from bayescope.gui.models.priors_in_units import is_said_in_unit, parse_in_unit
from bayescope.gui.models.records import Column, Index, RecordsModel

MAX_PASTED_ROWS = 500
MAX_TYPED = 10_000
_BETWEEN_ENDS = re.compile(  # no-break spaces stand inside numbers
    r"[ \t]+(?:to|–|-)[ \t]+|[ \t]*(?:;|\.\.\.?|…)[ \t]*|,[ \t]+|[ \t\r\n]+"
)


def _with(field: str) -> Callable[[Parameter, str], Parameter]:
    def change(p: Parameter, text: str) -> Parameter:
        return msgspec.structs.replace(p, **{field: one_line(text.strip(), MAX_TYPED)})

    return change


def _with_number(field: str, what: str) -> Callable[[Parameter, str], Parameter]:
    def change(p: Parameter, text: str) -> Parameter:
        return msgspec.structs.replace(p, **{field: optional_number_of(text, what)})

    return change


def parse_name(text: str) -> str:
    """The name that ``text`` can be meant for: eps_shell for ``eps-shell``, ``eps shell``, ``@eps_shell@``. Raises ValueError."""
    name = placeholders.normal(re.sub(r"[\s\-.]+", "_", one_line(text.strip().strip("@"), MAX_TYPED)))
    if not placeholders.is_name(name):
        said = f"“{one_line(text.strip(), 40)}” cannot be a name." if text.strip() else "A parameter needs a name."
        near = placeholders.nearest_name(text)
        instead = f"; “{one_line(near, 40)}” would do" if near else ""
        raise ValueError(f"{said} {placeholders.NAME_SIGNS[0].upper()}{placeholders.NAME_SIGNS[1:]}{instead}.")
    return name


def _with_name(p: Parameter, text: str) -> Parameter:
    return msgspec.structs.replace(p, name=parse_name(text))


def _with_prior(p: Parameter, text: str) -> Parameter:
    return msgspec.structs.replace(p, prior=parse_in_unit(text, p))


def range_text(pair: tuple[float, float] | None) -> str:
    return "" if pair is None else f"{shown(pair[0])} to {shown(pair[1])}"


def parse_range(text: str) -> tuple[float, float] | None:
    """``0.1 to 0.9``, ``0.1 – 0.9``, ``0.1; 0.9``; empty: None. Raises ValueError with words."""
    if text.strip() in ("", "-", "–"):
        return None
    parts = [p for p in _BETWEEN_ENDS.split(text.strip()) if p]
    if len(parts) != 2:
        raise ValueError(
            f"The plausible range needs two numbers, for example “0.1 to 0.9”, not “{one_line(text.strip(), 40)}”."
        )
    low, high = number_of(parts[0], "The lower end"), number_of(parts[1], "The upper end")
    return low, high


def _with_plausible(p: Parameter, text: str) -> Parameter:
    return msgspec.structs.replace(p, plausible=parse_range(text))


COLUMNS: tuple[Column[Parameter], ...] = (
    Column(
        "name",
        "Name",
        "A short name without spaces; @name@ marks its place in the simulator's input.",
        lambda p: p.name,
        _with_name,
    ),
    Column("label", "Label", "What it is, in words; used in plots and reports.", lambda p: p.label, _with("label")),
    Column("unit", "Unit", "For example m/s; only shown, never converted.", lambda p: p.unit, _with("unit")),
    Column(
        "prior",
        "Prior",
        "What you believe before seeing the data. Type for example normal(0, 1), 5 ± 1 or 0 to 10, or choose it below.",
        lambda p: prior_words(p.prior),
        _with_prior,
        edited=lambda p: prior_text(p.prior),
    ),
    Column(
        "lower",
        "Lower limit",
        "No value below is tried. Empty: from the prior.",
        lambda p: shown(p.lower),
        _with_number("lower", "The lower limit"),
        True,
        empty="from prior",
    ),
    Column(
        "upper",
        "Upper limit",
        "No value above is tried. Empty: from the prior.",
        lambda p: shown(p.upper),
        _with_number("upper", "The upper limit"),
        True,
        empty="from prior",
    ),
    Column(
        "plausible",
        "Plausible range",
        "Where you expect the answer, for example 0.1 to 0.9; the first runs are placed here. Empty: from the prior.",
        lambda p: range_text(p.plausible),
        _with_plausible,
        True,
        empty="from prior",
    ),
    Column(
        "fixed",
        "Fixed at",
        "A value here takes the parameter out of the inference. Empty: it is inferred.",
        lambda p: shown(p.fixed),
        _with_number("fixed", "The fixed value"),
        True,
        empty="learned",
    ),
)


class ParametersModel(RecordsModel[Parameter]):
    """Rows are ``Problem.parameters``. ``prior_typed`` carries the name of a parameter and what is typed as its prior; ``said``:
    what was, by name. With a unit behind its numbers it is shown as it was typed: 12 ± 3 km of a parameter in m."""

    prior_typed = Signal(str, str)

    def __init__(self, commit: Callable[[tuple[Parameter, ...], str], bool], parent: QObject | None = None) -> None:
        super().__init__(COLUMNS, commit, parent)
        self.said: Callable[[], Mapping[str, str]] = dict
        shown, edited = (lambda p: self._typed(p) or prior_words(p.prior)), (lambda p: self._typed(p) or prior_text(p.prior))
        self.columns = tuple(replace(c, text=shown, edited=edited) if c.key == "prior" else c for c in COLUMNS)

    def _typed(self, parameter: Parameter) -> str:
        typed = self.said().get(parameter.name, "")
        return typed if typed and is_said_in_unit(typed, parameter) else ""

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if index.isValid() and role == Qt.ItemDataRole.EditRole and self.columns[index.column()].key == "prior":
            self.prior_typed.emit(self.rows[index.row()].name, one_line(str(value).strip(), MAX_TYPED))
        return super().setData(index, value, role)


def fresh_name(taken: Sequence[str], wish: str = "") -> str:
    """``wish`` made a valid placeholder name that is not taken (``k``, ``k2``; ``r1``, ``r1_2``); ``p1``, ``p2`` without one."""
    stem = re.sub(r"\W+", "_", wish, flags=re.ASCII).strip("_")[:40]
    if stem and stem[0].isdigit():
        stem = "p_" + stem
    if stem and stem not in taken and stem != "seed":
        return stem
    glue, first = ("_" if stem[-1].isdigit() else "", 2) if stem else ("", 1)
    numbered = (f"{stem or 'p'}{glue}{k}" for k in range(first, len(taken) + first + 1))
    return next(name for name in numbered if name not in taken)


def around(value: float) -> Prior:
    """A first prior for a number found in an input file: from nothing to twice the value."""
    if value == 0:
        return Uniform(low=-1.0, high=1.0)
    low, high = sorted((0.0, float(f"{2 * value:.6g}")))
    return Uniform(low=low, high=high)


def doubled_words(names: Sequence[str], zero: Sequence[str]) -> str:
    """What the priors of ``around`` are for parameters of these ``names``, a sentence; ``zero``: whose number is 0."""
    go = "It goes" if len(names) == 1 else "They go"
    if not zero:
        return f"{go} from nothing to twice the number in your file."
    if len(zero) == len(names):
        return f"{go} from −1 to 1: in your file {'it is' if len(names) == 1 else 'they are'} 0."
    which = " and ".join(one_line(name, 20) for name in zero) if len(zero) <= 2 else f"{len(zero)} of them"
    goes = "goes" if len(zero) == 1 else "go"
    return f"{go} from nothing to twice the number in your file; {which}, 0 there, {goes} from −1 to 1."


# ------------------------------------------------------------------ paste from a spreadsheet

_HEADS: dict[str, tuple[str, ...]] = {
    "name": ("name", "parameter", "symbol"),
    "label": ("label", "description", "meaning", "words"),
    "unit": ("unit", "units"),
    "prior": ("prior", "distribution"),
    "lower": ("lower", "lower limit", "low", "min", "minimum", "from", "lower bound"),
    "upper": ("upper", "upper limit", "high", "max", "maximum", "to", "upper bound"),
    "plausible": ("plausible", "plausible range"),
    "fixed": ("fixed", "fixed at", "value"),
}


@dataclass(frozen=True)
class Pasted:
    """Parameters read from pasted text, and a sentence for each line that could not be."""

    parameters: tuple[Parameter, ...]
    problems: tuple[str, ...]


def parse_pasted(text: str) -> Pasted:
    """Rows from a spreadsheet (tabs, or commas / semicolons), with or without a heading row. Never raises.

    Without headings the columns are taken in the table's order, or as name, low, high if the second is a number.
    """
    lines = [line for line in writable(text).replace("\r\n", "\n").replace("\r", "\n").split("\n") if line.strip()]
    if not lines:
        return Pasted((), ("The clipboard holds no text.",))
    if len(lines) > MAX_PASTED_ROWS:
        return Pasted(
            (), (f"The clipboard holds {len(lines)} lines; more than {MAX_PASTED_ROWS} parameters cannot be meant.",)
        )
    rows = [_split(line) for line in lines]
    heads = [_head_of(cell) for cell in rows[0]]
    if "name" in heads:
        rows, first_line = rows[1:], 2
    else:
        heads, first_line = [], 1
    found: list[Parameter] = []
    problems: list[str] = []
    for number, cells in enumerate(rows, first_line):
        try:
            _complain_of_cells(lines[number - 1], cells, heads)
            found.append(_parameter(cells, heads))
        except ValueError as error:
            problems.append(f"Line {number}: {error}")
    if heads and not rows:
        problems.append("There is a heading but no parameter below it.")
    return Pasted(tuple(found), tuple(problems))


def _complain_of_cells(line: str, cells: Sequence[str], heads: Sequence[str]) -> None:
    """Raises ValueError if cells would be lost, or if commas may be decimal commas as well as stand between cells."""
    count, most = max((i for i, cell in enumerate(cells, 1) if cell.strip()), default=0), len(heads) or len(COLUMNS)
    if count > most:
        raise ValueError(f"it has {count} cells, but there are {most} columns. Separate cells with tabs or semicolons.")
    if not heads and not {"\t", ";"} & set(line) and sum(map(_is_number, cells)) > 2:
        raise ValueError("it can be read in two ways because of its commas. Separate cells with tabs or semicolons.")


def _split(line: str) -> list[str]:
    if "\t" in line:
        return [c.strip().strip('"') for c in line.split("\t")]
    if ";" in line and "(" not in line:
        return [c.strip().strip('"') for c in line.split(";")]
    cells = [c.strip().strip('"') for c in re.split(r",(?![^(]*\))", line)]
    words = line.split()
    if len(cells) == 1 and len(words) >= 3 and all(map(_is_number, words[1:3])):
        return words  # name low high, as a text has them
    return cells


def _head_of(cell: str) -> str:
    return next((key for key, words in _HEADS.items() if cell.strip().lower() in words), "")


def _is_number(text: str) -> bool:
    try:
        number_of(text)
    except ValueError:
        return False
    return True


def _parameter(cells: Sequence[str], heads: Sequence[str]) -> Parameter:
    if not heads:
        numeric = len(cells) >= 3 and _is_number(cells[1]) and _is_number(cells[2])
        heads = ("name", "lower", "upper", "unit", "label") if numeric else tuple(c.key for c in COLUMNS)
    given = {head: cell for head, cell in zip(heads, cells, strict=False) if head and cell.strip()}
    made = Parameter(name=parse_name(given.pop("name", "")), prior=Uniform(low=0.0, high=1.0))
    for column in COLUMNS:
        if column.key in given and column.change is not None:
            made = column.change(made, given[column.key])
    if "prior" not in given:
        if made.lower is None or made.upper is None:
            raise ValueError("give a prior, or a lower and an upper limit.")
        made = msgspec.structs.replace(made, prior=Uniform(low=made.lower, high=made.upper), lower=None, upper=None)
    return made


def merged(present: Sequence[Parameter], pasted: Sequence[Parameter]) -> tuple[Parameter, ...]:
    """``present`` with the pasted ones in place of those of the same name, the others appended. What a pasted one does not say,
    its label or unit, stays."""
    new = {p.name: p for p in pasted}
    kept = [_said(p, new.pop(p.name)) if p.name in new else p for p in present]
    return (*kept, *new.values())


def _said(before: Parameter, now: Parameter) -> Parameter:
    return msgspec.structs.replace(now, label=now.label or before.label, unit=now.unit or before.unit)


def ranges_pasted(text: str, present: Sequence[Parameter], row: int) -> tuple[Parameter, ...] | None:
    """``present`` with priors of pasted lines of two numbers each, from ``row`` on; None: they are no such lines, or too many."""
    lines = [line for line in writable(text).splitlines() if line.strip()]
    cells = [[c for c in re.split(r"\t|;", line) if c.strip()] if re.search(r"\t|;", line) else line.split() for line in lines]
    if not lines or row < 0 or row + len(lines) > len(present) or any(len(c) != 2 or not all(map(_is_number, c)) for c in cells):
        return None
    changed = list(present)
    for k, (low, high) in enumerate(cells, row):
        changed[k] = _with_prior(changed[k], f"{low.strip()} to {high.strip()}")
    return tuple(changed)
