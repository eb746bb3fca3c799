"""An analysis that ended by itself is finished when it is opened again, also where no answer of the whole was possible."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from line_session import iteration, saved

from bayescope.engine.answer.where_known import CONFIRMED_IN_PART
from bayescope.engine.answer.words import BEST_FIT_FOUND
from bayescope.gui.analysis.next_step import next_step
from bayescope.gui.analysis.session_controller import SessionController


@pytest.mark.parametrize(
    ("converged", "diagnostics", "step"),
    [
        (True, {}, "more"),
        (False, {CONFIRMED_IN_PART: 1.0, "failing_mass": 0.2}, "more"),
        (False, {BEST_FIT_FOUND: 1.0}, "more"),
        (False, {BEST_FIT_FOUND: 0.0}, "resume"),
        (False, {}, "resume"),
    ],
)
def test_what_ended_by_itself_is_offered_more_runs_and_no_resumption(
    make_controller: Callable[[], SessionController], tmp_path: Path, converged: bool, diagnostics: dict[str, float], step: str
) -> None:
    path = saved(tmp_path / "line.bayescope", record=replace(iteration(converged=converged), diagnostics=diagnostics))
    controller = make_controller()
    assert controller.file.open(path)
    assert controller.run.words == ("Finished earlier" if step == "more" else "Stopped earlier; it can be resumed")
    assert next_step(controller.run) == step
