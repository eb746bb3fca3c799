"""Exports that would destroy the user's files, and exported texts that would do something where they are opened."""

from __future__ import annotations

import csv
import io
import json
import os

import msgspec
import numpy as np
import pytest

from bayescope.engine.answer import csv_cells
from bayescope.engine.report.report import report_html
from bayescope.engine.session import atomic
from bayescope.engine.session.errors import FileIsThere
from bayescope.engine.session.records import EvaluationRecord, IterationRecord
from bayescope.engine.session.store import SessionStore

pytestmark = pytest.mark.attack("exports")
WANTED = ("samples", "evaluations", "summary", "netcdf", "report", "figure", "problem", "predictions")


def fill(store: SessionStore) -> None:
    """Some evaluations and an answer, so that there is something to export."""
    for i in range(3):
        store.add_evaluation(EvaluationRecord(i, i, np.array([0.1 * i]), {"a": 0.1 * i}, "ok", -1.0, -1.0, -2.0))
    store.add_iteration(
        IterationRecord(1, 3, -1.0, 0.1, -1.0, 0.1, True, False, ("Done.",), np.ones(1), np.zeros((1, 1)), np.ones((1, 1, 1)))
    )


@pytest.fixture
def finished(own):
    with SessionStore.open(own) as store:
        fill(store)
    return own


@pytest.mark.parametrize("wanted", WANTED)
def test_an_export_replaces_nothing_unasked(finished, command, victim, wanted) -> None:
    done = command("export", finished, f"--{wanted}", victim)
    assert done.returncode == 1
    assert "--force" in done.stderr
    assert "Nothing was written" in done.stderr


@pytest.mark.parametrize("wanted", WANTED)
def test_no_export_ever_replaces_an_analysis(finished, command, wanted) -> None:
    before = finished.read_bytes()
    done = command("export", finished, f"--{wanted}", finished, "--force")
    assert done.returncode == 1
    assert finished.read_bytes() == before


def test_an_analysis_behind_a_link_is_not_replaced_either(finished, command, tmp_path) -> None:
    link = tmp_path / "out.csv"
    link.symlink_to(finished)
    assert command("export", finished, "--summary", link, "--force").returncode == 1
    assert link.is_symlink()


def test_the_provenance_of_samples_does_not_replace_a_model(finished, command, folder) -> None:
    (folder / "model.json").write_text("{}")
    assert command("export", finished, "--samples", folder / "model.csv").returncode == 0
    assert (folder / "model.json").read_text() == "{}"
    assert json.loads((folder / "model.csv.provenance.json").read_text())["samples"] == 10_000


def test_an_existing_provenance_is_not_replaced_unasked(finished, command, folder) -> None:
    (folder / "s.csv.provenance.json").write_text("mine")
    assert command("export", finished, "--samples", folder / "s.csv").returncode == 1
    assert not (folder / "s.csv").exists(), "half an export"
    assert (folder / "s.csv.provenance.json").read_text() == "mine"


def test_one_existing_file_stops_the_whole_export(finished, command, folder) -> None:
    (folder / "summary.csv").write_text("mine")
    done = command("export", finished, "--evaluations", folder / "runs.csv", "--summary", folder / "summary.csv")
    assert done.returncode == 1
    assert not (folder / "runs.csv").exists()
    assert (folder / "summary.csv").read_text() == "mine"


def test_a_support_bundle_replaces_nothing_unasked_and_an_analysis_never(finished, command, victim) -> None:
    assert command("support", finished, victim).returncode == 1
    assert command("support", finished, finished, "--force").returncode == 1


def test_new_and_example_and_recover_make_new_files_only(finished, command, victim, folder) -> None:
    assert command("export", finished, "--problem", folder / "p.json").returncode == 0
    before = finished.read_bytes()
    for words in (("new", folder / "p.json"), ("example", "contamination"), ("recover", finished)):
        for target in (victim, finished):
            assert command(*words, target).returncode == 1, words
    assert finished.read_bytes() == before


def test_a_pipe_a_device_and_what_sqlite_would_play_back_are_not_replaced(finished, command, folder) -> None:
    import os

    os.mkfifo(folder / "pipe.csv")
    before = finished.read_bytes()
    for target in (folder / "pipe.csv", "/dev/null", f"{finished}-journal", f"{finished}-wal", f"{finished}.lock"):
        assert command("export", finished, "--summary", target, "--force").returncode == 1, target
    assert finished.read_bytes() == before
    assert not os.path.exists(f"{finished}-journal")


def test_with_force_a_file_is_replaced_whole(finished, command, folder) -> None:
    (folder / "s.csv").write_text("old")
    assert command("export", finished, "--summary", folder / "s.csv", "--force").returncode == 0
    assert (folder / "s.csv").read_text().startswith("parameter,")


def test_replacing_a_link_leaves_what_it_leads_to(tmp_path, victim) -> None:
    link = tmp_path / "out.txt"
    link.symlink_to(victim)
    with pytest.raises(FileIsThere):
        atomic.write(link, b"x")
    atomic.write(link, b"x", replace=True)
    assert link.read_bytes() == b"x"
    assert not link.is_symlink()


def test_two_that_write_the_same_new_name_do_not_both_win(tmp_path, monkeypatch) -> None:
    for no_links in (False, True):
        if no_links:
            monkeypatch.setattr(os, "link", lambda *a: (_ for _ in ()).throw(OSError(95, "not supported")))
        path = tmp_path / f"x{no_links}"
        atomic.write(path, b"first")
        with pytest.raises(FileIsThere):
            atomic.write(path, b"second")
        assert path.read_bytes() == b"first"


CELLS = ["=cmd|'/c calc'!A1", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", " =1", "=HYPERLINK(\"http://x\")"]


@pytest.mark.parametrize("text", CELLS)
def test_no_text_becomes_a_formula_in_a_spreadsheet(text) -> None:
    row = next(csv.reader(io.StringIO(csv_cells.csv_bytes([text], []).decode(), newline="")))
    assert row[0].startswith("'"), row


def test_nothing_in_a_session_becomes_active_in_the_report(folder, problem) -> None:
    evil = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&{{7*7}}"
    changed = msgspec.structs.replace(
        problem, name=evil, description=evil, parameters=(msgspec.structs.replace(problem.parameters[0], label=evil, unit=evil),)
    )
    with SessionStore.create(folder / "e.bayescope", changed, own=True) as store:
        fill(store)
        store.add_evaluation(
            EvaluationRecord(7, 3, np.zeros(1), {"a": 0.0}, "failed", None, -1.0, None, reason=evil, purpose=evil)
        )
        store.notes = evil
        page = report_html(store)
    assert "<script" not in page.replace("&lt;script", "")
    assert "<img src=x" not in page
