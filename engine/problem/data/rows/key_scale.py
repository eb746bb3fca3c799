"""By what the keys that a program prints become those of the data: times a factor, or one over them, plus an offset."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from ... import definition as d
from ...numbers.shown_digits import compact, in_full
from .text_keys import FIRST_LABEL

Array = NDArray[np.float64]
SAME = 1e-9  # relative: such scales are one


@dataclass(frozen=True)
class Scale:
    """``factor`` times a key, or over it where ``inverse``, plus ``offset``."""

    factor: float = 1.0
    offset: float = 0.0
    inverse: bool = False

    @property
    def plain(self) -> bool:
        """Whether keys stay as they are."""
        return (self.factor, self.offset, self.inverse) == (1.0, 0.0, False)

    def written(self, name: str) -> str:
        """For people, what the key ``name`` becomes: Lx × 0.25, 1239.84 / wavelength, T − 273.15, 180 − theta."""
        if self.factor == -1.0 and self.offset != 0.0 and not self.inverse:
            return f"{in_full(self.offset)} − {name}"
        factor = compact(f"{self.factor:.6g}")
        scaled = f"{factor} / {name}" if self.inverse else name if self.factor == 1.0 else f"{name} × {factor}"
        return scaled + ("" if self.offset == 0.0 else f" {'+' if self.offset > 0.0 else '−'} {in_full(abs(self.offset))}")

    def of(self, keys: Array) -> Array:
        """Keys (m,) of the program as they are compared; labels as they are, NaN where there is no number: one over zero."""
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            scaled = (self.factor / keys if self.inverse else self.factor * keys) + self.offset
            return np.where(keys < FIRST_LABEL, np.where(self.inverse & (keys == 0.0), np.nan, scaled), keys)

    def back(self, keys: Array) -> Array:
        """Keys (m,) of the program that ``of`` makes these of."""
        back = Scale(self.factor, 0.0, True) if self.inverse else Scale(1.0 / self.factor)
        return back.of(Scale(1.0, -self.offset).of(keys))

    def is_as(self, other: Scale) -> bool:
        """Whether both are the same but for rounding."""
        mine, its = (self.factor, self.offset), (other.factor, other.offset)
        return self.inverse == other.inverse and bool(np.allclose(mine, its, rtol=SAME))


AS_IT_IS = Scale()


def scale_of(match: d.Match) -> Scale:
    """Of the first key of ``match``."""
    return Scale(match.key_factor, match.key_offset, match.key_inverse)


def with_scale(match: d.Match, scale: Scale) -> d.Match:
    """``match`` with its first key so scaled."""
    return msgspec.structs.replace(match, key_factor=scale.factor, key_offset=scale.offset, key_inverse=scale.inverse)
