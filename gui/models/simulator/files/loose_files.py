"""Files that a program reads but that nothing puts into the folder of its runs: named in arguments, scripts or input files."""

from __future__ import annotations

import glob
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice, pairwise
from pathlib import Path

from bayescope.engine.problem.command_list import commands_of
from bayescope.engine.problem.definition import ExtraFile, Output, Problem, Simulator
from bayescope.engine.problem.findings import file_name_trouble
from bayescope.engine.protocol.reports import TrialRunReport
from bayescope.gui.models.simulator.files.included import included, may_be
from bayescope.gui.models.simulator.files.varied_names import fits, varied_names
from bayescope.gui.models.simulator.files.written_names import written_names

BUNDLED = "bayescope:"  # begins the command of an example program that comes with Bayescope
LARGEST_SCRIPT = 200_000  # bytes; larger ones are programs
LONGEST_NAME = 200
_NAME = r"[^\s=@/\\]*[^\W\d][^\s=@/\\]*\.[A-Za-z]\w{0,7}"
_FILE_NAME = re.compile(_NAME)
_WORD = re.compile(r"(?<![\w./\\-])(?:\./)?([\w+-][\w.+-]*\.[A-Za-z]\w{0,7})(?![\w/])")
_WRITES = re.compile(r"-{1,2}(?:o|(?:out(?:put)?|log|results?)(?:[-_]?(?:file|name|path))?)|(?:[12]|&)?>>?")  # -log run.log
_REMARK = re.compile(r"^\s*(?:#|//|%).*$", re.MULTILINE)
_BETWEEN = re.compile(r"""[\s"'`,;=()<>{}\[\]|*?]+""")  # what stands between the words of an input file
MOST_BESIDE = 5_000  # files of a folder that are looked at
MOST_VARIED = 200  # files of one name with a variable: those of a study, not of a collection
MOST_COMPANIONS = 50  # more are no deck with its files but a list
_STEM = re.compile(r"(?=.*[^\W\d])[\w][\w+-]{1,60}")  # a word with a letter, without an ending
INPUTS = {".inp", ".in", ".input", ".nml", ".cfg", ".ini", ".par", ".cir", ".net", ".geo", ".sif", ".pro"}
SCRIPTS = {".sh", ".bash", ".csh", ".ksh", ".zsh", ".py", ".r", ".jl", ".pl", ".m", ".tcl", ".bat", ".cmd", ".ps1"}


def loose_files(simulator: Simulator, folder: Path | None = None) -> list[str]:
    """Bare names of files that neither a template nor a fixed file puts into the run's folder, in the order they are named.

    ``folder``: of the analysis; with it the scripts in the command are looked into, for names of text files that lie beside them.
    """
    if simulator.working_folder is not None or (
        any(simulator.command[:1]) and simulator.command[0].startswith(BUNDLED)
    ):
        return []
    put = put_there(simulator)
    every = commands_of(simulator)
    copied = {extra.path for extra in simulator.extra_files}  # a script finds its modules where it lies itself
    named = [word for one in every for word in _not_written(one) if len(word) < LONGEST_NAME and _FILE_NAME.fullmatch(word)]
    for script in _files_in(simulator, folder) if folder is not None else ():
        named += named_in(script)
        named += modules_in(script) if str(script) in copied else []
        named += (name for names in varied_in(script).values() for name in names)
    return [name for name in dict.fromkeys(named) if name not in put]


def _not_written(command: Sequence[str]) -> Iterator[str]:
    """The arguments but for those that say what the program shall write to."""
    return (word for before, word in pairwise(command) if _WRITES.fullmatch(before) is None)


def alike(simulator: Simulator, folder: Path, name: str) -> tuple[str, list[str]]:
    """The name with a variable by which a script means such a loose file (``conf_*.gro``), and all the loose files that it means;
    empty, and ``name`` alone, where none does."""
    put = put_there(simulator)
    for script in _files_in(simulator, folder):
        for pattern, names in varied_in(script).items():
            if name in names:
                return pattern, [one for one in names if one not in put]
    return "", [name]


def lacking(simulator: Simulator, folder: Path, said: str, last: Path | None = None) -> list[Path]:
    """Files that an error message (``said``) names, that lie beside the script and that nothing puts into the run's folder, each
    with those that the script means by the same name with a variable. ``last`` as for ``found_beside``."""
    if simulator.working_folder is not None:
        return []
    there, found = put_there(simulator) | {Path(word).name for word in simulator.command if "\0" not in word}, []
    for name in dict.fromkeys(_WORD.findall(said)):
        if name not in there and found_beside(simulator, folder, name, last) is not None:
            found += alike(simulator, folder, name)[1]
    places = (found_beside(simulator, folder, name, last) for name in dict.fromkeys(found))
    return [place for place in places if place is not None]


def written_by_program(reports: Iterable[TrialRunReport], outputs: Sequence[Output]) -> set[str]:
    """Names of files that a test run left (of one that failed only what is not empty), or that outputs are read from."""
    left = {
        f.name for report in reports for f in report.files if f.role == "produced" and (f.size or report.outcome != "failed")
    }
    return left | {o.source for o in outputs}


def put_over(problem: Problem) -> ExtraFile | None:
    """A fixed file that each run is given although outputs are read from it: many programs will not write over it."""
    read = {o.source for o in problem.outputs}
    return next((f for f in problem.simulator.extra_files if (f.target or Path(f.path).name) in read), None)


def put_there(simulator: Simulator) -> set[str]:
    """Names of the files that each run finds in its folder."""
    return {t.target for t in simulator.templates} | {f.target or Path(f.path).name for f in simulator.extra_files}


def companions(path: Path, text: str) -> dict[str, str]:
    """Files that lie beside an input file (or below its folder) and that it names, or that one of them names, in that order, each
    with the name of the file that names it first.

    Names need an ending, but in a statement that reads a file in; ``text``: of the file.
    """
    folder, found, unread = path.parent, {path.name: ""}, [(path.name, text)]
    while unread and len(found) <= MOST_COMPANIONS:
        whose, said = unread.pop(0)
        words = (word.removeprefix("./").rstrip(".:") for word in _BETWEEN.split(said))
        written = written_names(said[:LARGEST_SCRIPT])
        ended = (word for word in words if "." in word and Path(word).suffix[1:2].isalpha())
        read_in = (name for one in included(said) for name in may_be(one))
        for word in dict.fromkeys(w for w in (*ended, *read_in) if w not in found and w not in written):
            if not file_name_trouble(word) and _is_file(folder / word):
                found[word] = whose
                unread.append((word, _small_text(folder / word)))
    return {name: found[name] for name in list(found)[1 : MOST_COMPANIONS + 1]}


def _small_text(path: Path) -> str:
    """Empty if it is large, or no text."""
    try:
        content = path.read_bytes() if path.stat().st_size <= LARGEST_SCRIPT else b""
    except OSError:
        return ""
    return "" if b"\0" in content else content.decode("utf-8", "replace")


def scripts_say(simulator: Simulator, folder: Path, words: str) -> bool:
    """Whether a script of the command, named by its path, holds these words."""
    return any(words in _small_text(path) for path in _files_in(simulator, folder))


def found_beside(simulator: Simulator, folder: Path, name: str, last: Path | None = None) -> Path | None:
    """Where such a file lies: beside a file of the command, such as the script that reads it, or in the folder ``last`` where the
    user chose the last file; None if it is not there."""
    places = [path.parent for path in _files_in(simulator, folder)] + ([] if last is None else [last])
    return next((place / name for place in places if _is_file(place / name)), None)


def by_stems(simulator: Simulator, folders: Sequence[Path], said: str = "") -> list[tuple[str, str, Path | None]]:
    """Arguments that are the name of a file without its ending (``ccx arm`` reads arm.inp): the word, the file's name, and where
    it lies; nothing where the run's folder gets such a file already.

    ``folders``: where it is looked for; ``said``: what a test run printed, which may name a file that lies in none of them.
    """
    if simulator.working_folder is not None:
        return []
    put, found = {Path(name).stem for name in put_there(simulator)}, []
    for word in dict.fromkeys(word for one in commands_of(simulator) for word in one[1:]):
        if _STEM.fullmatch(word) is None or word in put:
            continue
        lies = next((path for folder in folders if (path := _with_stem(folder, word)) is not None), None)
        told = re.search(rf"(?<![\w./\\-]){re.escape(word)}\.[A-Za-z]\w{{0,7}}\b", said)
        if lies is not None or told is not None:
            found.append((word, lies.name if lies is not None else told[0] if told is not None else "", lies))
    return found


def _with_stem(folder: Path, stem: str) -> Path | None:
    """The text file of this name with an ending; of several the one whose ending is usual for input, else the oldest: results
    come later."""
    try:
        there = [path for path in islice(folder.glob(f"{glob.escape(stem)}.*"), MOST_COMPANIONS) if path.stem == stem]
        texts = [(path.suffix.lower() not in INPUTS, path.stat().st_mtime, path) for path in there if _is_text(path)]
    except (OSError, ValueError):
        return None
    return min(texts)[2] if texts else None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a folder that may not be looked into
        return False


def named_in(script: Path) -> list[str]:
    """Text files beside a script that it names, but for those that it opens for writing; none if it is no script."""
    try:
        state = script.stat()
        return list(_named_in(script, state.st_mtime_ns, state.st_size))
    except (OSError, ValueError):
        return []


def modules_in(script: Path) -> list[str]:
    """Python files beside a script of Python that it imports."""
    said = included(_small_text(script)) if script.suffix.lower() == ".py" else []
    return [f"{name}.py" for name in said if f"{name}.py" != script.name and _is_file(script.parent / f"{name}.py")]


@lru_cache(maxsize=32)
def _named_in(script: Path, changed: int, size: int) -> tuple[str, ...]:
    text = _script_text(script, size)
    written = {Path(name).name for name in written_names(text)}
    names = (name for name in _WORD.findall(text) if name not in written and name != script.name)
    return tuple(name for name in dict.fromkeys(names) if _is_text(script.parent / name))


def varied_in(script: Path) -> dict[str, tuple[str, ...]]:
    """Text files beside a script by the names with a variable that mean them (``conf_*.gro``), but for those that it names as
    they are, remarks aside, or opens for writing; empty if it is no script."""
    try:
        state, folder = script.stat(), script.parent.stat()
        return dict(_varied_in(script, state.st_mtime_ns, state.st_size, folder.st_mtime_ns))
    except (OSError, ValueError):
        return {}


@lru_cache(maxsize=32)
def _varied_in(script: Path, changed: int, size: int, beside: int) -> tuple[tuple[str, tuple[str, ...]], ...]:
    text = _script_text(script, size)
    patterns = [p for p in varied_names(text) if p.strip("*") not in SCRIPTS]
    if not patterns:
        return ()
    told = {script.name, *_WORD.findall(_REMARK.sub("", text)), *(Path(name).name for name in written_names(text))}
    there = [path for path in islice(script.parent.iterdir(), MOST_BESIDE) if path.name not in told]
    found: dict[str, tuple[str, ...]] = {}
    for pattern in patterns:
        fitting = sorted(path.name for path in there if fits(pattern, path.name) and _is_text(path))
        taken = {name for names in found.values() for name in names}
        if names := tuple(name for name in fitting if name not in taken)[:MOST_VARIED]:
            found[pattern] = names
    return tuple(found.items())


def _script_text(path: Path, size: int) -> str:
    """Empty if it is no script."""
    if size > LARGEST_SCRIPT or not path.is_file():
        return ""
    content = path.read_bytes()
    is_script = content.startswith(b"#!") or path.suffix.lower() in SCRIPTS
    return content.decode("utf-8", "replace") if is_script and b"\0" not in content else ""


def is_script(path: Path) -> bool:
    """By the ending of its name, or by its first line; of what cannot be read by its name alone."""
    if path.suffix.lower() in SCRIPTS:
        return True
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(2) == b"#!"
    except (OSError, ValueError):  # no leave to read it, or no name of a file
        return False


def _is_text(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return b"\0" not in file.read(4096)


def _files_in(simulator: Simulator, folder: Path) -> Iterator[Path]:
    """The files of the command that are named by a path, as they lie on this computer, and scripts put into each run."""
    copies = {extra.target or Path(extra.path).name: extra.path for extra in simulator.extra_files}
    scripts = {name: path for name, path in copies.items() if Path(name).suffix.lower() in SCRIPTS}
    for word in (scripts.get(word, word) for one in commands_of(simulator) for word in one):
        if ("/" in word or "\\" in word) and "\0" not in word and len(word) < 4000:
            try:
                path = folder / Path(word).expanduser()
                if path.is_file():
                    yield path
            except (OSError, RuntimeError):
                continue
