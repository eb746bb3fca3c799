"""Binary files that a test run left, and the script that runs the program and then prints them as text. Pure but for looking
whether files exist."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from bayescope.engine.problem import placeholders
from bayescope.engine.problem.binary_files import BinaryFile, output_advice, quoted
from bayescope.engine.problem.definition import Simulator
from bayescope.engine.problem.interpreters import run_by
from bayescope.engine.problem.program import is_interpreter
from bayescope.engine.problem.run_times import without_times
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.files.loose_files import BUNDLED, put_there, scripts_say

FEWEST_LINES = 3  # with numbers: more than a greeting with a version
MOST_PRINTED = 5  # files of a run that one script prints
ENDING = ".bat" if sys.platform == "win32" else ".sh"


def binary_outputs(report: TrialRunReport | None, simulator: Simulator, folder: Path) -> list[BinaryFile]:
    """The files that may hold results which no output can read: images and programs are left out, and what the script of the
    command prints already. ``folder``: that relative paths of the command are from."""
    if report is None or report.outcome != "ok":
        return []
    files = [f.binary for f in report.files if f.role == "produced" and f.binary is not None]
    told = [file for file in files if file.line or file.instead]
    return [file for file in told if not (file.line and scripts_say(simulator, folder, file.line))]


def only_binary(report: TrialRunReport) -> bool:
    """Whether no text that the run left holds a digit."""
    texts = [report.stdout, *(f.text for f in report.files if f.role == "produced" and f.text is not None)]
    return not any(c.isdigit() for text in texts for c in text)


def text_tells(report: TrialRunReport, second: TrialRunReport | None) -> bool:
    """Whether a text of the run holds numbers that were others in the ``second`` run, at other values; without one, whether it
    printed several lines with numbers."""
    if second is None or second.outcome != "ok":
        return sum(any(c.isdigit() for c in line) for line in report.stdout.splitlines()) >= FEWEST_LINES
    here, there = _texts(report), _texts(second)
    pairs = (pair for name in here.keys() & there.keys() for pair in zip(here[name], there[name], strict=False))
    return any(
        a != b and any(c.isdigit() for c in without_times(a)) and without_times(a) != without_times(b) for a, b in pairs
    )


def _texts(report: TrialRunReport) -> dict[str, list[str]]:
    files = {f.name: f.text.splitlines() for f in report.files if f.role == "produced" and f.text is not None}
    return {"stdout": report.stdout.splitlines(), **files}


def binary_line(files: list[BinaryFile]) -> str:
    """The same in a few words, for where text is there to be marked."""
    more = f" and {len(files) - 1} more" if len(files) > 1 else ""
    return f"Of binary files (“{one_line(files[0].name, 30)}”{more})…"


def binary_words(files: list[BinaryFile]) -> tuple[str, str]:
    """What was written, and how its numbers are read: two sentences."""
    first = next((file for file in files if file.line), files[0])
    more = f" ({len(files)} such files)" if len(files) > 1 else ""
    said = f"The program wrote “{one_line(first.name, 40)}”, {first.words}{more}. Numbers are marked in text."
    return said, output_advice(first)


def printing_script(simulator: Simulator, folder: Path, files: list[BinaryFile]) -> tuple[str, tuple[str, ...]] | None:
    """The text of the script and the arguments that it is given; None where none can be made. ``folder``: that relative paths of
    the command are from."""
    lines = [file.line for file in files if file.line][:MOST_PRINTED]
    command = simulator.command
    if not lines or not any(command[:1]) or command[0].startswith(BUNDLED):
        return None
    arguments = tuple(dict.fromkeys(word for word in command if placeholders.find(word)))
    given = "%" if sys.platform == "win32" else "$"
    words = []
    for k, word in enumerate(command):
        if word in arguments:
            words.append(f'"{given}{arguments.index(word) + 1}"')
        else:
            words.append(quoted(_there(simulator, folder, k, placeholders.fill(word, {}))))
    if sys.platform == "win32":
        text = "\r\n".join(["@echo off", " ".join(words) + " || exit /b 1", *lines, ""])
    else:
        text = "\n".join(["#!/bin/sh", "# runs the program, then prints what it wrote as text", " ".join(words) + " || exit 1",
                          *lines, ""])  # fmt: skip
    return text, arguments


def started_by(simulator: Simulator, script: Path, arguments: tuple[str, ...]) -> Simulator:
    """With the script as the program."""
    return msgspec.structs.replace(simulator, command=(str(script), *arguments))


def _there(simulator: Simulator, folder: Path, k: int, word: str) -> str:
    """The program, and the script that its interpreter runs, by their full path: a script runs in the run's folder."""
    script = k > 0 and is_interpreter(Path(simulator.command[0]).name) and bool(run_by(Path(word)))
    if (k > 0 and not script) or word in put_there(simulator):
        return word
    try:
        path = folder / Path(word).expanduser()
        return str(path.absolute()) if path.is_file() else word
    except (OSError, RuntimeError, ValueError):
        return word
