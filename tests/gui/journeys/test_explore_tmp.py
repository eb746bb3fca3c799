import shutil, sys
from pathlib import Path
import pytest
from hands import Hands
from hands.run import MOST_ACTIONS, set_priors
pytestmark = [pytest.mark.window, pytest.mark.timeout(400)]
STUDY = Path(__file__).parent / "cell"

def test_explore(tmp_path, empty_window):
    shutil.copytree(STUDY, tmp_path / "study"); study = tmp_path / "study"
    h = Hands(empty_window(1280, 800))
    h.click("New analysis")
    h.type(f"{sys.executable} {study / 'cell.py'} {study / 'k17.deck'}")
    print("\n== 1"); print(h.read())
    h.picture(Path("/tmp/p1.png"))
    h.click("It has unknown numbers")
    deck = h.pane("one diode")
    for number in ("3.000", "0.0200", "20.0 "):
        h.mark(number, double=True, pane=deck)
        print("\n== 2"); print(h.read())
        h.key("Return")
    h.picture(Path("/tmp/p2.png"))
    h.click("Test run")
    h.wait_for("Mark numbers")
    h.click("Mark numbers")
    print("\n== 3"); print(h.read())
    h.mark("I  ", pane=h.pane("IRRADIANCE"), after="1000.0 W/m2")
    print("\n== 4"); print(h.read())
    h.picture(Path("/tmp/p4.png"))
    h.mark("IRRADIANCE", pane=h.pane("IRRADIANCE"))
    print("\n== 5"); print(h.read())
    h.picture(Path("/tmp/p5.png"))
    h.click("Add all 2 tables: 6 outputs")
    h.picture(Path("/tmp/p6.png"))
    print("\n== 6"); print(h.read())
    h.click("Data")
    h.file("Open a data file", study / "k17.csv")
    h.wait_for("Use this table")
    print("\n== 7"); print(h.read())
    h.picture(Path("/tmp/p7.png"))
    h.click("Use this table")
    print("\n== 8"); print(h.read())
    h.picture(Path("/tmp/p8.png"))
    print(h.actions, len(h.actions))
