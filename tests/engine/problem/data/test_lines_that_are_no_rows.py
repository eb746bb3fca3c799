"""Lines of a table that hold no measurement: errors of the columns above, means and totals, units, detection limits."""

from __future__ import annotations

import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.errors.expanded_errors import Coverage
from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.problem.data.files.data_files import DataFile, DataFileError, Options, parse_with
from bayescope.engine.problem.data.tables.special_rows import in_table, kind_of, with_errors, without_rows
from bayescope.engine.problem.data.tables.table_lines import Told

BANDS = (
    "k point,kx (2pi/a),ky (2pi/a),band 1 (c/a),band 2 (c/a)\nmid Gamma-X,0.25,0,0.1550,0.4708\nX,0.5,0,0.2535,0.3944\n"
    "M,0.5,0.5,0.3001,0.4769\n{},,,0.002,0.003\n"
)


def read(text: str, told: Told | None = None, outputs: tuple[str, ...] = ()) -> DataFile:
    return parse_with(text.encode(), "m.csv", Options(told=told or Told(), outputs=outputs))


def sds(found: DataFile) -> dict[str, tuple[float | None, ...]]:
    """The standard deviations of each measured column."""
    return {value: found.table.columns[sd] for value, sd in sd_pairs(list(found.table.columns)).items()}


@pytest.mark.parametrize(
    "label",
    ["error", "Errors:", "sd", "std", "sigma", "uncertainty", "±", "stdev", "err", "standard deviation", "Std. Dev.", "σ",
     "uncertainty (1σ)", "error (c/a)", "measurement error", "Messfehler", "standard uncertainty"],
)  # fmt: skip
def test_a_line_of_errors_is_told_by_its_label_and_becomes_the_errors_of_its_columns_only_when_that_is_said(label: str) -> None:
    asked = read(BANDS.format(label))
    assert asked.preview.said[0].words == f"Line 5 (“{label}”) holds the errors of the columns above."
    assert asked.preview.row_count == 4
    assert "until that is said" in asked.preview.notes[0]
    assert in_table(asked.table)[0].row == 3  # and so it is as long as it stands in the table
    taken = read(BANDS.format(label), Told(as_errors=True))
    assert taken.preview.row_count == 3
    assert sds(taken) == {"band 1 (c/a)": (0.002,) * 3, "band 2 (c/a)": (0.003,) * 3}
    assert taken.table.texts["k point"] == ("mid Gamma-X", "X", "M")
    assert in_table(taken.table) == ()


def test_a_line_of_errors_may_be_the_first_one_and_may_hold_signs_percent_or_two_sds() -> None:
    first = read("label,y (K),z\nsd,0.1,0.2\na,2,5\nb,3,4\n", Told(as_errors=True))
    assert sds(first) == {"y (K)": (0.1, 0.1), "z": (0.2, 0.2)}
    assert "below" in read("label,y (K),z\nsd,0.1,0.2\na,2,5\nb,3,4\n").preview.said[0].words
    signs = read("label,y,z\na,2,5\nb,3,4\nerror,±0.1,± 0.2\n", Told(as_errors=True))
    assert sds(signs) == {"y": (0.1, 0.1), "z": (0.2, 0.2)}
    percent = read("label,y,z\na,2,5\nb,-3,4\nerror,5%,10 %\n", Told(as_errors=True))
    assert sds(percent)["y"] == pytest.approx((0.1, 0.15))
    assert "5 % for y, 10 % for z" in percent.preview.said[0].words
    expanded = read("label,y\na,2\nb,3\nexpanded uncertainty (k=2),0.1\n", Told(as_errors=True))
    assert sds(expanded) == {"y": (0.05, 0.05)}


def test_percent_signs_in_a_line_of_errors_count_column_by_column_and_of_a_limit_where_that_is_all_there_is() -> None:
    text = "n;pH;Ca (mg/l);Na (mg/l);w (%)\na;7,1;<0,10;100;20\nb;7,3;50;;30\nU (k=2);0,10;6 %;8 %;1 %\n"
    found = read(text)  # in a column of mg/l, 6 % can be no measurement
    assert found.preview.row_count == 2
    assert found.preview.said[0].words == (
        "Line 4 (“U (k=2)”) is taken as errors: 0.1 for pH, 6 % for Ca (mg/l), 8 % for Na (mg/l) and 1 more."
    )
    assert "Line 4 holds expanded uncertainties (k = 2): they are divided by 2." in found.preview.notes
    assert found.preview.censored[0].of == 2, "the line of errors is no sample"
    assert sds(found) == {"pH": (0.05, 0.05), "Ca (mg/l)": (0.003, 1.5), "Na (mg/l)": (4.0, None), "w (%)": (0.5, 0.5)}
    undivided = parse_with(text.encode(), "m.csv", Options(coverage=Coverage(undivided=True)))
    assert sds(undivided)["Na (mg/l)"] == (8.0, None)
    with pytest.raises(DataFileError, match="it has a percent sign"):
        read("n,y\na,2\nb,3\nc,4\nerror,5 %\n", Told(kept=(5,)))


def test_methods_below_the_samples_are_left_out_and_hide_no_line_of_errors_or_limits_above_them() -> None:
    text = (
        "sample;date;step;pH;Ca (mg/l)\na;13.04.2026;6;7,1;<0,10\nb;14.04.2026;7;7,2;5\nc;14.04.2026;8;7,3;7\n"
        "U (k=2);;;0,10;6 %\nBestimmungsgrenze;;;;0,10\nVerfahren;;;DIN EN ISO 10523;DIN EN ISO 11885\n"
    )
    found = read(text)
    assert [s.words for s in found.preview.said] == [
        "Line 5 (“U (k=2)”) is taken as errors: 0.1 for pH, 6 % for Ca (mg/l).",
        "Line 6 (“Bestimmungsgrenze”) is left out: it holds detection limits.",
        "Line 7 (“Verfahren”) is left out: it holds no numbers.",
    ]
    assert found.table.columns["step"] == (6.0, 7.0, 8.0)
    with pytest.raises(DataFileError, match="Line 7, column “pH”") as raised:
        read(text, Told(kept=(7,)))
    assert raised.value.line == 7
    assert read(text, Told(out=(7,))).table == found.table
    sample = read("sample;date;pH\na;13.04.2026;7,1\nb;14.04.2026;7,2\nc;15.04.2026;filtered\n")
    assert sample.table.columns == {"pH": (7.1, 7.2, None)}


def test_a_label_among_the_keys_makes_it_no_measurement_which_is_said_with_the_way_back() -> None:
    text = "x,y\n1,2\n2,3\n3,4\nerror,0.1\n"
    taken = read(text)
    assert (taken.table.columns["x"], sds(taken)) == ((1.0, 2.0, 3.0), {"y": (0.1, 0.1, 0.1)})
    assert taken.preview.said[0].words == "Line 5 (“error”) is taken as errors: 0.1 for y."
    kept = read(text, Told(kept=(5,)))
    assert kept.table.columns == {"x": (1.0, 2.0, 3.0, None), "y": (2.0, 3.0, 4.0, 0.1)}
    assert kept.preview.said == ()


def test_sums_units_and_limits_are_left_out_and_said_and_can_be_kept() -> None:
    text = "label,y,z\na,2,5\nb,3,7\nLOD,<0.1,0.2\nmean,2.5,6\nTotal,5,12\nunits,K,m\n"
    found = read(text)
    assert found.table.columns == {"y": (2.0, 3.0), "z": (5.0, 7.0)}
    assert [s.words for s in found.preview.said] == [
        "Line 4 (“LOD”) is left out: it holds detection limits.",
        "Line 5 (“mean”) is left out: it sums up the rows.",
        "Line 6 (“Total”) is left out: it sums up the rows.",
        "Line 7 (“units”) is left out: it holds units.",
    ]
    kept = read("label,y\na,2\nb,3\nTotal,5\n", Told(kept=(4,)))
    assert kept.table.columns == {"y": (2.0, 3.0, 5.0)}


def test_the_spread_of_the_rows_is_no_error_of_each() -> None:
    beside_means = read("label,y\na,2\nb,3\nmean,2.5\nsd,0.6\nn,2\n")
    assert [s.kind for s in beside_means.preview.said] == ["summary"] * 3
    alone = read("label,y\na,2\nb,3\nc,7\nsd,2.6458\n")
    assert [s.kind for s in alone.preview.said] == ["summary"]
    assert alone.table.columns == {"y": (2.0, 3.0, 7.0)}


@pytest.mark.parametrize(
    "text",
    [
        "statistic,value\nmean,5\nsd,0.7\nskew,7\n",  # the quantities themselves
        "statistic,value\nmean,5\nsd,0.7\n",
        "node,u\nX,1\nsd,2\nM,3\n",  # between measured rows
        "node,u\nN1,1\nerror,\nN2,3\n",
        "x,y\n1,2\n2,3\n",
        "node,u\nG,1\nX,2\nN,3\n",  # a name
    ],
)
def test_labels_that_rather_name_quantities_are_rows(text: str) -> None:
    assert read(text).preview.said == ()


def test_a_row_with_the_name_of_an_output_is_a_quantity() -> None:
    text = "quantity,value\nslope,2\nintercept,1\nsd,0.3\n"
    assert read(text).preview.said[0].kind == "errors"
    assert read(text, outputs=("slope", "intercept", "sd")).preview.said == ()


def test_a_line_is_taken_by_its_number_where_its_label_does_not_tell() -> None:
    text = "y,z\n2,5\n3,7\n0.1,0.2\n9,9\n"
    found = read(text, Told(errors=4, out=(5,)))
    assert sds(found) == {"y": (0.1, 0.1), "z": (0.2, 0.2)}
    assert [s.words for s in found.preview.said] == [
        "Line 4 is taken as errors: 0.1 for y, 0.2 for z.", "Line 5 is left out: it is no row of the table.",
    ]  # fmt: skip


def test_errors_of_rows_below_each_other_stay_with_their_rows() -> None:
    table = d.DataTable(columns={"y": (1.0, 2.0, 0.5), "y sd": (None, None, None)}, texts={"n": ("a", "b", "error")})
    found, names = with_errors(table, in_table(table)[0])
    assert names == {"y": "y sd"}
    assert found.columns == {"y": (1.0, 2.0), "y sd": (0.5, 0.5)}
    assert without_rows(found, (0,)).columns == {"y": (2.0,), "y sd": (0.5,)}


@pytest.mark.parametrize("label", ["X", "M", "Uranium", "u", "error at 5 K", "Meaning", "A1", "sd1", "12"])
def test_other_labels_tell_nothing(label: str) -> None:
    assert kind_of(label) is None


def test_what_a_line_of_units_is_called_is_no_unit_of_the_column_of_labels() -> None:
    found = read("sample;pH;Ca\nEinheit;-;mg/l\na;7,1;10\nb;7,2;5\nc;7,3;7\n")
    assert [*found.table.texts, *found.table.columns] == ["sample", "pH", "Ca (mg/l)"]
