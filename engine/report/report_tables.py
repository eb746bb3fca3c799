"""The tables of the report, as HTML with every name escaped."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from ..answer.best_fit import BestFit, misfit_words
from ..answer.checks import AnswerChecks
from ..answer.digits import correlation, of_intervals, own_step, sd_step, with_error
from ..answer.digits import plain as rounded
from ..answer.intervals import Interval, in_words, modes_words
from ..answer.likelihood_words import likelihood_words
from ..answer.modes import Modes, best_words
from ..answer.other_methods import OtherMethod
from ..answer.posterior import StoredPosterior
from ..answer.taught import HINT, Taught, scales_words
from ..problem import definition as d
from ..problem.data.units.unit_scales import with_unit
from ..problem.numbers.shown_digits import spoken
from ..problem.priors import describe_within_limits

LEVELS = (0.5, 0.7, 0.9, 0.95)


def name_of(p: d.Parameter) -> str:
    """Label with unit, and the short name if it is another."""
    label = with_unit(p.label or p.name, p.unit)
    return escape(label if p.label in ("", p.name) else f"{label} ({p.name})")


def summary(posterior: StoredPosterior, problem: d.Problem) -> str:
    """Mean, sd, median and equal-tailed intervals of each free parameter; where there are separate modes, also their parts."""
    by_name = {p.name: p for p in problem.parameters}
    means, sds, medians = posterior.mean(), posterior.sd(), posterior.median()
    regions, resolutions = [posterior.intervals(level) for level in LEVELS], posterior.resolution()
    heads = ("Parameter", "Mean", "Sd", "Median", *(f"{100 * level:.0f} % interval" for level in LEVELS))
    body = ""
    for i, name in enumerate(posterior.names):
        sd, two_digits = float(sds[i]), float(resolutions[i])
        wide = regions[-1][i][-1][1] - regions[-1][i][0][0]
        mean, median = (rounded(float(v), own_step(float(v), two_digits, wide)) for v in (means[i], medians[i]))
        cells = [mean, rounded(sd, sd_step(sd, two_digits)), median]
        numbers = "".join(f'<td class="n">{c}</td>' for c in cells)
        numbers += "".join(f'<td class="n i">{_written(region[i], sd, two_digits)}</td>' for region in regions)
        body += f"<tr><td>{name_of(by_name[name])}</td>{numbers}</tr>"
    note = f"<p><small>{escape(in_words('equal_tailed', 0.9))}{_modes(posterior, by_name)}</small></p>"
    return f'<div class="wide"><table><tr>{"".join(f"<th>{h}</th>" for h in heads)}</tr>{body}</table></div>{note}'


def _written(parts: Sequence[Interval], sd: float, two_digits: float) -> str:
    step = of_intervals(parts, sd, two_digits)
    wide = parts[-1][1] - parts[0][0]
    return "<br>or ".join(f"{rounded(a, own_step(a, step, wide))} to {rounded(b, own_step(b, step, wide))}" for a, b in parts)


def _modes(posterior: StoredPosterior, by_name: Mapping[str, d.Parameter]) -> str:
    """Of each parameter with separate modes, the shortest 90 % in parts."""
    counts, said = posterior.modes(), ""
    if max(counts) < 2:
        return ""
    shortest, sds, resolutions = posterior.intervals(0.9, "shortest"), posterior.sd(), posterior.resolution()
    for i, name in enumerate(posterior.names):
        if counts[i] > 1:
            parts = _written(shortest[i], float(sds[i]), float(resolutions[i])).replace("<br>", " ")
            said += f" {modes_words(name_of(by_name[name]), counts[i])} The shortest 90 %: {parts}."
    return said


def best_fit(found: BestFit) -> str:
    """Values with their local sds; below, each comparison with the data."""
    named = ["Best run", "Local sd", *(["Surrogate's maximum"] if found.peak is not None else [])]
    rows = ""
    for p in found.parameters:
        numbers = found.value_words(p), found.sd_words(p) or "not known", found.peak_words(p)
        cells = "".join(f'<td class="n">{n}</td>' for n in numbers[: len(named)])
        rows += f"<tr><td>{name_of(p)}</td>{cells}</tr>"
    text = f"<table><tr><th>Parameter</th>{''.join(f'<th>{h}</th>' for h in named)}</tr>{rows}</table>"
    if not found.misfits:
        return text
    rows = "".join(
        f'<tr><td>{escape(m.column)}</td><td class="n">{m.count:,}</td><td class="n">{spoken(m.chi2, 3)}</td>'
        f"<td>{escape(misfit_words(m))}</td></tr>"
        for m in found.misfits
    )
    heads = ("Data column", "Values", "χ²", "Farthest off")
    return f'{text}<div class="wide"><table><tr>{"".join(f"<th>{h}</th>" for h in heads)}</tr>{rows}</table></div>'


def modes(found: Modes) -> str:
    """Name, mass, best run and what sets each mode apart."""
    rows = "".join(
        f'<tr><td>{m.name}</td><td class="n">{m.mass_words}</td><td>{escape(best_words(m))}</td>'
        f"<td>{escape(m.differs)}</td></tr>"
        for m in found
    )
    heads = ("Mode", "Share of the posterior", "Best run in it", "Where it lies")
    return f'<div class="wide"><table><tr>{"".join(f"<th>{h}</th>" for h in heads)}</tr>{rows}</table></div>'


def fixed(problem: d.Problem) -> str:
    found = [(name_of(p), spoken(p.fixed)) for p in problem.parameters if p.fixed is not None]
    return f"<p>Fixed: {', '.join(f'{n} = {v}' for n, v in found)}.</p>" if found else ""


def correlations(posterior: StoredPosterior, problem: d.Problem, most: int = 12) -> str:
    """The correlation matrix of the first ``most`` free parameters; nothing for a single one."""
    names = posterior.names[:most]
    if len(names) < 2:
        return ""
    labels = [escape(next(p.label or p.name for p in d.with_names(problem.parameters) if p.name == n)) for n in names]
    values = np.asarray(posterior.correlation())
    rows = [[correlation(values[i, j]) for j in range(i)] + ["1"] for i in range(len(names))]
    body = "".join(
        f"<tr><th>{label}</th>" + "".join(f'<td class="n">{cell}</td>' for cell in row) + "</tr>"
        for label, row in zip(labels, rows, strict=True)
    )
    head = "".join(f"<th>{label}</th>" for label in labels)
    return f'<h2>Correlations</h2><div class="wide"><table><tr><th></th>{head}</tr>{body}</table></div>'


def taught(found: Taught | None) -> str:
    """Each parameter before and after, and the combinations in sentences; nothing without a posterior."""
    if found is None:
        return ""
    heads = ("Parameter", "Prior, 90 %", "Posterior, 90 %", "Contraction", "Bits", "In words")
    rows = "".join(
        f'<tr><td>{name_of(r.parameter)}</td><td class="n">{r.prior_words}</td><td class="n">{r.posterior_words}</td>'
        f'<td class="n">{r.contraction_words}</td><td class="n">{r.bits_words}</td><td>{escape(r.words)}</td></tr>'
        for r in found.learnt
    )
    said = "".join(f"<li>{escape(words)}</li>" for words in found.said)
    note = f"<p><small>{escape(f'{HINT} {scales_words(found.learnt)}'.strip())}</small></p>"
    return (
        f'<h2>What the data taught</h2><div class="wide"><table><tr>{"".join(f"<th>{h}</th>" for h in heads)}</tr>{rows}</table>'
        f"</div>{note}{f'<ul>{said}</ul>' if said else ''}"
    )


def checks(found: AnswerChecks) -> str:
    """Every check with its figure and what it says."""
    marks = {"good": '<b class="good">passed</b>', "poor": '<b class="warn">not passed</b>', "missing": "not made"}
    rows = "".join(
        f'<tr><td>{escape(c.title)}</td><td>{"says nothing here" if c.asked and c.level == "missing" else marks[c.level]}</td>'
        f'<td class="n">{escape(c.figure)}</td><td>{escape(c.words)}</td></tr>'
        for c in found.checks
    )
    level = "good" if found.good else "warn"
    heads = "".join(f"<th>{h}</th>" for h in ("Check", "", "Figure", "In words"))
    return (
        f'<h2>Why trust this</h2><p><b class="{level}">{escape(found.words)}</b></p>'
        f'<div class="wide"><table><tr>{heads}</tr>{rows}</table></div>'
    )


def other_methods(found: Sequence[OtherMethod], posterior: StoredPosterior, problem: d.Problem) -> str:
    """What other methods made of the same runs: evidence, moments, cost; nothing where none was asked."""
    if not found:
        return ""
    by_name = {p.name: p for p in problem.parameters}
    heads = ["Method", "Log evidence", "Distance", "Its checks", "Computing", *(name_of(by_name[n]) for n in posterior.names)]
    rows = ""
    for m in found:
        value, sd = (math.nan if v is None else v for v in (m.log_evidence, m.log_evidence_sd))
        cells = [
            with_error(value, sd) if math.isfinite(sd) else "not known",
            "–" if m.distance is None else f"{m.distance:.3f}", "passed" if m.trusted else "not passed", f"{m.seconds:.1f} s",
        ]  # fmt: skip
        each = [m.moments.get(name) for name in posterior.names]
        cells += ["–" if e is None else f"{rounded(e[0], e[1])} ± {rounded(e[1], e[1])}" for e in each]
        rows += f"<tr><td>{escape(m.name)}</td>" + "".join(f'<td class="n">{c}</td>' for c in cells) + "</tr>"
    head = "".join(f"<th>{h}</th>" for h in heads)
    return (
        f'<h3>Other methods on the same runs</h3><div class="wide"><table><tr>{head}</tr>{rows}</table></div>'
        "<p><small>Distance: mean total variation of the marginals from the answer. Of each parameter: mean ± sd. The free "
        "energy of a particle flow is no bound on the evidence and is not shown.</small></p>"
    )


def priors(problem: d.Problem) -> str:
    rows = "".join(
        f"<tr><td>{name_of(p)}</td><td>"
        f"{f'fixed at {spoken(p.fixed)}' if p.fixed is not None else escape(describe_within_limits(p))}</td></tr>"
        for p in problem.parameters
    )
    return f"<table><tr><th>Parameter</th><th>Prior</th></tr>{rows}</table>"


def likelihood(problem: d.Problem) -> str:
    """In sentences: how the program's outputs are compared with the data, and which data."""
    sentence, comparisons = likelihood_words(problem.meaning)
    text = f"<p>{escape(sentence)}</p>"
    if comparisons:
        text += f"<ul>{''.join(f'<li>{escape(words)}</li>' for words in comparisons)}</ul>"
    if problem.data is not None and problem.data.columns:
        columns = problem.data.columns
        rows = len(next(iter(columns.values())))
        origin = f" from {problem.data.origin}" if problem.data.origin else ""
        shown = ", ".join([*problem.data.texts, *columns][:20])
        text += f"<p>{escape(f'Measured data{origin}: {rows} rows, columns {shown}.')}</p>"
    return text


def plain(rows: list[tuple[Any, Any]]) -> str:
    cells = "".join(f"<tr><td>{escape(str(k))}</td><td>{escape(str(v))}</td></tr>" for k, v in rows)
    return f"<table>{cells}</table>"
