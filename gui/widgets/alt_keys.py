"""Alt and a letter press one button: of those seen together that have the same letter, all but the first get another one."""

from __future__ import annotations

import re
from collections.abc import Iterable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QAbstractButton, QLabel, QMainWindow, QTabBar, QWidget

PASSING = "passing"  # property of buttons that come and go: those of banners
_WAITING = "keys to be parted"  # property of a window
_KEY = re.compile(r"&([^&\s])")


def letter_of(text: str) -> str:
    """The letter that presses what has this text, in lower case; '' for none."""
    found = _KEY.search(text.replace("&&", ""))
    return found[1].lower() if found is not None else ""


def with_other_letter(text: str, taken: Iterable[str]) -> str:
    """``text`` with the first letter that is not ``taken`` underlined, rather one that begins a word; none, if all are."""
    bare, gone = text.replace("&&", "\0").replace("&", ""), set(taken)
    starts = [m.start() for m in re.finditer(r"\b[^\W_]", bare)]
    others = [k for k, c in enumerate(bare) if c.isascii() and c.isalpha() and k not in starts]
    at = next((k for k in (*starts, *others) if bare[k].lower() not in gone), None)
    made = bare if at is None else f"{bare[:at]}&{bare[at:]}"
    return made.replace("\0", "&&")


def keys_apart(window: QWidget) -> None:
    """No two of the buttons that are seen in ``window`` have the same letter; menus, tabs and labels of fields keep theirs, and
    so does the first of several buttons, one that is always there before one that comes and goes."""
    taken = {letter_of(action.text()) for action in window.menuBar().actions()} if isinstance(window, QMainWindow) else set()
    for bar in window.findChildren(QTabBar):
        if bar.isVisible():
            taken |= {letter_of(bar.tabText(k)) for k in range(bar.count())}
    taken |= {letter_of(one.text()) for one in window.findChildren(QLabel) if one.buddy() is not None and one.isVisible()}
    buttons = [one for one in window.findChildren(QAbstractButton) if letter_of(one.text()) and one.isVisible()]
    every = taken | {letter_of(one.text()) for one in buttons}
    for button in sorted(buttons, key=lambda one: bool(one.property(PASSING))):
        if letter_of(button.text()) in taken:
            button.setText(with_other_letter(button.text(), every))
            every.add(letter_of(button.text()))
        taken.add(letter_of(button.text()))


def part_keys_soon(window: QWidget) -> None:
    """``keys_apart``, once all that is said now has its place: once, however many banners come together."""
    if not window.property(_WAITING):
        window.setProperty(_WAITING, True)
        QTimer.singleShot(0, window, lambda: _part_keys(window))


def _part_keys(window: QWidget) -> None:
    window.setProperty(_WAITING, False)
    keys_apart(window)
