"""No test writes to the user's home folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# one of each kind that could: matplotlib and ArviZ (caches), Qt (settings), the engine (logs), the command line (key, log)
SOME = (
    "tests/engine/report/test_export.py::test_netcdf_is_read_by_arviz_conventions",
    "tests/engine/report/test_export.py::test_a_support_bundle_holds_logs_and_versions_and_no_data_unless_wanted",
    "tests/engine/report/test_report.py::test_the_summary_keeps_its_last_column_on_a_page_of_1000_pixels",
    "tests/gui/window/test_help_window.py::test_no_picture_makes_a_small_help_window_scroll_sideways",
    "tests/gui/window/test_problem_export.py::test_a_problem_file_is_written_and_opened_again_with_paths_that_still_hold",
    "tests/engine/app/test_worker_tasks.py::test_a_row_of_an_archive_is_recomputed_by_the_simulator",
    "tests/engine/app/test_cli.py::test_evaluations_exported_as_a_table_are_imported_into_another_session",
)  # fmt: skip


def test_tests_leave_an_empty_home_folder_empty(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "BAYESCOPE", "PYTEST", "MPL"))}
    pyenv = {"PYENV_ROOT": os.environ["PYENV_ROOT"]} if "PYENV_ROOT" in os.environ else {}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", *SOME],
        cwd=ROOT, env={**kept, **pyenv, "HOME": str(home)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]
    assert sorted(str(p.relative_to(home)) for p in home.rglob("*")) == []
