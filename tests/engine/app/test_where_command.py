"""``bayescope where`` and ``run --where``: sentences, never tracebacks."""

from __future__ import annotations

from pathlib import Path

import pytest

from bayescope.engine.app.cli import main
from bayescope.engine.session.profiles import find_profile


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAYESCOPE_HOME", str(tmp_path / "home"))


def test_places_are_added_listed_and_removed(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--host", "me@login.example.org", "--partition", "short", "--minutes", "90"]
    options += ["--setup", "module load gcc", "--jobs", "8", "--directive=--qos=long", "--directive", "#SBATCH --gres=gpu:1"]
    assert main(["where", "add", "uni", *options]) == 0
    assert main(["where", "add", "big box", "--queue", "none", "--host", "box"]) == 0
    assert main(["where", "list"]) == 0
    said = capsys.readouterr().out
    assert "uni: Slurm over SSH (me@login.example.org); folder ~/bayescope-runs, 8 at once, partition short, 90 minutes" in said
    assert "big box: Another computer over SSH (box)" in said
    assert "more lines: --qos=long; #SBATCH --gres=gpu:1" in said
    assert find_profile("uni").setup == ("module load gcc",)
    assert find_profile("uni").lines == ("--qos=long", "#SBATCH --gres=gpu:1")
    assert main(["where", "remove", "uni"]) == 0
    assert main(["where", "remove", "uni"]) == 1
    assert "no place called “uni”" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["add", "here"], "“here” is this computer"),
        (["add", "x", "--queue", "none"], "needs the name of its host"),
        (["add", "x", "--host", "me:secret@box"], "No password"),
        (["add", "x", "--jobs", "100"], "From 1 to 64 jobs at once"),
        (["add", "x", "--directive=--job-name=y"], "to find, follow and cancel its jobs"),
        (["test", "nowhere"], "no place called “nowhere”"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["where", *arguments]) == 1
    said = capsys.readouterr().err
    assert words in said
    assert "Traceback" not in said


def test_a_run_at_a_place_that_is_not_known_or_cannot_be_reached_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.bayescope"
    assert main(["example", "contamination", str(path)]) == 0
    assert main(["run", str(path), "--where", "nowhere"]) == 1
    assert "no place called “nowhere” on this computer" in capsys.readouterr().err
    assert main(["where", "add", "away", "--host", "no.such.host.invalid"]) == 0
    assert main(["where", "test", "away"]) == 1
    assert "✕ connect" in capsys.readouterr().out
    assert main(["where", "fetch", str(path), "3"]) == 1
    assert "nothing of run 3 is kept elsewhere" in capsys.readouterr().err
