"""SVBMC: a posterior from an archive, exact restoring, what it says about bad archives."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.library.infer import Inference, infer
from bayescope.engine.loop_interface import Archive, LoopSettings, Tell
from bayescope.engine.methods.ask_tell import AskTellLoop
from bayescope.engine.methods.loops import make_loop
from bayescope.engine.methods.svbmc import buildup as svbmc_buildup
from bayescope.engine.methods.svbmc import data as svbmc_data
from bayescope.engine.methods.svbmc import draws as svbmc_draws
from bayescope.engine.methods.svbmc import growing
from bayescope.engine.methods.svbmc import trust as svbmc_trust
from bayescope.engine.methods.svbmc.archive_error import UNSEEN
from bayescope.engine.methods.svbmc.loop import SvbmcMethod
from bayescope.engine.sampling.mixture import GaussianMixture

PRECISION = np.array([[1.5, 0.6], [0.6, 1.0]])
LOG_Z = np.log(2 * np.pi) - 0.5 * np.log(np.linalg.det(PRECISION))


@pytest.fixture(autouse=True)
def few_draws(monkeypatch):
    """Two dimensions and one mode need no long chains and no fine quadrature."""
    monkeypatch.setattr(svbmc_draws, "DRAWS_UP_TO_3_D", 2048)
    monkeypatch.setattr(svbmc_buildup, "STEPS", 50)


def log_density(x):
    z = np.asarray(x) - np.array([0.5, -1.0])
    return float(-0.5 * z @ PRECISION @ z)


def archive(n=100, seed=0, sd=0.0, scale=2.0):
    rng = np.random.default_rng(seed)
    x = rng.normal(0, scale, (n, 2))
    y = np.array([log_density(p) for p in x])
    return Archive(x, y + sd * rng.standard_normal(n), np.full(n, sd))


def loop(budget=0, given=None, **options):
    given = archive() if given is None else given
    options = {"kernel": "se", **options}
    settings = LoopSettings(
        np.full(2, -3.0),
        np.full(2, 3.0),
        max_evaluations=budget,
        archive=given,
        options=options,
        noisy=bool(np.any(given.sds > 0)),
    )
    return make_loop("svbmc", settings)


def tell(one, count=1):
    for ask in one.ask(count):
        one.tell(Tell(ask.index, ask.u, log_density(ask.u)))


@pytest.mark.parametrize("kind", ["exact", "sparse"])
def test_the_posterior_comes_from_the_archive_alone(kind):
    one = loop(surrogate=kind, max_components=5, kernel="additive")
    assert one.finished
    answer = one.update()
    assert one.update() is None
    assert answer.n_evaluations == 0
    assert answer.log_evidence == pytest.approx(LOG_Z, abs=0.1)
    q = GaussianMixture.of(answer.mixture)
    assert np.allclose(q.mean(), [0.5, -1.0], atol=0.15)
    assert np.allclose(q.covariance(), np.linalg.inv(PRECISION), atol=0.25)
    assert not answer.converged
    assert any("No new runs" in r for r in answer.reasons)
    assert any(kind in r for r in answer.reasons)
    assert (answer.diagnostics["inducing"] > 0) == (kind == "sparse")


@pytest.mark.parametrize("large", [0, 5_000])
@pytest.mark.loops
def test_a_restored_loop_goes_on_exactly_as_if_there_had_been_no_break(large, monkeypatch):
    monkeypatch.setattr(growing, "REBUILT_UP_TO", large)  # 0: no rebuilding between two updates of the hyperparameters
    one, other = (loop(12, surrogate="sparse", max_components=3, stop=False, active_points=3) for _ in range(2))
    for _ in range(4):  # in the middle of an iteration
        tell(one)
        one.update()
    other.restore(one.state())
    compared = 0
    for _ in range(3):
        a, b = one.ask(2), other.ask(2)
        assert [(p.index, p.u.tolist()) for p in a] == [(p.index, p.u.tolist()) for p in b]
        for p in a:
            for each in (one, other):
                each.tell(Tell(p.index, p.u, log_density(p.u)))
        x, y = one.update(), other.update()
        assert (x is None) == (y is None)  # an answer comes with an iteration
        if x is not None and y is not None:
            assert (x.elbo, x.log_evidence, x.reasons) == (y.elbo, y.log_evidence, y.reasons)
            compared += 1
    assert compared == 2


@pytest.mark.parametrize(("before", "after"), [("exact", "sparse"), ("sparse", "exact")])
@pytest.mark.loops
def test_the_kind_of_surrogate_can_be_switched_between_two_runs(before, after):
    one, other = (loop(8, surrogate=kind, max_components=3, stop=False, active_points=2) for kind in (before, after))
    tell(one, 2)
    first = one.update()
    other.restore(one.state())
    assert f"{after} surrogate" in other.method.why_surrogate
    tell(other, 2)
    second = other.update()
    assert len(other.method.log.told) == 4
    assert abs(second.log_evidence - first.log_evidence) < 0.2


@pytest.mark.loops
def test_new_evaluations_fill_a_hole_of_the_archive():
    whole = archive(200)
    left = whole.points[:, 0] < 0.2
    one = loop(6, Archive(whole.points[left], whole.values[left], whole.sds[left]), max_components=2, stop=False)
    answer = one.update()
    while not one.finished:
        tell(one)
        answer = one.update() or answer
    assert answer.log_evidence == pytest.approx(LOG_Z, abs=0.15)


@pytest.mark.loops
def test_mass_guessed_to_be_unseen_counts_after_new_runs_too_and_holds_converged_back(monkeypatch):
    """Runs near what is known say nothing of the rest; the guess itself has tests of its own."""
    known = loop(budget=30)
    unsure = loop(budget=30)
    for one in (known, unsure):
        if one is unsure:
            monkeypatch.setattr(svbmc_trust, "unseen_mass", lambda *given: 0.7)
        answer = one.update()
        for _ in range(12):
            tell(one)
            answer = one.update() or answer
        assert (answer.log_evidence_sd > 0.7) == (one is unsure)
        assert any(reason == UNSEEN for reason in answer.reasons) == (one is unsure)
    assert not answer.converged


def test_noisy_archives_are_averaged_and_refined_by_imiqr():
    one = loop(4, archive(200, sd=1.0), max_components=2, stop=False)
    answer = one.update()
    assert answer.log_evidence == pytest.approx(LOG_Z, abs=0.6)
    asked = one.ask(2)
    assert len(asked) == 2
    assert not np.allclose(asked[0].u, asked[1].u)


def test_a_failed_run_never_enters_the_surrogate():
    one = loop(6, max_components=2, stop=False)
    one.update()
    before = len(one.method.surrogate.train_inputs)
    (ask,) = one.ask(1)
    one.tell(Tell(ask.index, ask.u, None))
    assert one.update() is not None
    assert len(one.method.surrogate.train_inputs) == before
    assert one.method.values.failed.shape == (1, 2)


@pytest.mark.parametrize(
    ("points", "values", "words"),
    [
        (np.zeros((1, 2)), np.zeros(1), "Only 1 of the 1"),
        (np.ones((50, 2)), np.zeros(50), "Only 1 of the 50"),
        (np.random.default_rng(0).normal(size=(50, 2)), np.full(50, -np.inf), "Only 0 of the 50"),
        (np.zeros((0, 2)), np.zeros(0), "no archive"),
    ],
)
def test_hopeless_archives_get_a_sentence(points, values, words):
    answer = loop(0, Archive(points, values, np.zeros(len(values)))).update()
    assert not answer.converged
    assert words in " ".join(answer.reasons)


@pytest.mark.loops
def test_an_archive_of_exact_and_noisy_evaluations_weighs_each_by_its_noise():
    exact, noisy = archive(60), archive(150, seed=1, sd=2.0)
    both = Archive(*(np.concatenate([getattr(a, name) for a in (exact, noisy)]) for name in ("points", "values", "sds")))
    answer = loop(0, both, max_components=2).update()
    assert answer.log_evidence == pytest.approx(LOG_Z, abs=0.15)


@pytest.mark.parametrize("values", [np.zeros(60), np.full(60, -1e6)])
def test_equal_values_everywhere_end_in_an_answer(values):
    points = np.random.default_rng(0).normal(size=(60, 2))
    answer = loop(0, Archive(points, values, np.zeros(60)), max_components=2).update()
    assert np.isfinite(answer.log_evidence)
    assert np.all(np.isfinite(answer.mixture.means))


@pytest.mark.long
def test_a_million_rows_end_in_an_answer():
    x = np.random.default_rng(0).normal(0, 2.0, (1_000_000, 2))
    z = x - np.array([0.5, -1.0])
    y = -0.5 * np.einsum("ni,ij,nj->n", z, PRECISION, z)
    answer = loop(0, Archive(x, y, np.zeros(len(y))), max_components=2).update()
    assert answer.log_evidence == pytest.approx(LOG_Z, abs=0.05)
    assert any("200,000" in r for r in answer.reasons)


def test_a_thin_archive_is_completed_by_a_design():
    thin = archive(3)
    one = loop(14, thin, max_components=2, stop=False)
    answer = one.update()
    while not one.finished:
        tell(one)
        answer = one.update() or answer
    assert answer.log_evidence == pytest.approx(LOG_Z, abs=0.3)


def test_preparing_merges_trims_and_explains():
    x = np.array([[0.0, 0], [0, 0], [1, 1], [2, 2], [3, 3], [np.nan, 0]])
    y = np.array([0.0, 2.0, -5.0, -1000.0, -np.inf, 1.0])
    found = svbmc_data.prepare(Archive(x, y, np.array([1.0, 1.0, 0, 0, 0, 0])), 2, 20.0)
    assert found.y.tolist() == [1.0, -5.0]
    assert found.noise[0] == pytest.approx(0.5 + 1e-5)
    assert found.impossible.tolist() == [[3.0, 3.0]]
    assert len(found.notes) == 3


def test_an_optimizers_repeats_are_dropped_and_its_path_is_kept():
    x = np.concatenate([np.full((500, 2), 0.01) * np.random.default_rng(0).random((500, 1)), np.eye(2)])
    y = np.concatenate([np.full(500, -1e-4), [-0.5, -0.5]])
    crowded = svbmc_data.crowded(x, y, np.full(502, 1e-5))
    assert (~crowded).sum() <= 6
    assert not crowded[-2:].any()
    assert not svbmc_data.crowded(x, y, np.ones(502)).any()  # noisy repeats carry information


def test_the_python_door_takes_an_archive_in_the_users_units():
    rng = np.random.default_rng(1)
    x = rng.gamma(3.0, 0.5, (300, 1))
    y = 2 * np.log(x[:, 0]) - 2 * x[:, 0]  # gamma(3, scale 1/2) without its constant: evidence 2 / 8
    answer = infer(
        lambda t: 0.0, [(0.2, 4.0)], [(0.0, None)], max_evaluations=0, archive=(x, y), options={"max_components": 4}
    )
    assert answer.log_evidence == pytest.approx(np.log(0.25), abs=0.08)
    assert answer.sample(4000).mean() == pytest.approx(1.5, abs=0.12)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ((np.zeros((3, 2)),), "archive is"),
        ((np.zeros((3, 1)), np.zeros(3)), "2 columns"),
        ((np.zeros((3, 2)), np.zeros(4)), "3 points"),
        ((np.zeros((3, 2)), np.zeros(3), -np.ones(3)), "negative"),
    ],
)
def test_arrays_that_do_not_fit_are_refused_in_words(given, words):
    with pytest.raises(ValueError, match=words):
        Inference([(-1, 1)] * 2, archive=given)


def test_an_unknown_option_is_refused_in_words():
    with pytest.raises(ValueError, match="no option"):
        AskTellLoop(SvbmcMethod(LoopSettings(np.zeros(2), np.ones(2), options={"colour": 1})))
