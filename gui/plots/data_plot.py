"""The measured data with their errors, and the predictions of one test run over them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import msgspec
import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QComboBox

from bayescope.engine.answer.predictions.predictive import Predicted, predicted
from bayescope.engine.problem.data.dates import day_zero
from bayescope.engine.problem.data.dates.clock_zones import in_doubt
from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.problem.data.names.column_names import sd_columns
from bayescope.engine.problem.data.names.label_words import says_label
from bayescope.engine.problem.data.rows.across import ROW, across, along, by_factors, known_sds, labelled
from bayescope.engine.problem.data.rows.censored import limits_in
from bayescope.engine.problem.data.rows.comparison import key_codes, key_label, key_texts, keys_shown, with_limits
from bayescope.engine.problem.data.rows.place_columns import says_place
from bayescope.engine.problem.data.rows.text_keys import FIRST_LABEL, SINCE_1970, seconds_of, unit_of
from bayescope.engine.problem.definition import DataTable, GaussianKnown, Match, Predictions, Problem
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.keys.possible_keys import has_entries
from bayescope.gui.models.data.keys.running_numbers import numbers_rows
from bayescope.gui.models.data.missing_line import NOT_SAID, missing_line
from bayescope.gui.models.date_ticks import is_dated, plain_name
from bayescope.gui.models.plain import one_line
from bayescope.gui.plots.limit_points import LimitPoints
from bayescope.gui.plots.panel import PlotPanel
from bayescope.gui.plots.pg import Canvas, brush, pen
from bayescope.gui.style.words import number
from bayescope.gui.widgets.forms import Choice

Array = NDArray[np.float64]
MAX_POINTS = 4000
MAX_LABELS = 10  # below an axis of half a window
LONGEST_LABEL = 19  # characters of a label below the axis: a date and a time to the second fit
HINT = "points: measured, grey crosses: left out; line or dashes: newest test run"
HINT_LIMITS = f"arrows: only a limit is known; {HINT}"
DASH = 22  # pixels: as wide as what a run predicts at a place that has no neighbours
LABELS_ROOM = 70  # characters that fit side by side below a plot of usual width
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Shown:
    """One data column: (n,) places, values, standard deviations (NaN: unknown), and perhaps a run's prediction at ``x``.

    ``missing``: why the newest run gives no prediction, a sentence; empty if it does or if there is no run.
    """

    x: Array
    y: Array
    sd: Array
    run: Array | None
    x_label: str
    y_label: str
    missing: str = ""
    names: tuple[str, ...] = ()  # labels of the places, where these are row numbers, or dates
    left_out: tuple[Array, Array] = (np.empty(0), np.empty(0))  # places and values that take no part
    apart: bool = False  # nothing lies between the places: no line joins them
    sides: NDArray[np.int8] = field(default_factory=lambda: np.empty(0, dtype=np.int8))  # (n,) of limits, or none
    keyless: str = ""  # that the key column has no entry in any measured row, a sentence
    rows: tuple[int, ...] = ()  # (n,) of the table, from 0
    rows_out: tuple[int, ...] = ()  # ... of those that take no part, in the order of ``left_out``; empty: not known

    @property
    def limited(self) -> NDArray[np.bool_]:
        """Which places (n,) have a limit instead of a value."""
        return np.asarray(self.sides != 0) if len(self.sides) == len(self.x) else np.zeros(len(self.x), dtype=bool)


def shown_columns(problem: Problem, report: TrialRunReport | None) -> list[Shown]:
    """What can be drawn: each compared column, or each column when nothing is compared yet, those that count rows last."""
    if problem.data is None:
        return []
    data, columns = problem.data, problem.data.columns
    matches = [m for m in _compared(problem) if m.column in columns]
    if not matches:
        key = axis_of(problem.data)
        own = _sds_of(list(columns))
        key = None if key in own else key  # it is measured itself
        rest = sorted((c for c in columns if c != key and c not in own.values()), key=lambda c: numbers_rows(data, c))
        missing = "" if report is None else NOT_SAID
        matches = [
            Match(output="", column=c, key_column=key or times_beside(problem.data, c), sd_column=own.get(c))
            for c in rest
        ]
        return [replace(_shown(problem, match, None), missing=missing) for match in matches]
    return [_shown(problem, match, report) for match in matches]


def _sds_of(columns: list[str]) -> dict[str, str]:
    """As ``sd_pairs``; two columns of which one holds sds belong together, whatever they are called."""
    sds = sd_columns(columns)
    values = [c for c in columns if c not in sds]
    return {values[0]: sds[0]} if len(values) == len(sds) == 1 else sd_pairs(columns)


def _compared(problem: Problem) -> list[Match]:
    """Outputs beside the columns that they are compared with, row by row or by summaries."""
    if isinstance(problem.meaning, Predictions):
        return list(problem.meaning.matches)
    found = {(s.output, s.column): s for s in getattr(problem.meaning, "summaries", ())}
    return [
        Match(output=s.output, column=s.column, factor=s.factor, offset=s.offset, key_output=s.key_output,
              key_column=s.key_column, sd_column=s.error_column, noise=GaussianKnown(sd=s.error_sd, percent=s.error_percent))
        for s in found.values()
    ]  # fmt: skip


def axis_of(data: DataTable) -> str | None:
    """The column that says where or when, for data that are compared with nothing yet; None: the rows in their order.

    Times and dates first, then a column of that name, then the first one, of numbers of things (Lab no) only where one other is
    left; whole columns, beside which others are left.
    """
    labels = [c for c in data.columns if says_label(c)]
    if len(data.columns) - len(labels) - len(sd_columns(list(data.columns))) > 1:
        data = msgspec.structs.replace(data, columns={c: cells for c, cells in data.columns.items() if c not in labels})
    numbers = [c for c, cells in data.columns.items() if None not in cells] if len(data.columns) > 1 else []
    dated = [c for c in numbers if day_zero.counted(c) is not None]
    times = [c for c, cells in data.texts.items() if None not in cells and unit_of(cells)]
    first = numbers[:1] if numbers[:1] == list(data.columns)[:1] else []
    return next(iter([*dated, *times, *(c for c in numbers if says_place(data, c)), *first]), None)


def times_beside(data: DataTable, column: str) -> str | None:
    """A column of times or dates with one in each row where ``column`` has a value, in a table of several quantities."""
    there = [i for i, v in enumerate(data.columns[column]) if v is not None]
    times = (c for c, cells in data.texts.items() if unit_of(cells) and all(i < len(cells) and cells[i] for i in there))
    return next(times, None)


def _shown(problem: Problem, match: Match, report: TrialRunReport | None) -> Shown:
    assert problem.data is not None
    y, sides = with_limits(problem.data, match.column), limits_in(problem.data, match.column)[1].sides
    out = [row - 1 for row in match.left_out if 1 <= row <= len(y)]
    values, y[out] = y[out], np.nan
    sd = known_sds(problem, match, len(y))
    key, known = match.key_column, {*problem.data.columns, *problem.data.texts}
    gone = any(column not in known for column in (match.key_column, match.second_key_column) if column is not None)
    key = None if gone else key
    x = key_codes(problem.data, key) if key else np.arange(1.0, len(y) + 1)
    label, run, missing = key_label(problem.data, key) if key else ROW, None, ""
    if not key and not gone and match.output:
        x, label = across(problem, match)
    names: tuple[str, ...] = ()
    if not gone and label == ROW and (named := labelled(problem.data, match)):
        names, label = tuple(key_texts(problem.data, named)), named
    if key and (len(match.keys) > 1 or np.any(x >= FIRST_LABEL)):  # labels and pairs of keys have no place on an axis
        shown = keys_shown(match, problem.data) if match.keys else key_texts(problem.data, key)
        x, names = np.arange(1.0, len(y) + 1), tuple(shown)
        label = ", ".join(column for _, column in match.keys) or key
    left_out, lone = (x[out], values), False
    rows, rows_out = tuple(range(len(y))), tuple(out)
    if report is not None and not gone:  # else the column that pairs the rows is gone
        outputs = {o.name: np.array([np.nan if v is None else v for v in o.values]) for o in report.outputs}
        doubt = in_doubt(problem.data, match, {o.name: o.texts for o in report.outputs})
        found = predicted(problem, match, [0], {0: outputs}, np.ones(1)) if doubt is None else None
        if found is not None:
            x, y, sd, run, sides = found.x, found.measured, sd[found.rows], found.runs[0], found.sides
            label, left_out = label if names or found.names else found.x_label, found.left_out
            names, lone = tuple(names[i] for i in found.rows) if names else (), found.apart
            rows = tuple(int(i) for i in found.rows)
            rows_out = rows_out if len(found.left_out[0]) == len(rows_out) else ()
    if report is not None and run is None:
        missing = missing_line(problem, match, report)
    keyless = _keyless(problem.data, key, match.column)
    return Shown(x, y, sd, run, label, match.column, missing, names, left_out, lone, sides, keyless, rows, rows_out)


def _keyless(data: DataTable, key: str | None, column: str) -> str:
    """That ``key`` has no entry in any row of ``column``, a sentence; '' where it has."""
    if not key or has_entries(data, key, column):
        return ""
    return f"“{one_line(key, 30)}” has no entries in the rows of “{one_line(column, 30)}”: choose another key column."


def decades(places: Array) -> list[list[tuple[float, str]]]:
    """Ticks of a logarithmic axis over places (n,) (their log10): powers of ten with numbers, the steps between without."""
    low, high = int(np.floor(places.min())) - 1, int(np.ceil(places.max())) + 1
    powers = range(low, high + 1)
    every = max(1, len(powers) // 8)
    plain = places.min() >= -3 and places.max() <= 4  # else all as powers: 10³, 10⁴
    major = [
        (float(k), number(10.0**k, 5) if plain else f"10{str(k).translate(_RAISED)}") for k in powers if k % every == 0
    ]
    return [major, [(k + float(np.log10(m)), "") for k in powers for m in range(2, 10)] if len(powers) < 12 else []]


def are_dates(shown: Predicted) -> bool:
    """Whether its places are dates, x being what they count."""
    if not len(shown.names) == len(shown.x) > 0 or unit_of(shown.names) != SINCE_1970:
        return False
    return all(seconds_of(name) == at for name, at in zip(shown.names, shown.x.tolist(), strict=True))


def label_ticks(shown: Shown | Predicted, rows: NDArray[np.intp], room: int = LABELS_ROOM) -> list[list[tuple[float, str]]]:
    """Ticks that say the labels of ``rows``, no more of them than can be read in ``room`` (characters)."""
    words = [one_line(shown.names[i], LONGEST_LABEL) for i in rows]
    most = max(2, min(MAX_LABELS, room // (2 + max(map(len, words), default=0))))
    every = max(1, -(-len(rows) // most))
    return [[(float(shown.x[i]), name) for i, name in list(zip(rows, words, strict=True))[every // 2 :: every]], []]


class DataPlot(PlotPanel):
    """``show_columns`` redraws; a long table is thinned for the picture only, which is said."""

    column_chosen = Signal()  # the user wants to see another column
    row_wanted = Signal(int, str)  # a point was clicked: its row in the table, from 0, and the measured column

    def __init__(self) -> None:
        super().__init__("Data", HINT)
        self._which = Choice("Data column shown")
        self._which.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._which.currentIndexChanged.connect(self._chosen)
        self.add_control(self._which)
        self._canvas = Canvas()
        self.plot = self._canvas.add_plot(0, 0)
        self.errors = pg.ErrorBarItem(x=np.zeros(1), y=np.zeros(1), height=np.zeros(1), beam=0.0)
        self.run = pg.PlotDataItem(symbol=None, symbolSize=DASH)
        self.points = pg.ScatterPlotItem(size=8, pxMode=True, symbol="o")
        self.points.setZValue(10)
        self.left_out = pg.ScatterPlotItem(size=8, pxMode=True, symbol="x")
        for item in (self.points, self.left_out):
            item.sigClicked.connect(lambda _item, points, _event: self._clicked(points))
        for item in (self.errors, self.run, self.left_out, self.points):
            self.plot.addItem(item)
        self.limits = LimitPoints(self.plot)
        self._shown: list[Shown] = []
        self.no_line = ""  # why the column in the picture has no line though there was a test run, a sentence
        self.dashes = False  # the test run is drawn by a dash at each place
        self._log = False  # the places are drawn on a logarithmic axis
        self.set_plot(self._canvas)
        self.on_theme()
        self.say_empty("The data are drawn here as soon as a table is imported.")

    def show_columns(self, shown: Sequence[Shown]) -> None:
        self._shown = list(shown)
        if not self._shown:
            self.say_empty("The data are drawn here as soon as a table is imported.")
            return
        names = [one_line(s.y_label, 40) for s in self._shown]
        if names != [self._which.itemText(i) for i in range(self._which.count())]:
            self._which.blockSignals(True)
            self._which.clear()
            self._which.addItems(names)
            self._which.blockSignals(False)
        self._which.setVisible(len(names) > 1)
        self.say_empty("")
        self._draw()

    def choose(self, column: str) -> None:
        """Show this measured column, if it is among those shown."""
        k = next((k for k, s in enumerate(self._shown) if s.y_label == column), -1)
        if k >= 0:
            self._which.setCurrentIndex(k)

    def _chosen(self) -> None:
        self._draw()
        self.column_chosen.emit()

    def _draw(self) -> None:
        k = self._which.currentIndex()
        if not 0 <= k < len(self._shown):
            return
        s = self._shown[k]
        self.no_line = s.keyless or s.missing
        good = np.flatnonzero(np.isfinite(s.x) & np.isfinite(s.y) & (np.abs(s.x) < 1e300) & (np.abs(s.y) < 1e300))
        if not len(good):
            self.no_line = f"The column “{one_line(s.y_label, 40)}” holds no values."
            self.say_empty(self.no_line)
            return
        every = max(1, -(-len(good) // MAX_POINTS))
        good = good[::every]
        self._log = not s.names and not is_dated(s.x_label) and by_factors(s.x[np.isfinite(s.x)])
        places = np.log10(s.x) if self._log else s.x
        ticks = decades(places[good]) if self._log else label_ticks(s, good) if s.names else None
        if len(good) == 1 and not s.names:
            at = float(s.x[good[0]])
            ticks = [[(at, day_zero.written(at) if is_dated(s.x_label) else number(at, 5))], []]
        self.plot.getAxis("bottom").setTicks(ticks)
        values = good[~s.limited[good]]
        rows = np.array(s.rows if len(s.rows) == len(s.x) else [-1] * len(s.x))
        self.points.setData(places[values], s.y[values], data=rows[values])
        self.say_hint(HINT_LIMITS if s.limited.any() else HINT)
        self.limits.show(s.sides[good] if s.limited.any() else s.sides, places[good], s.y[good])
        x, y = s.left_out
        out = np.isfinite(x) & np.isfinite(y) & (x > 0.0 if self._log else True)
        rows = np.array(s.rows_out if len(s.rows_out) == len(x) else [-1] * len(x), dtype=int)
        self.left_out.setData(np.log10(x[out]) if self._log else x[out], y[out], data=rows[out])
        sd = np.where(np.isfinite(s.sd) & (s.sd > 0) & (s.sd < 1e300) & ~s.limited, s.sd, 0.0)[good]
        self.errors.setData(x=places[good], y=s.y[good], height=2 * sd)
        self.errors.setVisible(bool((sd > 0).any()))
        if s.run is None:
            self.run.setData([], [])
        else:
            x, order = along(places)
            self.run.setData(x, s.run[order])
        self.dashes = s.run is not None and (s.apart or (bool(s.names) and not is_dated(s.x_label)))
        self._style_run()
        self.plot.getAxis("bottom").show_dates(is_dated(s.x_label) and not s.names)
        self._canvas.label(self.plot, "bottom", one_line(plain_name(s.x_label), 60))
        self._canvas.label(self.plot, "left", one_line(s.y_label, 60))

    def _clicked(self, points: Sequence[pg.SpotItem]) -> None:
        """The row of the first of the clicked points is wanted."""
        row = next((int(p.data()) for p in points if int(p.data()) >= 0), -1)
        if row >= 0:
            self.row_wanted.emit(row, self._shown[self._which.currentIndex()].y_label)

    def drawn(self) -> tuple[Array, Array]:
        """The places and values of the points in the picture."""
        x, y = self.points.getData()
        return (10.0 ** np.asarray(x) if self._log else np.asarray(x)), np.asarray(y)

    def reset(self) -> None:
        self.plot.enableAutoRange()

    def _style_run(self) -> None:
        """A line along the places; a dash at each where they are labels, between which there is nothing."""
        line = pen("prediction", 2.0)
        self.run.setPen(None if self.dashes else line)
        self.run.setSymbolPen(None)
        self.run.setSymbolBrush(brush("prediction"))
        self.run.setSymbol("_" if self.dashes else None)

    def on_theme(self) -> None:
        self._canvas.restyle()
        self._style_run()
        self.limits.restyle()
        self.errors.setData(pen=pen("data", 1.2, alpha=0.6))
        self.points.setBrush(brush("plot_background"))
        self.points.setPen(pen("data", 1.8))
        self.left_out.setPen(pen("plot_axis", 1.5))
        self.left_out.setBrush(brush("plot_axis"))

    def render_figure(self, painter: QPainter, size: QSize) -> None:
        self._canvas.render_to(painter, size)
