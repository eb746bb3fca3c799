"""What a number means where that depends on something declared, or on what stands around it; and what a refusal says."""

from __future__ import annotations

import json
import math
from pathlib import Path

import msgspec
import pytest

from bayescope.engine.archive import table
from bayescope.engine.archive.sources import _json_values, values_in_template
from bayescope.engine.archive.table import ArchiveError
from bayescope.engine.problem import definition as d
from bayescope.engine.problem import files
from bayescope.engine.problem.data.files import data_files
from bayescope.engine.problem.data.files.data_files import DataFileError
from bayescope.engine.problem.definition import (
    CsvColumn,
    Extractor,
    JsonPath,
    LabelledNumber,
    LastNumber,
    MarkerOffset,
    RegexGroup,
    RowsAfter,
    TableBlock,
)
from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.problem.extract import ExtractionError, decode, extract, read_output
from bayescope.engine.problem.marks import Mark
from bayescope.engine.problem.numbers import number_text
from bayescope.engine.problem.numbers.numbers_in_text import number_at, problem_at, scan

LOGLIK = LabelledNumber(label="loglik")
LAST = LastNumber()


@pytest.mark.parametrize(
    ("made", "text", "value"),
    [
        (LOGLIK, "loglik: 1.5 kg", 1.5), (LOGLIK, "loglik = 5.3/7", 5.3), (LOGLIK, "loglik = −1.5 ± 0.2", -1.5),
        (LOGLIK, "loglik=0.123(45)", 0.123), (LOGLIK, "loglik[W/m^2] = 5.5", None), (LAST, "5 samples of run-7", 7.0),
        (LAST, "12:00:00 - INFO - 5.5", 5.5), (LAST, "steps 3 × 4", 4.0), (LAST, "x = **-1.5**", -1.5),
        (LAST, "f(x)=|−1.5|", -1.5), (LAST, "a 5 … 7", 7.0), (LAST, "1.5→2.5", 2.5), (LAST, "│ 1.5 │ −2.5 │", -2.5),
        (LAST, "3.0 +/- 0.5", 0.5),
        (LAST, "5.5,ok", 5.5), (LAST, "run1,5.5", 5.5), (LAST, "2026-11-21,5.5", 5.5), (LAST, "1,2,3", 3.0),
        (LOGLIK, "loglik:\n  - 1.5\n  - 2.5\n", 1.5), (LAST, "values:\n- 1.5\n- 2.5\n", 2.5), (LAST, "loglik\n- 2.5\n", None),
        (LOGLIK, "loglik - 1.5", None), (LabelledNumber(label="loglik -"), "loglik - 1.5", 1.5),
        (LabelledNumber(label="loglik = -"), "loglik = -1.5", None), (LabelledNumber(label="run-"), "run-5", 5.0),
        (LOGLIK, "loglik = --\nsteps = 500", None), (LOGLIK, "loglik = ∞\nsteps = 500", math.inf),
        (LOGLIK, "loglik:\nNA\n5", None), (LOGLIK, "--- loglik ---\n 5.5", 5.5), (LAST, r"\approx-1.5", None),
        (LAST, "x1.5e-3", None), (LAST, "对数似然为-1.5", None), (LAST, "p = ·05", None), (LAST, "12\u00ad\n345", 345.0),
        (LAST, "123\u00ad", None), (RegexGroup(pattern=r"loglik\D+(\d+\.\d+)"), "loglik = -1.5", None),
        (RegexGroup(pattern=r"loglik = -(\d+\.\d+)"), "loglik = -1.5", 1.5), (RegexGroup(pattern=r"\d+"), "loglik = 1.5", None),
        (RegexGroup(pattern=r"(\d+)\."), "loglik = 12.5", 12.0), (RegexGroup(pattern=r"(-?\d+\.\d+)"), "1.5e-3", None),
        (RegexGroup(pattern=r"(-?\d+\.\d+)E"), "1.5E-03", 1.5), (RegexGroup(pattern=r"(-?\d\.\d+)(-\d\.\d+)"), "1.25-3.50", 1.25),
        (RegexGroup(pattern=r"run(\d+)"), "run12,5", 12.0), (RegexGroup(pattern=r"(?<=E-)\d+", group=0), "1.5E-03", 3.0),
        (RegexGroup(pattern=r"x=([\d.]+)"), "x=1.5,2.5", 1.5),
    ],
)  # fmt: skip
def test_what_stands_around_a_number_counts(made: Extractor, text: str, value: float | None) -> None:
    if value is not None:
        assert extract(made, text).values == (value,)
        return
    with pytest.raises(ExtractionError):
        extract(made, text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("loglik = –1.5", r"EN DASH \(U\+2013\)"), ("loglik = 1'234", "APOSTROPHE"), ("loglik = 1\u200b5", "ZERO WIDTH SPACE"),
        ("loglik = ١٢", "ARABIC-INDIC DIGIT ONE"), ("loglik = 1,234", "say so beside the output"),
        ("loglik = 1e400", "too large"), ("loglik = 1_000", "underscores"),
        ("loglik = 1.5 × 10^-3", "with a power.*1.5e-3"), ("loglik = − 5", "space between"),
    ],
)  # fmt: skip
def test_a_refusal_says_what_was_found_where_and_what_to_do(text: str, words: str) -> None:
    output = d.Output(name="fit", source="stdout", extractor=LOGLIK)
    with pytest.raises(ExtractionError, match=rf"“fit” could not be read from stdout: .*{words}"):
        read_output(output, text)


# ------------------------------------------------------------------ commas


@pytest.mark.parametrize(
    ("text", "value"),
    [("1,5", 1.5), ("−1,5", -1.5), ("1,234", 1.234), ("0,5e−3", 5e-4), ("1,5D+02", 150.0), ("1.5", 1.5), ("1.2345", 1.2345),
     ("1.234", None), ("1.234,5", None), ("1,234.5", None), ("1,234,567", None), (",5", 0.5)],
)  # fmt: skip
def test_a_declared_decimal_comma_is_one_and_a_point_that_may_part_thousands_is_refused(text: str, value: float | None) -> None:
    assert number_text.value_of(text, True) == value
    found = list(scan(f"x = {text} kg", True))
    assert [t.value for t in found if not t.problem] == ([] if value is None else [value])
    assert len(found) == 1


def test_decimal_commas_and_points_in_one_vector_are_refused() -> None:
    with pytest.raises(ExtractionError, match=r"decimal comma and others a point, such as “1,5” and “2\.5”"):
        extract(CsvColumn(column="y", delimiter=";"), "t;y\n1;1,5\n2;2.5\n", True)
    assert extract(CsvColumn(column="y", delimiter=";"), "t;y\n1.0;1,5\n2.0;2,5\n", True).values == (1.5, 2.5)
    with pytest.raises(DataFileError, match=r"line 2 has a decimal comma \(“1,5”\) and line 3 a decimal point"):
        data_files.parse(b"t;y\n1;1,5\n2;2.5\n3;4,5\n")
    with pytest.raises(ArchiveError, match="Column 2 has numbers with a decimal comma and numbers with a decimal point"):
        table.parse(b"t;y\n1;1,5\n2;2.5\n3;4,5\n", "t")


@pytest.mark.parametrize("text", ["1,5\n2,7\n", "1,234,567\n2,345,678\n", "t;y\n1;1,234\n2;2,345\n"])
def test_a_table_that_can_be_read_in_two_ways_is_read_as_declared_or_not_at_all(text: str) -> None:
    for read in (data_files.parse, lambda data: table.parse(data, "t")):
        with pytest.raises(ProblemError, match="in two ways because of its comma") as refused:
            read(text.encode())
        assert "decimal comma" in refused.value.suggestion
    assert data_files.parse(text.encode(), decimal_comma=False, delimiter=None if ";" not in text else ";")
    if ";" in text:
        assert data_files.parse(text.encode(), decimal_comma=True).table.columns["y"] == (1.234, 2.345)
        assert table.parse(text.encode(), "t", decimal_comma=True).column("y").tolist() == [1.234, 2.345]


def test_a_heading_or_one_plain_decimal_comma_leaves_no_doubt() -> None:
    assert data_files.parse(b"t,y\n1,5\n2,7\n").table.columns == {"t": (1.0, 2.0), "y": (5.0, 7.0)}
    assert data_files.parse(b"t;y\n1;1,234\n2;0,345\n").table.columns["y"] == (1.234, 0.345)
    with pytest.raises(ExtractionError, match="every line can be read in two ways"):
        extract(CsvColumn(column=0), "1,5\n2,7\n")
    assert extract(CsvColumn(column=0, delimiter=","), "1,5\n2,7\n").values == (1.0, 2.0)
    assert extract(CsvColumn(column=1), "1,5\n2,7\n").values == (5.0, 7.0)


def test_a_problem_file_declares_how_its_table_is_to_be_read(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("t;y\n1;1,234\n2;2,345\n")
    raw = msgspec.to_builtins(
        d.Problem(
            name="p", parameters=(), simulator=d.Simulator(command=("x",)), outputs=(), meaning=d.LogLikelihoodOutput(output="y")
        )
    )
    with pytest.raises(ProblemError, match="in two ways"):
        files.loads(json.dumps(raw | {"data": {"path": "m.csv"}}).encode(), tmp_path)
    declared = raw | {"data": {"path": "m.csv", "decimal_comma": True, "delimiter": ";"}}
    data = files.loads(json.dumps(declared).encode(), tmp_path).data
    assert data is not None
    assert data.columns["y"] == (1.234, 2.345)
    with pytest.raises(ProblemError, match="“decimal_comma” is true or false"):
        files.loads(json.dumps(raw | {"data": {"path": "m.csv", "decimal_comma": "yes"}}).encode(), tmp_path)
    assert {"delimiter", "decimal_comma"} < set(files.schema()["$defs"]["DataTable"]["properties"])


# ------------------------------------------------------------------ tables


def test_a_row_whose_number_cannot_be_read_does_not_vanish_from_a_table() -> None:
    for cell in ("1_000", "50%", "NA", "-", "?", "1.5e–3", "−", "true"):
        text = f"head\n1 2.5 20\n2 {cell} 20\n3 4.5 20\nend"
        for block in (TableBlock(columns=(2,), start="head"), TableBlock(columns=(2,), start="head", end="end")):
            with pytest.raises(ExtractionError, match="line 3"):
                extract(block, text)
    assert extract(TableBlock(columns=(1,), start="head", end="end"), "head\n1 2\nTotal 5 7\n3 4\nend").values == (1.0, 3.0)


def test_a_first_row_that_cannot_be_read_is_not_taken_for_a_heading() -> None:
    with pytest.raises(DataFileError, match=r"Line 1.*underscores"):
        data_files.parse(b"1_000;5\n2;6\n3;7\n")
    with pytest.raises(ExtractionError, match="underscores"):
        extract(CsvColumn(column=0, delimiter=" "), "1_000 2_000\n3 4\n5 6\n")


def test_a_sign_that_stands_apart_does_not_move_the_columns() -> None:
    assert extract(CsvColumn(column=2, delimiter=" "), "1 - 1.5\n2 - 2.5\n").values == (1.5, 2.5)  # a missing value
    with pytest.raises(ExtractionError, match="line 2 a sign or a dash stands by itself"):
        extract(CsvColumn(column=2, delimiter=" "), "1 2 1.5\n2 - 2.5 9\n3 4 5\n")
    with pytest.raises(ExtractionError, match="line 2"):
        extract(RowsAfter(marker="head", column=2), "head\n1 - 1.5\n")
    with pytest.raises(ExtractionError, match="NO-BREAK SPACE"):
        extract(CsvColumn(column=1, delimiter=" "), "t y z\n1 1\u00a0234 5\n2 3 4\n")


def test_brackets_of_an_accountant_are_refused_in_cells_and_mean_nothing_in_print() -> None:
    assert extract(MarkerOffset(marker="mean", column=3), "mean 12.3 (0.5)").values == (0.5,)
    with pytest.raises(ExtractionError, match="can mean a negative number"):
        extract(CsvColumn(column=1, delimiter=","), "1,(0.5)\n2,0.5\n")


def test_the_two_entries_of_a_repeated_key_are_not_mixed_up() -> None:
    with pytest.raises(ExtractionError, match="a key occurs more than once"):
        extract(JsonPath(path="y"), '{"y": 1, "y": 2}')
    with pytest.raises(ExtractionError, match="too large"):
        extract(JsonPath(path="y"), '{"y": [1.5, -1e400]}')
    assert extract(JsonPath(path="y"), '{"y": -Infinity, "z": 1e400}').values == (-math.inf,)


def test_text_cut_off_in_the_middle_of_a_character_keeps_its_minus_signs() -> None:
    data = "loglik = −1.5\nµ = 2 µ".encode()
    assert extract(LOGLIK, decode(data[:-1], "out")).values == (-1.5,)
    with pytest.raises(ExtractionError, match="damaged"):
        extract(LOGLIK, decode(data + b"\xff", "out"))


# ------------------------------------------------------------------ archives and the mouse


def test_an_archive_counts_the_numbers_it_cannot_read() -> None:
    found = table.parse(b"t;y\n1;1'234\n2;2.5\n3;3.5\n", "t")
    assert math.isnan(found.column("y")[0])
    assert "1 cells were taken for missing: “1'234” has APOSTROPHE (U+0027) between its digits" in found.notes[0]
    assert math.isnan(table.parse(b"t,y\n1,1e400\n2,2.5\n3,-inf\n", "t").column("y")[0])
    assert table.parse("t y\n1 −1.5\n2 -inf\n".encode(), "t").column("y").tolist() == [-1.5, -math.inf]


def test_values_of_earlier_runs_are_read_as_everywhere() -> None:
    assert values_in_template("k=@k@;", "k=−1.5e−3;") == {"k": -1.5e-3}
    assert values_in_template("k=@k@;", "k=١٢;") == {}
    assert values_in_template("@a@@b@", "1.52.5") == {}
    assert _json_values('{"a": 1e400, "b": 2, "c": ' + "9" * 400 + "}", "v.json") == {"b": 2.0}


def test_a_mark_on_what_is_no_number_says_why() -> None:
    text = "loglik = 1'234 nats"
    assert number_at(text, 10, 12) is None
    assert "APOSTROPHE" in problem_at(text, 10, 12)
    assert number_at("p = 1,234 bar", 5, 5) is None
    assert "in two ways" in problem_at("p = 1,234 bar", 5, 5)
    found = number_at("p = −12,5 bar", 6, 6)
    assert found is not None
    assert (found.value, found.decimal_comma) == (-12.5, True)
    assert problem_at("p = 5 bar", 4, 5) == ""


BANNER = f" {'*' * 79}\n **{' ' * 75}**\n **{'PROGRAM v22.0.6':^75}**\n {'*' * 79}\n\n ****\n results\n"


@pytest.mark.parametrize("at", [i for i, c in enumerate(BANNER) if c == "*"][::7])
def test_stars_of_a_rule_or_a_frame_are_no_number_that_did_not_fit(at: int) -> None:
    assert problem_at(BANNER, at, at) == ""
    assert Mark(BANNER, at, at).refusal == ""


@pytest.mark.parametrize(
    "text", ["E = ****** eV", "1.5 ****** 2.5", "1.5\n******\n2.5", "**********\n12.5", "x **** 12.5 ****", "12 13\n** **\n14 15"]
)
def test_stars_in_the_place_of_a_number_are_one_that_did_not_fit(text: str) -> None:
    at = text.index("**") + 1
    assert "could not fit the number" in problem_at(text, at, at)


@pytest.mark.parametrize(
    ("text", "value"), [("5", 5), (" −3 ", -3), ("+7", 7), ("1_0", None), ("١", None), ("1.0", None), ("", None)]
)
def test_whole_numbers_of_the_command_line(text: str, value: int | None) -> None:
    if value is not None:
        assert number_text.whole(text) == value
        return
    with pytest.raises(number_text.NumberError, match="whole number"):
        number_text.whole(text)
