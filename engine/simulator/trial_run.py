"""One evaluation at chosen values, and everything a person needs to see whether it works ("Test run").

Asked to repeat, it runs again with the same values, which shows whether the program is random; if the answers are
equal to the last digit it also runs once with slightly moved values, which shows whether the program takes any notice of
them or reads an old file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from ..answer.predictions.differences import largest_difference
from ..answer.same_outputs import IGNORES, same_again
from ..likelihood import evaluate
from ..problem import program
from ..problem.checks.check_random import seed_places, ways_out
from ..problem.checks.validate import check
from ..problem.data.dates.clock_zones import check_zones
from ..problem.data.rows.comparison import ComparisonError
from ..problem.definition import Predictions, Problem, is_noisy, runs_per_point
from ..problem.errors import ProblemError, SetupError
from ..problem.extract import texts_of
from ..problem.numbers.shown_digits import spoken
from ..problem.placeholders import FIRST_SEED
from ..problem.transforms import ParameterSpace
from ..protocol import TrialFile, TrialOutput, TrialPrediction, TrialRunReport
from ..session import trial_folders
from ..session.trust.consent import Permit
from . import preflight, run_folder, trial_files, written_texts
from .alone import idle_parameters
from .beside_script import BesideScript
from .computed_outputs import computed
from .failure_rules import recorded_outcome
from .fill import Filled, fill_simulator
from .run_result import Cancel, RunResult
from .runner import Attempt, environment_of, run_once, working_folder
from .working_files import WorkingFiles

SHIFT = 0.1  # of the plausible range, for the moved values


def trial_run(
    problem: Problem,
    values: Mapping[str, float],
    base: Path,
    repeat: int = 1,
    *,
    permit: Permit,
    folder: Path | None = None,
    cancel: Cancel | None = None,
    attempt: Attempt | None = None,
    alone: bool = False,
) -> TrialRunReport:
    """Run the simulator of ``problem`` at ``values`` (user's units; fixed parameters may be left out).

    ``alone``: each parameter is moved alone too, where a run is quick enough, to see which change nothing.
    ``folder``: where the run folders are made; None: a temporary one, kept so that it can be looked at.
    ``attempt`` as for ``run_once``.
    """
    everything = {p.name: p.fixed for p in problem.parameters if p.fixed is not None} | dict(values)
    place = folder or trial_folders.new()
    there = _chosen_folder(problem, place / "run-1", base)
    run = partial(_run, problem, permit=permit, base=base, cancel=cancel, attempt=attempt)
    beside = BesideScript(problem.simulator, base, place / "run-1") if there is None else None
    runs = [run(everything, place / "run-1", FIRST_SEED)]
    strayed = beside.found() if beside is not None else None
    written = there.written(runs[0].started_at, trial_files.MAX_TEXT) if there is not None else ()
    while len(runs) < repeat and runs[-1].outcome == "ok":
        runs.append(run(everything, place / f"run-{len(runs) + 1}", FIRST_SEED + len(runs)))
    again = partial(run, folder=place / "run-moved", seed=FIRST_SEED)
    if problem.outputs or any(one.outcome != "ok" for one in runs):
        agree, words = _compare(problem, everything, runs, again)
    else:
        agree, words = _compare_texts(problem, everything, len(runs), place, base, again)
    report = _report(problem, everything, runs[0], place / "run-1", base, agree, words, written)
    if alone and agree is not False:
        wrote = partial(written_texts.written, inputs=trial_files.inputs(problem, base))
        idle = idle_parameters(problem, everything, runs[0], run, place / "run-alone", wrote, wrote(place / "run-1"))
        report = msgspec.structs.replace(report, idle=idle)
    if agree is False and len(runs) > 1 and runs[1].outcome == "ok":
        made = [file.name for file in report.files if file.role == "produced"]
        report = msgspec.structs.replace(report, again=trial_files.again(place / "run-1", place / "run-2", made))
    further = [one.duration_s for one in runs[1:] if one.outcome == "ok"]
    return msgspec.structs.replace(report, beside=strayed, again_s=float(np.median(further)) if further else None)


def _run(
    problem: Problem,
    values: Mapping[str, float],
    folder: Path,
    seed: int,
    *,
    permit: Permit,
    base: Path,
    cancel: Cancel | None,
    attempt: Attempt | None,
) -> RunResult:
    return run_once(
        problem.simulator, problem.outputs, values, permit=permit, folder=folder, base=base, seed=seed, cancel=cancel,
        attempt=attempt,
    )  # fmt: skip


def _chosen_folder(problem: Problem, folder: Path, base: Path) -> WorkingFiles | None:
    """The state of the user's own working folder before the run; None if each run works in its run folder."""
    try:
        where = working_folder(problem.simulator, folder, base)
    except SetupError:
        return None
    return None if where == folder else WorkingFiles(where)


# ------------------------------------------------------------------ random, or reading an old file?


def _compare(
    problem: Problem,
    values: Mapping[str, float],
    runs: list[RunResult],
    run_at: Callable[[Mapping[str, float]], RunResult],
) -> tuple[bool | None, str]:
    if len(runs) < 2:
        return None, ""
    bad = next((i for i, run in enumerate(runs) if run.outcome != "ok"), None)
    if bad is not None:
        return False, f"Run {bad + 1} with the same values failed: {runs[bad].reason}"
    every = [computed(problem, run.outputs) for run in runs]
    change = max(_difference(every[0], outputs) for outputs in every[1:])
    if change > 0.0:
        why = "each had a different seed" if seed_places(problem) else "the program is random"
        said = f"With the same values the outputs differ by up to {spoken(100 * change, 2)} %: {why}."
        return False, said if is_noisy(problem.meaning) else f"{said} {ways_out(problem.meaning)}"
    moved = _moved(problem, values)
    if moved is None:
        return True, "With the same values the outputs are the same to the last digit."
    last = run_at(moved)
    if last.outcome == "ok" and _difference(every[0], computed(problem, last.outputs)) == 0.0:
        return True, (
            f"The outputs stay the same even when the parameters are changed. {IGNORES}: compare the filled files and the "
            "command with what the program expects."
        )
    return True, (
        "With the same values the outputs are the same to the last digit; with changed values they change. "
        f"{same_again(problem)} It takes notice of the parameters."
        if last.outcome == "ok"
        else f"With the same values the outputs are the same to the last digit; with changed values it failed: {last.reason}"
    )


def _compare_texts(
    problem: Problem,
    values: Mapping[str, float],
    count: int,
    place: Path,
    base: Path,
    run_at: Callable[[Mapping[str, float]], RunResult],
) -> tuple[bool | None, str]:
    """While no output is marked: what ``count`` runs below ``place`` wrote."""
    if count < 2:
        return None, ""
    inputs, moved = trial_files.inputs(problem, base), _moved(problem, values)

    def other() -> Mapping[str, list[str]] | None:
        assert moved is not None
        return written_texts.written(place / "run-moved", inputs) if run_at(moved).outcome == "ok" else None

    texts = [written_texts.written(place / f"run-{i + 1}", inputs) for i in range(count)]
    return written_texts.repeated_words(texts, None if moved is None else other, same_again(problem))


def _difference(a: Mapping[str, NDArray[np.float64]], b: Mapping[str, NDArray[np.float64]]) -> float:
    """Largest change of an output relative to its size; infinity if their lengths differ."""
    found = largest_difference(a, b)
    return 0.0 if found is None else found.relative


def _moved(problem: Problem, values: Mapping[str, float]) -> dict[str, float] | None:
    """Every free parameter moved a little towards the middle of its plausible range; None if there is none to move."""
    space = _space(problem)
    if space is None:
        return None
    lower, upper = space.plausible_box()
    with np.errstate(all="ignore"):
        u = np.asarray(space.to_inference(np.array([values[name] for name in space.names])), dtype=float)
    u = np.clip(np.where(np.isnan(u), 0.5 * (lower + upper), u), lower - 5 * (upper - lower), upper + 5 * (upper - lower))
    direction = np.where(u <= 0.5 * (lower + upper), 1.0, -1.0)
    return {**values, **space.values(u + SHIFT * direction * (upper - lower))}


def _space(problem: Problem) -> ParameterSpace | None:
    """None while nothing is to be learned yet, or a prior is wrong: a test run is possible all the same."""
    try:
        return ParameterSpace(problem.parameters)
    except ProblemError:
        return None


# ------------------------------------------------------------------ the report


def _report(
    problem: Problem,
    values: Mapping[str, float],
    run: RunResult,
    folder: Path,
    base: Path,
    agree: bool | None,
    words: str,
    written: tuple[TrialFile, ...],
) -> TrialRunReport:
    simulator = problem.simulator
    filled = _filled(problem, values, folder)
    likelihood, noise_sd, trouble = None, 0.0, None
    outcome: Literal["ok", "failed", "impossible", "cancelled"]
    outcome = "cancelled" if run.cause == "cancelled" else recorded_outcome(simulator.failures, run)
    unfinished = _unfinished(problem)
    if run.outcome == "ok" and not unfinished:
        try:
            likelihood, noise_sd = evaluate.log_likelihood(problem, run.outputs, values, texts_of(run.readings))
        except evaluate.LikelihoodError as error:
            trouble = error
            outcome = "impossible" if error.impossible else "failed"
    stdout, stdout_cut = trial_files.stream(folder / run_folder.STDOUT)
    stderr, stderr_cut = trial_files.stream(folder / run_folder.STDERR)
    try:
        where = str(working_folder(simulator, folder, base))
    except SetupError:
        where = simulator.working_folder or ""
    return TrialRunReport(
        outcome=outcome,
        reason=run.reason or (str(trouble) if trouble else ""),
        correct="place" if run.refused_by == "queue" else run.refused_by,
        told=run.told,
        values=dict(values),
        command=run.command or simulator.command,
        program=run.program,
        working_folder=where,
        run_folder=str(folder),
        stdin=filled.stdin if filled else simulator.stdin,
        environment=filled.environment if filled else dict(simulator.environment),
        exit_code=run.exit_code,
        duration_s=run.duration_s,
        stdout=stdout,
        stderr=stderr,
        stdout_cut=stdout_cut,
        stderr_cut=stderr_cut,
        files=trial_files.files(problem, run, folder, base, written),
        outputs=_outputs(problem, run),
        log_likelihood=likelihood,
        log_prior=_log_prior(problem, values),
        noise_sd=noise_sd,
        predictions=_predictions(problem, values, run),
        repeats_agree=agree,
        repeats_words=words,
        warnings=(*run.notes, *filter(None, [unfinished]), *_warnings(problem, filled, folder, base)),
    )


def _unfinished(problem: Problem) -> str:
    """What is still missing before a likelihood can be computed, a sentence: no reason to call the run itself failed."""
    repeats = runs_per_point(problem.meaning)
    if repeats > 1:
        return f"One run gives no likelihood here: up to {repeats} runs per point are needed. The noise check makes several."
    places = ("outputs", "meaning", "data")
    return next((f.message for f in check(problem) if f.level == "error" and f.where.startswith(places)), "")


def _filled(problem: Problem, values: Mapping[str, float], folder: Path) -> Filled | None:
    try:
        return fill_simulator(problem.simulator, values, FIRST_SEED, str(folder))
    except SetupError:
        return None


def _predictions(problem: Problem, values: Mapping[str, float], run: RunResult) -> tuple[TrialPrediction, ...]:
    if run.outcome != "ok" or not isinstance(problem.meaning, Predictions) or _unfinished(problem):
        return ()
    try:
        check_zones(problem, texts_of(run.readings))
        found = evaluate.predictions(problem, run.outputs, values)
    except ComparisonError:
        return ()  # the likelihood said why
    return tuple(
        TrialPrediction(
            column=c.match.column,
            key_column=", ".join(column for _, column in c.match.keys),
            key=_numbers(c.x),
            measured=_numbers(c.data),
            predicted=_numbers(c.prediction),
            sd=() if c.sd is None else _numbers(c.sd),
        )
        for c in found
    )


def _numbers(values: NDArray[np.float64]) -> tuple[float | None, ...]:
    return tuple(float(value) if np.isfinite(value) else None for value in values)


def _log_prior(problem: Problem, values: Mapping[str, float]) -> float | None:
    space = _space(problem)
    if space is None or any(name not in values for name in space.names):
        return None
    density = float(space.log_prior(np.array([values[name] for name in space.names], dtype=float)))
    return density if np.isfinite(density) else None


def _outputs(problem: Problem, run: RunResult) -> tuple[TrialOutput, ...]:
    unread = "It was not read, because the run failed before." if run.outcome == "failed" else ""
    found = []
    for output in problem.outputs:
        reading = run.readings.get(output.name)
        if reading is None:
            trouble = run.problems.get(output.name, unread)
            found.append(TrialOutput(name=output.name, source=output.source, problem=trouble))
        else:
            read = TrialOutput(name=output.name, source=output.source, spans=reading.spans, texts=reading.texts)
            found.append(msgspec.structs.replace(read, values=_numbers(run.outputs[output.name])))
    return tuple(found)


def _warnings(problem: Problem, filled: Filled | None, folder: Path, base: Path) -> tuple[str, ...]:
    if filled is None or not filled.command:
        return ()
    try:
        where = working_folder(problem.simulator, folder, base)
        found = program.resolve(filled.command, base, folder, environment_of(filled), where)
    except SetupError:
        return ()
    return tuple(preflight.hint_about_arguments(found, base, where))
