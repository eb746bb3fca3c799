"""Where analyses live on disk: drafts, recent files, copies for "Save as". No Qt.

An analysis that the user has not saved yet is a *draft*: a real session file in the application's own folder, so that nothing
is lost when the power goes. "Save as" moves a draft and copies a saved analysis, with its run folders.
"""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from bayescope.engine.problem.definition import Problem
from bayescope.engine.session.places import home as home
from bayescope.engine.session.places import is_draft as is_draft
from bayescope.engine.session.places import safe_stem as safe_stem

SUFFIX = ".bayescope"
MAX_RECENT = 12


def drafts_folder() -> Path:
    folder = home() / "drafts"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def new_draft_path(name: str) -> Path:
    """A path in the drafts folder that does not exist yet."""
    folder, stem = drafts_folder(), f"{safe_stem(name)}-{time.strftime('%Y%m%d-%H%M%S')}"
    path, k = folder / f"{stem}{SUFFIX}", 1
    while path.exists():
        k += 1
        path = folder / f"{stem}-{k}{SUFFIX}"
    return path


def copy_of(problem: Problem, name: str, plausible: Mapping[str, tuple[float, float]], folder: Path | None) -> Problem:
    """``problem`` under another name; ``plausible``: other ranges by parameter; ``folder``: where its relative paths are from."""
    import msgspec

    from bayescope.engine.problem.relocate import absolute_paths

    ranges = tuple(msgspec.structs.replace(p, plausible=plausible.get(p.name, p.plausible)) for p in problem.parameters)
    copy = msgspec.structs.replace(problem, name=name, parameters=ranges)
    return copy if folder is None else absolute_paths(copy, folder)


def runs_folder(session: Path) -> Path:
    """``NAME.runs`` beside ``NAME.bayescope``."""
    return session.with_name(session.name.removesuffix(SUFFIX) + ".runs")


def kept_run_folder(runs: Path, name: str) -> Path | None:
    """The kept folder of one run, None if there is none.

    ``name`` comes from the session file, which a stranger may have made: only a real folder right inside ``runs`` counts, never
    a path or a link that leads elsewhere.
    """
    if not name or name in (".", "..") or any(c in name for c in "/\\:\0"):
        return None
    folder = runs / name
    return folder if os.path.isdir(folder) and not os.path.islink(folder) else None


def replace_by_copy(copy_to: Callable[[Path], None], source: Path | None, target: Path) -> None:
    """Put a session made by ``copy_to`` at ``target``, with the run folders of ``source``: the user agreed to lose what is there.

    The copy is made beside the target and renamed, so a failure leaves an existing target untouched. When this returns all of
    it is safe from a power cut, so that a draft may be deleted. Raises SessionError if a session of that name is in use.
    """
    from bayescope.engine.session import replacing
    from bayescope.engine.session.errors import SessionError
    from bayescope.engine.session.lock import SessionLock, lock_path

    target.parent.mkdir(parents=True, exist_ok=True)
    holders = SessionLock(target).holders() if target.is_file() else []
    if holders:
        raise SessionError(f"“{target.name}” is in use by {holders[0].words()}", str(target), "Choose another name.")
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        copy_to(part)
        replacing.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
        lock_path(part).unlink(missing_ok=True)
    _replace_runs(None if source is None else runs_folder(source), runs_folder(target))


def _replace_runs(old: Path | None, new: Path) -> None:
    """Put a copy of the run folders ``old`` at ``new``, if there are any; whole and safe on disk, or not there."""
    from bayescope.engine.session import atomic
    from bayescope.engine.session.folders import copy_tree, remove

    part = new.with_name(f".{new.name}.{secrets.token_hex(4)}.part")
    try:
        if old is not None:
            copy_tree(old, part)
            atomic.flush_tree(part)
        remove(new)
        if os.path.isdir(part):
            atomic.give_folder_its_name(part, new)
    finally:
        remove(part)


def delete_session(path: Path) -> None:
    """Remove a session (a draft thrown away or moved), with its run folders."""
    from bayescope.engine.session.folders import remove
    from bayescope.engine.session.lock import lock_path

    path.unlink(missing_ok=True)
    path.with_name(path.name + "-journal").unlink(missing_ok=True)  # of a crash; it is worth nothing without the file
    lock_path(path).unlink(missing_ok=True)
    remove(runs_folder(path))


def forget_interruption(path: Path) -> None:
    """The user does not want to go on with the interrupted run of ``path`` now: it is not mentioned again."""
    from bayescope.engine.session.errors import SessionError
    from bayescope.engine.session.store import SessionStore

    try:
        with SessionStore.open(path) as store:
            if store.writable:
                store.acknowledge_interruption()
    except SessionError:
        return  # it cannot be written now; being told twice does no harm


# ------------------------------------------------------------------ recent analyses


def _recent_file() -> Path:
    return home() / "recent.json"


def recent() -> list[Path]:
    """Sessions opened lately that still exist, newest first; a damaged list is an empty one."""
    try:
        listed = json.loads(_recent_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    paths = [Path(p) for p in listed if isinstance(p, str)] if isinstance(listed, list) else []
    return [p for p in paths if p.is_file()]


def remember(path: Path) -> None:
    """Put ``path`` on top of the recent list. A list that cannot be written is no reason to stop."""
    path = path.resolve()
    listed = [str(path), *(str(p) for p in recent() if p != path)][:MAX_RECENT]
    _write_recent(listed)


def forget(path: Path) -> None:
    _write_recent([str(p) for p in recent() if p != path.resolve()])


def _write_recent(listed: list[str]) -> None:
    from bayescope.engine.session import atomic
    from bayescope.engine.session.errors import SessionError

    try:
        _recent_file().parent.mkdir(parents=True, exist_ok=True)
        atomic.write(_recent_file(), json.dumps(listed, indent=1).encode(), replace=True)
    except (OSError, SessionError):
        return


# ------------------------------------------------------------------ problem files


def load_problem(path: Path) -> Problem:
    """A problem JSON file. Raises ProblemError with words for people."""
    from bayescope.engine.problem.files import load

    return load(path)


def example_names() -> list[str]:
    """The bundled examples: folders of ``resources/examples`` with a ``problem.json``."""
    from importlib.resources import files

    root = files("bayescope.resources.examples")
    return sorted(d.name for d in root.iterdir() if d.is_dir() and (d / "problem.json").is_file())


def load_example(name: str) -> Problem:
    """Raises ProblemError, or FileNotFoundError if there is no such example."""
    from importlib.resources import as_file, files

    with as_file(files("bayescope.resources.examples") / name / "problem.json") as path:
        return load_problem(path)
