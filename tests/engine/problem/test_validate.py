"""Contradictions are explained in sentences, each at its place, before anything runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bayescope.resources
from bayescope.engine.problem import definition as d
from bayescope.engine.problem import files
from bayescope.engine.problem.checks.validate import Finding, check
from bayescope.engine.problem.transforms import ParameterSpace

replace = msgspec.structs.replace
NAN, INF = float("nan"), float("inf")


def errors(problem: d.Problem, folder: Path | None = None) -> list[Finding]:
    return [f for f in check(problem, folder) if f.level == "error"]


def one(problem: d.Problem, **changes: Any) -> d.Problem:
    """``problem`` with its first parameter changed."""
    return replace(problem, parameters=(replace(problem.parameters[0], **changes), *problem.parameters[1:]))


def program(problem: d.Problem, **changes: Any) -> d.Problem:
    return replace(problem, simulator=replace(problem.simulator, **changes))


def output(problem: d.Problem, **changes: Any) -> d.Problem:
    return replace(problem, outputs=(replace(problem.outputs[0], **changes),))


def match(problem: d.Problem, **changes: Any) -> d.Problem:
    assert isinstance(problem.meaning, d.Predictions)
    return replace(problem, meaning=replace(problem.meaning, matches=(replace(problem.meaning.matches[0], **changes),)))


def noise(problem: d.Problem, model: d.NoiseModel) -> d.Problem:
    assert isinstance(problem.meaning, d.Predictions)
    return replace(problem, meaning=replace(problem.meaning, noise=model))


def data(problem: d.Problem, **columns: Any) -> d.Problem:
    assert problem.data is not None
    return replace(problem, data=replace(problem.data, columns=problem.data.columns | columns))


def test_a_correct_problem_has_no_errors(problem: d.Problem) -> None:
    found = check(problem)
    assert [f for f in found if f.level == "error"] == []
    assert [f.where for f in found] == ["parameters.start.prior"]  # ten per cent are cut off
    assert "10 % of the prior" in found[0].message


EXAMPLES = sorted((Path(next(iter(bayescope.resources.__path__))) / "examples").glob("*/problem.json"))


@pytest.mark.parametrize("path", EXAMPLES, ids=[p.parent.name for p in EXAMPLES])
def test_a_bundled_example_is_correct(path: Path) -> None:
    found = check(files.load(path), path.parent)
    assert [f for f in found if "read but not used" not in f.message] == []


def template(problem: d.Problem, target: str) -> d.Problem:
    return program(problem, templates=(T(target=target, text="@start@ @offset@"),))


Change = Callable[[d.Problem], d.Problem]
T = d.TemplateFile
WRONG: list[tuple[Change, str, str]] = [
    # parameters
    (lambda p: replace(p, parameters=()), "parameters", "no parameters"),
    (lambda p: one(p, name="2nd rate"), "parameters[0].name", "cannot be the name"),
    (lambda p: one(p, name=""), "parameters[0].name", "no name"),
    (lambda p: one(p, name="x" * 500), "parameters[0].name", "500 characters"),
    (lambda p: one(p, name="start"), "parameters[1].name", "Two parameters"),
    (lambda p: one(p, name="seed"), "parameters.seed.name", "taken"),
    (lambda p: one(p, label="l" * 500), "parameters.rate.label", "more than 200"),
    (lambda p: one(p, prior=d.Normal(mean=0.0, sd=0.0)), "parameters.rate.prior", "greater than zero"),
    (lambda p: one(p, prior=d.Uniform(low=3.0, high=1.0)), "parameters.rate.prior", "reversed"),
    (lambda p: one(p, prior=d.Uniform(low=NAN, high=1.0)), "parameters.rate.prior", "ordinary number"),
    (lambda p: one(p, lower=2.0, upper=1.0), "parameters.rate.lower", "reversed"),
    (lambda p: one(p, lower=2.0, upper=2.0), "parameters.rate.lower", "zero width"),
    (lambda p: one(p, lower=NAN), "parameters.rate.lower", "nan"),
    (lambda p: one(p, upper=INF), "parameters.rate.upper", "inf"),
    (lambda p: one(p, upper=-1.0), "parameters.rate.prior", "nothing of the prior"),
    (lambda p: one(p, prior=d.Normal(mean=0.0, sd=1.0), lower=8.0), "parameters.rate.prior", "only 6 × 10⁻¹⁶"),
    (lambda p: one(p, prior=d.Normal(mean=0.0, sd=1.0), lower=80.0), "parameters.rate.prior", "nothing of the prior"),
    (lambda p: one(p, lower=1.0, upper=1.0 + 2.3e-16), "parameters.rate.prior", "contradict"),
    (lambda p: one(p, prior=d.Uniform(low=0.0, high=1.0), lower=0.5, upper=0.5 + 1.2e-16), "parameters.rate", "No number lies"),
    (lambda p: one(p, fixed=-2.0, lower=0.0), "parameters.rate.fixed", "below the lower bound"),
    (lambda p: one(p, fixed=NAN), "parameters.rate.fixed", "nan"),
    (lambda p: one(p, plausible=(2.0, 1.0)), "parameters.rate.plausible", "reversed"),
    (lambda p: one(p, plausible=(1.0, 1.0)), "parameters.rate.plausible", "zero width"),
    (lambda p: one(p, plausible=(-1.0, 1.0)), "parameters.rate.plausible", "reaches outside"),
    (lambda p: one(p, plausible=(NAN, 1.0)), "parameters.rate.plausible", "ordinary numbers"),
    (lambda p: replace(p, parameters=p.parameters[2:]), "parameters", "nothing to find out"),
    # the simulator
    (lambda p: program(p, command=()), "simulator.command", "No program"),
    (lambda p: program(p, command=("x", "@rate@", "@rat@")), "simulator.command[2]", "@rat@ in argument 2 is not the name"),
    (lambda p: program(p, command=("x",)), "parameters.rate.name", "no placeholder"),
    (lambda p: template(p, "../x"), "simulator.templates[0].target", "leads out"),
    (lambda p: template(p, "/tmp/x"), "simulator.templates[0].target", "inside the run"),
    (lambda p: template(p, "C:\\x"), "simulator.templates[0].target", "inside the run"),
    (lambda p: template(p, ""), "simulator.templates[0].target", "no name"),
    (lambda p: template(p, "@start@"), "simulator.templates[0].target", "not filled in"),
    (lambda p: program(p, extra_files=(d.ExtraFile(path="a/deck.inp"),)), "simulator.extra_files[0].target", "Two files"),
    (lambda p: program(p, environment={"A=B": "1"}), "simulator.environment", "environment variable"),
    (lambda p: program(p, formats={"rate": d.NumberFormat(digits=-1)}), "simulator.formats.rate.digits", "digits"),
    (lambda p: program(p, formats={"rate": d.NumberFormat(width=9, max_width=8)}), "simulator.formats.rate.width", "9 char"),
    (lambda p: program(p, formats={"rate": d.NumberFormat(max_width=8)}), "simulator.formats.rate.max_width", "8 are allowed"),
    (lambda p: program(p, limits=d.Limits(time_s=0.0)), "simulator.limits.time_s", "greater than zero"),
    (lambda p: program(p, limits=d.Limits(memory_mb=NAN)), "simulator.limits.memory_mb", "greater than zero"),
    (
        lambda p: program(p, failures=d.FailureRules(patterns=(d.FailurePattern(source="log", pattern="(", regex=True),))),
        "simulator.failures.patterns[0].pattern", "not valid",
    ),
    (
        lambda p: program(p, failures=d.FailureRules(patterns=(d.FailurePattern(source="../log", pattern="e"),))),
        "simulator.failures.patterns[0].source", "leads out",
    ),
    # outputs
    (lambda p: replace(p, outputs=()), "outputs", "Nothing is read"),
    (lambda p: replace(p, outputs=p.outputs * 2), "outputs[1].name", "Two outputs"),
    (lambda p: output(p, source="/etc/passwd"), "outputs.u.source", "inside the run folder"),
    (lambda p: output(p, length=0), "outputs.u.length", "0 values"),
    (lambda p: output(p, length=7), "meaning.matches[0]", "7 values"),
    (lambda p: output(p, extractor=d.RegexGroup(pattern="x (\\d+", group=1)), "outputs.u.extractor.pattern", "not valid"),
    (lambda p: output(p, extractor=d.RegexGroup(pattern="x")), "outputs.u.extractor.group", "it has 0"),
    (lambda p: output(p, extractor=d.LabelledNumber(label=" ")), "outputs.u.extractor.label", "no text"),
    (lambda p: output(p, extractor=d.LastNumber(), length=3), "outputs.u.extractor", "single number"),
    (lambda p: output(p, extractor=d.TableBlock(columns=())), "outputs.u.extractor.columns", "no column"),
    (lambda p: output(p, extractor=d.TableBlock(columns=(2,), rows=())), "outputs.u.extractor.rows", "no row"),
    (lambda p: output(p, extractor=d.TableBlock(columns=(2,), rows=(1, 2)), length=3), "outputs.u.extractor", "2 rows"),
    # meaning, data, noise
    (lambda p: match(p, output="v"), "meaning.matches[0].output", "no output called “v”"),
    (lambda p: match(p, column="w"), "meaning.matches[0].column", "no column “w”"),
    (lambda p: match(p, key_column="t"), "meaning.matches[0].key_column", "both sides"),
    (lambda p: match(p, key_output="u", key_column="time"), "meaning.matches[0].key_column", "no column “time”"),
    (lambda p: replace(p, data=None), "data", "no measured data"),
    (lambda p: data(p, u=(1.0, 2.0)), "data", "different lengths"),
    (lambda p: data(p, u=(1.0, NAN, 2.0)), "data.columns.u", "Row 2"),
    (lambda p: data(p, u=(None, None, None)), "meaning.matches[0].column", "no values"),
    (lambda p: data(p, sd=(0.1, 0.1, 0.0)), "meaning.noise.sd_column", "Row 3"),
    (lambda p: data(p, sd=(None, 0.1, 0.1)), "meaning.noise.sd_column", "missing"),
    (lambda p: match(p, sd_column="u"), "meaning.matches[0].sd_column", "errors of 100 %"),
    (lambda p: noise(p, d.GaussianKnown(sd_column="u")), "meaning.noise.sd_column", "errors of 100 %"),
    (lambda p: noise(p, d.GaussianKnown()), "meaning.noise", "not given"),
    (lambda p: noise(p, d.GaussianKnown(sd=1.0, sd_column="sd")), "meaning.noise", "2 ways"),
    (lambda p: noise(p, d.GaussianKnown(percent=-3.0)), "meaning.noise.percent", "greater than zero"),
    (lambda p: noise(p, d.GaussianKnown(percent=3.0)), "", ""),
    (lambda p: noise(p, d.GaussianKnown(sd=0.1, percent=3.0)), "", ""),
    (lambda p: data(noise(p, d.GaussianKnown(percent=3.0)), u=(1.0, 0.0, 3.0)), "meaning.noise.percent", "3 % of it is no error"),
    (lambda p: data(noise(p, d.GaussianKnown(sd=0.1, percent=3.0)), u=(1.0, 0.0, 3.0)), "", ""),
    (lambda p: noise(p, d.StudentTNoise(dof=3.0, parameter="sigma", percent=3.0)), "meaning.noise.percent", "learned"),
    (lambda p: noise(p, d.GaussianKnown(sd=-1.0)), "meaning.noise.sd", "greater than zero"),
    (lambda p: noise(p, d.GaussianIntegrated(shape=0.0, scale=1.0)), "meaning.noise.shape", "greater than zero"),
    (lambda p: noise(p, d.GaussianInferred(parameter="sigma")), "meaning.noise.parameter", "no parameter called “sigma”"),
    (lambda p: noise(p, d.GaussianInferred(parameter="")), "meaning.noise.parameter", "choose one, or make a new one"),
    (lambda p: match(p, column=""), "meaning.matches[0].column", "No column of the data is chosen"),
    (lambda p: noise(p, d.GaussianInferred(parameter="offset")), "", ""),  # fixed at 0.25: possible
    (lambda p: one(noise(p, d.GaussianInferred(parameter="rate")), prior=d.Normal(mean=1.0, sd=1.0)),
     "meaning.noise.parameter", "greater than zero"),
    (lambda p: noise(p, d.Ar1Noise(sd=1.0, rho="rate")), "meaning.noise.rho", "between -1 and 1"),
    (lambda p: noise(p, d.Ar1Noise(sd=1.0, rho=1.0)), "meaning.noise.rho", "between -1 and 1"),
    (lambda p: data(noise(p, d.PoissonNoise()), u=(1.0, 2.5, 3.0)), "meaning.matches[0].column", "counts"),
    (lambda p: data(noise(p, d.LogNormalNoise(log_sd=0.1)), u=(1.0, 0.0, 3.0)), "meaning.matches[0].column", "greater than zero"),
    (lambda p: noise(p, d.CovarianceNoise(matrix=((1.0,),))), "meaning.noise.matrix", "1 rows"),
    (lambda p: noise(p, d.CovarianceNoise(matrix=((1.0, 2.0), (2.0, 1.0)))), "meaning.noise.matrix", "not positive definite"),
    (lambda p: noise(p, d.CovarianceNoise(matrix=((1.0, 2.0),))), "meaning.noise.matrix", "not square"),
    (lambda p: noise(p, d.CovarianceNoise(matrix=((1.0, 0.2), (0.3, 1.0)))), "meaning.noise.matrix", "not symmetric"),
    (lambda p: match(p, noise=d.GaussianInferred(parameter="tau")), "meaning.matches[0].noise.parameter", "called “tau”"),
    (lambda p: match(p, noise=d.CovarianceNoise(matrix=((1.0,),))), "meaning.matches[0].noise.matrix", "1 rows"),
    (lambda p: match(p, sd_column="sd", noise=d.PoissonNoise()), "meaning.matches[0].sd_column", "does not use"),
    (lambda p: replace(p, meaning=d.SumOfSquares(output="u", sd=0.0)), "meaning.sd", "greater than zero"),
    (lambda p: output(replace(p, meaning=d.LogLikelihoodOutput(output="u")), length=3), "meaning.output", "a single number"),
    (lambda p: replace(p, meaning=d.LogLikelihoodOutput(output="u", noise_sd="u")), "meaning.noise_sd", "its own"),
    # settings
    (lambda p: replace(p, settings=d.Settings(max_evaluations=0)), "settings.max_evaluations", "between 1"),
    (lambda p: replace(p, settings=d.Settings(max_hours=-1.0)), "settings.max_hours", "greater than zero"),
    (lambda p: replace(p, name="n" * 1000), "name", "more than 200"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "where", "words"), WRONG, ids=[f"{w}-{s}"[:60] for _, w, s in WRONG])
def test_a_contradiction_is_explained_at_its_place(problem: d.Problem, change: Change, where: str, words: str) -> None:
    found = errors(change(problem))
    if not where:
        assert found == []
        return
    assert any(f.where == where and words in f.message for f in found), found
    assert all(f.message.endswith(".") for f in found)


DOUBTFUL: list[tuple[Change, str, str]] = [
    (lambda p: program(p, stdin="@rate@\n", expected_uses={"rate": 1}), "simulator.expected_uses",
     "stands 2 times (argument 2; standard input, line 1), expected was once"),
    (lambda p: program(p, expected_uses={"rate": 2}), "simulator.expected_uses", "stands once"),
    (lambda p: program(p, stdin="@ rate @"), "simulator.stdin", "looks like a placeholder"),
    (lambda p: program(p, templates=(*p.simulator.templates, T(target="b", text="fixed text"))),
     "simulator.templates[1].text", "holds no placeholder"),
    (lambda p: program(p, templates=(T(target="b", text="@start@"),)), "parameters.offset.name", "has no effect"),
    (lambda p: program(p, formats={"rate": d.NumberFormat(style="fixed", digits=1)}), "simulator.formats.rate", "1 digits only"),
    (lambda p: program(p, formats={"rate": d.NumberFormat(style="exponent", digits=9, width=8)}),
     "simulator.formats.rate.width", "often needs more than the 8 characters"),
    (lambda p: program(p, limits=d.Limits(relative_time=1.0)), "simulator.limits.relative_time", "median"),
    (lambda p: one(p, plausible=(1e9, 2e9)), "parameters.rate.plausible", "less than 0.01 %"),
    (lambda p: replace(p, settings=d.Settings(max_evaluations=8)), "settings.max_evaluations", "few"),
    (lambda p: replace(p, outputs=(*p.outputs, replace(p.outputs[0], name="v"))), "outputs.v", "not used"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "where", "words"), DOUBTFUL, ids=[w for _, w, _ in DOUBTFUL])
def test_what_is_doubtful_is_a_warning(problem: d.Problem, change: Change, where: str, words: str) -> None:
    found = check(change(problem))
    assert [f for f in found if f.level == "error"] == []
    assert any(f.where == where and words in f.message for f in found), found


def test_placeholders_repeated_on_purpose_give_no_warning(problem: d.Problem) -> None:
    for uses in ({}, {"rate": 2}):
        twice = program(problem, stdin="@rate@", expected_uses=uses)
        assert not any("expected_uses" in f.where for f in check(twice))


def test_a_noise_parameter_needs_no_placeholder(problem: d.Problem) -> None:
    sigma = d.Parameter(name="sigma", prior=d.HalfCauchy(scale=1.0))
    with_noise = noise(problem, d.GaussianInferred(parameter="sigma"))
    assert errors(replace(with_noise, parameters=(*problem.parameters, sigma))) == []


def test_a_seed_placeholder_is_no_parameter(problem: d.Problem) -> None:
    random = replace(problem, meaning=d.LogLikelihoodOutput(output=problem.outputs[0].name, random=True), data=None)
    assert errors(program(random, command=("x", "@rate@", "@seed@"))) == []


SEEDED = {
    "simulator.command[2]": {"command": ("x", "@rate@", "@seed@")},
    "simulator.templates[0].text": {
        "templates": (d.TemplateFile(target="deck.inp", text="start = @start@\noffset = @offset@\nseed @seed@\n"),)
    },
    "simulator.stdin": {"stdin": "seed\n@seed@\n"},
    "simulator.environment.SEED": {"environment": {"SEED": "@seed@"}},
}


@pytest.mark.parametrize("where", SEEDED)
@pytest.mark.parametrize(
    "meaning",
    [
        None,
        d.LogLikelihoodOutput(output="u"),
        d.LogPosteriorOutput(output="u"),
        d.MinusTwoLogLikelihood(output="u"),
        d.SumOfSquares(output="u", sd=1.0, count=3),
    ],
    ids=lambda meaning: "predictions" if meaning is None else type(meaning).__name__,
)
def test_a_program_that_gets_a_random_seed_cannot_be_declared_as_exact(
    problem: d.Problem, where: str, meaning: d.Meaning | None
) -> None:
    seeded = program(problem, **SEEDED[where])
    seeded = seeded if meaning is None else replace(seeded, meaning=meaning)
    found = [f for f in errors(seeded) if "random seed" in f.message]
    assert [f.where for f in found] == [where]
    assert "declared as exact" in found[0].message
    assert "Either" in found[0].suggestion
    assert "or fix its seed" in found[0].suggestion
    assert found[0].first, "an analysis that has runs may go on"
    plain = program(problem, command=("x", "@rate@", "@@seed@@"))
    assert not any("random seed" in f.message for f in errors(plain))


def test_a_random_seed_is_no_matter_where_nothing_is_run(problem: d.Problem) -> None:
    seeded = program(problem, command=("x", "@rate@", "@seed@"))
    alone = replace(seeded, settings=d.Settings(method="svbmc", max_evaluations=0))
    assert not any("random seed" in f.message for f in errors(alone))


def test_a_misspelt_placeholder_gets_the_right_name_suggested(problem: d.Problem) -> None:
    found = errors(program(problem, command=("x", "@rates@")))
    assert any("Did you mean @rate@?" in f.suggestion for f in found)


def test_files_are_looked_for_where_a_folder_is_given(problem: d.Problem, tmp_path: Path) -> None:
    wrong = program(problem, extra_files=(d.ExtraFile(path="grid.dat"),), working_folder="work")
    assert errors(wrong) == []
    assert {f.where for f in errors(wrong, tmp_path)} == {"simulator.extra_files[0].path", "simulator.working_folder"}
    (tmp_path / "grid.dat").touch()
    (tmp_path / "work").mkdir()
    assert errors(wrong, tmp_path) == []


def test_errors_come_before_warnings(problem: d.Problem) -> None:
    levels = [f.level for f in check(replace(program(problem, stdin="@rate@ @x@"), data=None))]
    assert levels == sorted(levels)
    assert set(levels) == {"error", "warning"}


wild = st.one_of(st.floats(), st.sampled_from([0.0, -1.0, 1.0, NAN, INF, 1e308, 5e-324]))
maybe = st.one_of(st.none(), wild)
words = st.one_of(st.text(max_size=6), st.sampled_from(["u", "rate", "@rate@", "@x@", "..", "/", "t", "(", "\0"]))
wild_priors = st.one_of(
    st.builds(d.Uniform, low=wild, high=wild),
    st.builds(d.LogUniform, low=wild, high=wild),
    st.builds(d.TruncatedNormal, mean=wild, sd=wild, low=maybe, high=maybe),
    st.builds(d.InverseGamma, shape=wild, scale=wild),
    st.builds(d.LogNormal, log_mean=wild, log_sd=wild),
    st.builds(d.StudentT, location=wild, scale=wild, dof=wild),
    st.builds(d.Beta, a=wild, b=wild, low=wild, high=wild),
)
wild_parameters = st.builds(
    d.Parameter, name=words, prior=wild_priors, lower=maybe, upper=maybe, fixed=maybe,
    plausible=st.one_of(st.none(), st.tuples(wild, wild)),
)  # fmt: skip
wild_noise = st.one_of(
    st.builds(d.GaussianKnown, sd=maybe, sd_column=st.one_of(st.none(), words)),
    st.builds(d.StudentTNoise, dof=wild, scale=maybe, scale_column=st.one_of(st.none(), words), parameter=words),
    st.builds(d.Ar1Noise, sd=st.one_of(wild, words), rho=st.one_of(wild, words)),
    st.builds(d.CovarianceNoise, matrix=st.lists(st.lists(wild, max_size=3).map(tuple), max_size=3).map(tuple)),
    st.builds(d.NegativeBinomialNoise, size=maybe, parameter=st.one_of(st.none(), words)),
)
wild_extractors = st.one_of(
    st.builds(d.RegexGroup, pattern=words, group=st.integers(-2, 3)),
    st.builds(d.CsvColumn, column=st.one_of(words, st.integers(-2, 5)), row=st.one_of(st.none(), st.integers(-2, 5))),
    st.builds(d.TableBlock, columns=st.lists(st.integers(-1, 3), max_size=2).map(tuple), skip=st.integers(-1, 2)),
)
wild_problems = st.builds(
    d.Problem,
    name=words,
    parameters=st.lists(wild_parameters, max_size=3).map(tuple),
    simulator=st.builds(
        d.Simulator,
        command=st.lists(words, max_size=3).map(tuple),
        templates=st.lists(st.builds(T, target=words, text=words), max_size=2).map(tuple),
        environment=st.dictionaries(words, words, max_size=1),
        extra_files=st.lists(st.builds(d.ExtraFile, path=words, target=words), max_size=2).map(tuple),
        working_folder=st.one_of(st.none(), words),
        limits=st.builds(d.Limits, time_s=maybe, relative_time=maybe),
    ),
    outputs=st.lists(st.builds(d.Output, name=words, source=words, extractor=wild_extractors), max_size=2).map(tuple),
    meaning=st.one_of(
        st.builds(
            d.Predictions,
            matches=st.lists(
                st.builds(
                    d.Match,
                    output=words,
                    column=words,
                    key_column=st.one_of(st.none(), words),
                    noise=st.one_of(st.none(), wild_noise),
                ),
                max_size=2,
            ).map(tuple),
            noise=wild_noise,
        ),
        st.builds(d.SumOfSquares, output=words, sd=wild),
    ),
    data=st.one_of(
        st.none(),
        st.builds(d.DataTable, columns=st.dictionaries(words, st.lists(maybe, max_size=3).map(tuple), max_size=3)),
    ),
    settings=st.builds(d.Settings, max_evaluations=st.integers(-1, 5), max_hours=maybe),
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(problem=wild_problems)
def test_no_problem_however_wild_makes_validation_fail(problem: d.Problem, tmp_path: Path) -> None:
    found = check(problem, tmp_path)
    assert all(f.message and f.where for f in found)
    if not any(f.level == "error" and f.where.startswith("parameters") for f in found):
        ParameterSpace(problem.parameters)  # what validation lets through can be computed with


@settings(max_examples=60, deadline=None)
@given(wild_parameters)
def test_a_parameter_that_passes_validation_makes_a_space(parameter: d.Parameter) -> None:
    named = replace(parameter, name="a", fixed=None)
    simulator = d.Simulator(command=("x", "@a@"))
    problem = d.Problem(
        name="n", parameters=(named,), simulator=simulator, meaning=d.LogLikelihoodOutput(output="l"),
        outputs=(d.Output(name="l", source="stdout", extractor=d.LastNumber()),),
    )  # fmt: skip
    if errors(problem) == []:
        space = ParameterSpace([named])
        low, high = space.plausible_box()
        assert low[0] < high[0]
        u = np.array([[-1e4], [-38.0], [-8.3], [0.0], [8.3], [38.0], [1e4]])
        theta = space.to_user(u)
        assert np.all((theta > space.lower) & (theta < space.upper))
        assert np.all(np.isfinite(space.log_jacobian(u)))
        assert np.all(np.isfinite(space.to_inference(theta)))
        assert not np.any(np.isnan(space.log_prior_in_inference(u)))


def test_a_parameter_of_the_errors_that_the_program_gets_too_is_doubted(problem: d.Problem) -> None:
    shared = noise(problem, d.GaussianInferred(parameter="rate"))
    found = [f for f in check(shared) if f.where == "meaning.noise.parameter"]
    assert [f.level for f in found] == ["warning"]
    assert "also written into the program's input (argument 2)" in found[0].message
    own = replace(problem, parameters=(*problem.parameters, d.Parameter(name="sigma", prior=d.HalfNormal(scale=1.0))))
    learned = noise(own, d.GaussianInferred(parameter="sigma"))
    assert not [f for f in check(learned) if "sigma" in f.message or f.where.startswith("meaning.noise")]


def test_a_parameter_without_a_placeholder_may_be_the_size_of_the_errors(problem: d.Problem) -> None:
    sigma = d.Parameter(name="sigma", prior=d.HalfNormal(scale=1.0))
    loose = replace(problem, parameters=(*problem.parameters, sigma))
    found = next(f for f in errors(loose) if f.where == "parameters.sigma.name")
    assert "size of the errors, choose it on the Data page" in found.suggestion
    fixed = replace(problem, parameters=(*problem.parameters, replace(sigma, fixed=1.0)))
    doubt = next(f for f in check(fixed) if f.where == "parameters.sigma.name")
    assert "size of the errors" in doubt.suggestion
    other = replace(loose, meaning=d.LogLikelihoodOutput(output="u"))
    assert "size of the errors" not in next(f for f in errors(other) if f.where == "parameters.sigma.name").suggestion
