"""Running a program in a sandbox: no network, home hidden but for what the problem names, only the run folder writable.

By bubblewrap where it works, which also ends whatever the program leaves running; else by Landlock (landlock.py).
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ..machine.frozen import is_frozen, packed_program
from ..problem.bundled import examples_folder
from ..session.places import home
from ..session.trust import confinement
from ..session.trust.consent import Permit

LANDLOCK_OPTION = "--confine"
# Sockets in these folders lead out of any sandbox (message bus, X, docker); temporary files of others are nobody's business
HIDDEN = ("/tmp", "/var/tmp", "/run", "/home", "/root", "/mnt", "/media")
USUAL = ("Desktop", "Documents", "Downloads", "Music", "Pictures", "Public", "Templates", "Videos")
KEPT_OF_RUN = ("/run/current-system", "/run/opengl-driver", "/run/systemd/resolve")  # NixOS keeps its programs there
_SECRET = re.compile(
    r".*(TOKEN|SECRET|PASSW|CREDENTIAL|COOKIE|API_?KEY|ACCESS_?KEY|PRIVATE).*|(SSH|GPG|DBUS|AWS|AZURE|GOOGLE|GITHUB|GITLAB|DOCKER|"
    r"KUBE|VAULT|BAYESCOPE)_.*|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR|KUBECONFIG|NETRC|PGPASSFILE"
)


def environment_inside(environment: Mapping[str, str], declared: Mapping[str, str]) -> dict[str, str]:
    """``environment`` without what looks like a secret or leads to a desktop, unless the problem ``declared`` it."""
    return {name: value for name, value in environment.items() if name in declared or not _SECRET.fullmatch(name)}


def wrap(arguments: Sequence[str], permit: Permit, folder: Path, where: Path) -> list[str]:
    """The command that starts ``arguments`` confined. ``folder``: the run folder; ``where``: the working folder.

    Both can be written. Raises RuntimeError where this computer has no sandbox (``confinement.kind``).
    """
    readable = list(dict.fromkeys(str(path) for path in _needed(arguments, permit, where)))
    writable = list(dict.fromkeys([str(folder), str(where)]))
    if confinement.kind() == "bubblewrap":
        scratch = int(permit.simulator.limits.files_mb * 1e6)
        return [*_bubblewrap(readable, writable, where, scratch), "--", *arguments]
    if confinement.kind() == "landlock":
        listed = [place for place in permit.found.folders if not _too_much(Path(place))]
        rules = {"hidden": _hidden(), "readable": readable, "listed": listed, "writable": writable}
        return [*_landlock_command(), json.dumps(rules), *arguments]
    raise RuntimeError(confinement.words())


def trouble_of_sandbox(stderr: str, exit_code: int | None) -> str:
    """What went wrong with the sandbox itself, from the program's error output; empty if nothing did."""
    first = stderr.lstrip().split("\n", 1)[0]
    own = first.startswith(("bwrap: ", "bayescope-confine: "))
    return first.split(": ", 1)[1] if own and exit_code == 1 else ""


def exit_code_outside(code: int | None) -> int | None:
    """bubblewrap's exit code as the program's own: death by a signal is told as 128 and its number."""
    if code is not None and confinement.kind() == "bubblewrap" and 128 < code <= 128 + 64:
        return -(code - 128)
    return code


# ------------------------------------------------------------------ what the program must see


def _hidden() -> list[str]:
    places = [*HIDDEN, str(Path.home()), str(home())]
    return [place for place in dict.fromkeys(os.path.realpath(p) for p in places) if os.path.isdir(place) and place != "/"]


def _needed(arguments: Sequence[str], permit: Permit, where: Path) -> Iterator[Path]:
    """Files and folders in hidden places that the program needs, to be read only."""
    whole: set[Path] = set()
    modules = []
    for file, path in ((f, Path(p)) for f, p in zip(permit.found.files, permit.found.paths, strict=True) if p):
        if file.role in ("module", "compiled module"):
            modules.append(path)
            continue
        yield path
        places = (path.parent, path.resolve().parent) if file.role in ("program", "script") else ()
        near = (permit.folder, permit.folder.resolve(), path.parent)  # a link may lead anywhere
        whole |= {place for place in places if place in near and not _private(place)}
    yield from whole
    yield from (path for path in modules if path.is_symlink() or whole.isdisjoint(path.parents))
    if arguments and os.path.isabs(arguments[0]):
        yield from _around_program(Path(arguments[0]))
    if sys.executable in arguments[:1]:
        yield from (Path(sys.prefix), Path(sys.base_prefix), examples_folder())
    for entry in os.environ.get("PATH", "").split(os.pathsep):
        if entry and os.path.isdir(entry):
            yield from _prefix(Path(entry))
    yield from (Path(place) for place in KEPT_OF_RUN if os.path.exists(place))


def _around_program(program: Path) -> Iterator[Path]:
    for path in (program, program.resolve()):
        yield path
        yield from _prefix(path.parent)


def _prefix(folder: Path) -> Iterator[Path]:
    """Where the libraries of the programs in ``folder`` are: beside it, if it is called bin."""
    prefix = folder.parent if folder.name in ("bin", "Scripts", "shims") else folder
    if folder in _usual_folders():
        return
    if not _too_much(prefix):
        yield prefix
    elif not _too_much(folder):
        yield from (folder, folder.parent / "lib")


def _too_much(folder: Path) -> bool:
    """A folder that must not be shown as a whole: a home, or what holds one, or the user's .local with its keys."""
    own = Path.home()
    whole = {own, own / ".local", own / ".local" / "share", own / ".config", *(Path(p) for p in HIDDEN)}
    return folder in whole or own.is_relative_to(folder)


def _private(folder: Path) -> bool:
    """A folder that holds more than a program: too much of the home, where people keep their files, or a hidden one."""
    own = Path.home()
    hidden = folder.is_relative_to(own) and any(part.startswith(".") for part in folder.relative_to(own).parts)
    return hidden or folder in _usual_folders() or _too_much(folder)


def _usual_folders() -> set[Path]:
    """Where people keep their files, by the names that desktops give; in a folder of its own beneath, a study is shown whole."""
    own = Path.home()
    return {own / name for name in USUAL}


# ------------------------------------------------------------------ the sandboxes


def _bubblewrap(readable: Sequence[str], writable: Sequence[str], where: Path, scratch_bytes: int) -> list[str]:
    command = [confinement.bubblewrap(), *confinement.namespaces()]
    hidden = _hidden()
    size = ["--size", str(scratch_bytes)] if confinement.limits_scratch() else []
    for place in hidden:
        command += [*size, "--tmpfs", place]
    for path in dict.fromkeys(place for named in readable for place in (named, os.path.realpath(named))):
        if _is_below(path, hidden) and os.path.exists(path):
            command += ["--ro-bind", path, path]
    own = os.path.realpath(home())
    if os.path.isdir(own) and any(_is_below(own, [path]) for path in readable):
        command += [*size, "--tmpfs", own]
    for path in writable:
        command += ["--bind", path, path]
    return [*command, "--chdir", str(where)]


def _is_below(path: str, places: Sequence[str]) -> bool:
    """Whether ``path`` itself, which may be a link, lies in one of ``places``."""
    here = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
    return any(here == place or here.startswith(place.rstrip("/") + "/") for place in places)


def _landlock_command() -> list[str]:
    if is_frozen():
        return [*packed_program(), LANDLOCK_OPTION]
    return [sys.executable, "-I", "-S", str(Path(__file__).with_name("landlock.py"))]
