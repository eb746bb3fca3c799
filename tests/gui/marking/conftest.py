"""A Simulator page on its tab Outputs, whose program echoes its parameter, for tests that bring no page of their own."""

from collections.abc import Callable

import pytest
from marked_texts import echoing, outputs_page
from pytestqt.qtbot import QtBot

from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.simulator.page import SimulatorPage


@pytest.fixture
def controller(make_controller: Callable[[], SessionController]) -> SessionController:
    return echoing(make_controller())


@pytest.fixture
def page(qtbot: QtBot, controller: SessionController) -> SimulatorPage:
    return outputs_page(qtbot, controller)
