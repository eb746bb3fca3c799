"""Files that are no text: their kind is told from their first bytes, and the line that prints them is said."""

from __future__ import annotations

import gzip
import io
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.io import netcdf_file, savemat

from bayescope.engine.problem.binary_files import BinaryFile, binary_file, data_advice, input_advice, output_advice
from bayescope.engine.problem.data.files import data_files
from bayescope.engine.problem.extract import ExtractionError
from bayescope.engine.problem.extract import decode as decode_output
from bayescope.engine.problem.text_files import NotText, advice, decode

FLUX = np.arange(5.0)


def classic(path: Path) -> None:
    with netcdf_file(str(path), "w") as file:
        file.createDimension("t", 5)
        file.createVariable("flux", "d", ("t",))[:] = FLUX


def hdf5(path: Path) -> None:
    with h5py.File(path, "w") as file:
        file["flux"] = FLUX


def npy(path: Path) -> None:
    with path.open("wb") as file:
        np.save(file, FLUX)


def npz(path: Path) -> None:
    with path.open("wb") as file:
        np.savez(file, flux=FLUX)


def matlab(path: Path) -> None:
    savemat(path, {"flux": FLUX}, appendmat=False)


def fits(path: Path) -> None:
    header = "".join(card.ljust(80) for card in ("SIMPLE  =                    T", "BITPIX  =                  -64", "END"))
    path.write_bytes(header.encode().ljust(5760) + struct.pack(">5d", *FLUX).ljust(2880, b"\0"))


def packed(what: Callable[[Path], None]) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        what(path)
        path.write_bytes(gzip.compress(path.read_bytes()))

    return write


def text(path: Path) -> None:
    path.write_text("t,u\n0,1.5\n")


def zipped(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("a.txt", "1 2 3")


def record(path: Path) -> None:
    path.write_bytes(struct.pack("<i5di", 40, *FLUX, 40))


def raw(path: Path) -> None:
    path.write_bytes(b"Title: rc\nPlotname: Transient\nVariables:\n\t0\ttime\ttime\nBinary:\n" + FLUX.tobytes())


KINDS = (
    (classic, "out.nc", "a netCDF file", "ncdump out.nc"),
    (classic, "result.dat", "a netCDF file", "ncdump result.dat"),
    (hdf5, "out.h5", "an HDF5 file", "h5dump out.h5"),
    (hdf5, "out.nc", "a netCDF-4 file", "ncdump out.nc"),
    (npy, "x.npy", "a NumPy array", "numpy.load"),
    (npz, "x.npz", "a file of NumPy arrays", "numpy.load"),
    (matlab, "x.mat", "a MATLAB file", "loadmat"),
    (fits, "x.fits", "a FITS file", "fits.open"),
    (packed(text), "t.csv.gz", "a compressed file (gzip)", "gunzip -c t.csv.gz"),
    (packed(classic), "o.nc.gz", "a netCDF file, compressed (gzip)", "gunzip -c o.nc.gz > o.nc && ncdump o.nc"),
    (zipped, "a.zip", "a ZIP archive", "unzip -p a.zip"),
    (record, "u.dat", "an unformatted file of Fortran", ""),
    (raw, "rc.raw", "a raw file of SPICE", ""),
)


@pytest.mark.parametrize(("write", "name", "words", "line"), KINDS, ids=[f"{k[2]} {k[1]}" for k in KINDS])
def test_the_kind_of_a_binary_file_and_the_line_that_prints_it_are_told_from_its_first_bytes(
    tmp_path: Path, write: Callable[[Path], None], name: str, words: str, line: str
) -> None:
    write(tmp_path / name)
    content = (tmp_path / name).read_bytes()
    with pytest.raises(NotText, match="is not a text file: it looks like ") as caught:
        decode(content, name)
    assert words in caught.value.what
    file = caught.value.binary
    assert line in file.line
    assert bool(line) == bool(file.line)
    assert file.line in output_advice(file)
    assert file.line in input_advice(file)
    assert output_advice(file) != output_advice(decode_unknown(name))
    with pytest.raises(ExtractionError) as told:
        decode_output(content, name)
    assert output_advice(file) in str(told.value)


def decode_unknown(name: str) -> BinaryFile:
    """What a file of this name is if nothing is known of it."""
    with pytest.raises(NotText) as caught:
        decode(bytes(400), name)
    return caught.value.binary


@pytest.mark.skipif(sys.platform == "win32", reason="the line is for a shell")
@pytest.mark.parametrize(("write", "name"), [(npy, "a b.npy"), (npz, "it's.npz"), (matlab, "x.mat"), (packed(text), "t.gz")])
def test_the_line_that_is_said_prints_the_numbers(tmp_path: Path, write: Callable[[Path], None], name: str) -> None:
    write(tmp_path / name)
    file = binary_file((tmp_path / name).read_bytes(), name)
    assert file is not None
    line = file.line.replace("python3", sys.executable, 1)
    printed = subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    row = "[0.0, 1.0, 2.0, 3.0, 4.0]"
    assert printed in (f"x = {row}\n", f"flux = {row}\n", f"flux = [{row}]\n", "t,u\n0,1.5\n")


def test_measured_data_in_a_binary_file_are_made_a_text_in_a_terminal(tmp_path: Path) -> None:
    classic(tmp_path / "flux.nc")
    with pytest.raises(data_files.DataFileError, match=r"ncdump flux\.nc > flux\.nc\.txt"):
        data_files.read(tmp_path / "flux.nc")
    packed(text)(tmp_path / "flux.csv.gz")
    with pytest.raises(data_files.DataFileError, match=r"gunzip -c flux\.csv\.gz > flux\.csv”"):
        data_files.read(tmp_path / "flux.csv.gz")


def test_an_input_file_of_text_is_made_the_binary_one_again(tmp_path: Path) -> None:
    classic(tmp_path / "in.nc")
    with pytest.raises(NotText) as caught:
        decode((tmp_path / "in.nc").read_bytes(), "in.nc")
    said = advice(caught.value, "input")
    assert "fixed input files" in said
    assert "ncdump in.nc > in.nc.txt" in said
    assert "ncgen -o in.nc in.nc.txt" in said


BEGINNINGS = ("CDF of the flux\n1 2\n", "MZ 1.5\n", "PK 1\n", "BZh 5\n", "root 1\n", "GRIB x\n", "SIMPLE  = T\n", "GIF8 1\n",
              "Title: run\nBinary: no\n1 2\n")  # fmt: skip


@pytest.mark.parametrize("begins", BEGINNINGS)
def test_a_text_that_begins_as_a_binary_file_does_is_a_text(begins: str) -> None:
    assert decode(begins.encode(), "x.txt").text == begins


heads = st.sampled_from([b"", b"PK\x03\x04", b"\x1f\x8b", b"CDF\x01", b"\x89HDF\r\n\x1a\n", b"\x20\0\0\0"])


@settings(max_examples=60, deadline=None)
@given(st.tuples(heads, st.binary(max_size=200)).map(b"".join), st.text(max_size=12))
def test_any_bytes_are_a_text_or_have_advice_for_every_use(content: bytes, name: str) -> None:
    file = None
    try:
        decode(content, name)
    except NotText as error:
        file = error.binary
    assert file is None or all(use(file) for use in (output_advice, data_advice, input_advice))


def test_a_spreadsheet_that_a_program_wrote_becomes_a_csv_file() -> None:
    file = binary_file(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "res.xls")
    assert file is not None
    assert file.writes == "res.csv"
    assert "which writes “res.csv”" in output_advice(file)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("[Content_Types].xml", "<x/>")
    file = binary_file(made.getvalue(), "res.xlsx")
    assert file is not None
    assert file.words == "an office document (Excel, LibreOffice)"
