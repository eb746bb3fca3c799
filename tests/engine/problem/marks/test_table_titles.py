"""Tables with the same heading, told apart by the numbers in their titles."""

from __future__ import annotations

import pytest
from load_test import output, printed

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.extract import ExtractionError, read_output
from bayescope.engine.problem.extract.reading import lines_of
from bayescope.engine.problem.marks.mark import Mark
from bayescope.engine.problem.marks.tables.table_titles import key_of_tables

TEXT = printed()
FORCES = "node F(1) F(2) F(3)"


def key(anchor: str, text: str = TEXT) -> tuple[d.Region, str] | None:
    extractor = output("U_1", 2, anchor).extractor
    assert isinstance(extractor, d.Region)
    return key_of_tables(extractor, text, lines_of(text))


@pytest.mark.parametrize("anchor", ["Knoten U(1) U(2)", FORCES])
def test_the_number_in_the_title_of_each_table_is_read_for_each_of_its_rows(anchor: str) -> None:
    found = key(anchor)
    assert found is not None
    assert found[1] == "LOAD CASE"
    read = read_output(d.Output(name="case", source="stdout", extractor=found[0]), TEXT)
    assert read.values == (1.0,) * 13 + (2.0,) * 13
    assert {TEXT[a:b] for a, b in read.spans} == {"1", "2"}


def test_a_title_that_is_not_printed_is_an_error_of_the_run() -> None:
    found = key("Knoten U(1) U(2)")
    assert found is not None
    with pytest.raises(ExtractionError, match="no line has a number behind “LOAD CASE”"):
        read_output(d.Output(name="case", source="stdout", extractor=found[0]), TEXT.replace("LOAD CASE", "CASE"))


def test_results_between_two_tables_are_no_titles_of_them() -> None:
    text = printed().replace("LOAD CASE 1", "FIRST").replace("LOAD CASE 2", "SECOND")
    text = text.replace("output file Z88O4", f"{'filler' * 3}\n" * 9 + "total energy = {} J\n\noutput file Z88O4")
    assert key(FORCES, text.replace("{}", "12.5", 1).replace("{}", "11.5")) is None


def test_tables_with_equal_titles_are_not_told_apart() -> None:
    assert key("Knoten U(1) U(2)", TEXT.replace("LOAD CASE 2", "LOAD CASE 1")) is None


def test_marking_all_tables_adds_the_number_of_their_titles_as_a_key() -> None:
    at = TEXT.index("U(2)")
    offers = Mark(TEXT, at, at, "res.txt").offers("table")
    every = next(o for o in offers if o.repeat == "all")
    assert list(every.names) == ["Knoten", "U(1)", "U(2)", "LOAD CASE"]
    assert every.proposals[-1].values == (1.0,) * 13 + (2.0,) * 13
    assert len(next(o for o in offers if o.repeat != "all").proposals) == 3


@pytest.mark.parametrize("at", range(4))
@pytest.mark.parametrize("name", ["U(2)", "F(2)"])
def test_a_click_on_the_number_in_a_heading_takes_the_column_below(name: str, at: int) -> None:
    mark = Mark(TEXT, TEXT.index(name) + at, TEXT.index(name) + at, "res.txt")
    assert mark.first() == "column"
    assert mark.offers("column")[0].names == (name,)
    assert len(mark.offers("column")[0].proposals[0].values) == 13


def test_a_number_in_brackets_that_no_column_is_below_stays_a_number() -> None:
    text = "weights\nw(2) 4.5\nw(3) 5.5\n"
    mark = Mark(text, text.index("4.5"), text.index("4.5"))
    assert mark.offers("number")[0].proposals[0].values == (4.5,)


def test_a_result_above_each_table_that_is_another_at_other_values_is_no_title() -> None:
    def text(shift: float) -> str:
        return "".join(f"energy = {k + shift}\nnode u v\n 1 {k + shift} 2.5\n 2 {k} 3.5\n\n" for k in (1, 2, 3))

    at = text(0.5).index("u v")
    alone = next(o for o in Mark(text(0.5), at, at, "r").offers("table") if o.repeat == "all")
    assert list(alone.names) == ["node", "u", "v", "energy"]
    both = Mark(text(0.5), at, at, "r", text(0.75)).offers("table")
    assert list(next(o for o in both if o.repeat == "all").names) == ["node", "u", "v"]


SCANS = """ SCAN {0}   {1}   angle of incidence {2:.2f} deg{3}
   lambda/um  {4}
     0.4000   0.108823    0.033361
     0.4100   0.043362    0.022156
     0.4200   0.008042    0.028114

"""


@pytest.mark.parametrize(
    ("title", "names", "behind"),
    [("SCAN 1", ("lambda/um", "Rs", "Rp"), "45"), ("SCAN 2", ("lambda/um", "PSI/rad", "DELTA/rad"), "60"),
     ("SCAN 3", ("lambda/um", "PSI/rad", "DELTA/rad"), "65")],
)  # fmt: skip
def test_a_title_with_numbers_names_no_column_and_its_number_with_a_unit_tells_tables_alike_apart(
    title: str, names: tuple[str, ...], behind: str
) -> None:
    one = SCANS.format(1, "REFLECTANCE ", 45, "   polarisation SP", "Rs          Rp")
    more = [SCANS.format(k, "ELLIPSOMETRY", angle, "", "PSI/rad     DELTA/rad") for k, angle in ((2, 60), (3, 65))]
    text = "".join((one, *more)) + " REFLECTANCE    angle of incidence 8.00 deg\n"
    at = text.index(title)
    offer = Mark(text, at, at).offers("table")[0]
    assert (offer.names, offer.behind) == (names, behind)
