"""A self-contained HTML report of a session: one file, figures inside, nothing loaded from elsewhere, every name escaped."""

from __future__ import annotations

import re
import time
from html import escape
from pathlib import Path
from typing import Any

import msgspec

from ..problem.definition import InverseBinomial, Problem, is_noisy, runs_per_point
from ..problem.files import dumps
from . import atomic, figures
from . import report_tables as tables
from .answer_words import headline
from .best_fit import BestFit, best_fit_of
from .export import posterior_of, provenance, usable_posterior
from .modes import Modes, modes_of_store
from .predictions import predictions_of
from .predictive import Predicted, agreement
from .records import IterationRecord
from .report_repeatability import repeatability
from .store import SessionStore
from .taught import taught_of_store
from .unseen import claim_of_store

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222;
  background: #fff }
h1 { font-size: 1.6rem } h2 { font-size: 1.2rem; margin-top: 2rem; border-bottom: 1px solid #ccc }
h3 { font-size: 1rem; margin-bottom: 0 }
table { border-collapse: collapse; margin: .5rem 0 }
.wide { overflow-x: auto } th, td { padding: .2rem .55rem; border-bottom: 1px solid #ddd; text-align: left }
td.n { text-align: right; font-variant-numeric: tabular-nums } svg { max-width: 100%; height: auto }
pre { background: #f5f5f5; padding: .7rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere }
figure { margin: 1rem 0 } figcaption { color: #555; font-size: .9rem } td.n { white-space: nowrap } td.i { white-space: normal }
.good { color: #00664a } .warn { color: #a33f00 }
"""
MAX_DECLARATION = 200_000  # characters
METHODS = {
    "default": (
        "The posterior was inferred with a Gaussian-process surrogate of the log posterior density, trained on simulator "
        "runs chosen one after another by an acquisition function (active learning). The posterior was drawn from the "
        "surrogate by importance sampling with a Gaussian-mixture proposal; the run converges only after fresh simulator "
        "runs at posterior draws have confirmed the surrogate [1, 2, 3]."
    ),
    "default, outputs": (
        "The outputs of the simulator that are compared with data were learnt by Gaussian-process surrogates of their principal "
        "components, from which the log posterior density follows; simulator runs were chosen one after another by an "
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
        "Gaussian mixture, with active sampling of further simulator runs [1, 2, 3]."
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
)


def export_report(store: SessionStore, path: Path | str, *, replace: bool = False) -> None:
    """Write the report. Raises SessionError; ``replace``: a file of that name may be lost."""
    with usable_posterior(store):
        page = report_html(store)
    atomic.write(path, page.encode("utf-8", "xmlcharrefreplace"), replace=replace)


def report_html(store: SessionStore) -> str:
    posterior, record = posterior_of(store)
    problem = store.problem
    origin = provenance(store, record)
    pair_figure, predictions, best = figures.pairs(store), predictions_of(store), best_fit_of(store)
    parts = [
        f"<h1>{escape(problem.name)}</h1>",
        f"<p>{escape(problem.description)}</p>" if problem.description else "",
        _verdict(record, origin),
        "<h2>Parameters</h2>",
        tables.summary(posterior, problem),
        tables.fixed(problem),
        _figure(figures.marginals(store), "Posterior (filled) and prior (dashed) of each parameter."),
        _best_fit(best),
        _modes(modes_of_store(store), problem),
        tables.correlations(posterior, problem),
        tables.taught(taught_of_store(store)),
        _figure(pair_figure, "Densities of each pair of parameters.", "Pairs"),
        _predictions(predictions, best),
        _figure(figures.trace(store), "Evidence lower bound (ELBO) with two standard deviations.", "Convergence"),
        _unseen(store),
        repeatability(store),
        "<h2>Methods</h2>",
        _methods(problem, origin, any(p.bands is not None for p in predictions)),
        "<h2>Problem</h2>",
        tables.priors(problem),
        tables.likelihood(problem),
        f"<p>Command:</p><pre>{escape(' '.join(problem.simulator.command))}</pre>",
        "<h2>Settings and versions</h2>",
        tables.plain(
            [
                (k.replace("_", " "), v)
                for k, v in msgspec.structs.asdict(problem.settings).items()
                if v not in (None, {})
            ]
            + list(origin["versions"].items())
        ),
        f"<h2>Notes</h2><pre>{escape(store.notes)}</pre>" if store.notes.strip() else "",
        _declaration(problem),
        f"<p><small>Written {time.strftime('%Y-%m-%d %H:%M')} from {escape(store.path.name)}.</small></p>",
    ]
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>{escape(problem.name)}</title><style>{_STYLE}</style></head><body>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def _verdict(record: IterationRecord, origin: dict[str, Any]) -> str:
    level, said = headline(record.converged, record.warm_up, record.n_evaluations, record.diagnostics)
    reasons = "".join(f"<li>{escape(r)}</li>" for r in record.reasons)
    return (
        f"<p><b class=\"{'good' if level == 'ok' else 'warn'}\">{escape(said)}</b> "
        f"{origin['failed']} runs failed, {origin['impossible']} were impossible. "
        f"Log evidence {record.log_evidence:.2f} ± {record.log_evidence_sd:.2f}, "
        f"ELBO {record.elbo:.2f} ± {record.elbo_sd:.2f}.</p><ul>{reasons}</ul>"
    )


def _best_fit(found: BestFit | None) -> str:
    """Nothing where no run gave a value."""
    if found is None:
        return ""
    said = "".join(f"<li>{escape(words)}</li>" for words in found.words)
    return f"<h2>Best fit</h2><ul>{said}</ul>{tables.best_fit(found)}"


def _predictions(found: list[Predicted], best: BestFit | None) -> str:
    if any(p.bands is not None for p in found):
        caption = (
            "Measured data (circles) and what the posterior predicts by the outputs learnt from the simulator runs: median, the "
            "90 % band of the program's outputs (dark), and with measurement errors (light)."
        )
    else:
        caption = (
            "Measured data (circles) and the predictions of the simulator runs made, weighted by the posterior: "
            "90 % band, median, and the weightiest runs. Measurement errors are not part of the band."
        )
    said = "".join(f"<li>{escape(words)}</li>" for words in agreement(found))
    checks = f"<ul>{said}</ul>" if said else ""
    lines = () if best is None else best.lines
    caption += " Dashed: the best run." if lines else ""
    return _figure(figures.predictions(found, lines), caption, "Predictions over the data") + checks


def _modes(modes: Modes | None, problem: Problem) -> str:
    """What each mode is, and the summary within it; nothing for a single one."""
    if modes is None or not modes.several:
        return ""
    within = "".join(f"<h3>Mode {m.name}</h3>{tables.summary(m.posterior, problem)}" for m in modes)
    same = "".join(f"<p>{escape(s)}</p>" for s in modes.same_words)
    return f"<h2>Modes</h2>{tables.modes(modes)}{same}{within}"


def _unseen(store: SessionStore) -> str:
    claim = claim_of_store(store)
    if claim is None:
        return ""
    caption = (
        "Probability that a further mode of the posterior, normal and with a tenth of its mass, did not show, against its "
        "standard deviation as a share of the plausible ranges."
    )
    return f"<h2>Unseen modes</h2><p>{escape(claim.words)}</p>{_figure(figures.unseen(claim), caption)}"


def _declaration(problem: Problem) -> str:
    text = dumps(problem).decode()
    if len(text) > MAX_DECLARATION:
        return ""  # long data tables: they are in the session file
    return (
        "<h2>Declaration</h2><details><summary>The whole problem as a file (JSON); it can be opened again</summary>"
        f"<pre>{escape(text)}</pre></details>"
    )


def _figure(figure: Any, caption: str, heading: str = "") -> str:
    if figure is None:
        return ""
    title = f"<h2>{heading}</h2>" if heading else ""
    return f"{title}<figure>{figures.svg(figure)}<figcaption>{caption}</figcaption></figure>"


def method_of(problem: Problem, learnt: bool) -> str:
    """The key of METHODS, '' if there is none. ``learnt``: the simulator's outputs were, not only how well they fit."""
    method = problem.settings.method
    if problem.settings.goal == "best_fit":
        return f"{method}, best fit" if f"{method}, best fit" in METHODS else method
    special = f"{method}, {'outputs' if learnt else 'noisy'}" if learnt or is_noisy(problem.meaning) else ""
    return special if special in METHODS else method if method in METHODS else ""


def _methods(problem: Problem, origin: dict[str, Any], learnt: bool) -> str:
    text, each = METHODS.get(method_of(problem, learnt), ""), runs_per_point(problem.meaning)
    at_most = "up to " if isinstance(problem.meaning, InverseBinomial) else ""
    points = f"{origin['evaluations']} {'points' if each > 1 else 'simulator runs'}"
    runs = f"{points}, with {at_most}{each} simulator runs at each," if each > 1 else points
    used = (
        f" {runs} were used (random seed {problem.settings.seed}); bounded parameters were "
        "transformed to an unbounded space, with the Jacobian in the target. "
        f"Computed with Bayescope {origin['versions']['bayescope']}."
    )
    text, cited = _cited(text)
    references = "".join(f"<li>{escape(r)}</li>" for r in cited)
    return f"<p>{escape(text + used)}</p>{f'<ol>{references}</ol>' if references else ''}"


def _cited(text: str) -> tuple[str, list[str]]:
    """``text`` with its references numbered from 1 on, and these references in that order; no others."""
    numbers = sorted({int(k) for group in re.findall(r"\[([\d, ]+)\]", text) for k in group.split(",")})
    new = {old: str(k) for k, old in enumerate(numbers, 1)}
    written = re.sub(r"\[([\d, ]+)\]", lambda m: f"[{', '.join(new[int(k)] for k in m[1].split(','))}]", text)
    return written, [REFERENCES[k - 1] for k in numbers]
