"""From New analysis to samples.csv with the keyboard alone, at 1024 x 700, and at 1440 x 900 with a scale of 200 %: no mouse, and
no Alt key means two things."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from page_views import AT_200_PERCENT, seen
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QAbstractButton, QPushButton, QTabBar, QWidget

from hands import Hands
from hands.find import plain, words_on
from hands.run import ended

pytestmark = [pytest.mark.journeys, pytest.mark.window, pytest.mark.timeout(300)]
SCRIPT = r"""#!/bin/sh
# a tank that runs dry, hourly
awk '
    $1 == "rate" {r = $2}
    $1 == "start" {s = $2}
    END {
        print "hours  level  outflow"
        for (h = 0; h <= 12; h++) printf "%d.0  %.5f  %.5f\n", h, s * exp(-r * h), r * s * exp(-r * h)
    }' < tank.txt
"""
INPUT = "# tank behind the mill\nrate 0.20\nstart 4.0\narea 12.5\n"
TRUTH = (0.15, 3.5)
HOURS = (1.0, 2.0, 3.0, 5.0, 7.5, 9.0, 11.5)  # some between the rows of the program
MOST_TABS = 60


def measured() -> str:
    level = [TRUTH[1] * np.exp(-TRUTH[0] * h) for h in HOURS]
    return "hours,level\n" + "".join(f"{h},{v:.3f}\n" for h, v in zip(HOURS, level, strict=True))


def alt_keys(hands: Hands) -> list[str]:
    """Those of all that can be pressed now."""
    buttons = [b for b in hands.seen(QAbstractButton) if b.isEnabled() and not isinstance(b.parent(), QTabBar)]
    texts = [b.text() for b in buttons]
    for bar in hands.seen(QTabBar):
        texts += [bar.tabText(k) for k in range(bar.count()) if bar.isTabVisible(k)]
    return [key for text in texts if (key := QKeySequence.mnemonic(text).toString())]


def no_key_twice(hands: Hands) -> None:
    assert [key for key, times in Counter(alt_keys(hands)).items() if times > 1] == []


def tab_to(hands: Hands, words: str, kind: type[QWidget] = QPushButton) -> None:
    """Tab until what is called so has the focus; it is in sight then."""
    for _ in range(MOST_TABS):
        hands.key("Tab")
        now = hands.cursor()
        if isinstance(now, kind) and any(plain(words) in plain(said) for said in words_on(now)):
            assert not now.visibleRegion().isEmpty()
            return
    raise AssertionError(f"Tab does not come to {words!r}")


def mark_found(hands: Hands, what: str) -> None:
    """Ctrl+F, the words, Return; Escape; Return marks them."""
    hands.key("Ctrl+F")
    hands.type(what)
    hands.key("Esc")
    hands.key("Return")


@pytest.mark.parametrize("size", [(1024, 700), AT_200_PERCENT], ids=["small", "200 percent"])
def test_the_whole_way_by_keyboard(tmp_path: Path, hands_on: Callable[[int, int], Hands], size: tuple[int, int]) -> None:
    script, data, samples = tmp_path / "tank.sh", tmp_path / "level.csv", tmp_path / "samples.csv"
    script.write_text(SCRIPT)
    script.chmod(0o755)
    (tmp_path / "tank.txt").write_text(INPUT)
    data.write_text(measured())
    h = hands_on(*size)
    h.window.activateWindow()  # as a window manager does: Alt keys are those of the active window
    h.wait(h.window.isActiveWindow, 10)

    no_key_twice(h)
    h.key("Alt+N")
    h.wait_for("Choose the program of your model")
    h.type(str(script))
    h.key("Alt+K")  # It has unknown numbers: tank.txt lies beside the script
    for number, name in (("0.20", "rate"), ("4.0", "start")):
        mark_found(h, number)
        h.type(name)
    no_key_twice(h)
    h.key("F5")
    h.wait_for("Mark numbers")
    tab_to(h, "Mark numbers")
    h.key("Return")
    h.wait_for("Line 1 of")
    mark_found(h, "level")
    assert h.reads("Reads 13 numbers: 4, ")
    tab_to(h, "Column", QAbstractButton)
    h.key("Right")
    h.wait_for("Add 3 outputs")
    no_key_twice(h)
    h.key("Alt+A")

    h.key("Ctrl+3")
    tab_to(h, "Open a data file")
    h.file_by_key("Return", data)
    h.wait_for("Use this table")
    no_key_twice(h)
    h.key("Alt+U")
    h.wait_for("measured rows have no row of")
    h.wait_for("Interpolate over hours")
    no_key_twice(h)
    h.key("Alt+I")
    h.wait_for("How large are the errors")
    h.key("Alt+Y")  # Say how large
    h.type("0.05")
    h.wait_for("rows compared")
    no_key_twice(h)
    h.picture(tmp_path / "data.png")

    h.key("Ctrl+2")
    for low, high in (("0.02", "0.5"), ("1", "8")):
        h.type(low, end="Tab")
        h.type(high, end="Tab")
    h.wait_for("2 to learn", 5)
    no_key_twice(h)

    h.key("Ctrl+4")
    no_key_twice(h)
    assert seen(h.find("Start", QPushButton)), "Run is never out of reach"
    h.key("Alt+S")
    h.wait(lambda: ended(h), 200)
    no_key_twice(h)
    h.picture(tmp_path / "run.png")
    h.key("Ctrl+5")
    h.wait_for("Log evidence")
    h.wait(lambda: not h.reads("The summary is being computed"), 30)
    no_key_twice(h)
    h.key("Alt+6")
    tab_to(h, "Save posterior samples")
    h.file_by_key("Return", samples)
    h.wait(samples.exists)
    draws = np.loadtxt(samples, delimiter=",", skiprows=1, usecols=(0, 1))
    assert np.all(np.abs(draws.mean(0) - TRUTH) < 3 * draws.std(0))
    assert not [action for action in h.actions if action.startswith(("click", "drag", "double", "tab", "cell", "choose"))]
