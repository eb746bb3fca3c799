"""Tables as people write them: values with errors beside labels, errors in percent, workbooks with a sheet of remarks."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.problem.data.files.data_files import ALL_PARTS, DataFile, DataFileError, Options, parse_with
from tests.support.sheet_files import xlsx

NOTES = [["Measured in the basement"], ["by two of us"]]
CURVE = [["t", "a"], [0, 1.5], [1, 2.5]]
SCALARS = [["what", "value"], ["gap", 1.1], ["mass", 20]]


def read(text: str | bytes, relative: bool = True, outputs: tuple[str, ...] = ()) -> DataFile:
    name = "m.xlsx" if isinstance(text, bytes) else "m.csv"
    options = Options(relative=relative, outputs=outputs, named=True)
    return parse_with(text if isinstance(text, bytes) else text.encode(), name, options)


@pytest.mark.parametrize(
    ("cells", "values", "sds"),
    [
        (("1.1 ± 0.05", "21 ± 2"), (1.1, 21.0), (0.05, 2.0)), (("1.1±.1", "3 +/- 0.2"), (1.1, 3.0), (0.1, 0.2)),
        (("1.10(5)", "21(2)"), (1.1, 21.0), (0.05, 2.0)), (("2 ± 5 %", "10 ± 1 %"), (2.0, 10.0), (0.1, 0.1)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_values_with_their_errors_beside_labels_are_a_table(
    cells: tuple[str, str], values: tuple[float, ...], sds: tuple[float, ...], mark: str
) -> None:
    found = read(f"Quantity{mark}Value\ngap{mark}{cells[0]}\nmass{mark}{cells[1]}\n").table
    assert found.columns["Value"] == values
    assert found.columns["Value sd"] == pytest.approx(sds)
    assert found.texts["Quantity"] == ("gap", "mass")


def test_values_with_one_unit_beside_labels_are_a_table_and_labels_without_headings_are_none() -> None:
    assert read("Quantity,Value\ngap,5 mm\nmass,3 mm\n").table.columns == {"Value (mm)": (5.0, 3.0)}
    with pytest.raises(DataFileError):
        read("name,group\nfoo,1a\nbar,2a\n")


@pytest.mark.parametrize("error", ["5 %", "5%", "5 percent", "5 per cent", "5 pct"])
def test_errors_in_percent_are_errors_in_the_unit_of_their_values_and_it_is_said(error: str) -> None:
    found = read(f"Quantity,Value,Error\ngap,1.1,{error}\nmass,-20,{error}\n")
    assert found.table.columns["Error"] == pytest.approx((0.055, 1.0))
    assert "Column “Error (%)” is taken for percent of “Value”: 5 % of 1.1 is 0.055." in found.preview.notes
    assert not any("not as a share" in note for note in found.preview.notes)
    assert found.preview.relative == ("Error (%)",)


def test_errors_in_percent_can_be_taken_as_they_are() -> None:
    found = read("t,a,error (%)\n0,1,5\n1,2,5\n", relative=False)
    assert found.table.columns["error (%)"] == (5.0, 5.0)
    assert found.preview.relative == ("error (%)",)
    assert read("t,a,error (%)\n0,1,5\n1,2,5\n").table.columns["error"] == pytest.approx((0.05, 0.1))


def test_errors_of_percentages_and_of_nobody_knows_which_column_stay() -> None:
    assert not read("t,porosity (%),sd (%)\n0,20,2\n1,21,2\n").preview.relative
    assert not read("t,a,b,error (%)\n0,1,2,5\n1,2,3,5\n").preview.relative


def test_a_sheet_of_remarks_before_the_data_is_passed_over() -> None:
    found = read(xlsx({"Notes": NOTES, "Curve": CURVE}))
    assert found.preview.part == 1
    assert found.table.columns["a"] == (1.5, 2.5)


def test_the_sheet_that_names_the_outputs_is_taken() -> None:
    book = xlsx({"Curve": CURVE, "Scalars": SCALARS})
    assert read(book).preview.part == 0
    assert read(book, outputs=("gap", "mass")).preview.part == 1
    assert read(book, outputs=("t", "a")).preview.part == 0


def test_all_sheets_are_taken_where_each_names_some_of_the_outputs() -> None:
    found = read(xlsx({"Notes": NOTES, "Curve": CURVE, "Scalars": SCALARS}), outputs=("t", "a", "gap", "mass"))
    assert found.preview.part == ALL_PARTS
    assert found.table.columns["a"] == (1.5, 2.5, None, None)
    assert found.table.texts["what"] == (None, None, "gap", "mass")
    assert "“Notes” holds no numbers and is left out." in found.preview.notes


def test_a_bad_cell_in_the_first_table_is_still_said_rather_than_another_table_taken() -> None:
    book = xlsx({"Curve": [["t", "a"], [0, 1.5], [1, "oops"], [2, 3.5], [3, 4.5]], "Other": CURVE})
    with pytest.raises(DataFileError, match="oops"):
        read(book)


def test_errors_in_percent_called_by_a_sign_are_of_the_column_before_them() -> None:
    found = read("t,a,± (%),b,± (%)\n0,1,5,10,1\n1,2,5,20,1\n")
    assert found.table.columns["± a"] == pytest.approx((0.05, 0.1))
    assert found.table.columns["± b"] == pytest.approx((0.1, 0.2))


@pytest.mark.parametrize(
    "heading",
    ["T,+-,S,±", "T,err,S,err", "T,sd,S,sd", "T,u(k=1),S,u(k=1)", "T,u(k=1) of T,S,u(k=1) of S", "T,k=2,S,k=2",
     "T,U(k=2),S,U(k=2)", "T [K],± [K],S,±", "T,2σ,S,2σ", "T,u(T),S,u(S)", "T,T (k=2),S,S (k=2)", "T,± T,S,± S",
     "T,expanded uncertainty of T (k=2),S,expanded uncertainty of S (k=2)"],
)  # fmt: skip
def test_columns_of_errors_are_linked_with_the_column_that_they_are_of(heading: str) -> None:
    columns = read(f"t,{heading}\n0,1.5,.2,3,.4\n1,2.5,.2,4,.4\n").table.columns
    pairs = sd_pairs(list(columns))
    assert [name[:1] for name in pairs] == ["T", "S"]
    halved = 2.0 if "k=2" in heading or "2σ" in heading else 1.0
    assert [columns[sd][0] for sd in pairs.values()] == pytest.approx([0.2 / halved, 0.4 / halved])
