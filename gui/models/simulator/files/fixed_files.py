"""Fixed input files and folders as they are put into each run: by their path from the folder of the program. Reads folders."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from itertools import islice
from pathlib import Path

import msgspec

from bayescope.engine.problem.definition import ExtraFile, Simulator
from bayescope.gui.models.simulator.files.program_folder import program_folder
from bayescope.gui.models.simulator.files.strayed_files import relative_name

OWN = (".bayescope", ".runs", ".pyc", "__pycache__")  # endings of what no program reads

MOST_LOOKED_AT = 1000  # files of a folder, to tell results from input


def roots(simulator: Simulator, folder: Path) -> tuple[Path, ...]:
    """Folders that the names in a run's folder are paths from: of the program, and of the fixed files there are. ``folder``: of
    the analysis."""
    found = [program_folder(simulator, folder)]
    for extra in simulator.extra_files:
        path, target = (folder / Path(extra.path).expanduser()).absolute(), Path(extra.target or Path(extra.path).name)
        if len(target.parts) > 1 and path.parts[-len(target.parts) :] == target.parts:
            found.append(Path(*path.parts[: -len(target.parts)]))
    return tuple(dict.fromkeys(root for root in found if root is not None))


def fixed_files(paths: Iterable[Path], simulator: Simulator, folder: Path) -> tuple[ExtraFile, ...]:
    """``paths`` with their names in the run's folder; those of files that lie in several chosen folders from their common one."""
    chosen, known = list(paths), roots(simulator, folder)
    above = {path.parent for path in chosen}
    if len(above) > 1:
        shared = Path(os.path.commonpath(above))
        known = (*known, shared) if len(shared.parts) > 1 else known
    return tuple(_extra(path, relative_name(path, known)) for path in chosen)


def whole_folder(path: Path, simulator: Simulator, folder: Path, written: Collection[str] = ()) -> tuple[ExtraFile, ...]:
    """The folder ``path`` as one of the fixed files; of that of the program, or one above it, what lies in it, without its
    script, what is there already, and what a test run has ``written`` there."""
    own = program_folder(simulator, folder)
    if own is None or not own.resolve().is_relative_to(path.resolve()):
        return fixed_files([path], simulator, folder)
    scripts = {Path(word).name for word in simulator.command}
    taken = {extra.target or Path(extra.path).name for extra in simulator.extra_files} | {t.target for t in simulator.templates}
    names = [n for n in sorted(p.name for p in path.iterdir()) if not n.startswith(".") and not n.endswith(OWN)]
    names = [name for name in names if name not in scripts | taken and not _only_written(path, name, written)]
    return tuple(ExtraFile(path=str(path / name)) for name in names)


def without_filled(simulator: Simulator, path: Path, target: str, folder: Path) -> Simulator:
    """Without the fixed file ``path``, or one of its name in the run's folder, that is filled in as ``target`` now."""
    return msgspec.structs.replace(simulator, extra_files=tuple(
        extra for extra in simulator.extra_files
        if (extra.target or Path(extra.path).name) != target and not _is_same(folder / Path(extra.path).expanduser(), path)
    ))  # fmt: skip


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.is_file() and one.samefile(other)
    except OSError:
        return False


def _only_written(folder: Path, name: str, written: Collection[str]) -> bool:
    """Whether every file of ``folder/name`` is one that a test run has written."""
    files = (f.relative_to(folder).as_posix() for f in (folder / name, *(folder / name).rglob("*")) if f.is_file())
    found = list(islice(files, MOST_LOOKED_AT))
    return bool(found) and set(found) <= set(written)


def _extra(path: Path, name: str) -> ExtraFile:
    return ExtraFile(path=str(path), target=name if "/" in name else "")
