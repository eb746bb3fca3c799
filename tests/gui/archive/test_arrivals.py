"""Earlier evaluations that are added to an analysis which has begun: what is new, what is refused, what the answer becomes."""

from __future__ import annotations

import json
import sys

import msgspec
import numpy as np
import pytest

from bayescope.engine.answer.needed import NeededRuns
from bayescope.engine.archive.additions import addition
from bayescope.engine.archive.interpret import interpret
from bayescope.engine.archive.mapping import mapping_from_options
from bayescope.engine.archive.table_file import read_table
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
from bayescope.engine.session.records import IterationRecord
from bayescope.engine.session.store import SessionStore
from bayescope.gui.analysis.run_data import Answer
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.analysis.watching import watched_as
from bayescope.gui.pages.archive.importing import ArchiveDialog
from bayescope.gui.pages.results.needed import NeededTab
from bayescope.gui.pages.watch_notice import WatchNotice

pytestmark = pytest.mark.window

PROGRAM = "import sys\nr, k = map(float, sys.argv[1:])\nprint('loglik', -0.5 * ((r - .4) / .1) ** 2 - 0.5 * ((k - 60) / 20) ** 2)"
QUICK = {"surrogate": "sparse", "inducing": 40, "kernel": "se", "max_components": 2}
PROBLEM = Problem(
    name="two",
    parameters=(Parameter("rho", Uniform(low=0.0, high=1.0)), Parameter("kappa", Uniform(low=0.0, high=100.0))),
    simulator=Simulator(command=(sys.executable, "-I", "-S", "-c", PROGRAM, "@rho@", "@kappa@")),
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


def imported(qtbot, opened, path):
    with qtbot.waitSignal(opened.importing.ended, timeout=20_000) as ended:
        assert opened.importing.begin(understood(path))
    assert ended.args == [True]


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
    imported(qtbot, opened, first)
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


def test_an_analysis_without_earlier_evaluations_or_with_errors_says_why_nothing_is_added(qtbot, opened, first):
    assert opened.arrivals.obstacle()[0].startswith("Only an analysis that started from earlier evaluations")
    imported(qtbot, opened, first)
    assert opened.arrivals.obstacle() == ("", "")
    more = understood(first, opened.arrivals.known())
    broken = msgspec.structs.replace(PROBLEM.simulator, command=())
    assert opened.problem.edit("Break", simulator=broken)
    assert opened.arrivals.obstacle()[0].startswith("The analysis is not ready to run:")
    assert not opened.arrivals.add(more)
    assert opened.said[-1].level == "warning"


def test_what_a_crash_kept_from_the_answer_is_said_when_the_file_is_opened(qtbot, opened, first, later):
    imported(qtbot, opened, first)
    more, path = understood(later, opened.arrivals.known()), opened.file.path
    assert opened.file.new()
    with SessionStore.open(path) as store:
        store.add_cycle(iteration=record({}), checkpoint={"told": 0, "asked": 0, "iteration": 1, "archive": 1})
        store.add_to_archive(more.record)
    opened.said.clear()
    assert opened.file.open(path)
    assert [r.what for r in opened.said] == ["Earlier evaluations were added that the answer does not know yet."]
    assert not opened.run.active


def append(path, *rows):
    with path.open("a") as file:
        file.write("".join(rows))


def looked(qtbot, opened, words):
    """Look until it says so."""

    def seen():
        opened.watching.look()
        return words in opened.watching.words

    qtbot.waitUntil(seen, timeout=20_000)


def test_rows_appended_to_a_watched_file_are_added_until_it_is_stopped(qtbot, opened, first):
    imported(qtbot, opened, first)
    notice = WatchNotice(opened.watching)
    qtbot.addWidget(notice)
    assert notice.isHidden()
    mapped = mapping_from_options(read_table(first), PROBLEM, {}, None, None, None)
    opened.watching.begin(watched_as(first, mapped, None, None))
    append(first, "0.5,50,-1.5\n", "0.6,50,-2.5\n0.7,5")
    looked(qtbot, opened, "2 new rows from old.csv at ")
    assert "Watching old.csv for new rows. 2 new rows from old.csv" in notice.words()
    append(first, "1,-3\n", "0.5,50,-9\n")
    looked(qtbot, opened, "1 row contradicts a row that is there already")
    assert "1 new row" in opened.watching.words
    assert notice.level == "warning"
    assert len(opened.arrivals.known().values) == 153
    first.rename(first.with_suffix(".moved"))
    looked(qtbot, opened, "old.csv is not there any more; it is looked for.")
    notice.pressed.emit()
    assert opened.watching.watched is None
    assert notice.isHidden()


def test_a_file_opened_again_watches_nothing_until_a_person_agrees(qtbot, opened, first):
    imported(qtbot, opened, first)
    mapped = mapping_from_options(read_table(first), PROBLEM, {}, None, None, None)
    opened.watching.begin(watched_as(first, mapped, None, None))
    qtbot.waitUntil(lambda: bool(opened.watching.watched.files), timeout=20_000)
    path = opened.file.path
    assert opened.file.new()
    assert opened.watching.watched is None
    append(first, "0.5,50,-1.5\n")
    assert opened.file.open(path)
    notice = WatchNotice(opened.watching)
    qtbot.addWidget(notice)
    assert str(first) in notice.words()
    opened.watching.look()
    assert not opened.watching.on
    assert len(opened.arrivals.known().values) == 150
    notice.pressed.emit()
    looked(qtbot, opened, "1 new row from old.csv at ")
    notice.pressed.emit()
    assert opened.file.new()
    assert opened.file.open(path)
    assert opened.watching.watched is None


def run_folder(place, name, rho, kappa, value):
    (place / name).mkdir(parents=True)
    (place / name / "values.json").write_text(json.dumps({"rho": rho, "kappa": kappa}))
    (place / name / "stdout.txt").write_text(f"loglik = {value}\n")


def test_run_folders_that_come_into_a_watched_folder_are_added_once_complete(qtbot, opened, first, tmp_path, monkeypatch):
    monkeypatch.setattr("bayescope.engine.archive.appended_folders.SETTLED_S", 0.05)
    imported(qtbot, opened, first)
    place = tmp_path / "runs"
    for i in range(8):
        run_folder(place, f"run_{i}", 0.05 + 0.1 * i, 50.0, -1.0 - i)
    dialog = ArchiveDialog(PROBLEM, tmp_path, None, opened.run, opened.arrivals.known)
    qtbot.addWidget(dialog)
    dialog.load(place)
    qtbot.waitUntil(lambda: dialog.addition is not None, timeout=20_000)
    assert dialog.watch.text() == "&Watch this folder for new runs"
    dialog.watch.setChecked(True)
    assert opened.arrivals.add(dialog.addition)
    opened.watching.begin(dialog.watched)
    qtbot.waitUntil(lambda: len(opened.arrivals.known().values) == 158, timeout=20_000)
    qtbot.waitUntil(lambda: opened.watching.look() or len(opened.watching.watched.folders) == 8, timeout=20_000)
    assert len(opened.arrivals.known().values) == 158
    notice = WatchNotice(opened.watching)
    qtbot.addWidget(notice)
    (place / "run_8").mkdir()
    looked(qtbot, opened, "1 folder is not complete and waited for (run_8:")
    assert notice.level == "info"
    run_folder(place, "run_9", 0.95, 20.0, -30.0)
    looked(qtbot, opened, "1 new run from runs at ")
    assert notice.words().startswith("Watching runs for new runs. 1 new run from runs")
    path = opened.file.path
    assert opened.file.new()
    assert opened.file.open(path)
    assert len(opened.watching.watched.folders) == 9
    assert opened.watching.watched.value == "log_likelihood"


def test_the_dialog_offers_to_watch_a_text_table_only(qtbot, opened, first, tmp_path):
    dialog = ArchiveDialog(PROBLEM, tmp_path, None, opened.run)
    qtbot.addWidget(dialog)
    dialog.load(first)
    qtbot.waitUntil(lambda: dialog.imported is not None, timeout=20_000)
    assert dialog.watched is None
    dialog.watch.setChecked(True)
    assert dialog.watched.path == str(first)
    assert dialog.watched.value == "loglik"
    np.save(tmp_path / "array.npy", np.loadtxt(first, delimiter=",", skiprows=1))
    dialog.load(tmp_path / "array.npy")
    qtbot.waitUntil(lambda: dialog.value.isEnabled(), timeout=20_000)
    assert dialog.watch.isHidden()
    assert dialog.watched is None


@pytest.mark.journeys
def test_the_answer_takes_in_what_is_added_without_a_run_and_is_there_when_it_is_opened_again(qtbot, opened, first, later):
    imported(qtbot, opened, first)
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
    needed = NeededTab(opened.problem, opened.file, opened.run)
    qtbot.addWidget(needed)
    needed.show_answer(opened.run.data.answer)
    places = [row[0] for row in needed.rows.rows]
    needed.make.click()
    qtbot.waitUntil(lambda: opened.run.n_runs == len(places) and not opened.run.active, timeout=100_000)
    made = [tuple(e.values[n] for n in ("rho", "kappa")) for e in opened.run.data.evaluations]
    assert np.allclose(sorted(made), sorted(places))


def test_what_an_answer_leaves_open_is_a_list_and_a_map(qtbot, opened):
    tab = NeededTab(opened.problem, opened.file, opened.run)
    qtbot.addWidget(tab)
    tab.show_answer(None)
    assert tab.shown is None
    draws = np.random.default_rng(0).normal(0, 0.5, (50, 2))
    found = NeededRuns(draws[:3], np.array([1.2, 0.7, 0.3]), np.array([0.6, 0.4, 0.3]), draws, np.linspace(0, 1.2, 50))
    tab.show_answer(answer_with(found.arrays()))
    assert [tab.rows.columns[k].title for k in range(4)] == ["rho", "kappa", "Open by", "Leaves"]
    assert tab.rows.columns[3].text(tab.rows.rows[2]) == "30 %"
    assert "3 runs at these places would leave about 30 % of that variance." in tab.words.text()
    assert len(tab.plot.draws.data) == 50
    assert not tab.make.isVisibleTo(tab)  # nothing was run or answered here
    tab.show_answer(answer_with({"needed.sd": np.ones(3)}))
    assert tab.shown is None


def record(slices):
    number = np.zeros(1), np.zeros((1, 2)), np.eye(2)[None]
    return IterationRecord(0, 0, 0.0, 0.1, 0.0, 0.1, False, False, (), *number, slices=slices)


def answer_with(slices):
    return Answer.of_record(record(slices))
