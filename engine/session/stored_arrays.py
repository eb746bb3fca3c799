"""Records of arrays as they are stored with an answer, each array under a name with the record's prefix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Arrays = Mapping[str, Array]
T = TypeVar("T")


class NotEmulated(ValueError):
    """Arrays that are no learnt outputs: a file may be damaged or come from a stranger."""


def arrays_of(record: Any, prefix: str) -> dict[str, Array]:
    return {prefix + f.name: np.asarray(getattr(record, f.name), dtype=float) for f in fields(record)}


def read_arrays(
    kind: type[T], arrays: Arrays, prefix: str, shapes: Mapping[str, tuple[int, ...]], may_be_nan: tuple[str, ...] = ()
) -> T:
    """``shapes`` of all fields of ``kind``. Raises NotEmulated where they are others, or numbers are not finite."""
    found = {name: np.asarray(arrays.get(prefix + name, np.nan), dtype=float) for name in shapes}
    if any(found[name].shape != shape for name, shape in shapes.items()):
        raise NotEmulated(f"the arrays “{prefix}…” are not of this problem")
    if not all(np.isfinite(a).all() for name, a in found.items() if name not in may_be_nan):
        raise NotEmulated(f"the arrays “{prefix}…” hold numbers that are not finite")
    return kind(**found)


def part_of(record: T, cells: slice, output: int, by_output: tuple[str, ...], whole: tuple[str, ...] = ()) -> T:
    """Of one output: its ``cells``, its row of what there is ``by_output``, and all of what is ``whole``."""
    kept = {f.name: getattr(record, f.name) for f in fields(record)}  # type: ignore[arg-type]
    rows = {name: a[output : output + 1] for name, a in kept.items() if name in by_output}
    alone = {name: a[cells] for name, a in kept.items() if name not in (*by_output, *whole)}
    return type(record)(**alone, **rows, **{name: kept[name] for name in whole})
