"""Names of numbers whose key stands on several lines; programs typed by a relative path; modules that a script imports; how far
to the right the numbers of a text stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.marks import Mark
from bayescope.gui.models.simulator.files.loose_files import companions, loose_files
from bayescope.gui.models.simulator.numbers.marked_number import marked_under
from bayescope.gui.models.simulator.outputs.offered import names_of_all
from bayescope.gui.pages.simulator.program import found_relative
from bayescope.gui.widgets.deck_view import reach


@pytest.mark.parametrize(("text", "names"), [
    ("inlet: T = 300\noutlet: T = 350\n", ["T_inlet", "T_outlet"]),
    ("T = 300 # inlet\nT = 350 # outlet\n", ["T_inlet", "T_outlet"]),
    ("# inlet\nT = 300\n# outlet\nT = 350\n", ["T_inlet", "T_outlet"]),
    ("inlet\n  T=300\n  p=1\noutlet\n  T=350\n  p=2\n", ["T_inlet", "p_inlet", "T_outlet", "p_outlet"]),
    ("layer clay: k=0.1 T=3\nlayer sand: k=1.5 T=4\n", ["k_clay", "T_clay", "k_sand", "T_sand"]),
    ("[inlet]\nT = 300\n[outlet]\nT = 350\n", ["T_inlet", "T_outlet"]), ("T=300\nT=350\n", ["T", "T"]),
    ("T = 300 # inlet\nT = 350\n", ["T", "T"]), ("T = 300 # inlet\np = 350 # outlet\n", ["T", "p"]),
])  # fmt: skip
def test_a_key_of_several_lines_is_called_with_what_tells_its_line_from_the_others(text: str, names: list[str]) -> None:
    assert [mark.name for mark in marked_under(text, 0, len(text))] == names


def test_a_program_typed_relative_to_a_folder_is_taken_by_its_full_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    beside, started = tmp_path / "study", tmp_path / "home"
    for folder in (beside / "bin", started / "bin"):
        folder.mkdir(parents=True)
    (beside / "bin" / "model").write_text("")
    (started / "bin" / "other").write_text("")
    monkeypatch.chdir(started)
    assert found_relative("bin/model", beside) == (str(beside / "bin" / "model"), "beside the analysis")
    assert found_relative("./bin/../bin/model", beside) == (str(beside / "bin" / "model"), "beside the analysis")
    assert found_relative("bin/other", beside) == (str(started / "bin" / "other"), "in the folder where Bayescope was started")
    for text in ("model", "", str(beside / "bin" / "model"), "~/bin/model", "bin/none", "a\0/b"):
        assert found_relative(text, beside) is None


def test_modules_beside_a_script_of_python_are_asked_about_with_it(tmp_path: Path) -> None:
    script, text = tmp_path / "run.py", "import numpy, sys\nimport nc2csv\nfrom tools import read\n"
    script.write_text(text)
    for name in ("nc2csv.py", "tools.py"):
        (tmp_path / name).write_text("x = 1\n")
    assert list(companions(script, text)) == ["nc2csv.py", "tools.py"]
    copied = d.Simulator(command=("python3", "run.py"), extra_files=(d.ExtraFile(path=str(script)),))
    assert loose_files(copied, tmp_path) == ["nc2csv.py", "tools.py"]
    assert loose_files(d.Simulator(command=("python3", str(script))), tmp_path) == [], "it finds them where it lies"


def test_the_reach_of_a_text_is_the_end_of_its_farthest_number_but_for_remarks_and_very_long_lines() -> None:
    assert reach("k = 12.5  # until 2030\nlong_name      = 3.25\n" + " " * 150 + "7\n") == len("long_name      = 3.25")
    assert reach("no number at all") == 0


def test_where_only_the_numbers_of_a_table_are_named_its_labels_keep_their_heading() -> None:
    text = "date  depth  T\n2021-05-01  1.0  8.5\n2021-05-02  2.0  8.1\n2021-05-03  3.0  7.9\n"
    at = text.index("8.5")
    offer = Mark(text, at, at, "stdout").offers("table")[0]
    assert [bool(p.texts) for p in offer.proposals] == [True, False, False]
    assert names_of_all(offer, ["z", "temperature"]) == ["date", "z", "temperature"]
    assert names_of_all(offer, ["day", "z", "T"]) == ["day", "z", "T"]
    assert names_of_all(offer, ["z"]) == ["z"]
