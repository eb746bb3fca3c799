"""Start, stop and continue, with the questions they need; used by the menu and by the run page."""

from __future__ import annotations

from PySide6.QtWidgets import QInputDialog, QWidget

from bayescope.gui.dialogs import ask
from bayescope.gui.session_controller import SessionController


def start_or_resume(parent: QWidget, controller: SessionController) -> None:
    """Start; a spent budget asks for more. (What comes from elsewhere is asked about by the controller.)"""
    if controller.n_runs and controller.n_runs >= controller.problem.settings.max_evaluations:
        ask_for_more(parent, controller)
        return
    controller.start()


def pause_or_go_on(controller: SessionController) -> None:
    """Pause; or go on, also while runs under way are still finishing."""
    if controller.run_state in ("paused", "pausing"):
        controller.resume()
    else:
        controller.pause()


def ask_to_stop(parent: QWidget, controller: SessionController) -> None:
    """Stop at once if nothing is under way; else ask whether simulator runs under way may finish."""
    running = len(controller.data.under_way)
    if not running:
        controller.stop()
        return
    are, them = ("s are", "them") if running > 1 else (" is", "it")
    answer = ask(
        parent,
        "Stop the analysis",
        f"{running} simulator run{are} under way. Let {them} finish first?",
        "Everything finished is kept either way, and the analysis can be continued later.",
        ("&Let finish, then stop", "accept"),
        ("&End now", "destroy"),
        ("&Keep running", "cancel"),
    )
    if answer == "Let finish, then stop":
        controller.stop()
    elif answer == "End now":
        controller.stop(kill=True)


def ask_for_more(parent: QWidget, controller: SessionController) -> None:
    """Continue with more evaluations: how many in all."""
    done = controller.n_runs
    now = max(controller.problem.settings.max_evaluations, done)
    total, agreed = QInputDialog.getInt(
        parent,
        "Continue with more evaluations",
        f"{done} simulator runs are done. How many may there be in all?",
        now + max(20, round(0.5 * now)),
        done + 1,
        1_000_000,
        10,
    )
    if agreed:
        controller.extend(total)
