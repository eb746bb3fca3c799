"""Where the keyboard's focus goes when its button goes away: never to whatever happens to stand next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtWidgets import QWidget


@contextmanager
def focus_kept(buttons: Sequence[QWidget], successors: Sequence[QWidget], otherwise: QWidget) -> Iterator[None]:
    """Inside, ``buttons`` may be hidden or disabled: if the focus was on one of them that cannot have it any more, it goes to
    the first of ``successors`` that can, else to ``otherwise``, where keys do nothing."""
    focus = otherwise.window().focusWidget()  # hasFocus() is false while another program's window is in front
    yield
    had = next((b for b in buttons if b is focus), None)
    if had is not None and not (had.isVisible() and had.isEnabled()):
        next((w for w in successors if w.isVisible() and w.isEnabled()), otherwise).setFocus()
