"""A run as a job for another computer: its files, and what must be known afterwards to judge what came back."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ..problem import bundled, program
from ..problem.definition import Output, Simulator
from ..problem.errors import SetupError
from ..session.profiles import Profile
from ..session.trust.consent import Permit
from ..simulator import limits, preflight, run_folder
from ..simulator.fill import Filled, fill_simulator
from ..simulator.runner import compiled_files, environment_of
from ..simulator.sources import names_of
from .job_script import Extra, Watched, job_script, program_script
from .place import Place
from .queues import asked

LOCAL_PYTHON = "python3"  # what runs a bundled example there


@dataclass(frozen=True)
class Brought:
    """A file or folder of this machine that belongs into the run folder there."""

    path: Path
    target: str
    link: bool = False

    @property
    def changed(self) -> float | None:
        return self.path.stat().st_mtime if self.path.is_file() else None


@dataclass(frozen=True)
class RemoteJob:
    """``arguments``: the command there; ``sources``: files of the run folder that are read afterwards; ``limit_s``: of it."""

    filled: Filled
    arguments: tuple[str, ...]
    environment: Mapping[str, str]
    brought: tuple[Brought, ...]
    sources: tuple[str, ...]
    limit_s: float | None
    simulator: Simulator

    def files(self, place: Place, token: str) -> dict[str, str]:
        """What the attempt's folder is made of; extra files are sent on the way. Raises SetupError, Unreachable."""
        profile, limit = place.profile, self.simulator.limits
        extras = [Extra(place.bring(b.path), b.target, b.link, b.changed) for b in self.brought]
        login = any(line.strip() for line in profile.setup)
        directives = place.queue.directives(asked(profile, token, self.limit_s, limit.memory_mb))
        watched = Watched(self.limit_s, limit.memory_mb, limit.output_mb, limit.files_mb)
        texts = {f"texts/{name}": text for name, text in self.filled.templates.items()}
        script = job_script(
            directives, place.folder(token), extras, list(self.filled.templates), self.sources, watched,
            has_stdin=self.filled.stdin is not None, login=login,
        )  # fmt: skip
        files = {"program.sh": program_script(self.arguments, self.environment, profile.setup, login), **texts}
        if self.filled.stdin is not None:
            files["stdin"] = self.filled.stdin
        return files | {"job.sh": script}

    def local_twin(self, name: str) -> Path | str | None:
        """What a source was before the run: the text of a template, or the file that was brought; None: it was not there."""
        if name in self.filled.templates:
            return self.filled.templates[name]
        for brought in self.brought:
            if name == brought.target:
                return brought.path
            if name.startswith(f"{brought.target}/"):
                inside = brought.path / name.removeprefix(f"{brought.target}/")
                return inside if inside.is_file() else None
        return None


def refusal(simulator: Simulator, permit: Permit, name: str) -> str:
    """Why a simulator cannot run on another computer at all, a sentence; "" if it can."""
    if simulator.working_folder is not None:
        return (
            f"A simulator with a fixed working folder (“{simulator.working_folder}”) cannot run on {name}: jobs at the same time "
            "would write over each other's files there. On the Simulator page choose a fresh folder for each run, and add the "
            "files it needs as extra files."
        )
    if permit.confined:
        return (
            f"Confined runs cannot be kept in their sandbox on {name}. If you trust the program, switch “Runs are confined” off "
            "(Simulator page, Limits), or run it on this computer."
        )
    return ""


def remote_job(
    simulator: Simulator, outputs: Sequence[Output], values: Mapping[str, float], seed: int, limit_s: float | None, *,
    permit: Permit, base: Path, local: Path, run: str, profile: Profile,
) -> RemoteJob:  # fmt: skip
    """``run``: the run folder there; ``local``: that of this machine, empty, where templates stand for a moment.

    Raises SetupError (FillError for a value that does not fit).
    """
    filled = fill_simulator(simulator, values, seed, run)
    run_folder.write_texts(local, filled.templates)
    brought = [_extra(extra.path, extra.target, extra.link, base, local) for extra in simulator.extra_files]
    arguments, more = _program(filled, base, local, run, profile)
    environment = dict(filled.environment)
    for name, text in compiled_files(permit).items():
        environment.setdefault(name, text if not profile.host else "1")
    if profile.host:  # caches of this machine are not there
        environment = {n: t for n, t in environment.items() if n in filled.environment or n == "PYTHONDONTWRITEBYTECODE"}
    sources = tuple(sorted(name for name in names_of(outputs, simulator) if _may_be_read(name)))
    limit = limits.shorter(limit_s, simulator.limits.time_s)
    return RemoteJob(filled, arguments, environment, (*brought, *more), sources, limit, simulator)


def _may_be_read(name: str) -> bool:
    """A name below the run folder, for a shell's list."""
    path = PurePosixPath(name)
    return bool(name) and not path.is_absolute() and ".." not in path.parts and not any(c in name for c in "\0\n\r")


def _extra(path: str, target: str, link: bool, base: Path, local: Path) -> Brought:
    source = (base / os.path.expanduser(path)).absolute()
    inside = run_folder.inside(local, target or source.name)  # raises SetupError for a name that is none
    if not source.exists():
        raise SetupError(
            f"The extra file “{path}” is not there (looked for at “{source}”).",
            "Was it moved or renamed? Choose it again on the Simulator page.",
        )
    if local.resolve().is_relative_to(source.resolve()):
        raise SetupError(
            f"The extra folder “{path}” holds the run folders themselves, so it cannot be sent.",
            "Choose only the files and folders that the program needs.",
        )
    return Brought(source, inside.relative_to(local).as_posix(), link)


def _program(
    filled: Filled, base: Path, local: Path, run: str, profile: Profile
) -> tuple[tuple[str, ...], tuple[Brought, ...]]:
    """The command there, and which of its files have to be sent."""
    command = filled.command or ("",)
    found = program.resolve(command, base, local, environment_of(filled))
    if not profile.host:
        if found.found or not profile.setup or not command[0] or os.sep in command[0]:  # else “module load” may make it known
            preflight.check(found, environment_of(filled))
        return tuple(_moved(argument, local, run) for argument in found.arguments), ()
    if not command[0]:
        raise SetupError("No program is chosen.", "Choose the program to run on the Simulator page.")
    if bundled.is_bundled(command[0]):
        return _bundled(command, run)
    arguments, brought = list(command), []
    where = _sent(command[0], Path(found.arguments[0]), base, local) if found.found else None
    if where is not None:
        preflight.check(found, environment_of(filled))
        arguments[0] = f"{run}/{where.name}"
        brought.append(Brought(where, where.name))
    if found.script is not None:
        script = Path(found.arguments[found.script])
        if script.is_relative_to(local):
            arguments[found.script] = _moved(str(script), local, run)
        elif script.is_file():
            arguments[found.script] = f"{run}/{script.name}"
            brought.append(Brought(script, script.name))
    return tuple(arguments), tuple(brought)


def _bundled(command: Sequence[str], run: str) -> tuple[tuple[str, ...], tuple[Brought, ...]]:
    bundled.resolve(command[0])
    script = bundled.examples_folder() / bundled.PROGRAMS[command[0].removeprefix(bundled.PREFIX)][1]
    if not script.is_file():
        raise SetupError(
            f"The bundled program “{command[0]}” cannot run on another computer from this copy of Bayescope.",
            "Run it on this computer.",
        )
    return (LOCAL_PYTHON, "-I", "-S", f"{run}/{script.name}", *command[1:]), (Brought(script, script.name),)


def _sent(chosen: str, found: Path, base: Path, local: Path) -> Path | None:
    """The program's file, if it is one of the analysis and not one that the other computer has itself."""
    if local in found.parents or not found.is_file():
        return None
    absolute = Path(os.path.expanduser(chosen)).is_absolute()
    beside = found.is_relative_to(base)
    return found if beside or (not absolute and os.sep in chosen) else None


def _moved(argument: str, local: Path, run: str) -> str:
    """An argument that names a file of the run folder here, as it is named there."""
    prefix = f"{local}{os.sep}"
    return f"{run}/{argument.removeprefix(prefix)}" if argument.startswith(prefix) else argument
