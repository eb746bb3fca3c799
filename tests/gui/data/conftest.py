"""The Data page of a problem on a recorded engine; a file says with ``problem`` of which, and with ``size`` how large it is."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from data_pages import PROBLEM

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage


@pytest.fixture
def problem() -> d.Problem:
    return PROBLEM


@pytest.fixture
def size() -> tuple[int, int]:
    """Width and height of the page, in pixels."""
    return 1000, 620


@pytest.fixture
def controller(make_controller: Callable[[], SessionController], problem: d.Problem) -> SessionController:
    made = make_controller()
    assert made.file.adopt(problem)
    return made


@pytest.fixture
def page(show: Callable[..., None], controller: SessionController, size: tuple[int, int]) -> DataPage:
    made = DataPage(controller)
    show(made, *size)
    return made
