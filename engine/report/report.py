"""A self-contained HTML report of a session: one file, figures inside, nothing loaded from elsewhere, every name escaped."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import msgspec

from ..answer.asked_again import asked_again
from ..answer.best_fit import BestFit, best_fit_of
from ..answer.checks import checks_of_store
from ..answer.digits import with_error
from ..answer.failures.set_aside import Remade
from ..answer.latest import posterior_of, usable_posterior
from ..answer.modes import Modes, modes_of_store
from ..answer.other_methods import stored_methods
from ..answer.predictions.predictive import Predicted, agreement, unlikely, with_fit
from ..answer.predictions.unmeasured import single_values
from ..answer.sensitivity import stored_sensitivity
from ..answer.sensitivity_words import titles_of
from ..answer.taught import taught_of_store
from ..answer.unseen import claim_of_store
from ..answer.with_and_without import Evidence, beside_first
from ..answer.words import headline
from ..problem.definition import Problem, evaluation_noun
from ..problem.files import dumps
from ..session import atomic
from ..session.records import IterationRecord
from ..session.store import SessionStore
from . import figures, report_figures
from . import report_tables as tables
from .export import called, provenance
from .predictions import predictions_of, unmeasured_of
from .report_figures import Drawn
from .report_methods import methods_paragraph
from .report_repeat import attached, how_to_repeat
from .report_repeatability import repeatability
from .report_sensitivity import sensitivity_html

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


@dataclass(frozen=True)
class Medium:
    """``draw``: a figure as HTML. ``links``: files inside can be saved by a click; else they are attached to the document."""

    draw: Callable[[Any], str]
    style: str = _STYLE
    links: bool = True


def report_html(store: SessionStore, medium: Medium | None = None) -> str:
    """The whole report; ``medium``: None for a page that a browser shows. Raises SessionError."""
    medium = Medium(figures.svg) if medium is None else medium
    posterior, record = posterior_of(store)
    problem = store.problem
    origin, known = provenance(store, record), [e.outcome for e in store.evaluations()[: record.n_evaluations]]
    best, checks, claim = best_fit_of(store), checks_of_store(store), claim_of_store(store)
    predictions = with_fit(predictions_of(store), None if best is None else best.fit)

    def figure(drawn: Drawn | None, heading: str = "") -> str:
        return _figure(medium, drawn, heading)

    poor = checks.poor if checks is not None else ()
    parts = [
        f"<h1>{escape(problem.name)}</h1>",
        f"<p>{escape(problem.description)}</p>" if problem.description else "",
        _verdict(record, known, origin["made_again"], evaluation_noun(store.problem.meaning), poor, unlikely(predictions)),
        _asked_again(store, record),
        _with_and_without(store, record),
        "<h2>Parameters</h2>",
        tables.summary(posterior, problem),
        tables.fixed(problem),
        figure(report_figures.marginals(store)),
        _best_fit(best),
        _modes(modes_of_store(store), problem),
        tables.correlations(posterior, problem),
        tables.taught(taught_of_store(store)),
        sensitivity_html(stored_sensitivity(store), titles_of(problem.parameters)),
        figure(report_figures.pairs(store), "Pairs"),
        figure(report_figures.predictions(predictions, best), "Predictions over the data") + _agreement(predictions),
        _other_outputs(unmeasured_of(store), figure),
        figure(report_figures.residuals(predictions), "Residuals") + _tested(predictions),
        figure(report_figures.trace(store), "Convergence"),
        "" if checks is None else tables.checks(checks) + figure(report_figures.fresh_runs(checks)),
        tables.other_methods(stored_methods(store), posterior, problem),
        "" if claim is None else f"<h2>Unseen modes</h2><p>{escape(claim.words)}</p>{figure(report_figures.unseen(claim))}",
        repeatability(store),
        "<h2>Methods</h2>",
        methods_paragraph(problem, record, origin, any(p.bands is not None for p in predictions), stored_methods(store)),
        "<h2>Problem</h2>",
        tables.priors(problem),
        tables.likelihood(problem),
        f"<p>Command:</p><pre>{escape(' '.join(problem.simulator.command))}</pre>",
        "<h2>Settings and versions</h2>",
        tables.plain(
            _settings(problem) + list(origin["versions"].items())
        ),
        f"<h2>Notes</h2><pre>{escape(store.notes)}</pre>" if store.notes.strip() else "",
        how_to_repeat(store, attached(store), links=medium.links),
        _declaration(problem) if medium.links else "",
        f"<p><small>Written {time.strftime('%Y-%m-%d %H:%M')} from {escape(called(store))}.</small></p>",
    ]
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>{escape(problem.name)}</title><style>{medium.style}</style></head><body>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def _settings(problem: Problem) -> list[tuple[str, Any]]:
    """Those that are set, by name."""
    given = {k: v for k, v in msgspec.structs.asdict(problem.settings).items() if v not in (None, {}, ())}
    if "options" in given:
        given["options"] = ", ".join(f"{name} = {value}" for name, value in given["options"].items())
    return [(k.replace("_", " "), v) for k, v in given.items()]


def _verdict(
    record: IterationRecord, known: Sequence[str], remade: int, counted: str, poor: Sequence[str], odd: bool
) -> str:
    """``known``: outcomes of the runs that the answer knows; ``remade``: how many of all were made again."""
    level, said = headline(
        record.converged, record.warm_up, record.n_evaluations, record.diagnostics, counted, poor=poor, unlikely=odd
    )
    reasons = "".join(f"<li>{escape(r)}</li>" for r in record.reasons)
    again = f"{Remade(done=remade).sentence} ".lstrip()
    return (
        f"<p><b class=\"{'good' if level == 'ok' else 'warn'}\">{escape(said)}</b> "
        f"{known.count('failed')} {counted}s failed, {known.count('impossible')} were impossible. {again}"
        f"Log evidence {with_error(record.log_evidence, record.log_evidence_sd)}, "
        f"ELBO {with_error(record.elbo, record.elbo_sd)}.</p><ul>{reasons}</ul>"
    )


def _asked_again(store: SessionStore, record: IterationRecord) -> str:
    """Whose runs these are and what was changed in the question, where they are another analysis'."""
    told = asked_again(store)
    if told is None:
        return ""
    first, *others = told.sentences(max(record.n_evaluations - told.runs, 0))
    return f"<p>{escape(first)}</p>" + ("<ul>" + "".join(f"<li>{escape(s)}</li>" for s in others) + "</ul>" if others else "")


def _with_and_without(store: SessionStore, record: IterationRecord) -> str:
    """The evidence with and without a program that may be off, where both were asked."""
    said = beside_first(store.problem, Evidence.of(record, store.problem), store.runs_of)
    return "".join(f"<p>{escape(line)}</p>" for line in said.splitlines())


def _best_fit(found: BestFit | None) -> str:
    """Nothing where no run gave a value."""
    if found is None:
        return ""
    said = "".join(f"<li>{escape(words)}</li>" for words in found.words)
    return f"<h2>Best fit</h2><ul>{said}</ul>{tables.best_fit(found)}"


def _other_outputs(others: list[Predicted], figure: Callable[[Drawn | None, str], str]) -> str:
    """Of outputs that were compared with nothing: curves drawn, single values told."""
    said = "".join(f"<li>{escape(words)}</li>" for words in single_values(others))
    drawn = figure(report_figures.unmeasured(others), "Other outputs")
    return drawn + ("" if drawn or not said else "<h2>Other outputs</h2>") + (f"<ul>{said}</ul>" if said else "")


def _agreement(found: list[Predicted]) -> str:
    said = "".join(f"<li>{escape(words)}</li>" for words in agreement(found))
    return f"<ul>{said}</ul>" if said else ""


def _tested(found: list[Predicted]) -> str:
    """What the tests of the residuals say."""
    tested = [p for p in found if p.residuals is not None]
    said = [f"{p.y_label}: {words}" for p in tested if p.residuals is not None for words in p.sentences]
    listed = "".join(f"<li>{escape(words)}</li>" for words in said)
    return f"<ul>{listed}</ul>" if listed else ""


def _modes(modes: Modes | None, problem: Problem) -> str:
    """What each mode is, and the summary within it; nothing for a single one."""
    if modes is None or not modes.several:
        return ""
    within = "".join(f"<h3>Mode {m.name}</h3>{tables.summary(m.posterior, problem)}" for m in modes)
    same = "".join(f"<p>{escape(s)}</p>" for s in modes.same_words)
    return f"<h2>Modes</h2>{tables.modes(modes)}{same}{within}"


def _declaration(problem: Problem) -> str:
    text = dumps(problem).decode()
    if len(text) > MAX_DECLARATION:
        return ""  # long data tables: they are in the session file
    return (
        "<h2>Declaration</h2><details><summary>The whole problem as a file (JSON); it can be opened again</summary>"
        f"<pre>{escape(text)}</pre></details>"
    )


def _figure(medium: Medium, drawn: Drawn | None, heading: str = "") -> str:
    if drawn is None:
        return ""
    title = f"<h2>{heading}</h2>" if heading else ""
    return f"{title}<figure>{medium.draw(drawn.figure)}<figcaption>{drawn.caption}</figcaption></figure>"
