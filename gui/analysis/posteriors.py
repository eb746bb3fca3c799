"""From an answer to a posterior in the user's units; numpy work, used off the GUI thread."""

from __future__ import annotations

from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.session.posterior import StoredPosterior
from bayescope.gui.analysis.run_data import Answer


def posterior_of(space: ParameterSpace, answer: Answer) -> StoredPosterior:
    return StoredPosterior(
        space, answer.weights, answer.means, answer.covariances, answer.draws, answer.draw_weights, answer.preferred,
        answer.trace.log_evidence_sd,
    )
