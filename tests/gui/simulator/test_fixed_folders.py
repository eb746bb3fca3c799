"""Files of a case keep their folders: fixed files, input files, and whole folders that are put into each run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.simulator.files.fixed_files import fixed_files, whole_folder
from bayescope.gui.pages.simulator.page import SimulatorPage

pytestmark = pytest.mark.window


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """Of OpenFOAM: a script beside folders."""
    for name in ("Allrun", "0/T", "constant/transportProperties", "system/controlDict", "post/0/T", ".hidden"):
        (tmp_path / "case" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "case" / name).write_text("value uniform 400;\n")
    return tmp_path / "case"


def targets(files: tuple[d.ExtraFile, ...]) -> list[str]:
    return [f.target or Path(f.path).name for f in files]


def test_files_below_the_folder_of_the_program_keep_their_path_from_there(case: Path, tmp_path: Path) -> None:
    simulator = d.Simulator(command=(str(case / "Allrun"),))
    chosen = [case / "constant/transportProperties", case / "mesh"]
    assert targets(fixed_files(chosen, simulator, tmp_path)) == ["constant/transportProperties", "mesh"]
    assert targets(fixed_files([tmp_path / "other/steam.dat"], simulator, tmp_path)) == ["steam.dat"]


def test_without_a_program_of_the_user_s_the_common_folder_counts_and_so_does_that_of_earlier_files(case: Path) -> None:
    simulator = d.Simulator(command=("simpleFoam",))
    first = fixed_files([case / "0/T", case / "system/controlDict"], simulator, case)
    assert targets(first) == ["0/T", "system/controlDict"]
    more = d.Simulator(command=("simpleFoam",), extra_files=first)
    assert targets(fixed_files([case / "constant/transportProperties"], more, case)) == ["constant/transportProperties"]


def test_the_folder_of_the_program_is_put_there_without_its_script_and_its_results(case: Path, tmp_path: Path) -> None:
    simulator = d.Simulator(command=(str(case / "Allrun"),))
    assert targets(whole_folder(case, simulator, tmp_path, ("post/0/T",))) == ["0", "constant", "system"]
    assert targets(whole_folder(case / "constant", simulator, tmp_path)) == ["constant"]


def test_an_input_file_in_a_folder_of_the_case_is_written_there_in_each_run(
    show: Callable[..., None], real_controller: SessionController, case: Path
) -> None:
    page = SimulatorPage(real_controller)
    show(page, 1280, 720)
    real_controller.problem.edit("x", simulator=d.Simulator(command=(str(case / "Allrun"),)))
    page.inputs.templates.open_file(case / "0/T")
    page.inputs.templates.open_file(case / "constant/transportProperties")
    written = [t.target for t in real_controller.problem.declared.simulator.templates]
    assert written == ["0/T", "constant/transportProperties"]
    page.program.add_folder(case / "system")
    (extra,) = real_controller.problem.declared.simulator.extra_files
    assert (extra.path, extra.target) == (str(case / "system"), "")
