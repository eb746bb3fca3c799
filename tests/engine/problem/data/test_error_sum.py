"""A size and a percentage as one error: added or in quadrature, in every likelihood and in the words for it."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest
from scipy import stats

from bayescope.engine.answer.likelihood_words import likelihood_words
from bayescope.engine.likelihood import evaluate, measurement_error
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.errors.file_remarks import remarks_on_errors, remarks_on_sheet
from bayescope.engine.problem.data.files import data_files

MEASURED = (2.0, -4.0, 0.0)


def declared(noise: d.NoiseModel) -> d.Problem:
    return d.Problem(
        name="x", parameters=(d.Parameter(name="a", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("p", "@a@")),
        outputs=(d.Output(name="y", source="stdout", extractor=d.LastNumber()),),
        meaning=d.Predictions(matches=(d.Match(output="y", column="m"),), noise=noise),
        data=d.DataTable(columns={"m": MEASURED, "e": (0.1, 0.2, 0.3)}),
    )  # fmt: skip


@pytest.mark.parametrize("together", ["sum", "quadrature", "larger"])
def test_the_likelihood_is_that_of_the_error_of_each_value(together: d.Together) -> None:
    def both(size: float, value: float) -> float:
        share = 0.03 * abs(value)
        if together == "larger":
            return max(size, share)
        return size + share if together == "sum" else math.sqrt(size**2 + share**2)

    outputs = {"y": np.array([2.1, -4.3, 0.02])}
    number = d.GaussianKnown(sd=0.04, percent=3.0, together=together)
    column = d.GaussianKnown(sd_column="e", percent=3.0, together=together)
    heavy = d.StudentTNoise(dof=4.0, scale=0.04, percent=3.0, together=together)
    for noise, sizes, law in (
        (number, (0.04,) * 3, stats.norm.logpdf), (column, (0.1, 0.2, 0.3), stats.norm.logpdf),
        (heavy, (0.04,) * 3, lambda x, m, s: stats.t.logpdf(x, 4.0, m, s)),
    ):  # fmt: skip
        wanted = sum(law(v, y, both(s, v)) for v, y, s in zip(MEASURED, outputs["y"], sizes, strict=True))
        assert evaluate.log_likelihood(declared(noise), outputs, {})[0] == pytest.approx(wanted)
    summary = d.Summary(output="y", column="m", error_sd=0.04, error_percent=3.0, error_together=together)
    assert measurement_error.sds(declared(number), summary) == pytest.approx([both(0.04, v) for v in MEASURED])


def test_problems_of_before_are_sums_and_files_hold_the_choice_only_where_it_is_another() -> None:
    old = msgspec.json.decode(b'{"kind":"gaussian","sd":0.1,"percent":3}', type=d.GaussianKnown)
    assert old.together == "sum"
    assert b"together" not in msgspec.json.encode(old)
    assert b'"together":"quadrature"' in msgspec.json.encode(msgspec.structs.replace(old, together="quadrature"))


def test_the_words_of_the_likelihood_say_which() -> None:
    quadrature = d.GaussianKnown(sd=0.04, percent=3.0, together="quadrature")
    said = " ".join(likelihood_words(declared(quadrature).meaning)[:1])
    assert "sd 0.04 plus 3 % of each measured value, in quadrature" in said
    larger = d.GaussianKnown(sd=0.2, percent=5.0, together="larger")
    assert "sd 0.2, or 5 % of each measured value where that is larger" in likelihood_words(declared(larger).meaning)[0]
    assert "quadrature" not in likelihood_words(declared(d.GaussianKnown(sd=0.04, percent=3.0)).meaning)[0]


def test_remarks_about_errors_are_kept_from_the_file_and_no_others() -> None:
    words = "# gauge 7, 2026\n# errors: 0.02 mm and 1 % of reading in quadrature\n"
    text = f"{words}t,d (mm),d_err\n0,1.5,0.1\n1,1.7,0.1\n; sigma = 3\n"
    assert remarks_on_errors(text.encode()) == ("errors: 0.02 mm and 1 % of reading in quadrature", "sigma = 3")
    found = data_files.parse(text.replace("; sigma = 3\n", "").encode(), "d.csv")
    assert found.preview.remarks == ("errors: 0.02 mm and 1 % of reading in quadrature",)
    assert remarks_on_errors(b"PK\x03\x04" + text.encode()) == (), "of a spreadsheet none"
    assert remarks_on_sheet("Camera 3\nstd. uncertainty 1.5 °C\n\nT\tStd. unc.\n20\t0.5") == ("std. uncertainty 1.5 °C",)
    assert remarks_on_errors(b"# no error here\n" * 3) == (), "a size is a number"
