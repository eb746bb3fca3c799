"""The tables of the report, as HTML with every name escaped."""

from __future__ import annotations

import math
from html import escape
from typing import Any

import numpy as np

from ..problem import definition as d
from ..problem.priors import describe_within_limits
from .likelihood_words import likelihood_words
from .posterior import StoredPosterior

LEVELS = (0.5, 0.7, 0.9, 0.95)


def rounded(value: float, sd: float) -> str:
    """With two significant digits of its uncertainty ``sd``; powers of ten for very large and very small numbers."""
    if not math.isfinite(value):
        return "not finite"
    decimals = 4 if not (math.isfinite(sd) and sd > 0) else 1 - math.floor(math.log10(sd))
    if max(abs(value), sd) >= 1e6 or max(abs(value), sd) < 1e-4:
        return f"{value:.3g}"
    return f"{round(value, decimals):.{max(decimals, 0)}f}"


def name_of(p: d.Parameter) -> str:
    """Label with unit, and the short name if it is another."""
    label = f"{p.label or p.name} [{p.unit}]" if p.unit else p.label or p.name
    return escape(label if p.label in ("", p.name) else f"{label} ({p.name})")


def summary(posterior: StoredPosterior, problem: d.Problem) -> str:
    """Mean, sd, median and highest-density intervals of each free parameter."""
    by_name = {p.name: p for p in problem.parameters}
    means, sds, medians = posterior.mean(), posterior.sd(), posterior.median()
    regions = [posterior.hdi(level) for level in LEVELS]
    heads = ("Parameter", "Mean", "Sd", "Median", *(f"{100 * level:.0f} % interval" for level in LEVELS))
    body = ""
    for i, name in enumerate(posterior.names):
        sd = float(sds[i])
        cells = [rounded(float(v), sd) for v in (means[i], sd, medians[i])]
        for region in regions:
            parts = [[float(a), float(b)] for a, b in region[i]]
            cells.append(
                "<br>or ".join(" to ".join(rounded(v, min(sd, (b - a) / 3)) for v in (a, b)) for a, b in parts)
            )
        numbers = "".join(f'<td class="n">{c}</td>' for c in cells)
        body += f"<tr><td>{name_of(by_name[name])}</td>{numbers}</tr>"
    note = (
        "<p><small>Intervals are the shortest regions that hold so much of the posterior (highest density).</small></p>"
    )
    return f"<table><tr>{''.join(f'<th>{h}</th>' for h in heads)}</tr>{body}</table>{note}"


def fixed(problem: d.Problem) -> str:
    found = [(name_of(p), f"{p.fixed:g}") for p in problem.parameters if p.fixed is not None]
    return f"<p>Fixed: {', '.join(f'{n} = {v}' for n, v in found)}.</p>" if found else ""


def correlations(posterior: StoredPosterior, problem: d.Problem, most: int = 12) -> str:
    """The correlation matrix of the first ``most`` free parameters; nothing for a single one."""
    names = posterior.names[:most]
    if len(names) < 2:
        return ""
    labels = [escape(next(p.label or p.name for p in problem.parameters if p.name == n)) for n in names]
    values = np.asarray(posterior.correlation())
    body = "".join(
        f"<tr><th>{labels[i]}</th>" + "".join(f'<td class="n">{values[i, j]:+.2f}</td>' for j in range(i + 1)) + "</tr>"
        for i in range(len(names))
    )
    head = "".join(f"<th>{label}</th>" for label in labels)
    return f"<h2>Correlations</h2><table><tr><th></th>{head}</tr>{body}</table>"


def priors(problem: d.Problem) -> str:
    rows = "".join(
        f"<tr><td>{name_of(p)}</td><td>"
        f"{f'fixed at {p.fixed:g}' if p.fixed is not None else escape(describe_within_limits(p))}</td></tr>"
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
