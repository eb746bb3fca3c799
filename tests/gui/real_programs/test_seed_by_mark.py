"""A number that is the program's random seed, marked in its input, becomes @seed@ and no parameter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hands import Hands, NotInSight

pytestmark = [pytest.mark.window]


@pytest.mark.parametrize("typed", ["", "seed", "@seed@"])
def test_a_marked_seed_is_new_in_every_run_and_no_parameter(
    tmp_path: Path, hands_on: Callable[[int, int], Hands], typed: str
) -> None:
    script = tmp_path / "go.sh"
    script.write_text("#!/bin/sh\ncat deck.txt\n")
    script.chmod(0o755)
    (tmp_path / "deck.txt").write_text("rate 0.34\nsimulate(t_end=>28,seed=>4711)\n")
    h = hands_on(1280, 800)
    h.click("New analysis")
    h.type(str(script))
    h.click("It has unknown numbers")
    h.mark("0.34", double=True)
    h.key("Return")
    h.mark("4711", double=True)
    h.wait_for("4711: a new number each run", 5)
    assert h.sees("Make it the seed")
    if typed:
        h.type(typed)
    else:
        h.key("Return")
    assert h.pane("@seed@") is not None
    assert not h.reads("seed1")
    h.table("Value", 0)  # the rate
    with pytest.raises(NotInSight):
        h.table("Value", 1)
