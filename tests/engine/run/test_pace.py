"""Elapsed and remaining time from a clock that the tests turn."""

from __future__ import annotations

import pytest

from bayescope.engine.run.pace import Pace


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_pauses_do_not_count_and_earlier_starts_do():
    clock = Clock()
    pace = Pace(50.0, clock)
    clock.now += 10
    pace.pause()
    clock.now += 1000
    assert pace.elapsed_s == 60
    pace.go_on()
    clock.now += 5
    assert pace.running_s == 15
    assert pace.elapsed_s == 65


def test_while_a_place_does_not_answer_time_goes_on_but_the_pace_stays():
    clock = Clock()
    pace, heard = Pace(0.0, clock), Pace(0.0, clock)
    for _ in range(20):
        clock.now += 3.0
        pace.arrived(2.5)
        heard.arrived(2.5)
    before = pace.remaining(10)
    pace.silence(True)
    clock.now += 1000.0
    assert pace.elapsed_s == 1060
    assert pace.remaining(10) == before
    pace.silence(False)
    clock.now += 3.0
    pace.arrived(2.5)
    assert pace.remaining(10) == pytest.approx(before, rel=0.1)
    heard.arrived(2.5)
    assert heard.remaining(10)[1] > 10 * before[1]


def test_a_steady_pace_gives_a_narrow_range_around_what_is_left():
    clock = Clock()
    pace = Pace(0.0, clock)
    assert pace.remaining(10) is None
    for _ in range(20):
        clock.now += 3.0
        pace.arrived(2.5)
    low, high = pace.remaining(10)
    assert low == pytest.approx(30)
    assert 30 <= high <= 40
    assert pace.remaining(0) == (0.0, 0.0)


def test_an_unsteady_pace_gives_a_wide_range_that_holds_the_mean():
    clock = Clock()
    pace = Pace(0.0, clock)
    for k in range(30):
        clock.now += 1.0 if k % 2 else 9.0
        pace.arrived(0.5)
    low, high = pace.remaining(20)
    assert low < 100 < high
    assert high > 130


def test_where_runs_to_come_are_expected_to_take_longer_more_time_is_left():
    clock = Clock()
    pace = Pace(0.0, clock)
    for _ in range(20):  # two at once, and a second of computing for each
        clock.now += 3.0
        pace.arrived(4.0)
    pace.expected_s = 24.0
    low, high = pace.remaining(10, at_once=2)
    assert low == pytest.approx(10 * (1.0 + 24.0 / 2))
    assert high == pytest.approx(1.2 * 130)
    pace.expected_s = 1e-3
    assert pace.remaining(10, at_once=1)[0] == pytest.approx(3.0), "a tenth of the pace so far at least"


def test_from_the_first_run_of_a_batch_the_time_left_lies_between_all_at_once_and_one_by_one():
    clock = Clock()
    pace = Pace(0.0, clock)
    clock.now += 60.0
    pace.arrived(58.0)
    low, high = pace.remaining(39, at_once=16)
    assert low == pytest.approx(58.0 / 16 * 39)
    assert high == pytest.approx(1.2 * 60.0 * 39)
    for _ in range(7):
        pace.arrived(58.0)
    assert pace.remaining(32, at_once=16)[1] == pytest.approx(1.2 * 60.0 / 8 * 32)
    clock.now += 60.0  # nothing more came: the queue lets only eight run
    assert pace.remaining(32, at_once=16)[1] == pytest.approx(1.2 * 120.0 / 8 * 32)


def test_runs_that_an_earlier_start_began_and_that_return_together_are_not_taken_for_fast_ones():
    clock = Clock()
    pace = Pace(300.0, clock)
    clock.now += 0.5
    for _ in range(8):
        pace.arrived(58.0)
    low, high = pace.remaining(24, at_once=8)
    assert 0.9 * 58.0 / 8 * 24 < low < 58.0 / 8 * 24 < high


@pytest.mark.parametrize("made", [50, 70, 90])
def test_computing_that_takes_longer_with_every_run_is_foretold_to_do_so(made: int):
    clock, gaps = Clock(), [1.0 + 0.005 * k + (0.3, -0.3)[k % 2] for k in range(140)]  # as of a program of 1 s on two cores
    pace = Pace(0.0, clock)
    for gap in gaps[:made]:
        clock.now += gap
        pace.arrived(1.5)
    found = pace.remaining(140 - made, at_once=2)
    assert found is not None
    low, high = found
    left = sum(gaps[made:])
    assert low < left < high
    assert 0.5 * (low + high) == pytest.approx(left, rel=0.2)


def test_runs_that_come_more_quickly_are_not_foretold_to_take_no_time():
    clock = Clock()
    pace = Pace(0.0, clock)
    for k in range(40):
        clock.now += 2.0 - 0.04 * k
        pace.arrived(0.1)
    assert pace.remaining(60)[0] > 20.0


def test_the_time_since_the_last_arrival_is_told_without_pauses_and_silences():
    clock = Clock()
    pace = Pace(50.0, clock)
    clock.now += 3.0
    assert pace.since_s == 3.0, "nothing has come back since the start"
    pace.arrived(2.0)
    clock.now += 4.0
    pace.pause()
    clock.now += 100.0
    pace.go_on()
    pace.silence(True)
    clock.now += 100.0
    assert pace.since_s == 4.0
