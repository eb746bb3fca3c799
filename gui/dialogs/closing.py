"""The questions asked before an analysis is left or the window closes. Nothing is ever lost without a click that says so."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QProcess, Qt
from PySide6.QtWidgets import QApplication, QWidget

from bayescope.engine.machine.frozen import this_program
from bayescope.engine.problem.definition import Problem
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.counting import each_words
from bayescope.gui.analysis.reports import Reports
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.dialogs.messages import ask, ask_where_to_save

CANCEL_MS = 90_000  # to reach another computer and cancel the jobs there


def may_leave(window: QWidget, file: AnalysisFile, run: AnalysisRun) -> bool:
    """Before another analysis takes this one's place: stop a run, save or throw away a draft. False: stay."""
    if run.active and not _stop(window, run, "Another analysis can be opened when this one has stopped."):
        return False
    return _settle_draft(window, file, run)


def may_close(window: QWidget, controller: SessionController) -> bool:
    """Before the window closes; afterwards the engine has ended and the file is closed. False: stay open."""
    if controller.run.active and controller.run.places.where:
        if not _leave(window, controller.run, "Close the window?", "&Close"):
            return False
        controller.run.end_engine()
    elif controller.run.active and not _unsaved(controller.file):  # the question whether to save is enough for a draft
        paused = controller.run.state == "paused"
        answer = ask(
            window,
            "The analysis is paused" if paused else "The analysis is running",
            f"The analysis is {'paused' if paused else 'still running'}. Stop it and close?",
            "Everything finished so far is in the session file; simulator runs under way are ended. It can be resumed later.",
            ("&Stop and close", "accept"),
            ("&Stay" if paused else "&Keep running", "cancel"),
            default=1,
        )
        if answer != "Stop and close":
            return False
        controller.run.end_engine()
    elif controller.run.left.number and not _leave_uncancelled(window, controller.run):
        return False
    if not _settle_draft(window, controller.file, controller.run):
        return False
    controller.shut_down()
    return True


def _leave_uncancelled(window: QWidget, run: AnalysisRun) -> bool:
    """Whether to close although jobs that were to be cancelled go on elsewhere."""
    answer = ask(
        window,
        "Jobs go on elsewhere",
        "Close the window, although jobs that you cancelled go on?",
        f"{run.left.words} They are tried again when this analysis is opened the next time.",
        ("&Close", "accept"),
        ("&Stay", "cancel"),
    )
    return answer == "Close"


def _leave(window: QWidget, run: AnalysisRun, question: str, button: str) -> bool:
    """Whether to leave a run whose jobs go on elsewhere."""
    answer = ask(
        window,
        "The analysis is running",
        f"The analysis is running at the place “{run.places.where[:60]}”. {question}",
        "Jobs that are queued or running there go on. Open the analysis again and press Resume: their results are collected "
        "then. (Stop cancels them.)",
        (button, "accept"),
        ("&Stay", "cancel"),
    )
    return answer == button.replace("&", "")


def _stop(window: QWidget, run: AnalysisRun, why: str) -> bool:
    if run.places.where:
        if not _leave(window, run, why, "&Leave it"):
            return False
        run.end_engine()
        return True
    answer = ask(
        window,
        "The analysis is running",
        "The analysis is still running. Stop it?",
        f"{why} Everything finished so far is kept; it can be resumed later.",
        ("&Stop it", "accept"),
        ("&Keep running", "cancel"),
        default=1,
    )
    if answer != "Stop it":
        return False
    run.end_engine()
    return True


def held_words(problem: Problem, finished: int) -> str:
    """``2 points (50 runs of the program at each)`` or ``1 simulator run``."""
    each = each_words(problem)
    if each:
        return f"{finished} point{'' if finished == 1 else 's'} ({each})"
    return f"{finished} simulator run{'' if finished == 1 else 's'}"


def _unsaved(file: AnalysisFile) -> bool:
    """A draft with something in it."""
    return file.path is None and file.dirty


def _settle_draft(window: QWidget, file: AnalysisFile, run: AnalysisRun) -> bool:
    """A draft with something in it: save, throw away or cancel. A saved analysis is simply written."""
    if not _unsaved(file):
        return True
    runs, jobs = len(run.data.evaluations), file.jobs_elsewhere
    if file.untouched_example and not runs and not jobs and not run.active:
        return file.close(discard_draft=True)
    held = f"It holds {held_words(run.declared, runs)}. " if runs else ""
    if run.active:
        held += "Its run is stopped, and can be resumed where it is saved. "
    words = f"{held}Until now it was kept as a draft. Save it to keep it; else the draft goes."
    throw = throw_words(0)
    if jobs:
        are, them = ("One job of it is", "it goes on") if jobs == 1 else (f"{jobs} jobs of it are", "they go on")
        at = f"at “{run.places.where[:60]}”" if run.places.where else "on another computer"
        words = f"{are} {at}. {held}Save it, and {them}: the saved analysis collects the results. Else all is thrown away."
        throw = throw_words(jobs)
    answer = ask(
        window,
        "Save this analysis?",
        f"“{file.title[:80]}” is not saved to a file yet.",
        words,
        ("&Save…", "accept"),
        (throw, "destroy"),
        ("Cancel", "cancel"),
    )
    if answer == throw.replace("&", ""):
        _end(run)
        cancelled = not jobs or file.on_disk is None or cancel_jobs(file.on_disk, file.reports)
        return cancelled and file.close(discard_draft=True)
    if answer != "Save…":
        return False
    path = ask_where_to_save(window, file.proposed_name, file.place)
    if path is None:
        return False
    _end(run)
    return file.save_as(path)


def throw_words(jobs: int) -> str:
    """Of the button that throws a draft away."""
    if not jobs:
        return "&Throw away"
    return "Cancel the job and &throw away" if jobs == 1 else f"Cancel {jobs} jobs and &throw away"


def _end(run: AnalysisRun) -> None:
    if run.active:
        run.end_engine()


def cancel_jobs(path: Path, reports: Reports) -> bool:
    """False, with words, where they could not be cancelled: then the draft that knows them stays."""
    process = QProcess()
    process.setProcessChannelMode(QProcess.ProcessChannelMode.MergedChannels)
    QApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
    try:
        process.start(this_program()[0], [*this_program()[1:], "where", "cancel", str(path)])
        ended = process.waitForFinished(CANCEL_MS)
    finally:
        QApplication.restoreOverrideCursor()
    said = bytes(process.readAll().data()).decode("utf-8", "replace").strip()
    if not ended:
        process.kill()
        process.waitForFinished(1000)
        said = "The other computer did not answer in time."
    if ended and process.exitCode() == 0:
        return True
    reports.report("warning", f"The jobs were not cancelled, so the analysis is kept. {said[-500:]}")
    return False
