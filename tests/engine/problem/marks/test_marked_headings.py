"""A click on the heading of a column offers that column, wherever it stands above its numbers."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.marks import Mark

DATED = "time,kind,temp,flow\n2024-01-01 10:00,a,1.5,2.5\n2024-01-02 10:00,b,1.6,2.6\n2024-01-03 10:00,c,1.7,-999.99\n"
TABBED = DATED.replace(",", "\t")
SPACED = "kind temp flow\nalpha 1.5 2.5\nbe 1.6 2.6\ngamma 1.7 -999.99\n"
COLUMNS = {"temp": (1.5, 1.6, 1.7), "flow": (2.5, 2.6, -999.99)}


@pytest.mark.parametrize("text", [DATED, TABBED, SPACED], ids=["commas", "tabs", "spaces"])
@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("drag", [0, 4], ids=["click", "drag"])
def test_the_column_whose_heading_is_marked_is_offered(text: str, name: str, drag: int) -> None:
    at = text.index(name)
    mark = Mark(text, at + (0 if drag else 2), at + (drag or 2), "out.csv")
    assert mark.scopes == ["column", "table", "list"]
    offer = mark.offers("column")[0]
    assert [p.values for p in offer.proposals] == [COLUMNS[name]]
    assert offer.names == (name,)


UNITS = (
    "Wall results\n\n  node     ux      uy   stress\n  [-]     [mm]    [mm]    [MPa]\n"
    "   1   0.5  0.25  12.5\n   2   0.75 0.3   13.5\n"
)


@pytest.mark.parametrize(("marked", "scope"), [("uy", "column"), ("stress", "column"), ("Wall", "table"), ("results", "table")])
def test_a_name_takes_its_column_and_a_title_the_table(marked: str, scope: str) -> None:
    mark = Mark(UNITS, UNITS.index(marked) + 1, UNITS.index(marked) + 1)
    assert mark.first() == scope
    named = {"uy": (0.25, 0.3), "stress": (12.5, 13.5)}
    read = mark.offers(scope)[0].proposals  # type: ignore[arg-type]
    assert [p.values for p in read] == [named[marked]] if marked in named else len(read) == 4


def test_the_key_of_a_number_takes_it_and_that_of_a_list_the_list() -> None:
    text = '{"a": {"depth": [1.0, 2.0, 3.0], "b": 5.0}, "c": "text"}'
    read = {}
    for key in ("depth", "b"):
        mark = Mark(text, text.index(key), text.index(key))
        first = mark.first()
        assert first is not None
        read[key] = mark.offers(first)[0].proposals[0].values
    assert read == {"depth": (1.0, 2.0, 3.0), "b": (5.0,)}
    assert Mark(text, text.index('"c"') + 1, text.index('"c"') + 1).first() is None


RAGGED = "site\tt\tv\tw\nA\t1\t2.5\t7.5\nlong site name\t20\t3.5\t8.5\nC\t3\t4.5\t9.25\n"


@pytest.mark.parametrize("sign", ["\t", ";"])
@pytest.mark.parametrize(
    ("first", "last", "read"),
    [("2.5", "3.5", [(2.5, 3.5)]), ("1", "3.5", [(1.0, 20.0), (2.5, 3.5)]), ("v", "4.5", [(2.5, 3.5, 4.5)]),
     ("7.5", "8.5", [(7.5, 8.5)]), ("t", "4.5", [(1.0, 20.0, 3.0), (2.5, 3.5, 4.5)])],
)  # fmt: skip
def test_a_drag_over_cells_of_any_width_takes_the_columns_from_its_first_to_its_last_cell(
    sign: str, first: str, last: str, read: list[tuple[float, ...]]
) -> None:
    text = RAGGED.replace("\t", sign)
    start = text.index(f"{sign}{first}") + 1
    end = text.index(last, start) + len(last)
    mark = Mark(text, start, end, "out.txt")
    scope = mark.first()
    assert scope is not None
    assert [p.values for p in mark.offers(scope)[0].proposals] == read


def test_a_heading_above_texts_offers_no_column_of_other_numbers() -> None:
    assert Mark(DATED, DATED.index("kind") + 1, DATED.index("kind") + 1, "out.csv").scopes == ["table", "list"]


def test_a_drag_over_two_headings_offers_both_columns() -> None:
    at = DATED.index("temp")
    mark = Mark(DATED, at, at + len("temp,flow"), "out.csv")
    assert [p.values for p in mark.offers(mark.scopes[0])[0].proposals] == list(COLUMNS.values())


@pytest.mark.parametrize(("column", "name"), [(9, "T"), (7, "U"), (1, "t")])
def test_a_heading_that_counts_its_columns_names_them(column: int, name: str) -> None:
    """As flow solvers write it; the heading's words do not stand above their columns."""
    heading = "# 1:t 2:x 3:y 4:z 5:P 6:Pmac 7:U 8:V 9:T"
    rows = [" ".join(f"{k}.{i}{'25' * (k % 3)}" for k in range(1, 10)) for i in (1, 2, 3)]
    text = "\n".join([heading, *rows, ""])
    cell = rows[0].split()[column - 1]
    at = text.index(rows[0]) + len(" ".join(rows[0].split()[: column - 1])) + (column > 1)
    mark = Mark(text, at, at + len(cell), "dye.txt")
    offer = mark.offers("column")[0]
    assert offer.names == (name,)
    assert offer.proposals[0].values == tuple(float(row.split()[column - 1]) for row in rows)
    assert "1:t 2:x" in offer.words


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("  time     temp     flow\n  (s)      (K)      (kg/s)\n", ("time", "temp", "flow")),
        ("  time     temp     flow\n  s        K        kg/s\n", ("time", "temp", "flow")),
        ("           Surface  Bottom\n  Time     temp     temp\n", ("Time", "Surface temp", "Bottom temp")),
        ("  Used     Lost     Node\n  power    power    number\n  (W)      (W)      -\n",
         ("Used power", "Lost power", "Node number")),
        ("           Real     Imaginary\n  Time     part     part\n  [s]      [V]      [V]\n",
         ("Time", "Real part", "Imaginary part")),
    ],
    ids=["units in brackets", "bare units", "a name over some", "a name over all", "three lines"],
)  # fmt: skip
def test_names_over_two_lines_are_whole_and_units_are_no_names(heading: str, names: tuple[str, ...]) -> None:
    text = f"Report\n\n{heading}  0.0      300.0    1.5\n  1.0      301.0    1.6\n"
    at = text.index("300.0")
    mark = Mark(text, at, at + 5, "out.txt")
    assert mark.offers("column")[0].names == (names[1],)
    assert mark.offers("table")[0].names == names


@pytest.mark.parametrize("sign", [",", "\t", " "], ids=["commas", "tabs", "spaces"])
def test_names_stand_above_a_line_of_units_in_separated_columns_too(sign: str) -> None:
    rows = [["time", "temp", "flow"], ["s", "K", "kg/s"], ["0.5", "300.5", "1.5"], ["1.5", "301.5", "1.6"]]
    text = "\n".join(sign.join(row) for row in rows) + "\n"
    at = text.index("300.5")
    assert Mark(text, at, at + 5, "out.csv").offers("column")[0].names == ("temp",)


@pytest.mark.parametrize(("heading", "by"), [("step,T_hot,T_cold\n", " by name"), ("", "")], ids=["named", "counted"])
def test_several_columns_are_told_as_what_they_all_are_and_one_by_its_name(heading: str, by: str) -> None:
    text = heading + "0,350.5,290\n1,349,291\n2,348,292.5\n"
    at = text.index("350.5")
    mark = Mark(text, at, at + 5, "out.csv")
    assert mark.offers("table")[0].words == f"3 columns{by} (3 rows)"
    which = "“T_hot”" if heading else "2"
    assert mark.offers("column")[0].words == f"the whole column {which} of the table (3 numbers)"


@pytest.mark.parametrize(
    "heading",
    [
        "# Probe             0             1\n# Time\n",
        "# Probe 0 (0.01 0 0)\n# Probe 1 (0.05 0 0)\n#       Probe             0             1\n#        Time\n",
        "# Probe 0 1\n# Time\n",
    ],
    ids=["left", "right", "narrow"],
)
def test_the_time_below_a_line_of_probes_is_the_name_of_the_first_column(heading: str) -> None:
    """As OpenFOAM's probes write it."""
    rows = "".join(f"{t:13d}{300.125 + t:14.3f}{310.5 + t:14.3f}\n" for t in range(10, 50, 10))
    text = heading + rows
    at = text.index("320.125")
    offer = Mark(text, at, at + 3, "T").offers("table")[0]
    assert offer.names == ("Time", "Probe 0", "Probe 1")


def test_headings_that_do_not_stand_over_their_columns_are_counted() -> None:
    text = "# Volume average\n# Time        volAverage(T)  volAverage(p)\n1   300.1  2.5\n2   301.2  2.6\n3   302.5  2.7\n"
    at = text.index("300.1")
    assert Mark(text, at, at + 3, "T").offers("table")[0].names == ("Time", "volAverage(T)", "volAverage(p)")


R_FRAME = "Seroprevalence by age in week 36 (percent):\n      infected seroprevalence\n0-9    22441.9       51.94884\n"
R_FRAME += "10-19  30591.3       63.73180\n20-39  68481.0       54.87261\n80+     8208.3       24.42946\n\nfinal size: 0.47\n"


@pytest.mark.parametrize("marked", ["infected", "seroprevalence", "22441.9"])
def test_headings_that_end_where_their_columns_do_name_them_beside_row_labels_without_one(marked: str) -> None:
    """As R prints a data frame."""
    at = R_FRAME.index(marked, R_FRAME.index("\n"))
    mark = Mark(R_FRAME, at + 2, at + 2)
    assert mark.offers("table")[0].names == ("infected", "seroprevalence")
    assert mark.offers("column")[0].names == ("infected" if marked[0].isdigit() else marked,)


def test_headings_that_end_elsewhere_are_not_taken_so() -> None:
    text = R_FRAME.replace("infected seroprevalence", "infected sero")
    at = text.index("22441.9")
    assert Mark(text, at, at + 3).offers("table")[0].names == ("", "")


BLANKS = (
    " *** MC2D  two-dimensional fluid ***\n epsilon/k = 150.0000 K\n\n"
    "  pt    T/K   rho/A^-2     <u>/kJ mol-1   err(block)    <p>/mN m-1   err(block)   accept\n"
    "  --------------------------------------------------------------------------------------\n"
    "   1   160.0   0.0150         -0.67807      0.01628        3.2767       0.1028   0.474\n"
    "   2   190.0   0.0350         -1.45213      0.01328        8.8239       0.4785   0.503\n"
    "   3   220.0   0.0450         -1.83363      0.00513       21.4514       0.4287   0.473\n\n *** normal end ***\n"
)
WHOLE = ("pt", "T/K", "rho/A^-2", "<u>/kJ mol-1", "err(block)", "<p>/mN m-1", "err(block)", "accept")


@pytest.mark.parametrize(
    ("first", "last", "name"),
    [("-0.67807", "-1.83363", "<u>/kJ mol-1"), ("3.2767", "21.4514", "<p>/mN m-1"), ("0.0150", "0.0450", "rho/A^-2")],
)
def test_a_heading_whose_unit_has_a_blank_names_the_column_over_which_one_drags(first: str, last: str, name: str) -> None:
    mark = Mark(BLANKS, BLANKS.index(first), BLANKS.index(last) + len(last), "mc2d.out")
    assert mark.first() == "column"
    assert mark.offers("column")[0].names == (name,)
    assert mark.offers("table")[0].names == WHOLE


@pytest.mark.parametrize(
    ("clicked", "name", "first"),
    [("<u>", "<u>/kJ mol-1", -0.67807), ("mol-1", "<u>/kJ mol-1", -0.67807), ("<p>", "<p>/mN m-1", 3.2767),
     ("m-1", "<p>/mN m-1", 3.2767), ("err", "err(block)", 0.01628), ("accept", "accept", 0.474)],
)  # fmt: skip
def test_a_click_on_any_word_of_such_a_heading_takes_its_column(clicked: str, name: str, first: float) -> None:
    at = BLANKS.index(clicked) + 1
    mark = Mark(BLANKS, at, at, "mc2d.out")
    assert mark.first() == "column"
    offer = mark.offers("column")[0]
    assert offer.names == (name,)
    assert offer.proposals[0].values[0] == first


def test_the_text_above_such_a_table_is_found_again_by_whole_words() -> None:
    at = BLANKS.index("-0.67807")
    extractor = Mark(BLANKS, at, at + 4, "mc2d.out").offers("column")[0].proposals[0].extractor
    anchor = extractor.anchor  # type: ignore[union-attr]
    heading = " ".join(BLANKS.splitlines()[3].split())
    assert anchor
    assert f" {heading} ".startswith(f" {anchor} ")
    assert anchor.startswith("pt T/K rho/A^-2 <u>/kJ mol-1")


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("t/s v/m s-1 q/W m-2 K-1 T/K", ("t/s", "v/m s-1", "q/W m-2 K-1", "T/K")),
        ("# t/s v/m s^-1 q/W m^-2 K^-1 T/K", ("t/s", "v/m s^-1", "q/W m^-2 K^-1", "T/K")),
        ("t/s v/m s⁻¹ eta/Pa s T/K", ("t/s", "v/m s⁻¹", "eta/Pa s", "T/K")),
        ("t [s] v [m s-1] q [W] K-1 T [K]", ("t [s]", "v [m s-1]", "q [W] K-1", "T [K]")),
        ("t/s u/m s K", ("t/s", "u/m", "s", "K")),  # as many words as columns
        ("t/s v/m s-1 T/K", ("", "", "", "")),  # a column has no heading: which one is not told
    ],
)  # fmt: skip
def test_headings_with_single_blanks_are_counted_with_their_units(heading: str, names: tuple[str, ...]) -> None:
    text = f"Report\n\n{heading}\n0.5 300.25 1.5 7.5\n1.5 301.25 1.6 8.5\n2.5 302.25 1.7 9.5\n"
    at = text.index("301.25")
    assert Mark(text, at, at + 3, "out.txt").offers("table")[0].names == names


def test_a_heading_with_fewer_names_than_columns_names_none_by_the_rest_of_a_unit() -> None:
    text = "Report\n\nT/K u/kJ mol-1\n300.25 1.5 7.5\n301.25 1.6 8.5\n302.25 1.7 9.5\n"
    at = text.index("1.6")
    assert Mark(text, at, at + 3, "out.txt").offers("table")[0].names == ("", "", "")


PROBES = (
    "heat out [W/m]  144\n\nprobe    x[mm]    y[mm]    T[degC]\n------------------------------------\n"
    "TC1   5   4   97.192943\nTC2   30   4   93.926354\nTC8   30   27.5   69.286722\nTC9   100   27.5   53.09622\n\n"
    "max T  103.6\n"
)
COLUMNS_OF_PROBES = {
    "x[mm]": (5.0, 30.0, 30.0, 100.0),
    "y[mm]": (4.0, 4.0, 27.5, 27.5),
    "T[degC]": (97.192943, 93.926354, 69.286722, 53.09622),
}


@pytest.mark.parametrize("name", COLUMNS_OF_PROBES)
def test_headings_that_do_not_stand_above_their_values_are_counted(name: str) -> None:
    mark = Mark(PROBES, PROBES.index(name) + 1, PROBES.index(name) + 1)
    assert mark.first() == "column"
    offer = mark.offers("column")[0]
    assert offer.names == (name,)
    assert [p.values for p in offer.proposals] == [COLUMNS_OF_PROBES[name]]
    value = PROBES.index("97.192943")
    assert Mark(PROBES, value, value).offers("column")[0].names == ("T[degC]",)


def test_a_drag_over_all_headings_is_the_table() -> None:
    at, end = PROBES.index("probe"), PROBES.index("T[degC]") + len("T[degC]")
    mark = Mark(PROBES, at, end)
    assert mark.first() == "table"
    assert mark.offers("table")[0].names == ("probe", "x[mm]", "y[mm]", "T[degC]"), "the labels pair the rows"


TWICE = "   t     value   err    value   err\n   1     2.50    0.1    3.50    0.3\n   2     2.75    0.2    3.75    0.4\n"


def test_a_click_on_a_heading_that_comes_twice_takes_its_own_column() -> None:
    at = TWICE.rindex("err") + 1
    mark = Mark(TWICE, at, at)
    assert mark.first() == "column"
    assert [p.values for p in mark.offers("column")[0].proposals] == [(0.3, 0.4)]


ENERGY = (
    "Date/Time,Zone:Temp [C](Hourly),Zone:Heat [J](Hourly)\n 01/01  01:00:00,19.9,1234567.8\n 01/01  02:00:00,19.8,1334567.8\n"
    " 01/01  24:00:00,19.7,1434567.8\n"
)
LOG = "run 1\n\n date       time      site   head\n 2024-05-01 06:00:00  W1     1.5\n 2024-05-01 18:00:00  W1     2.5\n"
SITES = "site,zone,head\nN,a,1.5\nS,a,2.5\nW,b,3.5\n"
MODES = "mode  value\n1  1639.47 cm**-1\n2  3812.25 cm**-1\n"


@pytest.mark.parametrize(
    ("text", "at", "source", "names", "labels"),
    [
        (ENERGY, "19.8", "out.csv", ("Date/Time", "Zone:Temp [C](Hourly)", "Zone:Heat [J](Hourly)"), {0: ("01/01 01:00:00", 1)}),
        (LOG, "2.5", "stdout", ("date", "head"), {0: ("2024-05-01 06:00:00", 2)}),
        (SITES, "2.5", "out.csv", ("site", "zone", "head"), {0: ("N", 1), 1: ("a", 1)}),
        (MODES, "3812.25", "stdout", None, {}),
    ],
)  # fmt: skip
def test_a_whole_table_has_its_dates_times_and_labels_as_outputs_too(
    text: str, at: str, source: str, names: tuple[str, ...] | None, labels: dict[int, tuple[str, int]]
) -> None:
    mark = Mark(text, text.index(at) + 1, text.index(at) + 1, source)
    for offer in mark.offers("table"):
        found = {k: (p.texts[0], p.label_columns) for k, p in enumerate(offer.proposals) if p.texts}
        assert found == labels
        assert names is None or offer.names == names


def test_a_drag_over_headings_of_numbers_leaves_the_labels_out() -> None:
    at = SITES.index("head")
    mark = Mark(SITES, at, at + len("head"), "out.csv")
    assert not any(p.texts for scope in mark.scopes for o in mark.offers(scope) for p in o.proposals if scope == "table")
