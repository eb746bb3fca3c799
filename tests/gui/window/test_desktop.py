"""Progress and notifications on the desktop, heard by a listener on a real session bus of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SENDER = """
import sys, time
from PySide6.QtCore import QCoreApplication
from bayescope.gui.system.desktop import TaskBarProgress, notify_by_portal
app = QCoreApplication([])
bar = TaskBarProgress()
for share in (0.25, 0.251, 0.5, None, None):
    bar.show(share)
print(notify_by_portal("Analysis finished", "It converged."))
for _ in range(20):
    app.processEvents()
    time.sleep(0.02)
"""


@pytest.mark.skipif(shutil.which("dbus-run-session") is None or shutil.which("dbus-monitor") is None, reason="no D-Bus")
def test_progress_and_the_notification_reach_the_desktop(tmp_path: Path) -> None:
    heard = tmp_path / "heard.txt"
    (tmp_path / "send.py").write_text(SENDER)
    script = (
        f"dbus-monitor --session > {heard} & listener=$!; "
        f"for i in $(seq 50); do [ -s {heard} ] && break; sleep 0.1; done; "
        f"{sys.executable} {tmp_path / 'send.py'}; sleep 0.3; kill $listener"
    )
    done = subprocess.run(["dbus-run-session", "--", "sh", "-c", script], capture_output=True, text=True, timeout=60)
    text = heard.read_text()
    assert "True" in done.stdout, done.stderr
    updates = text.split("interface=com.canonical.Unity.LauncherEntry; member=Update")[1:]
    assert len(updates) == 3, "a change too small to see sends nothing, and the end is told once"
    assert "application://bayescope.desktop" in updates[0]
    assert "double 0.25" in updates[0]
    assert "boolean true" in updates[1]
    assert "double 0.5" in updates[1]
    assert "boolean false" in updates[2]
    assert "member=AddNotification" in text
    assert "It converged." in text


def test_without_a_session_bus_nothing_is_started_and_nothing_fails() -> None:
    environment = {k: v for k, v in os.environ.items() if k not in ("DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR")}
    code = "from bayescope.gui.system import desktop as d; d.TaskBarProgress().show(0.5); print(d.notify_by_portal('a', 'b'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, env=environment)
    assert done.stdout.strip() == "False", done.stderr
