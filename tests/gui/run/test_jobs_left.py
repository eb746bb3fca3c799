"""An analysis that is opened again says which of its jobs still wait or run elsewhere, and where its runs were."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from PySide6.QtWidgets import QComboBox

from bayescope.engine.problem.definition import Problem
from bayescope.engine.session.attempts import AttemptRecord
from bayescope.engine.session.ledger import Ledger
from bayescope.engine.session.profiles import Profile
from bayescope.engine.session.store import SessionStore
from bayescope.gui.analysis.jobs_there import ran_elsewhere
from bayescope.gui.dialogs import closing
from clusters import make, told_problem
from hands.dialogs import Hands


def _left(path: Path, problem: Problem, *states: str) -> Path:
    make(path, problem)
    with SessionStore.open(path) as store:
        ledger = Ledger(store)
        ledger.where = "box"
        for k, state in enumerate(states):
            again = k == len(states) - 1
            work = "again:7" if again else f"0000{k}:1"
            token = f"bs{k:012d}"
            ledger.save(AttemptRecord(token, 0 if again else k, work, 0, "{}", token, state, job=str(k + 1), node="n1"))  # type: ignore[arg-type]
    return path


def test_jobs_that_still_wait_are_said_when_the_analysis_is_opened_again(open_window: Callable, tmp_path: Path) -> None:
    _, controller, _ = open_window()
    problem = told_problem(tmp_path / "starts")
    assert controller.file.open(_left(tmp_path / "a.bayescope", problem, "queued", "queued", "intent", "cleared"))
    assert controller.run.words == (
        "3 jobs are at “box”: waiting, running, or over and not collected yet; Start goes on and collects"
    )
    assert controller.file.open(_left(tmp_path / "b.bayescope", problem, "cleared", "done", "cleared"))
    assert "jobs" not in controller.run.words
    assert [controller.run.data.ran[k].job for k in (0, 1)] == ["1", "2"]
    assert controller.run.data.ran[0].again == "3"


@pytest.mark.journeys
def test_jobs_left_at_another_place_end_a_start_with_a_button_that_leads_to_the_choice(
    open_window: Callable, tmp_path: Path
) -> None:
    window, controller, _ = open_window()
    path = _left(tmp_path / "a.bayescope", told_problem(tmp_path / "starts"), "queued", "queued")
    place = msgspec.json.encode(Profile(name="box", queue="", folder=str(tmp_path))).decode()
    with SessionStore.open(path) as store:
        ledger = Ledger(store)
        ledger.save(*(replace(a, place=place) for a in ledger.open))
        ledger.where = ""
    assert controller.file.open(path)
    hands = Hands(window)
    hands.click("Run")
    hands.click("Start")
    hands.wait_for("Choose the place…", 30)
    assert "Choose “box” again" in controller.run.words

    def acts() -> None:
        hands.wait(hands.find("Where runs happen", QComboBox).hasFocus, 10)  # given once the dialog is active
        hands.click("Cancel")

    hands.dialog("Choose the place…", acts)


def test_who_throws_a_draft_away_is_told_of_its_jobs_and_cancels_them(
    open_window: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, controller, _ = open_window()
    assert controller.file.open_example("contamination")
    assert controller.file.write_to_run() is not None
    token = "bs0123456789ab"
    folder = tmp_path / token
    folder.mkdir()
    (folder / "job.sh").write_text("sleep 10 & wait\n")
    place = msgspec.json.encode(Profile(name="box", queue="", folder=str(tmp_path))).decode()
    controller.run.places.choose("box")
    asked: list[tuple[str, ...]] = []
    answers = ["Cancel", "Cancel the job and throw away"]

    def ask(*said: object, default: int = 0) -> str:
        asked.append(tuple(str(one) for one in said[3:4]))
        return answers[len(asked) - 1]

    monkeypatch.setattr(closing, "ask", ask)
    with subprocess.Popen(["sh", "job.sh", token], cwd=folder) as job:
        store, draft = controller.file._opened.now._store, controller.file.on_disk
        Ledger(store).save(AttemptRecord(token, 0, "00000:1", 0, place, token, "queued", job=str(job.pid)))
        assert not closing.may_close(window, controller)
        assert asked[0][0].startswith("One job of it is at “box”. Save it, and it goes on")
        assert job.poll() is None
        assert closing.may_close(window, controller)
        assert job.wait(20) != 0
    assert not folder.exists()
    assert not draft.exists()


def test_jobs_that_gave_nothing_are_told_beside_the_one_that_did(tmp_path: Path) -> None:
    make(tmp_path / "a.bayescope", told_problem(tmp_path / "starts"))
    with SessionStore.open(tmp_path / "a.bayescope") as store:
        for k, (state, reason) in enumerate((("cleared", "stopped"), ("cleared", "The job vanished."), ("cleared", ""))):
            token = f"bs{k:012d}"
            Ledger(store).save(AttemptRecord(token, 0, "00000:1", k, "{}", token, state, job=str(98 + k), reason=reason))  # type: ignore[arg-type]
        assert ran_elsewhere(store)[0].words == "Job 100; job 98 was cancelled by Stop; job 99 gave nothing: The job vanished."
