"""What ncdump prints of variables in groups: each is known by the path of its group and its name, and read there alone."""

from __future__ import annotations

from bayescope.engine.problem.definition import NumberList
from bayescope.engine.problem.extract import extract
from bayescope.engine.problem.marks import Mark
from bayescope.engine.problem.netcdf_text import group_of, groups_in, is_coordinate, row_length

TEXT = """\
netcdf lake {
dimensions:
\ttime = 4 ;
variables:
\tdouble time(time) ;
\t\ttime:units = "days since 2000-01-01" ;
data:

 time = 0, 1, 2, 3 ;

group: physics {
  dimensions:
  \tdepth = 3 ;
  variables:
  \tfloat depth(depth) ;
  \tfloat temp(time, depth) ;
  data:

   depth = 0.5, 1.5, 2.5 ;

   temp =
  4.5, 4.25, 4,
  5.5, 5.25, 5,
  6.5, 6.25, 6,
  7.5, 7.25, 7 ;

  group: surface {
    variables:
    \tfloat flux(time) ;
    data:

     flux = 10, 20, 30, 40 ;
    } // group surface
  } // group physics

group: biology {
  variables:
  \tfloat flux(time) ;
  data:

   flux = 1, 2, 3, 4 ;
  } // group biology
}
"""


def click(what: str, text: str = TEXT) -> Mark:
    at = text.index(what) + 1
    return Mark(text, at, at, "lake.txt")


def test_groups_and_what_lies_in_them_are_told_from_each_other() -> None:
    assert [one.path for one in groups_in(TEXT)] == ["physics/surface", "physics", "biology"]
    assert [group_of(TEXT, TEXT.index(what)) for what in ("time = 0", "temp =", "10, 20", "1, 2, 3, 4")] == [
        "", "physics", "physics/surface", "biology",
    ]  # fmt: skip
    assert groups_in(TEXT.replace("netcdf lake {\n", "")) == ()


def test_a_list_in_a_group_is_read_by_the_path_of_its_group() -> None:
    for what, name, values in (
        ("10, 20", "physics/surface/flux", (10.0, 20.0, 30.0, 40.0)),
        ("1, 2, 3, 4", "biology/flux", (1.0, 2.0, 3.0, 4.0)),
    ):
        offer = click(what).offers("list")[0]
        assert offer.names == (name,)
        assert offer.first == NumberList(name=f"{name} =", end=";")
        assert offer.proposals[0].values == values
    swapped = TEXT.replace("group: surface", "group: deep").replace("group surface", "group deep")
    assert extract(NumberList(name="biology/flux =", end=";"), swapped).values == (1.0, 2.0, 3.0, 4.0)
    assert click("time = 0").offers("list")[0].names == ("time",), "outside of groups names are as ever"


def test_rows_of_a_variable_in_a_group_are_those_that_its_group_or_the_file_says() -> None:
    assert row_length(TEXT, "physics/temp") == 3
    assert row_length(TEXT, "temp") is None
    assert is_coordinate(TEXT, "physics/depth")
    assert is_coordinate(TEXT, "time")
    assert not is_coordinate(TEXT, "biology/flux")
    offer = click("temp =").offers("table")[0]
    assert offer.proposals[0].values == (4.5, 5.5, 6.5, 7.5)
    above = TEXT.replace("  \tdepth = 3 ;\n", "").replace("\ttime = 4 ;\n", "\ttime = 4 ;\n\tdepth = 3 ;\n")
    assert row_length(above, "physics/temp") == 3, "dimensions may be those of the whole file"
