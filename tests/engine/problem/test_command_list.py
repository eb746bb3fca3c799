"""Several commands in one line: taken apart, written as a script, run in order."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.command_list import command_list, commands_of, script, with_commands
from bayescope.engine.problem.program import program_name

A, B = ("python", "drift.py", "drift.yaml"), ("python", "bin2txt.py", "drift.yaml")


@pytest.mark.parametrize(
    ("words", "commands", "folder"),
    [
        ((*A, "&&", *B), (A, B), None),
        ((*A, ";", *B), (A, B), None),
        ((*A[:-1], "drift.yaml;", *B), (A, B), None),
        (("cd", "/home/me/study", "&&", *A), (A,), "/home/me/study"),
        (("cd", "/d", "D:\\study", "&&", *A, "&&", *B), (A, B), "D:\\study"),
    ],
)
def test_a_line_for_a_shell_is_taken_apart(
    words: tuple[str, ...], commands: tuple[tuple[str, ...], ...], folder: str | None
) -> None:
    found = command_list(words)
    assert found is not None
    assert (found.commands, found.folder) == (commands, folder)


@pytest.mark.parametrize(
    "words", [A, ("matlab", "-batch", "a = 1; b;"), ("octave", "--eval", "f(1);"), ("sh", "-c", "a && b"), ()]
)
def test_one_command_stays_one(words: tuple[str, ...]) -> None:
    assert command_list(words) is None


@pytest.mark.parametrize("windows", [False, True])
def test_the_script_says_which_commands_it_runs(windows: bool) -> None:
    blank = ("C:\\my tools\\run.bat", "x & y", "50%", "@k@", ">", "log.txt")
    simulator = d.Simulator(command=())
    found = command_list((*A, "&&", *blank))
    assert found is not None
    made = with_commands(simulator, found, windows)
    assert commands_of(made) == (A, blank)
    assert program_name(made.command) == ("commands.cmd" if windows else "commands.sh")
    assert ("call " in made.templates[0].text) is windows


@pytest.mark.skipif(sys.platform == "win32" or shutil.which("sh") is None, reason="a script for sh")
def test_a_command_that_fails_ends_the_run(tmp_path: Path) -> None:
    say = (sys.executable, "-c", "import sys; print(sys.argv[1])")
    fail = (sys.executable, "-c", "raise SystemExit(3)")
    (tmp_path / "c.sh").write_text(script(((*say, "it's 1"), (*say, "two", ">", "out.txt"), fail, (*say, "three")), False))
    done = subprocess.run(["sh", "c.sh"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (3, "it's 1\n")
    assert (tmp_path / "out.txt").read_text() == "two\n"
