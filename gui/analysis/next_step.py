"""What the main button of the Run page, and Ctrl+R, does now, and what it says: every other text names it so. Pure."""

from __future__ import annotations

from typing import Literal

from bayescope.engine.answer.ended import ends_with
from bayescope.engine.answer.words import runs_to_confirm
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.counting import noun

PAUSED = ("paused", "pausing")
MORE = "More runs…"
Step = Literal["start", "resume", "confirm", "more", "wait"]


def next_step(run: AnalysisRun) -> Step:
    """``wait``: nothing, a run goes on. ``confirm``: new runs for an answer that was made from earlier ones."""
    if run.state in PAUSED:
        return "resume"
    if run.active:
        return "wait"
    if to_confirm(run):
        return "confirm"
    if spent(run) or settled(run):
        return "more"
    return "resume" if run.n_runs else "start"


def go_words(run: AnalysisRun) -> str:
    """What the button says that starts, or goes on with, the run."""
    if next_step(run) == "more":
        return MORE
    again = "Answer without running" if run.answers_from is not None else "Resume" if run.n_runs else "Start"
    return confirm_words(run) or again


def spent(run: AnalysisRun) -> bool:
    """True: every allowed run is done. (A budget of 0: imported evaluations alone.)"""
    return 0 < run.budget <= run.n_runs


def settled(run: AnalysisRun) -> bool:
    """True: the run ended by itself with its newest answer."""
    trace, answer = run.data.trace, run.data.answer
    told = {} if answer is None else answer.diagnostics
    return run.state == "finished" and bool(trace) and ends_with(trace[-1].converged, told)


def to_confirm(run: AnalysisRun) -> int:
    """How many new runs at least would confirm the answer, which was made from earlier ones and is the newest; 0: none."""
    answer = run.data.answer
    if run.active or answer is None or run.n_runs > answer.trace.n_evaluations:
        return 0
    return runs_to_confirm(answer.trace.converged, answer.diagnostics)


def confirm_words(run: AnalysisRun) -> str:
    """Of the button; '' where there is nothing to confirm."""
    wanted = to_confirm(run)
    return f"Confirm with {wanted} or more {noun(run.declared)}" if wanted else ""
