"""Names of which one is a part of the other as whole words: DIPOLE and Dipole moment, A and Rotational constant A."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import permutations

from ..units.molar_masses import substances_told
from ..units.unit_names import is_unit
from .brackets import bracket_of
from .classes import class_bounds
from .codes import codes_differ
from .column_names import has_unit, solid_name, without_unit
from .complex_parts import names_by_part
from .index_words import without_index_words
from .name_symbols import names_by_symbols
from .of_files import name_and_file
from .same_quantity import in_english
from .titled_names import is_of_another_title, names_by_title

_INTEGERS = re.compile(r"\d+")
MOST_PARTS = 4  # of a name whose words are looked for in every order
FEWEST_INITIALS = 2  # outputs of one letter that names of columns begin with: one may by chance
_NUMBER_AND_UNIT = re.compile(r"(?P<number>\d+)(?P<unit>[^\W\d_]+)")
_WORDS = re.compile(r"[^\W_]+")
_DEGREES = re.compile(r"deg(?:rees?)?[ensw]?", re.IGNORECASE)  # a unit in the middle of a name: lon_degE_D31


def words_in(name: str) -> tuple[str, ...]:
    """The words of a name without its unit, those in brackets too; letters alone keep their case: A is a constant, "a" a word."""
    bare = without_unit(name) if has_unit(name) else name
    words = _WORDS.findall(bare)
    inner = [w for i, w in enumerate(words) if not (0 < i < len(words) - 1 and _DEGREES.fullmatch(w))]
    return tuple(w if len(w) == 1 else w.casefold() for w in inner)


def names_told(outputs: Sequence[str], columns: Sequence[str], classes: bool = True) -> dict[str, str]:
    """Each output with the column that the words of both names tell, or that one of them is short for, or says in another
    language; Ca with Calcium. ``classes``: bounds in names tell too, 0-4; as labels of rows they may say of whom each is."""
    found = {**names_by_bracket(outputs, columns), **names_by_title(outputs, columns), **names_by_file(outputs, columns)}
    found |= substances_told([o for o in outputs if o not in found], [c for c in columns if c not in found.values()])
    left, free = [o for o in outputs if o not in found], [c for c in columns if c not in found.values()]
    found |= names_by_part(left, free)
    left, free = [o for o in left if o not in found], [c for c in free if c not in found.values()]
    found |= names_by_words(left, free)
    if classes:
        found |= names_by_class([o for o in outputs if o not in found], [c for c in columns if c not in found.values()])
    left, free = [o for o in outputs if o not in found], [c for c in columns if c not in found.values()]
    found |= names_by_symbols(left, free)
    left, free = [o for o in outputs if o not in found], [c for c in columns if c not in found.values()]
    found |= names_by_words(left, free, words_in_english)
    for way in (names_by_ending, names_by_parts, names_by_counting, names_by_initial):
        left, free = [o for o in outputs if o not in found], [c for c in columns if c not in found.values()]
        found |= way(left, free)
    return {o: c for o, c in found.items() if not is_of_another_title(o, c) and not codes_differ(o, c)}


def names_by_bracket(outputs: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """Each output with the only column that has its name in the bracket at its end, where that is no unit: PB1 with depth [cm]
    (PB1); drawdown_PB1 too, whose last word has a letter and a digit."""
    inside = {c: tuple(w.casefold() for w in _WORDS.findall(b)) for c in columns if (b := bracket_of(c)) and not is_unit(b)}
    fits: dict[str, list[str]] = {}
    for output in outputs if inside else ():
        own = tuple(w.casefold() for w in _WORDS.findall(output))
        fits[output] = [c for c, w in inside.items() if w and (own == w or (own[-1:] == w and _is_code(w[0])))]
    taken = [c for found in fits.values() for c in found]
    return {o: found[0] for o, found in fits.items() if len(found) == 1 and taken.count(found[0]) == 1}


def _is_code(word: str) -> bool:
    return any(c.isalpha() for c in word) and any(c.isdigit() for c in word)


def names_by_file(outputs: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """Each output with the only column of its name whose file, in brackets behind it, is called like the rest of the output's
    words: R_H2O with R (cell3_H2O.ort)."""
    fits: dict[str, list[str]] = {o: [] for o in outputs}
    for column in columns:
        told = name_and_file(column)
        base, stem = (words_in(told[0]), set(words_in(told[1]))) if told is not None else ((), set[str]())
        for output in outputs if base else ():
            words = words_in(output)
            if words[: len(base)] == base and (rest := words[len(base) :]) and set(rest) <= stem:
                fits[output].append(column)
    taken = [c for found in fits.values() for c in found]
    return {o: found[0] for o, found in fits.items() if len(found) == 1 and taken.count(found[0]) == 1}


def names_by_class(outputs: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """Each output with the only column of the class whose bounds are all the numbers in its name: cases_0_4 with 0-4 years."""
    classes = {c: bounds for c in columns if (bounds := class_bounds(c)) is not None}
    numbers = {o: tuple(map(int, _INTEGERS.findall(o))) for o in outputs}
    fits = {o: [c for c, bounds in classes.items() if bounds == numbers[o]] for o in outputs}
    taken = [c for found in fits.values() for c in found]
    return {o: found[0] for o, found in fits.items() if len(found) == 1 and taken.count(found[0]) == 1}


def names_by_ending(outputs: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """Rs and Rp with s and p: outputs called like columns behind one and the same beginning; none where several beginnings are as
    good, where it is of one column alone, or where a column is the ending of several others."""
    own, other = ({name: solid_name(name) for name in names} for names in (outputs, columns))
    pairs: dict[str, dict[str, str]] = {}
    for output, whole in own.items():
        fits = [c for c, ending in other.items() if ending and whole.endswith(ending) and whole != ending]
        for column in (c for c in fits if all(other[c].endswith(other[o]) for o in fits)):
            pairs.setdefault(whole.removesuffix(other[column]), {})[output] = column
    once = [found for found in pairs.values() if len(set(found.values())) == len(found) > 1]
    best = max(map(len, once), default=0)
    most = [found for found in once if len(found) == best]
    return most[0] if len(most) == 1 else {}


def names_by_parts(outputs: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """Each output with the only column of the same parts in another order, among them a number: Rs_45 with %R 45deg s."""
    other = {column: _orders(column) for column in columns}
    fits = {o: [c for c in columns if solid_name(o) in other[c]] for o in outputs if any(x.isdigit() for x in o)}
    taken = [c for found in fits.values() for c in found]
    return {o: found[0] for o, found in fits.items() if len(found) == 1 and taken.count(found[0]) == 1}


def names_by_counting(outputs: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """As ``names_by_words``, where one of both names says what its number counts and the other does not: tm_band_1 with TM 1."""
    told = {name for name in (*outputs, *columns) if _without_index(name) != words_in(name)}
    found: dict[str, str] = {}
    for says in (True, False):
        left, free = [o for o in outputs if (o in told) is says], [c for c in columns if (c in told) is not says]
        found |= names_by_words(left, free, _without_index)
    return found


def names_by_initial(outputs: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """Each output of one letter with the only column whose name begins with it, where no other output does: G and I with Glucose
    and Insulin; none where it is one output alone."""
    own, other = ({name: solid_name(without_unit(name)) for name in names} for names in (outputs, columns))
    fits = {o: [c for c in columns if len(other[c]) > 1 and other[c][0] == a] for o, a in own.items() if len(a) == 1}
    first = [a[:1] for a in own.values()]
    found = {o: some[0] for o, some in fits.items() if len(some) == 1 and own[o].isalpha() and first.count(own[o]) == 1}
    return found if len(found) >= FEWEST_INITIALS else {}


def _without_index(name: str) -> tuple[str, ...]:
    return without_index_words(words_in(name))


def _orders(column: str) -> set[str]:
    """The words of a name in every order, numbers without their units, as one word each; empty: too many, or no number."""
    words = [_NUMBER_AND_UNIT.sub(_without_known_unit, w.casefold()) for w in words_in(column)]
    if not 2 <= len(words) <= MOST_PARTS or not any(w.isdigit() for w in words):
        return set()
    return {"".join(order) for order in permutations(words)}


def _without_known_unit(found: re.Match[str]) -> str:
    return found["number"] if is_unit(found["unit"]) else found[0]


def words_in_english(name: str) -> tuple[str, ...]:
    """The words of a name, those for quantities in English whatever their language."""
    return tuple(in_english(word) for word in words_in(name))


def names_by_words(
    outputs: Sequence[str], columns: Sequence[str], words_of: Callable[[str], tuple[str, ...]] = words_in
) -> dict[str, str]:
    """Each output with the only column whose words hold its own, or are held by them, next to each other; none where an output
    or a column fits several: which is meant, only the user knows."""
    own, other = ({name: words_of(name) for name in names} for names in (outputs, columns))
    fits = {o: [c for c in columns if _holds(own[o], other[c]) or _holds(other[c], own[o])] for o in outputs}
    taken = [c for found in fits.values() for c in found]
    return {o: found[0] for o, found in fits.items() if len(found) == 1 and taken.count(found[0]) == 1}


def _holds(whole: tuple[str, ...], part: tuple[str, ...]) -> bool:
    n = len(part)
    return n > 0 and any(whole[k : k + n] == part for k in range(len(whole) - n + 1))
