"""Start, resume, pause, stop and more runs, with the questions they need; used by the menu and by the Run page alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import msgspec
from PySide6.QtWidgets import QWidget

from bayescope.engine.problem.findings import shorten
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.counting import each_words, noun
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.analysis.next_step import PAUSED, next_step, settled, spent, to_confirm
from bayescope.gui.dialogs.closing import may_leave
from bayescope.gui.dialogs.messages import ask, ask_where_to_save
from bayescope.gui.dialogs.more_runs import Asked, how_many

_OUT_OF_REACH = (
    "The place cannot be reached now: they go on there until it answers, which is tried again while this window is open. What "
    "they finish until then is collected. "
)


MARGIN = 1.5  # times the runs that are estimated to confirm an answer: more are allowed, and it stops when it is confirmed


def confirm(run: AnalysisRun) -> bool:
    """New runs, which end when the answer is confirmed; more are allowed if there are too few left."""
    needed = run.n_runs + round(MARGIN * to_confirm(run))
    return run.extend(needed) if needed > run.budget else run.start()


def take_step(parent: QWidget, run: AnalysisRun) -> None:
    """Do ``next_step``. (What comes from elsewhere is asked about when it starts.)"""
    step = next_step(run)
    if step == "more":
        ask_for_more(parent, run)
    elif step == "confirm":
        confirm(run)
    elif run.state in PAUSED:
        run.resume()
    elif step != "wait":
        run.start()


def begin_step(parent: QWidget, run: AnalysisRun, begin: Callable[[Callable[[], object]], None]) -> None:
    """Do ``next_step``; ``begin`` makes a first start, as soon as nothing is being found out that may be a question."""
    if next_step(run) == "start" and run.answers_from is None and not run.obstacles():
        begin(lambda: take_step(parent, run))
    else:
        take_step(parent, run)


def pause_or_resume(run: AnalysisRun) -> None:
    """Pause; or resume, also while runs under way are still finishing."""
    if run.state in PAUSED:
        run.resume()
    else:
        run.pause()


def may_have_more(run: AnalysisRun, file: AnalysisFile) -> bool:
    """Whether more runs can be allowed now."""
    begun = run.n_runs > 0 or bool(run.data.trace)
    return begun and not file.read_only and run.state not in ("stopping", "starting")


def ask_to_stop(parent: QWidget, run: AnalysisRun) -> None:
    """Stop at once if nothing is under way; else ask whether simulator runs under way may finish."""
    running = run.jobs_there if run.places.where else len(run.data.under_way)
    if not running:
        run.stop()
        return
    if run.places.where:
        jobs = "One job is" if running == 1 else f"{running} jobs are"
        answer = ask(
            parent,
            "Stop the analysis",
            f"{jobs} queued or running at the place “{run.places.where[:60]}”. Cancel and stop?",
            f"{_OUT_OF_REACH if run.data.silent else ''}Everything finished is kept, and the analysis can be resumed later. "
            "To let them go on, close the window instead.",
            ("&Cancel them and stop", "destroy"),
            ("&Keep running", "cancel"),
            default=1,
        )
        if answer == "Cancel them and stop":
            run.stop(kill=True)
        return
    answer = ask(
        parent,
        "Stop the analysis",
        _stop_words(run),
        "Everything finished is kept either way, and the analysis can be resumed later.",
        ("&Let finish, then stop", "accept"),
        ("&End now", "destroy"),
        ("&Keep running", "cancel"),
        live=lambda: _stop_words(run),
    )
    if answer == "Let finish, then stop":
        run.stop()
    elif answer == "End now":
        run.stop(kill=True)


def _stop_words(run: AnalysisRun) -> str:
    """What is under way now: it goes on while the question waits."""
    running, done = len(run.data.under_way), f"{run.n_runs} {noun(run.declared)} are done"
    if not running:
        return f"{done}, none is under way. Stop now?" if run.active else f"{done}; the analysis has ended by itself."
    are, them = ("s are", "them") if running > 1 else (" is", "it")
    return f"{done}, {running} simulator run{are} under way. Let {them} finish first?"


def go_on_to_posterior(parent: QWidget, problem: DeclaredProblem, run: AnalysisRun) -> None:
    """The posterior is wanted after all, of the runs there are and more."""
    wanted = msgspec.structs.replace(problem.declared.settings, goal="posterior")
    if not problem.edit("Go on to the posterior", settings=wanted):
        return
    if spent(run):
        ask_for_more(parent, run)
    else:
        run.start()


def use_ranges(
    parent: QWidget, file: AnalysisFile, run: AnalysisRun, ranges: Mapping[str, tuple[float, float]]
) -> bool:
    """Open a copy without runs with these plausible ranges; whether it is open."""
    return may_leave(parent, file, run) and file.duplicate(ranges)


def ask_again(parent: QWidget, file: AnalysisFile, run: AnalysisRun) -> bool:
    """Open a copy in which noise, data and priors can be changed, to be answered from these runs; whether it is open."""
    if file.path is None and not _saved(parent, file):
        return False
    return may_leave(parent, file, run) and file.duplicate(from_runs=True)


def ask_to_edit_text(
    parent: QWidget, problem: DeclaredProblem, file: AnalysisFile, run: AnalysisRun, name: str
) -> Literal["", "copy", "kept"]:
    """``ask_what_change_means`` of the text of the input file ``name``."""
    return ask_what_change_means(parent, problem, file, run, f"“{shorten(name, 40)}” as it is", "Edit the text")


def ask_what_change_means(
    parent: QWidget, problem: DeclaredProblem, file: AnalysisFile, run: AnalysisRun, now: str, title: str
) -> Literal["", "copy", "kept"]:
    """What a change means for the runs made with what is to be changed as it is ``now``: a copy without them is open, or they
    are kept, and it may be changed; "": nothing is to be changed."""
    counted, made = noun(run.declared), run.n_runs
    were = f"{made} {counted} were made" if made != 1 else f"1 {counted.rstrip('s')} was made"
    answer = ask(
        parent, title, f"{were} with {now}.",
        "With a constant that changes a result it is another program, whose runs cannot be mixed with these: change it in a "
        "copy, and these are kept apart, in this analysis. If the change alters no result (a remark, a title, how many "
        "processors are used), these runs can be kept here.",
        ("Change it in a &copy", "accept"), ("&Keep the runs", "destroy"), ("Cancel", "cancel"),
    )  # fmt: skip
    if answer == "Keep the runs":
        problem.free_texts()
        return "kept"
    copied = answer == "Change it in a copy" and may_leave(parent, file, run) and file.duplicate()
    return "copy" if copied else ""


def _saved(parent: QWidget, file: AnalysisFile) -> bool:
    """Whether an analysis that was not saved yet is now."""
    answer = ask(
        parent,
        "Ask again",
        "Save this analysis first?",
        "The changed question is answered from the runs in its file, so this analysis needs a file of its own.",
        ("&Save…", "accept"),
        ("Cancel", "cancel"),
    )
    path = ask_where_to_save(parent, file.proposed_name, file.place) if answer == "Save…" else None
    return path is not None and file.save_as(path)


def may_ask_again(run: AnalysisRun) -> bool:
    """Whether there are runs that could answer a changed question."""
    return run.n_runs > 0 and not run.active


def ask_for_more(parent: QWidget, run: AnalysisRun) -> None:
    """More runs: how many in all."""
    total = how_many(parent, f"More {noun(run.declared)}", lambda: _asked_for_more(run))
    if total is not None:
        run.extend(total)


def proposed_in_all(run: AnalysisRun) -> int:
    """How many runs there would be with those that “More runs” proposes."""
    now = run.n_runs if settled(run) else max(run.budget, run.n_runs)
    return max(now + max(20, round(0.5 * now)), run.budget)


def _asked_for_more(run: AnalysisRun) -> Asked:
    """What there is now, and how many are proposed: runs may go on while the question waits."""
    done, rests = run.n_runs, settled(run)
    counted, each = noun(run.declared), each_words(run.declared)
    why = f"The answer has converged, so that more {counted} look for what it may have missed. " if rests else ""
    said = f"{done} points ({each}) are" if each else f"{done} simulator runs are"
    were = "were" if rests else "are"
    unused = f" Up to {run.budget} {were} allowed." if run.budget > done else ""
    text = f"{said} done.{unused}\n{why}\nHow many may there be in all, the {done} included?".replace("\n\n", "\n")
    return Asked(text, proposed_in_all(run), done + 1)
