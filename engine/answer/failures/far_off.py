"""Values far off their neighbours, as they are stored with an answer: which, how far, and what the runs beside them showed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from ..digits import rough

Array = NDArray[np.float64]
Fate = Literal["open", "left out", "kept"]
Row = tuple[float, ...]  # one value, in the order of ``FarOff``

PREFIX = "far_off."  # before the names of the arrays
FATES: tuple[Fate, ...] = ("open", "left out", "kept")
SMALLEST = 12  # powers of ten below which a chance is not told apart
WHY = "Either the program or the reading of its output went wrong there, or its outputs jump."
NAMED = 8  # runs named in a sentence


@dataclass(frozen=True)
class FarOff:
    """Of n runs, (n,) each. ``chance``: log10 of that of a value so far off; ``residual``: nats above what was predicted;
    ``fate``: place in ``FATES``; ``beside``: index of the run next to it that decided, -1: none yet."""

    index: Array
    chance: Array
    residual: Array
    fate: Array
    beside: Array

    @classmethod
    def of_rows(cls, rows: Sequence[Row]) -> Self:
        return cls(*np.array(rows, dtype=float).reshape(-1, len(fields(cls))).T)

    @classmethod
    def of(cls, arrays: Mapping[str, Array]) -> Self:
        """None of them where none are stored, or where what is stored makes no sense: a file may come from a stranger."""
        found = [np.asarray(arrays.get(PREFIX + f.name, ()), dtype=float) for f in fields(cls)]
        alike = all(a.ndim == 1 and len(a) == len(found[0]) for a in found)
        sound = alike and all(np.isfinite(a).all() for a in found) and bool(np.isin(found[3], range(len(FATES))).all())
        return cls(*found) if sound else cls.of_rows([])

    def arrays(self) -> dict[str, Array]:
        return {PREFIX + f.name: getattr(self, f.name) for f in fields(self)} if len(self.index) else {}

    def with_fate(self, *fates: Fate) -> tuple[int, ...]:
        """Indices of the runs."""
        chosen = np.isin(self.fate, [FATES.index(fate) for fate in fates])
        return tuple(int(i) for i in self.index[chosen])

    @property
    def not_counted(self) -> frozenset[int]:
        """Indices of the runs whose values are left out, for now or for good."""
        return frozenset(self.with_fate("open", "left out"))

    def fate_of(self, index: int) -> Fate | None:
        """None: its value is like its neighbours."""
        at = np.flatnonzero(self.index == index)
        return FATES[int(self.fate[at[-1]])] if len(at) else None

    def words_of(self, index: int) -> str:
        """Of one run, a sentence or two; "" where its value is like its neighbours."""
        at = np.flatnonzero(self.index == index)
        if not len(at):
            return ""
        k = int(at[-1])
        beside, residual = int(self.beside[k]), float(self.residual[k])
        how = f"{rough(abs(residual))} nats {'above' if residual > 0 else 'below'} what its neighbours imply"
        said = f"Far off its neighbours ({chance_words(float(self.chance[k]))}): {how}."
        fate = FATES[int(self.fate[k])]
        if fate == "open":
            return f"{said} It does not count until a run right beside it has shown whether it is so."
        if fate == "kept":
            return f"{said} Run {beside}, right beside it, gave the same: it counts."
        if beside < 0:
            return f"{said} Runs right beside it gave another value each time, so none of them counts."
        return f"{said} Run {beside}, right beside it, came out otherwise: this value is left out. {WHY}"

    def without(self, indices: Collection[int]) -> Self:
        """Those of the other runs."""
        kept = ~np.isin(self.index, list(indices))
        return replace(self, **{f.name: getattr(self, f.name)[kept] for f in fields(self)})


def slices_without(slices: Mapping[str, Array], indices: Collection[int]) -> dict[str, Array]:
    """The arrays of an answer, where nothing is said of the values of those runs: they are made again."""
    others = {name: array for name, array in slices.items() if not name.startswith(PREFIX)}
    return others | FarOff.of(slices).without(indices).arrays()


def chance_words(chance: float) -> str:
    """ "1 in 10^6" for -6.2; beyond what such a figure can mean, "less than"."""
    power = int(-chance)
    return f"less than 1 in 10^{SMALLEST}" if power > SMALLEST else f"1 in 10^{max(power, 1)}"


def notes(found: FarOff, evaluations: int) -> tuple[str, ...]:
    """What is said with the answer."""
    open_, out, kept = (found.with_fate(fate) for fate in FATES)
    said = []
    if out:
        lie = "lies" if len(out) == 1 else "lie"
        said.append(
            f"{len(out)} of {evaluations} values {lie} far off the neighbours, and did not come again right beside "
            f"({_runs(out)}): left out. {WHY}"
        )
    if open_:
        said.append(f"The value of {_runs(open_)} lies far off its neighbours: run again right beside before it counts.")
    if kept:
        came = "It counts." if len(kept) == 1 else "They count."
        said.append(f"What came out far off the neighbours in {_runs(kept)} came again right beside. {came}")
    return tuple(said)


def _runs(indices: Iterable[int]) -> str:
    found = sorted(indices)
    more = f" and {len(found) - NAMED} more" if len(found) > NAMED else ""
    return f"run{'s' if len(found) > 1 else ''} {', '.join(map(str, found[:NAMED]))}{more}"
