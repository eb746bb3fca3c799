"""Data tables as people have them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayescope.engine.problem.data.files.data_files import DataFileError, parse, read, read_matrix
from bayescope.engine.problem.data.tables.table_text import cell_value
from bayescope.engine.problem.data.tables.text_lines import MAX_ROWS


@pytest.mark.parametrize(
    ("text", "delimiter", "comma"),
    [
        ("t,u,sd\n0,1.5,0.1\n1,2.5,0.2\n", ",", False),
        ("t\tu\tsd\n0\t1.5\t0.1\n1\t2.5\t0.2\n", "\t", False),
        ("t;u;sd\n0;1,5;0,1\n1;2,5;0,2\n", ";", True),
        ("t;u;sd\r\n0;1.5;0.1\r\n1;2.5;0.2\r\n", ";", False),
        ("  t    u   sd\n  0  1.5  0.1\n  1  2.5  0.2\n", " ", False),
        ("t u sd\n0 1,5 0,1\n1 2,5 0,2\n", " ", True),
        ("# measured in May\n# t u sd\n0 1.5 0.1\n1 2.5 0.2\n", " ", False),
        ('"t","u","sd"\n"0","1.5","0.1"\n"1","2.5","0.2"\n', ",", False),
        ("t,u,sd,\n0,1.5,0.1,\n1,2.5,0.2,\n", ",", False),
        ("% by hand\n\nt, u, sd\n\n0, 1.5, 0.1\n! end of day one\n1, 2.5D0, 2.0E-01\n", ",", False),
        ("t\tu\tsd\r0\t1.5\t0.1\r1\t2.5\t0.2\r", "\t", False),
    ],
)
def test_the_usual_layouts_are_recognized(text: str, delimiter: str, comma: bool) -> None:
    found = parse(text.encode())
    assert found.table.columns == {"t": (0.0, 1.0), "u": (1.5, 2.5), "sd": (0.1, 0.2)}
    assert (found.preview.delimiter, found.preview.decimal_comma) == (delimiter, comma)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_encodings_and_byte_order_marks(encoding: str) -> None:
    data = "größe;µ\n1;2\n".encode(encoding)
    if encoding == "utf-16-le":
        with pytest.raises(DataFileError, match="zero bytes"):
            parse(data)
        return
    assert parse(data).table.columns == {"größe": (1.0,), "µ": (2.0,)}


@pytest.mark.parametrize("missing", ["", "NA", "nan", "NaN", "-", "null", "#N/A", "?"])
def test_missing_values_are_none(missing: str) -> None:
    assert parse(f"t,u\n0,1\n1,{missing}\n".encode()).table.columns["u"] == (1.0, None)


def test_a_table_without_a_header_has_numbered_columns() -> None:
    found = parse(b"0 1\n1 2\n")
    assert list(found.table.columns) == ["column 1", "column 2"]
    assert not found.preview.header
    assert any("no header" in note for note in found.preview.notes)


def test_a_column_of_labels_is_left_out_and_said_so() -> None:
    found = parse(b"a,0.5\nb,0.7\nc,0.9\n")
    assert found.table.columns == {"column 2": (0.5, 0.7, 0.9)}
    assert any("holds text" in note for note in found.preview.notes)


def test_one_bad_cell_is_named_with_its_place() -> None:
    with pytest.raises(DataFileError, match=r"Line 3, column “u” .*“1\.2\.3” is not a number"):
        parse(b"t,u\n0,1\n1,1.2.3\n2,3\n3,4\n")


def test_an_infinite_value_is_not_a_measurement() -> None:
    with pytest.raises(DataFileError, match="inf"):
        parse(b"t,u\n0,1\n1,inf\n2,3\n")
    with pytest.raises(DataFileError, match="1e999"):
        parse(b"t,u\n0,1\n1,1e999\n2,3\n")


def test_a_ragged_line_is_named() -> None:
    with pytest.raises(DataFileError, match="Line 3 of the table has 1 cell, the header has 2"):
        parse(b"t,u\n0,1\n1\n2,3\n")


def test_columns_of_the_same_name_are_told_apart() -> None:
    assert list(parse(b"u,u,\n1,2,3\n").table.columns) == ["u", "u_2", "column 3"]


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "PNG image"),
        (b"PK\x03\x04\x14\x00\x06\x00", "Excel"),
        (b"", "no rows"),
        (b"\n\n# only a comment\n", "no rows"),
        (b"t,u\n", "no"),
        (b"hello world\nthis is prose\n", "numbers"),
        (bytes(range(256)), "zero bytes"),
    ],
)
def test_what_is_no_table_gets_a_sentence(data: bytes, word: str) -> None:
    with pytest.raises(DataFileError, match=word):
        parse(data)


def test_too_many_rows_get_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("t,u\n" + "1,2\n" * (MAX_ROWS + 5))
    with pytest.raises(DataFileError, match="more than 100,000 rows"):
        read(path)


def test_a_missing_file_and_a_folder_get_sentences(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="does not exist"):
        read(tmp_path / "none.csv")
    with pytest.raises(DataFileError, match="folder"):
        read(tmp_path)
    with pytest.raises(DataFileError):
        read(tmp_path / "x\0y")


def test_the_preview_shows_the_first_rows_and_what_was_found(tmp_path: Path) -> None:
    path = tmp_path / "données.csv"
    path.write_text("t;u;who\n" + "".join(f"{i};{i},5;me\n" for i in range(30)), encoding="utf-8")
    shown = read(path).preview
    assert shown.columns == ("t", "u", "who")
    assert shown.rows[:3] == (("0", "0,5", "me"), ("1", "1,5", "me"), ("2", "2,5", "me"))
    assert (shown.row_count, shown.delimiter_words, shown.decimal_comma) == (30, "semicolon", True)
    assert shown.numeric == (True, True, False)


def test_the_person_can_overrule_what_was_found() -> None:
    found = parse(b"1,5\n2,5\n", delimiter="", decimal_comma=True)
    assert found.table.columns == {"column 1": (1.5, 2.5)}
    assert parse(b"1 2\n3 4\n", header=True).table.columns == {"1": (3.0,), "2": (4.0,)}


def test_a_covariance_matrix_is_read(tmp_path: Path) -> None:
    path = tmp_path / "cov.txt"
    path.write_text("# covariance\n1.0 0.5\n0.5 2.0D+00\n")
    assert read_matrix(path) == ((1.0, 0.5), (0.5, 2.0))
    path.write_text("1.0 0.5 0.1\n0.5 2.0 0.1\n")
    with pytest.raises(DataFileError, match="square"):
        read_matrix(path)
    path.write_text("1.0 NA\n0.5 2.0\n")
    with pytest.raises(DataFileError, match="not a number"):
        read_matrix(path)


@pytest.mark.parametrize(
    ("cell", "value"),
    [("1.0D+03", 1e3), ("1.0+103", 1e103), ("-.5", -0.5), ("5.", 5.0), ("−2", -2.0), ('"3"', 3.0), ("1e-400", 0.0)],
)
def test_numbers_as_programs_write_them(cell: str, value: float) -> None:
    assert cell_value(cell) == value


@pytest.mark.parametrize("cell", ["1_000", "0x10", "inf", "1e999", "٣", "1,5", "1.2.3", "****", "12a"])
def test_what_is_not_a_plain_number_is_refused(cell: str) -> None:
    with pytest.raises(ValueError):
        cell_value(cell)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.lists(st.one_of(st.none(), st.floats(-1e200, 1e200)), min_size=2, max_size=2).filter(lambda r: r[0] is not None),
        min_size=2,
        max_size=8,
    ),
    st.sampled_from([",", ";", "\t", " "]),
)
def test_a_written_table_is_read_back_exactly(rows: list[list[float | None]], delimiter: str) -> None:
    lines = [delimiter.join("NA" if v is None else repr(v) for v in row) for row in rows]
    found = parse(("a" + delimiter + "b\n" + "\n".join(lines)).encode()).table.columns
    assert found["a"] == tuple(row[0] for row in rows)
    assert found.get("b", (None,) * len(rows)) == tuple(row[1] for row in rows)


@settings(max_examples=60, deadline=None)
@given(
    st.one_of(
        st.binary(max_size=300),
        st.text(alphabet="0123456789.,;\t -eEdD+#\"\n\rabNA", max_size=200).map(str.encode),
        st.text(max_size=100).map(str.encode),
    )
)
def test_any_bytes_give_a_table_or_the_rooms_own_error(data: bytes) -> None:
    try:
        found = parse(data)
    except DataFileError:
        return
    lengths = {len(column) for column in found.table.columns.values()}
    assert lengths == {found.preview.row_count}
    assert all(v is None or np.isfinite(v) for column in found.table.columns.values() for v in column)


def test_a_problem_file_has_columns_of_errors_under_the_names_that_they_have() -> None:
    found = parse(b"t u\n# [s] [m]\n0 1.5\n1 2.5\n").table
    assert list(found.columns) == ["t", "u"]
    found = parse(b"t,u,err,v,k=2\n0,1.5,.1,3,.4\n1,2.5,.2,4,.4\n").table
    assert list(found.columns) == ["t", "u", "err", "v", "k=2"]
    assert found.columns["k=2"] == (0.4, 0.4)
