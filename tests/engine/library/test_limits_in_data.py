"""``infer_outputs`` with data of which only limits are known, against a dense grid with scipy's own distributions."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from scipy import stats

from bayescope.engine import infer_outputs
from bayescope.engine.library.infer_outputs import OutputsResult
from bayescope.engine.problem.definition import LogNormalNoise, StudentTNoise

T = np.linspace(0.0, 5.0, 12)
TRUE = {"a": 2.0, "k": 0.7}
LIMIT, SD = 0.4, 0.12
PRIORS = {"a": (0.2, 6.0), "k": (0.05, 3.0)}
FULL = TRUE["a"] * np.exp(-TRUE["k"] * T) + SD * np.random.default_rng(11).standard_normal(12)
DATA: list[float | str] = [f"<{LIMIT}" if y < LIMIT else float(y) for y in FULL]


def decay(v: Mapping[str, float]) -> np.ndarray:
    return np.asarray(v["a"] * np.exp(-v["k"] * T))


def on_grid(scale: float, kind: str, data: list[float | str] = DATA) -> tuple[float, np.ndarray, np.ndarray]:
    """Log evidence, means and sds of (a, k)."""
    a, k = np.linspace(*PRIORS["a"], 241), np.linspace(*PRIORS["k"], 241)
    f = a[:, None, None] * np.exp(-k[None, :, None] * T)
    of = {"normal": stats.norm(f, scale), "student": stats.t(3.0, f, scale), "log-normal": stats.lognorm(scale, scale=f)}[kind]
    limited = np.array([isinstance(y, str) for y in data])
    y = np.array([LIMIT if isinstance(v, str) else v for v in data])
    log_l = np.where(limited, of.logcdf(y), of.logpdf(y)).sum(-1)
    share = np.exp(log_l - log_l.max())
    evidence = log_l.max() + np.log(share.mean())
    share /= share.sum()
    found = [(g * share.sum(1 - axis)).sum() for axis, g in ((0, a), (1, k))]
    spread = [np.sqrt(((g - m) ** 2 * share.sum(1 - axis)).sum()) for (axis, g), m in zip(((0, a), (1, k)), found, strict=True)]
    return float(evidence), np.array(found), np.array(spread)


@pytest.fixture(scope="module")
def found() -> OutputsResult:
    return infer_outputs(decay, DATA, SD, PRIORS, max_evaluations=80)


def agrees(result: object, exact: tuple[float, np.ndarray, np.ndarray]) -> None:
    draws = result.sample(40_000)
    np.testing.assert_allclose(draws.mean(0), exact[1], atol=0.06 * exact[2].max())
    np.testing.assert_allclose(draws.std(0), exact[2], rtol=0.06)
    assert result.log_evidence == pytest.approx(exact[0], abs=max(3 * result.log_evidence_sd, 0.05))


@pytest.mark.loops
def test_the_posterior_is_that_of_a_dense_grid(found: OutputsResult) -> None:
    assert sum(isinstance(y, str) for y in DATA) >= 4
    assert found.converged
    agrees(found, on_grid(SD, "normal"))


def test_half_a_limit_and_no_limit_give_other_answers() -> None:
    """So that the test above can tell them apart."""
    right = on_grid(SD, "normal")
    for instead in (LIMIT / 2.0, LIMIT):
        other = on_grid(SD, "normal", [instead if isinstance(y, str) else y for y in DATA])
        assert np.abs(other[1] - right[1]).max() > 0.2 * right[2].max() or np.abs(other[2] / right[2] - 1.0).max() > 0.1


@pytest.mark.loops
def test_other_noise_keeps_the_limits(found: OutputsResult) -> None:
    agrees(found.again(noise=StudentTNoise(dof=3.0, scale=SD)), on_grid(SD, "student"))
    agrees(found.again(noise=LogNormalNoise(log_sd=0.25)), on_grid(0.25, "log-normal"))


def test_words_that_are_no_limit_are_refused() -> None:
    with pytest.raises(ValueError, match="no number, and no limit such as <0"):
        infer_outputs(decay, [*DATA[:-1], "n.d."], SD, PRIORS, max_evaluations=20)
