"""A parameter renamed: everything that refers to it follows, nothing else changes."""

from __future__ import annotations

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.gui.models.simulator.renaming import new_name, renamed

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
