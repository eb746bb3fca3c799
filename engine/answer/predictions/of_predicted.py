"""Whether errors stated as a percentage of each measured value look like those of the same percentage of the predicted value.

An error of 8 % of what is measured is smaller where a value came out low, so that low values seem to lie too far off: the tail of
their residuals is heavy on one side. Errors of the same percentage of the predicted value are about log-normal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...problem import definition as d
from ...problem.numbers.shown_digits import spoken
from .judge import level_of

Array = NDArray[np.float64]

UNLIKELY = 0.01  # that any of as many normal residuals lies as far off
NEARER = 0.9  # of its distance before, in standard deviations, the farthest value lies off at most
MOST_PERCENT = 50.0  # up to which an error in per cent and one of the logarithm are about the same


@dataclass(frozen=True)
class OfPredicted:
    """``percent`` of the errors; how far the farthest value lies off (``before`` as stated, ``after`` as a percentage of the
    predicted value), in standard deviations."""

    percent: float
    before: float
    after: float

    @property
    def cure(self) -> str:
        """What odd residuals ask for, a sentence."""
        percent = f"{spoken(self.percent)} %"
        return f"So do errors look that are {percent} of the predicted value where {percent} of the measured one are stated."

    @property
    def words(self) -> str:
        return (
            f"The errors are stated as {spoken(self.percent)} % of each measured value, so those of values that came out low "
            f"are taken for too small: one lies {_sds(self.before)} off. As {spoken(self.percent)} % of the predicted "
            f"value (log-normal errors) none lies farther off than {_sds(abs(self.after)).lstrip('+')}, as chance gives."
        )


def of_predicted(problem: d.Problem, match: d.Match, z: Array, measured: Array, predicted: Array) -> OfPredicted | None:
    """None where errors are no mere percentage, or the other reading explains no more. ``z``: residuals as stated; all (m,)."""
    meaning = problem.meaning
    noise = match.noise or (meaning.noise if isinstance(meaning, d.Predictions) else None)
    if not isinstance(noise, d.GaussianKnown) or noise.percent is None or noise.percent > MOST_PERCENT or match.sd_column:
        return None
    if noise.sd is not None or noise.sd_column is not None or not len(z) or not (len(z) == len(measured) == len(predicted)):
        return None
    if not (np.isfinite(z).all() and (measured > 0.0).all() and (predicted > 0.0).all()):
        return None
    other = np.log(measured / predicted) * 100.0 / noise.percent
    before, after = float(z[int(np.argmax(np.abs(z)))]), float(other[int(np.argmax(np.abs(other)))])
    low = before < 0.0 and abs(after) < NEARER * abs(before)
    chance = len(z) * math.erfc(abs(after) / math.sqrt(2.0))
    return OfPredicted(noise.percent, before, after) if low and chance > UNLIKELY and _fits(other) else None


def _fits(z: Array) -> bool:
    """Whether chance gives as much scatter."""
    from scipy.special import chdtrc

    larger = float(chdtrc(len(z), float(z @ z)))
    return level_of(larger, 1.0 - larger) != "too large"


def _sds(z: float) -> str:
    return f"{z:+.1f} sd".replace("-", "−")
