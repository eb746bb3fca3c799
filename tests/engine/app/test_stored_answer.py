"""What the self-test compares: a broken installation must not pass it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from bayescope.engine.app import read_back, self_test
from bayescope.engine.app.stored_answer import OF_SD, StoredAnswer, differences, repeated, stored


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

    monkeypatch.setattr(self_test, "CHECKS", (("First", broken), ("Second", lambda folder: "fine.")))
    assert self_test.self_test() == 1
    said = capsys.readouterr().out
    assert "WRONG  First: ImportError: no module named scipy.special._something" in said
    assert "ok     Second: fine." in said
    assert "Self-test failed: 1 of 2 checks" in said


def test_an_export_that_does_not_read_back_is_named(tmp_path: Path) -> None:
    table = tmp_path / "samples.csv"
    table.write_text("a,b\n1,2\n3,nan\n")
    assert "do not read back" in read_back._table(table, ["a", "b"], 2)
    table.write_text("a,b\n1,2\n")
    assert read_back._table(table, ["a", "b"], 2) == "1 rows were read back, not 2"
    assert read_back._table(table, ["a", "b"], 1) == ""
