"""Linux: can a window be shown here at all? Qt itself aborts where it cannot, and leaves a core dump instead of a sentence."""

from __future__ import annotations

import ctypes
import os
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

PLATFORM_OPTIONS = ("-platform", "--platform")
NO_WINDOW = "Bayescope cannot show its window"
OTHER_WAY = (
    "The commands work without a display: bayescope --help lists them. Over SSH: connect with ssh -X, or copy the file to a "
    "computer with a screen."
)
_held: list[Callable[[], object]] = []  # ends the connection that showed that the display answers


def why_no_window(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> str:
    """A sentence about why no window can be shown; "": it can, or the user has told Qt what to use. Then ``let_go``."""
    if sys.platform != "linux" or environment.get("QT_QPA_PLATFORM") or any(a in PLATFORM_OPTIONS for a in arguments):
        return ""
    wayland, x11 = environment.get("WAYLAND_DISPLAY", ""), environment.get("DISPLAY", "")
    if not wayland and not x11:
        return f"{NO_WINDOW}: there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set). {OTHER_WAY}"
    if wayland and _wayland_answers(wayland, environment.get("XDG_RUNTIME_DIR", "")):
        return ""
    if not x11:
        return f"{NO_WINDOW}: the display WAYLAND_DISPLAY={wayland[:80]} does not answer. {OTHER_WAY}"
    if lacking := _what_qt_lacks():
        return (
            f"{NO_WINDOW}: a library of the system is missing or does not fit ({lacking}). Install it, for "
            "example on Debian and Ubuntu: apt-get install libxcb-cursor0 libxkbcommon-x11-0 libxcb-icccm4 libegl1"
        )
    return "" if _x11_answers(x11) else f"{NO_WINDOW}: the display DISPLAY={x11[:80]} cannot be opened. {OTHER_WAY}"


def _wayland_answers(name: str, runtime: str) -> bool:
    path = name if name.startswith("/") else str(Path(runtime, name))
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(path)
        except OSError:
            return False
    return True


def _what_qt_lacks() -> str:
    """What keeps Qt's part for X11 from being loaded; it is loaded in any case, so that this costs nothing."""
    from PySide6.QtCore import QLibraryInfo

    plugin = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath), "platforms", "libqxcb.so")
    try:
        ctypes.CDLL(str(plugin))
    except OSError as error:
        return str(error)[:200] if plugin.exists() else ""
    return ""


def _x11_answers(name: str) -> bool:
    """Whether a connection can be made as Qt makes it, with the user's rights to that display."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # not to be found out: Qt may know better
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = (ctypes.c_char_p, ctypes.c_void_p)
    xcb.xcb_connection_has_error.argtypes = xcb.xcb_disconnect.argtypes = (ctypes.c_void_p,)
    connection = xcb.xcb_connect(os.fsencode(name), None)
    if xcb.xcb_connection_has_error(connection) != 0:
        xcb.xcb_disconnect(connection)
        return False
    _held.append(lambda: xcb.xcb_disconnect(connection))
    return True


def let_go() -> None:
    """Once Qt has connected: a server whose last client leaves starts anew, and meanwhile takes no other."""
    while _held:
        _held.pop()()
