"""Names of which one is short for the other: Etot and total energy, freq_1 and frequency 1, mu and Dipole moment."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from ..units.unit_names import is_unit
from .column_names import without_unit

# symbols of physics, chemistry and engineering as textbooks use them; single letters as they are written, others in any case
_SYMBOLS: dict[str, tuple[str, ...]] = {
    "E": ("energy", "modulus"), "T": ("temperature",), "P": ("pressure", "power"), "p": ("pressure",),
    "V": ("volume", "voltage"), "U": ("voltage", "energy", "displacement"), "u": ("displacement", "velocity"),
    "I": ("current", "intensity"), "Q": ("heat", "flow", "charge", "discharge"), "q": ("flux", "flow", "charge"),
    "F": ("force",), "f": ("frequency",), "m": ("mass",), "v": ("velocity", "speed"), "a": ("acceleration",),
    "L": ("length", "inductance"), "l": ("length",), "h": ("height", "depth", "head"), "w": ("width", "deflection"),
    "R": ("resistance", "radius"), "r": ("radius",), "D": ("diffusion", "diffusivity", "diameter"), "d": ("diameter", "distance"),
    "C": ("capacitance", "concentration"), "c": ("concentration",), "S": ("entropy",), "H": ("enthalpy",),
    "G": ("gain", "modulus"), "k": ("conductivity", "rate"), "M": ("moment", "magnetization"), "B": ("field",),
    "Z": ("impedance",), "N": ("number", "count"),
    "rho": ("density", "resistivity"), "mu": ("viscosity", "dipole"), "nu": ("frequency", "wavenumber", "viscosity"),
    "omega": ("frequency",), "lambda": ("wavelength", "conductivity"), "eta": ("viscosity", "efficiency"),
    "sigma": ("stress", "conductivity"), "eps": ("strain", "permittivity"), "epsilon": ("strain", "permittivity"),
    "tau": ("stress", "lifetime", "time"), "theta": ("angle", "temperature"), "phi": ("potential", "phase", "angle"),
    "alpha": ("absorption", "expansion"), "avg": ("average", "mean"), "ave": ("average", "mean"), "pwr": ("power",),
    "frq": ("frequency",), "tmp": ("temperature",), "qty": ("quantity",), "bndwdth": ("bandwidth",), "bw": ("bandwidth",),
    "wt": ("weight",), "vol": ("volume", "voltage"), "no": ("number",), "num": ("number",), "cp": ("capacity",),
    "pi": ("diversity",), "dxy": ("divergence",), "fst": ("fixation",), "taj": ("tajima",),
}  # fmt: skip
_SMALL = frozenset("of the at in on for from by to a an and per".split())
_PIECES = re.compile(r"\d+|[^\W\d_]+")
_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])")  # maxDisp
SHORTEST = 3  # letters of a word's beginning that stand for it: freq, disp, tot
MOST_LETTERS = 24  # of a name that is taken apart into beginnings of words


def names_by_symbols(outputs: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """Each output with the only column that it is short for, or that is short for it; none where an output or a column fits
    several: which is meant, only the user knows."""
    fits = {o: [c for c in columns if short_for(o, c) or short_for(c, o)] for o in outputs}
    taken = [c for found in fits.values() for c in found]
    return {o: found[0] for o, found in fits.items() if len(found) == 1 and taken.count(found[0]) == 1}


def short_for(short: str, name: str) -> bool:
    """Whether every part of ``short`` stands for words of ``name``: their beginnings, initials, symbol; numbers are the same."""
    mine, its = _parts(short), _parts(name)
    if [p for p in mine if p.isdigit()] != [p for p in its if p.isdigit()]:
        return False
    letters, words = [p for p in mine if not p.isdigit()], [p.casefold() for p in its if not p.isdigit()]
    content = [w for w in words if w not in _SMALL]
    if not letters or not content:
        return False
    if len(letters) == 1 and len(words) > 1 and letters[0].casefold() in (_initials(words), _initials(content)):
        return True
    whole = _SYMBOLS.get("".join(letters).casefold(), ()) if len(letters) > 1 else ()  # F_ST
    return any(word in whole for word in content) or _all_stand(tuple(letters), tuple(content))


def _initials(words: Sequence[str]) -> str:
    return "".join(w[0] for w in words)


@lru_cache(maxsize=4096)  # the same names are compared again at every change of the problem
def _parts(name: str) -> tuple[str, ...]:
    """Words and numbers of ``name``, in their case; without a unit, in brackets or bare behind it."""
    found = [p for word in re.split(r"[\W_]+", without_unit(name)) for p in _PIECES.findall(_HUMPS.sub(" ", word))]
    while len(found) > 1 and len(found[-1]) > 1 and is_unit(found[-1]) and found[-1].casefold() not in _SMALL:
        found.pop()
    return tuple(found)


def _all_stand(letters: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Whether all ``letters`` stand for different ones of the ``words``."""
    if not letters:
        return True
    first, rest = letters[0], letters[1:]
    return any(_all_stand(rest, _without(words, used)) for used in _meant(first, words))


def _without(words: tuple[str, ...], used: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(w for i, w in enumerate(words) if i not in used)


def _meant(part: str, words: tuple[str, ...]) -> Iterator[tuple[int, ...]]:
    """Which words, by their places, ``part`` may stand for: one, or one by its symbol before others by their beginnings."""
    low, symbols = part.casefold(), _SYMBOLS.get(part if len(part) == 1 else part.casefold(), ())
    for i, word in enumerate(words):
        if word == low or word in symbols or (len(low) >= SHORTEST and word.startswith(low)):
            yield (i,)
    if 1 < len(part) <= MOST_LETTERS:
        head, tail = part[0], low[1:]
        for i, word in enumerate(words):
            if word in _SYMBOLS.get(head, ()) or word.startswith(head.casefold()):
                yield from ((i, *rest) for rest in _beginnings(tail, words, (i,)))


def _beginnings(letters: str, words: tuple[str, ...], used: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Ways to take ``letters`` apart into beginnings, long enough, of words not ``used``."""
    if not letters:
        yield ()
        return
    shortest = 1 if len(words) == 2 and len(letters) == 1 else SHORTEST  # Ek: of two words the other is meant
    for i, word in enumerate(words):
        for n in range(shortest, min(len(word), len(letters)) + 1) if i not in used else ():
            if word[:n] == letters[:n]:
                yield from ((i, *rest) for rest in _beginnings(letters[n:], words, (*used, i)))
