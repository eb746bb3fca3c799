"""The methods paragraph of the report, ready to be pasted, with its numbers and references."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from html import escape
from typing import Any

from ..answer.digits import with_error
from ..answer.fresh_runs import FreshRuns
from ..answer.other_methods import OtherMethod
from ..answer.usual_scatter import scatter_words
from ..problem.data.rows.discrepancies import by_a_factor
from ..problem.data.units.evidence_units import evidence_units
from ..problem.definition import InverseBinomial, Predictions, Problem, is_estimate, is_scattered, runs_per_point
from ..problem.numbers.shown_digits import spoken
from ..session.records import IterationRecord

METHODS = {
    "default": (
        "The posterior was inferred with a Gaussian-process surrogate of the log posterior density, trained on simulator "
        "runs chosen one after another by an acquisition function (active learning). The posterior was drawn from the "
        "surrogate by importance sampling with a Gaussian-mixture proposal; the run converges only after fresh simulator "
        "runs at posterior draws have confirmed the surrogate [1, 2, 3]."
    ),
    "default, outputs": (
        "The outputs of the simulator that are compared with data were learnt by Gaussian-process surrogates of their principal "
        "components [5], from which the log posterior density follows; simulator runs were chosen one after another by an "
        "acquisition function (active learning). The posterior was drawn from the surrogate by importance sampling with a "
        "Gaussian-mixture proposal; the run converges only after fresh simulator runs at posterior draws have confirmed the "
        "surrogate [1, 2, 3]."
    ),
    "default, noisy": (
        "The posterior was inferred with a Gaussian-process surrogate of the log posterior density, trained on noisy estimates "
        "of it at points chosen one after another by an acquisition function (active learning). The posterior was drawn from "
        "the surrogate by importance sampling with a Gaussian-mixture proposal; the run converges only when posteriors that "
        "fit the estimates equally well agree with each other, and the log evidence is known and has settled [1, 2, 3]."
    ),
    "default, best fit": (
        "The best fit is the simulator run of the highest posterior density. Runs were chosen one after another at the maximum "
        "of a Gaussian-process surrogate and at draws of where it may lie (Thompson sampling), within a trust region, until the "
        "surrogate, with its errors as last observed, expected no higher density. The posterior is that of the surrogate; it was "
        "not checked by fresh runs [1, 2, 3]."
    ),
    "bvbmc": (
        "The posterior was inferred with boosted variational Bayesian Monte Carlo: a Gaussian-process surrogate of the log "
        "posterior density, integrated by Bayesian quadrature against a Gaussian mixture that grows by boosting and "
        "maximises the evidence lower bound (ELBO); an acquisition function chooses where the simulator is run [3, 4]."
    ),
    "vbmc": (
        "The posterior was inferred with variational Bayesian Monte Carlo: a Gaussian-process surrogate of the log posterior "
        "density, integrated by Bayesian quadrature against a Gaussian mixture fitted by maximising the evidence lower "
        "bound (ELBO), with active sampling of simulator runs [1, 2, 3]."
    ),
    "svbmc": (
        "The posterior was inferred with sparse variational Bayesian Monte Carlo: a sparse Gaussian-process surrogate of the "
        "log posterior density, started from an archive of earlier evaluations, integrated by Bayesian quadrature against a "
        "Gaussian mixture, with active sampling of further simulator runs [1, 2, 3, 7]."
    ),
    "laplace": (
        "The posterior was approximated by Laplace's method: a Gaussian around the maximum of the posterior density, its "
        "covariance the inverse of the negative second derivatives, which were taken from differences of simulator runs; fresh "
        "runs at draws of the Gaussian tested it."
    ),
    "slice": (
        "The posterior was sampled by slice sampling (Neal, R. M., Annals of Statistics 31, 2003, 705): four Markov chains along "
        "random directions, every step one simulator run; the first half of each chain was discarded. Convergence was judged by "
        "rank-normalized split R-hat and bulk effective sample size (Vehtari, A. et al., Bayesian Analysis 16, 2021, 667)."
    ),
}
REFERENCES = (
    "Acerbi, L. (2018). Variational Bayesian Monte Carlo. Advances in Neural Information Processing Systems 31.",
    "Acerbi, L. (2020). Variational Bayesian Monte Carlo with noisy likelihoods. "
    "Advances in Neural Information Processing Systems 33.",
    "Rasmussen, C. E. and Williams, C. K. I. (2006). Gaussian Processes for Machine Learning. MIT Press.",
    "Naiff, D. de F. (2019). Boosted Variational Inference via Bayesian Monte Carlo. MSc dissertation, "
    "Universidade Federal do Rio de Janeiro.",
    "Higdon, D., Gattiker, J., Williams, B. and Rightley, M. (2008). Computer model calibration using high-dimensional output. "
    "Journal of the American Statistical Association 103, 570-583.",
    "Vehtari, A., Simpson, D., Gelman, A., Yao, Y. and Gabry, J. (2024). Pareto smoothed importance sampling. "
    "Journal of Machine Learning Research 25 (72), 1-58.",
    "Li, C., Clarté, G. and Acerbi, L. (2023). Fast post-process Bayesian inference with sparse variational Bayesian "
    "Monte Carlo. arXiv:2303.05263.",
    "Gunter, T., Osborne, M. A., Garnett, R., Hennig, P. and Roberts, S. J. (2014). Sampling for inference in probabilistic "
    "models with fast Bayesian quadrature. Advances in Neural Information Processing Systems 27.",
    "Galy-Fajou, T., Perrone, V. and Opper, M. (2021). Flexible and efficient inference with particles for the variational "
    "Gaussian approximation. Entropy 23, 990.",
    "Yao, Y., Vehtari, A. and Gelman, A. (2022). Stacking for non-mixing Bayesian computations. "
    "Journal of Machine Learning Research 23 (79), 1-45.",
    "Goodman, J. and Weare, J. (2010). Ensemble samplers with affine invariance. "
    "Communications in Applied Mathematics and Computational Science 5, 65-80.",
    "Lopez-Paz, D. and Oquab, M. (2017). Revisiting classifier two-sample tests. International Conference on Learning "
    "Representations.",
    "Kennedy, M. C. and O'Hagan, A. (2001). Bayesian calibration of computer models. Journal of the Royal Statistical Society B "
    "63, 425-464.",
    "Plumlee, M. (2017). Bayesian calibration of inexact computer models. Journal of the American Statistical Association 112, "
    "1274-1285.",
    "Simpson, D., Rue, H., Riebler, A., Martins, T. G. and Sørbye, S. H. (2017). Penalising model component complexity: a "
    "principled, practical approach to constructing priors. Statistical Science 32, 1-28.",
)
OTHERS = {  # what other methods made of the same runs
    "laplace": " Laplace's approximation to the surrogate",
    "mcmc": " Markov chains on the surrogate [11], told from the mixture by a classifier two-sample test [12],",
    "stacking": " Stacked Markov chains on the surrogate [10]",
    "wsabi": " Warped sequential active Bayesian integration of the same runs with linearization (WSABI-L) [8]",
    "wsabi_m": " The same with moment matching (WSABI-M) [8]",
    "flow": " A Gaussian particle flow on the surrogate [9], its evidence by importance sampling,",
}


def method_of(problem: Problem, learnt: bool) -> str:
    """The key of METHODS, '' if there is none. ``learnt``: the simulator's outputs were, not only how well they fit."""
    method = problem.settings.method
    if problem.settings.goal == "best_fit":
        return f"{method}, best fit" if f"{method}, best fit" in METHODS else method
    special = f"{method}, {'outputs' if learnt else 'noisy'}" if learnt or is_estimate(problem.meaning) else ""
    return special if special in METHODS else method if method in METHODS else ""


def methods_paragraph(
    problem: Problem, record: IterationRecord, origin: dict[str, Any], learnt: bool, others: Sequence[OtherMethod] = ()
) -> str:
    """Ready to be pasted, with its numbers, and the references of every method used. ``learnt``: see ``method_of``."""
    text, each = METHODS.get(method_of(problem, learnt), ""), runs_per_point(problem.meaning)
    at_most = "up to " if isinstance(problem.meaning, InverseBinomial) else ""
    points = f"{origin['evaluations']} {'points' if each > 1 else 'simulator runs'}"
    total = f"{at_most}{origin['evaluations'] * each:,} in all"
    runs = f"{points}, with {at_most}{each} runs of the program at each ({total})," if each > 1 else points
    used = (
        f" {runs} were used (random seed {problem.settings.seed}); bounded parameters were "
        "transformed to an unbounded space, with the Jacobian in the target. "
        f"Computed with Bayescope {origin['versions']['bayescope']}."
    )
    numbers = _discrepancy(problem) + _scatter(problem, record) + _answer_numbers(problem, record)
    asked = "".join(OTHERS[o.method] + _outcome(o) for o in others if o.method in OTHERS)
    text, cited = _cited(text + used + numbers + asked)
    references = "".join(f"<li>{escape(r)}</li>" for r in cited)
    return f"<p>{escape(text)}</p>{f'<ol>{references}</ol>' if references else ''}"


def _discrepancy(problem: Problem) -> str:
    """That the simulator itself may be off, sentences; '' where it is taken for right."""
    matches = problem.meaning.matches if isinstance(problem.meaning, Predictions) else ()
    found = [m for m in matches if m.discrepancy is not None]
    if not found:
        return ""
    sizes = [(m, m.discrepancy.size, " of its logarithm" if by_a_factor(problem, m) else "") for m in found if m.discrepancy]
    names = ", ".join(f"{m.column} ({spoken(size)}{of})" for m, size, of in sizes)
    apart = any(m.discrepancy is not None and m.discrepancy.apart_from for m in found)
    tangent = " It was kept orthogonal to the derivatives of the simulator at the best fit [14]." if apart else ""
    return (
        " The simulator itself was allowed to be off: its discrepancy from what is measured is a Gaussian process over the key "
        "with a constant mean and a Matérn 5/2 covariance [13], whose amplitude (exponential prior [15]; mean in the unit of "
        f"the data: {names}) and length (log-uniform prior unless stated) were integrated out numerically.{tangent}"
    )


def _scatter(problem: Problem, record: IterationRecord) -> str:
    """That outputs have a statistical error of their own, and how large it is; '' where they have none."""
    said = scatter_words(problem, record.slices)
    if is_scattered(problem.meaning):
        own = "The outputs have a statistical error of their own, which the surrogate averages out over the runs."
        said = f"{own} {said}".rstrip()
    return f" {said}" if said else ""


def _answer_numbers(problem: Problem, record: IterationRecord) -> str:
    """What was found of the answer and of its checks, sentences."""
    said = []
    if math.isfinite(record.log_evidence):
        said.append(f"The log evidence is {with_error(record.log_evidence, record.log_evidence_sd)} (one standard deviation).")
        if (units := evidence_units(problem)) is not None:
            own = with_error(record.log_evidence + units.shift, record.log_evidence_sd)
            said.append(f"{units.words} For data in the units of the program it is {own}.")
    fresh = FreshRuns.of(record.slices)
    found, error = (record.diagnostics.get(f"certified_{name}", math.nan) for name in ("correction", "error"))
    if fresh is not None and math.isfinite(found + error):
        said.append(
            f"In the last check, {len(fresh.last.draws.index)} fresh simulator runs at posterior draws put it "
            f"{with_error(abs(found), error)} off before they were used."
        )
    k = record.diagnostics.get("pareto_k", math.nan)
    if math.isfinite(k):
        said.append(f"The Pareto shape of the importance weights is {k:.2f} [6].")
    return "".join(f" {words}" for words in said)


def _outcome(other: OtherMethod) -> str:
    if not other.trusted or other.log_evidence is None or other.log_evidence_sd is None:
        return " did not pass its own checks."
    return f" gave a log evidence of {with_error(other.log_evidence, other.log_evidence_sd)}."


def _cited(text: str) -> tuple[str, list[str]]:
    """``text`` with its references numbered from 1 on, and these references in that order; no others."""
    numbers = sorted({int(k) for group in re.findall(r"\[([\d, ]+)\]", text) for k in group.split(",")})
    new = {old: str(k) for k, old in enumerate(numbers, 1)}
    written = re.sub(r"\[([\d, ]+)\]", lambda m: f"[{', '.join(new[int(k)] for k in m[1].split(','))}]", text)
    return written, [REFERENCES[k - 1] for k in numbers]
