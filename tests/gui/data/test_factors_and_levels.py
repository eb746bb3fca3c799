"""Errors stated as factors, of logarithms, in decibels and with a level; one size in several units; sizes that nobody typed."""

from __future__ import annotations

import math

import msgspec
import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.errors.file_remarks import remarks_on_errors
from bayescope.engine.problem.data.errors.heading_errors import stated_in
from bayescope.engine.session.read_files import ReadFile
from bayescope.gui.models.data.errors.error_size import ErrorSize, error_size_of, in_unit_of, said_of_size, text_of_size
from bayescope.gui.models.data.errors.noise import given_words
from bayescope.gui.models.data.errors.size_doubts import size_doubt
from bayescope.gui.models.data.errors.stated_by_files import stated_by_files
from bayescope.gui.models.data.errors.stated_sizes import stated_size
from bayescope.gui.models.data.list_edits import factor_read, matches_of, with_errors
from bayescope.gui.models.fields import Field, value_of

LN13 = float(f"{math.log(1.3):.12g}")


@pytest.mark.parametrize(("text", "size"), [
    ("factor 1.3", ErrorSize(log_sd=LN13)), ("within a factor of 1.3", ErrorSize(log_sd=LN13)),
    ("*/ 1.3", ErrorSize(log_sd=LN13)),
    ("factor 1.3 (2 sigma)", ErrorSize(log_sd=float(f"{LN13 / 2:.12g}"))), ("log-normal 0.07", ErrorSize(log_sd=0.07)),
    ("lognormal(0.07)", ErrorSize(log_sd=0.07)), ("lognormal 7 %", ErrorSize(percent=7.0, of_predicted=True)),
    ("sd of ln 0.07", ErrorSize(log_sd=0.07)), ("0.07 in ln", ErrorSize(log_sd=0.07)),
    ("sigma_ln = 0.07", ErrorSize(log_sd=0.07)),
    ("0.1 dex", ErrorSize(log_sd=float(f"{0.1 * math.log(10.0):.12g}"))), ("5 % + 0.2", ErrorSize(0.2, 5.0)),
    ("± 0.2", ErrorSize(0.2)),
    ("sd 0.2", ErrorSize(0.2)), ("normal(0, 0.2)", ErrorSize(0.2)), ("gaussian 0.2", ErrorSize(0.2)),
    ("about 0.2", ErrorSize(0.2)),
    ("0.2 rms", ErrorSize(0.2)), ("0.2 V rms", ErrorSize(0.2, unit="V")), ("0.2 (1 sd)", ErrorSize(0.2)),
    ("0.5 dB", ErrorSize(0.5, unit="dB")),
])  # fmt: skip
def test_sizes_of_errors_are_taken_as_people_type_them(text: str, size: ErrorSize) -> None:
    assert error_size_of(text) == size


@pytest.mark.parametrize(("log_sd", "text"), [
    (LN13, "factor 1.3"), (0.07, "log-normal 0.07"), (math.log(2.0), "factor 2"), (40.0, "log-normal 40"),
])  # fmt: skip
def test_a_factor_is_shown_as_it_is_typed(log_sd: float, text: str) -> None:
    assert text_of_size(ErrorSize(log_sd=log_sd)) == text
    again = error_size_of(text)
    assert again is not None
    assert again.log_sd == pytest.approx(log_sd, rel=1e-8)


def test_decibels_are_added_to_levels_and_are_factors_of_what_is_no_level() -> None:
    half = ErrorSize(0.5, unit="dB")
    assert in_unit_of(half, "L (dB)") == in_unit_of(half, "L (dB(A))") == ErrorSize(0.5)
    assert in_unit_of(half, "P (W)") == ErrorSize(log_sd=float(f"{0.05 * math.log(10.0):.12g}"))
    assert in_unit_of(half, "p (Pa)") == ErrorSize(log_sd=float(f"{0.025 * math.log(10.0):.12g}"))
    assert said_of_size(half, "p (Pa)").startswith("0.5 dB, which is about 5.76 % of what is predicted (log-normal")
    assert said_of_size(half, "L (dB)") == "0.5 dB"
    with pytest.raises(ValueError, match=r"of a power 1\.122, of an amplitude 1\.059"):
        in_unit_of(half, "gain")


@pytest.mark.parametrize(("words", "size", "factor"), [
    ("+-0.6 cm (1 sd)", ErrorSize(0.6, unit="cm"), 1.0), ("+-0.6 (1 sd) cm", ErrorSize(0.6, unit="cm"), 1.0),
    ("± 0.6 cm", ErrorSize(0.6, unit="cm"), 1.0), ("heights: +- 0.6 (1 sd), in cm", ErrorSize(0.6, unit="cm"), 1.0),
    ("12 %, 2 sigma", ErrorSize(None, 6.0), 2.0), ("all values 12 %, k=2", ErrorSize(None, 6.0), 2.0),
    ("±0.4 (95 %)", ErrorSize(0.2041), 1.96), ("error 0.3 at 95 %", ErrorSize(0.1531), 1.96),
    ("levels +-0.5 dB", ErrorSize(0.5, unit="dB"), 1.0),
    ("scatter of ln(tau): 0.07", ErrorSize(log_sd=0.07), 1.0), ("errors: within a factor of 1.3", ErrorSize(log_sd=LN13), 1.0),
    ("reproducibility 5 %", ErrorSize(None, 5.0), 1.0), ("noise 0.02 V rms", ErrorSize(0.02, unit="V"), 1.0),
    ("1.2 ± 0.3", None, 1.0), ("± 3", None, 1.0), ("run 3 of 5", None, 1.0), ("see table 2 (page 3)", None, 1.0),
])  # fmt: skip
def test_what_remarks_say_of_errors_is_read_with_its_level(words: str, size: ErrorSize | None, factor: float) -> None:
    found = stated_size([words])
    assert (None if found is None else (found.size, found.factor)) == (None if size is None else (size, factor))
    if size is not None:
        assert remarks_on_errors(f"# {words}\ntau (us),h (cm)\n1,2\n2,3\n".encode()) == (words,)


def test_the_scatter_of_a_logarithm_is_of_the_column_that_it_names() -> None:
    read = ReadFile(name="a.csv", digest="x", remarks=("scatter of ln(tau): 0.07",), columns=("tau (us)", "h (cm)"))
    every, by_column = stated_by_files([read], ("tau (us)", "h (cm)"))
    assert every is None
    assert by_column["tau (us)"].size == ErrorSize(log_sd=0.07)
    assert said_of_size(by_column["tau (us)"].size) == "about 7 % of what is predicted (log-normal, sd of the logarithm 0.07)"


@pytest.mark.parametrize(("heading", "told"), [
    ("h (cm) +-0.6 cm (1 sd)", ("h (cm)", "±0.6 cm")), ("h (cm) ±0.6 (1 sd)", ("h (cm)", "±0.6")),
    ("h (cm, ±0.6, 1 sd)", ("h (cm)", "±0.6")),
    ("T (K) ±12 %, 2 sigma", ("T (K)", "±12 % (k = 2)")), ("T (K) ± 0.4 (k=2)", ("T (K)", "±0.4 (k = 2)")),
    ("T (K) ±0.4 (95 %)", ("T (K)", "±0.4 (k = 1.96)")), ("T error 12 % (2 sigma)", ("T", "12 % (k = 2)")),
    ("tau (us), factor 1.3", ("tau (us)", "factor 1.3")), ("tau (us, within a factor 1.3)", ("tau (us)", "factor 1.3")),
    ("± T (2 sd)", None), ("T (2 sigma)", None), ("power factor 2", None), ("T ± 95 %", None), ("u(T) (k=2)", None),
])  # fmt: skip
def test_headings_say_sizes_with_their_level(heading: str, told: tuple[str, str] | None) -> None:
    assert stated_in(heading) == told


def _problem(columns: tuple[str, ...], noise: d.NoiseModel) -> d.Problem:
    outputs = tuple(d.Output(name=f"o{k}", source="stdout", extractor=d.LastNumber()) for k in range(len(columns)))
    matches = tuple(d.Match(output=f"o{k}", column=c) for k, c in enumerate(columns))
    data = d.DataTable(columns=dict.fromkeys(columns, (1.0, 2.0)))
    meaning, simulator = d.Predictions(matches=matches, noise=noise), d.Simulator(command=("x",))
    return d.Problem(name="p", simulator=simulator, parameters=(), outputs=outputs, data=data, meaning=meaning)


def test_one_size_in_two_units_is_asked_about_and_can_be_limited_to_one_of_them() -> None:
    problem = _problem(("tau (us)", "c (ppm)", "t (us)"), d.GaussianKnown(sd=10.0))
    doubt = size_doubt(problem, ())
    assert doubt is not None
    assert "“tau (us)” and of “c (ppm)”" in doubt.words
    assert doubt.mended is not None
    assert [m.noise for m in matches_of(doubt.mended)] == [d.GaussianKnown(sd=10.0), None, d.GaussianKnown(sd=10.0)]
    assert doubt.mended.meaning.noise == d.GaussianKnown()  # type: ignore[union-attr]
    assert size_doubt(problem, (doubt.words,)) is None


@pytest.mark.parametrize(("columns", "noise"), [
    (("a (mm)", "b (mm)"), d.GaussianKnown(sd=1.0)), (("a", "b"), d.GaussianKnown(sd=1.0)),
    (("a (us)", "b (µs)"), d.GaussianKnown(sd=1.0)), (("a (mm)", "b (K)"), d.GaussianKnown(percent=5.0)),
    (("a (mm)", "b (K)"), d.GaussianKnown()),
])  # fmt: skip
def test_one_size_is_not_asked_about_where_units_are_alike_or_untold(columns: tuple[str, ...], noise: d.NoiseModel) -> None:
    assert size_doubt(_problem(columns, noise), ()) is None


def test_one_size_of_a_column_with_a_unit_and_one_without_is_asked_about() -> None:
    problem = _problem(("flux", "tau (us)"), d.GaussianKnown(sd=0.08))
    doubt = size_doubt(problem, ())
    assert doubt is not None
    assert "“tau (us)” and of “flux”, which says no unit" in doubt.words
    assert doubt.mended is not None
    assert [m.noise for m in matches_of(doubt.mended)] == [None, d.GaussianKnown(sd=0.08)]
    match = msgspec.structs.replace(matches_of(problem)[0], output="o1")  # another measurement of the same
    same = msgspec.structs.replace(problem.meaning, matches=(match, matches_of(problem)[1]))
    assert size_doubt(msgspec.structs.replace(problem, meaning=same), ()) is None


def test_a_size_that_nobody_typed_is_asked_about_until_it_is_agreed_to() -> None:
    problem = _problem(("a (mm)",), d.LogNormalNoise(log_sd=0.1))
    doubt = size_doubt(problem, ())
    assert doubt is not None
    assert doubt.words == given_words(d.LogNormalNoise(log_sd=0.1))[0]
    assert size_doubt(problem, (doubt.words,)) is None
    assert given_words(d.LogNormalNoise(log_sd=0.1), (doubt.words,)) == ("The size of the errors is given.", False)


def test_a_factor_in_the_list_is_said_with_its_other_meaning_and_counts_and_unknown_sizes_are_understood() -> None:
    problem = with_errors(_problem(("a (mm)", "b (mm)"), d.GaussianKnown()), 0, "within a factor 1.3")
    assert matches_of(problem)[0].noise == d.LogNormalNoise(log_sd=LN13)
    read = factor_read(problem, 0, "within a factor 1.3")
    assert read is not None
    assert read[0] == "Read as one sd: 95 % within a factor of 1.67."
    assert matches_of(read[1])[0].noise == d.LogNormalNoise(log_sd=0.133862)
    assert factor_read(problem, 0, "factor 1.3 (2 sigma)") is None
    assert matches_of(with_errors(problem, 1, "Poisson"))[1].noise == d.PoissonNoise()
    with pytest.raises(ValueError, match="can be learned"):
        with_errors(problem, 1, "unknown")


def test_a_factor_is_taken_where_the_sd_of_the_logarithm_is_typed() -> None:
    field = Field("log_sd", "Sd of the natural logarithm", "", "optional_number", percent="share")
    assert (value_of(field, "factor 1.3"), value_of(field, "7 %"), value_of(field, "0.07")) == (LN13, 0.07, 0.07)
    assert msgspec.structs.asdict(ErrorSize(0.2))["log_sd"] is None
