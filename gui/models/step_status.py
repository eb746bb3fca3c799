"""How a step of the workflow stands before its page has been built, so that pages are built on their first visit only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from bayescope.engine.problem.checks.check_random import seeded_but_exact
from bayescope.engine.problem.data.rows.censored import rows_with_value
from bayescope.engine.problem.data.rows.comparison import without_key
from bayescope.engine.problem.definition import Predictions, Problem, free_parameters
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.counting import noun
from bayescope.gui.analysis.declared_problem import EMPTY, DeclaredProblem
from bayescope.gui.analysis.next_step import go_words
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.errors.doubtful_errors import doubtful_errors
from bayescope.gui.models.data.keys.known_keys import known_keys
from bayescope.gui.models.data.meanings import compares_with_data
from bayescope.gui.models.data.partly import partly
from bayescope.gui.models.data.rows.rows_without_value import missing_cells, rows_without_value
from bayescope.gui.models.data.taking_part import idle_summaries, idle_summary_words
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.results.standing import results_status
from bayescope.gui.models.results.summary import chip_of
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.style.words import runs_done

Status = Literal["done", "todo", "locked", "error", "busy"]
_COMPARISON = ("meaning.noise", "meaning.matches", "meaning.summaries")  # parts of the meaning that the Data page edits
_PLACES = {
    "simulator": ("simulator", "outputs", "meaning"),
    "parameters": ("parameters",),
    "data": ("data", *_COMPARISON, "meaning.column"),
}
_EMPTY = {
    "simulator": "choose the program",
    "parameters": "declare the unknowns",
    "data": "import data",
    "run": "complete the steps before",
    "results": "run the analysis first",
}

RANDOM_BUT_EXACT = "random, but counts as exact"  # fits into the bar; the page says it in full, with the ways out
MOST_LEFT = 3  # comparisons named with the values that are left out of them
DEPENDS = "depends on the meaning"  # of the outputs: whether a table is needed at all


def guesses_words(names: Sequence[str], guessed: int) -> str:
    """What to do about the priors among the ``guessed`` ones that nobody has agreed to."""
    if len(names) == 1:
        return f"check the prior of {one_line(names[0], 20)}"
    return f"check {len(names)} {'' if len(names) == guessed else f'of {guessed} '}guessed priors"


def meaning_open(problem: Problem) -> bool:
    """Whether it is still to be said what the outputs mean."""
    return getattr(problem.meaning, "output", None) == ""


def page_to_open(problem: DeclaredProblem, run: AnalysisRun) -> str:
    """Where an analysis that was just opened is gone on with: its results when it is finished, else where it stands."""
    if run.state == "finished" and run.data.answer is not None:
        return "results"
    return "run" if run.n_runs or not problem.findings(level="error") else "simulator"


def step_status(controller: SessionController, key: str) -> tuple[Status, str]:
    """Status and words from what validation says and from the run."""
    if key == "results":
        if controller.run.data.answer is None:
            return "locked", _EMPTY[key]
        done, words = results_status(controller.run.data, controller.run.data.answer)
        return "done" if done else "todo", words
    if controller.problem.declared == EMPTY:
        return ("todo", _EMPTY[key]) if key != "run" else ("locked", _EMPTY[key])
    if key in _PLACES and (missing_words := _not_begun(controller.problem.declared, key)):
        return "todo", missing_words
    if key == "run":
        return run_status(controller.problem, controller.run, Trial.of(controller))
    trial = Trial.of(controller)
    fault = trial.fault() if key == "data" and not controller.problem.locked else None
    errors = [f for place in _PLACES[key] for f in controller.problem.findings(place, "error")]
    if key == "simulator":
        errors = [f for f in errors if not f.where.startswith(_COMPARISON)]
    if errors and not (fault is not None and errors == [fault[0]]):
        random = key == "simulator" and errors[0] == seeded_but_exact(controller.problem.declared)
        return "error", RANDOM_BUT_EXACT if random else errors[0].message
    if fault is not None:
        return "todo", fault[0].message
    if key == "parameters" and (unsure := trial.answers.open_guesses()):
        return "todo", guesses_words(unsure, len(trial.answers.guessed()))
    if key == "simulator" and controller.run.corrects == "program":
        return "error", "cannot be run where runs happen"
    problem = controller.problem.declared
    if key == "data" and hasattr(problem.meaning, "summaries") and not controller.problem.locked:
        left = idle_summaries(problem, known_keys(problem, trial).steady, trial.answers.settled.not_needed)
        if words := idle_summary_words(problem, left):
            return "todo", words
    if key == "data" and not controller.problem.locked and (doubt := doubtful_errors(problem)) is not None:
        return "todo", doubt.question
    if key == "data" and not controller.problem.locked and (few := partly(trial).step):
        return "todo", few
    if key == "data" and (asked := trial.open_question) is not None:
        return "todo", asked.caption
    if key == "data":
        return "done", data_words(problem) if problem.data is not None else "complete"
    if key == "simulator" and (unread := trial.unread()):
        return "todo", unread_words(unread)
    if key == "simulator" and (misread := trial.misread()):
        return "todo", misread_words(misread)
    free, outputs = len(free_parameters(problem)), len(problem.outputs)
    return "done", f"{free} to learn" if key == "parameters" else f"{outputs} output{'s' if outputs != 1 else ''} read"


def unread_words(names: Sequence[str]) -> str:
    """Of outputs that were marked in a file which no run has written yet."""
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"No run has written {one_line(names[0], 24)}{more} yet: press Test run"


def misread_words(names: Sequence[str]) -> str:
    """Of outputs that the newest test run did not give."""
    return f"{one_line(names[0], 24)} cannot be read" + (f", nor can {len(names) - 1} more" if len(names) > 1 else "")


def runs_known(run: AnalysisRun) -> int:
    """Those behind the answer too, which is there before they are read, and those that have returned and wait to count."""
    answer, progress = run.data.answer, run.data.progress
    waiting = progress.evaluations + progress.held if progress is not None and runs_held(run) else 0
    return max(run.n_runs, waiting, 0 if answer is None else answer.trace.n_evaluations)


def runs_held(run: AnalysisRun) -> int:
    """Runs that have returned, and count when the first of them, made a second time, gives the same."""
    return run.data.progress.held if run.active and run.data.progress is not None else 0


def run_status(problem: DeclaredProblem, run: AnalysisRun, trial: Trial | None = None) -> tuple[Status, str]:
    """Of the step Run. ``trial``: tells whether all outputs are compared, and which priors nobody has looked at."""
    n = runs_known(run)
    counted = noun(problem.declared)
    done = runs_done(n, run.budget, counted)
    if run.active:
        return "busy", f"{'waiting for the place' if run.data.silent else run.state}, {done}"
    if run.corrects == "place":
        return "error", "the place takes no job; correct it on the Run page"
    if run.corrects == "where":
        return "error", "jobs are left at another place"
    if run.corrects == "program":
        return "error", "the program cannot be run at the place"
    if run.corrects == "random":
        return "error", RANDOM_BUT_EXACT
    if run.corrected:
        return "todo", f"corrected; press {go_words(run)}"
    if run.state in ("failed", "lost"):
        return "error", f"stopped by an error; press {go_words(run)}"
    level, verdict = chip_of(run.data.answer) if run.data.answer else ("warning", "")
    if level == "ok":
        return "done", f"{verdict.lower()} after {n} {counted}"
    if n:
        return "todo", f"{done}, {verdict.lower() or 'no answer yet'}"
    if problem.findings(level="error"):
        return "locked", _EMPTY["run"]
    few = partly(trial).few if trial is not None else ""
    if trial is not None and trial.idle:
        few = f"{len(trial.idle)} without effect"
    if trial is not None and not few and (unsure := trial.answers.open_guesses()):
        few = "1 prior is a guess" if len(unsure) == 1 else f"{len(unsure)} priors are guesses"
    return "todo", f"ready, but {few}" if few else "ready to start"


def data_words(problem: Problem) -> str:
    """How much was measured, of how many rows something is compared, how many values these are where it is another number, and
    how many of these are left out, and how many rows in no comparison."""
    meaning, data = problem.meaning, problem.data
    if not compares_with_data(meaning):
        return "Not needed here."
    rows = max((len(cells) for cells in (*data.columns.values(), *data.texts.values())), default=0) if data is not None else 0
    if not isinstance(meaning, Predictions) or data is None:
        return f"{rows} rows, {len(getattr(meaning, 'summaries', (1,)))} compared"
    present = [rows_with_value(data, m.column) for m in meaning.matches]
    left = [{row - 1 for row in m.left_out} & there for m, there in zip(meaning.matches, present, strict=True)]
    keyless = [without_key(m, data) & there - out for m, there, out in zip(meaning.matches, present, left, strict=True)]
    compared = [there - out - none for there, out, none in zip(present, left, keyless, strict=True)]
    used, values = set().union(*compared), sum(map(len, compared))
    out = set().union(*left) - used
    lost = set().union(*keyless) - used - out
    unused = rows - len(used) - len(out) - len(lost)
    gaps = missing_cells(problem)
    lacking, gone = len(gaps), {row for _, row in gaps} - used - out - lost
    empty = rows_without_value(problem).keys() - used - out - lost - gone  # those are said as the values that are missing
    lacking += len(empty) if lacking else 0  # one count of what is missing
    unused -= len(empty) + len(gone)
    part = len(set().union(*left) & used)
    every = f"{'' if part else 'all '}{rows} rows compared" if rows > 1 else "1 row compared"
    parts = [f"{len(used)} of {rows} rows compared" if len(used) < rows else every]
    if lacking:
        parts += [f"{lacking} missing" if len(present) == 1 else f"{lacking} value{'s' * (lacking > 1)} missing"]
        parts[0] = parts[0].removeprefix("all ")
    parts[0] += f": {values} values" if values > len(used) else ""
    parts += [_left_words([m.column for m in meaning.matches], [len(mine) for mine in left])] if any(left) else []
    parts += [f"{len(lost)} without a key"] if lost else []
    parts += [f"{len(empty)} without a value"] if empty and not lacking else []
    parts += [f"{unused} row{'s' * (unused > 1)} in no comparison"] if unused and meaning.matches else []
    return ", ".join(parts)


def _left_words(columns: Sequence[str], counts: Sequence[int]) -> str:
    """How many values are left out, and of which of several comparisons, ``counts`` of each."""
    some = [(column, n) for column, n in zip(columns, counts, strict=True) if n]
    said = f"{sum(counts)} left out"
    if len(counts) == 1:
        return said
    if len(some) == 1:
        return f"{said} of {one_line(some[0][0], 16)}"
    if len(some) > MOST_LEFT:
        return f"{said} of {len(some)} comparisons"
    return f"{said} ({', '.join(f'{n} of {one_line(column, 16)}' for column, n in some)})"


def _not_begun(problem: Problem, key: str) -> str:
    """What to do first where nothing was entered yet: that is a thing to do, not a mistake."""
    if key == "simulator" and not any(problem.simulator.command[:1]):
        return _EMPTY[key]
    if key == "simulator" and not problem.outputs:
        return "mark the numbers to read"
    if key == "parameters" and not problem.parameters:
        return _EMPTY[key]
    if key == "data" and problem.data is None and problem.outputs and meaning_open(problem):
        return DEPENDS
    if key == "data" and problem.data is None and (compares_with_data(problem.meaning) or not problem.outputs):
        return _EMPTY[key]
    return ""
