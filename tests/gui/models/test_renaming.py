"""A parameter or an output renamed: everything that refers to it follows, nothing else changes."""

from __future__ import annotations

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.gui.models.simulator.renaming import new_name, outputs_renamed, renamed, twin_of

PRIOR = d.Uniform(low=0, high=1)


def problem() -> d.Problem:
    own = d.Match(output="y", column="y", noise=d.GaussianInferred(parameter="k"))
    return d.Problem(
        name="k",
        parameters=(d.Parameter(name="k", prior=PRIOR), d.Parameter(name="k2", prior=PRIOR)),
        simulator=d.Simulator(
            command=("prog", "--k=@k@", "@k2@", "a@@k@b"),
            templates=(d.TemplateFile(target="in.txt", text="k @k@\nk2 @k2@ @@k@@"),),
            stdin="@k@ @k@",
            environment={"K": "@k@"},
        ),
        outputs=(d.Output(name="k", source="stdout", extractor=d.LastNumber()),),
        meaning=d.Predictions(matches=(own,), noise=d.Ar1Noise(sd="k", rho=0.5)),
        data=d.DataTable(columns={"y": (1.0,)}),
    )


def test_every_placeholder_and_noise_model_follows_and_names_alike_stay() -> None:
    before = problem()
    after, places = renamed(before, "k", "rate")
    s = after.simulator
    assert s.command == ("prog", "--k=@rate@", "@k2@", "a@@k@b")
    assert s.templates[0].text == "k @rate@\nk2 @k2@ @@k@@"
    assert s.stdin == "@rate@ @rate@"
    assert s.environment == {"K": "@rate@"}
    assert isinstance(after.meaning, d.Predictions)
    assert after.meaning.noise == d.Ar1Noise(sd="rate", rho=0.5)
    assert after.meaning.matches[0].noise == d.GaussianInferred(parameter="rate")
    assert after.outputs == before.outputs
    assert places == 7
    assert renamed(after, "rate", "k") == (before, 7)


def test_only_one_usable_new_name_is_a_renaming() -> None:
    a, b = problem().parameters

    def called(p: d.Parameter, name: str) -> d.Parameter:
        return msgspec.structs.replace(p, name=name)

    assert new_name((a, b), (called(a, "rate"), b)) == ("k", "rate")
    for rows in ((called(a, "k2"), b), (called(a, "2k"), b), (called(a, "seed"), b), (b, a), (a,), (a, b)):
        assert new_name((a, b), rows) is None


def test_an_output_takes_what_compares_and_pairs_by_it_along_with_its_name() -> None:
    def of(name: str, length: int | None = None) -> d.Output:
        return d.Output(name=name, source="stdout", extractor=d.LastNumber(), length=length)

    pair = d.Match(output="tsoil", column="T_5cm", key_output="time", key_column="t", second_key_output="tsoil")
    problem = d.Problem(
        name="soil", parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("soil", "@k@")), outputs=(of("time"), of("tsoil")),
        meaning=d.Predictions(matches=(pair, d.Match(output="time", column="tsoil")), noise=d.GaussianKnown(sd=0.3)),
    )  # fmt: skip
    found = outputs_renamed(problem, (of("time"), of("T_5cm", 3)))
    assert found.outputs[1] == of("T_5cm", 3)
    assert isinstance(found.meaning, d.Predictions)
    assert found.meaning.matches[0] == msgspec.structs.replace(pair, output="T_5cm", second_key_output="T_5cm")
    assert found.meaning.matches[1].column == "tsoil", "a column of the data has its own name"
    for others in ((of("time"),), (of("a"), of("b")), (of("time"), of("time")), (of("time"), of(" ")), (of("tsoil"), of("time"))):
        assert outputs_renamed(problem, others).meaning == problem.meaning
        assert outputs_renamed(problem, others).outputs == others
    estimate = msgspec.structs.replace(problem, meaning=d.LogLikelihoodOutput(output="time", noise_sd="tsoil"))
    told = outputs_renamed(estimate, (of("time"), of("error"))).meaning
    assert told == d.LogLikelihoodOutput(output="time", noise_sd="error")


def test_an_output_that_is_given_the_name_of_another_is_told_with_a_free_name() -> None:
    a, b, c = (d.Output(name=n, source="stdout", extractor=d.LastNumber()) for n in ("a", "b", "a_2"))
    named_a = msgspec.structs.replace(b, name="a")
    assert twin_of((a, b), (a, named_a)) == (1, "a_2")
    assert twin_of((a, b, c), (a, named_a, c)) == (1, "a_3")
    assert twin_of((a, b), (a, c)) is None
    assert twin_of((a,), (a, named_a)) is None, "one was added"
