"""Looks for the mode that a value hints at which came out higher than all others imply, and came again."""

import numpy as np
import pytest
from scipy import stats

from bayescope.engine.loop_interface import LoopSettings, Tell
from bayescope.engine.methods.default.doubts import Doubt
from bayescope.engine.methods.loops import make_loop

D = 3
BROAD = stats.multivariate_normal(np.full(D, -0.5), 0.4**2)
TURN = np.random.default_rng([5, 2]).standard_normal(D)
NARROW = stats.multivariate_normal(BROAD.mean + 1.36 * TURN / np.linalg.norm(TURN), 0.16**2)  # on the flank; most of the mass


def log_density(u: np.ndarray) -> float:
    return float(np.logaddexp(np.log(0.4) + BROAD.logpdf(u), np.log(0.6) + NARROW.logpdf(u)))


@pytest.mark.loops
def test_a_mode_of_which_one_value_that_came_again_tells_is_found() -> None:
    """Without such looks this analysis is called converged with two fifths of the mass."""
    loop = make_loop("default", LoopSettings(np.full(D, -2.0), np.full(D, 2.0), seed=2, max_evaluations=250))
    while not loop.finished:
        for ask in loop.ask():
            loop.tell(Tell(ask.index, ask.u, log_density(ask.u)))
    answer = loop.update()
    doubts = loop.method.memory.doubts
    kept = [doubt for doubt in doubts.all if doubt.fate == "kept"]
    assert any(doubt.looks > 0 for doubt in kept)
    assert all(doubt.looks <= D for doubt in kept)
    assert answer is not None
    assert answer.converged
    assert abs(answer.log_evidence) < 0.1


def test_how_often_was_looked_is_kept_with_a_doubt_and_sessions_written_before_have_none() -> None:
    doubt = Doubt(8, 3.0, 1.0, -9.0, "kept", [9], [3.0, 3.0], believed=8, looks=2)
    assert Doubt.of_state(doubt.to_state()) == doubt
    before = {name: value for name, value in doubt.to_state().items() if name != "looks"}
    assert Doubt.of_state(before).looks == 0
