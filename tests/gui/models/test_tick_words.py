"""Numbers on axes do not run together, and neighbours are told apart."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetrics, QGuiApplication

from bayescope.gui.models.tick_words import shared
from bayescope.gui.window.workflow_bar import lines_of


@pytest.mark.parametrize(
    ("low", "high", "words", "ticks", "strings"),
    [
        (7.49e-9, 7.55e-9, ", in 10⁻⁹", (7.5e-9, 7.52e-9), ["7.50", "7.52"]),
        (7.52e-9 - 3e-15, 7.52e-9 + 3e-15, " − 7.52×10⁻⁹, in 10⁻¹⁵", (7.52e-9 - 2e-15, 7.52e-9), ["−2", "0"]),
        (3199970.0, 3200030.0, " − 3.2×10⁶", (3199980.0, 3200000.0), ["−20", "0"]),
        (192600.0, 194400.0, "", (), []),
        (-1e-3, 1e-3, "", (), []),
        (0.0, 0.0, "", (), []),
    ],
)
def test_what_the_numbers_of_an_axis_share_is_said_once(
    low: float, high: float, words: str, ticks: tuple[float, ...], strings: list[str]
) -> None:
    found = shared(low, high)
    assert found.words == words
    if ticks:
        assert found.strings(list(ticks), ticks[1] - ticks[0]) == strings


@pytest.mark.usefixtures("qapp")
def test_a_step_says_less_rather_than_half_of_a_word() -> None:
    font = QFontMetrics(QGuiApplication.font())
    words = "The parameter rho has no placeholder, so the program never gets its value and nothing is learnt"
    width = font.horizontalAdvance("The parameter rho has")
    assert lines_of(words, font, width) == ["The parameter rho has", "no placeholder"]
    counted = "19 of 20 rows compared, 2 left out (1 of Glucose (mmol/L), 1 of Insulin (mU/L))"
    short = "19 of 20 rows compared, 2 left out"
    assert " ".join(lines_of(counted, font, font.horizontalAdvance("19 of 20 rows compared,"))) == short, "no open bracket"
