"""Workbooks that are damaged, hostile or only careless: a sentence, never a hang, a crash or gigabytes."""

from __future__ import annotations

import contextlib
import io
import random
import zipfile

import pytest

from bayescope.engine.problem.data.files.data_files import DataFileError, Options, parse_with
from bayescope.engine.problem.data.files.sheets import sheets_of
from sheet_files import ods, xlsx

ROWS = [["t", "u"], [0, 1.5], [1, 2.5]]
EXCEL, OPEN = xlsx({"S": ROWS}), ods({"S": ROWS})
CELL = b'<table:table-cell office:value-type="float" office:value="1.5">'
LAST = b"</table:table-row></table:table>"


def changed(data: bytes, part: str, old: bytes, new: bytes) -> bytes:
    """The archive with ``old`` replaced in one of its parts."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            content = source.read(name)
            if name == part:
                assert old in content
                content = content.replace(old, new, 1)
            target.writestr(name, content)
    return stream.getvalue()


def read_or_refused(data: bytes) -> None:
    """Whatever is in the bytes, the only error is the room's own."""
    with contextlib.suppress(DataFileError):
        assert parse_with(data, "x", Options(missing=None, outputs=("u",))).table.columns


@pytest.mark.parametrize(
    ("data", "words"),
    [
        pytest.param(
            changed(EXCEL, "xl/worksheets/sheet1.xml", b'r="B3"', b'r="XFD1048576"'),
            "row 1,048,576 and column 16,384",
            id="a cell at the end of an Excel sheet",
        ),
        pytest.param(
            changed(OPEN, "content.xml", CELL, CELL[:-1] + b' table:number-columns-repeated="2000000000">'),
            "too many cells",
            id="a cell repeated two thousand million times",
        ),
        pytest.param(
            changed(
                OPEN, "content.xml", b"<table:table-row>", b'<table:table-row table:number-rows-repeated="99999999999">'
            ),
            "too many cells",
            id="a row repeated for ever",
        ),
        pytest.param(
            changed(OPEN, "content.xml", b"</table:table>", b"</tabler11<:table>"), "damaged", id="broken XML"
        ),
        pytest.param(
            changed(
                OPEN,
                "content.xml",
                b"<office:document-content",
                b'<!DOCTYPE a [<!ENTITY b "c">]><office:document-content',
            ),
            "damaged",
            id="XML that declares entities",
        ),
        pytest.param(EXCEL[:-30], "damaged", id="cut off at the end"),
    ],
)
def test_what_would_hang_or_fill_the_memory_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(DataFileError, match=words) as caught:
        parse_with(data, "x.xlsx", Options())
    assert caught.value.suggestion


def test_empty_rows_to_the_end_of_the_sheet_do_no_harm() -> None:
    """LibreOffice writes them whenever a column was formatted."""
    empty = b'<table:table-row table:number-rows-repeated="1048573"><table:table-cell table:number-columns-repeated="16384"/>'
    data = changed(OPEN, "content.xml", LAST, b"</table:table-row>" + empty + LAST)
    assert parse_with(data, "x.ods", Options()).table.columns == {"t": (0.0, 1.0), "u": (1.5, 2.5)}


@pytest.mark.parametrize("data", [EXCEL, OPEN], ids=["xlsx", "ods"])
def test_damaged_workbooks_give_a_table_or_a_sentence(data: bytes) -> None:
    rng = random.Random(7)
    for _ in range(150):
        bad = bytearray(data)
        for _ in range(rng.randint(1, 5)):
            bad[rng.randrange(len(bad))] = rng.randrange(256)
        read_or_refused(bytes(bad))


@pytest.mark.parametrize("part", ["xl/worksheets/sheet1.xml", "content.xml"])
def test_damaged_xml_in_a_sound_archive_gives_a_table_or_a_sentence(part: str) -> None:
    data = EXCEL if part.startswith("xl") else OPEN
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        content = archive.read(part)
    rng = random.Random(11)
    for _ in range(150):
        at = rng.randrange(len(content) - 8)
        wrong = changed(
            data, part, content[at:], rng.choice([b"<", b"", b'"', b"A", b"</"]) + content[at + rng.randint(0, 6) :]
        )
        read_or_refused(wrong)


def test_line_numbers_of_a_sheet_are_its_row_numbers() -> None:
    text = sheets_of(xlsx({"S": [[], ["title"], [], *ROWS]}), "x")[0].text
    assert text.split("\n")[3] == "t\tu"


@pytest.mark.parametrize("above", [[], [["Denudation rates"]], [["Denudation rates"], []], [["Rates (10Be, in quartz)"], []]])
def test_a_heading_that_begins_with_a_plus_minus_sign_is_a_cell_of_its_own(above: list[list[object]]) -> None:
    rows = [["Sample", "Rate (mm/kyr)", "±1σ (mm/kyr)"], ["RS-1", 285, 21], ["RS-2", 249, 24], ["RS-3", 264, 28]]
    table = parse_with(xlsx({"S": [*above, *rows]}), "rates.xlsx", Options()).table
    assert list(table.columns) == ["Rate (mm/kyr)", "±1σ (mm/kyr)"]
    assert list(table.texts) == ["Sample"]


def test_what_a_sheet_of_words_says_is_shown_and_looked_through() -> None:
    notes = [["Loggers are on winter time"], ["03:00", "vial spilled"], ["error of each reading: 0.02 bar"]]
    shown = parse_with(xlsx({"S": ROWS, "Notes": notes}), "w.xlsx", Options(named=True)).preview
    words = "Loggers are on winter time / 03:00 vial spilled / error of each reading: 0.02 bar"
    assert shown.notes[-1] == f"Sheet “Notes” holds words alone: “{words}”."
    assert shown.remarks == ("error of each reading: 0.02 bar",)
    assert shown.sheets[0] == "Loggers are on winter time"
    assert not any("tables in" in note for note in shown.notes), "a sheet of words is no table"
    assert parse_with(xlsx({"S": ROWS}), "w.xlsx", Options(named=True)).preview.sheets == ()
