"""One run of a simulator, from parameter values to outputs or a reason. Never raises for a simulator's fault."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from ..problem.definition import Output, Simulator
from ..problem.extract import ExtractionError, Reading, decode, read_output, values_of
from . import failure_rules, freshness, limits, preflight, program, run_folder
from .errors import SetupError
from .fill import Filled, FillError, fill_simulator
from .folder_turns import turn
from .processes import SimulatorProcess

Cause = Literal["", "program", "output", "limit", "input", "setup", "cancelled"]
GRACE_S = 1.0  # between asking a program to end and ending it
TAIL_BYTES = 8000


class Cancel(Protocol):
    """A ``threading.Event``, or anything like it (see executors.py for clusters)."""

    def is_set(self) -> bool: ...


@dataclass(frozen=True)
class RunResult:
    """What became of one run.

    ``cause``: "program" (it failed), "output" (it ended well, but what it wrote cannot be used), "limit",
    "input" (a value does not fit its number format), "setup" (nothing to do with the values: program missing, disk full;
    the next run would fail too), "cancelled".
    ``files``: names and bytes of what lies in the run folder. ``notes``: remarks on a good run.
    """

    outcome: Literal["ok", "failed"]
    reason: str = ""
    outputs: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    duration_s: float = 0.0
    started_at: float = 0.0
    exit_code: int | None = None
    command: tuple[str, ...] = ()
    stdout_tail: str = ""
    stderr_tail: str = ""
    files: dict[str, int] = field(default_factory=dict)
    cause: Cause = ""
    notes: tuple[str, ...] = ()
    attempts: int = 1
    program: str = ""
    problems: dict[str, str] = field(default_factory=dict)  # output name -> why it could not be read
    readings: dict[str, Reading] = field(default_factory=dict)


def run_once(
    simulator: Simulator,
    outputs_spec: Sequence[Output],
    values: Mapping[str, float],
    *,
    folder: Path,
    base: Path,
    seed: int,
    time_limit: float | None = None,
    cancel: Cancel | None = None,
) -> RunResult:
    """Run ``simulator`` at ``values`` (user's units, all parameters) in the fresh ``folder``; all arguments are plain data.

    ``base``: the folder relative paths are from. ``seed``: for ``@seed@``; retries get others (``retry_seed``).
    ``time_limit``: seconds; the shorter of it and the simulator's own counts. A failed attempt is repeated as the failure
    rules say, unless a limit was broken or the set-up is wrong.
    """
    folder, base = Path(folder).absolute(), Path(base).absolute()
    result = RunResult("failed")
    for attempt in range(simulator.failures.retries + 1):
        result = _attempt(simulator, outputs_spec, values, folder, base, retry_seed(seed, attempt), time_limit, cancel)
        result = replace(result, attempts=attempt + 1)
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
        filled = fill_simulator(simulator, values, seed, str(folder))
        result = replace(result, command=filled.command)
        run_folder.make_fresh(folder)
        run_folder.bring_extra_files(folder, simulator.extra_files, base, simulator.limits.files_mb * limits.MEGABYTE)
        run_folder.write_texts(folder, filled.templates)
        environment = environment_of(filled)
        where = working_folder(simulator, folder, base)
        found = program.resolve(filled.command or ("",), base, folder, environment, where)
        result = replace(result, program=found.arguments[0])
        preflight.check(found, environment)
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
        return _execute(simulator, outputs_spec, filled, found, environment, folder, where, time_limit, cancel, result)


def _execute(
    simulator: Simulator,
    outputs_spec: Sequence[Output],
    filled: Filled,
    found: program.Program,
    environment: Mapping[str, str],
    folder: Path,
    where: Path,
    time_limit: float | None,
    cancel: Cancel | None,
    result: RunResult,
) -> RunResult:
    sources = _Sources(folder, where, [*outputs_spec], simulator)
    streams = [folder / run_folder.STDOUT, folder / run_folder.STDERR]
    started_at, clock = time.time(), time.monotonic()
    sources.started_at = started_at
    result = replace(result, started_at=started_at)
    try:
        process = _start(found, filled, environment, folder, where, streams)
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
        stdout_tail=_tail(streams[0]), stderr_tail=_tail(streams[1]),
    )  # fmt: skip
    if cancelled:
        return replace(result, cause="cancelled", reason="The run was stopped because you asked for it.")
    if broken:
        return replace(result, cause="limit", reason=broken + _said(result))
    return _judge(simulator, outputs_spec, sources, result)


def _start(
    found: program.Program,
    filled: Filled,
    environment: Mapping[str, str],
    folder: Path,
    where: Path,
    streams: Sequence[Path],
) -> SimulatorProcess:
    try:
        if filled.stdin is not None:
            (folder / run_folder.STDIN).write_bytes(filled.stdin.encode())
        with (
            open(folder / run_folder.STDIN if filled.stdin is not None else os.devnull, "rb") as stdin,
            open(streams[0], "wb") as stdout,
            open(streams[1], "wb") as stderr,
        ):
            return SimulatorProcess.start(found.arguments, where, environment, stdin, stdout, stderr)
    except PermissionError:
        raise SetupError(
            f"The system does not let “{found.arguments[0]}” run.",
            "It may lie on a drive from which nothing may be started, or be blocked by a security program.",
        ) from None
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise SetupError(f"“{found.chosen}” could not be started: {words}.", "Check the command line.") from None


def _judge(
    simulator: Simulator, outputs_spec: Sequence[Output], sources: _Sources, result: RunResult
) -> RunResult:
    """Failure rules first, then the outputs."""
    rules = simulator.failures
    reason = failure_rules.exit_reason(rules, result.exit_code)
    if reason:
        return replace(result, cause="program", reason=reason + _said(result))
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
        others = len(problems) - 1
        more = f" ({others} more outputs could not be read.)" if others > 1 else ""
        return replace(result, cause="output", reason=next(iter(problems.values())) + more + _said(result))
    reason = failure_rules.values_reason(rules, outputs)
    return replace(result, cause="output", reason=reason) if reason else replace(result, outcome="ok")


def read_outputs(
    outputs_spec: Sequence[Output], text: TextOf
) -> tuple[dict[str, Reading], dict[str, str]]:
    """All outputs that can be read, and for the others why not."""
    readings: dict[str, Reading] = {}
    problems: dict[str, str] = {}
    for output in outputs_spec:
        try:
            content = text(output.source)
        except ExtractionError as error:
            problems[output.name] = str(error)
            continue
        try:
            readings[output.name] = read_output(output, content)
        except ExtractionError as error:
            problems[output.name] = str(error)
    return readings, problems


class TextOf(Protocol):
    """The text of a source ('stdout', 'stderr' or a file name). Raises ExtractionError."""

    def __call__(self, source: str, /) -> str: ...


class _Sources:
    """Texts that this run wrote, each read once; the files' earlier state is noted when this is made."""

    def __init__(self, folder: Path, where: Path, outputs_spec: Sequence[Output], simulator: Simulator) -> None:
        self._folder = folder
        self._where = where
        self.started_at = 0.0
        self._texts: dict[str, str] = {}
        names = {output.source for output in outputs_spec} | {p.source for p in simulator.failures.patterns}
        self._before = {
            path: freshness.note(path) for name in names - {"stdout", "stderr"} for path in self._places(name)
        }

    def _places(self, name: str) -> list[Path]:
        """In the run folder, else in the working folder where that is another."""
        folders = [self._folder] if self._where == self._folder else [self._folder, self._where]
        return [folder / name for folder in folders] if name and "\0" not in name else []

    def text(self, source: str) -> str:
        if source not in self._texts:
            self._texts[source] = self._read(source)
        return self._texts[source]

    def _read(self, source: str) -> str:
        if source in ("stdout", "stderr"):
            path = self._folder / (run_folder.STDOUT if source == "stdout" else run_folder.STDERR)
            try:
                return decode(path.read_bytes(), source)
            except OSError:
                raise ExtractionError("What the program printed is gone: it deleted its own run folder.") from None
        places = self._places(source)
        if not places:
            raise ExtractionError("No file name is given for an output.")
        path = next((place for place in places if os.path.lexists(place)), places[-1])
        data = freshness.read_fresh(path, self._before.get(path, freshness.Before()), self.started_at, source)
        if not data:
            raise ExtractionError(f"The file “{source}” is empty: the program stopped before it wrote anything into it.")
        return decode(data, source)


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
    """This process's environment plus what the user declared, minus what a frozen application adds for itself."""
    environment = dict(os.environ)
    if getattr(sys, "frozen", False):
        for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):
            original = environment.pop(f"{name}_ORIG", None)
            environment.pop(name, None)
            if original:
                environment[name] = original
    return environment | filled.environment


def _tail(path: Path) -> str:
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - TAIL_BYTES))
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""


def _said(result: RunResult) -> str:
    return failure_rules.last_words(result.stderr_tail, result.stdout_tail)
