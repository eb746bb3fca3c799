"""Priors, commands, pasted tables, digits and fields: text in, records out, and back."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bayescope.engine.problem import definition as d
from bayescope.gui.models.data.errors.noise import NOISES
from bayescope.gui.models.data.meanings import MEANINGS, converted
from bayescope.gui.models.fields import Field, text_of, value_of
from bayescope.gui.models.parameters import around, fresh_name, merged, parse_pasted, parse_range, range_text
from bayescope.gui.models.plain import number_of, one_line, shown
from bayescope.gui.models.prior_families import FAMILIES, family_of, parse_prior, prior_text
from bayescope.gui.models.prior_families import converted as prior_converted
from bayescope.gui.models.recent import date_words
from bayescope.gui.models.results.comparison import against_words, percent
from bayescope.gui.models.results.summary import (
    SummaryRow,
    interval_words,
    rounded,
    separate_modes,
    short_words,
    strongest_words,
    summary_columns,
)
from bayescope.gui.models.simulator.files.command_text import join_command, split_command
from bayescope.gui.models.simulator.outputs.extractors import KINDS, kind_of, words_of

# ------------------------------------------------------------------ priors


def default(family: object) -> d.Prior:
    return family.kind(**{n.field: n.default for n in family.numbers})  # type: ignore[attr-defined,no-any-return]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.tag)
def test_every_prior_reads_back_from_its_text(family: object) -> None:
    prior = default(family)
    assert parse_prior(prior_text(prior)) == prior


def test_every_prior_of_the_engine_is_offered() -> None:
    assert {f.kind for f in FAMILIES} == set(d.Prior.__args__)
    assert {k.kind for k in KINDS} == set(d.Extractor.__args__)
    assert {k.kind for k in NOISES} == set(d.NoiseModel.__args__)
    assert {k.kind for k in MEANINGS} == set(d.Meaning.__args__)


@pytest.mark.parametrize(
    ("text", "prior"),
    [("U(0, 1)", d.Uniform(low=0.0, high=1.0)), ("normal 3 0.5", d.Normal(mean=3.0, sd=0.5)),
     ("Half Cauchy(10)", d.HalfCauchy(scale=10.0)),
     ("loguniform(1e-3, 10)", d.LogUniform(low=1e-3, high=10.0)), ("gaussian(mean=1, sd=2)", d.Normal(mean=1.0, sd=2.0)),
     ("truncated normal(0, 1, none, 2)", d.TruncatedNormal(mean=0.0, sd=1.0, high=2.0)),
     ("t(0, 1, 4)", d.StudentT(location=0.0, scale=1.0, dof=4.0)), ("beta(2, 3)", d.Beta(a=2.0, b=3.0))],
)  # fmt: skip
def test_priors_are_understood_as_people_write_them(text: str, prior: d.Prior) -> None:
    assert parse_prior(text) == prior


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_a_prior_or_refused_with_a_sentence(text: str) -> None:
    try:
        said = family_of(parse_prior(text)).title
    except ValueError as error:
        said = str(error)
    assert said


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.tag)
def test_choosing_another_family_gives_a_proper_prior(family: object) -> None:
    from bayescope.engine.problem.priors import complaints

    for other in FAMILIES:
        made = prior_converted(default(family), other)
        assert isinstance(made, other.kind)
        assert complaints(made) == []


def test_a_first_prior_around_a_number_holds_it() -> None:
    for value in (3.0, -2.0, 0.0, 1e-9):
        prior = around(value)
        assert isinstance(prior, d.Uniform)
        assert prior.low <= value <= prior.high
        assert prior.low < prior.high


# ------------------------------------------------------------------ command lines


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(alphabet="ab \"'\\\t@-=", max_size=8), max_size=5))
def test_a_command_reads_back_from_its_line(words: list[str]) -> None:
    assert split_command(join_command(words)) == tuple(words)


def test_windows_paths_and_quotes_are_understood() -> None:
    assert split_command(r'"C:\Program Files\sim.exe" -k @k@  x') == (r"C:\Program Files\sim.exe", "-k", "@k@", "x")
    assert split_command("a 'unclosed quote") == ("a", "unclosed quote")


# ------------------------------------------------------------------ pasting


def test_rows_with_headings_become_parameters() -> None:
    pasted = parse_pasted("name\tunit\tprior\tfixed\nk\tm/s\tnormal(1, 2)\t\nq\t\tuniform(0,1)\t0.5\n")
    assert pasted.problems == ()
    k, q = pasted.parameters
    assert (k.name, k.unit, k.prior) == ("k", "m/s", d.Normal(mean=1.0, sd=2.0))
    assert q.fixed == 0.5


def test_three_columns_without_headings_are_name_and_limits() -> None:
    pasted = parse_pasted("k;0,1;10\nq;1e-3;2")
    assert [p.prior for p in pasted.parameters] == [d.Uniform(low=0.1, high=10.0), d.Uniform(low=1e-3, high=2.0)]


def test_bad_lines_are_named_and_the_good_ones_kept() -> None:
    pasted = parse_pasted("k\t0\t1\n2nd\t0\t1\nq\tzero\tone\n")
    assert [p.name for p in pasted.parameters] == ["k"]
    assert "Line 2" in pasted.problems[0]
    assert "Line 3" in pasted.problems[1]


@pytest.mark.parametrize(
    "garbage",
    ["", "\x89PNG\r\n\x1a\n\x00\x00", "<html>" * 500, "a" * 100_000, "\n".join("x\t1\t2" for _ in range(2000))],
)
def test_pasted_garbage_is_a_sentence(garbage: str) -> None:
    pasted = parse_pasted(garbage)
    assert pasted.parameters == ()
    assert pasted.problems
    assert all(len(p) < 1000 for p in pasted.problems)


def test_pasting_again_replaces_those_of_the_same_name() -> None:
    a, b = parse_pasted("a\t0\t1\nb\t0\t1").parameters
    new = parse_pasted("b\t5\t6\nc\t0\t1").parameters
    assert [(p.name, p.prior.low) for p in merged((a, b), new)] == [("a", 0.0), ("b", 5.0), ("c", 0.0)]  # type: ignore[union-attr]


def test_names_are_made_valid_and_unique() -> None:
    assert fresh_name([], "flow rate (m/s)") == "flow_rate_m_s"
    assert fresh_name(["k"], "k") == "k2", "the second of them"
    assert fresh_name(["k", "k2"], "k") == "k3"
    assert fresh_name(["r1"], "r1") == "r1_2", "not r12"
    assert fresh_name([], "2nd") == "p_2nd"
    assert fresh_name(["p1"], "") == "p2"


# ------------------------------------------------------------------ numbers and fields


@settings(max_examples=40, deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_in_a_cell_reads_back_exactly(value: float) -> None:
    assert number_of(shown(value)) == value


def test_ranges_read_back() -> None:
    for pair in ((0.1, 0.9), (-3.0, 2e-5)):
        assert parse_range(range_text(pair)) == pair
    assert parse_range("1 – 2") == (1.0, 2.0)
    assert parse_range("") is None


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [("count", "3", 3), ("optional_count", "", None), ("counts", "1, 3", (1, 3)), ("column_or_number", "2", 1),
     ("column_or_number", "prey", "prey"), ("zero_based", "1", 0), ("zero_based", "-1", -1),
     ("number_or_parameter", "rho", "rho"),
     ("number_or_parameter", "0.5", 0.5), ("optional_numbers", "1; 2", (1.0, 2.0)), ("optional_text", "", None)],
)  # fmt: skip
def test_fields_read_what_they_show(kind: str, text: str, value: object) -> None:
    field = Field("x", "This field", "", kind)  # type: ignore[arg-type]
    assert value_of(field, text) == value
    assert value_of(field, text_of(field, value)) == value


@pytest.mark.parametrize(
    ("text", "value", "shown"),
    [("all", ("all", 1, -1), "all"), ("3", (3, 1, -1), "3"), ("1-11", ("all", 1, 11), "1 to 11"),
     ("2 to −1", ("all", 2, -1), "2 to −1"),
     ("1 to -4", ("all", 1, -4), "1 to −4"), ("2nd to last", ("all", 2, -1), "2 to −1"), ("last", (-1, 1, -1), "-1")],
)  # fmt: skip
def test_times_are_read_as_one_all_or_a_range(text: str, value: object, shown: str) -> None:
    field = Field("occurrence", "Which time", "", "occurrences", beside=("since", "until"))
    assert value_of(field, text) == value
    assert text_of(field, value) == shown
    assert value_of(field, shown) == value


@pytest.mark.parametrize("text", ["5 to 3", "0 to 2", "now", "1 to many", "-1 to -3"])
def test_what_is_no_range_of_times_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="Which time"):
        value_of(Field("occurrence", "Which time", "", "occurrences", beside=("since", "until")), text)


@pytest.mark.parametrize("kind", ["number", "count", "counts", "column_or_number", "zero_based", "number_or_parameter"])
@settings(max_examples=40, deadline=None)
@given(text=st.text(max_size=30))
@example(text="0/0")
def test_nonsense_in_a_field_is_a_sentence(kind: str, text: str) -> None:
    field, said = Field("x", "This field", "", kind), "This field"  # type: ignore[arg-type]
    try:
        value_of(field, text)
    except ValueError as error:
        said = str(error)
    assert said.startswith("This field")


def test_every_extractor_has_words() -> None:
    for kind in KINDS:
        assert kind_of(kind.first) is kind
        assert words_of(kind.first)


def test_every_meaning_can_be_chosen_from_every_other() -> None:
    problem = d.Problem(
        name="p", parameters=(), simulator=d.Simulator(command=("x",)),
        outputs=(d.Output(name="y", source="stdout", extractor=d.LastNumber()),), meaning=d.LogLikelihoodOutput(output="y"),
        data=d.DataTable(columns={"y": (1.0,)}),
    )  # fmt: skip
    for kind in MEANINGS:
        meaning = converted(problem, kind)
        assert isinstance(meaning, kind.kind)
        assert getattr(meaning, "output", "y") == "y"


@pytest.mark.parametrize(
    ("value", "sd", "text"),
    [(1.23456, 0.0567, "1.235"), (1234.5, 67.0, "1234"), (-0.00012356, 0.0000021, "−1.236 × 10⁻⁴"), (5.0e8, 2.0e6, "5.000 × 10⁸"),
     (0.0, 0.1, "0.00"), (12.3, math.nan, "12.3000"), (123456.0, 2345.0, "123500")],
)  # fmt: skip
def test_numbers_have_as_many_digits_as_their_uncertainty_supports(value: float, sd: float, text: str) -> None:
    assert rounded(value, sd) == text


def test_two_modes_give_two_intervals() -> None:
    assert interval_words([(0.1, 0.2), (0.7, 0.9)], 0.3) == "0.10 … 0.20\nor 0.70 … 0.90"
    parts = [(0.181, 0.281), (0.3397, 0.3588), (0.3746, 0.3939)]
    assert interval_words(parts, 0.084) == "0.181 … 0.281\nor 0.340 … 0.359\nor 0.375 … 0.394"


@pytest.mark.parametrize(
    ("median", "intervals", "text"),
    [
        (17.4, [(16.64, 18.04)], "17.40   (16.64 … 18.04)"),
        (7.61, [(1.52, 16.84)], "7.6   (1.5 … 16.8)"),
        (9.73, [(9.46, 10.02)], "9.73   (9.46 … 10.02)"),
        (0.7052, [(0.38, 1.132)], "0.71   (0.38 … 1.13)"),
        (0.5, [(-1.02, -0.78), (0.8, 1.0)], "0.50   (−1.02 … −0.78 or 0.80 … 1.00)"),
        (1.2345e8, [(1.1e8, 1.3e8)], "1.23   (1.10 … 1.30) × 10⁸"),
        (0.00012, [(0.0001, 0.00015)], "1.20   (1.00 … 1.50) × 10⁻⁴"),
    ],
)
def test_the_words_of_a_plot_have_the_same_decimals_at_both_ends(median: float, intervals: Any, text: str) -> None:
    assert short_words(median, intervals) == text


def test_evidence_differences_within_their_uncertainty_mean_nothing() -> None:
    assert "not distinguishable" in against_words(0.4, 0.3)
    assert against_words(4.0, 0.1).startswith("strong")
    assert percent(0.99999) == "99.9 %"


def test_dates_are_words() -> None:
    import time

    now = time.mktime((2026, 11, 21, 12, 0, 0, 0, 0, -1))
    assert date_words(now - 3600, now).startswith("today 11")
    assert date_words(now - 86400, now).startswith("yesterday")
    assert "2025" in date_words(now - 400 * 86400, now)
    assert [date_words(at, now) for at in (0.0, -5.0, 1e300, float("nan"))] == [""] * 4


def test_text_of_others_is_one_short_line() -> None:
    assert "\n" not in one_line("a\nb\x00c")
    assert len(one_line("x" * 10_000)) == 200


def test_separate_modes_are_told_together_and_are_no_relation_within_a_mode() -> None:
    found = strongest_words(["a", "b", "c"], [[1, -0.98, 0.1], [-0.98, 1, 0.5], [0.1, 0.5, 1]], [2, 2, 1])
    first, second = found.splitlines()
    assert first == "a and b have separate modes; from one to the other one rises and the other falls."
    assert second == "b and c are related; both rise together."
    assert "a and b are almost one quantity" in strongest_words(["a", "b"], [[1, -0.98], [-0.98, 1]])
    rows = [SummaryRow(n, "", "", 1.0, 0.1, 1.0, (), modes=k) for n, k in (("a", 2), ("b", 2), ("c", 1))]
    assert separate_modes(rows).startswith("a and b have two separate modes.")
    assert separate_modes([*rows, SummaryRow("d", "", "", 1.0, 0.1, 1.0, (), modes=3)]).count("separate modes.") == 3


def test_the_sd_is_written_like_the_mean_beside_it() -> None:
    def sd(mean: float, sd: float) -> str:
        row = SummaryRow("k", "", "", mean, sd, mean, ())
        return str(next(c for c in summary_columns("equal_tailed") if c.key == "sd").text(row))

    assert sd(0.00321, 0.00017) == "0.00017"
    assert sd(3.21e-7, 1.7e-8) == "1.7 × 10⁻⁸"
    assert sd(2.5e6, 300.0) == "300", "the mean is written as 2.50000 × 10⁶"
