"""Julian dates on the Data page: all digits are shown, an offset keeps its own, and a saved analysis gives them back."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from data_pages import matches, opened, typed
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.tables.data_table import DataTableModel
from bayescope.gui.models.data.units.heading_units import Implied
from bayescope.gui.models.simulator.trials.trial_values import another_value, typical
from bayescope.gui.pages.data.page import DataPage

TABLE = "transit;t (BJD)\n1;2457000.51234\n2;2457003.123456\n3;2457005.7345678\n"


def test_every_digit_is_shown_and_saved(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "transits.csv", TABLE)
    page.importer.use.click()
    data = controller.problem.declared.data
    assert data is not None
    name = next(n for n in data.columns if "BJD" in n)
    model = DataTableModel()
    model.set_table(data)
    column = next(k for k in range(model.columnCount()) if "BJD" in str(model.headerData(k, Qt.Orientation.Horizontal)))
    shown = [model.data(model.index(i, column)) for i in range(3)]
    assert shown == ["2457000.51234", "2457003.123456", "2457005.7345678"]
    meaning = controller.problem.declared.meaning
    pair = (d.Match(output="u", column=name),)
    controller.problem.edit("x", meaning=msgspec.structs.replace(meaning, matches=pair))
    page.tabs.setCurrentIndex(1)
    page.matching.show_comparison(0)
    typed(page.matching.details.form.editor("offset"), "2457000.512345", qtbot)
    QApplication.processEvents()
    assert matches(controller)[0].offset == 2457000.512345
    assert "2457000.512345" in page.matching.details.words.text()
    again = msgspec.json.decode(msgspec.json.encode(controller.problem.declared), type=d.Problem)
    assert again.data is not None
    assert again.data.columns[name] == (2457000.51234, 2457003.123456, 2457005.7345678)
    assert again.meaning == controller.problem.declared.meaning


@pytest.mark.parametrize("prior", [d.Normal(mean=2457000.51234, sd=0.001), d.Uniform(low=2457000.51, high=2457000.52)])
def test_a_value_to_try_lies_within_a_narrow_prior_far_from_zero(prior: d.Prior) -> None:
    parameter = d.Parameter(name="t0", prior=prior)
    first, other = typical(parameter), another_value(parameter, typical(parameter))
    assert 2457000.51 <= first <= 2457000.52
    assert 2457000.51 <= other <= 2457000.52
    assert first != other


def test_the_zero_of_another_count_of_days_is_another_offset() -> None:
    implied = Implied(1.0, "", True, -2457000.0)
    assert implied.differs(d.Match(output="u", column="c", offset=-2454833.0))
    assert not implied.differs(d.Match(output="u", column="c", offset=-2457000.0))
    assert not Implied(1.0, "", True, -273.15).differs(d.Match(output="u", column="c", offset=-273.0))
