"""What a run of a simulator starts, reads and sends, as far as can be told without running it: its files by content.

Covered are the program and its script if the problem names them as files, the Python modules beside the script that it imports,
every other argument that names a file, and the extra files. Programs found by their bare name on the search path are the
computer's own. What a program reads besides, nobody can know beforehand.
"""

from __future__ import annotations

import ast
import hashlib
import itertools
import os
import shlex
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import msgspec

from ...problem.bundled import is_bundled
from ...problem.definition import ExtraFile, Simulator
from ...problem.errors import SetupError
from ...problem.placeholders import find
from ...problem.program import Program, resolve
from ..folders import files_below

Role = Literal["program", "script", "module", "argument", "extra file", "extra folder"]

WHOLE_BYTES = 64 * 1024 * 1024  # larger files are compared by size and samples: a window must not stand still
SAMPLES = 256
SAMPLE_BYTES = 65536
MAX_MODULES = 200
MAX_SCRIPT_BYTES = 2_000_000  # of a script that is searched for imports
MAX_FOLDER_FILES = 5_000  # of an extra folder, by name
MAX_FOLDER_BYTES = 256 * 1024 * 1024
NOT_THERE = ""
IN_PLACE = "used in place"
NO_RUN_FOLDER = ".no-run-folder-yet"


class RunFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file that a run starts or reads. ``name``: as the problem names it (modules: beside their script).

    ``digest``: SHA-256 of the content, hexadecimal; NOT_THERE; or IN_PLACE for a linked folder, whose content may change.
    """

    role: Role
    name: str
    digest: str
    size: int = 0


class Found(msgspec.Struct, frozen=True):
    """``files`` with where each lies now (an empty path: nowhere)."""

    files: tuple[RunFile, ...]
    paths: tuple[str, ...]
    program: str = ""  # what is started, with its folder

    def path_role(self, path: str) -> Role:
        """What the file at ``path``, one of ``paths``, is to the run."""
        return self.files[self.paths.index(path)].role


def what_runs(simulator: Simulator, folder: Path) -> Found:
    """The files of ``simulator``, relative paths being from ``folder``. Only looks; never raises for what is not there."""
    folder = folder.absolute()
    extras = {extra.target or Path(extra.path).name: extra for extra in simulator.extra_files}
    found: dict[tuple[str, str], tuple[RunFile, str]] = {}

    def add(role: Role, name: str, path: Path | None) -> None:
        digest, size = (NOT_THERE, 0) if path is None else _digest(path)
        found.setdefault((role, name), (RunFile(role, name, digest, size), "" if path is None else str(path)))

    program = _program(simulator, folder)
    if program is not None and not is_bundled(program.chosen):
        if _named_as_file(program, folder, simulator):
            add("program", program.chosen, _file(program.arguments[0]) or _among(program.chosen, extras, folder))
            _add_modules(add, program.arguments[0])
        for i, word in _words(program):
            path = _file(word) or _beside(word, simulator, folder) or _among(word, extras, folder)
            if i == program.script:
                add("script", simulator.command[i] if i < len(simulator.command) else word, path)
                if path is not None:
                    _add_modules(add, str(path))
            elif path is not None:
                add("argument", word, path)
    for extra in simulator.extra_files:
        path = _absolute(extra.path, folder)
        if os.path.isdir(path) and extra.link:
            found[("extra folder", extra.path)] = (RunFile("extra folder", extra.path, IN_PLACE), str(path))
        else:
            add("extra folder" if os.path.isdir(path) else "extra file", extra.path, path if os.path.exists(path) else None)
    listed = sorted(found.values(), key=lambda entry: (entry[0].role, entry[0].name))
    started = "" if program is None or not program.found else program.arguments[0]
    return Found(tuple(file for file, _ in listed), tuple(path for _, path in listed), started)


# ------------------------------------------------------------------ which files


def _program(simulator: Simulator, folder: Path) -> Program | None:
    """The program as a run would resolve it; None while none is chosen, or its name depends on a parameter."""
    if not simulator.command or not simulator.command[0] or find(simulator.command[0]):
        return None
    environment = {**os.environ, **simulator.environment}
    where = None if simulator.working_folder is None else _absolute(simulator.working_folder, folder)
    try:
        return resolve(simulator.command, folder, folder / NO_RUN_FOLDER, environment, where)
    except (SetupError, ValueError, OSError):
        return None


def _named_as_file(program: Program, folder: Path, simulator: Simulator) -> bool:
    """Whether the problem names a file, or a bare name that is not on the search path, rather than a program of the system."""
    if os.sep in program.chosen or (os.altsep is not None and os.altsep in program.chosen):
        return True
    return not program.found or Path(program.arguments[0]).parent in (
        folder, _absolute(simulator.working_folder or ".", folder)
    )  # fmt: skip


def _words(program: Program) -> Iterator[tuple[int, str]]:
    """(position, text) of what may name a file: whole arguments, what follows ``=``, the words of a text for a shell."""
    for i, argument in enumerate(program.arguments[1:], start=1):
        if any(c.isspace() or c in ";&|" for c in argument):
            yield from ((-1, word) for word in _shell_words(argument))
        if argument and "\0" not in argument and not find(argument):
            yield i, argument
            if argument.startswith("-") and "=" in argument:
                yield -1, argument.split("=", 1)[1]


def _shell_words(text: str) -> Iterator[str]:
    """Words of a shell's command that may name files."""
    words = shlex.shlex(text.replace("\0", " "), posix=True, punctuation_chars=True)
    words.whitespace_split, words.commenters = True, ""
    try:
        found = list(words)
    except ValueError:  # a quote that is never closed
        found = text.split()
    yield from (word for word in found if word and not find(word))


def _file(word: str) -> Path | None:
    path = Path(os.path.expanduser(word))
    return path if path.is_absolute() and os.path.isfile(path) else None


def _beside(word: str, simulator: Simulator, folder: Path) -> Path | None:
    places = [folder]
    if simulator.working_folder is not None:
        places.append(_absolute(simulator.working_folder, folder))
    return next((place / word for place in places if word and len(word) < 1000 and os.path.isfile(place / word)), None)


def _among(word: str, extras: dict[str, ExtraFile], folder: Path) -> Path | None:
    """The source of an extra file that a command names by its place in the run folder."""
    plain = Path(word).as_posix()
    for target, extra in extras.items():
        source = _absolute(extra.path, folder)
        if plain == Path(target).as_posix() and os.path.isfile(source):
            return source
        if plain.startswith(f"{Path(target).as_posix()}/") and os.path.isfile(source / plain[len(target) + 1 :]):
            return source / plain[len(target) + 1 :]
    return None


def _absolute(path: str, folder: Path) -> Path:
    return (folder / os.path.expanduser(path)).absolute()


def _add_modules(add: Callable[[Role, str, Path | None], None], script: str) -> None:
    for module in imported_modules(Path(script)):
        add("module", os.path.relpath(module, Path(script).parent), module)


def imported_modules(script: Path) -> list[Path]:
    """Python files in the folder of ``script`` that it imports, and what these import there; read, never run."""
    folder, found, queue = script.parent, dict[Path, None](), [script]
    while queue and len(found) < MAX_MODULES:
        for name in _imports(queue.pop()):
            stem = folder.joinpath(*name.split("."))
            for path in (stem.with_name(stem.name + ".py"), stem / "__init__.py"):
                if path not in found and os.path.isfile(path):
                    found[path] = None
                    queue.append(path)
    return list(found)


def _imports(path: Path) -> list[str]:
    """Names of modules that a Python file imports; remembered as long as its state does not change."""
    key = (str(path), state_of(str(path)))
    if key not in _known_imports:
        _known_imports[key] = _read_imports(path)
    return _known_imports[key]


def _read_imports(path: Path) -> list[str]:
    try:
        with path.open("rb") as file:
            text = file.read(MAX_SCRIPT_BYTES)
        if path.suffix != ".py" and b"python" not in text.split(b"\n", 1)[0]:
            return []
        tree = ast.parse(text)
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            stem = node.module or ""
            names += [stem] * bool(stem) + [f"{stem}.{alias.name}".lstrip(".") for alias in node.names]
    return names


# ------------------------------------------------------------------ contents

_State = tuple[int, int, int, int, int]
_known: dict[tuple[str, _State], str] = {}
_known_imports: dict[tuple[str, _State | None], list[str]] = {}


def state_of(path: str) -> _State | None:
    """What changes when a file is written or exchanged: device, inode, size, times; None if it is not there."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _digest(path: Path) -> tuple[str, int]:
    """(digest, bytes) of a file or folder; remembered as long as its state does not change."""
    try:
        if os.path.isdir(path):
            return _folder_digest(path)
        state = state_of(str(path))
        if state is None or not stat.S_ISREG(os.stat(path).st_mode):
            return NOT_THERE, 0
        key = (str(path), state)
        if key not in _known:
            _known[key] = _file_digest(path, state[2])
        return _known[key], state[2]
    except OSError:
        return NOT_THERE, 0


def _file_digest(path: Path, size: int) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        if size <= WHOLE_BYTES:
            while block := file.read(1 << 20):
                digest.update(block)
            return digest.hexdigest()
        digest.update(f"{size} bytes, sampled".encode())
        for k in range(SAMPLES):
            file.seek(k * (size - SAMPLE_BYTES) // (SAMPLES - 1))
            digest.update(file.read(SAMPLE_BYTES))
    return digest.hexdigest()


def _folder_digest(folder: Path) -> tuple[str, int]:
    """Of names and contents; beyond MAX_FOLDER_BYTES, and on other devices, of names and sizes."""
    digest, total, device = hashlib.sha256(), 0, os.stat(folder).st_dev
    for name, entry in itertools.islice(files_below(folder), MAX_FOLDER_FILES):
        try:
            status = entry.stat(follow_symlinks=False)
            if entry.is_symlink():
                content, size = f"link to {os.readlink(entry.path)}", 0
            elif status.st_dev != device or total + status.st_size > MAX_FOLDER_BYTES:
                content, size = f"{status.st_size} bytes", status.st_size
            else:
                content, size = _digest(Path(entry.path))
        except OSError:
            continue
        digest.update(f"{name}\0{content}\n".encode("utf-8", "surrogateescape"))
        total += size
    return digest.hexdigest(), total
