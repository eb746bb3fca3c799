"""Files of a run that lie elsewhere than they are looked for: beside the script, in another folder, in an earlier run. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath, PurePosixPath

import msgspec

from bayescope.engine.problem.command_list import Command, commands_of, each_changed
from bayescope.engine.problem.definition import ExtraFile, Problem
from bayescope.engine.problem.program import is_interpreter
from bayescope.engine.protocol import TrialBeside, TrialRunReport
from bayescope.gui.models.plain import elided, one_line

SHORT = 60  # characters of a path in a sentence
LONGEST_LINE = 120  # characters of a line of a script in a sentence
COPY = "Run a copy of the script in each run's folder"
RUN_THEM = "Use the run's copy"
WITH_FILES = "Run copies in each run's folder"  # ... and of what lies beside it
_ABSOLUTE = re.compile(
    r"""["'\s(](?:~?/|~["')]|[A-Za-z]:[\\/])"""
)  # in the line that changes the folder: a copy goes there too


@dataclass(frozen=True)
class Strayed:
    """``words`` and ``hint`` for the banner; ``mended``: what its ``button`` makes of the problem (``act``: in the history);
    None: it leads to the files that are put into each run."""

    words: str
    hint: str
    button: str
    mended: Problem | None = None
    act: str = ""


def strayed(problem: Problem, report: TrialRunReport) -> Strayed | None:
    """Why the newest test run lacks what it wrote, if that can be told."""
    return _wrote_beside(problem, report) or _other_folder(problem, report)


def _wrote_beside(problem: Problem, report: TrialRunReport) -> Strayed | None:
    found = report.beside
    if found is None or any(f.role == "produced" for f in report.files):
        return None
    more = f" and {len(found.names) - 2} more" if len(found.names) > 2 else ""
    named = ", ".join(elided(name, SHORT) for name in found.names[:2])
    words = f"It wrote beside the script, not in the run's folder: {named}{more}."
    script, of_script = one_line(found.script, 30), one_line(found.line, LONGEST_LINE)
    if (unused := _unused(problem, found)) and (mended := with_copy(problem, found)) is not None:
        words = f"“{one_line(unused, 60)}” names the original file: parameters do not reach it."
        hint = f"It wrote beside that, not in the run's folder: {named}{more}. Its marked copy in each run's folder is not used."
        return Strayed(words, hint, RUN_THEM, mended, RUN_THEM)
    if (mended := with_copy(problem, found)) is not None:
        line = f"Line {found.number} of {script} changes the folder ({of_script}). " if found.line else ""
        hint = f"{line}So runs overwrite each other's files and read old ones. A copy in each run's folder stays there"
        if found.read:
            files = "the file" if len(found.read) == 1 else f"the {len(found.read)} files"
            return Strayed(
                words, f"{hint}, with {files} beside it that it left as they were.", WITH_FILES, mended, WITH_FILES
            )
        return Strayed(words, f"{hint}; what it reads must be put there too.", COPY, mended, COPY)
    way = f"Let {script} stay in the folder that it is started in"
    if found.line:
        way = f"Line {found.number} of {script} changes the folder ({of_script}): take it out"
    hint = f"So runs overwrite each other's files and read old ones. {way}, and put the files it needs into each run."
    return Strayed(words, hint, "Put files there")


def _unused(problem: Problem, found: TrialBeside) -> str:
    """The word of a command that names a script there of which the run's folder has a copy with parameters; empty: none does."""
    filled = {t.target for t in problem.simulator.templates} & {found.script, *(name for name, _ in found.also)}
    words = (word for one in commands_of(problem.simulator) for word in one)
    return next((word for word in words if word not in filled and PurePath(word).name in filled), "")


def with_copy(problem: Problem, found: TrialBeside) -> Problem | None:
    """With the scripts, which write into the folder where they lie, put into each run as fixed files, with what they may read,
    and those copies as what runs; a copy that is there already is taken. None: it is a program, which is found where it lies, or
    its line names a folder of its own."""
    simulator, scripts = problem.simulator, {found.script: found.started_by, **dict(found.also)}
    put = [
        *(t.target for t in simulator.templates),
        *(f.target or PurePath(f.path).name for f in simulator.extra_files),
    ]
    if simulator.working_folder is not None or _ABSOLUTE.search(found.line):
        return None
    for command in commands_of(simulator):
        at = _named(command, scripts)
        starts = scripts[PurePath(command[at[0]]).name] if at else ()
        if len(at) > 1 or (at == [0] and not (starts and is_interpreter(starts[0]))):
            return None
    new = each_changed(simulator, partial(_of_copies, scripts))
    if new == simulator:
        return None
    copies = [
        ExtraFile(path=str(Path(found.folder) / file), target=file if "/" in file else "")
        for file in (*scripts, *found.read)
        if file not in put
    ]
    return msgspec.structs.replace(
        problem, simulator=msgspec.structs.replace(new, extra_files=(*new.extra_files, *copies))
    )


def _named(command: Command, scripts: Collection[str]) -> list[int]:
    """The words of a command that name one of the scripts elsewhere than in the run's folder."""
    return [i for i, word in enumerate(command) if PurePath(word).name in scripts and word not in scripts]


def _of_copies(scripts: Mapping[str, tuple[str, ...]], command: Command) -> Command:
    """The command with the run's copy of the script it names, behind what starts that."""
    at = _named(command, scripts)
    if not at:
        return command
    name = PurePath(command[at[0]]).name
    return (*command[: at[0]], *(scripts[name] if at == [0] else ()), name, *command[at[0] + 1 :])


def _other_folder(problem: Problem, report: TrialRunReport) -> Strayed | None:
    """A file that no run wrote under its name, where one of the same name lies in another folder of the run."""
    names = [f.name for f in report.files]
    for source in dict.fromkeys(o.source for o in problem.outputs):
        last = PurePosixPath(source).name
        there = [f.name for f in report.files if f.role == "produced" and PurePosixPath(f.name).name == last]
        if source in ("stdout", "stderr") or source in names or len(there) != 1:
            continue
        outputs = tuple(
            msgspec.structs.replace(o, source=there[0]) if o.source == source else o for o in problem.outputs
        )
        words = f"The run wrote no “{elided(source, SHORT)}”, but “{elided(there[0], SHORT)}”."
        mended = msgspec.structs.replace(problem, outputs=outputs)
        return Strayed(words, "Is that the file?", "Read that file", mended, "Read the file that a run wrote")
    return None


def relative_name(path: Path, roots: Iterable[Path | None]) -> str:
    """``path`` as seen from the first of the ``roots`` that it lies below, with /; its own name if it lies below none."""
    for root in roots:
        if root is not None and path.resolve().is_relative_to(root.resolve()) and path.resolve() != root.resolve():
            return path.resolve().relative_to(root.resolve()).as_posix()
    return path.name
