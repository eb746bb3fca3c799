"""Started where no window can be shown: a sentence and exit status 1, as the manual page promises; no abort, no core dump."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bayescope.gui.system.display import why_no_window

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the display is a matter of Linux")
NAMES = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_RUNTIME_DIR")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)"),
        ({"DISPLAY": ":4711"}, "DISPLAY=:4711 cannot be opened"),
        ({"WAYLAND_DISPLAY": "wayland-4711"}, "WAYLAND_DISPLAY=wayland-4711 does not answer"),
    ],
)
def test_without_a_display_it_says_so_and_ends_with_status_one(
    given: dict[str, str], words: str, application_home: Path, tmp_path: Path
) -> None:
    kept = {name: value for name, value in os.environ.items() if name not in NAMES}
    environment = {**kept, **given, "XDG_RUNTIME_DIR": str(tmp_path)}
    command = [sys.executable, "-P", "-m", "bayescope.gui"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert "bayescope --help" in done.stderr


def test_a_display_that_answers_and_a_platform_that_was_named_are_left_to_qt(tmp_path: Path) -> None:
    assert why_no_window([], {"QT_QPA_PLATFORM": "offscreen"}) == ""
    assert why_no_window(["-platform", "offscreen"], {}) == ""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "w"))
        server.listen()
        assert why_no_window([], {"WAYLAND_DISPLAY": "w", "XDG_RUNTIME_DIR": str(tmp_path)}) == ""
