"""One run of a simulator, from parameter values to outputs or a reason. Never raises for a simulator's fault."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..problem import program
from ..problem.definition import Output, Simulator
from ..problem.errors import SetupError
from ..problem.extract import ExtractionError, values_of
from ..session.places import home
from ..session.trust import confinement
from ..session.trust.consent import Permit
from . import confine, failure_rules, limits, preflight, run_folder
from .fill import Filled, FillError, fill_simulator
from .folder_turns import turn
from .processes import SimulatorProcess
from .run_result import Cancel, Cause, RunResult
from .sources import Sources, parts_of, read_outputs
from .streams import Streams, streams_in
from .told_in_files import told_in_files, words_of

GRACE_S = 1.0  # between asking a program to end and ending it
TAIL_BYTES = 8000
AGREE = "Start again: what is run is shown first, and you are asked."
# as ``_attempt``: one start of a program and its end, with a seed of its own; never raises for a simulator's fault
Attempt = Callable[
    [Simulator, Sequence[Output], Mapping[str, float], Permit, Path, Path, int, float | None, Cancel | None], RunResult
]


def run_once(
    simulator: Simulator,
    outputs_spec: Sequence[Output],
    values: Mapping[str, float],
    *,
    permit: Permit,
    folder: Path,
    base: Path,
    seed: int,
    time_limit: float | None = None,
    cancel: Cancel | None = None,
    attempt: Attempt | None = None,
) -> RunResult:
    """Run ``simulator`` at ``values`` (user's units, all parameters) in the fresh ``folder``.

    ``permit``: somebody's leave to run exactly this. ``base``: the folder relative paths are from. ``seed``: for ``@seed@``;
    retries get others (``retry_seed``).
    ``time_limit``: seconds; the shorter of it and the simulator's own counts. A failed attempt is repeated as the failure
    rules say, unless a limit was broken or the set-up is wrong. ``attempt``: in place of a start on this machine.
    """
    folder, base = Path(folder).absolute(), Path(base).absolute()
    result = RunResult("failed")
    for number in range(simulator.failures.retries + 1):
        refusal = permit.refusal(simulator, base)
        if refusal:
            return replace(result, cause="setup", reason=f"{refusal} Nothing was started. {AGREE}")
        own_seed = retry_seed(seed, number)
        result = (attempt or _attempt)(simulator, outputs_spec, values, permit, folder, base, own_seed, time_limit, cancel)
        result = replace(result, attempts=number + 1)
        if result.outcome == "ok" or result.cause not in ("program", "output"):
            break
    if result.outcome == "failed" and result.attempts > 1:
        result = replace(result, reason=f"It failed {result.attempts} times; the last time: {result.reason}")
    return result


def retry_seed(seed: int, attempt: int) -> int:
    """The seed of attempt 0, 1, ...; far apart, so that a retry does not repeat a neighbouring run. Fits 31 bits."""
    return seed if attempt == 0 else (seed + attempt * 1_000_003) % 2**31


def _attempt(
    simulator: Simulator,
    outputs_spec: Sequence[Output],
    values: Mapping[str, float],
    permit: Permit,
    folder: Path,
    base: Path,
    seed: int,
    time_limit: float | None,
    cancel: Cancel | None,
) -> RunResult:
    result = RunResult("failed", started_at=time.time())
    if cancel is not None and cancel.is_set():
        return replace(result, cause="cancelled", reason="The run was stopped before it started.")
    try:
        limits.check_disk_space(folder)
        if permit.foreign and folder.parent.is_symlink():
            raise SetupError(
                f"The folder for runs, “{folder.parent}”, is a link to another folder, and this analysis is not yours.",
                "Remove the link, or save the analysis under another name.",
            )
        filled = fill_simulator(simulator, values, seed, str(folder))
        result = replace(result, command=filled.command)
        run_folder.make_fresh(folder)
        run_folder.bring_extra_files(folder, simulator.extra_files, base, simulator.limits.files_mb * limits.MEGABYTE)
        run_folder.write_texts(folder, filled.templates)
        environment = environment_of(filled)
        kept = compiled_files(permit)
        for name, value in kept.items():
            environment.setdefault(name, value)
        if CACHE in kept and UNWRITTEN not in filled.environment:  # inherited, it would have each run compile its libraries anew
            environment.pop(UNWRITTEN, None)
        where = working_folder(simulator, folder, base)
        found = program.resolve(filled.command or ("",), base, folder, environment, where)
        result = replace(result, program=found.arguments[0])
        preflight.check(found, environment)
        start = _Start(found, found.arguments, environment, where)
        if permit.confined:
            start = _confined(start, permit, folder, filled)
    except FillError as error:
        return replace(result, cause="input", reason=str(error))
    except SetupError as error:
        return replace(result, cause="setup", reason=str(error))
    except (OSError, ValueError) as error:
        reason = f"The run could not be prepared: {error}. Check the command line and the names of files and folders."
        return replace(result, cause="setup", reason=reason)
    with turn(where, alone=where == folder, cancel=cancel) as free:
        if not free:
            return replace(result, cause="cancelled", reason="The run was stopped before it started.")
        try:
            with streams_in(folder) as streams:
                sources = Sources(folder, where, streams, outputs_spec, simulator, permit.confined)
                result = _execute(simulator, filled.stdin, start, folder, streams, sources, time_limit, cancel, result)
                return result if result.cause else judge(simulator, outputs_spec, sources, result)
        except OSError as error:
            reason = f"What the program prints cannot be written: {error.strerror}. Is the disk full?"
            return replace(result, cause="setup", reason=reason)


CACHE, UNWRITTEN = "PYTHONPYCACHEPREFIX", "PYTHONDONTWRITEBYTECODE"


def compiled_files(permit: Permit) -> dict[str, str]:
    """Where Python keeps what it compiles. Beside a script anybody may have put it: it is compared with what was agreed to, so
    that runs must not add any, or it is not used at all."""
    if permit.compares_compiled:
        return {UNWRITTEN: "1"}
    return {CACHE: str(home() / "pycache"), "NUMBA_CACHE_DIR": str(home() / "pycache" / "numba")}


@dataclass(frozen=True)
class _Start:
    """``arguments``: what is started, the sandbox included; ``where``: the folder it works in."""

    found: program.Program
    arguments: Sequence[str]
    environment: Mapping[str, str]
    where: Path
    confined: bool = False


def _confined(start: _Start, permit: Permit, folder: Path, filled: Filled) -> _Start:
    """Raises SetupError where this computer has no sandbox."""
    if not confinement.kind():
        raise SetupError(
            "The runs of this analysis are to be confined. " + confinement.words(),
            "Or switch “Runs are confined” off (Simulator page, Limits), if you trust the program.",
        )
    if permit.folder.is_relative_to(start.where.resolve()) or permit.folder.resolve().is_relative_to(start.where.resolve()):
        raise SetupError(
            f"A confined program cannot work in “{start.where}”, since the analysis itself is kept there.",
            "Choose another one, or switch “Runs are confined” off (Simulator page, Limits), if you trust the program.",
        )
    environment = confine.environment_inside(start.environment, filled.environment)
    if confinement.kind() == "landlock":
        environment["TMPDIR"] = str(folder)
    arguments = confine.wrap(start.arguments, permit, folder, start.where)
    return replace(start, arguments=arguments, environment=environment, confined=True)


def _execute(
    simulator: Simulator,
    stdin: str | None,
    start: _Start,
    folder: Path,
    streams: Streams,
    sources: Sources,
    time_limit: float | None,
    cancel: Cancel | None,
    result: RunResult,
) -> RunResult:
    """Start the program and wait until it is over; a result without a cause is still to be judged by its outputs."""
    started_at, clock = time.time(), time.monotonic()
    sources.started_at = started_at
    result = replace(result, started_at=started_at)
    try:
        process = _start(start, stdin, folder, streams)
    except SetupError as error:
        return replace(result, cause="setup", reason=str(error))
    watch = limits.Watch(
        simulator.limits, limits.shorter(time_limit, simulator.limits.time_s), process, folder, streams
    )
    broken, cancelled = "", False
    try:
        while not process.wait(watch.pause()):
            cancelled = cancel is not None and cancel.is_set()
            broken = "" if cancelled else watch.breach()
            if cancelled or broken:
                process.stop(GRACE_S)
                break
        duration = time.monotonic() - clock
    finally:
        left = process.finish()
    broken = broken or ("" if cancelled else watch.printed() or (watch.files() if duration > 0.2 else ""))
    watch.cut_streams()
    behind = "a process" if left == 1 else f"{left} processes"
    notes = (f"The program left {behind} running when it ended; this was cleaned up.",) if left else ()
    result = replace(
        result, duration_s=duration, exit_code=process.exit_code, notes=notes, files=run_folder.files_in(folder),
        stdout_tail=streams.tail(0, TAIL_BYTES), stderr_tail=streams.tail(1, TAIL_BYTES),
    )  # fmt: skip
    if start.confined:
        result = replace(result, exit_code=confine.exit_code_outside(process.exit_code))
        trouble = confine.trouble_of_sandbox(result.stderr_tail, process.exit_code)
        if trouble:
            return replace(result, cause="setup", reason=f"The sandbox for the program could not be made: {trouble}.")
    if cancelled:
        return replace(result, cause="cancelled", reason="The run was stopped because you asked for it.")
    if broken:
        return replace(result, cause="limit", reason=broken + said(result))
    return result


def _start(start: _Start, stdin_text: str | None, folder: Path, streams: Streams) -> SimulatorProcess:
    """The only place that starts a process for a problem."""
    try:
        if stdin_text is not None:
            (folder / run_folder.STDIN).write_bytes(stdin_text.encode())
        with open(folder / run_folder.STDIN if stdin_text is not None else os.devnull, "rb") as stdin:
            return SimulatorProcess.start(
                start.arguments, start.where, start.environment, stdin, streams.stdout, streams.stderr
            )
    except PermissionError:
        raise SetupError(
            f"The system does not let “{start.found.arguments[0]}” run.",
            "It may lie on a drive from which nothing may be started, or be blocked by a security program.",
        ) from None
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise SetupError(f"“{start.found.chosen}” could not be started: {words}.", "Check the command line.") from None


def judge(
    simulator: Simulator, outputs_spec: Sequence[Output], sources: Sources, result: RunResult
) -> RunResult:
    """What a program that has ended is worth: failure rules first, then the outputs."""
    rules = simulator.failures
    reason = failure_rules.exit_reason(rules, result.exit_code)
    if reason:
        return _failed(simulator, sources, result, "program", reason)
    try:
        reason = failure_rules.text_reason(rules, sources.text)
    except ExtractionError as error:
        reason = str(error)
    if reason:
        return replace(result, cause="program", reason=reason)
    readings, problems = read_outputs(outputs_spec, sources.text)
    outputs = {name: values_of(reading) for name, reading in readings.items()}
    result = replace(result, outputs=outputs, readings=readings, problems=problems)
    if problems:
        result = replace(result, outputs=outputs | parts_of(problems, outputs_spec, sources.text))
        others = len(problems) - 1
        more = f" ({others} more outputs could not be read.)" if others > 1 else ""
        return _failed(simulator, sources, result, "output", next(iter(problems.values())) + more)
    reason = failure_rules.values_reason(rules, outputs)
    return replace(result, cause="output", reason=reason) if reason else replace(result, outcome="ok")


def _failed(simulator: Simulator, sources: Sources, result: RunResult, cause: Cause, reason: str) -> RunResult:
    """With what it said last, or what a file that it wrote says where it printed no error."""
    words, printed = said(result), f"{result.stderr_tail}\n{result.stdout_tail}"
    told = told_in_files(simulator, sources.folder, printed, sources.started_at)
    if words == failure_rules.NOTHING:
        reason = reason.removesuffix(failure_rules.SEE)
    return replace(result, cause=cause, reason=reason + words + words_of(told), told=told)


def working_folder(simulator: Simulator, folder: Path, base: Path) -> Path:
    """Where the program works. Raises SetupError if the chosen folder is not there."""
    if simulator.working_folder is None:
        return folder
    chosen = (base / os.path.expanduser(simulator.working_folder)).absolute()
    if not chosen.is_dir():
        raise SetupError(
            f"The working folder “{simulator.working_folder}” is not there (looked for at “{chosen}”).",
            "Choose it again on the Simulator page.",
        )
    return chosen


def environment_of(filled: Filled) -> dict[str, str]:
    """This process's environment, which is the user's also in the packed application, plus what the user declared."""
    return {**os.environ, **filled.environment}


def said(result: RunResult) -> str:
    """The last line it printed, for the end of a reason."""
    return failure_rules.last_words(result.stderr_tail, result.stdout_tail)
