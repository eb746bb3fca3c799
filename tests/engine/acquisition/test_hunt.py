"""Looking for other modes: which values are odd, how a climb far from the answer goes, where to look, and looking further."""

import numpy as np
import pytest
from scipy import stats

from bayescope.engine.acquisition import ascents
from bayescope.engine.acquisition.local_climb import newton_draw
from bayescope.engine.loop_interface import LoopSettings, Tell
from bayescope.engine.methods.default.hunting import FEWEST, GRADED, MOST_LOOKS, PROMISED_FAR, further_left
from bayescope.engine.methods.loops import make_loop
from bayescope.engine.numerics.unseen_modes import MASS, WIDER, WIDTH, UnseenModes, even_places
from bayescope.engine.sampling.guarded_density import Hull
from bayescope.engine.sampling.proposal import Proposal

D = 5
MAIN = stats.multivariate_normal(np.full(D, -0.8), 0.3**2)
OTHER = stats.multivariate_normal(np.full(D, 1.0), 0.25**2)


def test_only_values_above_what_the_modes_of_the_answer_explain_are_strays_however_low_they_are():
    rng = np.random.default_rng(1)
    points = rng.uniform(-2, 2, (60, D))
    top = MAIN.logpdf(MAIN.mean)
    # components that give the bulk well and its tails badly, as a fit to draws does
    parts = Proposal(np.array([0.5, 0.5]), np.tile(MAIN.mean, (2, 1)), np.stack([0.35**2 * np.eye(D), 0.24**2 * np.eye(D)]))
    matched = Proposal(np.ones(1), parts.means[:1], parts.covariance()[None])
    for mixture in (parts, matched):
        explained = ascents.explained_density(mixture)
        own = np.array([explained(p[None])[0] for p in points])
        assert len(ascents.strays(points, own, explained, [])) == 0
    both = np.logaddexp(MAIN.logpdf(points), OTHER.logpdf(points)) - top
    exact = ascents.explained_density(Proposal(np.ones(1), MAIN.mean[None], 0.3**2 * np.eye(D)[None]))
    found = ascents.strays(points, both, exact, [])
    assert (OTHER.logpdf(points[found]) > MAIN.logpdf(points[found])).all()
    assert (np.diff(both[found]) <= 0.0).all()
    again = ascents.strays(points, both, exact, [points[found[0]]])
    assert set(again) == set(found)
    assert np.linalg.norm(points[again[0]] - points[found[0]]) > ascents.APART
    assert found[0] in again[-1:] or np.linalg.norm(points[again[-1]] - points[found[0]]) < ascents.APART * np.sqrt(D)


def test_a_climb_begins_where_a_step_leads_away_from_what_the_answer_explains() -> None:
    """A stray all around which the answer explains any step is passed over for a lower one that tells of another mode."""
    beside, other = MAIN.mean - 0.5, OTHER.mean - 0.7

    def explained(places: np.ndarray) -> np.ndarray:
        apart = np.linalg.norm(places - beside, axis=1)
        return np.where((apart > 0.0) & (apart < 0.5), 0.0, -60.0)

    points, values, box = np.vstack([beside, other]), np.array([-4.0, -24.0]), Hull(np.full(D, -2.0), np.full(D, 2.0))
    climbs = ascents.LocalClimbs(points, values, explained, 0.3**-2, box)
    assert list(ascents.strays(points, values, explained, [])) == [0, 1]
    climb = climbs.start([], 7.0, np.random.default_rng(1))
    assert climb is not None
    assert climb.asked is not None
    assert climb.local
    np.testing.assert_array_equal(climb.best, other)
    assert climb.value == 7.0 - 24.0


def test_a_climb_with_a_step_too_long_to_lead_away_makes_a_shorter_one_and_goes_on_from_a_value_that_was_in_doubt() -> None:
    """Where the answer explains all that lies farther off than half a step; and its own step, made again since, is higher."""
    start, box = OTHER.mean - 0.4, Hull(np.full(D, -2.0), np.full(D, 2.0))

    def explained(places: np.ndarray) -> np.ndarray:
        return np.where(np.linalg.norm(places - start, axis=1) > 0.4, 0.0, -60.0)

    points, values = start[None], np.array([-30.0])
    climb = ascents.Ascent(start, -30.0, radius=1.4, failures=1, local=True)
    asked = ascents.LocalClimbs(points, values, explained, 0.3**-2, box).step(climb, 0.0, np.random.default_rng(2))
    assert asked is not None
    assert np.linalg.norm(asked - start) <= 0.4
    made = np.vstack([points, asked]), np.append(values, -20.0)
    ascents.LocalClimbs(*made, explained, 0.3**-2, box).step(climb, 0.0, np.random.default_rng(3))
    np.testing.assert_array_equal(climb.best, asked)
    assert (climb.value, climb.failures) == (-20.0, 0)


def test_a_climb_on_its_own_quadratic_reaches_the_top_of_a_normal_mode_from_one_value():
    rng, best = np.random.default_rng(2), np.array([2.0, 0.2, 1.9, 0.1, 1.8])
    points, values, radius = best[None], OTHER.logpdf(best[None]).reshape(1), 0.3
    for _ in range(4 * D):
        k = int(values.argmax())
        place = newton_draw(points, values, points[k], values[k], -values[k], 0.3**-2, radius, rng)
        assert np.linalg.norm(place - points[k]) <= radius * (1 + 1e-9)
        value = float(OTHER.logpdf(place))
        radius = min(1.5, 1.6 * radius) if value > values[k] else 0.8 * radius
        points, values = np.vstack([points, place]), np.append(values, value)
    assert values.max() > OTHER.logpdf(OTHER.mean) - 0.5


def test_places_to_hunt_at_rule_out_more_modes_than_evenly_spread_ones_and_lie_where_runs_are_possible():
    points = np.random.default_rng(3).random((25, D))
    main = stats.multivariate_normal(np.full(D, 0.3), 0.1**2)
    found = UnseenModes(points, main.logpdf(points), 0.0)

    def made(places: np.ndarray) -> float:
        return UnseenModes(np.vstack([points, places]), main.logpdf(np.vstack([points, places])), 0.0).unseen(0.05, 0.1)

    places = found.telling_places(20)
    assert made(places) < 0.9 * made(even_places(D, 1024, seed=1)[:20])
    assert abs(made(places) - found.with_places(places).unseen(0.05, 0.1)) < 0.1
    assert (found.telling_places(20, found.centres[:, 0] > 0.5)[:, 0] > 0.5).all()
    np.testing.assert_array_equal(found.telling_places(20, worth=np.full(len(found.centres), 0.3)), places)
    dear = np.where(found.centres[:, 0] > 0.5, 1.0, 1e-6)  # runs nearly always fail in the other half
    assert (found.telling_places(20, worth=dear)[:, 0] > 0.5).all()


def test_places_chosen_by_what_the_answer_explains_betray_more_second_modes_than_those_chosen_by_the_values_nearby() -> None:
    """Narrow ones, at 25 evaluations and 8 looks; betrayed is one by a value high enough to be climbed from."""
    rng = np.random.default_rng(8)
    main, points = stats.multivariate_normal(np.full(D, 0.3), 0.1**2), rng.random((25, D))
    top = main.logpdf(main.mean)

    def explained(places: np.ndarray) -> np.ndarray:
        return np.asarray(main.logpdf(places))

    def followed(level: np.ndarray) -> np.ndarray:
        return ascents.unexplained_from(level - top) + top

    found = UnseenModes(points, explained(points), 0.0)
    nearby, known = found.telling_places(8), found.as_followed(explained, followed).telling_places(8)
    centres = rng.random((2000, D))

    def betrayed(places: np.ndarray) -> float:
        mode = np.log(0.1) + np.array([stats.norm.logpdf(p, centres, 0.06).sum(1) for p in places])
        return float((mode > followed(explained(places))[:, None]).any(0).mean())

    assert betrayed(known) > betrayed(nearby) + 0.03


def test_modes_are_hunted_where_a_hunt_may_rule_a_good_part_of_them_out_and_wider_ones_where_narrow_ones_are_out_of_reach():
    d = 10
    points = np.random.default_rng(5).random((60, d))

    def known(sd: float, at: np.ndarray = points) -> UnseenModes:
        return UnseenModes(at, stats.multivariate_normal(np.full(d, 0.4), sd**2).logpdf(at), 0.0)

    widths = [known(sd).in_reach(MOST_LOOKS * d, (WIDTH, *WIDER)) for sd in (0.06, 0.1, 0.2)]
    assert widths == [WIDTH, *WIDER], "the flatter the posterior, the less a look rules out"
    gathered = known(0.4, 0.5 + 0.3 * (points - 0.5))
    assert gathered.unseen(max(WIDER), MASS) > 0.9
    assert gathered.in_reach(MOST_LOOKS * d, (WIDTH, *WIDER)) == 0.0
    assert known(0.06).in_reach(2, (WIDTH, *WIDER)) == 0.0


def test_a_hunt_in_a_large_space_is_for_the_narrowest_modes_in_reach_not_only_for_wide_ones_that_have_all_but_shown():
    d = 8
    points = 0.5 + 0.8 * (np.random.default_rng(5).random((70, d)) - 0.5)
    known = UnseenModes(points, stats.multivariate_normal(np.full(d, 0.4), 0.08**2).logpdf(points), 0.0)
    found = known.in_reach(MOST_LOOKS * d, GRADED, promised=PROMISED_FAR)
    assert WIDTH < found < min(WIDER)
    assert known.unseen(found, MASS) > 0.4
    assert known.unseen(min(WIDER), MASS) < 0.1
    assert known.in_reach(MOST_LOOKS * d, [w for w in GRADED if w < found], promised=PROMISED_FAR) == 0.0


@pytest.mark.loops
def test_other_modes_are_hunted_before_the_first_certification_and_with_runs_added_later():
    loop = make_loop("default", LoopSettings(np.full(D, -2.0), np.full(D, 2.0), seed=4, max_evaluations=120))

    def go() -> list[str]:
        made = []
        while not loop.finished:
            for ask in loop.ask():
                made.append(ask.purpose)
                loop.tell(Tell(ask.index, ask.u, float(MAIN.logpdf(ask.u))))
        loop.update()
        return made

    before = go()
    memory = loop.method.memory
    assert memory.converged
    assert memory.hunted > 0
    assert memory.hunting < WIDTH or memory.hunted >= MOST_LOOKS * D
    assert len(memory.log.told) > FEWEST * D
    assert before.index("certification") > len(before) - 1 - before[::-1].index("exploration")
    loop.extend(120)
    assert loop.finished, "what it was given at first is no wish for more"
    loop.extend(len(memory.log.told) + 6)  # fewer than it was given at first, and more than it took
    copy = make_loop("default", loop.method.settings)
    copy.restore(loop.state())
    assert not copy.finished
    assert go() == ["exploration"] * 6
    assert further_left(loop.method.memory) == 0
    assert loop.method.memory.converged
