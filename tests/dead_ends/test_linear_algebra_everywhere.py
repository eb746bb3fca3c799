"""No factorization and no inverse in the engine without a fallback: every call, and why it is safe; and failures injected."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.linalg
import torch

import bayescope.engine
from bayescope.engine import Inference
from bayescope.engine.numerics.linear_algebra import stable_cholesky, stable_factors, stable_inverse, stable_solve
from bayescope.engine.numerics.torch_linear_algebra import robust_factors
from source_words import has_one_of

ROOT = Path(bayescope.engine.__file__).parent
MAY_FAIL = {
    "cholesky", "cho_factor", "inv", "solve", "lstsq", "pinv", "svd", "eig", "eigvals", "eigvalsh", "cholesky_ex", "inv_ex",
    "solve_ex", "multivariate_normal", "matrix_power", "expm", "logm", "sqrtm", "lu_factor", "ldl_factor", "polyfit",
}  # fmt: skip
TRIED = "the fallback itself"
OF_A_FACTOR = "the inverse of, or a solution with, a triangular factor whose diagonal is positive"
IN_WORDS = "caught on the spot: the person reads which matrix is wrong"
WALL = "inside an update that keeps the mixture it began with (variational/joint.py, boosting.py)"
SAFE = {  # file: call -> why. Triangular solutions, QR, and eigenvalues of finite symmetric matrices do not fail.
    "numerics/linear_algebra.py": {
        "scipy.linalg.cholesky": TRIED, "np.linalg.cholesky": TRIED, "np.linalg.inv": TRIED, "np.linalg.solve": TRIED,
        "np.linalg.pinv": "of finite entries", "np.linalg.lstsq": "of finite entries",
    },
    "archive/reach.py": {"np.linalg.svd": "of finite entries: rows with others are failures"},
    "numerics/discrepancy.py": {"np.linalg.svd": "of finite entries: roots of a kernel at measured places"},
    "numerics/residual_tests.py": {"np.linalg.svd": "of finite entries: non-finite predictions count as the median"},
    "answer/posterior.py": {"np.linalg.cholesky": "of 8 D normal draws or more", "np.linalg.solve": OF_A_FACTOR},
    "answer/predictions/learnt_runs.py": {"np.linalg.svd": "of finite entries: runs with others are left out"},
    "feasibility/hyperparameters.py": {"np.linalg.eigvalsh": "of finite entries: with others the prior alone counts"},
    "answer/unfelt.py": {"np.linalg.lstsq": "of finite entries: coordinates of an answer's draws"},
    "methods/svbmc/untold.py": {"np.linalg.inv": OF_A_FACTOR},
    "surrogate/outputs/scatter.py": {"np.linalg.lstsq": "of finite entries: asked before"},
    "app/try_torch.py": {"torch.linalg.cholesky": "caught: the build is not used, in words"},
    "numerics/torch_linear_algebra.py": {"torch.linalg.cholesky_ex": "says by a number whether it succeeded"},
    "comparison/baseline_answers.py": {"np.linalg.solve": OF_A_FACTOR},
    "acquisition/symmetry.py": {"np.linalg.svd": "of finite entries: runs with others are left out"},
    "acquisition/probes.py": {"np.linalg.solve": OF_A_FACTOR},
    "library/answer.py": {"np.linalg.inv": OF_A_FACTOR},
    "problem/data/errors/measured_spread.py": {"np.linalg.cholesky": IN_WORDS},
    "acquisition/local_climb.py": {"np.linalg.solve": "of a triangular factor of rows that hold the identity: never singular"},
    "surrogate/outputs/components.py": {"torch.linalg.svd": "of finite entries: runs with others are failures"},
    "surrogate/outputs/gaussian_processes.py": {"torch.linalg.cholesky_ex": "a failed one is as bad a fit as can be"},
    "surrogate/outputs/marginal.py": {"torch.linalg.cholesky_ex": "of the identity and a positive semidefinite matrix"},
    "sensitivity/possible_functions.py": {"torch.linalg.cholesky_ex": "a failed one is as bad a fit as can be"},
    "methods/noisy/fitting.py": {"np.linalg.lstsq": "of finite entries"},
    "methods/laplace.py": {"np.linalg.solve": OF_A_FACTOR},
    "numerics/whitened.py": {"np.linalg.cholesky": IN_WORDS},
    "surrogate/levels.py": {"np.linalg.solve": "of a factor; of positive weights and a prior: positive definite"},
    "methods/slice/loop.py": {"np.linalg.solve": OF_A_FACTOR},
    "methods/surrogate_loop.py": {"np.linalg.inv": OF_A_FACTOR},
    "likelihood/abc.py": {"scipy.linalg.cholesky": IN_WORDS},
    "likelihood/synthetic.py": {"scipy.linalg.cholesky": IN_WORDS},
    "problem/checks/check_noise.py": {"np.linalg.cholesky": IN_WORDS},
    "variational/boosting.py": {"np.linalg.solve": OF_A_FACTOR},
    "variational/entropy.py": {"np.linalg.inv": WALL},
    "variational/families.py": {"np.linalg.inv": OF_A_FACTOR},
    "sampling/mixture.py": {"np.linalg.inv": OF_A_FACTOR, "torch.linalg.inv": OF_A_FACTOR},
    "variational/natural.py": {"np.linalg.inv": WALL, "np.linalg.solve": OF_A_FACTOR},
}  # fmt: skip


def calls(path: Path) -> set[str]:
    """Calls of ``path`` that factorize or invert, as written: ``np.linalg.cholesky``."""
    found, source = set(), path.read_text(encoding="utf-8")
    if not has_one_of(MAY_FAIL, source):
        return set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
            if name in MAY_FAIL:
                found.add(ast.unparse(node.func))
    return found


def test_every_factorization_and_inverse_of_the_engine_has_a_fallback_or_a_reason() -> None:
    found = {str(p.relative_to(ROOT)): calls(p) for p in sorted(ROOT.rglob("*.py"))}
    assert {file: names for file, names in found.items() if names} == {file: set(why) for file, why in SAFE.items()}


# ------------------------------------------------------------------ the fallbacks


SINGULAR = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1e-30]])
INDEFINITE = np.array([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
HUGE = np.diag([1e300, 1.0, 1e-300])


@pytest.mark.parametrize("matrix", [SINGULAR, INDEFINITE, HUGE, np.eye(3)], ids=["singular", "indefinite", "huge", "easy"])
def test_factors_inverses_and_solutions_are_finite_for_every_finite_matrix(matrix: np.ndarray) -> None:
    for factor in (stable_cholesky(matrix), stable_factors(matrix), stable_factors(np.stack([np.eye(3), matrix]))[1]):
        assert np.all(np.isfinite(factor))
        assert np.all(np.diag(factor) > 0)
        assert np.allclose(factor, np.tril(factor))
    assert np.all(np.isfinite(stable_inverse(np.stack([matrix, np.eye(3)]))))
    assert np.all(np.isfinite(stable_solve(matrix, np.ones(3))))
    assert np.all(np.isfinite(stable_solve(np.stack([matrix, np.eye(3)]), np.ones((2, 3, 1)))))
    both = robust_factors(torch.as_tensor(np.stack([np.eye(3), matrix]))).numpy()
    assert np.all(np.isfinite(both))
    assert np.all(np.diagonal(both, axis1=1, axis2=2) > 0)


def test_what_needs_no_help_gets_none() -> None:
    a = np.random.default_rng(0).standard_normal((4, 3, 3))
    spd = a @ np.swapaxes(a, 1, 2) + np.eye(3)
    np.testing.assert_array_equal(stable_factors(spd), np.linalg.cholesky(spd))
    np.testing.assert_array_equal(stable_inverse(spd), np.linalg.inv(spd))
    singular = np.stack([spd[0], SINGULAR])
    np.testing.assert_allclose(stable_factors(singular)[0], np.linalg.cholesky(spd[0]), rtol=1e-12)
    assert np.allclose(stable_factors(singular)[1] @ stable_factors(singular)[1].T, SINGULAR, atol=1e-6)


@pytest.mark.parametrize("function", [stable_factors, stable_inverse, lambda m: stable_solve(m, np.ones(3))])
def test_a_matrix_that_is_not_finite_is_an_error_a_caller_can_catch(function: Any) -> None:
    matrix = SINGULAR.copy()
    matrix[0, 1] = np.inf
    matrix[1, 0] = np.nan
    try:
        found = function(matrix)
    except np.linalg.LinAlgError:
        return
    assert not np.all(np.isfinite(found)), "no number is made up"


# ------------------------------------------------------------------ two wide uniform priors


def wide(log_likelihood: Any, seed: int, budget: int = 60) -> Inference:
    """Two parameters between -1000 and 1000, of which the data allow about a thousandth."""
    run = Inference([(-800.0, 800.0)] * 2, [(-1000.0, 1000.0)] * 2, max_evaluations=budget, seed=seed)
    while points := run.ask():
        for p in points:
            run.tell(p.index, log_likelihood(p.theta))
        run.update()
    return run


def line(theta: np.ndarray) -> float:
    x = np.linspace(0.0, 1.0, 10)
    return float(-0.5 * np.square((theta[0] + theta[1] * x - 1.0 - 2.0 * x) / 0.1).sum())


@pytest.mark.loops
@pytest.mark.parametrize(
    ("seed", "wall", "budget"),  # without fallbacks these ended after 57, 32, 23 and 28 evaluations
    [(0, False, 60), (0, True, 38), (1, False, 30), (1, True, 34)],
)
def test_two_priors_a_thousand_times_wider_than_the_answer_do_not_end_a_session(seed: int, wall: bool, budget: int) -> None:
    run = wide(lambda t: -np.inf if wall and t[0] < 0.0 else line(t), seed, budget)
    found = run.result()
    assert found.converged or found.n_evaluations == budget
    if found.converged:
        x = np.stack([np.ones(10), np.linspace(0.0, 1.0, 10)])
        exact = np.log(2.0 * np.pi * 0.1**2 / np.sqrt(np.linalg.det(x @ x.T)))
        assert abs(found.log_evidence - exact) < 4.0 * found.log_evidence_sd


def test_the_edge_of_the_possible_is_found_however_far_out_other_places_were_impossible() -> None:
    from bayescope.engine.feasibility.classifier import Feasibility
    from bayescope.engine.surrogate.frames import Whitening

    rng = np.random.default_rng(0)
    near = rng.standard_normal((40, 2))
    far = 2.0 * rng.standard_normal((20, 2))
    for size in (1e-3, 1e-6, 1e-9):
        whitening = Whitening(np.zeros(2), np.eye(2) / size)
        good, bad = size * near[near[:, 0] > 0], np.concatenate([size * near[near[:, 0] <= 0], far[far[:, 0] < 0]])
        known = Feasibility(whitening, good, bad, np.empty((0, 2)))
        inside, outside = known.log_possible(size * np.array([[1.5, 0.0], [-1.5, 0.0]]))
        assert inside > -0.1
        assert outside < -3.0
        assert np.all(np.isfinite(known.doubt(far)))


# ------------------------------------------------------------------ failures injected


class Failing:
    """Factorizations that fail at every ``every``-th call, as those of a matrix singular by rounding do."""

    def __init__(self, real: Any, every: int) -> None:
        self.real, self.every, self.count, self.failed = real, every, 0, 0

    def __call__(self, *arguments: Any, **words: Any) -> Any:
        self.count += 1
        if self.count % self.every == 0:
            self.failed += 1
            raise np.linalg.LinAlgError("made for the test")
        return self.real(*arguments, **words)


@pytest.mark.loops
@pytest.mark.parametrize("method", ["default", "noisy", "bvbmc", "vbmc", "svbmc", "laplace", "slice"])
def test_every_method_survives_factorizations_that_fail(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = [Failing(np.linalg.cholesky, 2), Failing(scipy.linalg.cholesky, 3)]
    for target, fail in zip((np.linalg, scipy.linalg), broken, strict=True):
        monkeypatch.setattr(target, "cholesky", fail)
    rng = np.random.default_rng(0)
    archive = None
    if method == "svbmc":
        x = rng.uniform(-3, 3, (40, 2))
        archive = (x, -0.5 * np.square(x).sum(1))
    noisy = method == "noisy"
    run = Inference(
        [(-3, 3)] * 2, max_evaluations={"slice": 1200, "laplace": 60}.get(method, 24), seed=1, noisy=noisy,
        method="default" if noisy else method, archive=archive,
    )  # fmt: skip
    while points := run.ask():
        for p in points:
            value = -np.inf if p.theta[0] < -2.0 else float(-0.5 * p.theta @ p.theta)
            run.tell(p.index, value + (0.1 * rng.standard_normal() if noisy else 0.0), 0.1 if noisy else 0.0)
        run.update()
    answer = run.result()
    assert np.isfinite(answer.log_evidence)
    assert np.all(np.isfinite(answer.sample(100)))
    assert sum(fail.failed for fail in broken) >= 1
