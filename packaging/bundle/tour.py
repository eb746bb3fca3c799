"""The tour of the first start walked by clicks in the packed application, as prove.py asks for it: what is clicked is looked for
on the screen, by the colours of the button that has the focus.
"""

from __future__ import annotations

import contextlib
import sqlite3
import sys
import time
from pathlib import Path

from bare_system import HEIGHT, PIXEL, BareSystem, Screen, click, focus, wait_for

ROOT = Path(__file__).resolve().parents[2]
BUBBLES = 5
LEAST = 40  # pixels that a button is wide at least
STEADY_S = 0.6  # nothing has moved on the screen for so long: the next bubble stands
LONGEST_RUN_S = 600.0  # of the tour's example, on a busy machine


def colours(theme: str) -> tuple[bytes, bytes]:
    """Of the button that goes on and of the frame around it when it has the focus, as they stand in the screen's memory."""
    sys.path.insert(0, str(ROOT / ".dev"))
    from bayescope.gui.style.colours import DARK, LIGHT

    of = DARK if theme == "dark" else LIGHT
    return tuple(bytes.fromhex(text[5:7] + text[3:5] + text[1:3]) for text in (of.accent, of.text))  # type: ignore[return-value]


def button(screen: Screen, theme: str) -> tuple[int, int] | None:
    """The middle of the button that has the focus and goes on; None where none is on the screen."""
    fill, frame = colours(theme)
    for y in range(HEIGHT):
        row = screen.row(y)
        pixels = [row[k : k + 3] for k in range(0, len(row), PIXEL)] if fill in row else []
        run = 0
        for x, pixel in enumerate(pixels):
            if pixel == fill:
                run += 1
                continue
            if run >= LEAST and pixel == frame and pixels[x - run - 1] == frame:
                return (x - run // 2, y + 6)
            run = 0
    return None


def steady(screen: Screen, theme: str, seconds: float) -> tuple[int, int]:
    """The same button in the same place twice, and what is around it unchanged."""
    last: list[object] = [None]

    def same() -> tuple[int, int] | None:
        now = button(screen, theme)
        seen = (now, screen.row(now[1] - 40)) if now else None
        before, last[0] = last[0], seen
        if now is None or before != seen:
            time.sleep(STEADY_S)
            return None
        return now

    found = wait_for(f"a button that goes on with the tour, {theme}", same, seconds)
    assert isinstance(found, tuple)
    return found


def walk(system: BareSystem, screen: Screen, program: str, theme: str) -> str:
    """From the first start ever to the answer; the last line of its log. Ends the program where it does not go on."""
    home = f"/home/scientist/tour-{theme}"
    process = system.start(program, "--theme", theme, BAYESCOPE_HOME=home)
    wait_for("the first window", screen.painted)
    focus("Bayescope")
    for number in range(BUBBLES + 2):  # take it, two clicks on the bubble of the runs, done
        x, y = steady(screen, theme, LONGEST_RUN_S)
        click(x, y)
        time.sleep(STEADY_S if number else 2 * STEADY_S)
    wait_for("the last bubble goes", lambda: button(screen, theme) is None, 20.0)
    draft = max(system.home(f"tour-{theme}/drafts").glob("*.bayescope"), key=lambda p: p.stat().st_mtime)
    with contextlib.closing(sqlite3.connect(f"file:{draft}?mode=ro", uri=True)) as connection:
        said = [text for (text,) in connection.execute("SELECT text FROM run_log ORDER BY id")]
    process.kill()
    process.wait()
    wait_for("the screen is empty again", lambda: not screen.painted(), 20.0)
    return str(said[-1])
