"""A size of the errors said for all comparisons is not that of others that come later."""

from __future__ import annotations

import msgspec
import pytest

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.sizes_said import said_for_its_own

BOTH = {"T (K)": (1.0, 2.0, None, None), "flux": (None, None, 3.0, 4.0)}


def _problem(compared: dict[str, str], columns: dict[str, tuple[float | None, ...]], noise: d.NoiseModel) -> d.Problem:
    outputs = tuple(d.Output(name=name, source="stdout", extractor=d.LastNumber()) for name in dict.fromkeys(compared.values()))
    matches = tuple(d.Match(output=output, column=column) for column, output in compared.items())
    return d.Problem(
        name="p", simulator=d.Simulator(command=("x",)), parameters=(), outputs=outputs, data=d.DataTable(columns=columns),
        meaning=d.Predictions(matches=matches, noise=noise),
    )  # fmt: skip


def _noises(problem: d.Problem) -> tuple[d.NoiseModel, list[d.NoiseModel | None]]:
    assert isinstance(problem.meaning, d.Predictions)
    return problem.meaning.noise, [m.noise for m in problem.meaning.matches]


@pytest.mark.parametrize("noise", [
    d.GaussianKnown(sd=0.08), d.GaussianKnown(percent=5.0), d.LogNormalNoise(log_sd=0.05), d.Ar1Noise(sd=0.08, rho=0.2),
])  # fmt: skip
def test_a_size_said_for_all_stays_with_these_where_one_from_another_file_comes(noise: d.NoiseModel) -> None:
    before = _problem({"T (K)": "T"}, {"T (K)": (1.0, 2.0)}, noise)
    after = said_for_its_own(before, _problem({"T (K)": "T", "flux": "flux"}, BOTH, noise))
    assert _noises(after) == (d.GaussianKnown(), [noise, None]), "that of flux is asked for"


def test_errors_with_heavy_tails_stay_so_and_only_their_size_is_asked_for() -> None:
    noise = d.StudentTNoise(dof=4.0, scale=0.3)
    before = _problem({"T (K)": "T"}, {"T (K)": (1.0, 2.0)}, noise)
    after = said_for_its_own(before, _problem({"T (K)": "T", "flux": "flux"}, BOTH, noise))
    assert _noises(after) == (d.StudentTNoise(dof=4.0), [noise, None])


def test_another_column_chosen_for_a_comparison_is_another_quantity() -> None:
    noise = d.GaussianKnown(sd=0.08)
    before = _problem({"T (K)": "T", "": "flux"}, BOTH, noise)
    after = said_for_its_own(before, _problem({"T (K)": "T", "flux": "flux"}, BOTH, noise))
    assert _noises(after) == (d.GaussianKnown(), [noise, None])


def test_a_repeated_measurement_beside_it_has_the_same_size() -> None:
    noise, columns = (
        d.GaussianKnown(sd=0.08),
        {"T 1 (K)": (1.0, 2.0), "T 2 (K)": (1.1, 2.1), "T 3 (mK)": (1100.0, 2100.0)},
    )
    before = _problem({"T 1 (K)": "T"}, columns, noise)
    alike = _problem({"T 1 (K)": "T", "T 2 (K)": "T"}, columns, noise)
    assert said_for_its_own(before, alike) == alike
    other = _problem({"T 1 (K)": "T", "T 3 (mK)": "T"}, columns, noise)
    assert _noises(said_for_its_own(before, other)) == (d.GaussianKnown(), [noise, None])


def test_what_was_said_for_a_column_is_kept_where_only_its_name_or_its_table_changes() -> None:
    noise = d.GaussianKnown(sd=0.08)
    before = _problem({"day": "T"}, {"day": (1.0, 2.0)}, noise)
    renamed = _problem({"days after sowing": "T"}, {"days after sowing": (1.0, 2.0)}, noise)
    assert said_for_its_own(before, renamed) == renamed


@pytest.mark.parametrize("noise", [
    d.GaussianInferred(parameter="s"), d.PoissonNoise(), d.GaussianKnown(sd_column="u"), d.GaussianKnown(),
])  # fmt: skip
def test_what_is_no_size_in_numbers_is_of_all_that_come(noise: d.NoiseModel) -> None:
    before = _problem({"T (K)": "T"}, {"T (K)": (1.0, 2.0)}, noise)
    after = _problem({"T (K)": "T", "flux": "flux"}, BOTH, noise)
    assert said_for_its_own(before, after) == after


def test_a_size_taken_as_that_of_the_others_on_purpose_stays() -> None:
    noise = d.GaussianKnown(sd=0.08)
    own = _problem({"T (K)": "T", "flux": "flux"}, BOTH, noise)
    assert isinstance(own.meaning, d.Predictions)
    first, second = own.meaning.matches
    apart = msgspec.structs.replace(second, noise=d.GaussianKnown(sd=0.6))
    before = msgspec.structs.replace(own, meaning=msgspec.structs.replace(own.meaning, matches=(first, apart)))
    assert said_for_its_own(before, own) == own
