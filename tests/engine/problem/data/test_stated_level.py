"""Footnotes on errors: which lines are read as such, and by which factor what they state is divided."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.errors.stated_level import without_level
from bayescope.engine.problem.data.files.data_files import DataFile, Options, parse_with

TABLE = "t,T (mm)\n1,1.2\n2,3.4\n3,2.2\n"


def read(text: str) -> DataFile:
    return parse_with(text.encode(), "x.csv", Options(missing=None, named=True))


@pytest.mark.parametrize(
    ("words", "left", "factor", "said"),
    [
        ("uncertainty (k=2) 0.3", "uncertainty 0.3", 2.0, True), ("U = 0.3 (k=2)", "U = 0.3", 2.0, True),
        ("Expanded uncertainty U = 0.3 mm (k = 2, 95 %)", "Expanded uncertainty U = 0.3 mm", 2.0, True),
        ("Uncertainty at 95 % confidence: 0.3", "Uncertainty : 0.3", 1.96, True),
        ("uncertainty 0.3 (95 % level of confidence)", "uncertainty 0.3", 1.96, True),
        ("errors (2 sigma) 0.3", "errors 0.3", 2.0, True), ("errors are 3σ: 0.3", "errors are : 0.3", 3.0, True),
        ("expanded uncertainty 0.3", "expanded uncertainty 0.3", 2.0, False),
        ("erweiterte Messunsicherheit 10 %", "erweiterte Messunsicherheit 10 %", 2.0, False),
        ("RSD 5 %, n = 3", "RSD 5 %", 1.0, False), ("RSD: 5 % (n=3)", "RSD: 5 %", 1.0, False),
        ("errors (1 s.d.) 0.3", "errors 0.3", 1.0, True), ("errors 0.3, 2 s.d.", "errors 0.3", 2.0, True),
        ("accuracy 95 %", "accuracy 95 %", 1.0, False), ("sd 0.3", "sd 0.3", 1.0, False),
    ],
)  # fmt: skip
def test_a_level_is_told_apart_from_a_size(words: str, left: str, factor: float, said: bool) -> None:
    assert without_level(words) == (left, factor, said)


@pytest.mark.parametrize("line", ["RSD 5 %", "* RSD 5 %, n = 3", "CV = 4 %", "U = 0.3 (k=2)", "# uncertainty (k=2) 0.3",
                                  "Expanded uncertainty U = 0.3 mm (k = 2, 95 %)", "rel. Standardabweichung 5 %"])  # fmt: skip
@pytest.mark.parametrize("below", [True, False])
def test_footnotes_are_remarks_and_no_rows(line: str, below: bool) -> None:
    if not below and not line.startswith("#"):
        line = f"# {line}"
    found = read(f"{TABLE}{line}\n" if below else f"{line}\n{TABLE}")
    assert found.preview.remarks == (line.lstrip("#* "),)
    assert found.table.columns["T (mm)"] == (1.2, 3.4, 2.2)


def test_a_line_of_errors_among_the_rows_stays_one_and_a_cv_without_a_percentage_is_none() -> None:
    assert [(one.kind, one.taken) for one in read(TABLE + "uncertainty,0.3\n").preview.said] == [("errors", True)]
    assert read("# Cv 4.18 J\n# CV 12\n" + TABLE).preview.remarks == ()


def test_a_note_in_the_unit_of_a_column_has_its_level() -> None:
    assert read("# accuracy ±0.3 mm (k=2)\n" + TABLE).preview.stated == (("T (mm)", "±0.3 mm (k = 2)"),)
