"""Numbers asked for by their numbers from a table that is shorter in this run: what it has is given."""

from __future__ import annotations

import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.extract.shorter import given_part
from bayescope.engine.simulator.sources import parts_of, read_outputs

TEXT = "MODES\n  1  2.5\n  2  6.6\n  3  9.9\n\n"
NAN = float("nan")


def output(**how: object) -> d.Output:
    return d.Output(name="f", source="stdout", extractor=d.Region(anchor="MODES", **how))  # type: ignore[arg-type]


def test_rows_up_to_the_end_of_the_table_are_given_and_the_rest_is_none() -> None:
    np.testing.assert_array_equal(given_part(output(columns=(2,), first=2, count=4), TEXT), [6.6, 9.9, NAN, NAN])
    listed = given_part(output(columns=(2,), first_number=1, number_count=5), TEXT)
    np.testing.assert_array_equal(listed, [2.5, 6.6, 9.9, NAN, NAN])


def test_a_table_that_has_none_of_them_or_that_is_asked_otherwise_gives_none() -> None:
    assert given_part(output(columns=(2,), first=4, count=2), TEXT) is None
    assert given_part(output(columns=(2,), first=5, count=1), TEXT) is None
    assert given_part(output(columns=(2,)), TEXT) is None
    assert given_part(output(columns=(2,), first=2, count=4), "nothing\n") is None


def test_of_a_run_whose_table_is_shorter_the_part_goes_beside_what_could_be_read() -> None:
    mass = d.Output(name="m", source="stdout", extractor=d.LabelledNumber(label="mass ="))
    spec = (output(columns=(2,), first=2, count=4), mass)
    text = lambda source: f"{TEXT}mass = 3.5\n"  # noqa: E731
    readings, problems = read_outputs(spec, text)
    assert set(readings) == {"m"}
    assert "it has 3 rows" in problems["f"]
    np.testing.assert_array_equal(parts_of(problems, spec, text)["f"], [6.6, 9.9, NAN, NAN])
