"""Which numbers of a text are others in a run at other values, where the two runs print different numbers of lines."""

from __future__ import annotations

import random

from awkward_repeats import MPB, MPB_2

from bayescope.engine.problem.marks.anchors.compare import changed_numbers


def changed(here: str, there: str, label: str) -> list[list[str]]:
    """The numbers that changed in each line that begins with ``label``."""
    spans, start, found = changed_numbers(here, there), 0, []
    for line in here.splitlines(keepends=True):
        if line.startswith(label):
            found.append([here[a:b] for a, b in spans if start <= a < start + len(line)])
        start += len(line)
    return found


def test_an_index_that_never_changes_is_not_marked_though_lines_of_progress_are_more_or_fewer() -> None:
    assert len(MPB.splitlines()) != len(MPB_2.splitlines())
    bands = [line.split(", ")[-4:] for line in MPB.splitlines() if line.startswith("tmfreqs:, ") and "k1" not in line]
    assert changed(MPB, MPB_2, "tmfreqs:, ") == [[], *bands]
    assert changed(MPB, MPB_2, "solve_kpoint") == [[]] * 5


def test_as_many_lines_in_both_runs_are_not_taken_for_the_same_lines() -> None:
    slipped = MPB_2.replace("    linmin: converged after 10 iterations.\n", "", 1)
    assert len(MPB.splitlines()) == len(slipped.splitlines())
    longer = slipped.replace("Solving for bands", "A warning.\nSolving for bands", 1).rsplit("done.\n", 1)[0]
    assert len(MPB.splitlines()) == len(longer.splitlines())
    for there in (slipped, longer):
        assert all(len(numbers) == 4 for numbers in changed(MPB, there, "tmfreqs:, ")[1:])


def test_rows_of_an_index_are_compared_with_the_row_of_the_same_index() -> None:
    here = "".join(f"{i} {i / 4:.3f} node\n" for i in range(1, 9))
    there = here.replace("3 0.750 node\n", "").replace("1.500", "1.625")
    assert [here[a:b] for a, b in changed_numbers(here, there)] == ["1.500"]


def test_a_word_in_the_place_of_a_number_shifts_no_line() -> None:
    here, there = "a 1.5 2.5\nb 3.5 4.5\nc 5.5 6.5\n", "a 1.5 2.5\nb none 4.75\nc 5.5 6.5\n"
    assert [here[a:b] for a, b in changed_numbers(here, there)] == ["4.5"]


def test_long_texts_of_many_shapes_are_compared_as_far_as_it_is_sure() -> None:
    draw = random.Random(1)
    shapes = [draw.choice(("aa %s bb", "cc %s", "dd", "ee %s 7")) for _ in range(20_000)]
    here = "\n".join(shape.replace("%s", f"{k}.5") for k, shape in enumerate(shapes))
    there = "\n".join(shape.replace("%s", f"{k}.5") for k, shape in enumerate(shapes) if draw.random() < 0.95)
    assert changed_numbers(here, there) == []
