"""What else a program may call a quantity that was measured: in English, by its formula, without a word that says value. Pure."""

from __future__ import annotations

from functools import lru_cache

from ..data.names.column_names import VALUE_WORDS, solid_name
from ..data.names.name_words import words_in, words_in_english
from ..data.units.molar_masses import substance_in
from ..data.units.unit_names import NAMES_KNOWN


@lru_cache(NAMES_KNOWN)
def other_names(name: str) -> tuple[str, ...]:
    """Ca for Calcium, step for Schritt, ph for pH-Wert; the own spelling not among them."""
    bare = " ".join(w for w in words_in(name) if w.casefold() not in VALUE_WORDS)
    english = " ".join(w for w in words_in_english(name) if w.casefold() not in VALUE_WORDS)
    named = (substance_in(name), *(one for one in (english, bare) if len(one) > 1))
    return tuple(dict.fromkeys(one for one in named if one and solid_name(one) != solid_name(name)))


def is_other_name(label: str, name: str) -> bool:
    """Whether ``label`` is another name of ``name``: formulas in their case, since NA is no sodium."""
    formula = substance_in(name)
    return any(label == one if one == formula else solid_name(label) == solid_name(one) for one in other_names(name))
