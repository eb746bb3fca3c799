"""From an answer to a posterior in the user's units; numpy work, used off the GUI thread."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.answer.modes import Modes, find_modes
from bayescope.engine.answer.posterior import StoredPosterior
from bayescope.engine.answer.unseen import Claim, claim_of, unseen_modes
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.gui.analysis.run_data import Answer, RunData


def posterior_of(space: ParameterSpace, answer: Answer) -> StoredPosterior:
    return StoredPosterior(
        space, answer.weights, answer.means, answer.covariances, answer.draws, answer.draw_weights, answer.preferred,
        answer.trace.log_evidence_sd,
    )


def modes_of_run(posterior: StoredPosterior, data: RunData, answer: Answer) -> Modes:
    """The separate modes of an answer, with the best of the runs behind it in each."""
    n = min(answer.trace.n_evaluations, len(data.evaluations))
    return find_modes(posterior, data.theta.view()[:n], _counted(data, answer, n))


def _counted(data: RunData, answer: Answer, n: int) -> NDArray[np.float64]:
    """Log densities of the first n runs, NaN where they failed or are left out."""
    lies, density = answer.far_off.not_counted, data.log_density.view()[:n]
    return np.where([e.index in lies for e in data.evaluations[:n]], np.nan, density) if lies else density


def claim_of_run(space: ParameterSpace, data: RunData, answer: Answer) -> Claim | None:
    """Which further modes the runs behind an answer could have missed; None where nothing can be said."""
    n, trace = answer.trace.n_evaluations, answer.trace
    sds = np.array([e.noise_sd for e in data.evaluations[:n]])
    theta, y = data.theta.view()[: len(sds)], _counted(data, answer, len(sds))
    found = unseen_modes(space, theta, y, sds, trace.log_evidence, trace.log_evidence_sd, answer.slices)
    mixture = answer.weights, answer.means, answer.covariances
    return None if found is None else claim_of(found, mixture, trace.log_evidence_sd)
