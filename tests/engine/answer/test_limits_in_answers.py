"""Values of which only a limit is known: in no chi^2, but it is said whether the predictions keep to them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from bayescope.engine.answer.asked_again import changes
from bayescope.engine.answer.predictions.misfit import fit_of, misfits
from bayescope.engine.answer.predictions.predictive import predicted
from bayescope.engine.problem import definition as d
from bayescope.engine.report.predictions import measured_cell
from bayescope.engine.session.store import SessionStore

MEASURED = (1.2, None, 2.5, None, 1.9)
LIMITS = (None, "<0.8", None, ">3", None)
PREDICTED = np.array([1.0, 1.1, 2.0, 3.5, 2.2])


def limited(problem: d.Problem, noise: d.NoiseModel) -> d.Problem:
    output = msgspec.structs.replace(problem.outputs[0], name="y", length=None)
    return msgspec.structs.replace(
        problem, outputs=(output,), data=d.DataTable(columns={"y": MEASURED}, limits={"y": LIMITS}),
        meaning=d.Predictions(matches=(d.Match(output="y", column="y"),), noise=noise),
    )  # fmt: skip


def test_chi2_is_of_the_measured_values_and_a_passed_limit_is_said(problem: d.Problem) -> None:
    declared = limited(problem, d.GaussianKnown(sd=0.2))
    (found,) = misfits(declared, {"y": PREDICTED}, {"a": 0.4, "b": 0.0})
    assert found.chi2 == pytest.approx((0.2**2 + 0.5**2 + 0.3**2) / 0.2**2)
    assert found.rows.tolist() == [0, 2, 4]
    assert found.limits is not None
    assert found.limits.words == "2 limits, 1 passed: row 2 by 1.5 sd"
    assert found.with_limits[0].tolist() == [0, 1, 2, 3, 4]
    assert found.with_limits[3].tolist() == [0, -1, 0, 1, 0]
    fit = fit_of(declared, [found], {"y": PREDICTED})
    assert fit is not None
    assert fit.count == 3
    assert fit.words.endswith("2 values more, of which only limits are known, are no part of χ².")
    kept = misfits(declared, {"y": np.where(PREDICTED == 1.1, 0.3, PREDICTED)}, {"a": 0.4, "b": 0.0})[0]
    assert kept.limits is not None
    assert kept.limits.words == "2 limits, all kept"


def test_predictions_know_which_points_are_limits(problem: d.Problem) -> None:
    declared = limited(problem, d.GaussianKnown(sd=0.2))
    match = declared.meaning.matches[0]  # type: ignore[union-attr]
    found = predicted(declared, match, [0], {0: {"y": PREDICTED}}, np.ones(1))
    assert found is not None
    assert found.limited.tolist() == [False, True, False, True, False]
    assert [measured_cell(found, i) for i in range(5)] == [1.2, "<0.8", 2.5, ">3", 1.9]
    assert found.of_values.measured.tolist() == [1.2, 2.5, 1.9]


def test_limits_are_kept_in_a_session_and_a_change_of_them_is_said(problem: d.Problem, tmp_path: Path) -> None:
    declared = limited(problem, d.GaussianKnown(sd=0.2))
    assert msgspec.json.decode(msgspec.json.encode(declared), type=d.Problem) == declared
    with SessionStore.create(tmp_path / "s.bayescope", declared) as store:
        assert store.problem.data is not None
        assert store.problem.data.limits == {"y": LIMITS}
    other = msgspec.structs.replace(
        declared, data=d.DataTable(columns={"y": MEASURED}, limits={"y": (None, "<0.5", None, ">3", None)})
    )
    assert any("y <0.5" in words for words in changes(declared, other))
