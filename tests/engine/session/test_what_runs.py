"""Which files count as run: a name that the run's own copy answers to is no file beside the analysis."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from bayescope.engine.problem.definition import Simulator, TemplateFile
from bayescope.engine.session.trust.what_runs import what_runs

SIMULATOR = Simulator(command=("sort", "-n", "plate.edp"), templates=(TemplateFile(target="plate.edp", text="@k@"),))


def test_the_original_beside_the_analysis_is_not_what_is_run(tmp_path: Path) -> None:
    before = what_runs(SIMULATOR, tmp_path)
    (tmp_path / "plate.edp").write_text("16.2")
    assert what_runs(SIMULATOR, tmp_path) == before


@pytest.mark.parametrize(
    "other", [{"working_folder": "."}, {"templates": ()}, {"command": ("sort", "./sub/../plate.edp")}],
    ids=["a working folder of its own", "not filled", "by way of another folder"],
)  # fmt: skip
def test_it_is_where_the_program_would_read_it(tmp_path: Path, other: dict[str, object]) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "plate.edp").write_text("16.2")
    found = what_runs(replace(SIMULATOR, **other), tmp_path)  # type: ignore[arg-type]
    assert [f.name.rpartition("/")[2] for f in found.files if f.role == "argument"] == ["plate.edp"]


SCRIPT = Simulator(command=("sh", "model.sh"), templates=(TemplateFile(target="model.sh", text="echo @k@"),))


def test_the_original_of_a_script_that_is_filled_is_not_what_is_run(tmp_path: Path) -> None:
    before = what_runs(SCRIPT, tmp_path)
    (tmp_path / "model.sh").write_text("echo 1")
    assert what_runs(SCRIPT, tmp_path) == before
    assert not before.files


@pytest.mark.parametrize("other", [{"working_folder": "."}, {"templates": ()}], ids=["a working folder of its own", "not filled"])
def test_a_script_that_is_not_filled_is_compared(tmp_path: Path, other: dict[str, object]) -> None:
    (tmp_path / "model.sh").write_text("echo 1")
    found = what_runs(replace(SCRIPT, **other), tmp_path)  # type: ignore[arg-type]
    assert [(f.role, f.name) for f in found.files] == [("script", "model.sh")]
