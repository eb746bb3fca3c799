"""The posterior in numbers with sensible digits: the summary table, correlations, evidence and verdict in plain words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt

from bayescope.engine.problem.definition import Parameter
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.records import Column, Index
from bayescope.gui.run_data import TracePoint
from bayescope.gui.style.theme import theme

if TYPE_CHECKING:
    from bayescope.engine.session.posterior import StoredPosterior

LEVELS = (0.5, 0.7, 0.9, 0.95)
TIMES = " × "


@dataclass(frozen=True)
class SummaryRow:
    """One parameter; numbers in its unit. ``intervals[k]``: highest-density intervals of LEVELS[k], several if several modes."""

    name: str
    label: str
    unit: str
    mean: float
    sd: float
    median: float
    intervals: tuple[tuple[tuple[float, float], ...], ...]


def summary_rows(posterior: StoredPosterior, parameters: Sequence[Parameter]) -> tuple[SummaryRow, ...]:
    """One row per free parameter, in order."""
    means, sds, medians = posterior.mean(), posterior.sd(), posterior.median()
    hdis = [posterior.hdi(level) for level in LEVELS]
    by_name = {p.name: p for p in parameters}
    rows = []
    for i, name in enumerate(posterior.names):
        p = by_name[name]
        intervals = tuple(tuple((float(a), float(b)) for a, b in hdi[i]) for hdi in hdis)
        rows.append(SummaryRow(name, p.label, p.unit, float(means[i]), float(sds[i]), float(medians[i]), intervals))
    return tuple(rows)


def decimals_for(sd: float) -> int:
    """Decimals that show two significant digits of ``sd``; negative: tens, hundreds ..."""
    if not (math.isfinite(sd) and sd > 0):
        return 4
    return 1 - math.floor(math.log10(sd))


def rounded(value: float, sd: float, beside: float = 0.0) -> str:
    """``value`` with as many digits as its uncertainty ``sd`` supports; powers of ten for very large or small numbers.

    ``beside``: the other end of an interval; both are written alike.
    """
    if not math.isfinite(value):
        return "not finite"
    decimals = decimals_for(sd)
    size = max(abs(value), abs(beside), sd if math.isfinite(sd) else 0.0)
    if size and (size >= 1e6 or size < 1e-3):
        power = math.floor(math.log10(size))
        digits = max(0, min(decimals + power, 15))
        return f"{value / 10.0**power:.{digits}f}{TIMES}10{_superscript(power)}".replace("-", "−")
    if decimals <= 0:
        return f"{round(value, decimals):.0f}".replace("-", "−")
    return f"{value:.{min(decimals, 15)}f}".replace("-", "−")


def _superscript(power: int) -> str:
    return str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def interval_words(intervals: Sequence[tuple[float, float]], sd: float) -> str:
    """``0.31 … 0.42``, each further part on a line of its own when the region has several parts."""
    if not intervals:
        return "–"
    step = min(sd, (intervals[-1][1] - intervals[0][0]) / 3)  # all parts are written with the same digits,
    for a, b in intervals:  # as many as show the two ends of each part
        step = min(step, (b - a) if len(intervals) > 1 else step)
    return "\nor ".join(_range(a, b, step) for a, b in intervals)


def short_words(median: float, intervals: Sequence[tuple[float, float]]) -> str:
    """``17.40   (16.64 … 18.04)`` for a plot: all with the same decimals, as many as its narrowest interval asks for.

    Two digits of its half width: about those of the table.
    """
    if not intervals:
        return rounded(median, 0.0)
    half = min(b - a for a, b in intervals) / 2.0
    size = max(abs(v) for part in intervals for v in part)

    def short(value: float) -> str:
        return rounded(value, half, size).partition(TIMES)[0]

    ends = " or ".join(f"{short(a)} … {short(b)}" for a, b in intervals)
    _, times, power = rounded(median, half, size).partition(TIMES)
    return f"{short(median)}   ({ends}){times}{power}"  # a power of ten is said once, behind


def _range(low: float, high: float, step: float) -> str:
    return f"{rounded(low, step, high)} … {rounded(high, step, low)}"


def summary_columns() -> tuple[Column[SummaryRow], ...]:
    """For a RecordsModel."""

    def hdi(k: int, level: float) -> Column[SummaryRow]:
        tip = f"The shortest range that holds {100 * level:.0f} % of the posterior probability (highest-density interval)."
        return Column(
            f"hdi{level}",
            f"{100 * level:.0f} % interval",
            tip,
            lambda r: interval_words(r.intervals[k], r.sd),
            None,
            True,
            lines=True,
        )

    return (
        Column("name", "Parameter", "The parameter and its unit.", title_of),
        Column("mean", "Mean", "Average of the posterior.", lambda r: rounded(r.mean, r.sd), None, True),
        Column("sd", "Sd", "Standard deviation: how uncertain it is.", lambda r: rounded(r.sd, r.sd), None, True),
        Column("median", "Median", "Half of the posterior lies below.", lambda r: rounded(r.median, r.sd), None, True),
        *(hdi(k, level) for k, level in enumerate(LEVELS)),
    )


def title_of(row: SummaryRow) -> str:
    """Its label with its unit."""
    name = one_line(row.label or row.name, 60)
    return f"{name} [{one_line(row.unit, 30)}]" if row.unit else name


class CorrelationModel(QAbstractTableModel):
    """Correlations of the parameters; the background's strength shows the size, the number says it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._names: list[str] = []
        self._values: list[list[float]] = []

    def set_values(self, names: Sequence[str], values: Sequence[Sequence[float]]) -> None:
        self.beginResetModel()
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
            return "1" if index.row() == index.column() else f"{value:+.2f}".replace("-", "−")
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignCenter)
        if role == Qt.ItemDataRole.BackgroundRole and index.row() != index.column():
            return theme.colour("posterior" if value >= 0 else "failure", min(1.0, abs(value)) * 0.5)
        if role == Qt.ItemDataRole.ToolTipRole:
            a, b = self._names[index.row()], self._names[index.column()]
            return "" if a == b else f"{one_line(a, 40)} and {one_line(b, 40)}: {correlation_words(value)}"
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or not 0 <= section < len(self._names):
            return None
        return one_line(self._names[section], 24)


def strongest_words(names: Sequence[str], values: Sequence[Sequence[float]], most: int = 3) -> str:
    """The strongest correlations in sentences; that there are none worth naming if so."""
    pairs = sorted(((abs(values[i][j]), i, j) for i in range(len(names)) for j in range(i)), reverse=True)
    told = [(i, j) for size, i, j in pairs[:most] if size >= 0.3]
    if not told:
        return "No two parameters are noticeably related: each is known by itself." if pairs else ""
    return "\n".join(
        f"{one_line(names[j], 60)} and {one_line(names[i], 60)} are {correlation_words(values[i][j])}." for i, j in told
    )


def correlation_words(value: float) -> str:
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
    return f"{how}; {'both rise together' if value > 0 else 'one rises as the other falls'}"


def evidence_words(value: float, sd: float) -> str:
    """``−12.34 ± 0.05``."""
    if not math.isfinite(value):
        return "not known yet"
    if not math.isfinite(sd) or sd <= 0:
        return f"{value:.2f}".replace("-", "−")
    return f"{rounded(value, sd)} ± {rounded(sd, sd)}"


def surrogate_words(diagnostics: Mapping[str, float]) -> str:
    """``sparse: N = 5,000, M = 300`` or ``exact: N = 150``; empty where the method does not choose between them."""
    if "inducing" not in diagnostics:
        return ""
    n, m = diagnostics.get("points", diagnostics.get("archive", 0.0)), diagnostics["inducing"]
    return f"sparse: N = {n:,.0f}, M = {m:,.0f}" if m else f"exact: N = {n:,.0f}"


def verdict(point: TracePoint, runs: int) -> tuple[str, str, tuple[str, ...]]:
    """Level for a banner, the verdict in one sentence, and its reasons."""
    reasons = tuple(_sentence(r) for r in point.reasons)
    if point.converged:
        return "ok", f"Converged: the answer had settled after {runs} runs. You can use it.", reasons
    if point.warm_up:
        return "warning", f"Still warming up after {runs} runs: these numbers are a first guess only.", reasons
    return (
        "warning",
        f"Not converged after {runs} runs: treat these numbers as preliminary.",
        reasons or ("Run it longer.",),
    )


def _sentence(text: str) -> str:
    text = text.strip()
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) or not text else text + "."
