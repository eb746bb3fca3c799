"""Names of series of one quantity: repeated measurements (S A, S B), columns of several tables, outputs of several files."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..units.unit_names import is_unit
from .brackets import bracket_of
from .column_names import unit_in, without_unit

Part = tuple[str, str]  # the name of the quantity, and what tells its series from others
_REPEAT = re.compile(  # rep 1, run A, vial d, camera II
    r"[0-9]+(?=[^0-9]*$)|(?<![^\W_])(?:[A-Fa-f]|I{1,3}|IV|VI{0,3}|IX)(?=\W*$)"
)
_COUNTED_WORD = re.compile(  # that says of what is counted only that it was repeated: OD rep 1
    r"(?:rep|repl|repeat|repetition|replicate|replica|run|sample|measurement|wdh|wiederholung)[.\s_-]*", re.IGNORECASE
)
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


def quantity_repeated(name: str) -> str:
    """As ``without_repeat``, also without a word such as rep before the number: OD of OD rep 2; '' if none is left."""
    base = without_repeat(name)
    bare = without_unit(base) if base else ""
    *words, last = re.split(r"(?<=[\s_-])", bare)
    rest = "".join(words).strip(" _-") if _COUNTED_WORD.fullmatch(last) else bare
    return f"{rest}{base[base.index(bare) + len(bare):]}" if rest and bare in base else ""


def titled(columns: Sequence[str]) -> dict[str, Part]:
    """Each of the ``columns`` with its own name and the title of its table behind it; '' where no other table has a column of the
    same name."""
    return _parted(columns, _by_bracket)


def title_of(name: str) -> str:
    """The title of a table behind the name of a column, or what else its last bracket says but a unit; '' if there is none."""
    return _by_bracket(name)[1]


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
