import os
from pathlib import Path
import msgspec, pytest
from data_pages import PROBLEM, click, column, opened, trial_run
from PySide6.QtWidgets import QApplication
from bayescope.engine.problem import definition as d
from bayescope.gui.style.theme import theme
import sys; sys.path.insert(0, str(Path(__file__).parent))
from test_clicked_titles import TABLE, say, press

OUT=Path("/tmp/pics"); OUT.mkdir(exist_ok=True)
@pytest.fixture
def problem():
    return msgspec.structs.replace(PROBLEM, outputs=(column("x", 0), column("u", 1), column("v", 2)))
@pytest.fixture
def size(): return (980,640)

@pytest.mark.parametrize("mode",["light","dark"])
def test_pics(qtbot, page, controller, tmp_path, engines, mode):
    theme.install(QApplication.instance()); theme.choose(mode)
    shot=lambda n: (QApplication.processEvents(), page.grab().save(str(OUT/f"{n}_{mode}.png")))
    trial_run(page, engines, "10 1.4 7.1\n20 2.6 8.1\n30 3.4 9.1\n40 4 10\n")
    opened(page, tmp_path/"m.csv", TABLE)
    shot("fresh")
    m=press(qtbot,page,"reading"); m.grab().save(str(OUT/f"menu_{mode}.png")); m.close()
    say(qtbot, page, "reading", "Key or time"); say(qtbot, page, "scatter (V)", "Errors"); say(qtbot, page, "v (A)", "Ignored")
    shot("said")
    opened(page, tmp_path/"bad.csv", "hello\nworld this is\nno table\n")
    shot("bad")
    opened(page, tmp_path/"d.csv", "date;c;c95\n2021-01-01;<0.5;\n2021-01-02;1,2;0,3\n2021-02-03;1,4;0,3\n2021-03-04;2,2;0,3\n")
    shot("dates")
    opened(page, tmp_path/"u.csv", "x,u,U(k=2)\n10,1.5,0.2\n20,2.5,0.2\n30,3.1,0.4\n")
    shot("coverage")
    opened(page, tmp_path/"lim.csv", "x,u,u low,u high\n10,1.5,1.2,1.8\n20,2.5,2.1,2.9\n30,3.5,3.3,3.7\n")
    shot("limits")
    opened(page, tmp_path/"mon.csv", "date,u,v\n03/04/2021,1.5,1.2\n04/05/2021,2.5,2.1\n05/06/2021,3.5,3.3\n")
    shot("month")
    opened(page, tmp_path/"m2.csv", "node,u,v\nB-7,3.1,9.3\nA1,1.5,8.6\nA2,2.5,9.2\n")
    controller.problem.edit("x", outputs=(column("u",1),column("v",2)))
    trial_run(page, engines, "A1 1.4 8.9\nA2 2.6 9.1\nB-7 3.0 9.0\n")
    click(qtbot, page.importer.use)
    shot("added")
    theme.choose("light")
