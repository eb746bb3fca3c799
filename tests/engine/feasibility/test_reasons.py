"""Why runs fail by their place: against Gibbs sampling of the augmented model, in the map of failure, and as it is stored."""

from __future__ import annotations

import numpy as np
import pytest
from polya_gamma import polya_gamma
from scipy import special

from bayescope.engine.answer.failures.kinds import KINDS
from bayescope.engine.answer.failures.success_map import SuccessMaps
from bayescope.engine.answer.posterior import StoredPosterior
from bayescope.engine.feasibility.classifier import Feasibility
from bayescope.engine.feasibility.reasons import Reasons
from bayescope.engine.feasibility.shown import arrays_of
from bayescope.engine.loop_interface import Tell
from bayescope.engine.numerics.success_kernel import SuccessKernel
from bayescope.engine.problem.definition import Parameter, Uniform
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.surrogate.evaluations import Evaluations
from bayescope.engine.surrogate.frames import BoxFrame, Whitening

Array = np.ndarray


def gibbs(k: Array, y: Array, sweeps: int, rng: np.random.Generator) -> Array:
    """(n, K) mean probabilities of the augmented model (seed 004, algorithm 4); y (n, K): one-hot."""
    (n, count), total, kept = y.shape, 0.0, sweeps - sweeps // 5
    f, inverse = np.zeros(y.shape), np.linalg.inv(k + 1e-6 * np.eye(len(k)))
    for sweep in range(sweeps):
        p = special.expit(-f) / count
        many = rng.geometric(1.0 - p.sum(1)) - 1
        counts = rng.multinomial(many, p / p.sum(1, keepdims=True))
        omega = polya_gamma(f.ravel(), rng, 30, (y + counts).ravel()).reshape(y.shape)
        for j in range(count):
            covariance = np.linalg.inv(inverse + np.diag(omega[:, j]))
            f[:, j] = covariance @ (y - counts)[:, j] / 2.0 + np.linalg.cholesky(covariance) @ rng.standard_normal(n)
        if sweep >= sweeps - kept:
            sigma = special.expit(f)
            total = total + sigma / sigma.sum(1, keepdims=True) / kept
    return np.asarray(total)


def test_the_probabilities_of_the_reasons_agree_with_gibbs_sampling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bayescope.engine.numerics.success_kernel.CONSTANT", 1.0)  # wide ones mix too slowly to be an oracle
    rng = np.random.default_rng(1)
    x = rng.uniform(-2, 2, (18, 2))
    kernel, kinds = SuccessKernel(np.array([1.0, 1.5]), 1.5, 0.3), ("crash", "time", "memory")
    drawn = special.softmax(3.0 * np.stack([x[:, 0], x[:, 1], -x.sum(1)], axis=1), axis=1)
    why = [str(rng.choice(kinds, p=p)) for p in drawn]
    exact = gibbs(kernel(x, x), np.array(why)[:, None] == np.array(kinds), 1500, rng)
    found = Reasons.of(kernel, x, why, np.ones(18))
    assert found is not None
    assert found.probabilities(x)[:, [found.kinds.index(k) for k in kinds]] == pytest.approx(exact, abs=0.06)


def outcomes(rng: np.random.Generator, n: int = 140) -> tuple[Array, Array]:
    """Runs that time out above .8 of the first, and crash above .8 of the second parameter."""
    b = rng.uniform(-2, 2, (n, 3))
    why = np.where(b[:, 0] > 0.8, "time", np.where(b[:, 1] > 0.8, "crash", ""))
    return b, why


def known_of(b: Array, why: Array) -> Feasibility:
    told = [Tell(i, u, None if w else 0.0, reason=w) for i, (u, w) in enumerate(zip(b, why.tolist(), strict=True))]
    return Feasibility.of(Evaluations.of(told, b.shape[1], lambda u: u))


def test_each_region_has_its_reason_and_the_share_of_the_answer_there_is_told_by_reason() -> None:
    rng = np.random.default_rng(2)
    known = known_of(*outcomes(rng))
    assert known.why is not None
    at = np.array([[1.5, -1.0, 0.0], [-1.0, 1.5, 0.0]])
    p = known.why.probabilities(known.place[0].frame.into(at))[:, [known.why.kinds.index(k) for k in ("time", "crash")]]
    assert p.diagonal().min() > 0.9
    draws = rng.uniform([0.4, -1.0, -1.0], [1.2, 0.9, 1.0], (2000, 3))
    share = known.failing_share(draws, np.full(2000, 1 / 2000))
    assert [kind for kind, _ in share.reasons] == ["time", "crash"]
    assert sum(part for _, part in share.reasons) == pytest.approx(share.mean)
    assert dict(share.reasons)["time"] == pytest.approx(0.5, abs=0.1)


def test_a_reason_by_chance_alone_or_never_told_has_no_place_and_a_rare_one_keeps_its_own() -> None:
    b, why = outcomes(np.random.default_rng(3))
    alone = Feasibility(Whitening.none(3), b[why == ""], np.empty((0, 3)), b[why != ""])
    assert alone.why is None
    kernel = SuccessKernel(np.ones(3), 10.0, 1.0)
    assert Reasons.of(kernel, b[:9], ["crash"] * 5 + ["time"] * 4, np.array([1.0] * 5 + [0.1] * 4)).kinds == ("crash",)
    assert Reasons.of(kernel, b[:4], [""] * 4, np.ones(4)) is None
    kept = why.copy()
    kept[np.flatnonzero(why == "crash")[1:]] = "left out"
    rare = known_of(b[kept != "left out"], kept[kept != "left out"])
    assert rare.why is not None
    at = rare.place[0].frame.into(b[kept == "crash"])
    assert rare.why.kinds[int(rare.why.probabilities(at)[0].argmax())] == "crash"


def test_impossible_is_a_reason_beside_those_of_failed_runs() -> None:
    b, why = outcomes(np.random.default_rng(4))
    impossible, failed = b[why == "crash"], b[why == "time"]
    known = Feasibility(Whitening.none(3), b[why == ""], impossible, failed, reasons=("time",) * len(failed))
    assert known.why is not None
    assert set(known.why.kinds) == {"time", "impossible"}
    share = known.failing_share(b, np.full(len(b), 1 / len(b)))
    assert [kind for kind, _ in share.reasons] == ["time"]


def test_the_likeliest_reason_of_a_place_is_read_from_what_is_stored_with_an_answer() -> None:
    rng = np.random.default_rng(5)
    b, why = outcomes(rng)
    space = ParameterSpace([Parameter(name=n, prior=Uniform(low=0.0, high=10.0), lower=0.0, upper=10.0) for n in "abc"])
    box = BoxFrame.of(*space.plausible_box())
    draws = box.back(rng.uniform(-1, 1, (500, 3)))
    posterior = StoredPosterior(
        space, np.ones(1), draws.mean(0)[None], np.cov(draws.T)[None], draws, np.full(500, 1 / 500), "draws"
    )
    arrays = arrays_of(known_of(b, why), box)
    maps = SuccessMaps.of(arrays, posterior)
    assert maps is not None
    assert {kind for kind, _ in maps.reasons} == {"time", "crash"}
    places = np.array([space.to_user(u) for u in box.back(np.array([[1.6, 0.0, 0.0], [0.0, 1.6, 0.0]]))])
    found = maps.why(0, 1, places[:, 0], places[:, 1])
    assert [KINDS[k] for k in found.argmax(axis=1)] == ["time", "crash"]
    assert found.sum(axis=1) == pytest.approx(1.0)
    untold = SuccessMaps.of({k: v for k, v in arrays.items() if not k.startswith("fails.")}, posterior)
    assert untold is not None
    assert not untold.why(0, 1, places[:, 0], places[:, 1]).any()
