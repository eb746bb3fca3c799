"""Parameters that the data do not depend on: where a posterior is the prior, whatever the other parameters are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

FEW_BITS = 0.05  # of a marginal: as much as draws and surrogates may invent
FEW_SHARE = 0.03  # of a parameter's variance, or of the variance of its square, that the others foretell
DRAWS_PER_TERM = 20  # fewer, and the others foretell it by chance: their products are left out


def unfelt(u: Array, weights: Array, bits: Array) -> NDArray[np.bool_]:
    """(D,) of posterior draws u (n, D), weights (n,) that sum to one, and of the information gained on each parameter (D,).

    The posterior is prior times likelihood: it is the prior in a parameter and independent of the others exactly where the
    likelihood does not depend on it. Independence is looked for in linear, squared and mixed terms.
    """
    found = np.asarray(bits) < FEW_BITS
    centred = u - weights @ u
    z = centred / np.sqrt(np.maximum(weights @ np.square(centred), 1e-300))
    effective = 1.0 / float(np.square(weights).sum())
    for i in np.flatnonzero(found):
        others = np.delete(z, i, axis=1)
        first, second = np.triu_indices(others.shape[1], k=1)
        terms = [others, np.square(others)]
        if effective > DRAWS_PER_TERM * (2 * others.shape[1] + len(first)):
            terms.append(others[:, first] * others[:, second])
        both = np.stack([z[:, i], np.square(z[:, i])], axis=1)
        found[i] = _foretold(np.concatenate(terms, axis=1), both, weights, effective) < FEW_SHARE
    return found


def _foretold(x: Array, y: Array, weights: Array, effective: float) -> float:
    """The largest share of the variance of a column of y (n, k) that a regression on x (n, p) explains, less what chance does."""
    root = np.sqrt(weights)[:, None]
    x, y = (x - weights @ x) * root, (y - weights @ y) * root
    fitted = x @ np.linalg.lstsq(x, y, rcond=None)[0] if x.shape[1] else np.zeros_like(y)
    share = np.square(fitted).sum(0) / np.maximum(np.square(y).sum(0), 1e-300)
    return float(share.max() - x.shape[1] / effective)
