"""Errors that are too large for their values, or in another way than their neighbours, are asked about."""

from __future__ import annotations

import pytest

from bayescope.engine.problem import definition as d
from bayescope.gui.models.data.errors.suspicious_sizes import suspicious_sizes
from bayescope.gui.pages.data.error_steps import suspicious_step

Cells = tuple[float, ...]


def problem(pairs: dict[str, tuple[Cells, Cells]]) -> d.Problem:
    columns = {name: cells for c, both in pairs.items() for name, cells in zip((c, f"{c} sd"), both, strict=True)}
    matches = tuple(d.Match(output=c[0], column=c, sd_column=f"{c} sd") for c in pairs)
    return d.Problem(
        name="x", parameters=(), simulator=d.Simulator(command=("sh",)), outputs=(), data=d.DataTable(columns=columns),
        meaning=d.Predictions(matches=matches, noise=d.GaussianKnown()),
    )  # fmt: skip


OWN = {"v": ((10.0, 20.0, 40.0), (0.3, 0.6, 1.2)), "w": ((1.0, 2.0, 3.0), (0.04, 0.08, 0.12))}  # 3 % and 4 %


@pytest.mark.parametrize(
    ("values", "errors", "others", "why"),
    [
        ((0.01, 0.02, 0.03), (3.0, 3.0, 2.0), {}, "which is more than any of them"),
        ((0.5, 2.0, 8.0), (3.0, 3.0, 4.0), {}, "which is more than most of them"),
        ((5000.0, 7000.0, 9000.0), (3.0, 4.0, 3.0), OWN, "unlike the errors of the other columns"),
        ((0.2, 3.0, 4.0, 5.0), (2.0, 2.0, 3.0, 2.0), OWN, "unlike the errors of the other columns"),
    ],
)
def test_percentages_that_are_read_as_standard_deviations_are_asked_about_and_mended(
    values: Cells, errors: Cells, others: dict[str, tuple[Cells, Cells]], why: str
) -> None:
    (found,) = suspicious_sizes(problem({"u": (values, errors), **others}))
    assert found.row == 0
    assert found.words.endswith(f"{why}.")
    assert found.mended is not None
    assert found.mended.data is not None
    assert found.mended.data.columns["u sd"] == pytest.approx([v * e / 100.0 for v, e in zip(values, errors, strict=True)])
    assert suspicious_sizes(found.mended) == ()
    step = suspicious_step(found)
    assert (step.button, step.dismiss, step.confirms) == ("They are &percent", "They are &right", found.words)


@pytest.mark.parametrize(
    ("column", "values", "errors"),
    [
        ("u", (1.0, 2.0, 3.0), (0.1, 0.1, 0.2)), ("u", (-1.0, 0.5, 2.0), (1.5, 1.5, 1.5)),
        ("u (°C)", (300.0, 310.0, 320.0), (3.0,) * 3),
        ("u (%)", (1.0, 2.0, 3.0), (2.0, 2.0, 3.0)), ("u", (10.0, 20.0, 40.0), (0.5, 1.0, 2.0)),
    ],
)  # fmt: skip
def test_usual_errors_are_not_asked_about(column: str, values: Cells, errors: Cells) -> None:
    assert suspicious_sizes(problem({column: (values, errors), **OWN})) == ()


def test_errors_far_beyond_all_values_that_are_no_percentages_can_only_be_said_to_be_right() -> None:
    (found,) = suspicious_sizes(problem({"u": ((0.1, 0.2, 0.3), (300.0, 300.0, 300.0))}))
    assert found.mended is None
    assert (suspicious_step(found).button, suspicious_step(found).dismiss) == ("They are &right", "")
