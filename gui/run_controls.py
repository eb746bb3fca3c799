"""Start, resume, pause, stop and more runs, with the questions they need; used by the menu and by the Run page alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from PySide6.QtWidgets import QInputDialog, QWidget

from bayescope.gui.closing import may_leave
from bayescope.gui.dialogs import ask
from bayescope.gui.session_controller import SessionController

PAUSED = ("paused", "pausing")


Step = Literal["start", "resume", "more", "wait"]


def next_step(controller: SessionController) -> Step:
    """What the main button of the Run page, and Ctrl+R, does now. ``wait``: nothing, a run goes on."""
    if controller.run.state in PAUSED:
        return "resume"
    if controller.run.active:
        return "wait"
    if spent(controller) or settled(controller):
        return "more"
    return "resume" if controller.run.n_runs else "start"


def spent(controller: SessionController) -> bool:
    """True: every allowed run is done. (A budget of 0: imported evaluations alone.)"""
    return 0 < controller.run.budget <= controller.run.n_runs


def settled(controller: SessionController) -> bool:
    """True: the run ended because its answer had converged."""
    trace = controller.run.data.trace
    return controller.run.state == "finished" and bool(trace) and trace[-1].converged


def take_step(parent: QWidget, controller: SessionController) -> None:
    """Do ``next_step``. (What comes from elsewhere is asked about by the controller.)"""
    step = next_step(controller)
    if step == "more":
        ask_for_more(parent, controller)
    elif controller.run.state in PAUSED:
        controller.run.resume()
    elif step != "wait":
        controller.run.start()


def pause_or_resume(controller: SessionController) -> None:
    """Pause; or resume, also while runs under way are still finishing."""
    if controller.run.state in PAUSED:
        controller.run.resume()
    else:
        controller.run.pause()


def may_have_more(controller: SessionController) -> bool:
    """Whether more runs can be allowed now."""
    begun = controller.run.n_runs > 0 or bool(controller.run.data.trace)
    return begun and not controller.file.read_only and controller.run.state not in ("stopping", "starting")


def ask_to_stop(parent: QWidget, controller: SessionController) -> None:
    """Stop at once if nothing is under way; else ask whether simulator runs under way may finish."""
    running = len(controller.run.data.under_way)
    if not running:
        controller.run.stop()
        return
    are, them = ("s are", "them") if running > 1 else (" is", "it")
    answer = ask(
        parent,
        "Stop the analysis",
        f"{running} simulator run{are} under way. Let {them} finish first?",
        "Everything finished is kept either way, and the analysis can be resumed later.",
        ("&Let finish, then stop", "accept"),
        ("&End now", "destroy"),
        ("&Keep running", "cancel"),
    )
    if answer == "Let finish, then stop":
        controller.run.stop()
    elif answer == "End now":
        controller.run.stop(kill=True)


def use_ranges(parent: QWidget, controller: SessionController, ranges: Mapping[str, tuple[float, float]]) -> bool:
    """Open a copy without runs with these plausible ranges; whether it is open."""
    return may_leave(parent, controller) and controller.file.duplicate(ranges)


def ask_for_more(parent: QWidget, controller: SessionController) -> None:
    """More runs: how many in all."""
    done = controller.run.n_runs
    now = max(controller.run.budget, done)
    total, agreed = QInputDialog.getInt(
        parent,
        "More runs",
        f"{done} simulator runs are done. How many may there be in all?",
        now + max(20, round(0.5 * now)),
        done + 1,
        1_000_000,
        10,
    )
    if agreed:
        controller.run.extend(total)
