"""Moments as this computer's system writes them. Files and exports have dates of their own, the same everywhere."""

from __future__ import annotations

import re

from PySide6.QtCore import QDateTime, QLocale

_SHORT = QLocale.FormatType.ShortFormat
_LATEST = 4e9  # unix time (2096): a damaged file may hold any number


def day(at: float) -> str:
    """The date of the unix time ``at``; empty where none is known."""
    return QLocale.system().toString(_local(at).date(), _SHORT) if _known(at) else ""


def clock(at: float, seconds: bool = False) -> str:
    """The time of day of ``at``, in hours and minutes; empty where none is known."""
    return _local(at).time().toString(_format(seconds)) if _known(at) else ""


def moment(at: float) -> str:
    """Date and time of day to the second; empty where none is known."""
    return f"{day(at)} {clock(at, seconds=True)}".strip()


def _known(at: float) -> bool:
    return 0.0 < at < _LATEST


def _local(at: float) -> QDateTime:
    return QDateTime.fromSecsSinceEpoch(int(at))


def _format(seconds: bool) -> str:
    """The system's own, with seconds or without."""
    plain = re.sub(r"[:.]ss?\b", "", QLocale.system().timeFormat(_SHORT))
    return re.sub(r"([:.])mm?", r"\g<0>\1ss", plain) if seconds else plain
