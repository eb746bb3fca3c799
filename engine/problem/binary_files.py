"""Files that are no text: their kind from their first bytes, and the command line that prints what is in one as text."""

from __future__ import annotations

import shlex
import subprocess
import sys
import zlib
from dataclasses import dataclass

import msgspec

FIRST_BYTES = 4096  # tell the kind; netCDF-4 is told from other HDF5 by names within it or by the file's own
_LOOKED_AT = 65536  # bytes: the headers of FITS files are text, and may be long
_HDF5 = b"\x89HDF\r\n\x1a\n"
_MATLAB_7 = b"MATLAB 7.3"  # an HDF5 file behind 512 bytes of its own
_NETCDF_NAMES = (".nc", ".nc4", ".cdf", ".netcdf")
_NETCDF_MARKS = (b"_NCProperties", b"_Netcdf4Dimid", b"_nc3_strict")
_FORTRAN_RECORD = 1 << 24  # bytes of a first record that is believed: longer ones are not looked for
_OF_TEXTS = b"\t\n\r\f\x1a\x1b" + bytes(range(32, 256))  # \x1a: end-of-file mark of old DOS programs
_TAR_MAGIC = slice(257, 262)

_ARRAY = "print('x =', numpy.load(sys.argv[1]).tolist())"
_ARRAYS = "[print(k, '=', v.tolist()) for k, v in numpy.load(sys.argv[1]).items()]"
_MATLAB = "[print(k, '=', v.tolist()) for k, v in loadmat(sys.argv[1]).items() if hasattr(v, 'tolist')]"
_FITS = "[print('HDU', k, '=', h.data.tolist()) for k, h in enumerate(fits.open(sys.argv[1])) if h.data is not None]"
_PARQUET = "pandas.read_parquet(sys.argv[1]).to_csv(sys.stdout, index=False)"


class BinaryFile(msgspec.Struct, frozen=True, kw_only=True):
    """``words``: what the file is, with an article. ``line``: the exact command line that prints it as text; '': none is known.

    ``writes``: the file that the line writes instead of printing. ``back``: the line that makes the file of its
    text in NAME.txt. ``instead``: what helps where no command does.
    """

    name: str
    words: str
    line: str = ""
    writes: str = ""
    back: str = ""
    instead: str = ""


@dataclass(frozen=True)
class _Kind:
    """As BinaryFile, ``{}`` for the name of the file in both lines and ``{text}`` for that of its text."""

    words: str
    prints: str = ""
    reads: str = ""
    instead: str = ""


def _python(code: str, imports: str) -> str:
    return f'python3 -c "{imports}; {code}" {{}}'


NETCDF = _Kind("a netCDF file", "ncdump {}", "ncgen -o {} {text}")
NETCDF4 = _Kind("a netCDF-4 file", "ncdump {}", "ncgen -4 -o {} {text}")
HDF5 = _Kind("an HDF5 file", "h5dump {}")
MATLAB_7 = _Kind("a MATLAB file (7.3, HDF5)", "h5dump {}")
GZIP = _Kind("a compressed file (gzip)", "gunzip -c {}", "gzip -c {text} > {}")
TAR = _Kind("a tar archive", "tar -xOf {}")
ZIP = _Kind("a ZIP archive", "unzip -p {}")
NPY = _Kind("a NumPy array", _python(_ARRAY, "import numpy, sys"))
NPZ = _Kind("a file of NumPy arrays (.npz)", _python(_ARRAYS, "import numpy, sys"))
_TO_CSV = "libreoffice --headless --convert-to csv --outdir . {}"
OFFICE = _Kind("an office document (Excel, LibreOffice)", _TO_CSV)
OLD_OFFICE = _Kind("an old office document (Excel, Word)", _TO_CSV)
PROGRAM = _Kind("a program")
FITS = _Kind("a FITS file", _python(_FITS, "import sys; from astropy.io import fits"))
_FORTRAN = _Kind("an unformatted file of Fortran", instead="Let the program open it with form='formatted'.")
SPICE = _Kind("a raw file of SPICE", instead="Put “set filetype=ascii” before “write” in the deck: then it is text.")

# by their first bytes; the longer of two that begin alike first
_SIGNATURES: tuple[tuple[bytes, _Kind], ...] = (
    (_HDF5, HDF5),
    (b"CDF\x01", NETCDF),
    (b"CDF\x02", NETCDF),
    (b"CDF\x05", NETCDF),
    (b"\x0e\x03\x13\x01", _Kind("an HDF4 file", "hdp dumpsds {}")),
    (b"\x1f\x8b", GZIP),
    (b"BZh", _Kind("a compressed file (bzip2)", "bzip2 -dc {}")),
    (b"\xfd7zXZ\x00", _Kind("a compressed file (xz)", "xz -dc {}")),
    (b"\x28\xb5\x2f\xfd", _Kind("a compressed file (zstd)", "zstd -dc {}")),
    (b"PK\x03\x04", ZIP),
    (b"\x93NUMPY", NPY),
    (b"\xd0\xcf\x11\xe0", OLD_OFFICE),
    (b"MATLAB 5.0", _Kind("a MATLAB file", _python(_MATLAB, "import sys; from scipy.io import loadmat"))),
    (b"SIMPLE  =", FITS),
    (b"GRIB", _Kind("a GRIB file", "grib_get_data {}")),
    (b"PAR1", _Kind("a Parquet table", _python(_PARQUET, "import pandas, sys"))),
    (b"SQLite format 3", _Kind("a database (perhaps a Bayescope session)", "sqlite3 -csv {} \"SELECT * FROM name_of_table\"")),
    (b"\x89PNG", _Kind("a PNG image")),
    (b"\xff\xd8\xff", _Kind("a JPEG image")),
    (b"GIF8", _Kind("a GIF image")),
    (b"%PDF", _Kind("a PDF document", "pdftotext -layout {} -")),
    (b"\x7fELF", PROGRAM),
    (b"MZ", PROGRAM),
    (b"\x80\x04\x95", _Kind("a Python pickle", instead="Let the script print the numbers, or write a CSV file.")),
    (b"root", _Kind("a ROOT file")),
)  # fmt: skip


def binary_file(data: bytes, name: str) -> BinaryFile | None:
    """What the bytes of the file ``name`` begin like; None: nothing known, perhaps a text."""
    kind = _kind(data[:FIRST_BYTES], name) or (_FORTRAN if _fortran_record(data) else None)
    if kind is None or not (control_share(data[:_LOOKED_AT]) or (kind is FITS and b"\n" not in data[:FIRST_BYTES])):
        return None  # a text may begin like that
    if kind is GZIP and (within := _within(data, name)) is not None:
        plain = quoted(_unpacked(name))
        line = f"gunzip -c {quoted(name)} > {plain} && " + within.prints.replace("{}", plain) if within.prints else ""
        return BinaryFile(name=name, words=f"{within.words}, compressed (gzip)", line=line, instead=within.instead)
    own, text = quoted(name), quoted(f"{name}.txt")
    line, back = kind.prints.replace("{}", own), kind.reads.replace("{text}", text).replace("{}", own)
    writes = f"{name.rpartition('.')[0] or name}.csv" if kind.prints == _TO_CSV else ""
    return BinaryFile(name=name, words=kind.words, line=line, writes=writes, back=back, instead=kind.instead)


def unknown(name: str) -> BinaryFile:
    """A binary file of no known kind."""
    by = f"“od -An -v -t f8 {quoted(name)}” in a script around it prints them"
    instead = f"Let the program write plain text; if the file holds numbers of 8 bytes each and nothing else, {by}."
    return BinaryFile(name=name, words="a binary file of an unknown kind", instead=instead)


def quoted(name: str) -> str:
    """A file name as one word of a command line."""
    return subprocess.list2cmdline([name]) if sys.platform == "win32" else shlex.quote(name)


def output_advice(file: BinaryFile) -> str:
    """What to do with a file that a program wrote: numbers are read from text alone."""
    if not file.line:
        return file.instead or "Let the program write plain text (ASCII or UTF-8)."
    then = f"which writes “{file.writes}”" if file.writes else "which prints it as text"
    return f"Let a small script be the program: it runs yours and then “{file.line}”, {then}."


def data_advice(file: BinaryFile) -> str:
    """What to do with measured data in such a file."""
    if file.words == OLD_OFFICE.words:
        return "Save it as .xlsx, .ods or CSV and open that."
    if not file.line:
        return "Choose a plain text file."
    text = _unpacked(file.name)
    text = text if text != file.name and "&&" not in file.line else f"{file.name}.txt"
    return f"Make a text of it in a terminal, “{file.line} > {quoted(text)}”, and open that."


def input_advice(file: BinaryFile) -> str:
    """What to do with an input file: numbers are marked in its text, of which a script makes the binary file again."""
    if file.words == PROGRAM.words:
        return "A program is chosen in the tab Program."
    fixed = "If nothing in it is unknown, add it to the fixed input files in the tab Program."
    if not file.line:
        return f"Choose a plain text file. {fixed}"
    to = "" if file.writes else f" > {quoted(file.name + '.txt')}"
    made = f"Else make a text of it, “{file.line}{to}”, and open that;"
    return f"{fixed} {made} a script as the program makes the file of it again" + (f", “{file.back}”." if file.back else ".")


def control_share(data: bytes) -> float:
    """The share of bytes that no text has."""
    return len(data.translate(None, _OF_TEXTS)) / len(data) if data else 0.0


def _kind(head: bytes, name: str) -> _Kind | None:
    if head.startswith(_MATLAB_7):
        return MATLAB_7
    found = next((kind for signature, kind in _SIGNATURES if head.startswith(signature)), None)
    if found is HDF5:
        return NETCDF4 if name.lower().endswith(_NETCDF_NAMES) or any(mark in head for mark in _NETCDF_MARKS) else HDF5
    if found is ZIP:
        return _zip_kind(head)
    if found is None and head[_TAR_MAGIC] == b"ustar":
        return TAR
    spice = found is None and head[:6].lower() == b"title:" and b"\nBinary:" in head
    return SPICE if spice else found


def _zip_kind(head: bytes) -> _Kind:
    """By the name of the first file within, which stands in bytes 30 on."""
    first = head[30 : 30 + int.from_bytes(head[26:28], "little")]
    if first.endswith(b".npy"):
        return NPZ
    sheet = first in (b"[Content_Types].xml", b"_rels/.rels", b"docProps/app.xml") or b"opendocument" in head[: 30 + 100]
    return OFFICE if sheet else ZIP


def _fortran_record(data: bytes) -> bool:
    """Whether what is no text stands between two copies of its length, as compilers write a record."""
    begins = data[:4]
    sizes = {int.from_bytes(begins, "little"), int.from_bytes(begins, "big")}
    whole = (n for n in sizes if 0 < n <= min(_FORTRAN_RECORD, len(data) - 8))
    return b"\0" in begins and any(data[4 + n : 8 + n] == begins for n in whole)


def _within(data: bytes, name: str) -> _Kind | None:
    """What a compressed file holds, where that is no text either; None: a text, or it cannot be told."""
    try:
        head = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(data[:FIRST_BYTES], FIRST_BYTES)
    except zlib.error:
        return None
    return _kind(head, _unpacked(name))


def _unpacked(name: str) -> str:
    """``flux.csv.gz`` holds ``flux.csv``."""
    stem, dot, end = name.rpartition(".")
    return stem if dot and end.lower() in ("gz", "bz2", "xz", "zst") else name
