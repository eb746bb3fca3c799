"""What came back from another computer, judged as a run on this one is."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ..problem.definition import Output, Simulator
from ..simulator import limits, run_folder
from ..simulator.freshness import Before, note
from ..simulator.run_folder import STDERR, STDOUT
from ..simulator.run_result import RefusedBy, RunResult
from ..simulator.runner import TAIL_BYTES, judge, said
from ..simulator.sources import Sources
from ..simulator.streams import streams_in
from .job_script import FULL, MISSING, NOT_ALLOWED, SETUP_FAILED
from .place import Ended
from .queues import JOB_LOG
from .remote_job import RemoteJob

Fetched = Mapping[str, tuple[bytes, float]]
_OWN = ("exit.json", "started.json", "files.txt", "stale.txt", "before.txt", "prepare.log", JOB_LOG)
SIGNALLED = 128  # a shell adds the number of the signal to this


def names_wanted(job: RemoteJob) -> list[str]:
    """Files of an attempt's folder that tell how it went."""
    return [*_OWN, f"run/{STDOUT}", f"run/{STDERR}", *(f"run/{name}" for name in job.sources)]


def unpack(fetched: Fetched, folder: Path) -> None:
    """Files of run/ into the run folder of this machine, with their times. Raises OSError, SetupError."""
    for name, (data, changed) in fetched.items():
        if not name.startswith("run/"):
            continue
        inner = name.removeprefix("run/")
        path = folder / inner if inner in (STDOUT, STDERR) else run_folder.inside(folder, inner)
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_symlink():
            path.unlink()
        path.write_bytes(data)
        os.utime(path, (changed, changed))


def judged(
    simulator: Simulator, outputs: Sequence[Output], job: RemoteJob, fetched: Fetched, ended: Ended, folder: Path,
    result: RunResult, where: str,
) -> RunResult:  # fmt: skip
    """``folder``: where ``unpack`` put the files; ``where``: the place and node, for people. Raises OSError."""
    with streams_in(folder, empty=False) as streams:
        code = SIGNALLED - ended.code if SIGNALLED < ended.code <= SIGNALLED + 64 else ended.code
        result = replace(
            result, duration_s=ended.program_s, exit_code=code, files=_listed(fetched),
            stdout_tail=streams.tail(0, TAIL_BYTES), stderr_tail=streams.tail(1, TAIL_BYTES),
            notes=("The program left processes running when it ended; this was cleaned up.",) if ended.left else (),
        )  # fmt: skip
        words = _setup_words(ended.why, job, fetched, result, where)
        if words:
            if ended.why in (FULL, "prepare"):  # there may be room for the next run
                return replace(result, cause="setup", reason=words)
            by: RefusedBy = "place" if ended.why == SETUP_FAILED else "program"
            return replace(result, cause="refused", refused_by=by, reason=words)
        words = _limit_words(ended.why, simulator, job, result)
        if words:
            return replace(result, cause="limit", reason=words + said(result))
        sources = Sources(folder, folder, streams, outputs, simulator, False, _before(job, fetched, folder))
        sources.started_at = fetched["started.json"][1] if "started.json" in fetched else 0.0
        return judge(simulator, outputs, sources, result)


def _setup_words(why: str, job: RemoteJob, fetched: Fetched, result: RunResult, where: str) -> str:
    program = job.arguments[0]
    if why == MISSING:
        return (
            f"There is no program “{program}” on {where}. Install it there, add a set-up line such as “module load ...” to the "
            "place, or name it with the whole path that it has there."
        )
    if why == NOT_ALLOWED:
        return f"“{program}” may not be run on {where}: it is not marked as executable there (chmod +x)."
    if why == SETUP_FAILED:
        return (
            f"A set-up line of the place failed on {where}, or ended the shell.{said(result)} Correct the set-up lines "
            "(Run page, Settings…, Places…)."
        )
    if why == FULL:
        return (
            f"The program could not write on {where}: the disk is full there, or your quota is used up. Make room, or choose "
            f"another folder for the place (Run page, Settings…, Places…).{said(result)}"
        )
    if why == "prepare":
        told = fetched.get("prepare.log", (b"", 0.0))[0].decode("utf-8", "replace").strip()
        return f"The run folder could not be filled on {where}: {told[-300:]}. Is there room, and a quota left?"
    if result.exit_code == 126 and program.startswith("/"):
        return f"“{program}” cannot be run on {where}: it may be built for another system or processor.{said(result)}"
    return ""


def _limit_words(why: str, simulator: Simulator, job: RemoteJob, result: RunResult) -> str:
    kind, _, detail = why.partition(" ")
    limit = simulator.limits
    if kind == "time":
        return limits.time_words(job.limit_s or 0.0)
    if kind == "memory":
        used = float(detail) * 1024 / limits.MEGABYTE if detail.isdigit() else 0.0
        return limits.memory_words(used, limit.memory_mb or 0.0)
    if kind == "output":
        return limits.printed_words(limit.output_mb, limits.STREAM_WORDS[detail == STDERR])
    if kind == "files":
        return limits.files_words(limit.files_mb, max(result.files, key=lambda n: result.files[n], default="none"))
    return ""


def _listed(fetched: Fetched) -> dict[str, int]:
    found: dict[str, int] = {}
    for line in fetched.get("files.txt", (b"", 0.0))[0].decode("utf-8", "surrogateescape").splitlines():
        size, _, name = line.strip().partition(" ")
        if size.isdigit() and name.startswith("./"):
            found[name[2:]] = int(size)
    return found


def _before(job: RemoteJob, fetched: Fetched, folder: Path) -> dict[Path, Before]:
    """The state of sources that were there before the run, as if it had been noted here."""
    def lines(name: str) -> set[str]:
        return set(fetched.get(name, (b"", 0.0))[0].decode("utf-8", "surrogateescape").splitlines())

    stale, found = lines("stale.txt"), {}
    for name in lines("before.txt") & set(job.sources):
        path = folder / name
        twin = job.local_twin(name)
        if name in stale and path.exists():
            found[path] = note(path)
        elif isinstance(twin, str):
            found[path] = _of_text(twin)
        elif twin is not None:
            known = note(twin)
            found[path] = replace(known, modified_ns=0, inode=0)
    return found


def _of_text(text: str) -> Before:
    data = text.encode()
    return Before(len(data), 0, 0, hashlib.sha256(data).digest())
