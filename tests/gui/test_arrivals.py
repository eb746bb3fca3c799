"""Earlier evaluations that are added to an analysis which has begun: what is new, what is refused, what the answer becomes."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from bayescope.engine.archive.additions import addition
from bayescope.engine.archive.interpret import interpret
from bayescope.engine.archive.mapping import mapping_from_options
from bayescope.engine.archive.table import read_table
from bayescope.engine.problem.definition import (
    LabelledNumber,
    LogLikelihoodOutput,
    Output,
    Parameter,
    Problem,
    Settings,
    Simulator,
    Uniform,
)
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.archive_import import ArchiveDialog

pytestmark = pytest.mark.window

QUICK = {"surrogate": "sparse", "inducing": 40, "kernel": "se", "max_components": 2}
PROBLEM = Problem(
    name="two",
    parameters=(Parameter("rho", Uniform(low=0.0, high=1.0)), Parameter("kappa", Uniform(low=0.0, high=100.0))),
    simulator=Simulator(command=("true", "@rho@", "@kappa@")),
    outputs=(Output("ll", "stdout", LabelledNumber(label="loglik")),),
    meaning=LogLikelihoodOutput(output="ll"),
    settings=Settings(method="svbmc", options=QUICK, max_evaluations=0),
)


def written(path, n, seed):
    rng = np.random.default_rng(seed)
    x = np.column_stack([rng.uniform(0, 1, n), rng.uniform(0, 100, n)])
    y = -0.5 * ((x[:, 0] - 0.4) / 0.1) ** 2 - 0.5 * ((x[:, 1] - 60) / 20) ** 2
    np.savetxt(path, np.column_stack([x, y]), delimiter=",", header="rho,kappa,loglik", comments="")
    return path


@pytest.fixture
def first(tmp_path):
    return written(tmp_path / "old.csv", 150, 0)


@pytest.fixture
def later(tmp_path, first):
    """150 rows that are there and 40 that are not."""
    path = written(tmp_path / "later.csv", 40, 1)
    path.write_text(first.read_text() + "".join(path.read_text().splitlines(keepends=True)[1:]))
    return path


def understood(path, known=None):
    table = read_table(path)
    found = interpret(table, PROBLEM, mapping_from_options(table, PROBLEM, {}, None, None, None))
    return found if known is None else addition(found, PROBLEM, known)


@pytest.fixture
def opened(tmp_path):
    controller = SessionController()
    controller.said = []
    controller.reports.reported.connect(controller.said.append)
    assert controller.file.adopt(PROBLEM)
    assert controller.file.save_as(tmp_path / "two.bayescope")
    yield controller
    controller.shut_down()
    controller.deleteLater()


def test_only_what_is_new_is_added_and_the_dialog_says_how_much(qtbot, opened, first, later):
    assert opened.file.import_archive(understood(first))
    dialog = ArchiveDialog(opened.problem.declared, later.parent, None, opened.run, opened.arrivals.known)
    qtbot.addWidget(dialog)
    dialog.load(first)
    qtbot.waitUntil(lambda: dialog.addition is not None, timeout=20_000)
    assert not dialog.use.isEnabled()
    dialog.load(later)
    qtbot.waitUntil(dialog.use.isEnabled, timeout=20_000)
    assert "40 of 190 rows of later.csv are new; 150 are there already." in dialog.summary.text()
    assert dialog.use.text() == "&Add"
    with qtbot.waitSignal(opened.arrivals.added, timeout=20_000) as said:
        assert opened.arrivals.add(dialog.addition)
    assert said.args == ["40 new rows from later.csv."]
    assert len(opened.arrivals.known().values) == 190
    assert not opened.run.active  # there is no answer yet that could become another


def test_an_analysis_without_earlier_evaluations_or_with_errors_says_why_nothing_is_added(opened, first):
    assert opened.arrivals.obstacle()[0].startswith("Only an analysis that started from earlier evaluations")
    assert opened.file.import_archive(understood(first))
    assert opened.arrivals.obstacle() == ("", "")
    more = understood(first, opened.arrivals.known())
    broken = msgspec.structs.replace(PROBLEM.simulator, command=())
    assert opened.problem.edit("Break", simulator=broken)
    assert opened.arrivals.obstacle()[0].startswith("The analysis is not ready to run:")
    assert not opened.arrivals.add(more)
    assert opened.said[-1].level == "warning"


@pytest.mark.journeys
def test_the_answer_takes_in_what_is_added_without_a_run_and_is_there_when_it_is_opened_again(qtbot, opened, first, later):
    assert opened.file.import_archive(understood(first))
    assert opened.run.start()
    qtbot.waitUntil(lambda: opened.run.data.outcome is not None and not opened.run.active, timeout=100_000)
    before = opened.run.data.answer
    assert before is not None
    opened.run.data.outcome = None
    assert opened.arrivals.add(understood(later, opened.arrivals.known()))
    qtbot.waitUntil(lambda: opened.run.data.outcome is not None and not opened.run.active, timeout=100_000)
    assert "40 earlier evaluations from later.csv taken in" in opened.run.words
    assert opened.run.data.answer.iteration == before.iteration + 1
    assert opened.run.n_runs == 0
    path = opened.file.path
    assert opened.file.new()
    assert opened.file.open(path)
    assert opened.run.data.answer.iteration == before.iteration + 1
    assert len(opened.arrivals.known().values) == 190
