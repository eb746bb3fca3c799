"""No "converged" while a value stands that nobody has climbed from and the answer does not explain: in few parameters too."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from bayescope.engine.acquisition import ascents
from bayescope.engine.loop_interface import LoopSettings, Tell
from bayescope.engine.methods.ask_tell import AskTellLoop
from bayescope.engine.methods.default import hunting, judging
from bayescope.engine.methods.default.loop import DefaultMethod
from bayescope.engine.methods.default.stage import LoopState
from bayescope.engine.surrogate.log_joint import LogJoint

Array = NDArray[np.float64]
D = 3
MAIN, OTHER = (stats.multivariate_normal(np.full(D, at), 0.25**2) for at in (-0.9, 0.8))


def log_density(u: Array) -> float:
    return float(MAIN.logpdf(u))


def converged_loop() -> AskTellLoop:
    loop = AskTellLoop(DefaultMethod(LoopSettings(np.full(D, -2.0), np.full(D, 2.0), seed=3, max_evaluations=90)))
    while not loop.finished:
        for ask in loop.ask():
            loop.tell(Tell(ask.index, ask.u, log_density(ask.u)))
    return loop


@pytest.fixture(scope="module")
def now() -> LoopState:
    """A right answer on one mode."""
    method = converged_loop().method
    assert method.memory.converged
    return method._now()


class Knows:
    """The surrogate of ``now`` that has learnt of a further mode of which it holds a top ``low`` nats below the posterior's, and
    states ``sd`` everywhere."""

    def __init__(self, now: LoopState, low: float, centre: Array, sd: float = 9.0) -> None:
        self.known, self.low, self.centre, self.sd = now.surrogate, low, centre, sd
        self.b, self.y, self.dimension = self.known.b, self.known.y, D

    def mean(self, b: Array) -> Array:
        beside = -self.low - 0.5 * np.square((b - self.centre) / 0.4).sum(1)
        return np.logaddexp(self.known.mean(b), beside)

    def predict(self, b: Array) -> tuple[Array, Array]:
        return self.mean(b), np.full(len(b), self.sd**2)

    def leave_one_out(self) -> tuple[Array, Array]:
        return np.zeros(len(self.b)), np.full(len(self.b), self.sd**2)


def raised(now: LoopState, share: float, centre: Array, low: float = 18.0) -> LoopState:
    """The run nearest to the other mode came out above what the answer explains by ``share`` of its fall, and the surrogate has
    learnt of a top at ``centre``."""
    m = now.memory
    known = hunting.evaluations(now)
    row = int(np.square(known.points - OTHER.mean).sum(1).argmin())
    assert m.mixture is not None
    explained = float(ascents.explained_density(m.mixture)(known.points[row][None])[0])
    assert explained < -30.0
    value = now.top + (1.0 - share) * explained
    told = [replace(t, y=value) if t.index == known.index[row] else t for t in m.log.told]
    log = replace(m.log, told=told, budget=200)
    memory = replace(m, log=log, converged=False, ascents=0, ascent_ends=[])
    return replace(now, memory=memory, surrogate=cast(LogJoint, Knows(now, low, centre)))


@pytest.mark.loops
def test_a_right_answer_on_one_mode_has_no_stray(now: LoopState) -> None:
    assert not hunting.has_stray(now)


def test_a_value_most_of_its_fall_above_the_answer_is_climbed_from_where_the_surrogate_has_its_own_top(now: LoopState) -> None:
    """Though the surrogate has learnt the value, and holds that top too low to matter."""
    seen = raised(now, 0.7, OTHER.mean)
    assert hunting.has_stray(seen)
    place = judging._next_step(seen)
    climb = seen.memory.ascent
    assert place is not None
    assert climb is not None
    assert climb.local
    assert np.linalg.norm(climb.best - OTHER.mean) < 1.5


def test_no_climb_begins_twice_at_a_stray(now: LoopState) -> None:
    seen = raised(now, 0.7, OTHER.mean)
    judging._next_step(seen)
    judging._leave_ascent(seen.memory)
    assert not hunting.has_stray(seen)


@pytest.mark.parametrize(
    ("share", "centre", "low"),
    [(0.3, OTHER.mean, 18.0), (0.7, OTHER.mean, 1e6)],
    ids=["less than half of its fall above", "the surrogate leads up to the posterior"],
)
def test_what_bends_or_has_heavy_tails_is_no_stray_in_few_parameters(
    now: LoopState, share: float, centre: Array, low: float
) -> None:
    assert not hunting.has_stray(raised(now, share, centre, low))


OUT = OTHER.mean + 2.0  # of the plausible box


def stray_row(seen: LoopState) -> int:
    return int(np.square(hunting.evaluations(seen).points - OTHER.mean).sum(1).argmin())


def test_a_value_in_the_box_whose_way_leads_out_of_it_is_climbed_from_as_often_as_there_are_parameters(now: LoopState) -> None:
    seen = raised(now, 0.7, OUT, low=1.0)
    assert hunting.has_stray(seen)
    seen.memory.ascents = D
    assert not hunting.has_stray(seen)


def test_a_value_whose_way_leads_out_of_the_box_is_not_climbed_from_near_an_earlier_climb_or_out_of_the_box(
    now: LoopState,
) -> None:
    seen = raised(now, 0.7, OUT, low=1.0)
    stray = hunting.evaluations(seen).points[stray_row(seen)]
    seen.memory.ascent_ends = [np.zeros(D), stray + 0.1]
    assert not hunting.has_stray(seen)
    seen.memory.ascent_ends = []
    known = hunting.evaluations(seen)
    surrogate = Knows(now, 1.0, OUT)
    surrogate.b = np.where(np.arange(len(known.points))[:, None] == stray_row(seen), OTHER.mean + 1.5, surrogate.b)
    assert not hunting.has_stray(replace(seen, surrogate=cast(LogJoint, surrogate)))


def test_a_climb_under_way_goes_on_out_of_the_box_and_ends_where_the_surrogate_leads_to_the_posterior(now: LoopState) -> None:
    seen = raised(now, 0.7, OUT, low=1.0)
    row = stray_row(seen)
    known = hunting.evaluations(seen)
    climb = ascents.Ascent(known.points[row], float(known.y[row]), local=True)
    assert not hunting.explained_by_now(seen, climb)
    assert hunting.explained_by_now(raised(now, 0.7, OTHER.mean, 1e6), climb)


def test_no_more_climbs_begin_than_are_afforded(now: LoopState) -> None:
    seen = raised(now, 0.7, OTHER.mean)
    seen.memory.ascents = ascents.MOST_FAR - 1
    assert hunting.has_stray(seen)
    seen.memory.ascents = ascents.MOST_FAR
    assert not hunting.has_stray(seen)


def test_places_are_near_those_visited_within_a_third_of_the_square_root_of_their_number_of_parameters() -> None:
    visited = [np.zeros(4), np.full(4, 2.0)]
    places = np.array([[0.59, 0.0, 0.0, 0.0], [0.61, 0.0, 0.0, 0.0], [2.0, 2.0, 2.0, 1.6]])
    assert ascents.near(places, visited).tolist() == [True, False, True]
    assert not ascents.near(places, []).any()
