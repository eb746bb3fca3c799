"""The report of a laboratory as Excel exports it, and what a program of finite elements writes beside it."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.files.data_files import DataFileError, Options, parse_with
from bayescope.engine.problem.data.names.name_words import names_told
from bayescope.engine.problem.data.tables import naming_pairs
from bayescope.engine.problem.data.tables.naming_column import split_with_units
from bayescope.engine.problem.definition import DataTable
from bayescope.engine.problem.marks.mark import Mark

ABOVE = ("Test report;TL-2291", "Specimen;17-B", "Remarks;W = vertical, U = horizontal, number = gauge (1..5 = node 101..105)")
ROWS = (
    "Channel;Quantity;Load case;Value;Unit;Uncertainty (1s)",
    "W1;UY;LC1;-107,6;µm;4 µm", "W1;UY;LC2;-109,5;µm;0,004 mm", "W2;UY;LC1;-273,4;µm;2 %", "W2;UY;LC2;-288,4;µm;2 %",
    "U3;UX;LC2;-38,4;µm;3 µm", "U5;UX;LC2;219,9;µm;6", "ACC;MODE 1;-;166,2;Hz;0,5 %", "ACC;MODE 2;-;595,5;Hz;12 Hz",
)  # fmt: skip
TEXT = """
 ======  LOAD CASE   1  ======

 DISPLACEMENTS AT GAUGE NODES (MM)

   NODE          X            UY
    101     60.000  -1.07526E-01
    102    100.000  -2.81547E-01

 ======  LOAD CASE   2  ======

 DISPLACEMENTS AT GAUGE NODES (MM)

   NODE          X            UY
    101     60.000  -1.05142E-01
    102    100.000  -2.92236E-01

 ======  NORMAL MODES (LANCZOS)  ======

 MODE 1  FREQ =   170.30 HZ
 MODE 2  FREQ =   660.66 HZ
 MODE 3  FREQ =  1897.50 HZ

 *** NORMAL END OF JOB ***
"""


def table(above: tuple[str, ...] = (), rows: tuple[str, ...] = ROWS) -> DataTable:
    lines = [*above, *([""] if above else []), *rows]
    return parse_with("\n".join(lines).encode(), "lab.csv", Options(missing=None, named=True, relative=True)).table


@pytest.mark.parametrize("above", [ABOVE, tuple(f"{line};;;;" for line in ABOVE)])
def test_titles_above_the_table_padded_or_with_other_marks_do_not_decide_what_separates_its_cells(above: tuple[str, ...]) -> None:
    assert table(above) == table()
    assert table().columns["Value"][:2] == (-107.6, -109.5)


def test_a_file_without_numbers_says_what_was_guessed() -> None:
    with pytest.raises(DataFileError, match="where each line is one cell and the decimal sign is a"):
        table(rows=("a;b", "x;y", "z;w"))


def test_errors_that_give_each_row_its_own_unit_or_percent_are_read_in_the_unit_of_its_value() -> None:
    sds = table().columns["Uncertainty (1s)"]
    assert sds == pytest.approx((4.0, 4.0, 5.468, 5.768, 3.0, 6.0, 0.831, 12.0))
    found = parse_with("\n".join(ROWS).encode(), "lab.csv", Options(missing=None, named=True)).preview
    said = next(note for note in found.notes if "it holds errors" in note)
    assert "3 in % of “Value”, 5 absolute (0,004 mm is 4 μm)" in said


def test_errors_in_another_kind_of_unit_stay_text_and_the_cell_is_named() -> None:
    rows = (*ROWS[:1], "W1;UY;LC1;-107,6;µm;4 K", "W1;UY;LC2;-109,5;µm;4 µm", "W2;UY;LC1;-273,42;µm;2 %")
    found = parse_with("\n".join(rows).encode(), "lab.csv", Options(missing=None, named=True))
    assert "Uncertainty (1s)" in found.table.texts
    assert any("“4 K” is in another unit than “Value”, μm" in note for note in found.preview.notes)


def test_a_quantity_that_two_columns_name_together_is_split_with_its_errors_and_its_unit() -> None:
    whole = table()
    assert naming_pairs.pairs_offered(whole) == ["Quantity, Load case"]
    assert naming_pairs.proposed(whole, ["UY_1", "UY_2", "UX_2", "FREQ"]) == "Quantity, Load case"
    made = split_with_units(whole, "Quantity, Load case")
    values = [name for name in made.columns if not name.endswith(" sd")]
    assert values == ["UY LC1 [μm]", "UY LC2 [μm]", "UX LC2 [μm]", "MODE [Hz]"], "MODE 1 and MODE 2 are values of one quantity"
    assert [v for v in made.columns["MODE sd"] if v is not None] == [0.831, 12.0]
    told = names_told(["UY_1", "UY_2", "UX_2"], values)
    assert told == {"UY_1": "UY LC1 [μm]", "UY_2": "UY LC2 [μm]", "UX_2": "UX LC2 [μm]"}


def first_offer(start: int, end: int) -> tuple[tuple[str, ...], str, tuple[float, ...]]:
    mark = Mark(TEXT, start, end, "job.out")
    scope = mark.first()
    assert scope is not None
    offer = mark.offers(scope)[0]
    assert len(offer.proposals) == 1
    return tuple(offer.names), offer.behind, tuple(offer.proposals[0].values)


def test_a_title_farther_above_tells_tables_of_one_heading_apart() -> None:
    first = TEXT.index("UY")
    second = TEXT.index("UY", first + 2)
    assert first_offer(first, first + 2) == (("UY",), "1", (-0.107526, -0.281547))
    assert first_offer(second, second + 2) == (("UY",), "2", (-0.105142, -0.292236))


def test_a_drag_over_lines_that_label_their_numbers_takes_the_results_and_not_what_counts_the_lines() -> None:
    assert first_offer(TEXT.index(" MODE 1"), TEXT.index("HZ", TEXT.index(" MODE 3")) + 2) == (
        ("FREQ (HZ)",), "", (170.3, 660.66, 1897.5)
    )  # fmt: skip
