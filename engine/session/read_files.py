"""How a file of measured data was read when its table was taken over, and what it says around that table."""

from __future__ import annotations

import hashlib

import msgspec

from ..problem.data.tables.detection_limits import Taken
from ..problem.data.tables.table_lines import Told

MOST_FILES = 20  # those that were read last; a table of more files is read anew


class Answers(msgspec.Struct, frozen=True, kw_only=True):
    """What a person answered where a file does not tell; the defaults are what counts until then. ``day_first``: in 01/05/2024.
    ``coverage``: the factor of expanded uncertainties that state none; ``undivided``: those that state theirs are taken as they
    are. ``intervals`` are errors, parts of dates one of ``moments``. ``limits``: how <0.05 counts. ``marked_out``: 31.7* is left
    out. ``marks_measured``: -999 is a measurement. ``relative``: errors in % are shares of the values."""

    day_first: bool | None = None
    coverage: float | None = None
    undivided: bool = False
    intervals: bool = True
    moments: bool = True
    limits: Taken = "sides"
    marked_out: bool = False
    marks_measured: bool = False
    relative: bool = True


class ReadFile(msgspec.Struct, frozen=True, kw_only=True):
    """The file ``name`` whose bytes have this ``digest``. As a person said: which ``part`` (from 0; ``title``: its name), the
    ``delimiter``, a decimal ``comma``, whether its lines are quantities (``turned``), what its lines are (``told``), its columns
    by their places from 1 (``used``; ``names`` that they were given; ``split``: that or those by which it is split, none where it
    is not to be), words that count as ``nothing``, and that times of two parts are ``minutes`` and seconds; None or empty: that
    was found out.
    ``remarks``: lines about errors, ``elsewhere``: those that stand beside another table of the file; ``around``: all lines above
    the table; ``stated``: columns with the errors their headings state; ``divided``: columns of errors, and by which coverage
    factor they were divided; ``empty``: columns without a value; ``keys``: columns of the table said to pair rows; ``left``: the
    file's other tables, not taken, by number; ``legends``: lines that say what flags mean; ``columns``: all of the table;
    ``answers``: to what was asked."""

    name: str
    digest: str
    part: int | None = None
    title: str = ""
    delimiter: str | None = None
    comma: bool | None = None
    turned: bool | None = None
    told: Told = Told()
    used: dict[int, str] = {}
    names: dict[int, str] = {}
    split: tuple[int, ...] | None = None
    nothing: frozenset[str] = frozenset()
    minutes: bool = False
    remarks: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    around: tuple[str, ...] = ()
    stated: tuple[tuple[str, str], ...] = ()
    divided: tuple[tuple[str, float], ...] = ()
    empty: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    left: tuple[tuple[int, str], ...] = ()
    legends: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    answers: Answers = Answers()


def digest_of(content: bytes) -> str:
    """By which a file is known again, whatever it is called."""
    return hashlib.sha256(content).hexdigest()


def with_file(files: tuple[ReadFile, ...], one: ReadFile) -> tuple[ReadFile, ...]:
    """``files`` and ``one``, which may have been read before."""
    others = tuple(f for f in files if (f.digest, f.part) != (one.digest, one.part))
    return (*others, one)[-MOST_FILES:]
