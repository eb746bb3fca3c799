"""What the strip of the Run page says: the state, what is being done, the verdict. Pure functions of the run."""

from __future__ import annotations

import time

from bayescope.engine.answer.later_reasons import as_allowed
from bayescope.engine.answer.words import ENDS_AFTER, FEWEST_LEFT
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.countdown import Remaining
from bayescope.gui.analysis.counting import brief_words, inside_words, noun
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.analysis.next_step import go_words, spent, to_confirm
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.results.summary import chip_of
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.models.step_status import run_status, runs_known
from bayescope.gui.pages.run.under_way import counted
from bayescope.gui.style.words import duration, duration_range, first_sentence, runs_done

AT_MOST = "At most "
LATER = "later than thought"
LATE = "Later than thought: nothing has come back for {since}, longer than the {runs} so far let expect"
SOON_S = 60.0  # less is no time worth a number: the pace of a check differs from that of the runs before
CORRECTED = "What the last run ended for was changed since; {go} tries it"
ALLOWED = "{done} are done; {go} makes the others"
MOVED = "Runs happen {where} from now on; {go} tries it"
STILL_BAD = "Runs are to happen {where}, which did not work when it was tried last; {go} tries it again"
_CHIPS = {
    "idle": ("Ready", ""),
    "starting": ("Starting", "busy"),
    "running": ("Running", "busy"),
    "pausing": ("Pausing", "warning"),
    "paused": ("Paused", "warning"),
    "stopping": ("Stopping", "warning"),
    "finished": ("Finished", "ok"),
    "stopped": ("Stopped", ""),
    "failed": ("Failed", "error"),
    "lost": ("Engine lost", "error"),
}


def state_of(run: AnalysisRun, problem: DeclaredProblem) -> tuple[str, str]:
    """Its word and its tone."""
    if all_spent(run):
        converged = bool(run.data.trace) and run.data.trace[-1].converged
        return ("Finished", "ok") if converged else ("Budget used up", "warning")
    if run.state in ("finished", "stopped") and to_confirm(run):
        return "Answered", ""  # the verdict says that it is not confirmed
    if run.state in ("starting", "running") and run.data.silent:
        return "Waiting", "warning"  # whether anything runs there nobody knows
    text, tone = _CHIPS[run.state]
    return ("Not ready" if run.state == "idle" and not run.n_runs and problem.findings(level="error") else text), tone


def all_spent(run: AnalysisRun) -> bool:
    """Ended in good order with every allowed run done."""
    return spent(run) and run.state in ("finished", "stopped")


def activity_of(run: AnalysisRun, problem: DeclaredProblem, trial: Trial | None) -> str:
    """What is being done, or what is to be done. ``trial``: says how long a run of the program takes, before there are any."""
    if run.active:
        under_way = len(run.data.under_way)
        if run.state == "paused":
            return "Nothing is running; Resume goes on where it was paused"
        if run.data.silent:
            return _silence(run)
        doing = run.activity or run.words
        stages = counted(list(run.data.placed.values()))
        if stages:
            return f"{doing} – {stages}"
        progress, declared = run.data.progress, problem.declared
        inside = inside_words(run.n_runs, progress.within if progress is not None else {}, under_way, declared)
        one = "simulator run" if noun(declared) == "runs" else "point"
        runs = f" – {under_way} {one}{'s' if under_way != 1 else ''} under way" if under_way else ""
        runs = f" – {inside}" if inside else runs
        silent = run.silent_s
        if silent:
            return f"The engine has not answered for {duration(silent)}; it may be busy with a long computation"
        return f"{doing}{runs}"
    if run.left.words:
        return run.left.words
    if run.corrected:
        words = STILL_BAD if run.moved and run.places.here_is_bad else MOVED if run.moved else CORRECTED
        where = f"at “{one_line(run.places.where, 40)}”" if run.places.where else "on this computer"
        return words.format(where=where, go=go_words(run))
    if run.data.outcome is not None:
        if run.data.outcome.outcome == "budget" and run.budget > runs_known(run):
            return ALLOWED.format(done=runs_done(runs_known(run), run.budget, noun(problem.declared)), go=go_words(run))
        words = run.data.outcome.words
        return first_sentence(words) if run.corrects else words  # all of it stands below
    if run.state == "stopped" and to_confirm(run):
        return "Answered from runs that there were"
    if all_spent(run) and run.state == "stopped":
        return f"All {run.n_runs} {noun(problem.declared)} are done; more can be allowed"
    errors = run.obstacles()
    if errors and not run.n_runs:
        return f"Not ready to start: {errors[0].message}"
    if run.answers_from is not None and run.state == "idle":
        return f"Nothing is run: the runs of “{one_line(run.answers_from.stem, 40)}” are judged anew"
    if not run.n_runs and run.state == "idle":
        if trial is not None and trial.start.words:
            return trial.start.words
        seconds = None if trial is None else trial.run_seconds
        first = trial is not None and trial.by_first_run
        ahead = brief_words(problem.declared, run.budget, run.workers, seconds, not run.places.where, first=first)
        ready = run_status(problem, run, trial)[1]
        return f"{AT_MOST}{ahead}" if ahead else f"{ready[:1].upper()}{ready[1:]}"
    return run.words


def cost_words(doing: str) -> str:
    """What a run may cost without its last part, where there is no room for all; "": ``doing`` says something else."""
    return doing.rpartition(", ")[0] if doing.startswith(AT_MOST) else ""


def remaining_words(run: AnalysisRun, remaining: Remaining, counted: str = "runs") -> tuple[str, str]:
    """What remains, and a sentence beside it (""). Of all runs that are allowed, of which an analysis that converges makes some
    only: those that confirm an answer at the fewest. Where a run is not back that should be, it is more than that. ``counted``:
    what runs are called, "points" where each takes several."""
    answer, left = run.data.answer, remaining.left
    told = {} if answer is None else answer.diagnostics
    after = told.get(ENDS_AFTER, told.get(FEWEST_LEFT))
    latest = remaining.of(left)[1]
    if remaining.late:
        rest = duration_range(latest, latest).removeprefix("about ")
        return (f"over {rest}" if latest >= 1.0 else LATER), LATE.format(since=duration(remaining.since_s), runs=counted)
    most = duration_range(latest, latest).removeprefix("about ")
    soonest = 0.0 if after is None or left <= after else remaining.of(round(after))[0]
    if after is None or left <= after or (ENDS_AFTER not in told and soonest < SOON_S):
        return (f"up to {most}" if most[:1].isdigit() else most), ""
    n = round(after)
    if ENDS_AFTER not in told:
        return duration_range(soonest, latest), f"Not before {n} more {counted}; how many it takes, nobody can know yet"
    runs = f"1 more {counted.removesuffix('s')} confirms" if n == 1 else f"{n} more {counted} confirm"
    near = f"The figures asked for are met: it may end as soon as {runs} the answer"
    return (duration_range(soonest, latest) if soonest >= SOON_S else f"soon – {most}"), near


def waiting_words(run: AnalysisRun) -> str:
    """In few words that a place is silent, where there is no room for why; "": it is not."""
    return f"“{one_line(run.places.where, 30)}” is waited for" if run.active and run.data.silent else ""


def _silence(run: AnalysisRun) -> str:
    """Why the place does not answer, and when it was tried."""
    what, _, rest = run.data.silent.partition(". ")
    at = time.strftime("%H:%M:%S", time.localtime(run.data.silent_tried))
    tried = "trying again now" if run.data.trying else f"tried at {at}"
    return f"{what.rstrip('.')}; {tried}. {rest}".rstrip()


def verdict_of(run: AnalysisRun, counted: str = "runs") -> tuple[str, str, tuple[str, ...]]:
    """Of the newest answer: its word, its tone, the reasons. While a place is silent: why, since nothing is newer. ``counted``:
    as for ``remaining_words``."""
    if waiting_words(run):
        return "Waiting", "warning", (run.data.silent,)
    trace, answer = run.data.trace, run.data.answer
    if not trace or answer is None:
        waits = run.data.silent if run.active else run.left.words
        if waits:
            return "No answer yet", "", (waits,)
        ended = run.data.outcome if run.corrects else None
        if run.answers_from is not None:
            return "No answer yet", "", ("The answer comes in seconds, from the runs there are.",)
        return "No answer yet", "", (f"The first answer comes after the first {counted}." if ended is None else ended.words,)
    reasons = as_allowed(trace[-1].reasons, run.n_runs, run.budget)
    if trace[-1].warm_up and run.active:
        return "Warming up", "busy", reasons
    tone, words = chip_of(answer)
    return words, tone, reasons
