"""The controller without any page: edits, files, and what the engine's messages become."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.problem.definition import Parameter, TemplateFile, Uniform
from bayescope.engine.session.store import SessionStore
from bayescope.gui.analysis import session_files
from bayescope.gui.analysis.session_controller import SessionController


@pytest.fixture
def example(controller: SessionController) -> SessionController:
    assert controller.file.open_example("contamination")
    return controller


def started(controller: SessionController, engines: list) -> object:
    assert controller.run.start()
    engine = engines[-1]
    engine.message.emit(protocol.StateChanged(state="running"))
    return engine


def test_an_edit_can_be_undone_and_redone(controller: SessionController) -> None:
    assert controller.problem.edit("Rename", name="First")
    assert controller.problem.edit("Rename", name="Second")
    controller.problem.undo_stack.undo()
    assert controller.problem.declared.name == "First"
    controller.problem.undo_stack.redo()
    assert controller.problem.declared.name == "Second"


def test_typing_in_one_field_is_one_step(controller: SessionController) -> None:
    for text in ("M", "My", "My s", "My source"):
        controller.problem.edit("Rename", merge_key="name", name=text)
    assert controller.problem.undo_stack.count() == 1
    controller.problem.undo_stack.undo()
    assert controller.problem.declared.name == "Untitled analysis"


def test_a_first_file_is_called_like_the_first_input_file_or_the_program(controller: SessionController) -> None:
    assert controller.file.proposed_name == "Untitled analysis"
    program = msgspec.structs.replace(controller.problem.declared.simulator, command=("/opt/bin/solver.exe", "-q"))
    controller.problem.edit("x", simulator=program)
    assert controller.file.proposed_name == "solver"
    deck = TemplateFile(target="beam 3.inp", text="")
    controller.problem.edit("x", simulator=msgspec.structs.replace(program, templates=(deck,)))
    assert controller.file.proposed_name == "beam 3"
    controller.problem.edit("Rename", name="My source")
    assert controller.file.proposed_name == "My source"


def test_what_a_run_locks_is_not_undone_or_redone(
    example: SessionController, engines: list, evaluation_done: Callable
) -> None:
    parameters = example.problem.declared.parameters
    assert example.problem.edit("Remove", parameters=parameters[:-1])
    assert example.problem.edit("Add", parameters=parameters)
    example.problem.undo_stack.undo()
    example.problem.undo_stack.redo()
    stack = example.problem.undo_stack
    started(example, engines)
    assert not stack.may_undo()
    assert "running" in stack.undo_refusal()
    stack.undo()
    assert example.problem.declared.parameters == parameters
    engines[-1].message.emit(evaluation_done(0, {p.name: 0.3 for p in parameters}))
    engines[-1].message.emit(protocol.StateChanged(state="stopped"))
    assert not example.run.active
    assert "Duplicate without runs" in stack.undo_refusal()
    for _ in range(3):
        stack.undo()
        stack.redo()
    assert example.problem.declared.parameters == parameters

    more = msgspec.structs.replace(example.problem.declared.settings, workers=example.problem.declared.settings.workers + 1)
    before = example.problem.declared.settings
    assert example.problem.edit("Change workers", settings=more), "this may change after the first run"
    assert stack.may_undo()
    stack.undo()
    assert example.problem.declared.settings == before
    assert stack.may_redo()
    stack.redo()
    assert example.problem.declared.settings == more

    assert example.file.duplicate()
    assert not stack.may_undo()
    assert example.problem.edit("Remove", parameters=parameters[:-1])
    stack.undo()
    assert example.problem.declared.parameters == parameters, "a copy without runs is edited as before"


def test_an_edit_is_written_by_itself_into_a_draft(controller: SessionController, qtbot: QtBot) -> None:
    controller.problem.edit("Add", parameters=(Parameter(name="a", prior=Uniform(low=0, high=1)),))
    assert controller.file.dirty
    qtbot.waitUntil(lambda: controller.file.on_disk is not None, timeout=5000)
    assert controller.file.path is None, "a draft is not a file of the user's"
    assert controller.file.dirty, "a draft still wants saving"


def test_save_as_moves_the_draft_and_what_is_saved_is_no_longer_dirty(
    controller: SessionController, tmp_path: Path
) -> None:
    controller.problem.edit("Rename", name="Saved")
    controller.file.save()
    draft = controller.file.on_disk
    assert controller.file.save_as(tmp_path / "mine")
    assert controller.file.path == tmp_path / "mine.bayescope"
    assert not controller.file.dirty
    assert draft is not None
    assert not draft.exists()
    assert session_files.recent() == [tmp_path / "mine.bayescope"]
    assert controller.file.close()
    assert controller.file.open(tmp_path / "mine.bayescope")
    assert controller.problem.declared.name == "Saved"


def test_an_analysis_without_a_name_takes_that_of_its_file(controller: SessionController, tmp_path: Path) -> None:
    controller.problem.edit("Describe", description="a plate")
    assert controller.file.save_as(tmp_path / "plate")
    assert controller.problem.declared.name == "plate"
    assert controller.problem.undo_stack.canUndo(), "a name is no reason to forget the steps"
    assert controller.file.close()
    with SessionStore.open(tmp_path / "plate.bayescope", mode="read") as store:
        assert store.problem.name == "plate"


def test_save_as_over_an_existing_session_replaces_it(controller: SessionController, tmp_path: Path) -> None:
    controller.problem.edit("Rename", name="Old")
    assert controller.file.save_as(tmp_path / "one.bayescope")
    controller.problem.edit("Rename", name="New")
    assert controller.file.save_as(tmp_path / "two.bayescope")
    assert controller.file.save_as(tmp_path / "one.bayescope")
    controller.file.close()
    with SessionStore.open(tmp_path / "one.bayescope", mode="read") as store:
        assert store.problem.name == "New"


def test_a_file_that_is_no_session_gives_words_and_is_untouched(
    controller: SessionController, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "picture.bayescope"
    path.write_bytes(b"\x89PNG not a session" * 50)
    before = path.read_bytes()
    with qtbot.waitSignal(controller.reports.reported) as caught:
        assert not controller.file.open(path)
    report = caught.args[0]
    assert report.level == "error"
    assert "picture.bayescope" in report.what
    assert "Traceback" not in report.what + report.suggestion
    assert path.read_bytes() == before


def test_a_second_window_may_only_read(make_controller: Callable[[], SessionController], tmp_path: Path) -> None:
    first, second = make_controller(), make_controller()
    first.problem.edit("Rename", name="Shared")
    first.file.save_as(tmp_path / "shared.bayescope")
    assert second.file.open(tmp_path / "shared.bayescope")
    if not second.file.read_only:  # one process counts as one window: the lock tells processes apart
        pytest.skip("the lock is per process")
    assert "window" in second.file.read_only_words


def test_starting_an_unfinished_analysis_says_what_is_missing(controller: SessionController, qtbot: QtBot) -> None:
    with qtbot.waitSignal(controller.reports.reported) as caught:
        assert not controller.run.start()
    assert "No program is given." in caught.args[0].suggestion


def test_the_example_is_one_click_from_running(example: SessionController, engines: list) -> None:
    assert example.problem.findings(level="error") == []
    engine = started(example, engines)
    assert example.file.on_disk is not None
    assert engine.sent[-1] == protocol.StartRun(session=str(example.file.on_disk), max_evaluations=None)
    assert example.run.active


def test_messages_become_data_once(
    example: SessionController, engines: list, evaluation_done: Callable, snapshot_ready: Callable, qtbot: QtBot
) -> None:
    engine = started(example, engines)
    space = example.problem.space
    assert space is not None
    center = np.mean(space.plausible_box(), axis=0)
    for k in range(6):
        engine.message.emit(
            evaluation_done(k, space.values(center), None if k == 3 else -5.0 + k, "It failed." if k == 3 else "")
        )
    engine.message.emit(evaluation_done(2, space.values(center)))
    engine.message.emit(snapshot_ready(0, 6, center))
    data = example.run.data
    assert [e.index for e in data.evaluations] == [0, 1, 2, 3, 4, 5]
    assert data.n_failed == 1
    assert data.theta.view().shape == (6, space.dimension)
    assert np.isnan(data.log_density.view()[3])
    posterior = example.run.posterior()
    assert posterior is not None
    low, high = (posterior.space.to_user(v) for v in (center - 1.0, center + 1.0))
    assert np.all((low < posterior.mean()) & (posterior.mean() < high))
    with qtbot.waitSignal(example.run.answer_changed):
        pass


def test_many_messages_are_announced_in_bundles(
    example: SessionController, engines: list, evaluation_done: Callable, qtbot: QtBot
) -> None:
    engine = started(example, engines)
    heard = []
    example.run.evaluations_changed.connect(lambda: heard.append(1))
    values = {p.name: 0.2 for p in example.problem.declared.parameters}
    for k in range(300):
        engine.message.emit(evaluation_done(k, values))
    qtbot.wait(250)
    assert len(example.run.data.evaluations) == 300
    assert len(heard) <= 3


def test_what_the_analysis_is_about_cannot_change_once_runs_exist(
    example: SessionController, engines: list, evaluation_done: Callable
) -> None:
    engine = started(example, engines)
    values = {p.name: 0.2 for p in example.problem.declared.parameters}
    engine.message.emit(evaluation_done(0, values))
    engine.message.emit(protocol.StateChanged(state="stopped"))
    assert example.problem.locked
    assert "1 simulator run" in example.problem.locked_words
    before = example.problem.declared
    assert not example.problem.edit("Drop a parameter", parameters=before.parameters[:2])
    assert example.problem.declared == before
    assert example.problem.edit("Raise", settings=msgspec.structs.replace(before.settings, max_evaluations=333))
    assert example.problem.declared.settings.max_evaluations == 333


def test_an_engine_that_dies_leaves_the_window_and_offers_to_resume(
    example: SessionController, engines: list, evaluation_done: Callable, qtbot: QtBot
) -> None:
    engine = started(example, engines)
    engine.message.emit(evaluation_done(0, {p.name: 0.2 for p in example.problem.declared.parameters}))
    with qtbot.waitSignal(example.run.engine_lost):
        engine.die("it was ended by signal 9")
    assert example.run.state == "lost"
    assert not example.run.active
    assert example.run.n_runs == 1
    assert example.run.start(), "resume"
    assert isinstance(engines[-1].sent[-1], protocol.StartRun)


def test_pause_stop_and_more_runs_are_sent_to_the_engine(example: SessionController, engines: list) -> None:
    engine = started(example, engines)
    example.run.pause()
    example.run.resume()
    example.run.extend(500)
    example.run.stop(kill=True)
    assert engine.sent[-4:] == [
        protocol.PauseRun(),
        protocol.ContinueRun(),
        protocol.ExtendRun(max_evaluations=500),
        protocol.StopRun(kill=True),
    ]
    assert example.run.state == "stopping"


def test_a_test_run_brings_a_report_or_words(example: SessionController, engines: list, qtbot: QtBot) -> None:
    example.run.unrecorded.trial_run({p.name: 0.2 for p in example.problem.declared.parameters})
    assert example.run.unrecorded.trial_running
    report = protocol.TrialRunReport(outcome="ok", log_likelihood=-1.0)
    with qtbot.waitSignal(example.run.unrecorded.trial_run_finished) as caught:
        engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
    assert caught.args[0] == report
    example.run.unrecorded.trial_run({p.name: 0.2 for p in example.problem.declared.parameters})
    with qtbot.waitSignal(example.run.unrecorded.trial_run_failed):
        engines[-1].die("out of memory")


def test_opening_another_analysis_while_one_runs_is_refused(
    example: SessionController, engines: list, tmp_path: Path
) -> None:
    started(example, engines)
    assert not example.file.new()
    assert not example.file.save_as(tmp_path / "x.bayescope")
    assert example.problem.declared.name != "Untitled analysis"


def test_a_draft_that_is_thrown_away_leaves_no_file(controller: SessionController) -> None:
    controller.problem.edit("Rename", name="Nothing")
    controller.file.save()
    draft = controller.file.on_disk
    assert draft is not None
    assert controller.file.close(discard_draft=True)
    assert not draft.exists()
    assert controller.file.empty


def test_an_answer_from_which_no_run_was_usable_is_no_posterior() -> None:
    from dataclasses import replace

    from bayescope.engine.session.records import IterationRecord
    from bayescope.gui.analysis.run_data import Answer, RunData

    record = IterationRecord(
        iteration=0, n_evaluations=6, elbo=float("nan"), elbo_sd=float("inf"), log_evidence=float("nan"),
        log_evidence_sd=float("inf"), converged=False, warm_up=True, reasons=("Every run failed.",),
        weights=np.ones(1), means=np.zeros((1, 2)), covariances=np.eye(2)[None],
    )  # fmt: skip
    data = RunData(("a", "b"))
    data.add_answer(Answer.of_record(record))
    assert data.answer is None
    data.load([], [record])
    assert data.answer is None
    good = replace(record, iteration=1, log_evidence=-3.0, log_evidence_sd=0.1)
    data.add_answer(Answer.of_record(good))
    assert data.answer is not None


def test_relative_paths_go_on_naming_the_same_files_after_save_as_elsewhere(
    controller: SessionController, tmp_path: Path
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "a" / "sim.py").write_text("print(1)\n")
    assert controller.file.save_as(tmp_path / "a" / "first")
    simulator = msgspec.structs.replace(controller.problem.declared.simulator, command=("python3", "sim.py"))
    controller.problem.replace(msgspec.structs.replace(controller.problem.declared, simulator=simulator), "program")
    assert controller.file.save_as(tmp_path / "b" / "second")
    named = Path(controller.problem.declared.simulator.command[1])
    assert (controller.file.folder / named).resolve() == (tmp_path / "a" / "sim.py").resolve()


def test_the_controller_is_its_parts_and_none_inherits_from_another(controller: SessionController) -> None:
    own = {name for name in set(dir(controller)) - set(dir(QObject())) if not name.startswith("_")}
    assert own == {"problem", "file", "run", "arrivals", "importing", "watching", "reports", "shut_down"}
    for part in (controller, controller.problem, controller.file, controller.run, controller.arrivals, controller.watching):
        assert type(part).__bases__ == (QObject,)
