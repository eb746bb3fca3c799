"""The verdict on an answer in plain language: can it be trusted, and if not, what to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Level = Literal["good", "careful", "bad"]


@dataclass(frozen=True)
class Sentence:
    """One finding: what was seen, in words, with what to try when it is not good."""

    level: Level
    text: str


def verdict(
    converged: bool,
    log_evidence_sd: float,
    agreement: float | None,
    diagnostics: Mapping[str, float],
    n_evaluations: int,
) -> list[Sentence]:
    """Sentences, the most important first.

    ``diagnostics``: any of "ess", "edge_mass", "failed", "impossible", "pareto_k", "loo_calibration", "kl_mixture_surrogate",
    as loops report them; what is missing is not judged.
    """
    found: list[Sentence] = []
    if converged:
        found.append(Sentence("good", "The run has converged: fresh evaluations confirmed the answer."))
    else:
        found.append(
            Sentence("careful", "The run has not converged: read the result as a preview and give it more evaluations.")
        )
    if log_evidence_sd != log_evidence_sd:
        return [Sentence("bad", "There is no answer yet: too few evaluations gave a usable value.")]
    if log_evidence_sd > 0.5:
        found.append(
            Sentence(
                "bad", f"The log evidence is only known to ± {log_evidence_sd:.2g}; do not compare models with it yet."
            )
        )
    elif log_evidence_sd > 0.15:
        found.append(Sentence("careful", f"The log evidence is known to ± {log_evidence_sd:.2g}."))
    if agreement is not None and agreement > 0.1:
        found.append(
            Sentence(
                "careful",
                f"The mixture and the weighted draws disagree (by {100 * agreement:.0f} % of the marginals' mass): the posterior "
                "has a shape that few Gaussians do not describe. The draws are the better picture.",
            )
        )
    found += _of_diagnostics(diagnostics, n_evaluations)
    return found


def _of_diagnostics(d: Mapping[str, float], n: int) -> list[Sentence]:
    found: list[Sentence] = []
    if d.get("edge_mass", 0.0) > 0.05:
        found.append(
            Sentence(
                "bad",
                f"{100 * d['edge_mass']:.0f} % of the posterior lies at the edge of the region explored: it may go on beyond it. "
                "Widen the plausible ranges, or give bounds or narrower priors if the data do not limit a parameter.",
            )
        )
    if d.get("ess", 1.0) < 0.1:
        found.append(Sentence("careful", "Few of the draws carry most of the weight; marginals are rough."))
    if d.get("pareto_k", 0.0) > 0.7:
        found.append(
            Sentence("careful", "The mixture misses part of the posterior that the surrogate sees (k-hat above 0.7).")
        )
    if d.get("loo_calibration", 1.0) > 3.0:
        found.append(
            Sentence(
                "careful",
                "The surrogate is surer of itself than its errors allow; a few more evaluations will correct it.",
            )
        )
    failed = d.get("failed", 0.0)
    if n and failed > 0.2 * n:
        found.append(
            Sentence(
                "careful",
                f"{failed:.0f} of {n} runs failed. If they fail where the posterior is, it is wrong there: "
                "look at the failed runs.",
            )
        )
    return found
