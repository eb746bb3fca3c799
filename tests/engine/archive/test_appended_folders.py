"""Run folders that others add: each taken once, complete, and not while it is written to."""

from __future__ import annotations

import json
import shutil

import pytest

from bayescope.engine.archive.appended import may_be_watched
from bayescope.engine.archive.appended_folders import SETTLED_S, Waiting, holds_run_folders, look_at_folders
from bayescope.engine.problem.definition import (
    LabelledNumber,
    LogLikelihoodOutput,
    Output,
    Parameter,
    Problem,
    Simulator,
    Uniform,
)

PROBLEM = Problem(
    name="x",
    parameters=(Parameter("rho", Uniform(low=0.0, high=1.0)), Parameter("kappa", Uniform(low=0.0, high=100.0))),
    simulator=Simulator(command=("true",)),
    outputs=(Output("ll", "out.txt", LabelledNumber(label="loglik")),),
    meaning=LogLikelihoodOutput(output="ll"),
)


class Watcher:
    """Looks at the folder as the window does, with a clock of its own."""

    def __init__(self, folder):
        self.folder, self.taken, self.waiting, self.now = folder, (), Waiting(), 0.0

    def look(self, seconds=2.0):
        self.now += seconds
        found = look_at_folders(self.folder, self.taken, self.waiting, PROBLEM, self.now)
        self.taken = found.taken
        return found

    def settled(self):
        self.look()
        return self.look(SETTLED_S)


def finished(folder, rho, value):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "values.json").write_text(json.dumps({"rho": rho, "kappa": 50.0}))
    (folder / "out.txt").write_text(f"loglik = {value}\n")


def rows(found):
    return None if found.table is None else found.table.values[:, [0, 2]].tolist()


def test_each_new_folder_is_one_run_and_is_taken_once(tmp_path):
    finished(tmp_path / "run_1", 0.1, -1.0)
    watch = Watcher(tmp_path)
    assert rows(watch.look()) is None
    assert rows(watch.look(SETTLED_S)) == [[0.1, -1.0]]
    finished(tmp_path / "run_2", 0.2, -2.0)
    assert rows(watch.settled()) == [[0.2, -2.0]]
    assert rows(watch.settled()) is None
    assert watch.taken == ("run_1", "run_2")
    assert watch.look().words == ""


def test_a_folder_that_is_being_written_is_waited_for_whatever_is_in_it_already(tmp_path):
    watch, run = Watcher(tmp_path), tmp_path / "run_1"
    run.mkdir()
    assert rows(watch.settled()) is None
    (run / "values.json").write_text('{"rho": 0.3, "kap')
    assert rows(watch.settled()) is None
    finished(run, 0.3, -3)
    assert rows(watch.look(SETTLED_S)) is None  # a number whose digits may be on their way
    (run / "out.txt").write_text("loglik = -3.75\n")
    assert rows(watch.look(SETTLED_S)) is None
    assert rows(watch.look(SETTLED_S)) == [[0.3, -3.75]]


def test_what_stays_incomplete_is_named_and_taken_when_it_is_whole_after_all(tmp_path):
    watch = Watcher(tmp_path)
    finished(tmp_path / "run_1", 0.1, -1.0)
    (tmp_path / "run_1" / "out.txt").unlink()
    assert watch.settled().words == "1 folder is not complete and waited for (run_1: There is no out.txt in it)."
    (tmp_path / "run_1" / "out.txt").write_text("loglik = -1.5\n")
    found = watch.settled()
    assert (rows(found), found.words) == ([[0.1, -1.5]], "")


def test_a_folder_that_was_removed_and_comes_again_is_another_run_and_a_lost_place_is_looked_for(tmp_path):
    place = tmp_path / "runs"
    finished(place / "run_1", 0.1, -1.0)
    watch = Watcher(place)
    assert rows(watch.settled()) == [[0.1, -1.0]]
    shutil.rmtree(place / "run_1")
    watch.look()
    finished(place / "run_1", 0.9, -9.0)
    assert rows(watch.settled()) == [[0.9, -9.0]]
    place.rename(tmp_path / "elsewhere")
    lost = watch.look()
    assert lost.trouble
    assert "runs cannot be read" in lost.words
    assert watch.taken == ("run_1",)


@pytest.mark.parametrize(("tables", "folders", "runs"), [(True, False, False), (True, True, True), (False, True, True)])
def test_a_folder_is_watched_as_an_import_reads_it(tmp_path, tables, folders, runs):
    if tables:
        (tmp_path / "old.csv").write_text("rho,kappa,loglik\n0.1,50,-1\n")
    if folders:
        finished(tmp_path / "run_1", 0.1, -1.0)
    assert may_be_watched([tmp_path])
    assert holds_run_folders(tmp_path) == runs
