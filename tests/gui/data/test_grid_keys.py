"""A list of months by latitudes, as ncdump prints it, is compared with a table of both."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.extract import extract
from bayescope.engine.problem.netcdf_text import dimensions
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.keys.grid_keys import by_grid, grid_offered
from bayescope.gui.models.data.keys.own_keys import own_key

LATS = (-60.0, -20.0, 20.0, 60.0)
VALUES = np.round(np.arange(12)[:, None] + np.array(LATS)[None, :] / 10, 3)


def text_of_run() -> str:
    rows = ",\n  ".join(", ".join(f"{v:g}" for v in row) for row in VALUES)
    months = ", ".join(str(m) for m in range(1, 13))
    lats = ", ".join(f"{v:g}" for v in LATS)
    return f"""netcdf out {{
dimensions:
\tmonth = UNLIMITED ; // (12 currently)
\tlat = 4 ;
\tone = 1 ;
variables:
\tdouble lat(lat) ;
\tdouble Ts(month, one, lat) ;
\t\tTs:units = "degC" ;
\tint month(month) ;
data:

 lat = {lats} ;

 Ts =
  {rows} ;

 month = {months} ;
}}
"""


OUTPUT = d.Output(name="Ts", source="stdout", extractor=d.NumberList(name="Ts =", end=";"))


def report() -> TrialRunReport:
    return TrialRunReport(outcome="ok", stdout=text_of_run())


def problem(lats: list[float], **columns: list[float]) -> d.Problem:
    table = {"Month": [1.0, 4.0, 7.0], "Latitude (deg)": lats, "T (degC)": [1.0, 2.0, 3.0], "sd (degC)": [0.1] * 3, **columns}
    return d.Problem(name="x", parameters=(), simulator=d.Simulator(command=("x",)),
        outputs=(OUTPUT,),
        data=d.DataTable(columns={k: tuple(v) for k, v in table.items()}),
        meaning=d.Predictions(matches=(), noise=d.GaussianKnown()),
    )


def test_the_dimensions_of_a_variable_are_told() -> None:
    assert dimensions(text_of_run(), "Ts") == (("month", 12), ("one", 1), ("lat", 4))
    assert dimensions(text_of_run(), "lat") == (("lat", 4),)
    assert dimensions(text_of_run(), "other") == ()


@pytest.mark.parametrize(("each", "times", "name"), [(4, 1, "month ="), (1, 12, "lat =")])
def test_each_number_of_the_list_has_a_coordinate(each: int, times: int, name: str) -> None:
    read = extract(d.NumberList(name=name, occurrence=-1, each=each, times=times), text_of_run())
    assert len(read.values) == 48 == len(read.spans)
    wanted = np.repeat(np.arange(1, 13), 4) if each > 1 else np.tile(LATS, 12)
    assert list(read.values) == list(wanted)


def test_rows_are_paired_by_both_dimensions_and_the_only_column_left_is_proposed() -> None:
    found = grid_offered(problem([-60.0, 20.0, 60.0]), report())
    assert found is not None
    assert (found.output, found.column, found.keys, found.between) == ("Ts", "T (degC)", ("Month", "Latitude (deg)"), "")
    assert [o.name for o in found.problem.outputs] == ["Ts", "month", "lat"]
    assert isinstance(found.problem.meaning, d.Predictions)
    assert found.problem.meaning.matches[0].keys == (("month", "Month"), ("lat", "Latitude (deg)"))
    assert found.problem.meaning.matches[0].sd_column == "sd (degC)"


def test_between_the_places_of_one_dimension_the_list_is_interpolated() -> None:
    found = grid_offered(problem([-60.0, 10.0, 55.5]), report())
    assert found is not None
    assert found.between == "Latitude (deg)"
    assert isinstance(found.problem.meaning, d.Predictions)
    match = found.problem.meaning.matches[0]
    assert match.interpolate
    assert match.keys == (("lat", "Latitude (deg)"), ("month", "Month"))


def test_a_comparison_that_was_added_by_hand_gets_both_keys() -> None:
    by_hand = problem([-60.0, 20.0, 60.0])
    matched = d.Predictions(matches=(d.Match(output="Ts", column="T (degC)"),), noise=d.GaussianKnown())
    by_hand = msgspec.structs.replace(by_hand, meaning=matched)
    grid, own = by_grid(by_hand, 0, report()), own_key(by_hand, 0, report())
    assert grid is not None
    assert own is not None
    assert own[0] == grid.problem


@pytest.mark.parametrize("lats", [[-80.0, 20.0, 60.0], [float("nan")] * 3])
def test_places_that_the_program_does_not_have_are_not_offered(lats: list[float]) -> None:
    assert grid_offered(problem(lats), report()) is None


def test_with_two_columns_left_only_the_user_knows() -> None:
    assert grid_offered(problem([-60.0, 20.0, 60.0], albedo=[0.3, 0.3, 0.3]), report()) is None
