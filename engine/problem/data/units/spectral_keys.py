"""Places in a spectrum that are written in several ways: wavelength, wavenumber, frequency, photon energy; period and frequency;
the momentum transfer q of a scattering pattern and the spacing d = 2 pi / q (Bragg's law; B. E. Warren, X-Ray Diffraction, 1969).

Constants: CODATA 2022, exact by the definition of the SI."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from ..names.column_names import loose_name, says_where, unit_in, without_unit
from ..names.key_words import WAVELENGTHS
from ..names.scattering import is_momentum_transfer
from .unit_scales import dimension_of, of_one_particle

LIGHT = 299_792_458.0  # m/s
PLANCK = 6.62607015e-34  # J s
_PERIOD, _FREQUENCY, _ANGULAR = "a period", "a frequency", "an angular frequency"
_SPACING = re.compile(
    r"d(?:[ _-]?hkl)?(?:[ _-]?(?:spacings?|values?|bragg))?|repeat[ _-]distance|netzebenenabstand"
    r"|(?:(?:lattice|bragg|interplanar|lamellar|layer)[ _-])?(?:spacings?|period)",
    re.IGNORECASE,
)
_OF_TIME = (_PERIOD, _FREQUENCY, _ANGULAR)  # between these no light is meant


@dataclass(frozen=True)
class _Kind:
    """A way to say a place: the frequency in 1/s is ``size`` times a number of it to the ``power`` 1 or -1."""

    words: str
    unit: str
    size: float
    power: int


@dataclass(frozen=True)
class Conversion:
    """``factor`` times a number of one kind, or over it where ``inverse``, is one of the other; ``words``: what both are, the one
    that is made first: a photon energy in eV, and a wavelength in nm."""

    factor: float
    inverse: bool
    words: str


def spectral(name: str, other: str, unit: str = "", other_unit: str = "") -> Conversion | None:
    """How the numbers of ``name`` become those of ``other``, by the units that these names say or that are given; None: they are
    of one kind, or not known to say places in a spectrum.

    A length is a wavelength unless its name says another place, and a time is a period unless its name says when.
    """
    if (found := _of_scattering(name, other, unit or unit_in(name), other_unit or unit_in(other))) is not None:
        return found
    one, two = _kind(name, unit or unit_in(name)), _kind(other, other_unit or unit_in(other))
    if one is None or two is None or one.words == two.words:
        return None
    if _PERIOD in (one.words, two.words) and not {one.words, two.words} <= set(_OF_TIME):
        return None
    factor = float(f"{(one.size / two.size) ** two.power:.12g}")
    return Conversion(factor, one.power != two.power, f"{two.words} in {two.unit}, and {one.words} in {one.unit}")


def _kind(name: str, unit: str) -> _Kind | None:
    bare, wavelength = without_unit(name), says_wavelength(name)
    unit = "Å" if unit == "A" and wavelength else unit  # as crystallographers write it
    found = dimension_of(unit)
    if found is None or is_momentum_transfer(bare, unit):
        return None
    dimension, size = found
    if dimension == {"length": 1}:
        return None if says_where(name) and not wavelength else _Kind("a wavelength", unit, LIGHT / size, -1)
    if dimension == {"length": -1} and bare.strip() != "k":
        return _Kind("a wavenumber", unit, LIGHT * size, 1)
    if dimension in ({"length": -1}, {"length": -1, "angle": 1}):
        return _Kind("an angular wavenumber", unit, LIGHT * size / (2.0 * math.pi), 1)
    if dimension == {"time": 1}:
        return None if says_where(name) else _Kind(_PERIOD, unit, 1.0 / size, -1)
    if dimension in ({"frequency": 1}, {"time": -1}):
        return _Kind(_FREQUENCY, unit, size, 1)
    if dimension == {"time": -1, "angle": 1}:
        return _Kind(_ANGULAR, unit, size / (2.0 * math.pi), 1)
    if dimension == {"force": 1, "length": 1} and of_one_particle(unit):
        return _Kind("a photon energy", unit, size / PLANCK, 1)
    return None


def _of_scattering(name: str, other: str, unit: str, other_unit: str) -> Conversion | None:
    """Between a momentum transfer and a spacing, in either order: both are 2 pi over the other."""
    q = [is_momentum_transfer(without_unit(n).strip(), u) for n, u in ((name, unit), (other, other_unit))]
    if q[0] == q[1]:
        return None
    (spacing, length), per_length = ((name, unit), other_unit) if q[1] else ((other, other_unit), unit)
    length = "Å" if length == "A" else length  # as crystallographers write it
    size, per = dimension_of(length), dimension_of(per_length)
    if _SPACING.fullmatch(without_unit(spacing).strip()) is None or size is None or per is None or size[0] != {"length": 1}:
        return None
    factor = float(f"{2.0 * math.pi / (size[1] * per[1]):.12g}")
    kinds = {True: f"a momentum transfer in {per_length}", False: f"a spacing in {length}"}
    return Conversion(factor, True, f"{kinds[q[1]]}, and {kinds[q[0]]}")


def says_wavelength(name: str) -> bool:
    """Whether a name says a wavelength, in words or by its letter."""
    return any(word in loose_name(name).replace("_", " ") for word in WAVELENGTHS)
