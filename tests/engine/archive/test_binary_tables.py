"""Tables in HDF5 and Parquet files: named columns, several tables in one file, what cannot be read said in words."""

from __future__ import annotations

import sys

import h5py
import numpy as np
import pytest

from bayescope.engine.archive import apart
from bayescope.engine.archive.hdf5 import read_hdf5
from bayescope.engine.archive.table import ArchiveError, SeveralTables
from bayescope.engine.archive.table_file import read_table

NUMBERS = np.column_stack([np.linspace(0.1, 0.9, 12), np.linspace(1.0, 90.0, 12), -np.arange(12.0)])


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "runs.h5"

    def write(**content):
        with h5py.File(path, "w") as made:
            for name, values in content.items():
                made[name.replace("__", "/")] = values
        return path

    return write


def records(count=12):
    kind = [("rho", "f8"), ("tag", "S4"), ("kappa", "f4"), ("n", "i4"), ("xy", "f8", (2,))]
    made = np.zeros(count, dtype=kind)
    made["rho"], made["kappa"] = NUMBERS[:count, 0], NUMBERS[:count, 1]
    return made


def test_a_dataset_of_records_has_its_fields_as_columns(file):
    table = read_hdf5(file(runs=records()))
    assert table.columns == ("rho", "kappa", "n", "xy_1", "xy_2")
    assert np.array_equal(table.column("rho"), NUMBERS[:, 0])
    assert table.notes == ("Columns without numbers: tag.",)


def test_arrays_of_equal_length_in_a_group_are_columns_and_a_matrix_has_its_own_names(file):
    path = file(run__rho=NUMBERS[:, 0], run__kappa=NUMBERS[:, 1], run__loglik=NUMBERS[:, 2], run__seed=np.array([3.0]))
    assert read_hdf5(path).columns == ("kappa", "loglik", "rho")
    path = file(samples=NUMBERS[:, :2], loglik=NUMBERS[:, 2])
    with h5py.File(path, "r+") as made:
        made["samples"].attrs["columns"] = ["rho", "kappa"]
    table = read_hdf5(path)
    assert table.columns == ("loglik", "rho", "kappa")
    assert np.array_equal(table.column("kappa"), NUMBERS[:, 1])


def test_what_pandas_writes_keeps_its_names(file):
    path = file(df__block0_items=np.array([b"rho", b"kappa", b"loglik"]), df__block0_values=NUMBERS)
    assert read_hdf5(path).columns == ("rho", "kappa", "loglik")


def test_several_tables_in_one_file_are_named_and_one_is_chosen(file):
    five = np.arange(5.0)
    path = file(first=records(), second__a=NUMBERS[:, 0], second__b=NUMBERS[:, 1], second__c=five, second__d=five)
    with pytest.raises(SeveralTables) as asked:
        read_table(path)
    assert [key for key, _ in asked.value.tables] == ["/first", "/second [12]", "/second [5]"]
    assert "12 rows: a, b" in str(asked.value)
    assert read_table(path, inside="/second [12]").columns == ("a", "b")
    with pytest.raises(SeveralTables):
        read_hdf5(path, inside="/third")


def test_data_kept_in_other_files_are_not_opened(file, tmp_path):
    (tmp_path / "secret.bin").write_bytes(np.arange(24.0).tobytes())
    path = file(run__a=np.arange(12.0), run__b=np.arange(12.0))
    with h5py.File(path, "r+") as made:
        made.create_dataset("out", (12, 2), "f8", external=[(str(tmp_path / "secret.bin"), 0, 192)])
        made["link"] = h5py.ExternalLink("other.h5", "/x")
    assert read_hdf5(path).columns == ("a", "b")


@pytest.mark.parametrize("name", ["x.h5", "x.parquet"])
def test_a_damaged_file_is_a_sentence(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(200))
    with pytest.raises(ArchiveError) as error:
        read_table(path)
    assert error.value.suggestion


def test_a_matrix_that_is_no_table_is_passed_over(file):
    path = file(run__a=np.arange(12.0), run__b=np.arange(12.0))
    with h5py.File(path, "r+") as made:
        made.create_dataset("run/image", (12, 10**9), "f4", chunks=(1, 10**6))
    assert read_hdf5(path).columns == ("a", "b")


def test_an_empty_file_has_no_table(file):
    with pytest.raises(ArchiveError, match="no table"):
        read_hdf5(file(x=np.array([1.0])))


def test_a_reader_that_a_file_keeps_for_ever_is_ended(file, monkeypatch):
    monkeypatch.setattr(apart, "PATIENCE_S", 0.01)
    with pytest.raises(ArchiveError, match="was not read within"):
        read_table(file(runs=records()))


def test_a_file_that_ends_its_reader_is_said_to_be_damaged(file, monkeypatch):
    """The reader is ended by the operating system here, as a fault in compiled code would end it."""
    ends = [sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"]
    monkeypatch.setattr(apart, "this_program", lambda: ends)
    with pytest.raises(ArchiveError, match="is damaged: the HDF5 reader failed"):
        read_table(file(runs=records()))


def test_a_parquet_file_is_read_in_a_process_of_its_own_which_a_damaged_one_may_end(tmp_path):
    import fastparquet
    import pandas as pd

    path = tmp_path / "runs.parquet"
    frame = pd.DataFrame(NUMBERS, columns=["rho", "kappa", "loglik"])
    frame["tag"], frame["maybe"] = "x", pd.array([None, 1] * 6, dtype="Int64")
    fastparquet.write(str(path), frame)
    table = read_table(path)
    assert table.columns == ("rho", "kappa", "loglik", "maybe")
    assert np.array_equal(table.values[:, :3], NUMBERS)
    assert np.isnan(table.values[0, 3])
    assert table.notes == ("Columns without numbers: tag.",)
