"""What must stand before a script that cannot be started by itself."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bayescope.engine.problem.interpreters import interpreter_of


@pytest.mark.parametrize(
    ("name", "words"),
    [("a.R", ("Rscript",)), ("a.jl", ("julia",)), ("a.pl", ("perl",)), ("a.jar", ("java", "-jar")), ("a.txt", ()), ("a", ())],
)
def test_it_is_told_by_the_ending(tmp_path: Path, name: str, words: tuple[str, ...]) -> None:
    (tmp_path / name).write_text("1\n")
    assert interpreter_of(tmp_path / name) == words


def test_of_several_one_that_is_there_is_taken(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("print(1)\n")
    assert interpreter_of(tmp_path / "a.py")[0].startswith("python")
    assert interpreter_of(tmp_path / "gone.py") == ()


@pytest.mark.skipif(sys.platform == "win32", reason="no file is executable by its mode there")
def test_a_script_that_starts_by_itself_needs_none(tmp_path: Path) -> None:
    path = tmp_path / "a.sh"
    path.write_text("#!/bin/sh\necho 1\n")
    assert interpreter_of(path) != ()
    path.chmod(0o755)
    assert interpreter_of(path) == ()
