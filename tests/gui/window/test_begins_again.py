"""A second analysis of the same window begins where the first one did: in the tabs of every page, and in the tabs within."""

from __future__ import annotations

from collections.abc import Callable

import pytest

pytestmark = pytest.mark.window


def test_a_second_analysis_begins_where_the_first_one_did(open_window: Callable) -> None:
    window, controller, _ = open_window()
    assert controller.file.open_example("contamination")
    simulator, data, run = (window.page(key) for key in ("simulator", "data", "run"))
    within = simulator.inputs.tabs, simulator.outputs.tabs
    shown = (simulator.tabs, data.tabs, run.tabs, *within)
    for tabs in shown:
        tabs.setCurrentIndex(tabs.count() - 1)
    assert simulator.outputs.tabs.tabText(simulator.outputs.tabs.currentIndex()) == "Details"
    assert controller.file.new()
    assert [tabs.currentIndex() for tabs in shown] == [0] * len(shown)
