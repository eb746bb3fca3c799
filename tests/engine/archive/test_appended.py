"""Rows appended to tables by others: whole lines only, files that vanish, shrink or are replaced, folders of files."""

from __future__ import annotations

import pytest

from bayescope.engine.archive.appended import look, may_be_watched
from bayescope.engine.archive.read import read
from bayescope.engine.archive.table import ArchiveError
from bayescope.engine.problem.definition import LogLikelihoodOutput, Problem, Simulator

PROBLEM = Problem(
    name="x", parameters=(), simulator=Simulator(command=("true",)), outputs=(), meaning=LogLikelihoodOutput(output="ll")
)
HEAD = "# of the sweep\nrho,kappa,loglik\n"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text(HEAD + "0.1,50,-1\n0.2,51,-2\n")
    return path


def append(path, text):
    with path.open("a") as opened:
        opened.write(text)


def test_new_whole_lines_are_read_once_and_half_a_line_waits_for_its_end(file):
    known = look(file, ()).files
    assert look(file, known).table is None
    append(file, "0.3,52,-3\n0.4,5")
    first = look(file, known)
    assert first.table.columns == ("rho", "kappa", "loglik")
    assert first.table.values.tolist() == [[0.3, 52.0, -3.0]]
    append(file, "3,-4\n")
    second = look(file, first.files)
    assert second.table.values.tolist() == [[0.4, 53.0, -4.0]]
    assert look(file, second.files).table is None
    assert second.words == ""


def test_a_file_without_names_and_one_that_starts_empty(tmp_path):
    path = tmp_path / "plain.dat"
    path.write_text("0.1 50 -1\n")
    known = look(path, ()).files
    append(path, "0.2 51 -2\n")
    assert look(path, known).table.values.tolist() == [[0.2, 51.0, -2.0]]
    empty = tmp_path / "empty.csv"
    empty.touch()
    known = look(empty, ()).files
    append(empty, "rho,kappa,loglik\n")
    header = look(empty, known)
    assert header.table is None
    append(empty, "0.2,51,-2\n")
    assert look(empty, header.files).table.values.tolist() == [[0.2, 51.0, -2.0]]


def test_a_file_that_vanishes_is_looked_for_and_goes_on_where_it_was(file):
    known = look(file, ()).files
    text = file.read_text()
    file.unlink()
    gone = look(file, known)
    assert gone.table is None
    assert "runs.csv is not there any more" in gone.words
    file.write_text(text + "0.3,52,-3\n")
    assert look(file, gone.files).table.values.tolist() == [[0.3, 52.0, -3.0]]


@pytest.mark.parametrize("text", [HEAD + "0.9,59,-9\n", HEAD + "0.7,57,-7\n0.8,58,-8\n0.9,59,-9\n"])
def test_a_shortened_or_replaced_file_is_read_from_its_beginning(file, text):
    known = look(file, ()).files
    file.write_text(text)
    found = look(file, known)
    assert "shortened or replaced" in found.words
    assert found.table.values[-1].tolist() == [0.9, 59.0, -9.0]
    assert len(found.table.values) == text.count("\n") - 2
    assert look(file, found.files).words == ""


def test_a_folder_is_all_of_its_tables_and_new_ones_count(file, tmp_path):
    assert may_be_watched([tmp_path])
    assert may_be_watched([file])
    assert not may_be_watched([tmp_path / "runs.h5"])
    known = look(tmp_path, ()).files
    (tmp_path / "more.csv").write_text("kappa,rho,loglik\n60,0.6,-6\n")
    (tmp_path / "notes.md").write_text("nothing")
    append(file, "0.3,52,-3\n")
    found = look(tmp_path, known)
    assert sorted(found.table.column("rho").tolist()) == [0.3, 0.6]
    assert look(tmp_path, found.files).table is None
    whole = read(tmp_path, PROBLEM)
    assert whole.source == "2 files (more.csv, runs.csv)"
    assert len(whole.values) == 4


def test_lines_that_are_no_rows_are_an_error_in_words(file):
    known = look(file, ()).files
    append(file, "Segmentation fault\n")
    with pytest.raises(ArchiveError, match=r"The new rows of runs\.csv cannot be read"):
        look(file, known)
