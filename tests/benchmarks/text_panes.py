"""How long a text pane keeps one waiting. Run by hand (some seconds): ``python tests/benchmarks/text_panes.py``; it prints.

A file of 100 MB (2.6 million lines) and one with a single line of 20 MB: reading it, showing it, indexing it (in parts: the
longest gap of the event loop counts), to the end, to a line, find what stands in the last line, the next number; memory.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["BAYESCOPE_HOME"] = tempfile.mkdtemp(prefix="bayescope-benchmark-")

import psutil
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from bayescope.engine.problem.text_files import read_text
from bayescope.gui.models.simulator.texts.text_rows import unified
from bayescope.gui.style.theme import theme
from bayescope.gui.widgets.text_pane import TextPane


def timed(words: str, act: Callable[[], object]) -> None:
    begun = time.perf_counter()
    act()
    QApplication.processEvents()
    print(f"  {words:<42}{1e3 * (time.perf_counter() - begun):8.1f} ms")


def until(words: str, done: Callable[[], bool]) -> None:
    """Run the event loop until ``done``: the whole time and its longest gap."""
    begun, longest = time.perf_counter(), 0.0
    while not done():
        at = time.perf_counter()
        QApplication.processEvents()
        longest = max(longest, time.perf_counter() - at)
    print(f"  {words:<42}{1e3 * (time.perf_counter() - begun):8.1f} ms, longest gap {1e3 * longest:.1f} ms")


def measure(title: str, text: str, last: str) -> None:
    print(f"{title}: {len(text) / 1e6:.0f} MB")
    before = psutil.Process().memory_info().rss
    pane = TextPane("Measured")
    pane.resize(900, 700)
    pane.show()
    QTest.qWait(50)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out.txt"
        path.write_text(text)
        found: list[str] = []
        timed("read and decode the file", lambda: found.append(unified(read_text(path, len(text) * 2).text)))
    timed("show it", lambda: pane.set_text(found[0]))
    until("index all of it", lambda: pane.rows.complete)
    timed("Ctrl+End", lambda: QTest.keyClick(pane, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier))
    timed("Ctrl+Home", lambda: QTest.keyClick(pane, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier))
    timed("go to the middle", lambda: pane.show_row(len(pane.rows) // 2))
    for k in range(3):
        timed(f"drag the scroll bar ({k + 1})", lambda k=k: pane._bar.setValue((k + 1) * len(pane.rows) // 5))
    pane.go_to_line(1)
    timed("type what to find, first step", lambda: pane.strip.open_find(last))
    until("find it in the last line", lambda: bool(pane.strip._search and pane.strip._search.complete))
    print(f"  {pane.strip.words.whole}")
    timed("type “0”, first step", lambda: pane.strip.open_find("0"))
    until("find all “0”", lambda: bool(pane.strip._search and pane.strip._search.complete))
    print(f"  {pane.strip.words.whole}")
    pane.strip.close_field()
    timed("next number", pane.step_number)
    timed("previous number", lambda: pane.step_number(False))
    print(f"  memory {(psutil.Process().memory_info().rss - before) / 1e6:.0f} MB, rows laid out {pane.document().blockCount()}")
    pane.deleteLater()


if __name__ == "__main__":
    app = QApplication([])
    theme.install(app)
    lines = 2_600_000
    measure("many lines", "".join(f"{i:8d} {i * 0.37:.6e} {i * 1.1:.3f} abc\n" for i in range(lines)), f"{lines - 1:8d} ")
    measure("one line", ",".join(f"{i * 0.5}" for i in range(2_200_000)), "1099999.5")
