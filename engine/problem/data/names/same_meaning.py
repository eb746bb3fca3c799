"""Names of one quantity that are written otherwise: Wavelength / nm, wavelength_nm, lambda (um). Pure."""

from __future__ import annotations

from ..units.unit_scales import conversion
from .column_names import loose_name, solid_name, unit_in, without_unit
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
