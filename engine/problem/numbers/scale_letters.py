"""Letters behind numbers that stand for powers of ten, as circuit simulators print them: 1.K, 45.67m, 10.Meg.

They are read only where an output declares them (``Output.scale_letters``): elsewhere 1.5m may be one and a half metres. M alone
means milli to some programs and mega to others, so it is never read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import pairwise

from .number_refusals import MANTISSA

POWERS = {"T": 12, "G": 9, "MEG": 6, "Meg": 6, "meg": 6, "K": 3, "k": 3, "m": -3, "u": -6, "\u00b5": -6, "\u03bc": -6,
          "n": -9, "p": -12, "f": -15, "a": -18}  # fmt: skip
SCALED = re.compile(rf"({MANTISSA})({'|'.join(sorted(POWERS, key=len, reverse=True))})")
_PLAIN = re.compile(rf"{MANTISSA}(?:[eE][-+]?[0-9]+)?")
LOOKED_AT = 200  # lines below and above a mark: a table that needs the letters shows them there
_declared: ContextVar[bool] = ContextVar("scale_letters", default=False)


@contextmanager
def reading(on: bool | None) -> Iterator[None]:
    """Numbers are read with such letters, or without, until this is left; None: as before."""
    token = _declared.set(_declared.get() if on is None else on)
    try:
        yield
    finally:
        _declared.reset(token)


def declared() -> bool:
    """Whether such letters are read now."""
    return _declared.get()


def value(plain: str) -> float | None:
    """The number that ``plain`` (with - and + for other signs) is by its letter; None if it is none, or none is declared."""
    match = SCALED.fullmatch(plain) if _declared.get() else None
    return float(f"{match[1]}e{POWERS[match[2]]}") if match is not None else None


def evident(lines: Sequence[str], at: int) -> bool:
    """Whether the letters around line ``at`` cannot be units: some numbers of a column have one, others but zero have none."""
    near = [line.split() for line in lines[max(at - LOOKED_AT, 0) : at + LOOKED_AT]]
    return any(len(a) == len(b) and any(map(_differ, a, b)) for a, b in pairwise(near))


def _differ(a: str, b: str) -> bool:
    return any(
        SCALED.fullmatch(x) is not None and _PLAIN.fullmatch(y) is not None and float(y) != 0.0 for x, y in ((a, b), (b, a))
    )
