"""A self-contained HTML report of a session: one file, figures inside, nothing loaded from elsewhere, every name escaped."""

from __future__ import annotations

import time
from html import escape
from pathlib import Path
from typing import Any

import msgspec

from ..problem.definition import Problem
from ..problem.files import dumps
from . import atomic, figures
from . import report_tables as tables
from .answer_checks import AnswerChecks, checks_of_store
from .answer_words import headline
from .best_fit import BestFit, best_fit_of
from .digits import with_error
from .export import posterior_of, provenance, usable_posterior
from .fresh_runs import CAPTION as FRESH_CAPTION
from .modes import Modes, modes_of_store
from .other_methods import stored_methods
from .possible import HINT as POSSIBLE_HINT
from .predictions import predictions_of
from .predictive import Predicted, agreement
from .records import IterationRecord
from .report_methods import methods_paragraph
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
        _figure(figures.marginals(store), "Posterior (filled) and prior (dashed) of each parameter; " + POSSIBLE_HINT + "."),
        _best_fit(best),
        _modes(modes_of_store(store), problem),
        tables.correlations(posterior, problem),
        tables.taught(taught_of_store(store)),
        _figure(pair_figure, "Densities of each pair of parameters.", "Pairs"),
        _predictions(predictions, best),
        _figure(figures.trace(store), "Evidence lower bound (ELBO) with two standard deviations.", "Convergence"),
        _checks(checks_of_store(store)),
        tables.other_methods(stored_methods(store), posterior, problem),
        _unseen(store),
        repeatability(store),
        "<h2>Methods</h2>",
        methods_paragraph(problem, record, origin, any(p.bands is not None for p in predictions), stored_methods(store)),
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
        f"Log evidence {with_error(record.log_evidence, record.log_evidence_sd)}, "
        f"ELBO {with_error(record.elbo, record.elbo_sd)}.</p><ul>{reasons}</ul>"
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


def _checks(found: AnswerChecks | None) -> str:
    if found is None:
        return ""
    figure = None if found.fresh is None else figures.fresh_runs(found.fresh)
    return tables.checks(found) + _figure(figure, FRESH_CAPTION)
