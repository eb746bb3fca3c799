"""The import dialog: reads, suggests columns, says what is wrong, and hands the evaluations to the session."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt

from bayescope.engine.problem.definition import (
    LabelledNumber,
    LogLikelihoodOutput,
    Output,
    Parameter,
    Problem,
    Simulator,
    Uniform,
)
from bayescope.gui.pages.archive_import import ArchiveDialog

pytestmark = pytest.mark.window


@pytest.fixture
def problem():
    return Problem(
        name="two",
        parameters=(Parameter("rho", Uniform(low=0.0, high=1.0)), Parameter("kappa", Uniform(low=0.0, high=100.0))),
        simulator=Simulator(command=("true",)),
        outputs=(Output("ll", "stdout", LabelledNumber(label="loglik")),),
        meaning=LogLikelihoodOutput(output="ll"),
    )


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    x = np.column_stack([rng.uniform(0, 1, 200), rng.uniform(0, 100, 200)])
    y = -0.5 * ((x[:, 0] - 0.4) / 0.1) ** 2 - 0.5 * ((x[:, 1] - 60) / 20) ** 2
    path = tmp_path / "old.csv"
    np.savetxt(path, np.column_stack([x, y]), delimiter=",", header="rho,kappa,loglik", comments="")
    return path


def loaded(qtbot, problem, path):
    dialog = ArchiveDialog(problem, path.parent)
    qtbot.addWidget(dialog)
    dialog.show()
    with qtbot.waitSignal(dialog._read_done, timeout=10_000):
        dialog.load(path)
    return dialog


def test_a_table_with_telling_names_needs_no_choices(qtbot, problem, table):
    dialog = loaded(qtbot, problem, table)
    assert dialog.use.isEnabled()
    assert "200 of 200 rows" in dialog.summary.text()
    assert "Best point" in dialog.summary.text()
    qtbot.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
    assert dialog.imported.record.points.shape == (200, 2)


def test_swapped_columns_are_said_and_nothing_can_be_imported(qtbot, problem, table):
    dialog = loaded(qtbot, problem, table)
    dialog.columns["kappa"].choose("rho")
    dialog.columns["rho"].choose("kappa")
    assert not dialog.use.isEnabled()
    assert dialog.message.level == "error"
    dialog.reject()


def test_a_file_that_is_no_table_is_said_in_words(qtbot, problem, tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("no numbers\nat all\n")
    dialog = loaded(qtbot, problem, path)
    assert dialog.message.level == "error"
    assert not dialog.use.isEnabled()
    dialog.reject()
