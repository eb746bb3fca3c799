"""Two tables of one file: what a column says of places, whose errors a column holds, and what is proposed to be compared."""

from __future__ import annotations

import msgspec
import pytest
from data_pages import columns_of_file
from PySide6.QtWidgets import QApplication

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import says_where
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.errors.doubtful_errors import doubtful_errors
from bayescope.gui.models.data.errors.errors_beside import stand_beside
from bayescope.gui.models.data.keys.known_keys import KnownKeys
from bayescope.gui.models.data.meanings import first_predictions
from bayescope.gui.models.data.new_comparison import likely_pair
from bayescope.gui.models.data.taking_part import Idle
from bayescope.gui.pages.data.page import DataPage

# a profile with the errors of another sheet, which stand below it
TABLE = d.DataTable(
    columns={
        "Chainage (km)": (0.3, 0.8, 1.2, None, None), "Elevation (m)": (12.0, 11.0, 48.0, None, None),
        "Erosion rate (mm/yr)": (None, None, None, 2.5, 2.1), "uncertainty": (None, None, None, 0.2, 0.3),
    }
)  # fmt: skip
PROBLEM = d.Problem(
    name="river",
    parameters=(d.Parameter(name="K", prior=d.Uniform(low=0.0, high=1.0)),),
    simulator=d.Simulator(command=("sh", "@K@")),
    outputs=columns_of_file("Elevation", "sampled_erosion_rate"),
    meaning=d.Predictions(matches=(), noise=d.GaussianKnown()),
    data=TABLE,
)
BOTH = (
    d.Match(output="Elevation", column="Elevation (m)"),
    d.Match(output="sampled_erosion_rate", column="Erosion rate (mm/yr)"),
)


@pytest.mark.parametrize("name", ["Distance upstream (km)", "depth below surface [m]", "time_since_injection", "Time after dose"])
def test_a_place_or_a_time_counted_from_somewhere_says_where(name: str) -> None:
    assert says_where(name)


@pytest.mark.parametrize("name", ["time constant (s)", "depth averaged speed", "yield after drying", "T below"])
def test_a_quantity_whose_name_has_such_a_word_does_not(name: str) -> None:
    assert not says_where(name)


def test_errors_that_stand_beside_the_values_of_another_table_are_not_those_of_the_only_comparison() -> None:
    found = first_predictions(PROBLEM)
    assert [(m.column, m.sd_column) for m in found.matches] == [("Elevation (m)", None)]
    beside = d.DataTable(columns={**TABLE.columns, "uncertainty": (0.1, 0.1, 0.2, None, None)})
    found = first_predictions(msgspec.structs.replace(PROBLEM, data=beside))
    assert [(m.column, m.sd_column) for m in found.matches] == [("Elevation (m)", "uncertainty")]


def test_they_are_not_proposed_for_all_comparisons_but_for_those_that_they_stand_beside() -> None:
    doubt = doubtful_errors(msgspec.structs.replace(PROBLEM, meaning=d.Predictions(matches=BOTH, noise=d.GaussianKnown())))
    assert doubt is not None
    assert "Elevation" not in doubt.question
    mended = doubt.mended
    assert mended is not None
    assert isinstance(mended.meaning, d.Predictions)
    assert [m.sd_column for m in mended.meaning.matches] == [None, "uncertainty"]
    assert stand_beside(TABLE, "uncertainty", "Erosion rate (mm/yr)")
    assert not stand_beside(TABLE, "uncertainty", "Elevation (m)")


def test_what_is_proposed_to_be_compared_is_what_names_tell_and_no_column_of_places() -> None:
    left = Idle(("sampled_erosion_rate",), ("Chainage (km)", "Erosion rate (mm/yr)"))
    assert likely_pair(PROBLEM, left, KnownKeys()) == ("sampled_erosion_rate", "Erosion rate (mm/yr)")
    unlike = msgspec.structs.replace(PROBLEM, outputs=columns_of_file("Elevation", "q"))
    assert likely_pair(unlike, Idle(("q",), ("Chainage (km)", "Erosion rate (mm/yr)")), KnownKeys())[1] == "Erosion rate (mm/yr)"


@pytest.fixture
def problem() -> d.Problem:
    return PROBLEM


def test_the_button_names_the_column_whole_and_says_what_it_compares(page: DataPage, controller: SessionController) -> None:
    match = d.Match(output="Elevation", column="Elevation (m)")
    controller.problem.edit("x", meaning=d.Predictions(matches=(match,), noise=d.GaussianKnown(sd=1.0)))
    button = page.matching.message._button
    assert button.text() == "Use “Erosion rate (mm/yr)”"
    assert button.toolTip() == "Compares “sampled_erosion_rate” with “Erosion rate (mm/yr)”."
    button.click()
    assert [m.column for m in page.matching.model.rows] == ["Elevation (m)", "Erosion rate (mm/yr)"]


def test_which_comparison_is_to_have_another_size_is_said_by_a_menu_of_all_that_may(
    page: DataPage, controller: SessionController
) -> None:
    controller.problem.edit("x", meaning=d.Predictions(matches=BOTH, noise=d.GaussianKnown(sd_column="uncertainty")))
    menu = page.shared.menu()
    assert menu is not None
    assert [a.text() for a in menu.actions()] == ["Elevation (m)", "Erosion rate (mm/yr)"]
    menu.actions()[1].trigger()
    QApplication.processEvents()
    assert page.tabs.currentIndex() == 1
    assert page.matching.table.currentIndex().row() == 1
