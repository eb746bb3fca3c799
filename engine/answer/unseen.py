"""What a run cannot have missed, and what it can: how likely another mode of the posterior would have shown, by its width.

Made from the evaluations and the answer alone, whatever method found it; see ``numerics.unseen_modes``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..numerics.unseen_modes import CENTRES, EXCLUDED, MASS, WIDER, WIDTH, UnseenModes
from ..problem.transforms import ParameterSpace
from .digits import percent
from .known_runs import known_runs
from .modes import components_of

if TYPE_CHECKING:
    from ..session.store import SessionStore

Array = NDArray[np.float64]

STATED = (0.01, 0.02, 0.03, 0.05, 0.08, 0.12)  # widths spoken of: a wider mode fills the plausible ranges
SURE = 0.945  # probability from which no wider mode needs to be spoken of: it is written as 0.95
SENTENCES = 3  # widths in the sentence, at most
CURVE = np.geomspace(0.01, 0.2, 21)  # widths of the plot
FURTHER = 40  # more runs whose gain is foretold
WORTH = 0.05  # gain in probability from which they are offered
LEARNT = "What the learnt outputs tell of places without a run counts, if they are as smooth there as they are between the runs."
AS_GOOD_AS_IMPOSSIBLE = 1e8  # nats below the best: a wall, not a tail
LEFT_OPEN = "left_open"  # name of the array with the rows of ``UnseenModes.centres`` that learnt outputs leave open for a mode
NUMBERS = ("No second mode was", "Two modes were", "Three modes were", "Four modes were")


@dataclass(frozen=True)
class Further:
    """``runs`` more bring the probability that a mode of ``width`` shows from ``now`` to ``then``."""

    runs: int
    width: float
    now: float
    then: float

    @property
    def words(self) -> str:
        return (
            f"Look further: {self.runs} more runs bring modes that are {percent(self.width)} wide "
            f"from {_probability(self.now)} to about {_probability(self.then)}."
        )


@dataclass(frozen=True)
class Claim:
    """Of an answer with ``modes`` separate modes. ``widths`` and ``unseen`` (m,): the probability that a further mode of that
    width, as a share of the plausible ranges, did not show. ``stated``: (width, probability that it would have shown)."""

    modes: int
    stated: tuple[tuple[float, float], ...]
    widths: Array
    unseen: Array
    further: Further | None = None
    learnt: bool = False  # whether what learnt outputs say of places without a run counts

    @property
    def words(self) -> str:
        (width, seen), *rest = self.stated
        found = NUMBERS[self.modes - 1] if self.modes <= len(NUMBERS) else f"{self.modes} modes were"
        one = "One" if self.modes == 1 else "A further one"
        said = (
            f"{found} found. {one} at least {percent(width)} of the plausible ranges wide (its standard deviation) with over a "
            f"tenth of the posterior would have shown with probability {_probability(seen)}"
        )
        words = "; ".join([said, *(f"at {percent(w)} {_probability(p)}" for w, p in rest)]) + "."
        return f"{words} {LEARNT}" if self.learnt else words


def unseen_modes(
    space: ParameterSpace,
    theta: ArrayLike,
    log_density: ArrayLike,
    sds: ArrayLike,
    log_evidence: float,
    log_evidence_sd: float = 0.0,
    arrays: Mapping[str, Array] | None = None,
) -> UnseenModes | None:
    """theta (n, D), log_density (n,) = log-likelihood + log prior, and its noise's sds (n,), in the user's units; NaN where a run
    failed. None where nothing can be said. A log evidence that is known roughly counts as lower by its sd. ``arrays``: kept with
    the answer.
    """
    x, y = np.asarray(theta, dtype=float).reshape(-1, space.dimension), np.asarray(log_density, dtype=float)
    usable = np.isfinite(y) & np.all((x > space.lower) & (x < space.upper), axis=1)
    u = space.to_inference(x[usable])
    joint, noise = y[usable] + np.asarray(space.log_jacobian(u)), np.asarray(sds, dtype=float)[usable]
    return unseen_in_inference(space, u, joint, noise, log_evidence, log_evidence_sd, arrays)


def unseen_in_inference(
    space: ParameterSpace, u: Array, joint: Array, sds: Array, log_evidence: float, log_evidence_sd: float,
    arrays: Mapping[str, Array] | None = None,
) -> UnseenModes | None:
    """The same from points u (n, D) of inference space and the log joint (n,) there."""
    kept = np.isfinite(joint) & np.isfinite(sds) & np.isfinite(u).all(1)
    if not kept.any() or not np.isfinite([log_evidence, log_evidence_sd]).all():
        return None
    kept &= joint > joint[kept].max() - AS_GOOD_AS_IMPOSSIBLE
    low, high = space.plausible_box()
    values = joint[kept] + np.log(high - low).sum()
    chance = chance_left(arrays or {})
    return UnseenModes((u[kept] - low) / (high - low), values, log_evidence - log_evidence_sd, sds[kept], chance=chance)


def chance_left(arrays: Mapping[str, Array]) -> Array | None:
    """That a mode at each of ``UnseenModes.centres`` would not show in learnt outputs (CENTRES,), from an answer's ``arrays``;
    None where none were learnt. A file may be damaged or come from a stranger."""
    if LEFT_OPEN not in arrays:
        return None
    rows = np.asarray(arrays[LEFT_OPEN], dtype=float)
    if rows.ndim != 1 or not np.all((rows >= 0) & (rows < CENTRES)):
        return None
    chance = np.full(CENTRES, EXCLUDED)
    chance[rows.astype(int)] = 1.0
    return chance


def claim_of(found: UnseenModes, mixture: tuple[Array, Array, Array], log_evidence_sd: float = 0.0) -> Claim:
    """mixture: weights (K,), means (K, D), covariances (K, D, D) of the answer, in inference space."""
    shown = {width: 1.0 - found.unseen(width, MASS) for width in STATED}
    surest = next((w for w in STATED if all(shown[v] >= SURE for v in STATED if v >= w)), STATED[-1])
    said = [w for w in STATED if w <= surest][-SENTENCES:][::-1]
    least = min(shown[w] for w in STATED if w >= surest)
    stated = tuple((w, least if w == surest else shown[w]) for w in said)
    unseen = np.array([found.unseen(float(width), MASS) for width in CURVE])
    weights, means, covariances = mixture
    modes = len(components_of(weights, means, covariances, log_evidence_sd))
    return Claim(modes, stated, CURVE, unseen, _further(found, shown), found.learnt)


def _further(found: UnseenModes, shown: dict[float, float]) -> Further | None:
    width = found.in_reach(FURTHER, (WIDTH, *WIDER)) or WIDTH
    more = found.with_places(found.telling_places(FURTHER, width=width))
    then = {width: 1.0 - more.unseen(width, MASS) for width in STATED}
    width = max(STATED, key=lambda w: then[w] - shown[w])
    return Further(FURTHER, width, shown[width], then[width]) if then[width] - shown[width] > WORTH else None


def claim_of_store(store: SessionStore) -> Claim | None:
    """Of the newest answer of a session; None where nothing can be said."""
    record, space = store.last_iteration(), ParameterSpace(store.problem.parameters)
    if record is None or not len(record.weights):
        return None
    theta, y, sds = known_runs(store, record, space)
    found = unseen_modes(space, theta, y, sds, record.log_evidence, record.log_evidence_sd, record.slices)
    return None if found is None else claim_of(found, (record.weights, record.means, record.covariances), record.log_evidence_sd)


def _probability(p: float) -> str:
    """Two digits; neither 0 nor 1 is ever claimed."""
    return "below 0.01" if p < 0.01 else f"{min(p, 0.99):.2f}"
