"""Names of series of one quantity: repeated measurements (S A, S B), columns of several tables, outputs of several files."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..units.unit_names import is_unit
from .column_names import bracket_of, unit_in, without_unit

Part = tuple[str, str]  # the name of the quantity, and what tells its series from others
_REPEAT = re.compile(r"[0-9]+(?=[^0-9]*$)|(?<![^\W_])[A-Fa-f](?=\W*$)")  # rep 1, run A, vial d
_COUNTED = re.compile(r"(?P<name>\S.*?)\s*[(\[]\d+[)\]]")  # OD (2)
_NUMBERED = re.compile(r"(?P<name>.+?)[ _](?P<series>[^\W_]+)")


def without_repeat(name: str) -> str:
    """``name`` without the number or the letter at its end, before its unit, that counts repeated measurements; '' if there is
    none."""
    if (counted := _COUNTED.fullmatch(name.strip())) is not None:
        return counted["name"]
    bare = without_unit(name)
    rest, count = _REPEAT.subn("", bare)
    there = " ".join(rest.split()).strip(" _-")
    return f"{there}{name[name.index(bare) + len(bare):]}" if count and there and bare in name else ""


def titled(columns: Sequence[str]) -> dict[str, Part]:
    """Each of the ``columns`` with its own name and the title of its table behind it; '' where no other table has a column of the
    same name."""
    return _parted(columns, _by_bracket)


def numbered(outputs: Sequence[str]) -> dict[str, Part]:
    """Each of the ``outputs`` with its name and what tells its file from others, S_1 and S_2; '' where no other is called so."""
    return _parted(outputs, _by_ending)


def _by_bracket(name: str) -> Part:
    inside = bracket_of(name)
    base = name.strip()[: -len(inside) - 2].strip() if inside and name.strip()[:-1].endswith(inside) else ""
    own = is_unit(inside) and not inside[:1].isdigit() and not is_unit(unit_in(base))  # rather the unit than a title
    return (base, inside) if base and not own else (name, "")


def _by_ending(name: str) -> Part:
    found = _NUMBERED.fullmatch(name)
    return (found["name"], found["series"]) if found is not None else (name, "")


def _parted(names: Sequence[str], part: Callable[[str], Part]) -> dict[str, Part]:
    parts = {name: part(name) for name in names}
    series: dict[str, set[str]] = {}
    for base, own in parts.values():
        series.setdefault(base, set()).add(own)
    return {name: one if one[1] and len(series[one[0]]) > 1 else (name, "") for name, one in parts.items()}
