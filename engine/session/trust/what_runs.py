"""What a run of a simulator starts, reads and sends, as far as can be told without running it: its files by content.

Covered are the program and its script if the problem names them as files, all Python modules beside a Python script (compiled
ones too), every other argument that names a file, and the extra files. Programs found by their bare name on the search path are
the computer's own. What a program reads besides, nobody can know beforehand.
"""

from __future__ import annotations

import glob
import hashlib
import itertools
import os
import re
import shlex
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from ...problem.bundled import is_bundled
from ...problem.definition import ExtraFile, Simulator
from ...problem.errors import SetupError
from ...problem.placeholders import find
from ...problem.program import Program, resolve
from ..descriptors import never_waiting
from ..folders import files_below
from .python_files import importable, is_compiled_cache, is_python

Role = Literal["program", "script", "module", "compiled module", "argument", "extra file", "extra folder"]

WHOLE_BYTES = 64 * 1024 * 1024  # larger files are compared by size and samples: a window must not stand still
SAMPLES = 256
SAMPLE_BYTES = 65536
MAX_NAME = 1_000  # characters of a word that is looked for as a file
MAX_FOLDER_FILES = 5_000  # of an extra folder, by name
MAX_FOLDER_BYTES = 256 * 1024 * 1024
NOT_THERE = ""
IN_PLACE = "used in place"
NO_RUN_FOLDER = ".no-run-folder-yet"
_PYTHON = re.compile(r"(python|pypy)[0-9.]*(\.exe)?")


class RunFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file that a run starts or reads. ``name``: as the problem names it (modules: beside their script).

    ``digest``: SHA-256 of the content, hexadecimal; NOT_THERE; or IN_PLACE for a linked folder, whose content may change.
    """

    role: Role
    name: str
    digest: str
    size: int = 0


class Found(msgspec.Struct, frozen=True):
    """``files`` with where each lies now (an empty path: nowhere). ``folders``: where another module may appear."""

    files: tuple[RunFile, ...]
    paths: tuple[str, ...]
    program: str = ""  # what is started, with its folder
    folders: tuple[str, ...] = ()

    def states(self) -> dict[str, object]:
        """What changes when one of the files does, or another module appears beside them."""
        found = {path: state_of(path) for path in (*self.paths, *self.folders) if path}
        for file, path in zip(self.files, self.paths, strict=True):
            if file.role == "extra folder" and file.digest != IN_PLACE and path:
                below = itertools.islice(files_below(path), MAX_FOLDER_FILES)
                found |= {entry.path: state_of(entry.path) for _, entry in below}
        return dict(found)


def what_runs(simulator: Simulator, folder: Path) -> Found:
    """The files of ``simulator``, relative paths being from ``folder``. Only looks; never raises for what is not there."""
    folder = folder.absolute()
    extras = {extra.target or Path(extra.path).name: extra for extra in simulator.extra_files}
    found: dict[tuple[str, str], tuple[RunFile, str]] = {}
    folders: list[str] = []

    def add(role: Role, name: str, path: Path | None) -> None:
        digest, size = (NOT_THERE, 0) if path is None else _digest(path)
        found.setdefault((role, name), (RunFile(role, name, digest, size), "" if path is None else str(path)))

    def add_modules(script: Path | None, by_python: bool = False) -> None:
        if script is None or not (by_python or is_python(script)):
            return
        for place in dict.fromkeys(p if os.path.isdir(p) else p.parent for p in (script, script.resolve())):
            modules, looked_at = importable(place)
            for module in modules:
                role: Role = "compiled module" if is_compiled_cache(module) else "module"
                if module != script:
                    add(role, os.path.relpath(module, script.parent), module)
            folders.extend(str(f) for f in looked_at)

    program = _program(simulator, folder)
    if program is not None and not is_bundled(program.chosen):
        if _named_as_file(program, folder, simulator):
            add("program", program.chosen, _file(program.arguments[0]) or _among(program.chosen, extras, folder))
            add_modules(Path(program.arguments[0]))
        by_python = any(_PYTHON.fullmatch(Path(word).name) for _, word in (*_words(program), (0, program.arguments[0])))
        if by_python and simulator.working_folder is not None:  # for -m, -c and - modules come from there
            add_modules(_absolute(simulator.working_folder, folder), by_python=True)
        filled = {Path(t.target).as_posix() for t in simulator.templates} if simulator.working_folder is None else set()
        for i, word in _words(program):
            named = simulator.command[i] if i == program.script and i < len(simulator.command) else word
            if Path(named).as_posix() in filled:
                continue  # of a run's folder, where the program starts and its own copy lies: a script is looked for there first
            path = _file(word) or _beside(word, simulator, folder) or _among(word, extras, folder)
            if i == program.script:
                add("script", named, path)
            elif path is not None:
                add("argument", word, path)
            add_modules(path or _runnable_folder(word, simulator, folder), by_python and i == program.script)
    for word in simulator.command:
        for path in _possible(word, simulator, folder):
            add("argument", os.path.relpath(path, folder), path)
            add_modules(path, by_python=path.suffix == ".py")
    for extra in simulator.extra_files:
        path = _absolute(extra.path, folder)
        if os.path.isdir(path) and extra.link:
            found[("extra folder", extra.path)] = (RunFile("extra folder", extra.path, IN_PLACE), str(path))
        else:
            add("extra folder" if os.path.isdir(path) else "extra file", extra.path, path if os.path.exists(path) else None)
    listed = sorted(found.values(), key=lambda entry: (entry[0].role, entry[0].name))
    started = "" if program is None or not program.found else program.arguments[0]
    return Found(
        tuple(file for file, _ in listed), tuple(path for _, path in listed), started, tuple(dict.fromkeys(folders))
    )


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
    return "PATH" in simulator.environment or not program.found or Path(program.arguments[0]).parent in (
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
            elif argument.startswith("-") and len(argument) > 2:  # an option with its value attached
                yield -1, argument[2:]


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
    return next((place / word for place in places if word and len(word) < MAX_NAME and os.path.isfile(place / word)), None)


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


def _possible(word: str, simulator: Simulator, folder: Path) -> list[Path]:
    """Files that ``word`` may name, where part of it is a placeholder."""
    found_in, pattern, end = find(word), "", 0
    if not found_in or len(word) > MAX_NAME:
        return []
    for _, start, after in found_in:
        pattern, end = f"{pattern}{glob.escape(word[end:start])}*", after
    pattern += glob.escape(word[end:])
    places = [folder, *([] if simulator.working_folder is None else [_absolute(simulator.working_folder, folder)])]
    found = (Path(hit) for place in places for hit in glob.iglob(os.path.join(glob.escape(str(place)), pattern)))
    return [path for path in itertools.islice(found, MAX_FOLDER_FILES) if os.path.isfile(path)] if pattern.strip("*") else []


def _runnable_folder(word: str, simulator: Simulator, folder: Path) -> Path | None:
    """A folder that Python can be given as a script."""
    places = [folder, *([] if simulator.working_folder is None else [_absolute(simulator.working_folder, folder)])]
    found = (place / os.path.expanduser(word) for place in places if word and len(word) < MAX_NAME)
    return next((path for path in found if os.path.isfile(path / "__main__.py")), None)


# ------------------------------------------------------------------ contents

_State = tuple[int, int, int, int, int]
_known: dict[tuple[str, _State], str] = {}


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
    with open(path, "rb", opener=never_waiting) as file:
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
                led_to = Path(os.path.realpath(entry.path))
                content, size = f"link to {os.readlink(entry.path)} {_digest(led_to)[0] if led_to.is_file() else ''}", 0
            elif status.st_dev != device or total + status.st_size > MAX_FOLDER_BYTES:
                content, size = f"{status.st_size} bytes", status.st_size
            else:
                content, size = _digest(Path(entry.path))
        except OSError:
            continue
        digest.update(f"{name}\0{content}\n".encode("utf-8", "surrogateescape"))
        total += size
    return digest.hexdigest(), total
