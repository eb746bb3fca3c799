"""Other methods on the runs of an analysis: their names, and their answers as rows of the comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayescope.engine import protocol
from bayescope.engine.problem.definition import Problem, free_parameters
from bayescope.gui.models.results.comparison import Compared

if TYPE_CHECKING:
    from pathlib import Path

OFFERED: tuple[tuple[protocol.BaselineMethod, str, str], ...] = (
    (
        "laplace",
        "Laplace",
        "One Gaussian around the best point: quick, and wrong wherever the posterior is bent, skewed or has several parts.",
    ),
    (
        "mcmc",
        "MCMC on the surrogate",
        "Markov chains on the surrogate of this analysis: confirms that the posterior was drawn from it rightly.",
    ),
    (
        "stacking",
        "Stacked chains",
        "Separate chains from several starting points, weighed by how much of the posterior each found: for several modes.",
    ),
    (
        "wsabi",
        "WSABI-L",
        "The evidence from the runs alone, by a Gaussian process of the square root of the density: it shares no surrogate with "
        "the answer.",
    ),
    (
        "wsabi_m",
        "WSABI-M",
        "As WSABI-L, with what may lie between runs counted in: too much where runs are few.",
    ),
    (
        "flow",
        "Particle flow",
        "The nearest single Gaussian, found by moving particles. Its free energy is no bound on the evidence and is not shown.",
    ),
)


def compared(found: protocol.BaselineReady, problem: Problem, path: Path | None) -> Compared:
    """A row of the comparison. Raises ValueError if its arrays do not fit the problem."""
    from bayescope.engine.answer.posterior import StoredPosterior
    from bayescope.engine.problem.transforms import ParameterSpace

    posterior = StoredPosterior(
        ParameterSpace(free_parameters(problem)),
        found.weights.array(),
        found.means.array(),
        found.covariances.array(),
        None if found.draws is None else found.draws.array(),
        None if found.draw_weights is None else found.draw_weights.array(),
        "mixture" if found.draws is None else "draws",
    )
    return Compared(
        found.name, path, problem, posterior, found.log_evidence, found.log_evidence_sd, found.n_evaluations,
        found.trusted, method=found.name, reasons=found.reasons, on_same_runs=found.method, seconds=found.seconds,
    )  # fmt: skip
