"""How long a run took, and when it was, is no result of it: not proposed as an output, and no sign of a random program."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.marks.each import each_number
from bayescope.engine.problem.marks.find_quantities import find_quantities
from bayescope.engine.problem.marks.mark import Mark
from bayescope.engine.problem.marks.quantity import Quantity
from bayescope.engine.problem.run_times import says_run_time, surely_run_time, without_times
from bayescope.engine.simulator.written_texts import difference


@pytest.mark.parametrize(
    "words", ["elapsed", "Elapsed time", "CPU seconds", "cpu_s", "wall clock", "wall_time_s", "walltime", "run time", "runtime",
              "real time", "sys time", "Solver time [s]", "execution time", "Time taken", "t_cpu"],
)  # fmt: skip
def test_labels_of_how_long_a_run_took_are_known(words: str) -> None:
    assert says_run_time(words)


@pytest.mark.parametrize(
    "words", ["time", "t (h)", "wall temperature", "wall_T", "CPU temperature", "travel time", "residence time", "date", "T_10cm",
              "simulation time", "took_off"[:2], "user", "relapsed", "recpu"],
)  # fmt: skip
def test_simulated_times_and_other_quantities_are_none(words: str) -> None:
    assert not says_run_time(words)


def test_time_elapsed_in_an_experiment_may_be_meant() -> None:
    assert not surely_run_time("elapsed hours")
    assert surely_run_time("elapsed CPU time")


TABLE = "step  T_10cm  cpu_s  elapsed\n 1  10.5  0.{0}1  0\n 2  11.5  0.{0}7  3\n 3  12.{0}  0.{0}9  6\n"


def named(text: str, other: str | None) -> tuple[str, ...]:
    mark = Mark(text, 2, 2, "stdout", other)
    return mark.offers("table")[0].names


def test_a_table_is_proposed_without_the_column_of_processor_time() -> None:
    here, there = TABLE.format(3), TABLE.format(4)
    assert named(here, there) == ("step", "T_10cm", "elapsed"), "what is elapsed is the same in both runs: it is simulated"
    assert named(here, None) == ("step", "T_10cm", "elapsed")
    assert named(here, there.replace("  6\n", "  7\n")) == ("step", "T_10cm")
    start = here.index("0.31")
    column = Mark(here, start, start + 4, "stdout", there).offers("column")[0]
    assert column.names == ("cpu_s",), "whoever clicks it gets it"


def test_lines_that_tell_of_the_run_are_left_out_of_several_labelled_ones() -> None:
    text = "yield = 3.25\nloss = 0.75\nelapsed time = 0.32\nCPU seconds = 0.31\n"
    found = each_number(Mark(text, 0, len(text) - 1))
    assert [one.name for one in found.found] == ["yield", "loss"]
    assert found.left == 0


def test_a_measured_quantity_is_not_looked_for_in_how_long_the_run_took() -> None:
    text = "CPU time 1.25\nsettling time 3.5\n"
    found, missing = find_quantities([Quantity("Settling time", "s", 3.4, 1)], {"stdout": text}, {})
    assert [one.proposal.values for one in found] == [(3.5,)]
    assert not missing
    assert find_quantities([Quantity("time", "s", 1.2, 1)], {"stdout": text.splitlines()[0]}, {})[1]


def test_texts_that_differ_in_times_alone_are_the_same() -> None:
    one = ["run of 2026-11-27 14:03:22", "T = 3.5", "elapsed 0.31 s"]
    assert difference({"out": one}, {"out": ["run of 2026-11-28 09:00:01", "T = 3.5", "elapsed 0.47 s"]}) is None
    found = difference({"out": one}, {"out": ["run of 2026-11-28 09:00:01", "T = 3.6", "elapsed 0.47 s"]})
    assert found is not None
    assert found.one == "T = 3.5"
    assert without_times("at 14:03 the flow was 3.5") == "at  the flow was 3.5"
