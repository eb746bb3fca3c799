"""Outputs that say where rather than what are found by their values in two runs, and pair the rows of the data."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import sd_columns
from bayescope.gui.models.data.keys.key_candidates import same_places
from bayescope.gui.models.data.keys.known_keys import KnownKeys, completed
from bayescope.gui.models.data.keys.own_table import of_another_table
from bayescope.gui.models.data.meanings import MEANINGS, converted, first_predictions, next_match, next_summary


def problem(columns: dict[str, tuple[float, ...]], *outputs: str) -> d.Problem:
    read = d.Output(name="", source="stdout", extractor=d.LastNumber())
    return d.Problem(
        name="x",
        simulator=d.Simulator(command=("x",)),
        parameters=(),
        outputs=tuple(d.Output(name=n, source=read.source, extractor=read.extractor) for n in outputs),
        data=d.DataTable(columns=columns),
        meaning=d.Predictions(matches=(), noise=d.GaussianKnown()),
    )


LATTICE = problem({"density (g/cm3)": (1.7, 1.8), "pressure": (1.0, 9.0)}, "density", "pressure")
TWO_TABLES = problem(
    {
        "height_m": (0.1, 0.2, float("nan")),
        "T_degC": (8.0, 7.0, float("nan")),
        "depth": (float("nan"), float("nan"), 0.3),
        "T": (float("nan"), float("nan"), 15.0),
    },
    "T_joint",
    "height",
    "T_core",
    "depth",
)
KNOWN = KnownKeys(
    {"T_joint": 9, "height": 9, "T_core": 7, "depth": 7},
    frozenset({"height", "depth"}),
    (("height", "height_m"), ("depth", "depth")),
)


def test_an_output_that_no_parameter_changes_pairs_the_rows_and_is_not_compared() -> None:
    known = KnownKeys({"density": 9, "pressure": 9}, frozenset({"density"}), (("density", "density (g/cm3)"),))
    (match,) = first_predictions(LATTICE, known).matches
    assert (match.output, match.key_output, match.key_column) == ("pressure", "density", "density (g/cm3)")
    assert [m.output for m in first_predictions(LATTICE).matches] == ["density", "pressure"]  # names alone do not tell


def test_a_comparison_is_offered_the_key_of_its_own_table() -> None:
    first = next_match(TWO_TABLES, [], KNOWN)
    second = next_match(TWO_TABLES, [first], KNOWN)
    assert (first.output, first.key_output, first.key_column) == ("T_joint", "height", "height_m")
    assert (second.output, second.key_output, second.key_column) == ("T_core", "depth", "depth")


@pytest.mark.parametrize(("wrong", "kept"), [("remark", 0.1), ("r_um", 1.0), ("other_nm", 0.1)])
def test_a_factor_of_the_key_is_kept_for_another_column_unless_both_say_different_units(wrong: str, kept: float) -> None:
    before = d.Match(output="pressure", column="pressure", key_output="density", key_column=wrong, key_factor=0.1)
    now = completed(LATTICE, before, msgspec.structs.replace(before, key_column="r_nm"), KnownKeys())
    assert (now.key_output, now.key_column, now.key_factor) == ("density", "r_nm", kept)


def test_choosing_one_side_of_a_key_brings_the_other() -> None:
    bare = d.Match(output="pressure", column="pressure")
    chosen = d.Match(output="pressure", column="pressure", key_output="density")
    both = completed(LATTICE, bare, chosen, KnownKeys())
    assert both.key_column == "density (g/cm3)"


def test_another_measured_column_brings_the_key_that_has_its_rows() -> None:
    before = d.Match(output="T_core", column="", key_output="depth", key_column="depth")
    kept = completed(TWO_TABLES, before, d.Match(output="T_core", column="T", key_output="depth", key_column="depth"), KNOWN)
    assert kept.key_output == "depth"
    wrong = d.Match(output="T_joint", column="T_degC", key_output="depth", key_column="depth")
    assert completed(TWO_TABLES, before, wrong, KNOWN).key_column == "height_m"


WELL = problem({"BHP (bar)": (1.0,), "sd BHP": (2.0,), "Water cut": (0.1,), "Water cut error": (0.01,), "x": (1.0,)}, "p", "w")


@pytest.mark.parametrize(
    ("before", "column", "sd"),
    [
        (("", None), "BHP (bar)", "sd BHP"),
        (("BHP (bar)", "sd BHP"), "Water cut", "Water cut error"),
        (("BHP (bar)", "sd BHP"), "x", None),
        (("BHP (bar)", "x"), "Water cut", "x"),  # chosen by the user
    ],
)
def test_another_measured_column_brings_the_errors_named_like_it(
    before: tuple[str, str | None], column: str, sd: str | None
) -> None:
    old = d.Match(output="p", column=before[0], sd_column=before[1])
    new = msgspec.structs.replace(old, column=column)
    assert completed(WELL, old, new, KnownKeys()).sd_column == sd
    counts = msgspec.structs.replace(WELL, meaning=d.Predictions(matches=(), noise=d.PoissonNoise()))
    assert completed(counts, old, new, KnownKeys()).sd_column == before[1], "counts take none"


def test_errors_are_told_by_a_word_before_or_behind_the_name_of_the_column() -> None:
    names = ["T", "T sd (K)", "sigma_p", "p", "x", "sigma_x", "ground", "standard"]
    assert sd_columns(names) == ["T sd (K)", "sigma_p"]


def test_what_no_parameter_changes_is_not_proposed_as_a_summary() -> None:
    columns = {"time": (1.0, 2.0), "cases": (3.0, 4.0), "deaths": (0.0, 1.0)}
    counts, known = problem(columns, "time", "cases", "deaths"), KnownKeys(steady=frozenset({"time"}))
    kind = next(k for k in MEANINGS if k.kind is d.SyntheticLikelihood)
    made = converted(counts, kind, known)
    assert isinstance(made, d.SyntheticLikelihood)
    assert [s.output for s in made.summaries] == ["cases", "deaths"]
    empty = msgspec.structs.replace(counts, meaning=d.SyntheticLikelihood(summaries=()))
    assert next_summary(empty, known).output == "cases"
    one = msgspec.structs.replace(counts, meaning=d.SyntheticLikelihood(summaries=made.summaries[:1]))
    assert next_summary(one, known).output == "deaths", "what is not summarized yet"
    assert next_summary(empty, KnownKeys(steady=frozenset(columns))).output == "time", "rather than nothing"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ((-4, -2, 0, 4, 6), (-4, -2, 0, 2, 4, 6), True),  # a run lacks one place of a sweep
        ((-4, 0, 2, 4, 6), (-4, -2, 0, 4, 6), True),  # each lacks another one
        ((1, 2, 3, 4), (1, 2, 3, 5), False),  # one number has changed
        ((3, 1, 2), (3, 1, 2), True),
        ((3, 1, 2, 5), (3, 1, 2), False),  # no sweep
        ((1, 2), (1, 2, 3), False),  # two may agree by chance
        ((0.1, 0.2, 0.3), (0.15, 0.25, 0.35, 0.45), False),
    ],
)
def test_the_places_of_a_sweep_are_the_same_where_a_run_lacks_some(
    one: tuple[float, ...], other: tuple[float, ...], same: bool
) -> None:
    assert same_places(np.array(one, dtype=float), np.array(other, dtype=float)) is same


def test_a_quantity_that_an_output_predicts_is_no_key_though_it_has_no_errors_of_its_own() -> None:
    polar = problem({"Angle": (1.0, 2.0), "CL": (1.0, 2.0), "CL error": (0.1, 0.1), "CD": (0.3, 0.4)}, "alpha", "CL", "CD")
    assert [(m.output, m.keys) for m in first_predictions(polar).matches] == [("CL", ()), ("CD", ())]
    two = problem({"CL": (1.0, 2.0), "CL error": (0.1, 0.1), "CD": (0.3, 0.4)}, "CL", "CD")
    assert [m.output for m in first_predictions(two).matches] == ["CL"], "names alone take it for the place"
    seen = KnownKeys({"CL": 2, "CD": 2}, unlike=frozenset({("CD", "CD")}))
    assert [(m.output, m.keys) for m in first_predictions(two, seen).matches] == [("CL", ()), ("CD", ())]


def test_names_bring_no_key_that_is_blank_where_something_was_measured() -> None:
    """Two tables joined: the ages of the survey say nothing of the weeks above them."""
    data = d.DataTable(
        columns={"cases": (3.0, 5.0, None, None), "sero": (None, None, 50.0, 60.0)}, texts={"age": (None, None, "0-9", "10-19")}
    )
    program, meaning = d.Simulator(command=("run",)), d.Predictions(matches=(), noise=d.GaussianKnown())
    problem = d.Problem(name="", parameters=(), simulator=program, outputs=(), data=data, meaning=meaning)
    known = KnownKeys()
    assert list(known.keys_of(problem, "cases", "cases", [("age", "age")])) == []
    assert list(known.keys_of(problem, "sero", "sero", [("age", "age")])) == [("age", "age")]


def test_columns_of_two_tables_of_one_text_have_rows_of_their_own() -> None:
    first, second = (d.TableBlock(columns=(1,), start=f"OH PROFILE P{k}") for k in (1, 2))

    def read(extractor: object, source: str = "stdout") -> d.Output:
        return d.Output(name="x", source=source, extractor=extractor)  # type: ignore[arg-type]

    beside = msgspec.structs.replace(first, columns=(2,))
    assert of_another_table(read(first), read(second))
    assert not of_another_table(read(first), read(beside))
    assert not of_another_table(read(first), read(second, "other.txt")), "a file of its own may hold the keys of all"
    assert not of_another_table(read(first), read(d.LastNumber()))
