"""Data closer to the predictions than their noise allows: another advice than for a program that misses something."""

from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from bayescope.engine.answer.predictions.emulated import OutputBands
from bayescope.engine.answer.predictions.predictive import Predicted
from bayescope.engine.answer.predictions.residuals import Residuals
from bayescope.gui.pages.results.residuals import ResidualsTab

pytestmark = [pytest.mark.window, pytest.mark.timeout(60)]
X = np.arange(1.0, 7.0)


def column(name: str, share: float) -> Predicted:
    nothing = np.zeros(6)
    bands = OutputBands(*[nothing] * 5, noise=np.ones(6), checks=np.array([[share, np.nan]]), replicates=np.array([2000.0]))
    left = Residuals(nothing, -np.ones(6), np.ones(6), np.full((1, 2), np.nan), np.full((1, 2), np.nan), np.array([2000.0]))
    return Predicted(X, nothing, np.empty((0, 6)), np.empty(0), "row", name, np.arange(6), bands, residuals=left)


def test_the_column_of_the_warning_is_shown_first_and_the_program_is_not_said_to_be_off(qtbot: QtBot) -> None:
    tab = ResidualsTab()
    qtbot.addWidget(tab)
    tab.show_residuals([column("sero", 0.5), column("cases", 0.9999)], None, None, None, "")
    assert tab.which.currentText() == "cases"
    assert "closer to the predictions" in tab.verdict.words()
    assert "stated too large" in tab._advice()
    assert tab.button.isHidden()
    tab.show_residuals([column("sero", 0.5), column("cases", 0.0001)], None, None, None, "")
    assert "let it be off" in tab._advice()
