"""Archives that are no tables: an earlier session, and a folder of earlier run folders."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..answer.known_runs import counted_runs
from ..problem import extract, placeholders
from ..problem.definition import Problem
from ..problem.errors import ProblemError
from ..problem.numbers.number_text import NUMBER, value_of
from ..session.store import SessionStore
from .output_columns import can_hold_outputs, with_outputs
from .table import ArchiveError, Table

MAX_FOLDERS = 200_000
MAX_RUN_FILE_BYTES = 64 * 1024 * 1024
VALUES_FILES = ("values.json", "parameters.json", "params.json", "values.txt", "parameters.txt", "params.txt")
STREAM_FILES = {
    "stdout": ("bayescope_stdout.txt", "stdout.txt", "stdout", "output.txt"),
    "stderr": ("bayescope_stderr.txt", "stderr.txt"),
}
LOG_LIKELIHOOD, LOG_POSTERIOR, NOISE = "log_likelihood", "log_posterior", "noise_sd"
_ASSIGNMENT = re.compile(rf"^\s*([^\s=:,;]+)\s*[=:,;\s]\s*({NUMBER})\s*$")


def read_session(path: Path) -> Table:
    """The evaluations of another session: its parameters, log_likelihood, log_posterior and noise_sd. Raises SessionError
    or ArchiveError. Nothing in the other session is run or changed."""
    with SessionStore.open(path, mode="read") as store:
        names = tuple(p.name for p in store.problem.parameters)
        evaluations, made = counted_runs(store), store.evaluation_count
        older = store.archive()
    failed = sum(e.outcome == "failed" for e in evaluations)
    rows, outputs = [], []
    for e in evaluations:
        if e.outcome == "failed":
            continue
        likelihood = -math.inf if e.outcome == "impossible" or e.log_likelihood is None else e.log_likelihood
        rows.append([*(e.values.get(n, math.nan) for n in names), likelihood, likelihood + e.log_prior, e.noise_sd])
        outputs.append(e.outputs)
    if not rows:
        raise ArchiveError("That session has no finished evaluations.", str(path), "Choose a session that was run.")
    notes = [f"{failed:,} failed runs of that session were left out."] if failed else []
    if made > len(evaluations):
        notes.append(f"{made - len(evaluations):,} values of that session, far off their neighbours, were left out.")
    if older is not None:
        notes.append("The evaluations that session had imported itself were left out; import them from their own file.")
    table = Table((*names, LOG_LIKELIHOOD, LOG_POSTERIOR, NOISE), np.array(rows), path.name, tuple(notes), "session")
    return with_outputs(table, outputs)


@dataclass(frozen=True)
class FoundRun:
    """A run as its folder tells it: all parameters, log-likelihood (or log posterior), sd of its noise, outputs (L,)."""

    values: dict[str, float]
    log_likelihood: float
    noise_sd: float
    outputs: dict[str, NDArray[np.float64]]


def read_run_folders(folder: Path, problem: Problem, progress: Callable[[int, int], None] | None = None) -> Table:
    """Every subfolder as one earlier run: parameter values from a values file or from the filled templates, outputs by the
    problem's own extractors, the likelihood by its own rules. Raises ArchiveError if none can be used."""
    try:
        found = sorted(p for p in folder.iterdir() if p.is_dir())[:MAX_FOLDERS]
    except OSError as error:
        raise ArchiveError(f"The folder cannot be read ({error.strerror or error}).", str(folder)) from error
    if not found:
        raise ArchiveError(
            "There are no run folders in it.", str(folder), "Choose the folder that holds one folder per run."
        )
    runs: list[FoundRun] = []
    trouble: dict[str, int] = {}
    for i, run in enumerate(found):
        try:
            runs.append(read_run(run, problem))
        except ProblemError as error:
            reason = error.what
            trouble[reason] = trouble.get(reason, 0) + 1
        if progress is not None:
            progress(i + 1, len(found))
    why = sorted(trouble.items(), key=lambda item: -item[1])
    if not runs:
        raise ArchiveError(
            f"None of the {len(found):,} folders could be used. The commonest reason: {why[0][0]}", str(folder)
        )
    left_out = [("1 folder was" if count == 1 else f"{count:,} folders were", reason) for reason, count in why[:5]]
    return table_of(runs, problem, folder.name, [f"{folders} left out: {reason}" for folders, reason in left_out])


def table_of(runs: Sequence[FoundRun], problem: Problem, source: str, notes: Sequence[str] = ()) -> Table:
    """Parameters, value, noise and, where the problem compares them with data, outputs; one row for each run."""
    from ..problem.definition import LogPosteriorOutput

    names = tuple(p.name for p in problem.parameters)
    rows = [[*(run.values[n] for n in names), run.log_likelihood, run.noise_sd] for run in runs]
    value = LOG_POSTERIOR if isinstance(problem.meaning, LogPosteriorOutput) else LOG_LIKELIHOOD
    table = Table((*names, value, NOISE), np.array(rows), source, tuple(notes), "run folders")
    return with_outputs(table, [run.outputs for run in runs]) if can_hold_outputs(problem) else table


def read_run(run: Path, problem: Problem) -> FoundRun:
    """One run folder. Raises ProblemError, in words, where something is not there or cannot be read."""
    from ..likelihood.evaluate import LikelihoodError, log_likelihood

    values = _values_of(run, problem)
    readings = {}
    for output in problem.outputs:
        text = _source(run, output.source)
        try:
            readings[output.name] = extract.read_output(output, text)
        except extract.ExtractionError as error:
            raise ArchiveError(_general(str(error))) from error
    try:
        outputs = {name: extract.values_of(reading) for name, reading in readings.items()}
        value, noise = log_likelihood(problem, outputs, values, extract.texts_of(readings))
    except LikelihoodError as error:
        if error.impossible:
            return FoundRun(values, -math.inf, 0.0, outputs)
        raise ArchiveError(_general(str(error))) from error
    return FoundRun(values, value, noise, outputs)


def _general(sentence: str) -> str:
    """Numbers out of a sentence, so that equal reasons are counted together."""
    return re.sub(NUMBER, "…", sentence)


def _text(path: Path) -> str:
    if path.stat().st_size > MAX_RUN_FILE_BYTES:
        raise ArchiveError("A file is larger than any run writes.")
    try:
        return extract.decode(path.read_bytes(), path.name)
    except extract.ExtractionError as error:
        raise ArchiveError(str(error)) from error


def _source(run: Path, source: str) -> str:
    names = STREAM_FILES.get(source, (source,))
    for name in names:
        path = run / name
        if path.is_file() and path.resolve().is_relative_to(run.resolve()):
            return _text(path)
    raise ArchiveError(f"There is no {names[0]} in it.")


def _values_of(run: Path, problem: Problem) -> dict[str, float]:
    """All parameters of the run. Fixed ones may be missing."""
    values = {p.name: float(p.fixed) for p in problem.parameters if p.fixed is not None}
    wanted = {p.name for p in problem.parameters}
    for name in VALUES_FILES:
        path = run / name
        if path.is_file():
            read = _json_values(_text(path), name) if name.endswith(".json") else _assignments(_text(path))
            values |= {k: v for k, v in read.items() if k in wanted}
            break
    else:
        for template in problem.simulator.templates:
            path = run / template.target
            if path.is_file():
                values |= {k: v for k, v in values_in_template(template.text, _text(path)).items() if k in wanted}
    missing = sorted(wanted - set(values))
    if missing:
        raise ArchiveError(
            f"No value of {', '.join(missing)} was found in a filled template or in one of {', '.join(VALUES_FILES[:2])}."
        )
    return values


def _json_values(text: str, name: str) -> dict[str, float]:
    try:
        read = json.loads(text, parse_float=value_of)
    except (ValueError, RecursionError) as error:
        raise ArchiveError(f"{name} is no JSON.") from error
    if not isinstance(read, dict):
        raise ArchiveError(f"{name} does not hold names with numbers.")
    values = {str(k): value_of(str(v)) for k, v in read.items() if isinstance(v, (int, float)) and not isinstance(v, bool)}
    return {k: v for k, v in values.items() if v is not None}


def _assignments(text: str) -> dict[str, float]:
    """Lines such as ``rho = 0.3``."""
    found = {}
    for line in text.splitlines():
        match = _ASSIGNMENT.match(line)
        value = None if match is None else value_of(match[2])
        if match is not None and value is not None:
            found[match[1]] = value
    return found


def values_in_template(template: str, filled: str) -> dict[str, float]:
    """The numbers that stand where the template has placeholders, line by line; lines that differ elsewhere are passed over."""
    found: dict[str, float] = {}
    texts, lines = template.splitlines(), filled.splitlines()
    if len(texts) != len(lines):
        return found
    for text, line in zip(texts, lines, strict=True):
        spots = placeholders.find(text)
        if not spots:
            continue
        if any(before[2] == after[1] for before, after in pairwise(spots)):
            continue  # nothing stands between two numbers, so that nobody knows where the first one ends
        pattern, last = "", 0
        for _, start, end in spots:
            pattern += _literal(text[last:start]) + rf"\s*({NUMBER})"
            last = end
        match = re.fullmatch(pattern + _literal(text[last:]) + r"\s*", line)
        if match is None:
            continue
        for (name, _, _), number in zip(spots, match.groups(), strict=True):
            value = value_of(number)
            if value is not None:
                found[name] = value
    return found


def _literal(text: str) -> str:
    """Any amount of white space stands for white space: numbers may have been padded."""
    return r"\s+".join(re.escape(part) for part in re.split(r"\s+", text.replace("@@", "@")))
