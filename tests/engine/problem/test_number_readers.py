"""A number in a text is read right or refused, never read as another number: by every reader there is."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bayescope.engine.app.exit_status import Failure
from bayescope.engine.app.headless import _chosen_values
from bayescope.engine.archive import table
from bayescope.engine.archive.sources import values_in_template
from bayescope.engine.problem.data.files import data_files
from bayescope.engine.problem.definition import (
    CsvColumn,
    Extractor,
    JsonPath,
    LabelledNumber,
    LastNumber,
    LogLikelihoodOutput,
    MarkerOffset,
    Normal,
    Parameter,
    Problem,
    RegexGroup,
    RowsAfter,
    Simulator,
    TableBlock,
)
from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.problem.extract import ExtractionError, extract
from bayescope.engine.problem.numbers import number_text
from bayescope.engine.problem.propose import propose

PROBLEM = Problem(
    name="p", parameters=(Parameter("rho", Normal(mean=0.0, sd=1.0)),), simulator=Simulator(command=("x",)),
    outputs=(), meaning=LogLikelihoodOutput(output="y"),
)  # fmt: skip


class Refused(Exception):
    """The reader said in words why it does not read this."""


def extractor(made: Extractor, text: str) -> Callable[[str], float]:
    """``text`` with the number at {}."""

    def read(number: str, comma: bool = False) -> float:
        try:
            return extract(made, text.replace("{}", number), comma).values[0]
        except ExtractionError as error:
            raise Refused(str(error)) from None

    return read


def data_file(text: str) -> Callable[[str], float]:
    def read(number: str) -> float:
        try:
            columns = data_files.parse(text.replace("{}", number).encode()).table.columns
        except ProblemError as error:
            raise Refused(str(error)) from None
        value = columns.get("y", (None,))[0]
        if value is None:
            raise Refused("left out, with a note, or missing")
        return value

    return read


def archive(number: str) -> float:
    try:
        value = table.parse(f"t;y\n1;{number}\n2;3.5\n3;-2.5\n4;1e-3\n".encode(), "t", delimiter=";").column("y")[0]
    except ProblemError as error:
        raise Refused(str(error)) from None
    if math.isnan(value) and not number.strip().lower().lstrip("-+").startswith("nan"):
        raise Refused("the row is left out, with a note")
    return float(value)


def template(number: str) -> float:
    found = values_in_template("a\nrho = @rho@ m\n", f"a\nrho = {number} m\n")
    if "rho" not in found:
        raise Refused("no value of rho was found")
    return found["rho"]


def at(number: str) -> float:
    try:
        return _chosen_values(PROBLEM, {"rho": number})["rho"]
    except Failure as error:
        raise Refused(str(error)) from None


def typed(number: str) -> float:
    try:
        return number_text.typed(number)
    except number_text.NumberError as error:
        raise Refused(str(error)) from None


def marked(number: str) -> float:
    """Marked with the mouse: what is promised, and what the proposed extractors read."""
    text = f"solver 2\nloglik = {number} nats\nend\n"
    start = text.index("= ") + 2
    found = propose(text, start, start + len(number))
    if not found:
        raise Refused("no way to read it is proposed")
    values = {v for p in found for v in p.values} | {v for p in found for v in extract(p.extractor, text, p.decimal_comma).values}
    assert len(values) == 1 or all(map(math.isnan, values))
    return values.pop()


RUNNING: dict[str, Callable[[str], float]] = {
    "last number": extractor(LastNumber(), "chi2 = 7 in 20 steps\nloglik = {}\n"),
    "last number of a table": extractor(LastNumber(), "t y\n1 2\n2 {}"),
    "labelled": extractor(LabelledNumber(label="loglik"), "chi2 = 7\nloglik = {} (20 steps)\n"),
    "labelled on the next line": extractor(LabelledNumber(label="loglik"), "chi2 = 7\nloglik:\n   {}  20\n"),
    "loose pattern": extractor(RegexGroup(pattern=r"loglik\D*?([-+]?[0-9.]+)"), "chi2 = 7\nloglik = {}\n"),
}
WORDS: dict[str, Callable[[str], float]] = {
    "pattern": extractor(RegexGroup(pattern=r"loglik = (.*?) nats"), "chi2 = 7\nloglik = {} nats in 20 steps\n"),
    "marker": extractor(MarkerOffset(marker="head", lines=1, column=2), "head\nE {} 20\n"),
    "white-space column": extractor(CsvColumn(column="y", delimiter=" "), "t y z\n1 {} 20\n2 2.5 20\n3 3.5 20\n"),
    "table": extractor(TableBlock(columns=(2,), start="head"), "head\n1 {} 20\n2 2.5 20\n3 3.5 20\n"),
    "rows after": extractor(RowsAfter(marker="head", column=2, lines=1), "head\n1 {} 20\nhead\n2 2.5 20\n"),
    "data file, white space": data_file("t y z\n1 {} 20\n2 2.5 20\n3 3.5 20\n4 4.5 20\n"),
}
CELLS: dict[str, Callable[[str], float]] = {
    "csv": extractor(CsvColumn(column="y", delimiter=";"), "t;y\n1;{}\n2;3.5\n"),
    "csv without a heading": extractor(CsvColumn(column=1, delimiter="\t"), "1\t{}\n2\t3.5\n"),
    "csv, delimiter found out": extractor(CsvColumn(column="y"), "t;y\n1;{}\n2;3.5\n"),
    "json": lambda number: extractor(JsonPath(path="y"), '{"x": 20, "y": {}}')(json.dumps(number)),
    "data file": data_file("t;y\n1;{}\n2;2.5\n3;3.5\n4;4.5\n"),
    "archive": archive,
    "--at": at,
    "typed": typed,
}
OTHERS: dict[str, Callable[[str], float]] = {"filled template": template, "marked with the mouse": marked}
READERS = RUNNING | WORDS | CELLS | OTHERS


REFUSED = None
Expected = float | None
Exceptions = Mapping[str, Expected]

LENIENT = ("loose pattern", "filled template")  # these may refuse what others read: their pattern does not reach it
FINITE = ("data file", "data file, white space", "--at", "typed")
LABELLED = ("labelled", "labelled on the next line", "loose pattern")
IN_TABLES = ("data file", "data file, white space")  # of measured values, which may have errors beside them
IN_PROSE = (*LABELLED, "last number", "last number of a table", "rows after", "marked with the mouse")
NOT_COUNTED = {"last number": 20.0, "last number of a table": 2.0}  # the number before: this one is a word


def only(value: Expected, *readers: str) -> dict[str, Expected]:
    return dict.fromkeys(readers, value)


# name, text, what it is, and the readers for which it is something else
CASES: tuple[tuple[str, str, Expected, Exceptions], ...] = (
    ("plain", "1.5", 1.5, {}),
    ("leading plus", "+1.5", 1.5, {}),
    ("no digit before the point", "-.5", -0.5, {}),
    ("no digit behind the point", "5.", 5.0, {}),
    ("leading zeros", "007", 7.0, {}),
    ("minus sign U+2212", "−1.5", -1.5, {}),
    ("full-width minus U+FF0D", "－1.5", -1.5, {}),
    ("small minus U+FE63", "﹣1.5", -1.5, {}),
    ("hyphen U+2010", "\u20101.5", -1.5, {}),
    ("no-break hyphen U+2011", "\u20111.5", -1.5, {}),
    ("full-width plus", "＋1.5", 1.5, {}),
    ("minus sign in the exponent", "1.5e−3", 1.5e-3, {}),
    ("no-break spaces around", "\u00a0-1.5\u00a0", -1.5, {}),
    ("byte order mark before", "\ufeff1.5", 1.5, {}),
    ("zero-width space before", "\u200b1.5", 1.5, {}),
    ("zero-width space behind", "1.5\u200b", 1.5, {}),
    ("mark of direction before the sign", "\u200e-1.5", -1.5, {}),
    ("colours of a terminal", "\x1b[32m-1.5\x1b[0m", -1.5, {}),
    ("in quotes", '"1.5"', 1.5, only(REFUSED, "--at", "typed")),
    ("Fortran's exponent", "1.0D+03", 1e3, {}),
    ("Fortran's exponent, small", "1.0d0", 1.0, {}),
    ("Fortran's quadruple exponent", "1.5q2", 150.0, {}),
    ("Fortran without the letter", "1.234-101", 1.234e-101, only(REFUSED, "typed")),
    ("too small for a float", "1e-400", 0.0, {}),
    ("infinity of Windows", "1.#INF", math.inf, only(REFUSED, *FINITE)),
    ("not a number of Windows", "-nan(ind)", math.nan, only(REFUSED, *FINITE)),
    ("NaN", "NaN", math.nan, only(REFUSED, *FINITE)),
    ("inf", "-inf", -math.inf, only(REFUSED, *FINITE)),
    ("the word infinity", "Infinity", math.inf, only(REFUSED, *FINITE)),
    ("sign of infinity", "−∞", -math.inf, only(REFUSED, *FINITE)),
    ("too large for a float", "1e400", REFUSED, {}),
    ("too large and negative", "-1e400", REFUSED, {}),
    ("en dash U+2013", "–1.5", REFUSED, {}),
    ("em dash U+2014", "—1.5", REFUSED, {}),
    ("figure dash U+2012", "\u20121.5", REFUSED, {}),
    ("soft hyphen U+00AD", "\u00ad1.5", REFUSED, {}),
    ("raised minus", "⁻1.5", REFUSED, {}),
    ("en dash in the exponent", "1.5e–3", REFUSED, {}),
    ("minus sign read in the wrong encoding", "âˆ’1.5", REFUSED, {}),
    ("two signs", "--1.5", REFUSED, {}),
    ("plus and minus", "+-1.5", REFUSED, {}),
    ("sign behind", "1.5-", REFUSED, {}),
    ("minus with a space", "- 1.5", REFUSED, only(1.5, "last number of a table")),  # “2 - 1.5”: a dash between two numbers
    ("minus sign with a space", "− 1.5", REFUSED, {}),
    ("minus sign with a no-break space", "−\u00a01.5", REFUSED, only(-1.5, "typed")),
    ("mark of direction behind the sign", "-\u200e1.5", REFUSED, {}),
    ("minus sign after a word", "x−1.5", REFUSED, {}),
    ("thousands with a comma", "1,234", REFUSED, {}),
    ("millions with commas", "1,234,567", REFUSED, only(1234567.0, *IN_TABLES)),
    ("thousands and a point", "1,234.5", REFUSED, only(1234.5, *IN_TABLES)),
    ("German thousands", "1.234,5", REFUSED, {}),
    ("German millions", "1.234.567", REFUSED, {}),
    ("decimal comma", "1,5", REFUSED, only(1.5, "typed", "marked with the mouse")),
    ("decimal comma that cannot part thousands", "0,123", REFUSED, only(0.123, "typed", "marked with the mouse")),
    ("decimal comma with a unit", "1,5mm", REFUSED, {}),
    ("Swiss thousands", "1'234", REFUSED, only(1234.0, *IN_TABLES)),
    ("Swiss thousands in print", "1’234", REFUSED, only(1234.0, *IN_TABLES)),
    ("no-break space between thousands", "1\u00a0234", REFUSED, only(1234.0, "typed", *IN_TABLES)),
    ("narrow no-break space", "1\u202f234", REFUSED, only(1234.0, "typed", *IN_TABLES)),
    ("thin space", "1\u2009234", REFUSED, only(1234.0, "typed", *IN_TABLES)),
    ("no-break space that parts no thousands", "1\u00a05", REFUSED, {}),
    ("underscore", "1_000", REFUSED, {}),
    ("underscore behind the point", "1.000_5", REFUSED, {}),
    ("Arabic digits", "١٢٣", REFUSED, {}),
    ("Devanagari digits", "१.५", REFUSED, {}),
    ("full-width digits", "１.５", REFUSED, {}),
    ("bold digits", "𝟏.𝟓", REFUSED, {}),
    ("Arabic decimal sign", "1٫5", REFUSED, {}),
    ("raised point", "1·5", REFUSED, {}),
    ("full-width point", "1．5", REFUSED, {}),
    ("zero-width space between digits", "1\u200b5", REFUSED, {}),
    ("soft hyphen between digits", "1\u00ad5", REFUSED, {}),
    ("shown backwards", "\u202e1.5", REFUSED, {}),
    ("backspace between digits", "1\x085", REFUSED, {}),
    ("struck through", "5\u0336", REFUSED, {}),
    ("a half", "½", REFUSED, {}),
    ("one and a half", "1½", REFUSED, {}),
    ("fraction slash", "1⁄2", REFUSED, {}),
    ("square", "10²", REFUSED, {}),
    ("power in print", "10⁻³", REFUSED, {}),
    ("power with a caret", "10^5", REFUSED, {}),
    ("power with stars", "10**5", REFUSED, {}),
    ("times a power", "1×10^-3", REFUSED, {}),
    ("times a power in print", "1.5 × 10⁻³", REFUSED, {}),
    ("times a power with a letter", "1.5x10^-3", REFUSED, {}),
    ("times a power that lost its caret", "1.5 x 10-3", REFUSED, {}),
    ("times a power of TeX", r"1.5\times10^{-3}", REFUSED, {}),
    ("thin space of TeX", r"1\,234", REFUSED, {}),
    ("uncertainty and power", "1.5(3)e-5", REFUSED, only(1.5e-5, *IN_TABLES)),
    ("power behind the bracket", "(1.5±0.3)e-5", REFUSED, only(1.5e-5, *IN_TABLES)),
    ("hexadecimal", "0x1.8p3", REFUSED, {}),
    ("complex", "1.5+2.5j", REFUSED, {}),
    ("run together", "1.25-3.5", REFUSED, {}),
    ("run together like Fortran without the letter", "12.5-101", REFUSED, {}),
    ("subtraction that looks like Fortran", "1.5−101", REFUSED, {}),
    ("stars of Fortran", "****", REFUSED, {}),
    ("cut off in the exponent", "1.5e-", REFUSED, {}),
    ("cut off behind the e", "1.5e", REFUSED, {}),
    ("space in the exponent", "1.5E 03", REFUSED, {}),
    ("space before the exponent", "1.5 e-3", REFUSED, {}),
    ("point in the exponent", "1e5.5", REFUSED, {}),
    ("from and to", "5–7", REFUSED, {}),
    ("spread", "1.50+/-0.03", REFUSED,
     only(1.5, *IN_PROSE, *IN_TABLES) | only(0.03, "last number", "last number of a table")),
    ("percent", "50%", REFUSED, only(50.0, *IN_PROSE)),
    ("unit glued on", "3.2mm", REFUSED,
     only(3.2, *LABELLED) | NOT_COUNTED | only(20.0, "rows after")),
    ("brackets of an accountant", "(1.5)", REFUSED,
     only(1.5, *IN_PROSE, "pattern", "marker", "white-space column", "table")),
    ("date", "2026-11-21", REFUSED, NOT_COUNTED | only(20.0, "rows after") | only(2026.0, "loose pattern")),
    ("no value", "NA", REFUSED, NOT_COUNTED),
)  # fmt: skip


def same(a: float, b: float) -> bool:
    return (math.isnan(a) and math.isnan(b)) or (a == b and math.copysign(1.0, a) == math.copysign(1.0, b))


@pytest.mark.parametrize(("text", "expected", "exceptions"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_an_awkward_number_is_read_right_or_refused_by_every_reader(
    text: str, expected: Expected, exceptions: Exceptions
) -> None:
    wrong = []
    for name, read in READERS.items():
        wanted = exceptions.get(name, expected)
        try:
            found: Expected = read(text)
        except Refused:
            found = REFUSED
        if found is REFUSED and name in LENIENT:
            continue
        if (found is None) != (wanted is None) or (found is not None and wanted is not None and not same(found, wanted)):
            wrong.append(f"{name}: {found}, not {wanted}")
    assert wrong == []


# ------------------------------------------------------------------ every accepted way to write a number

MINUS_SIGNS = ("-", "\u2212", "\uff0d", "\ufe63", "\u2010", "\u2011")
EXPONENTS = st.sampled_from("eEdDqQ")


@st.composite
def written(draw: st.DrawFn) -> tuple[float, str]:
    """A float, and one of the ways to write it that every reader reads."""
    value = draw(st.floats(allow_nan=False, allow_infinity=False))
    text = draw(st.sampled_from([repr(value), f"{value:.17e}", f"{value:.16g}", f"{value:.3f}"]))
    value = float(text)
    assume(math.isfinite(value))
    text = text.replace("e", draw(EXPONENTS))
    if draw(st.booleans()) and "." in text and text.lstrip("-").startswith("0."):
        text = text.replace("0.", ".", 1)
    if draw(st.booleans()):
        text = text.replace("-", draw(st.sampled_from(MINUS_SIGNS)))
    elif draw(st.booleans()) and value >= 0 and not text.startswith("-"):
        text = "+" + text
    around = draw(st.sampled_from(["", "\u00a0", "\ufeff", "\u200b", "\u200e"]))
    return value, around + text + draw(st.sampled_from(["", "\u00a0", "\u200b"]))


@settings(max_examples=50, deadline=None)
@given(written())
def test_a_float_comes_back_exactly_however_it_is_written(case: tuple[float, str]) -> None:
    value, text = case
    for name, read in READERS.items():
        if name not in LENIENT:
            assert same(read(text), value), (name, text)


@settings(max_examples=60, deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(MINUS_SIGNS), st.booleans())
def test_with_a_decimal_comma_declared_a_float_comes_back_exactly(value: float, minus: str, long: bool) -> None:
    text = (f"{value:.17e}" if long else repr(value)).replace(".", ",").replace("-", minus)
    for made, around in (
        (LastNumber(), "steps 20\nloglik = {}\n"),
        (LabelledNumber(label="loglik"), "loglik = {} (20)"),
        (CsvColumn(column="y", delimiter=";"), "t;y\n1;{}\n"),
        (TableBlock(columns=(2,), start="head"), "head\n1 {} 20\n"),
        (RowsAfter(marker="head", column=2), "head\n1 {} 20\n"),
        (MarkerOffset(marker="head", lines=1, column=2), "head\nE {} 20\n"),
        (RegexGroup(pattern=r"= (\S+)"), "loglik = {} 20\n"),
        (JsonPath(path="y"), '{"y": "{}"}'),
    ):
        assert same(extract(made, around.replace("{}", text), True).values[0], value), (made, text)


@settings(max_examples=40, deadline=None)
@given(st.floats(min_value=1e100, max_value=1e308), st.booleans(), st.booleans())
def test_fortran_without_the_letter_comes_back_exactly(value: float, small: bool, negative: bool) -> None:
    shown = f"{-value if negative else value:.12e}"
    text = shown.replace("e+", "-" if small else "+")
    expected = float(shown.replace("e+", "e-") if small else shown)
    for name in (*RUNNING, *WORDS, "csv", "json", "data file", "archive", "marked with the mouse"):
        if name not in LENIENT:
            assert READERS[name](text) == expected, (name, text)
