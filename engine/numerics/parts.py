"""Many points a few at a time: matrices between them and all data are then never held whole."""

from __future__ import annotations

AT_ONCE = 256  # points; 1 MB of covariances with 500 data, which the processor's cache holds


def in_parts(count: int, at_once: int = AT_ONCE) -> list[slice]:
    """``count`` points, so many at a time.

    The last part has up to twice as many and never a few, since BLAS treats those otherwise: the digits are those of all at once.
    """
    starts = range(0, max(count - at_once + 1, 1), at_once)
    return [slice(a, b) for a, b in zip(starts, [*starts[1:], count], strict=True)]
