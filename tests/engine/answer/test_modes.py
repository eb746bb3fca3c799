"""Modes as things: names, masses, moments, labels, words, and images of each other, against independent computation."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.answer.mode_symmetry import Moments, SameAnswer, same_answer
from bayescope.engine.answer.modes import Modes, components_of, find_modes, titles
from bayescope.engine.answer.posterior import StoredPosterior
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.transforms import ParameterSpace

NORMAL = d.Normal(mean=0.0, sd=10.0)
SPACE = ParameterSpace((d.Parameter(name="h", label="Thickness", prior=NORMAL), d.Parameter(name="k", prior=NORMAL)))
COVARIANCE = np.array([[0.04, 0.01], [0.01, 0.09]])
SWAP = np.array([[0.0, 1.0], [1.0, 0.0]])


def two(weights: tuple[float, float] = (0.3, 0.7), sd: float = 0.0, draws: int = 0) -> StoredPosterior:
    """Two normal modes, (5, 1) and (1, 5), images of each other by an exchange."""
    means = np.array([[5.0, 1.0], [1.0, 5.0]])
    covariances = np.stack([COVARIANCE, SWAP @ COVARIANCE @ SWAP])
    if not draws:
        return StoredPosterior(SPACE, weights, means, covariances, evidence_sd=sd)
    rng = np.random.default_rng(3)
    which = rng.choice(2, draws, p=weights)
    points = np.stack([rng.multivariate_normal(means[k], covariances[k]) for k in which])
    return StoredPosterior(SPACE, weights, means, covariances, points, np.ones(draws), "draws", sd)


def test_modes_are_named_from_the_heaviest_and_hold_its_moments() -> None:
    found = find_modes(two())
    assert [m.name for m in found] == ["1", "2"]
    assert [m.mass for m in found] == pytest.approx([0.7, 0.3])
    assert np.allclose(found.modes[0].mean, [1.0, 5.0])
    assert np.allclose(found.modes[0].sd, [0.3, 0.2])


def test_modes_as_heavy_as_each_other_are_named_by_their_place() -> None:
    for weights in ((0.51, 0.49), (0.49, 0.51)):
        found = find_modes(two(weights, sd=0.1))
        assert [m.mean[0] for m in found] == pytest.approx([1.0, 5.0])


def test_where_they_differ_is_said_in_the_users_words() -> None:
    a, b = find_modes(two())
    assert a.differs == "smaller Thickness (h), larger k"
    assert b.differs == "larger Thickness (h), smaller k"


def test_parameters_that_were_only_given_bounds_have_their_names() -> None:
    space = ParameterSpace.from_bounds(["x0", "x1"], -np.inf, np.inf, [0.0, 0.0], [6.0, 6.0])
    answer = two((0.5, 0.5))
    found = find_modes(StoredPosterior(space, answer.weights, answer.means, answer.covariances))
    assert found.words == (
        "Mode 1: 0.50 ± 0.01 of the posterior; smaller x0, larger x1.",
        "Mode 2: 0.50 ± 0.01 of the posterior; larger x0, smaller x1.",
        "Modes 1 and 2 are the same answer with x0 and x1 exchanged.",
    )


def test_a_single_mode_is_the_whole_answer_and_nothing_is_said_of_it() -> None:
    one = StoredPosterior(SPACE, np.ones(1), np.zeros((1, 2)), COVARIANCE[None])
    found = find_modes(one)
    assert (len(found), found.words, found.several) == (1, (), False)
    assert (found.modes[0].mass, found.modes[0].mass_sd, found.modes[0].differs) == (1.0, 0.0, "")


def test_the_moments_within_a_mode_are_those_of_its_draws() -> None:
    posterior = two(draws=2000)
    found = find_modes(posterior)
    assert posterior.draws is not None
    labels = found.labels(posterior.draws)
    assert np.array_equal(labels == 0, posterior.draws[:, 0] < 3.0)
    inside = posterior.draws[labels == 1]
    assert found.modes[1].mass == pytest.approx(len(inside) / 2000)
    assert np.allclose(found.modes[1].mean, inside.mean(0))
    assert np.allclose(found.modes[1].sd, inside.std(0))


def test_the_sd_of_a_mass_is_that_of_a_share_of_independent_draws() -> None:
    a, b = find_modes(two(draws=2000))
    assert a.mass_sd == pytest.approx(np.sqrt(a.mass * b.mass / 2000), rel=1e-6)


def test_the_sd_of_a_mass_follows_errors_of_the_modes_that_make_the_error_of_the_evidence() -> None:
    a, b = find_modes(two(sd=0.05))
    rng = np.random.default_rng(1)
    error = 0.05 / np.hypot(a.mass, b.mass)
    parts = np.array([a.mass, b.mass]) * np.exp(error * rng.standard_normal((200_000, 2)))
    assert np.log(parts.sum(1)).std() == pytest.approx(0.05, rel=0.03)
    assert a.mass_sd == pytest.approx((parts[:, 0] / parts.sum(1)).std(), rel=0.03)


def test_the_best_run_is_the_best_of_those_inside_the_mode() -> None:
    theta = np.array([[1.0, 5.1], [5.1, 1.0], [5.0, 1.0], [3.0, 3.0], [9.0, 9.0]])
    found = find_modes(two(), theta, [-1.0, -5.0, np.nan, 7.0, 9.0])
    best = [m.best for m in found]
    assert best[0] is not None
    assert best[1] is not None
    assert (best[0].log_density, best[1].log_density) == (-1.0, -5.0)
    assert np.array_equal(best[1].theta, theta[1])
    assert list(found.labels_of_runs(theta)) == [0, 1, 1, -1, -1]


def test_shares_of_a_marginal_are_bayes_rule_on_its_components() -> None:
    found = find_modes(two())
    u = np.linspace(0.0, 6.0, 7)
    a = 0.7 * np.exp(-0.5 * ((u - 1) / 0.3) ** 2) / 0.3
    b = 0.3 * np.exp(-0.5 * ((u - 5) / 0.2) ** 2) / 0.2
    assert np.allclose(found.shares(0, u), [a / (a + b), b / (a + b)])
    assert found.owners(0, 1, np.array([1.0, 5.0]), np.array([4.0, 2.0])).tolist() == [[0, 0], [1, 1]]


def test_light_components_belong_to_the_mode_they_lie_in() -> None:
    means = np.array([[1.0, 5.0], [5.0, 1.0], [5.1, 1.0]])
    found = find_modes(StoredPosterior(SPACE, [0.5, 0.49995, 0.00005], means, np.tile(COVARIANCE, (3, 1, 1))))
    assert sum(m.mass for m in found) == pytest.approx(1.0)
    assert sorted(np.concatenate(found.groups).tolist()) == [0, 1, 2]
    assert len(components_of(np.ones(1), np.zeros((1, 2)), COVARIANCE[None])) == 1


def test_a_component_without_weight_counts_for_nothing() -> None:
    found = find_modes(StoredPosterior(SPACE, [1.0, 0.0], [[1.0, 5.0], [5.0, 1.0]], np.tile(COVARIANCE, (2, 1, 1))))
    assert len(found) == 1


def test_an_exchange_of_parameters_is_named() -> None:
    found = find_modes(two((0.5, 0.5)))
    assert found.words[-1] == "Modes 1 and 2 are the same answer with Thickness (h) and k exchanged."
    assert not find_modes(two((0.3, 0.7))).same, "a mass that the data tell apart is no symmetry"


def moments(name: str, mean: list[float], covariance: np.ndarray) -> Moments:
    return name, 0.5, 0.01, np.array(mean), covariance


def test_an_exchange_needs_the_covariances_too() -> None:
    a = moments("A", [5.0, 1.0], np.diag([0.04, 0.09]))
    assert same_answer(a, moments("B", [1.0, 5.0], np.diag([0.09, 0.04]))) == SameAnswer("A", "B", exchanged=((0, 1),))
    assert same_answer(a, moments("B", [1.0, 5.0], np.diag([0.04, 0.09]) * 4)) is None
    turned = np.array([[0.09, 0.05], [0.05, 0.04]])
    assert same_answer(a, moments("B", [1.0, 5.0], turned)) is None


def test_a_change_of_sign_is_named_with_a_parameter_around_zero_in_it() -> None:
    cov = np.array([[0.04, 0.054], [0.054, 0.09]])
    same = same_answer(moments("A", [2.0, 0.0], cov), moments("B", [-2.0, 0.0], cov))
    assert same == SameAnswer("A", "B", signs=(0, 1))
    assert same.words(["x", "y"]) == "Modes A and B are the same answer with the signs of x and y changed."
    lone = same_answer(moments("A", [2.0, 0.0], np.diag([0.04, 0.09])), moments("B", [-2.0, 0.0], np.diag([0.04, 0.09])))
    assert lone is not None
    assert lone.words(["x", "y"]).endswith("with the sign of x changed.")


def test_groups_of_parameters_may_be_exchanged_together() -> None:
    rng = np.random.default_rng(0)
    root = 0.1 * rng.standard_normal((5, 5))
    cov, mean, order = root @ root.T + 0.01 * np.eye(5), np.array([1.0, 4.0, 2.0, 8.0, 3.0]), [1, 0, 3, 2, 4]
    image = moments("B", list(mean[order]), cov[np.ix_(order, order)])
    same = same_answer(moments("A", list(mean), cov), image)
    assert same is not None
    exchanged = "Modes A and B are the same answer with w1 and w2, and k1 and k2 exchanged."
    assert same.words(["w1", "w2", "k1", "k2", "c"]) == exchanged


def test_of_three_exchanged_parameters_all_six_modes_are_images_of_the_first() -> None:
    from itertools import permutations

    space = ParameterSpace(tuple(d.Parameter(name=n, prior=NORMAL) for n in ("a", "b", "c")))
    means = np.array(list(permutations([1.0, 4.0, 8.0])))
    found: Modes = find_modes(StoredPosterior(space, np.ones(6), means, np.tile(0.04 * np.eye(3), (6, 1, 1))))
    assert len(found) == 6
    assert len(found.same) == 5
    assert all(same.first == "1" for same in found.same)
    assert any("in another order" in words for words in found.words)
    assert found.modes[3].differs.endswith(" than mode 1")


def test_modes_that_only_differ_in_several_parameters_together_say_so() -> None:
    ridge = np.array([[1.0, 0.999], [0.999, 1.0]])
    means = np.array([[0.3, -0.3], [-0.3, 0.3]])
    found = find_modes(StoredPosterior(SPACE, [0.5, 0.5], means, np.stack([ridge, ridge])))
    assert len(found) == 2
    assert found.modes[1].differs == "alike in each parameter alone, different in several together"


@pytest.mark.parametrize("far", [1e200, 1e154, 5.0])
@pytest.mark.parametrize("size", [1e308, 1e-300, 1e150])
def test_absurd_numbers_of_a_file_end_in_no_error(far: float, size: float) -> None:
    with np.errstate(all="ignore"):
        covariances = np.stack([size * np.eye(2), np.array([[size, size], [size, size]])])
        found = find_modes(StoredPosterior(SPACE, [0.5, 0.5], [[0.0, 0.0], [far, 0.0]], covariances), [[0.0, 0.0]], [-1.0])
        assert len(found) in (1, 2)
        assert len(found.words) in (0, 2, 3)


def test_a_first_guess_has_no_modes_although_its_components_lie_apart():
    weights, means = np.array([0.5, 0.5]), np.array([[-9.0, 0.0], [9.0, 0.0]])
    covariances = np.repeat(np.eye(2)[None], 2, axis=0)
    assert len(components_of(weights, means, covariances, log_evidence_sd=0.1)) == 2
    assert len(components_of(weights, means, covariances, log_evidence_sd=6.0)) == 1


def test_two_equal_labels_bring_the_names_back() -> None:
    same = tuple(d.Parameter(name=n, label=label, prior=NORMAL) for n, label in (("h", "guess"), ("k", "guess"), ("m", "mass")))
    assert titles(ParameterSpace(same)) == ["guess (h)", "guess (k)", "mass (m)"]
