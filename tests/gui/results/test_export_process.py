"""An export in a process of its own: what it says went wrong is heard, and ending it leaves nothing, at any moment."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from line_session import saved

from bayescope.gui.analysis.export_process import ExportFailed, ExportProcess, _clear_away


def test_what_the_command_says_is_the_reason(tmp_path: Path) -> None:
    no_session = tmp_path / "x.bayescope"
    no_session.write_bytes(b"\x89PNG")
    with pytest.raises(ExportFailed, match=r"^[A-Z]") as failed:
        ExportProcess().run(no_session, "--report", tmp_path / "r.html", 100, 0)
    assert "Traceback" not in str(failed.value)
    assert not (tmp_path / "r.html").exists()


@pytest.mark.parametrize("delay", [0.0, 0.3, 1.0])
def test_ended_at_some_moment_it_leaves_the_whole_file_or_nothing(tmp_path: Path, delay: float) -> None:
    session, folder = saved(tmp_path / "line.bayescope"), tmp_path / "out"
    folder.mkdir()
    process = ExportProcess()
    writing = threading.Thread(target=process.run, args=(session, "--report", folder / "r.html", 100, 0))
    writing.start()
    time.sleep(delay)
    process.cancel()
    writing.join(30)
    assert [p.name for p in folder.iterdir()] == ([] if process.cancelled else ["r.html"])


def test_cancelled_before_it_begins_nothing_is_started(tmp_path: Path) -> None:
    process = ExportProcess()
    process.cancel()
    process.run(tmp_path / "missing.bayescope", "--report", tmp_path / "r.html", 100, 0)
    assert not list(tmp_path.iterdir())


def test_only_what_was_begun_since_is_cleared_away(tmp_path: Path) -> None:
    mine, other, whole = tmp_path / ".r[1].html.0a1b2c3d.part", tmp_path / ".r2.html.0a1b2c3d.part", tmp_path / "r[1].html"
    for path in (mine, other, whole):
        path.write_text("x")
    _clear_away(whole, time.time() + 3600)
    assert mine.exists()
    _clear_away(whole, time.time())
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted((other.name, whole.name))
