"""How far an answer from an archive alone may be trusted: the error of its log evidence, and where more runs are needed.

No new run has tested the surrogate, so its own sd must speak. Where an archive is thin its errors all have one sign (a tail that
nobody visited), hence the fully correlated error: with draws x_i of the guarded surrogate, weights w_i and surrogate sds s_i,

    log sum_i w_i exp(min(c s_i, LARGEST_SHIFT)),   c >= 1: the error of whole blocks held out, in their predicted sds.

In few dimensions the surrogate's own guess is also asked for mass within the plausible box where it is unsure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.special import logsumexp
from scipy.stats import qmc
from torch import Tensor

from bayescope.engine.answer.needed import NeededRuns
from bayescope.engine.methods.svbmc.needed import CANDIDATES, needed_runs
from bayescope.engine.methods.svbmc.surrogate import blocks
from bayescope.engine.methods.svbmc.untold import untold_error
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.engine.sampling.importance import WeightedPoints, systematic
from bayescope.engine.surrogate.held_out import HeldOut, held_out
from bayescope.engine.surrogate.interface import Surrogate
from bayescope.engine.variational.guarded_mean import TRUSTED_SD
from bayescope.engine.variational.whitening import Frame

Array = NDArray[np.float64]

UNTESTED = "No new runs were made, so nothing has tested the surrogate where the archive is thin; a few dozen would."
UNSEEN = (
    "Within the plausible ranges there may be more of the posterior where the archive has no evaluations near; allow new runs to "
    "look there."
)
UNTOLD = (
    "Some {share:.0%} of this posterior lies where no evaluation is near: there it is what the surrogate makes of the others, "
    "and may be nothing. New runs go there first."
)
LARGEST_SHIFT = TRUSTED_SD  # nats: where the surrogate is less sure the guard has taken the mass away
LARGEST_INFLATION = 10.0
DRAWS = 1_024
SEARCHED_UP_TO = 4  # dimensions in which a surrogate's guess far from all data says something (as for ``acquisition.probes``)
BOX_POINTS = 2_048  # a power of two
LARGEST_UNSEEN = 1.0  # nats: mass that only a guess speaks of shows that something is missing, not how much
SHOWN = 0.1  # nats of unseen mass, or share of an untold one, that are worth a sentence
ASIDE = 0.5  # posterior sds from the middle at which a direction is named


@dataclass(frozen=True)
class ArchiveError:
    """sd: of the log evidence, nats; typical: median |residual| of evaluations held out near the posterior (nan: too few);
    unseen: nats of mass expected in the plausible box where no evaluation is near; untold: share of the posterior of which none
    tells; aside (D,): the middle of what is least
    known, from the posterior's, in its sds along inference space's axes; needed: the runs that would tell most."""

    sd: float
    typical: float
    unseen: float
    aside: Array
    needed: NeededRuns | None = None
    untold: float = 0.0

    def words(self, names: Sequence[str]) -> list[str]:
        """For people; ``names`` of the D parameters."""
        said = [UNTESTED]
        if np.isfinite(self.typical):
            said.append(
                f"Archived evaluations near the posterior, left out in blocks, were predicted to about {spoken(self.typical, 2)} "
                f"in log density; for the log evidence an error of about {spoken(self.sd, 2)} is reckoned with."
            )
        far = [i for i in np.argsort(-np.abs(self.aside))[:3] if abs(self.aside[i]) > ASIDE]
        where = " and ".join(f"{'high' if self.aside[i] > 0 else 'low'} {names[i]}" for i in far)
        if where:
            said.append(f"The archive says least about the posterior at {where}: new runs are of most use there.")
        if self.unseen > SHOWN:
            said.append(UNSEEN)
        if self.untold > SHOWN:
            said.append(untold_words(self.untold))
        return said


def untold_words(share: float) -> str:
    return UNTOLD.format(share=share)


def archive_error(
    surrogate: Surrogate, drawn: WeightedPoints, box: tuple[Array, Array], frame: Frame, rng: np.random.Generator,
    level: Tensor | None = None, untold: float = 0.0,
) -> ArchiveError:  # fmt: skip
    """``drawn``: of the guarded surrogate, in the working coordinates of ``frame``, its log Z too; ``box``: plausible lower and
    upper (D,), inference space; ``level`` (n,) of the training points, where their values are noisy; ``untold``: see there."""
    noisy, level = level is not None, surrogate.train_targets if level is None else level
    block = blocks(surrogate.train_inputs, level)
    left_out = held_out(surrogate, block) if int(block.max()) >= 1 else None
    typical = float("nan") if left_out is None else float(left_out.residual.abs().median())
    if not np.isfinite(drawn.log_z):
        return ArchiveError(float("inf"), typical, 0.0, np.zeros(len(box[0])))
    rows = systematic(drawn.weights, DRAWS, rng)
    with torch.no_grad():
        unsure = surrogate.predict(torch.as_tensor(drawn.points[rows]))[1].sqrt().numpy()
    shift = np.exp(np.minimum(_inflation(left_out, block, noisy=noisy) * unsure, LARGEST_SHIFT))
    unseen = unseen_mass(surrogate, drawn.log_z, box, frame, rng, float(level.max()))
    u = frame.back(drawn.points[rows])
    aside = ((shift - 1.0) @ u / max(float((shift - 1.0).sum()), 1e-300) - u.mean(axis=0)) / (u.std(axis=0) + 1e-300)
    needed = needed_runs(surrogate, drawn.points[rows[:: DRAWS // CANDIDATES]], frame)
    sd = float(np.linalg.norm([np.log(shift.mean()), unseen, untold_error(untold)]))
    return ArchiveError(sd, typical, unseen, aside, needed, untold)


def _inflation(left_out: HeldOut | None, block: Tensor, *, noisy: bool = False) -> float:
    """RMS over blocks of the mean residual in units of the block's mean sd; never below 1, since blocks lie where data are.

    ``noisy``: the noise of the values averages out over a block, which the surrogate's own errors do not.
    """
    if left_out is None:
        return 1.0
    of = block[left_out.index]
    sd = (left_out.variance + left_out.noise).sqrt()
    if noisy:
        count = torch.bincount(of)[of]
        sd = (left_out.variance + left_out.noise / count).sqrt()
    ratios = [float(left_out.residual[of == b].mean() / sd[of == b].mean()) for b in torch.unique(of)]
    return float(np.clip(np.sqrt(np.mean(np.square(ratios))), 1.0, LARGEST_INFLATION))


def unseen_mass(
    surrogate: Surrogate, log_z: float, box: tuple[Array, Array], frame: Frame, rng: np.random.Generator, best: float = np.inf
) -> float:
    """log(1 + mass of exp(mean) in the box where the surrogate is unsure / mass found), no density above the best value seen,
    nor above ``best``.

    New runs that are all near what is known leave it as it was, however well they come out.
    """
    low, high = box
    if len(low) > SEARCHED_UP_TO:
        return 0.0
    u = low + (high - low) * qmc.Sobol(len(low), scramble=True, rng=rng).random_base2(int(np.log2(BOX_POINTS)))
    with torch.no_grad():
        mean, variance = surrogate.predict(torch.as_tensor(frame.into(u)))
    guess = np.minimum(mean.numpy(), min(best, float(surrogate.train_targets.max())))
    guess[variance.numpy() < TRUSTED_SD**2] = -np.inf
    mass = float(logsumexp(guess)) + float(np.log(high - low).sum()) - np.log(BOX_POINTS) - frame.log_volume
    return float(min(LARGEST_UNSEEN, np.logaddexp(0.0, mass - log_z)))
