"""What a surrogate says of places far out, in units of the posterior's own scale."""

from __future__ import annotations

import numpy as np

from bayescope.engine.surrogate.frames import Whitening
from bayescope.engine.surrogate.quadratic.kernel import Frames, Kernel, prior_of, radial_sines
from bayescope.engine.surrogate.quadratic.posterior import QuadraticSurrogate


def test_a_density_that_falls_by_its_radius_alone_does_not_rise_again_farther_out() -> None:
    """A narrow normal in six parameters, and a surrogate with hardly any quadratic: all of the fall is in the radial block."""
    d, sd = 6, 0.05
    narrow = Whitening(np.zeros(d), np.eye(d) / sd)
    theta = prior_of(d)[0].copy()
    theta[d : d + 5], theta[d + 6] = -6.0, 5.0
    rng = np.random.default_rng(3)
    away = rng.standard_normal((80, d))
    away /= np.linalg.norm(away, axis=1, keepdims=True)
    b = sd * np.sqrt(d) * np.geomspace(0.2, 6.0, 80)[:, None] * away
    surrogate = QuadraticSurrogate(Kernel(theta, Frames(narrow, narrow)), b, -0.5 * np.square(b / sd).sum(1), np.full(80, 1e-4))
    for way in away[:5]:
        at = surrogate.mean(sd * np.sqrt(d) * np.array([0.0, 5.0, 13.0, 19.0, 25.0, 60.0])[:, None] * way)
        assert abs(at[0]) < 1.0
        assert (at[1:] < -50.0).all()  # farther out than any value nothing is known but that it was low


def test_the_radial_block_is_of_full_variance_as_far_out_as_it_is_told_apart() -> None:
    """The sines stand for a process: towards their end, where each of them is 0, so is its variance."""
    far = radial_sines(np.geomspace(0.1, 1e3, 200)[:, None])
    assert np.square(far).sum(1).min() > 2.0
