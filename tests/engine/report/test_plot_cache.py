"""Matplotlib's own files lie with the application's, and the user's programs see nothing of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SEEN = """
import os
from bayescope.engine.report.plot_cache import settle
settle()
import matplotlib
print(matplotlib.get_configdir(), matplotlib.get_cachedir(), "MPLCONFIGDIR" in os.environ, sep="\\n")
"""


def test_matplotlib_writes_nothing_in_the_home_of_the_user(tmp_path: Path) -> None:
    given = {k: v for k, v in os.environ.items() if k not in ("MPLCONFIGDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")}
    given |= {"HOME": str(tmp_path / "user"), "BAYESCOPE_HOME": str(tmp_path / "ours")}
    (tmp_path / "user").mkdir()
    done = subprocess.run([sys.executable, "-c", SEEN], env=given, capture_output=True, text=True, timeout=100, check=True)
    assert done.stdout.split() == [str(tmp_path / "ours" / "matplotlib")] * 2 + ["False"]
    assert list((tmp_path / "user").iterdir()) == []
