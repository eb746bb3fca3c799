"""Long tables whose rows belong to two labels at once, columns of errors that follow their quantity, flags of quality."""

from __future__ import annotations

import json

import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem import files
from bayescope.engine.problem.data.files.data_files import Options, parse_with
from bayescope.engine.problem.data.names.column_names import sd_columns
from bayescope.engine.problem.data.names.name_words import names_told
from bayescope.engine.problem.data.tables import long_form, naming_pairs
from bayescope.engine.problem.data.tables.index_columns import is_index
from bayescope.engine.problem.data.tables.naming_column import naming_column
from bayescope.engine.problem.data.tables.quality_flags import flags_in
from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.problem.marks.find_quantities import quantities

LINES = [
    "wavelength_nm,angle,pol,R,dR,flag",
    *(f"{w},{angle},{pol},{r},0.01,{'spike' if (w, angle, pol) == (500, 60, 'p') else 'ok'}"
      for k, (angle, pol) in enumerate((a, p) for a in (20, 60) for p in "sp") for w, r in ((450, 0.1 + k), (500, 0.2 + k))),
]  # fmt: skip
TABLE = parse_with("\n".join(LINES).encode(), "film.csv", Options()).table


@pytest.mark.parametrize(
    ("columns", "sds"),
    [
        (["R", "dR"], ["dR"]), (["R [%]", "dR [%]"], ["dR [%]"]), (["R", "ΔR"], ["ΔR"]), (["R", "delta R"], ["delta R"]),
        (["R", "σR"], ["σR"]), (["x", "dx"], []), (["t", "dt"], []), (["ose", "dose"], ["dose"]), (["R", "dr"], []),
        (["d", "dd50"], []), (["p [bar]", "dp", "U_conf [kJ/mol]", "dU"], ["dp", "dU"]),
        (["U_conf", "U_tot", "dU"], []), (["U_conf", "T", "dU"], []), (["x_km", "dx", "y"], []), (["U_conf", "ΔU"], []),
    ],
)  # fmt: skip
def test_a_column_called_d_of_another_holds_its_errors_unless_that_says_where(columns: list[str], sds: list[str]) -> None:
    assert sd_columns(columns) == sds


def test_errors_called_dr_are_split_with_their_quantity_whatever_the_table_is_split_by() -> None:
    assert long_form.value_columns(TABLE, "pol") == ["R", "dR"]
    assert list(long_form.split(TABLE, "pol").columns) == ["wavelength_nm", "angle", "s", "s sd", "p", "p sd"]


def test_two_columns_that_tell_the_rows_of_a_place_apart_together_are_offered_and_split() -> None:
    assert naming_pairs.pairs_offered(TABLE) == ["pol, angle"]
    made = long_form.split(TABLE, "pol, angle")
    assert [c for c in made.columns if "sd" not in c] == ["wavelength_nm", "R s 20", "R p 20", "R s 60", "R p 60"]
    assert made.columns["R p 60"] == (None,) * 6 + (3.1, 3.2)
    assert made.columns["R s 60 sd"] == (None,) * 4 + (0.01, 0.01, None, None)


def test_days_far_from_zero_are_labels_of_their_own() -> None:
    columns = {"x": (1.0, 2.0) * 2, "day": (2457000.25, 2457000.25, 2457000.75, 2457000.75), "R": (0.1, 0.2, 0.3, 0.4)}
    table = d.DataTable(columns=columns, texts={"pol": ("s", "s", "s", "s")})
    assert long_form.names_in(table, "pol, day") == ["R s 2457000.25", "R s 2457000.75"]


def test_the_pair_is_proposed_where_outputs_are_named_by_what_was_measured_and_both_labels() -> None:
    assert naming_pairs.proposed(TABLE, ["wl20", "Rs20", "Rp20", "Ts20", "Tp20", "Rs60", "Rp60"]) == "pol, angle"
    assert naming_pairs.proposed(TABLE, ["gain"]) == ""


def test_no_pair_is_offered_where_one_column_tells_them_apart_or_nothing_comes_again() -> None:
    one = d.DataTable(columns={"x": (1.0, 2.0, 1.0, 2.0), "y": (1.0, 2.0, 3.0, 4.0)}, texts={"q": ("a", "a", "b", "b")})
    assert naming_pairs.pairs_offered(one) == []
    kinds = {"q": ("a", "a", "b", "b"), "r": ("c", "c", "d", "d")}
    assert naming_pairs.pairs_offered(d.DataTable(columns=one.columns, texts=kinds)) == []


def test_several_measured_columns_are_named_with_their_own_name_and_label() -> None:
    wide = d.DataTable(
        columns={"x": (1.0, 2.0) * 2, "s": (1.0, 2.0, 3.0, 4.0), "s sd": (0.1,) * 4, "p": (5.0, 6.0, 7.0, 8.0)},
        texts={"state": ("dry", "dry", "wet", "wet")},
    )
    made = long_form.split(wide, "state", ["s", "s sd", "p"])
    assert list(made.columns) == ["x", "s dry", "s dry sd", "p dry", "s wet", "s wet sd", "p wet"]


def test_a_problem_file_splits_by_two_columns_in_a_list() -> None:
    data = {"columns": {k: list(v) for k, v in TABLE.columns.items()}, "texts": {k: list(v) for k, v in TABLE.texts.items()}}
    document = {
        "name": "film", "parameters": [{"name": "k", "prior": {"kind": "uniform", "low": 0.0, "high": 1.0}}],
        "simulator": {"command": ["x", "@k@"]}, "outputs": [],
        "meaning": {"kind": "predictions", "matches": [], "noise": {"kind": "gaussian", "sd": 1.0}},
        "data": {**data, "split_by": ["pol", "angle"]},
    }  # fmt: skip
    assert "R s 20" in files.loads(json.dumps(document).encode()).data.columns  # type: ignore[union-attr]
    document["data"]["split_by"] = ["pol", "angle", "flag"]  # type: ignore[index]
    with pytest.raises(ProblemError, match="or a list of two"):
        files.loads(json.dumps(document).encode())


def test_a_column_of_flags_names_no_quantities_and_tells_which_rows_are_no_good() -> None:
    flags = flags_in(TABLE)
    assert flags is not None
    assert (flags.column, flags.bad, flags.rows) == ("flag", {"spike": (8,)}, (8,))
    assert naming_column(TABLE) == "pol"
    assert "flag" not in long_form.offered(TABLE)


@pytest.mark.parametrize(
    ("name", "cells", "bad"),
    [
        ("QC flag", ("ok", "ok", "drift", "ok"), {"drift": (3,)}),
        ("note", ("good", "good", "suspect", "good"), {"suspect": (3,)}),  # its texts say what it is
        ("quality", (None, None, "x", None), {"x": (3,)}),
        ("outlier?", (None, None, "x", None), {"x": (3,)}),
        ("outlier", ("no", "yes", "no", "no"), {"yes": (2,)}),
        ("probe", ("good", "left", "right", "good"), None),  # other words too
        ("flag", ("1a", "1a", "2b", "1a"), None),  # which of them is good, nobody says
        ("flag", ("ok", "bad", "bad", "bad"), None),  # hardly all of them
        ("flag", ("ok", "ok", "ok", "ok"), None),
    ],
)
def test_only_flags_of_which_it_is_known_what_is_good_tell_rows(name: str, cells: tuple, bad: dict | None) -> None:
    found = flags_in(d.DataTable(columns={"y": (1.0, 2.0, 3.0, 4.0)}, texts={name: cells}))
    assert (None if found is None else found.bad) == bad


EDGES = """polarisation,k point,band,f / GHz,u(f) / MHz
TM,X,1,9.410,35
TM,X,2,14.250,35
TM,X,3,20.790,60
TM,X-M/2,1,10.131,35
TM,X-M/2,2,15.623,35
TM,M,1,11.168,35
TE,X,1,13.534,35
TE,X,2,,35
TE,X,3,22.790,60
TE,M,1,17.692,35
"""
BANDS = parse_with(EDGES.encode(), "edges.csv", Options()).table
OF_BANDS = [f"{kind}_band_{k}" for kind in ("tm", "te") for k in range(1, 6)]


@pytest.mark.parametrize("outputs", [OF_BANDS, [o.replace("_band_", "_") for o in OF_BANDS]])
def test_a_text_and_a_number_are_proposed_together_where_outputs_are_named_by_both(outputs: list[str]) -> None:
    by = naming_pairs.proposed(BANDS, outputs)
    assert by == "polarisation, band"
    made = long_form.split(BANDS, by, units=True)
    told = names_told(outputs, [c for c in made.columns if c not in sd_columns(list(made.columns))])
    assert told[outputs[0]] == "f TM 1 / GHz"
    assert len(told) == 5, "what was not measured is compared with nothing"


def test_outputs_named_by_the_text_alone_are_split_by_it() -> None:
    assert naming_pairs.proposed(BANDS, ["tm", "te"]) == "polarisation"
    assert naming_pairs.proposed(BANDS, ["gain"]) == ""


def test_names_are_alike_where_one_of_them_says_what_its_number_counts() -> None:
    assert names_told(["tm_band_1", "tm_band_2"], ["TM 1", "TM 2"]) == {"tm_band_1": "TM 1", "tm_band_2": "TM 2"}
    assert names_told(["T_1"], ["T sample 1"]) == {"T_1": "T sample 1"}
    assert names_told(["T_sample_1"], ["T station 1"]) == {}
    assert names_told(["band_1"], ["mode 1"]) == {}
    assert names_told(["band_1"], ["±"]) == {}


@pytest.mark.parametrize(
    ("column", "cells", "index"),
    [
        ("band", (1.0, 2.0, 2.0, 4.0), True), ("Mode", (1.0, 2.0, 3.0, 3.0), True), ("no.", (0.0, 1.0, 2.0, 3.0), True),
        ("band", (1.1, 1.2, 1.3, 1.4), False), ("mode", (609.0, 409.0, 324.0, 281.0), False), ("u", (1.0, 2.0, 3.0, 4.0), False),
        ("run (s)", (1.0, 2.0, 3.0, 4.0), False),
    ],
)  # fmt: skip
def test_a_column_called_like_a_count_that_counts_is_an_index(column: str, cells: tuple, index: bool) -> None:
    assert is_index(d.DataTable(columns={column: cells}), column) is index


def test_a_column_called_like_a_count_is_no_quantity_to_be_found_in_files() -> None:
    assert "band" not in {q.column for q in quantities(BANDS)}
    assert {q.column for q in quantities(d.DataTable(columns={"band (eV)": (1.0, 2.0)}))} == {"band (eV)"}
