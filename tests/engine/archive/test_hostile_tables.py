"""Files that were made to harm the reader: pipes, links, claims of huge sizes, tables that lead into other files."""

from __future__ import annotations

import os
import sys

import h5py
import numpy as np
import pytest

from bayescope.engine.archive import hdf5
from bayescope.engine.archive.appended import MOST_AT_ONCE, look
from bayescope.engine.archive.table import ArchiveError
from bayescope.engine.archive.table_file import read_table

KINDS = ("csv", "npy", "h5", "parquet")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.skipif(sys.platform == "win32", reason="no pipes and devices with names")
def test_pipes_devices_and_links_that_lead_nowhere_are_refused_at_once(kind, tmp_path):
    path = tmp_path / f"x.{kind}"
    os.mkfifo(path)
    with pytest.raises(ArchiveError, match="not an ordinary file"):
        read_table(path)
    for target in ("/dev/zero", path.name):
        path.unlink()
        path.symlink_to(target)
        with pytest.raises(ArchiveError, match=r"not an ordinary file|does not exist"):
            read_table(path)


@pytest.mark.parametrize("kind", KINDS)
def test_an_empty_file_is_said_to_hold_no_table(kind, tmp_path):
    (tmp_path / f"x.{kind}").write_bytes(b"")
    with pytest.raises(ArchiveError):
        read_table(tmp_path / f"x.{kind}")


def test_names_of_columns_are_not_looked_for_in_another_file(tmp_path):
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["names"] = np.array([b"private1", b"private2"])
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file["block0_values"] = np.ones((5, 2))
        file["block0_items"] = h5py.ExternalLink("other.h5", "/names")
    assert hdf5.read_hdf5(tmp_path / "x.h5").columns == ("block0_values_1", "block0_values_2")


@pytest.mark.parametrize(("shape", "kind"), [((10**15, 2), "f8"), ((10**6, 1000), "u1")])
def test_an_hdf5_file_of_some_kilobytes_that_claims_gigabytes_is_refused(shape, kind, tmp_path):
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file.create_dataset("x", shape=shape, chunks=(1000, shape[1]), dtype=kind, compression="gzip")
    with pytest.raises(ArchiveError, match=r"are not read|too many to be read"):
        hdf5.read_hdf5(tmp_path / "x.h5")


def test_an_array_that_claims_more_than_there_is_is_refused(tmp_path):
    for rows in (10**7, 10**13):
        with (tmp_path / "x.npy").open("wb") as file:
            np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": (rows, 2)})
            file.write(b"0" * 100)
        with pytest.raises(ArchiveError, match="is no array of plain numbers"):
            read_table(tmp_path / "x.npy")


def test_groups_that_hold_themselves_are_read_once(tmp_path):
    with h5py.File(tmp_path / "x.h5", "w") as file:
        group = file.create_group("g")
        group["again"] = group
        group["up"] = h5py.SoftLink("/")
        group["a"], group["b"] = np.arange(3.0), np.arange(3.0)
    assert hdf5.read_hdf5(tmp_path / "x.h5").columns == ("a", "b")
    assert hdf5.MOST_OBJECTS > 0


def test_a_watched_file_whose_line_never_ends_is_said(tmp_path, monkeypatch):
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,2\n")
    seen = look(path, ())
    with path.open("ab") as file:
        file.truncate(path.stat().st_size + MOST_AT_ONCE + 10)  # a hole: zeros that take no room
    assert "no end of a line" in look(path, seen.files).words


def test_a_watched_file_that_is_cut_rotated_or_replaced_by_a_pipe_is_noticed(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    files = look(path, ()).files
    path.write_text("a,b\n1,2\n")
    seen = look(path, files)
    assert "shortened or replaced" in seen.words
    path.rename(tmp_path / "x.csv.1")
    assert "is not there any more" in look(path, seen.files).words
    if sys.platform != "win32":
        os.mkfifo(path)
        assert "is not there any more" in look(path, seen.files).words
