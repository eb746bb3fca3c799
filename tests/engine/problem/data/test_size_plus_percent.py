"""An accuracy as a size plus a percentage: in problem files, in the schema, and in the report's words."""

from __future__ import annotations

import pytest

from bayescope.engine.answer.likelihood_words import likelihood_words
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.compared import error_sizes
from bayescope.engine.problem.files import dumps, loads, schema

DATA = d.DataTable(columns={"u": (1.0, -2.0, None), "s": (0.1, 0.2, 0.3)})
MATCH = d.Match(output="u", column="u")
WORDS = [
    (d.GaussianKnown(sd=0.01, percent=3.0), "(sd 0.01 plus 3 % of each measured value)"),
    (d.GaussianKnown(percent=3.0), "(sd 3 % of each measured value)"),
    (d.GaussianKnown(sd_column="s", percent=3.0), "(sd of each point from column “s” plus 3 % of each measured value)"),
    (d.StudentTNoise(dof=4.0, scale=0.5, percent=2.5), "(4 degrees of freedom, scale 0.5 plus 2.5 % of each measured value)"),
]


@pytest.mark.parametrize(("noise", "words"), WORDS)
def test_a_size_plus_a_percentage_is_written_read_again_and_told(noise: d.NoiseModel, words: str) -> None:
    meaning = d.Predictions(matches=(MATCH,), noise=noise)
    problem = d.Problem(
        name="p", parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("sh", "@k@")), meaning=meaning, data=DATA,
        outputs=(d.Output(name="u", source="stdout", extractor=d.CsvColumn(column=0)),),
    )  # fmt: skip
    assert loads(dumps(problem)) == problem
    assert words in likelihood_words(meaning)[0]


def test_a_problem_file_says_it_in_one_entry_that_the_schema_explains() -> None:
    entries = schema()["$defs"]["GaussianKnown"]
    assert "percent" in entries["properties"]
    assert "an accuracy of 0.01 + 3 % is sd 0.01 and percent 3" in entries["description"]


def test_the_percentage_is_of_the_number_without_its_sign_and_a_column_of_one_comparison_is_all_of_its_error() -> None:
    sizes = error_sizes(MATCH, d.GaussianKnown(sd=0.5, percent=10.0), DATA)
    assert sizes is not None
    assert sizes[:2] == pytest.approx([0.6, 0.7])
    own = error_sizes(d.Match(output="u", column="u", sd_column="s"), d.GaussianKnown(sd=0.5, percent=10.0), DATA)
    assert own == pytest.approx([0.1, 0.2, 0.3])
    assert error_sizes(MATCH, d.GaussianKnown(sd=0.5), DATA) is None, "one for all"
