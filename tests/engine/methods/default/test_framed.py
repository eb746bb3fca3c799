"""Plausible ranges that are wrong: the frame moves by itself, the answer is right, every evaluation is kept."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.loop_interface import LoopSettings, LoopSnapshot, Tell
from bayescope.engine.methods.loops import make_loop

MEAN = np.array([0.3, -0.2])
EVIDENCE = float(np.log(2.0 * np.pi))


def density(u: np.ndarray) -> float:
    """Normal, sd 1, highest value 0."""
    return float(-0.5 * np.sum((u - MEAN) ** 2))


def run(loop, most: int = 60) -> tuple[LoopSnapshot, list[np.ndarray], set[str]]:  # type: ignore[no-untyped-def]
    last, asked, doing = None, [], set()
    while not loop.finished and len(asked) < most:
        for ask in loop.ask(1):
            asked.append(ask.u)
            loop.tell(Tell(ask.index, ask.u, density(ask.u)))
        last = loop.update() or last
        doing.add(last.activity if last is not None else "")
    assert last is not None
    return last, asked, doing


def settings(low: float, high: float, **more: object) -> LoopSettings:
    return LoopSettings(np.full(2, low), np.full(2, high), max_evaluations=60, names=("a", "b"), **more)  # type: ignore[arg-type]


@pytest.mark.loops
@pytest.mark.parametrize(("low", "high", "said"), [(0.0, 0.01, "wider for a, b"), (-1000.0, 1000.0, "narrower for a, b")])
def test_a_box_a_hundred_times_too_narrow_or_a_thousand_times_too_wide_ends_in_the_right_answer(
    low: float, high: float, said: str
) -> None:
    answer, asked, doing = run(make_loop("default", settings(low, high)))
    assert answer.converged
    assert answer.log_evidence == pytest.approx(EVIDENCE, abs=0.05)
    assert answer.n_evaluations == len(asked)
    assert any(said in reason for reason in answer.reasons)
    assert ("Climbing from far below" in doing) == (high > 1.0)


@pytest.mark.parametrize("stopped_after", [9, 16])
@pytest.mark.loops
def test_a_run_stopped_while_it_climbs_or_after_its_frame_was_moved_goes_on_as_if_it_had_not_been(stopped_after: int) -> None:
    wide = settings(-1000.0, 1000.0, seed=2)
    _, straight, _ = run(make_loop("default", wide), 20)
    first = make_loop("default", wide)
    _, asked, _ = run(first, stopped_after)
    second = make_loop("default", wide)
    second.restore(first.state())
    _, more, _ = run(second, 20 - stopped_after)
    assert [u.tolist() for u in (*asked, *more)] == [u.tolist() for u in straight]


def test_a_climb_begins_where_most_of_the_first_runs_lie_hundreds_of_millions_of_nats_below_the_best() -> None:
    d = 6
    loop = make_loop("default", LoopSettings(np.full(d, -1e5), np.full(d, 1e5), max_evaluations=200, seed=1))
    best: list[float] = []
    while len(best) < 60 and not (best and max(best) > -30.0):
        for ask in loop.ask(1):
            best.append(float(-0.5 * np.sum((ask.u - 0.3) ** 2)))
            loop.tell(Tell(ask.index, ask.u, best[-1]))
        loop.update()
    assert np.median(best[:10]) < -1e8
    assert max(best) > -30.0


@pytest.mark.loops
def test_a_box_that_fits_is_left_as_it_is() -> None:
    loop = make_loop("default", settings(-3.0, 3.0))
    answer, _, _ = run(loop, 25)
    assert loop.state()["frame"]["moves"] == 0
    assert not any("plausible ranges given did not fit" in reason for reason in answer.reasons)


def test_places_told_in_the_old_frame_are_forgotten_when_it_moves() -> None:
    loop = make_loop("default", settings(-3.0, 3.0))
    run(loop, 12)
    method = loop.method
    method.memory.outputs.begin_step(12, np.array([0.5, 1.0]), -3.0)
    method.memory.outputs.give_up_origin()
    method.memory.outputs.begin_step(13, np.array([0.7, 1.0]), -3.0)
    method._move(np.full(2, -1.0), np.full(2, 1.0))
    assert method.memory.outputs.origin is None
    assert not method.memory.outputs.given_up
