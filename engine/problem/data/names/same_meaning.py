"""Names of one quantity that are written otherwise: Wavelength / nm, wavelength_nm, lambda (um). Pure."""

from __future__ import annotations

from ..units.unit_scales import conversion, of_other_kind
from .codes import codes_differ, without_code
from .column_names import loose_name, says_where, solid_name, unit_in, without_unit
from .name_symbols import short_for
from .of_files import name_and_file
from .same_quantity import in_english


def mean_the_same(one: str, other: str) -> bool:
    """Whether two columns hold the same quantity by their names, spelled otherwise, in another language or as a symbol, and in
    units that can be converted, as far as both name one."""
    a, b = ((found[0] if (found := name_and_file(name)) is not None else name) for name in (one, other))
    units = unit_in(a), unit_in(b)
    if all(units) and units[0] != units[1] and conversion(*units) is None:
        return False
    bare = [without_unit(name).strip() for name in (a, b)]
    if all(len(name) == 1 for name in bare):
        return bare[0] == bare[1]  # t is no T
    words = [" ".join(in_english(word) for word in loose_name(name).split()) for name in (a, b)]
    mine, its = ("time" if name == "t" else word for name, word in zip(bare, words, strict=True))
    return solid_name(a) == solid_name(b) or mine == its or short_for(a.strip(), its) or short_for(b.strip(), mine)


def speak_against(output: str, column: str) -> bool:
    """Whether names tell that an output is not what a column holds: their codes differ, their units are of different kinds, or
    the column says where or when and the output says what."""
    placed = says_where(without_code(column)) and not says_where(without_code(output))
    units = unit_in(output), unit_in(column)
    return placed or codes_differ(output, column) or (all(units) and of_other_kind(*units))
