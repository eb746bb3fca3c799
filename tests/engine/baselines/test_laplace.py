"""Laplace's approximation: exact for Gaussians, right curvature elsewhere, and honest words by simulator runs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize

from bayescope.engine.baselines.laplace import laplace_of
from bayescope.engine.loop_interface import Archive, LoopSettings, Tell
from bayescope.engine.methods.loops import make_loop

PRECISION = np.array([[4.0, 1.2, 0.0], [1.2, 1.0, 0.3], [0.0, 0.3, 2.0]])
MODE = np.array([0.4, -0.7, 1.1])
LOG_Z = 1.5 * np.log(2 * np.pi) - 0.5 * np.log(np.linalg.det(PRECISION))


def gaussian(u):
    z = np.atleast_2d(u) - MODE
    return -0.5 * np.einsum("ni,ij,nj->n", z, PRECISION, z)


def drive(loop, density, limit=10_000):
    answers = []
    for _ in range(limit):
        asks = loop.ask(3)
        if not asks:
            break
        for a in reversed(asks):  # the order of arrival must not matter
            loop.tell(Tell(a.index, a.u, float(density(a.u)[0])))
        answers += [a for a in [loop.update()] if a is not None]
    return answers


def settings(budget=400, **more):
    return LoopSettings(np.full(3, -4.0), np.full(3, 4.0), seed=2, max_evaluations=budget, **more)


def test_a_gaussian_is_found_exactly():
    fit = laplace_of(gaussian, np.array([-3.0, 3.0, -3.0]), np.full(3, 8.0))
    assert fit.definite
    assert fit.settled
    assert np.allclose(fit.mode, MODE, atol=0.05)
    assert np.allclose(fit.covariance, np.linalg.inv(PRECISION), rtol=1e-6)
    assert fit.log_evidence == pytest.approx(LOG_Z, abs=0.005)


@pytest.mark.parametrize("dimension", [2, 3, 6])
@pytest.mark.parametrize("correlation", [0.9, 0.99, 0.999])
def test_long_directions_of_correlated_parameters_keep_their_length(dimension, correlation):
    covariance = np.full((dimension, dimension), correlation) + (1 - correlation) * np.eye(dimension)
    precision = np.linalg.inv(covariance)
    start = 2.0 * (-1.0) ** np.arange(dimension)
    fit = laplace_of(lambda u: -0.5 * np.einsum("ni,ij,nj->n", u, precision, u), start, np.full(dimension, 8.0))
    assert fit.definite
    assert np.allclose(fit.covariance, covariance, rtol=1e-4)
    assert fit.log_evidence == pytest.approx(0.5 * np.linalg.slogdet(2 * np.pi * covariance)[1], abs=0.005)


def test_a_direction_that_does_not_fall_is_followed_over_the_plausible_range_and_told():
    fit = laplace_of(lambda u: -0.5 * np.square((u[:, 0] + u[:, 1]) / 0.3), np.array([1.0, 1.0]), np.full(2, 8.0))
    assert not fit.definite
    assert np.sqrt(np.linalg.eigvalsh(fit.covariance)[1]) > 8.0


def test_a_posterior_wider_than_the_plausible_range_keeps_its_width():
    fit = laplace_of(lambda u: -0.5 * np.square(u / 20.0).sum(axis=1), np.array([1.0, 1.0]), np.full(2, 8.0))
    assert fit.definite
    assert np.allclose(fit.covariance, 400.0 * np.eye(2), rtol=1e-4)


def test_curvature_of_a_logistic_posterior_is_that_of_its_derivatives():
    """Against the maximum by scipy and the Hessian in closed form: X^T diag(p (1 - p)) X + I."""
    rng = np.random.default_rng(4)
    x = rng.normal(size=(60, 2))
    y = rng.random(60) < 1 / (1 + np.exp(-(x @ [1.0, -0.5])))

    def density(u):
        z = np.atleast_2d(u) @ x.T
        return (np.where(y, z, 0.0) - np.logaddexp(0.0, z)).sum(axis=1) - 0.5 * np.square(np.atleast_2d(u)).sum(axis=1)

    best = optimize.minimize(lambda u: -density(u)[0], np.zeros(2), tol=1e-10).x
    p = 1 / (1 + np.exp(-(x @ best)))
    hessian = (x * (p * (1 - p))[:, None]).T @ x + np.eye(2)
    fit = laplace_of(density, np.array([-2.0, 2.0]), np.full(2, 6.0))
    assert np.allclose(fit.mode, best, atol=0.03)
    assert np.allclose(fit.covariance, np.linalg.inv(hessian), rtol=0.06, atol=1e-3)


def test_values_printed_with_two_digits_still_give_the_width():
    fit = laplace_of(lambda u: np.round(gaussian(u) - 1234.5, 2), np.array([-3.0, 3.0, -3.0]), np.full(3, 8.0))
    assert np.allclose(np.sqrt(np.diag(fit.covariance)), np.sqrt(np.diag(np.linalg.inv(PRECISION))), rtol=0.15)


def test_a_gaussian_posterior_is_confirmed_by_fresh_runs():
    loop = make_loop("laplace", settings())
    last = drive(loop, gaussian)[-1]
    assert loop.finished
    assert last.converged
    assert last.log_evidence == pytest.approx(LOG_Z, abs=0.01)
    assert last.elbo == pytest.approx(LOG_Z, abs=0.02)
    assert any("one Gaussian" in r for r in last.reasons)


def test_a_posterior_that_is_no_gaussian_is_told_so():
    def heavy(u):
        return -2.0 * np.log1p(np.square(np.atleast_2d(u) - MODE).sum(axis=1))

    last = drive(make_loop("laplace", settings()), heavy)[-1]
    assert not last.converged
    assert "not the Gaussian" in " ".join(last.reasons)


def test_a_direction_without_information_is_told_so():
    last = drive(make_loop("laplace", settings()), lambda u: -0.5 * np.square(np.atleast_2d(u)[:, 0] / 0.3))[-1]
    assert not last.converged
    assert "do not limit" in " ".join(last.reasons)


def test_a_budget_that_ends_in_the_climb_gives_no_answer_and_more_runs_go_on():
    loop = make_loop("laplace", settings(12))
    first = drive(loop, gaussian)[-1]
    assert not np.isfinite(first.log_evidence)
    loop.extend(400)
    assert drive(loop, gaussian)[-1].converged


def test_it_starts_from_the_best_point_of_an_archive():
    points = np.random.default_rng(0).normal(MODE, 0.3, (50, 3))
    archive = Archive(points, gaussian(points), np.zeros(50))
    loop = make_loop("laplace", settings(archive=archive))
    assert np.array_equal(loop.ask(1)[0].u, points[np.argmax(gaussian(points))])


def test_a_restored_search_asks_for_the_same_points():
    one, other = make_loop("laplace", settings()), make_loop("laplace", settings())
    for _ in range(25):
        a = one.ask(1)[0]
        one.tell(Tell(a.index, a.u, float(gaussian(a.u)[0]) if a.index != 5 else None))
        one.update()
    other.restore(one.state())
    for _ in range(25):
        a, b = one.ask(2), other.ask(2)
        assert [(p.index, p.u.tolist()) for p in a] == [(p.index, p.u.tolist()) for p in b]
        for p in a:
            for loop in (one, other):
                loop.tell(Tell(p.index, p.u, float(gaussian(p.u)[0])))


def test_an_unknown_option_is_said():
    with pytest.raises(ValueError, match="no option “nodes”"):
        make_loop("laplace", settings(options={"nodes": 3}))
