"""A list of several dimensions in ncdump's text, each of its rows an output of its own."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.extract import extract
from bayescope.engine.problem.marks.each import each_number
from bayescope.engine.problem.marks.mark import Mark


def dump(dims: str, ts: str, coordinates: str, rows: int = 3, width: int = 5) -> str:
    numbers = ", ".join(f"{r}.{c}5" for r in range(rows) for c in range(width))
    cut = numbers.replace(", 1.2", ",\n    1.2")
    return f"""netcdf out {{
dimensions:
{dims}
variables:
\tint month(month) ;
\tdouble lat(lat) ;
\tdouble Ts({ts}) ;
data:

{coordinates}

 Ts =
  {cut} ;
}}
"""


BY_MONTH = dump("\tmonth = 3 ;\n\tlat = 5 ;", "month, lat", " month = 1, 7, 12 ;\n\n lat = -60, -30, 0, 30, 60 ;")


def each_of(text: str) -> list[tuple[str, tuple[float, ...]]]:
    at = text.index("Ts =")
    found = each_number(Mark(text, at, at))
    assert not found.apart, "one list is what a click means first"
    for one in found.found:
        assert extract(one.proposal.extractor, text).values == one.proposal.values
    return [(one.name, one.proposal.values) for one in found.found]


def test_months_are_named() -> None:
    found = each_of(BY_MONTH)
    assert [name for name, _ in found] == ["Ts_Jan", "Ts_Jul", "Ts_Dec"]
    assert found[1][1] == (1.05, 1.15, 1.25, 1.35, 1.45)


def test_other_whole_coordinates_are_in_the_names_and_without_any_the_rows_are_counted() -> None:
    years = BY_MONTH.replace("month", "year").replace("1, 7, 12", "1990, 2000, 2010")
    assert [name for name, _ in each_of(years)] == ["Ts_1990", "Ts_2000", "Ts_2010"]
    halves = years.replace("1990, 2000", "1990.5, 2000")
    assert [name for name, _ in each_of(halves)] == ["Ts_1", "Ts_2", "Ts_3"]
    assert [name for name, _ in each_of(years.replace("\tint year(year) ;\n", ""))] == ["Ts_1", "Ts_2", "Ts_3"]


def test_dimensions_of_one_place_do_not_count() -> None:
    text = dump("\tmonth = 3 ;\n\tone = 1 ;\n\tlat = 5 ;", "month, one, lat", " month = 1, 7, 12 ;\n\n lat = 1, 2, 3, 4, 5 ;")
    assert [name for name, _ in each_of(text)] == ["Ts_Jan", "Ts_Jul", "Ts_Dec"]


@pytest.mark.parametrize(
    "text",
    [
        dump("\tmonth = 1 ;\n\tlat = 15 ;", "month, lat", " month = 1 ;\n\n lat = 1 ;"),
        dump("\tmonth = 30 ;\n\tlat = 2 ;", "month, lat", " month = 1 ;\n\n lat = 1 ;", rows=30, width=2),
        BY_MONTH.replace("lat = 5", "lat = 6"),
        BY_MONTH.replace("netcdf out {", "some text"),
    ],
)
def test_one_row_too_many_or_other_lengths_are_no_rows(text: str) -> None:
    at = text.index("Ts =")
    assert not each_number(Mark(text, at, at)).found
