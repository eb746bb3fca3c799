"""One formula for numpy arrays and for torch tensors on any device: what the two libraries name differently. Imports no torch."""

from __future__ import annotations

import math
import sys
from typing import Any, TypeAlias

import numpy as np

Values: TypeAlias = Any  # float64: a numpy array, or a torch tensor on some device


LOG2_E = 1.0 / math.log(2.0)


def is_tensor(x: Values) -> bool:
    return not isinstance(x, np.ndarray | np.generic)


def library(x: Values) -> Any:
    """numpy or torch, whichever x belongs to: exp, einsum, sqrt and their like are in both."""
    return sys.modules["torch"] if is_tensor(x) else np


def like(x: Values, values: Any) -> Values:
    """``values``, a numpy array or numbers, where x is."""
    array = np.asarray(values, dtype=float)
    return sys.modules["torch"].as_tensor(array, device=x.device) if is_tensor(x) else array


def empty(x: Values, *shape: int) -> Values:
    """Uninitialized, where x is."""
    return x.new_empty(shape) if is_tensor(x) else np.empty(shape)


def not_negative(x: Values) -> Values:
    """max(x, 0); x is used up."""
    return x.clamp_(min=0.0) if is_tensor(x) else np.maximum(x, 0.0, out=x)


def solve_lower(factor: Values, right: Values) -> Values:
    """L^-1 right for lower L (n, n), right (n, m), which is used up."""
    if is_tensor(factor):
        return library(factor).linalg.solve_triangular(factor, right, upper=False)
    from scipy import linalg  # not where only formulas are wanted: the window starts without it

    return linalg.solve_triangular(factor, right, lower=True, check_finite=False, overwrite_b=True)


def decay(x: Values) -> Values:
    """exp(-x); of a tensor as a power of two, which torch computes in a third of the time."""
    return (x * -LOG2_E).exp2_() if is_tensor(x) else np.exp(-x)


def to_numpy(x: Values) -> Any:
    """From wherever it is."""
    return x.cpu().numpy() if is_tensor(x) else x
