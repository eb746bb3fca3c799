"""What the self-test compares: a broken installation must not pass it."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from bayescope.engine.app import read_back, self_test
from bayescope.engine.app.stored_answer import OF_SD, StoredAnswer, differences, repeated, stored
from bayescope.engine.machine import temporary


def test_an_answer_does_not_differ_from_itself_and_its_design_has_no_point_twice() -> None:
    assert differences(stored(), stored()) == []
    assert repeated(stored().design) == 0


def test_points_that_are_copies_are_counted() -> None:
    assert repeated([(1.0, 2.0), (1.0, 2.0), (1.0, 2.0 + 1e-15), (1.0, 2.5)]) == 2


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda a: {"design": ((a.design[0][0] * (1 + 1e-6), *a.design[0][1:]), *a.design[1:])}, "points of the design"),
        (lambda a: {"design": a.design[:-1]}, "9 points"),
        (lambda a: {"log_joint": (a.log_joint[0] + 0.01, *a.log_joint[1:])}, "other numbers"),
        (lambda a: {"mean": (a.mean[0] + 2 * OF_SD * a.sd[0], *a.mean[1:])}, "The mean of x0"),
        (lambda a: {"sd": (*a.sd[:-1], a.sd[-1] * (1 - 2 * OF_SD))}, "The sd of rho"),
        (lambda a: {"mean": (float("nan"), *a.mean[1:])}, "The mean of x0 is nan"),
    ],
)
def test_what_is_not_as_stored_is_said(change: Callable[[StoredAnswer], dict[str, object]], words: str) -> None:
    answer = stored()
    found = differences(msgspec.structs.replace(answer, **change(answer)), answer)
    assert len(found) == 1
    assert words in found[0]


def test_a_check_that_fails_in_an_unforeseen_way_fails_the_self_test_and_the_others_are_still_made(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(folder: Path) -> str:
        raise ImportError("no module named scipy.special._something")

    monkeypatch.setattr(self_test, "CHECKS", (("First", broken, self_test.DISTRUST), ("Second", lambda folder: "fine.", "")))
    assert self_test.self_test() == 1
    said = capsys.readouterr().out
    assert "WRONG  First: ImportError: no module named scipy.special._something" in said
    assert "ok     Second: fine." in said
    assert "Self-test failed: 1 of 2 checks. Do not trust" in said


def test_a_check_that_something_outside_did_not_let_be_made_is_no_wrong_computation(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(folder: Path) -> str:
        raise OSError(errno.ENOSPC, "No space left on device", str(folder / "example"))

    def lacking(folder: Path) -> str:
        raise PermissionError(errno.EACCES, "Permission denied", "/opt/bayescope/_internal/scipy/file.npz")

    monkeypatch.setattr(self_test, "CHECKS", (("First", full, self_test.DISTRUST), ("Second", self_test.points_differ, "")))
    assert self_test.self_test() == 1
    said = capsys.readouterr().out
    assert "UNSURE First: “" in said
    assert "UNSURE Second: the first check made no session." in said
    assert "Self-test incomplete: 2 of 2 checks could not be made" in said
    assert "trust" not in said
    monkeypatch.setattr(self_test, "CHECKS", (("First", lacking, self_test.DISTRUST),))
    assert self_test.self_test() == 1
    assert "WRONG  First: PermissionError" in capsys.readouterr().out


def test_the_verdict_fits_what_is_wrong() -> None:
    wrong = {title: conclusion for title, _, conclusion in self_test.CHECKS}
    for title in ("Killed and resumed", "Design points", "Stored answer"):
        assert "Do not trust" in self_test.verdict([("WRONG", wrong[title]), ("ok", "")])
    for title in ("Exports", "Examples"):
        said = self_test.verdict([("ok", ""), ("WRONG", wrong[title])])
        assert "What it computes is right" in said
        assert "Do not trust" not in said


def test_an_example_whose_own_program_fails_is_named_as_no_part_of_the_installation(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "ngspice"
    program.write_text("#!/bin/sh\necho 'tmpfile(): Read-only file system' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(self_test, "example_names", lambda: ["ngspice_filter"])
    with pytest.raises(self_test.Hindered, match="ngspice is a program of this computer, no part of Bayescope"):
        self_test.examples_run(tmp_path)


def test_temporary_files_go_to_a_folder_of_the_application_where_the_system_has_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(temporary, "OF_THE_SYSTEM", (str(tmp_path / "none"),))
    monkeypatch.setattr(tempfile, "tempdir", None)
    for name in temporary.OF_THE_USER:
        monkeypatch.delenv(name, raising=False)
    assert f"{tmp_path / 'none'}, cannot be written. Make it writable, or name another one" in temporary.unwritable()
    assert temporary.use_own_where_needed(tmp_path / "own")
    assert tempfile.gettempdir() == str(tmp_path / "own")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert not temporary.use_own_where_needed(tmp_path / "own")
    assert temporary.unwritable() == ""


def test_an_export_that_does_not_read_back_is_named(tmp_path: Path) -> None:
    table = tmp_path / "samples.csv"
    table.write_text("a,b\n1,2\n3,nan\n")
    assert "do not read back" in read_back._table(table, ["a", "b"], 2)
    table.write_text("a,b\n1,2\n")
    assert read_back._table(table, ["a", "b"], 2) == "1 rows were read back, not 2"
    assert read_back._table(table, ["a", "b"], 1) == ""
