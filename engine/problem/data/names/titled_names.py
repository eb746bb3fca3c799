"""Columns that bear the title of their table behind their name, Psi (°) (angle: 65.00), and outputs with its number: Psi_65."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..units.unit_names import is_unit, name_and_unit
from .brackets import bracket_of
from .column_names import solid_name
from .of_files import name_and_file

_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?")
_TAILS = tuple(re.compile(rf"(?P<stem>.*\w)_(?P<value>m?\d+{rest})") for rest in ("", r"_\d+"))  # 65, m3; 0_5


def with_title(name: str, title: str) -> str:
    """``name`` with the title of its table, before a unit behind a slash: time (318 K) / min."""
    slashed = name_and_unit(" ".join(name.split()))
    return f"{name} ({title})" if slashed is None else f"{slashed[0]} ({title}) / {slashed[1]}"


def name_and_title(column: str) -> tuple[str, str] | None:
    """The name of a column, with its unit, and the title of its table, in the bracket behind; None: no title with a number."""
    bare = " ".join(column.split())
    slashed = name_and_unit(bare)
    bare, unit = slashed if slashed is not None else (bare, "")
    inside = bracket_of(bare)
    if not inside or not _NUMBER.search(inside) or name_and_file(bare) is not None:
        return None
    name = bare[: -len(inside) - 2].strip(" (")
    if is_unit(inside) and not (inside[0].isdigit() and (unit or bracket_of(name))):
        return None  # 200 mM is a title behind mM
    return (f"{name} / {unit}" if unit else name), inside


def numbers_in(title: str) -> tuple[float, ...]:
    """The numbers of a title, in its order."""
    return tuple(map(float, _NUMBER.findall(title)))


def names_by_title(outputs: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """Each output with the only column of its name in the title of whose table its number stands: Psi_65, flow_0_5, T_m3."""
    titled = {c: told for c in columns if (told := name_and_title(c)) is not None}
    fits: dict[str, list[str]] = {}
    for output in outputs if titled else ():
        ends = _ends(output)
        fits[output] = [
            c for c, (name, title) in titled.items()
            if any(solid_name(name) == stem and value in numbers_in(title) for stem, value in ends)
        ]  # fmt: skip
    taken = [c for found in fits.values() for c in found]
    return {o: found[0] for o, found in fits.items() if len(found) == 1 and taken.count(found[0]) == 1}


def is_of_another_title(output: str, column: str) -> bool:
    """Whether an output has the name of a titled column and a number behind it that is not in that title: Psi_80 beside
    Psi (angle: 65.00)."""
    told = name_and_title(column)
    mine = [value for stem, value in _ends(output) if told is not None and stem == solid_name(told[0])]
    return told is not None and bool(mine) and not any(value in numbers_in(told[1]) for value in mine)


def _ends(output: str) -> list[tuple[str, float]]:
    """The name before the number at the end of an output's, and that number: -0.5 of m0_5; 70.5 or 5 of Psi_70_5."""
    found = (tail.fullmatch(output) for tail in _TAILS)
    return [(solid_name(t["stem"]), float(t["value"].replace("m", "-").replace("_", "."))) for t in found if t is not None]
