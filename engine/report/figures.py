"""Figures of a session for files and reports, drawn with matplotlib without a display."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..answer.fresh_runs import FreshRuns, placed
from ..answer.latest import posterior_of
from ..answer.possible import Possible
from ..answer.posterior import StoredPosterior
from ..answer.predictions.predictive import Predicted
from ..problem.data.rows.across import along
from ..problem.data.rows.text_keys import unit_of
from ..problem.data.units.unit_scales import with_unit
from ..problem.definition import told_apart
from ..problem.priors import DECADES, density_per_decade, is_logarithmic
from ..problem.transforms import ParameterSpace
from ..session.store import SessionStore
from .plot_cache import settle

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..answer.unseen import Claim

POSTERIOR, PRIOR, GOOD, BAD = "#0072B2", "#999999", "#009E73", "#D55E00"  # Okabe-Ito
PAIR_TICKS = 3  # about, on the small axes of a pair
MOST_COLUMNS = 8  # of the data, in one figure
MOST_NAMES = 4  # below an axis: dates are long


def _figure(width: float, height: float) -> Figure:
    settle()
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def _label(store: SessionStore, name: str) -> str:
    """The user's label and unit, shown as they are (no TeX)."""
    found = next(p for p in told_apart(store.problem.parameters) if p.name == name)
    text = with_unit(found.label or found.name, found.unit)
    return text.replace("$", r"\$")


def _short(store: SessionStore, name: str) -> str:
    """The label with its unit, broken into short lines, where many stand side by side."""
    found = next(p for p in told_apart(store.problem.parameters) if p.name == name)
    name = found.label or found.name
    lines, unit = textwrap.wrap(name, 16)[:3], with_unit(name, found.unit)[len(name) :].strip()
    if unit and lines and len(lines[-1]) + 1 + len(unit) <= 16:
        lines[-1] += f" {unit}"
    elif unit:
        lines.append(textwrap.shorten(unit, 24, placeholder=f"…{unit[-1]}"))
    return "\n".join(lines).replace("$", r"\$")


def prior_density(space: ParameterSpace, i: int, x: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, Any]:
    """Prior density of free parameter i at x (m,), user's units."""
    distribution = space.distributions[i]
    if distribution is None:
        return np.full(x.shape, np.nan)
    with np.errstate(all="ignore"):
        return np.exp(np.asarray(distribution.log_density(x)))


def marginals(store: SessionStore) -> Figure:
    """Posterior (filled) and prior (line) of every free parameter."""
    posterior, record = posterior_of(store)
    d = posterior.space.dimension
    drawn = Possible.of(record.slices, d)
    columns = 2 if d == 4 else min(3, d)  # four look best in a square
    rows = -(-d // columns)
    figure = _figure(3.4 * columns, 2.4 * rows)
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for i in range(d):
        log = is_logarithmic(posterior.space.parameters[i])
        x, density = _marginal(posterior, i)
        axes[i].fill_between(x, density, color=POSTERIOR, alpha=0.35, linewidth=0)
        if drawn is not None:
            axes[i].plot(x, _possible(drawn, posterior, i, x, log).T, color=POSTERIOR, alpha=0.3, linewidth=0.5)
        axes[i].plot(x, density, color=POSTERIOR, label="posterior")
        prior = prior_density(posterior.space, i, x)
        prior = density_per_decade(x, prior) if log else prior
        if np.isfinite(prior).all():
            axes[i].plot(x, prior, color=PRIOR, linestyle="--", label="prior")
        axes[i].set_xlabel(_label(store, posterior.names[i]))
        axes[i].set_yticks([])
        _scale(axes[i], "x", log, 5)
        axes[i].set_ylim(bottom=0, top=1.08 * float(np.nanmax(density)))
    axes[0].legend(frameon=False, fontsize="small")
    for axis in axes[d:]:
        axis.set_visible(False)
    return figure


def _marginal(posterior: StoredPosterior, i: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """x (n,) in the user's unit, and the density (n,) per unit of its axis, linear or logarithmic."""
    x, density = posterior.marginal(i)
    return x, density_per_decade(x, density) if is_logarithmic(posterior.space.parameters[i]) else density


def _possible(drawn: Possible, posterior: StoredPosterior, i: int, x: Any, log: bool) -> np.ndarray[Any, Any]:
    """(functions, n) per unit of the axis: other marginals that the runs allow."""
    own = posterior.marginal(i)[1]
    lines = drawn.lines(i, posterior.space.transforms[i].to_inference(x), x, own)
    return np.stack([density_per_decade(x, y) for y in lines]) if log else lines


def _scale(axes: Any, which: Literal["x", "y"], logarithmic: bool, ticks: int) -> None:
    """Ticks at powers of ten where the axis is logarithmic and shows enough of them; else at round numbers."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

    if not logarithmic:
        axes.locator_params(axis=which, nbins=ticks)
        return
    getattr(axes, f"set_{which}scale")("log")
    axis = getattr(axes, f"{which}axis")
    low, high = sorted(axis.get_view_interval())
    if np.log10(high / low) < DECADES:
        axis.set_major_locator(MaxNLocator(ticks))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())


def pairs(store: SessionStore, most: int = 6) -> Figure | None:
    """Densities of all pairs of the first ``most`` free parameters; None when there is only one."""
    posterior, _ = posterior_of(store)
    d = min(posterior.space.dimension, most)
    if d < 2:
        return None
    figure = _figure(1.9 * d, 1.9 * d)
    axes = figure.subplots(d, d, squeeze=False)
    for row in range(d):
        for column in range(d):
            axis = axes[row, column]
            if column > row:
                axis.set_visible(False)
                continue
            _pair(axis, posterior, row, column)
            axis.tick_params(labelsize="x-small")
            if row < d - 1:
                axis.set_xticklabels([])
            else:
                axis.set_xlabel(_short(store, posterior.names[column]), fontsize="small")
            if column > 0 or row == 0:
                axis.set_yticks([])
                axis.set_yticks([], minor=True)
            else:
                axis.set_ylabel(_short(store, posterior.names[row]), fontsize="small")
    return figure


def _pair(axis: Any, posterior: StoredPosterior, row: int, column: int) -> None:
    across, up = (is_logarithmic(posterior.space.parameters[k]) for k in (column, row))
    if row == column:
        x, density = _marginal(posterior, row)
        axis.fill_between(x, density, color=POSTERIOR, alpha=0.35, linewidth=0)
        axis.set_ylim(bottom=0)
        _scale(axis, "x", across, PAIR_TICKS)
        return
    x, y, density = posterior.pair(column, row, points=48, logarithmic=(across, up))
    top = float(density.max())
    if top > 0 and x[0] < x[-1] and y[0] < y[-1]:
        axis.contourf(x, y, density.T / top, levels=np.linspace(0.02, 1.0, 9), cmap="Blues")
    _scale(axis, "x", across, PAIR_TICKS)
    _scale(axis, "y", up, PAIR_TICKS)


def predictions(found: list[Predicted], best: Sequence[Predicted] = ()) -> Figure | None:
    """Measured data and the 90 % band and median of what is predicted: by learnt outputs, with the band of measurements around
    it, or by the runs made so far, weighted by the posterior, with the weightiest. At most MOST_COLUMNS; None where nothing is.

    ``best``: of the best run alone.
    """
    found = found[:MOST_COLUMNS]
    if not found:
        return None
    columns = min(2, len(found))
    lines = -(-len(found) // columns)
    figure = _figure(3.6 * columns, 2.6 * lines)
    axes = figure.subplots(lines, columns, squeeze=False).ravel()
    for axis, p in zip(axes, found, strict=False):
        if len(p.x) > 1 and (p.apart or (len(p.names) == len(p.x) and not unit_of(p.names))):
            _at_labels(axis, p, best)
            continue
        x, order = along(p.x)
        low, middle, high = (v[order] for v in p.ends)
        if p.bands is not None:
            ends = p.bands.measured_low[order], p.bands.measured_high[order]
            axis.fill_between(x, *ends, color=POSTERIOR, alpha=0.12, linewidth=0)
        w = p.whole
        curve = (x, low, middle, high) if w is None else (w.x, w.low, w.middle, w.high)
        axis.fill_between(curve[0], curve[1], curve[3], color=POSTERIOR, alpha=0.25, linewidth=0)
        for k in np.argsort(p.weights)[::-1][:8]:
            axis.plot(x, p.runs[k][order], color=POSTERIOR, alpha=0.25, linewidth=0.7)
        axis.plot(curve[0], curve[2], color=POSTERIOR)
        if p.missed is not None:
            whole = p.missed.whole_low[order], p.missed.whole_high[order]
            axis.fill_between(x, *whole, color=GOOD, alpha=0.3, linewidth=0)
            axis.plot(x, p.missed.whole_middle[order], color=GOOD, linestyle=":")
        for own in (b for b in best if b.y_label == p.y_label):
            there, which = along(own.x)
            axis.plot(there, own.runs[0][which], color=BAD, linestyle="--", linewidth=1)
        _say_data(axis, p)
    for axis in axes[len(found) :]:
        axis.set_visible(False)
    return figure


def _at_labels(axis: Axes, p: Predicted, best: Sequence[Predicted]) -> None:
    """Bars and dashes at each label: between labels there is nothing."""
    low, middle, high = p.ends
    if p.bands is not None:
        axis.vlines(p.x, p.bands.measured_low, p.bands.measured_high, color=POSTERIOR, alpha=0.2, linewidth=4)
    axis.vlines(p.x, low, high, color=POSTERIOR, alpha=0.3, linewidth=9)
    axis.plot(p.x, middle, "_", color=POSTERIOR, markersize=14)
    for own in (b for b in best if b.y_label == p.y_label):
        axis.plot(own.x, own.runs[0], "_", color=BAD, markersize=14)
    _say_data(axis, p)


def _say_data(axis: Axes, p: Predicted) -> None:
    """The measured values, and what the axes are."""
    axis.plot(p.x[~p.limited], p.measured[~p.limited], "o", markersize=4, markerfacecolor="white", markeredgecolor="black")
    for side, marker in ((-1, "v"), (1, "^")):
        there = p.limited & (p.sides == side) if p.limited.any() else p.limited
        axis.plot(p.x[there], p.measured[there], linestyle="", marker=marker, markersize=7, color="black")
    _say_names(axis, p)
    axis.set_xlabel(p.x_label[:40].replace("$", r"\$"))
    axis.set_ylabel(p.y_label[:40].replace("$", r"\$"))


def _say_names(axis: Axes, p: Predicted) -> None:
    """Dates or labels below the axis where the places have some, as many as can be read."""
    if len(p.names) == len(p.x) > 0:
        shown = np.argsort(p.x, kind="stable")[:: -(-len(p.x) // MOST_NAMES)]
        axis.set_xticks(p.x[shown], [p.names[i][:12].replace("$", r"\$") for i in shown])


def residuals(found: list[Predicted]) -> Figure | None:
    """Standardized residuals over the key, and their normal plots with the band of 90 %; None where none are known."""
    tested = [p.of_values for p in found if p.residuals is not None][:MOST_COLUMNS]
    if not tested:
        return None
    figure = _figure(7.2, 2.4 * len(tested))
    for (over, normal), p in zip(figure.subplots(len(tested), 2, squeeze=False), tested, strict=True):
        assert p.residuals is not None
        over.axhline(0.0, color=PRIOR, linewidth=1)
        over.plot(p.x, p.residuals.z, "o", markersize=4, markerfacecolor="white", markeredgecolor="black")
        _say_names(over, p)
        over.set_xlabel(p.x_label[:40].replace("$", r"\$"))
        over.set_ylabel(f"{p.y_label[:24]}: residual / sd".replace("$", r"\$"))
        places, ordered = p.residuals.ordered
        if p.residuals.tested:
            normal.fill_between(places, p.residuals.low, p.residuals.high, color=POSTERIOR, alpha=0.2, linewidth=0)
        normal.plot(places, ordered, "o", markersize=4, markerfacecolor="white", markeredgecolor="black")
        normal.set_xlabel("normal distribution")
        normal.set_ylabel("sorted residuals / sd")
    return figure


def trace(store: SessionStore) -> Figure:
    """ELBO with two standard deviations against the number of evaluations."""
    answers = store.iterations()
    figure = _figure(6.5, 2.8)
    axis = figure.subplots()
    n = np.array([a.n_evaluations for a in answers], dtype=float)
    elbo = np.array([a.elbo for a in answers], dtype=float)
    sd = np.array([a.elbo_sd for a in answers], dtype=float)
    good = np.isfinite(elbo) & np.isfinite(sd)
    axis.fill_between(n[good], (elbo - 2 * sd)[good], (elbo + 2 * sd)[good], color=POSTERIOR, alpha=0.25, linewidth=0)
    axis.plot(n[good], elbo[good], color=POSTERIOR)
    if good.sum() > 3:  # the first answers can be off by orders of magnitude
        late = elbo[good][-max(3, int(good.sum()) // 2) :]
        reach = max(5.0, 3.0 * float(np.ptp(late)))
        axis.set_ylim(float(late.min()) - reach, float(late.max()) + reach)
    axis.set_xlabel("simulator runs")
    axis.set_ylabel("ELBO (± 2 sd)")
    return figure


def unseen(claim: Claim) -> Figure:
    """The probability that a further mode did not show, against its width."""
    figure = _figure(4.6, 2.4)
    axis = figure.subplots()
    axis.fill_between(100 * claim.widths, claim.unseen, color=BAD, alpha=0.2, linewidth=0)
    axis.plot(100 * claim.widths, claim.unseen, color=BAD)
    axis.set_xlim(100 * claim.widths[0], 100 * claim.widths[-1])
    axis.set_ylim(0, 1)
    axis.set_xlabel("width of the mode in % of the plausible ranges")
    axis.set_ylabel("probability unseen")
    return figure


def fresh_runs(fresh: FreshRuns) -> Figure:
    """Of the runs that checked the answer: found against predicted log density, those of the last check in full colour."""
    figure = _figure(4.6, 3.4)
    axis = figure.subplots()
    x, y, low, high = placed(fresh)
    last, tail = fresh.known == fresh.known[-1], fresh.tail > 0.0
    axis.plot([low, high], [low, high], color=PRIOR, linewidth=1)
    for chosen, colour, marker, words in (
        (last & ~tail, POSTERIOR, "o", "at draws from the answer"), (last & tail, BAD, "s", "in its tails"),
        (~last, PRIOR, ".", "of earlier checks"),
    ):  # fmt: skip
        if chosen.any():
            bars = 2.0 * fresh.sd[chosen]
            axis.errorbar(x[chosen], y[chosen], xerr=bars, color=colour, fmt=marker, markersize=4, linewidth=0.8, label=words)
    axis.set_xlim(low, high)
    axis.set_ylim(low, high)
    axis.set_xlabel("log density predicted, below the best")
    axis.set_ylabel("found")
    axis.legend(frameon=False, fontsize="small")
    return figure


def svg(figure: Figure) -> str:
    """Inline SVG (text as paths: it looks the same everywhere and holds no markup of the user's)."""
    import matplotlib

    out = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "path", "svg.hashsalt": "bayescope"}):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    return text[text.index("<svg") :]


def png(figure: Figure, dpi: int = 150) -> bytes:
    return in_format(figure, "png", dpi)


def in_format(figure: Figure, kind: str, dpi: int = 150) -> bytes:
    """As a file of the kind: "png", "pdf", "svg"... Raises ValueError, naming all, for one that Matplotlib does not write."""
    out = io.BytesIO()
    figure.savefig(out, format=kind, dpi=dpi)
    return out.getvalue()
