"""A script with parameters in it is started by its own name in the run's folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bayescope.engine.simulator.run_folder import write_texts


@pytest.mark.skipif(sys.platform == "win32", reason="scripts have endings there")
def test_a_filled_script_can_be_started_and_another_text_cannot(tmp_path: Path) -> None:
    write_texts(tmp_path, {"bin/run.sh": "#!/bin/sh\necho 3.5\n", "deck.txt": "E 3.5\n"})
    assert subprocess.run(["./bin/run.sh"], cwd=tmp_path, capture_output=True, check=True).stdout == b"3.5\n"
    assert not os.access(tmp_path / "deck.txt", os.X_OK)
