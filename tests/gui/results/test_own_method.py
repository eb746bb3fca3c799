"""A method that somebody writes in a few lines, from parts, goes through the real engine into the real window."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from random_method import RandomMethod

from bayescope.engine.loop_interface import LoopSettings, Tell
from bayescope.engine.methods.ask_tell import AskTellLoop
from bayescope.engine.session.store import SessionStore
from bayescope.gui.analysis.engine_client import EngineClient

pytestmark = [pytest.mark.window, pytest.mark.timeout(240)]
SOURCE = Path(__file__).parents[2] / "support" / "random_method.py"
LINES, BUDGET = 60, 16
LAUNCHER = f"""
import sys
sys.path.insert(0, {str(SOURCE.parent)!r})
from bayescope.engine.methods.loops import METHODS, Described
METHODS["random"] = Described("Points at random", "random_method:RandomMethod")
from bayescope.gui.__main__ import main
sys.exit(main(["--engine"]))
"""


def gaussian(u: np.ndarray) -> float:
    return float(-0.5 * np.square(u - 0.5).sum() - np.log(2 * np.pi))


def told(loop: AskTellLoop, count: int) -> list[np.ndarray]:
    points = []
    for _ in range(count):
        for ask in loop.ask():
            points.append(ask.u)
            loop.tell(Tell(ask.index, ask.u, gaussian(ask.u)))
    return points


def test_the_method_takes_fewer_than_60_lines_and_finds_a_gaussian() -> None:
    assert len(SOURCE.read_text(encoding="utf-8").splitlines()) < LINES
    loop = AskTellLoop(RandomMethod(LoopSettings(np.full(2, -4.0), np.full(2, 4.0), max_evaluations=40)))
    told(loop, 40)
    found = loop.update()
    assert found is not None
    assert found.log_evidence == pytest.approx(0.0, abs=0.1)
    assert found.draws is not None
    assert found.draws.weights @ found.draws.points == pytest.approx(np.full(2, 0.5), abs=0.1)
    density = loop.log_density
    assert density is not None
    assert density(np.full((1, 2), 0.5))[0] == pytest.approx(gaussian(np.full(2, 0.5)), abs=0.05)


def test_restored_half_way_it_asks_for_the_same_points() -> None:
    settings = LoopSettings(np.full(2, -4.0), np.full(2, 4.0), max_evaluations=20)
    straight, first, second = (AskTellLoop(RandomMethod(settings)) for _ in range(3))
    points = told(straight, 20)
    half = told(first, 10)
    second.restore(first.state())
    np.testing.assert_array_equal(half + told(second, 10), points)


@pytest.mark.journeys
def test_it_runs_in_the_real_engine_and_its_marginals_appear_in_the_window(
    open_window: Callable, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    command = [sys.executable, "-P", "-c", LAUNCHER]
    made = "bayescope.gui.analysis.run_link.make_client_of_this_program"
    monkeypatch.setattr(made, lambda parent: EngineClient(parent, command))
    window, controller, page = open_window()
    assert controller.file.open_example("contamination")
    settings = msgspec.structs.replace(controller.problem.declared.settings, method="random", max_evaluations=BUDGET, workers=2)
    assert controller.problem.edit("Another method", settings=settings)
    assert controller.file.save_as(tmp_path / "plume.bayescope")
    controller.run.start()

    def drawn() -> int:
        curve = page.view("overview").marginals.cells[0].item.curve
        return 0 if curve is None else len(curve.density)

    qtbot.waitUntil(lambda: controller.run.state == "finished" and drawn() > 50, timeout=120_000)
    assert controller.run.data.trace[-1].reasons == ("Nothing was checked.",)
    assert len(controller.run.data.evaluations) == BUDGET
    assert window._device.text() == "Computes on the processor"
    assert "s on the processor." in page.strip.elapsed.value.toolTip()
    with SessionStore.open(tmp_path / "plume.bayescope", "read") as store:
        assert any(entry.text.startswith("Computing: ") for entry in store.run_log())


@pytest.mark.journeys
def test_a_method_that_the_engine_does_not_know_is_refused_in_words_and_the_session_can_be_looked_at(
    open_window: Callable, qtbot: QtBot, tmp_path: Path
) -> None:
    _, controller, _ = open_window()
    assert controller.file.open_example("contamination")
    settings = msgspec.structs.replace(controller.problem.declared.settings, method="random")
    assert controller.problem.edit("Another", settings=settings)
    assert any("does not come with" in f.message for f in controller.problem.findings())
    assert controller.file.save_as(tmp_path / "plume.bayescope")
    controller.run.start()
    qtbot.waitUntil(lambda: controller.run.state == "failed", timeout=60_000)
    assert "There is no method “random”; choose one of default" in controller.run.words
