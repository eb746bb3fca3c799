"""The run settings say what a choice means."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from bayescope.engine import protocol
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.run_settings import METHODS, ON_GRAPHICS, RunSettingsDialog


@pytest.fixture
def controller(make_controller: Callable[[], SessionController]) -> SessionController:
    made = make_controller()
    assert made.file.open_example("contamination")
    return made


def choose(dialog: RunSettingsDialog, method: str, device: str) -> str:
    dialog.method.setCurrentIndex(dialog.method.findData(method))
    dialog.device.setCurrentIndex(dialog.device.findData(device))
    return dialog.where.text()


def test_a_graphics_card_that_nothing_would_use_is_said_to_be_one(controller: SessionController) -> None:
    dialog = RunSettingsDialog(controller.problem, controller.run)
    for method, *_ in METHODS:
        for device in ("auto", "cuda"):
            words = choose(dialog, method, device)
            learnt = method == "default"  # the example's outputs
            assert ("Outputs that are learnt" in words) == learnt
            assert ("everything runs on the processor" in words) == (method not in ON_GRAPHICS and not learnt)
            assert dialog.device.toolTip() == words
        assert choose(dialog, method, "cpu") == "The graphics card is left alone."
    dialog.deleteLater()


def test_a_method_from_elsewhere_is_shown_by_its_name_and_kept(controller: SessionController) -> None:
    settings = msgspec.structs.replace(controller.problem.declared.settings, method="random")
    assert controller.problem.edit("Another method", settings=settings)
    dialog = RunSettingsDialog(controller.problem, controller.run)
    assert dialog.method.currentText() == "random"
    assert "does not come with" in dialog.about.text()
    dialog._apply()
    dialog.deleteLater()
    assert controller.problem.declared.settings.method == "random"


def test_the_window_says_what_this_run_computed_on_and_forgets_it_with_the_run(
    controller: SessionController, engines: list
) -> None:
    controller.run.start()
    progress = protocol.Progress(
        evaluations=1, failed=0, budget=9, running=0, elapsed_s=1.0, remaining_s=None, activity="",
        computed_s={"": 3.7, "NVIDIA H200": 6.3},
    )  # fmt: skip
    engines[-1].message.emit(progress)
    assert controller.run.device == "NVIDIA H200: 63 % of the computing"
    assert controller.run.computing == "Computing: 3.7 s on the processor, 6.3 s on NVIDIA H200."
    engines[-1].message.emit(protocol.StateChanged(state="stopped"))
    assert controller.file.open_example("contamination")
    assert controller.run.device == controller.run.computing == ""
