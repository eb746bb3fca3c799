"""The published loops know where runs fail by the map of every loop, in their own working coordinates."""

from __future__ import annotations

import numpy as np

from bayescope.engine.feasibility.classifier import Feasibility
from bayescope.engine.loop_interface import Tell
from bayescope.engine.methods.surrogate_map import MapOfRuns
from bayescope.engine.surrogate.frames import BoxFrame, Whitening
from bayescope.engine.surrogate.values import Values
from bayescope.engine.variational.whitening import Frame

LOWER, UPPER = np.array([0.0, 10.0]), np.array([2.0, 30.0])


def told(u: np.ndarray) -> list[Tell]:
    """Impossible beyond the first parameter's 1.4, failed where the second is small."""
    return [
        Tell(k, x, None if x[1] < 14.0 or x[0] > 1.4 else -float(x[0]), impossible=bool(x[0] > 1.4)) for k, x in enumerate(u)
    ]


def test_the_map_of_a_published_loop_is_that_of_the_others() -> None:
    rng = np.random.default_rng(0)
    u, box = rng.uniform(LOWER, UPPER, (60, 2)), BoxFrame.of(LOWER, UPPER)
    values, known = Values.of(told(u), 2), MapOfRuns(LOWER, UPPER)
    frame = Frame(np.array([1.0, 20.0]), np.array([[0.5, 0.0], [2.0, 4.0]]))
    at = rng.uniform(LOWER, UPPER, (200, 2))
    good, bad, lost = values.u, values.impossible, values.failed
    order = np.argsort(-values.level, kind="stable")
    own = Feasibility(Whitening.none(2), box.into(good[order]), box.into(bad), box.into(lost))
    log_possible = known.log_possible(values, frame)
    assert log_possible is not None
    np.testing.assert_allclose(log_possible(frame.into(at)), own.log_possible(box.into(at)), atol=1e-8)
    assert known.of(values) is known.of(values)
    kept = frame.back(known.worth_a_look(values, frame, frame.into(at)))
    assert 0 < len(kept) < len(at)
    assert (kept[:, 0] < 1.6).all()
    assert (kept[:, 1] > 12.5).all()


def test_where_nothing_failed_nothing_is_held_against_a_place() -> None:
    u = np.random.default_rng(0).uniform(LOWER, UPPER, (20, 2))
    values = Values.of([Tell(k, x, 0.0) for k, x in enumerate(u)], 2)
    frame = Frame.of_box(LOWER, UPPER)
    assert MapOfRuns(LOWER, UPPER).log_possible(values, frame) is None
    assert len(MapOfRuns(LOWER, UPPER).worth_a_look(values, frame, frame.into(u))) == 20
