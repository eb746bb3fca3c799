"""Many outputs of one value each: their residuals are seen together, each in standard deviations of its own error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from pytestqt.qtbot import QtBot

from bayescope.engine.answer.predictions.emulated import OutputBands
from bayescope.engine.answer.predictions.predictive import Predicted
from bayescope.engine.answer.predictions.residuals import Residuals
from bayescope.engine.answer.predictions.together import singles_of
from bayescope.gui.pages.results.residuals import ResidualsTab

pytestmark = [pytest.mark.window, pytest.mark.timeout(60)]
MEASURED, PREDICTED, SDS = (3.13, -0.06, 2040.0), (3.15, -0.02, 2030.0), (0.04, 0.08, 20.0)


def column(name: str, measured: tuple[float, ...], predicted: tuple[float, ...], sd: float, odd: float = 0.5) -> Predicted:
    m, p, n = np.array(measured), np.array(predicted), len(measured)
    z, nothing = (m - p) / sd, np.full((1, 2), np.nan)
    bands = OutputBands(*[p] * 5, noise=np.full(n, sd), checks=np.array([[odd, np.nan]]), replicates=np.array([2000.0]))
    left = Residuals(z, np.full(n, np.nan), np.full(n, np.nan), nothing, nothing, np.array([2000.0]))
    x, rows, sds = np.arange(1.0, n + 1), np.arange(n), np.full(n, sd)
    return Predicted(x, m, np.empty((0, n)), np.empty(0), "row", name, rows, bands, residuals=left, sds=sds)


def singles() -> list[Predicted]:
    rows = zip(("D1 (mm)", "D2 (mm)", "F (N)"), MEASURED, PREDICTED, SDS, strict=True)
    return [column(name, (m,), (p,), sd) for name, m, p, sd in rows]


def test_all_single_values_are_seen_together_first_and_said_in_words(qtbot: QtBot) -> None:
    tab = ResidualsTab()
    qtbot.addWidget(tab)
    curve = column("curve", tuple(np.arange(7.0)), tuple(np.arange(7.0) + 0.1), 0.1)
    tab.show_residuals([*singles(), curve], None, None, None, "")
    offered = [tab.which.itemText(i) for i in range(tab.which.count())]
    assert offered == ["All 3 single values", "D1 (mm)", "D2 (mm)", "F (N)", "curve"]
    assert tab.which.currentText() == "All 3 single values"
    shown = tab.plot.shown
    assert shown is not None
    assert shown.residuals is not None
    off = (np.array(MEASURED) - PREDICTED) / SDS
    np.testing.assert_allclose(shown.residuals.z, off)
    np.testing.assert_allclose(tab.plot.points.getData()[1], off)
    assert shown.names == ("D1", "D2", "F")
    assert tab.words.text().splitlines() == [
        "D1 (mm): measured 3.130, predicted 3.150, −0.50 sd", "D2 (mm): measured −0.060, predicted −0.020, −0.50 sd",
        "F (N): measured 2040, predicted 2030, +0.50 sd",
    ]  # fmt: skip
    tab.which.choose("3")
    assert tab.plot.shown is not None
    assert tab.plot.shown.y_label == "curve"
    assert "Too few values" in tab.words.text()


def test_a_point_tells_which_value_it_is(qtbot: QtBot, show: Callable[..., None]) -> None:
    tab = ResidualsTab()
    show(tab, 900, 600)
    tab.show_residuals(singles(), None, None, None, "")
    qtbot.wait(50)
    box = tab.plot.along.getViewBox()
    tab.plot._on_move(QPointF(box.mapViewToScene(QPointF(2.0, -0.5))))
    assert "D2" in tab.plot.tip.text()


def test_columns_of_a_few_values_each_are_seen_together_by_their_rows(qtbot: QtBot) -> None:
    first, second = (
        replace(column(name, m, p, sd), names=("LF1", "LF2"))
        for name, m, p, sd in (("D1 (mm)", (3.13, -0.06), (3.15, -0.02), 0.04), ("D2 (mm)", (6.0, 0.87), (6.04, 0.9), 0.04))
    )
    modes = column("f (Hz)", (2.4, 6.7, 9.8), (2.41, 6.69, 9.75), 0.02)
    tab = ResidualsTab()
    qtbot.addWidget(tab)
    tab.show_residuals([first, second, modes], None, None, None, "")
    assert tab.which.currentText() == "All 7 values"
    assert tab.plot.shown is not None
    assert tab.plot.shown.names == ("D1 LF1", "D1 LF2", "D2 LF1", "D2 LF2", "f 1", "f 2", "f 3")
    z = [-0.5, -1.0, -1.0, -0.75, -0.5, 0.5, 2.5]
    np.testing.assert_allclose(tab.plot.points.getData()[1], z, atol=1e-9)
    assert tab.words.text().splitlines()[0] == "D1 (mm) LF1: measured 3.130, predicted 3.150, −0.50 sd"
    assert tab.words.text().splitlines()[-1].startswith("f (Hz) 3: measured 9.800")


def test_a_lone_column_and_a_value_known_by_a_limit_alone_are_no_company() -> None:
    one, other, third = singles()
    assert singles_of([one, column("curve", tuple(np.arange(7.0)), tuple(np.arange(7.0)), 0.1)]) == ()
    limit = replace(other, sides=np.array([1], dtype=np.int8), residuals=None)
    assert [s.name for s in singles_of([one, limit, third])] == ["D1 (mm)", "F (N)"]


def test_a_warning_of_a_curve_comes_first(qtbot: QtBot) -> None:
    tab = ResidualsTab()
    qtbot.addWidget(tab)
    tab.show_residuals([*singles(), column("curve", (1.0, 2.0), (1.0, 2.0), 0.1, odd=0.9999)], None, None, None, "")
    assert tab.which.currentText() == "curve"
