"""What the desktop shows of a run outside the window: progress on the task-bar entry, a notification when it is done.

Linux: the launcher protocol of Unity over D-Bus, which KDE, Unity and the docks of GNOME read; a notification by the tray,
or where there is none (GNOME) by the desktop portal. Qt 6 offers no task-bar progress on Windows and macOS: there the title of
the window tells it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtDBus import QDBusConnection

ENTRY = "application://bayescope.desktop"
LAUNCHER = "com.canonical.Unity.LauncherEntry"
STEP = 0.005  # smaller changes are not worth a message


def session_bus() -> QDBusConnection | None:
    """The session bus if there is one running; never starts one."""
    if not sys.platform.startswith("linux"):
        return None
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if not os.environ.get("DBUS_SESSION_BUS_ADDRESS") and not (runtime and Path(runtime, "bus").exists()):
        return None
    try:
        from PySide6.QtDBus import QDBusConnection
    except ImportError:  # a Qt built without it
        return None
    bus = QDBusConnection.sessionBus()
    return bus if bus.isConnected() else None


class TaskBarProgress:
    """``show`` a share from 0 to 1 on the task-bar entry; None takes it away."""

    def __init__(self) -> None:
        self._shown: float | None = None

    def show(self, share: float | None) -> None:
        if share is not None and self._shown is not None and abs(share - self._shown) < STEP:
            return
        if share is None and self._shown is None:
            return
        self._shown = share
        bus = session_bus()
        if bus is None:
            return
        from PySide6.QtDBus import QDBusMessage

        message = QDBusMessage.createSignal("/com/canonical/unity/launcherentry/bayescope", LAUNCHER, "Update")
        message.setArguments([ENTRY, {"progress": float(share or 0.0), "progress-visible": share is not None}])
        bus.send(message)


def notify_by_portal(title: str, words: str) -> bool:
    """Ask the desktop portal for a notification; False where there is no session bus. Nobody waits for the answer."""
    bus = session_bus()
    if bus is None:
        return False
    from PySide6.QtDBus import QDBusMessage

    message = QDBusMessage.createMethodCall(
        "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Notification",
        "AddNotification",
    )  # fmt: skip
    message.setArguments(["bayescope-run", {"title": title, "body": words}])
    return bus.send(message)
