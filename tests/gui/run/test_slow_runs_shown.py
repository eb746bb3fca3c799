"""Where the time goes, below the list of runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from failing_program import problem

from bayescope.gui.analysis.run_data import Evaluation, RunData

pytestmark = pytest.mark.window


def test_what_slow_runs_share_stands_below_the_list_of_runs(open_window: Callable[..., Any], tmp_path: Path) -> None:
    _, controller, page = open_window()
    assert controller.file.adopt(problem(tmp_path / "model.py"))
    page.show_view("runs")
    runs = page.view("runs")
    data, rng = RunData(("k", "load")), np.random.default_rng(0)
    for i in range(40):
        k, load = rng.uniform(0.0, 1.0), rng.uniform(0.0, 100.0)
        seconds = (50.0 if k > 0.6 else 5.0) * float(rng.uniform(0.9, 1.1))
        data.add_evaluation(Evaluation(i, {"k": k, "load": load}, "ok", -1.0, -1.0, 0.0, seconds, 0.0))
    runs.update_view(data, None, None)
    assert runs.slow.text().startswith("Runs with k > 0.6")
    assert "times longer" in runs.slow.text()
    assert runs.slow.isVisibleTo(runs)
    runs.update_view(RunData(("k", "load")), None, None)
    assert not runs.slow.isVisibleTo(runs)
