"""The posterior in numbers with sensible digits: the summary table, correlations, evidence and verdict in plain words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt

from bayescope.engine.answer.digits import correlation, of_intervals, own_step, sd_step, with_error
from bayescope.engine.answer.digits import typeset as rounded
from bayescope.engine.answer.intervals import Kind, in_words, modes_words
from bayescope.engine.answer.surrogate_peak import LUCKY
from bayescope.engine.answer.words import BEST_FIT_FOUND, WORTH_SAYING, Level, chip, headline, runs_to_confirm
from bayescope.engine.problem.data.units.unit_scales import with_unit
from bayescope.engine.problem.definition import Parameter, label_with_name, told_apart
from bayescope.engine.problem.numbers.shown_digits import TIMES, raised
from bayescope.gui.analysis.run_data import Answer, TracePoint
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.records import Column, Index
from bayescope.gui.style.theme import theme
from bayescope.gui.style.words import true_minus

if TYPE_CHECKING:
    from bayescope.engine.answer.best_fit import BestFit
    from bayescope.engine.answer.checks import Check
    from bayescope.engine.answer.posterior import StoredPosterior

LEVELS = (0.5, 0.7, 0.9, 0.95)
KINDS: tuple[tuple[Kind, str], ...] = (("equal_tailed", "Equal-tailed intervals"), ("shortest", "Shortest intervals"))


@dataclass(frozen=True)
class SummaryRow:
    """One parameter; numbers in its unit. ``intervals[k]``: of LEVELS[k], several if it has ``modes`` separate modes and the
    shortest are asked for. ``resolution``: the size of which two digits are shown. ``best`` and ``peak``: the values of the
    best run and at the surrogate's maximum, in words; "": not known."""

    name: str
    label: str
    unit: str
    mean: float
    sd: float
    median: float
    intervals: tuple[tuple[tuple[float, float], ...], ...]
    resolution: float | None = None  # None: the sd
    modes: int = 1
    best: str = ""
    peak: str = ""
    lucky: bool = False  # log densities are random: the best run is likely to be a lucky one


def summary_rows(
    posterior: StoredPosterior, parameters: Sequence[Parameter], kind: Kind = "equal_tailed", best: BestFit | None = None
) -> tuple[SummaryRow, ...]:
    """One row per free parameter, in order."""
    means, sds, medians = posterior.mean(), posterior.sd(), posterior.median()
    found = [posterior.intervals(level, kind) for level in LEVELS]
    resolutions, modes = posterior.resolution(), posterior.modes()
    by_name = {p.name: p for p in told_apart(parameters)}
    rows = []
    for i, name in enumerate(posterior.names):
        p = by_name[name]
        intervals = tuple(tuple((float(a), float(b)) for a, b in of_level[i]) for of_level in found)
        numbers = float(means[i]), float(sds[i]), float(medians[i])
        row = SummaryRow(name, p.label, p.unit, *numbers, intervals, float(resolutions[i]), modes[i])
        values = ("", "") if best is None else points_of(row, p, best)
        rows.append(replace(row, best=values[0], peak=values[1], lucky=best is not None and best.random))
    return tuple(rows)


def points_of(row: SummaryRow, p: Parameter, best: BestFit) -> tuple[str, str]:
    """The values of the best run and of the surrogate's maximum: with the digits of the mean where no sd of theirs is known."""
    if p.name in best.sds:
        return true_minus(raised(best.value_words(p))), true_minus(raised(best.peak_words(p)))
    peak = None if best.peak is None else best.peak.values.get(p.name)
    return _written(row, best.values[p.name]), "" if peak is None else _written(row, peak)


def interval_words(intervals: Sequence[tuple[float, float]], sd: float, resolution: float | None = None) -> str:
    """``0.31 … 0.42``, each further part on a line of its own when it has several parts; all are written with the same digits."""
    if not intervals:
        return "–"
    step = of_intervals(intervals, sd, sd if resolution is None else resolution)
    wide = intervals[-1][1] - intervals[0][0]
    return "\nor ".join(_range(a, b, step, wide) for a, b in intervals)


def separate_modes(rows: Sequence[SummaryRow]) -> str:
    """Which parameters have several modes, and where their parts are told."""
    found = [row for row in rows if row.modes > 1]
    if not found:
        return ""
    alike = len({row.modes for row in found}) == 1
    names = [title_of(row) for row in found]
    said = [modes_words(" and ".join(names), found[0].modes, len(names))] if alike else [
        modes_words(title_of(row), row.modes) for row in found
    ]
    return " ".join([*said, "“Shortest intervals” shows their parts."])


def short_words(median: float, intervals: Sequence[tuple[float, float]], step: float | None = None) -> str:
    """``17.40   (16.64 … 18.04)`` for a plot: all with the same decimals, two digits of ``step``: those of the table.

    None: of half the narrowest interval, where nothing else is known.
    """
    if not intervals:
        return rounded(median, 0.0)
    step = min(b - a for a, b in intervals) / 2.0 if step is None else step
    size = max(abs(v) for part in intervals for v in part)

    wide = intervals[-1][1] - intervals[0][0]

    def short(value: float) -> str:
        return rounded(value, own_step(value, step, wide), size).partition(TIMES)[0]

    ends = " or ".join(f"{short(a)} … {short(b)}" for a, b in intervals)
    _, times, power = rounded(median, step, size).partition(TIMES)
    return f"{short(median)}   ({ends}){times}{power}"  # a power of ten is said once, behind


def _range(low: float, high: float, step: float, wide: float) -> str:
    return f"{rounded(low, own_step(low, step, wide), high)} … {rounded(high, own_step(high, step, wide), low)}"


def summary_columns(kind: Kind = "equal_tailed", rows: Sequence[SummaryRow] = ()) -> tuple[Column[SummaryRow], ...]:
    """For a RecordsModel of ``rows``: without the best run, or the surrogate's maximum, where they have none."""

    def interval(k: int, level: float) -> Column[SummaryRow]:
        return Column(
            f"interval{level}",
            f"{100 * level:.0f} % interval",
            in_words(kind, level),
            lambda r: interval_words(r.intervals[k], r.sd, r.resolution),
            None,
            True,
            lines=True,
        )

    return (
        Column("name", "Parameter", "The parameter and its unit.", title_of),
        Column("mean", "Mean", "Average of the posterior.", lambda r: _written(r, r.mean), None, True),
        Column("sd", "Sd", "Standard deviation: how uncertain it is.", _sd_words, None, True),
        Column("median", "Median", "Half of the posterior lies below.", lambda r: _written(r, r.median), None, True),
        *(interval(k, level) for k, level in enumerate(LEVELS)),
        *((LUCKY_BEST if any(r.lucky for r in rows) else BEST,) if any(r.best for r in rows) else ()),
        *((PEAK,) if any(r.peak for r in rows) else ()),
    )


BEST: Column[SummaryRow] = Column(
    "best", "Best run", "Of all runs that of the highest log density: see Best fit.", lambda r: r.best, None, True
)
LUCKY_BEST = replace(
    BEST, title="Best run (lucky)",
    tip=f"Of all runs that of the highest log density. Log densities are random here: {LUCKY}. See Best fit.",
)  # fmt: skip
PEAK: Column[SummaryRow] = Column(
    "peak", "Maximum", "Where the surrogate's log density is highest; no run need have been made there: see Best fit.",
    lambda r: r.peak, None, True,
)  # fmt: skip


def _written(row: SummaryRow, value: float) -> str:
    """Mean or median, as the ends of the widest interval are."""
    parts = row.intervals[-1] if row.intervals else ()
    return rounded(value, own_step(value, _shown(row), parts[-1][1] - parts[0][0]) if parts else _shown(row))


def _sd_words(row: SummaryRow) -> str:
    """Without a power of ten where the mean has none."""
    mean = rounded(row.mean, _shown(row))
    return rounded(row.sd, sd_step(row.sd, _shown(row)), 0.0 if TIMES in mean else row.mean)


def _shown(row: SummaryRow) -> float:
    return row.sd if row.resolution is None else row.resolution


def title_of(parameter: SummaryRow | Parameter) -> str:
    """Its label with its unit, and its name where that is another."""
    label, name = parameter.label, parameter.name
    title = with_unit(one_line(label or name, 60), one_line(parameter.unit, 60), 30)
    return title if label_with_name(label, name) == (label or name) else f"{title} ({one_line(name, 30)})"


MOST_HEADING = 40  # characters of a parameter's name above and beside the correlations


class CorrelationModel(QAbstractTableModel):
    """Correlations of the parameters; the background's strength shows the size, the number says it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._names: list[str] = []
        self._values: list[list[float]] = []
        self._modes: list[int] = []

    def set_values(self, names: Sequence[str], values: Sequence[Sequence[float]], modes: Sequence[int] = ()) -> None:
        """``modes``: how many separate modes each has; none given: one each."""
        self.beginResetModel()
        self._modes = list(modes) or [1] * len(names)
        self._names, self._values = list(names), [[float(v) for v in row] for row in values]
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._names)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._names)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        value = self._values[index.row()][index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return "1" if index.row() == index.column() else correlation(value).replace("-", "−")
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignCenter)
        if role == Qt.ItemDataRole.BackgroundRole and index.row() != index.column():
            return theme.colour("posterior" if value >= 0 else "failure", min(1.0, abs(value)) * 0.5)
        if role == Qt.ItemDataRole.ToolTipRole:
            a, b = self._names[index.row()], self._names[index.column()]
            both = min(self._modes[index.row()], self._modes[index.column()]) > 1
            return "" if a == b else f"{one_line(a, 40)} and {one_line(b, 40)}: {correlation_words(value, both)}"
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not 0 <= section < len(self._names):
            return None
        if role == Qt.ItemDataRole.ToolTipRole:
            return one_line(self._names[section], 200)
        return one_line(self._names[section], MOST_HEADING) if role == Qt.ItemDataRole.DisplayRole else None


def strongest_words(
    names: Sequence[str], values: Sequence[Sequence[float]], modes: Sequence[int] = (), most: int = 3
) -> str:
    """The strongest correlations in sentences; that there are none worth naming if so. ``modes``: separate ones of each."""
    apart = [k > 1 for k in modes] or [False] * len(names)
    pairs = sorted(((abs(values[i][j]), i, j) for i in range(len(names)) for j in range(i)), reverse=True)
    told = [(i, j) for size, i, j in pairs[:most] if size >= 0.3]
    if not told:
        return "No two parameters are noticeably related: each is known by itself." if pairs else ""
    return "\n".join(
        f"{one_line(names[j], 60)} and {one_line(names[i], 60)} {'' if apart[i] and apart[j] else 'are '}"
        f"{correlation_words(values[i][j], apart[i] and apart[j])}."
        for i, j in told
    )


def correlation_words(value: float, apart: bool = False) -> str:
    """``apart``: both have separate modes, so the number says how these go together rather than what each mode is like."""
    size = abs(value)
    how = (
        "hardly related"
        if size < 0.3
        else "related"
        if size < 0.7
        else "strongly related"
        if size < 0.95
        else "almost one quantity"
    )
    if size < 0.3:
        return how
    if apart:
        return f"have separate modes; from one to the other {'both rise' if value > 0 else 'one rises and the other falls'}"
    return f"{how}; {'both rise together' if value > 0 else 'one rises as the other falls'}"


def evidence_words(value: float, sd: float) -> str:
    """``−12.34 ± 0.05``."""
    if not math.isfinite(value):
        return "not known yet"
    return with_error(value, sd, "−")


EVIDENCE_HINT = "Only its difference from another model's, on the same data, says something."
EVIDENCE_TIP = "ln of the probability of the data under this model, averaged over the prior; a difference says which they favour."


def both_evidences(diagnostics: Mapping[str, float]) -> str:
    """After the evidence: when it holds, and what it is if values where runs fail are impossible; "": few of the answer are."""
    share, other = diagnostics.get("failing_mass", 0.0), diagnostics.get("evidence_if_impossible", math.nan)
    if share < WORTH_SAYING or not math.isfinite(other):
        return ""
    return f"if where runs fail it is as beside there; {other:.2f} if those values are impossible.".replace("-", "−")


def surrogate_words(diagnostics: Mapping[str, float]) -> str:
    """``sparse: N = 5,000, M = 300`` or ``exact: N = 150``; empty where the method does not choose between them."""
    if "inducing" not in diagnostics:
        return ""
    n, m = diagnostics.get("points", diagnostics.get("archive", 0.0)), diagnostics["inducing"]
    return f"sparse: N = {n:,.0f}, M = {m:,.0f}" if m else f"exact: N = {n:,.0f}"


def verdict(
    point: TracePoint,
    runs: int,
    diagnostics: Mapping[str, float],
    noun: str = "run",
    poor: Sequence[Check] = (),
    left_out: int = 0,
    unlikely: bool = False,
) -> tuple[Level, str, tuple[str, ...]]:
    """Level for a banner, the verdict in one sentence, and its reasons. ``runs``: made by now, of which the newest answer
    may not know all yet. ``poor``: checks of the answer that are not passed; ``left_out``: how many runs are;
    ``unlikely``: as ``headline``."""
    known = point.n_evaluations or runs
    titles = [check.title for check in poor]
    level, said = headline(point.converged, point.warm_up, known, diagnostics, noun, runs, titles, left_out, unlikely)
    said_already = runs_to_confirm(point.converged, diagnostics) and " new ones are needed" in said
    reasons = tuple(_sentence(r) for r in point.reasons if not (said_already and r.endswith("needed to confirm it.")))
    return level, said, reasons if reasons or level == "ok" else ("Run it longer.",)


def sought_alone(answer: Answer) -> bool:
    """Whether its runs looked for the best fit and for nothing else."""
    return BEST_FIT_FOUND in answer.diagnostics


def chip_of(answer: Answer) -> tuple[Level, str]:
    """The verdict in two or three words."""
    return chip(answer.trace.converged, answer.trace.warm_up, answer.diagnostics)


def _sentence(text: str) -> str:
    text = text.strip()
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) or not text else text + "."
