"""A file that is added below another one: whether both count from one day 0, which is asked and never changed silently. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bayescope.engine.problem.data.dates.day_zero import counted, written
from bayescope.engine.problem.data.dates.zone_words import Zone, stated_zone
from bayescope.engine.problem.definition import DataTable
from bayescope.engine.session.read_files import ReadFile
from bayescope.gui.models.plain import one_line

APART = "Keep each &apart"


@dataclass(frozen=True)
class ZeroQuestion:
    """What is to be said of the two days 0; the button sets day 0 of the new file to ``start`` (s since 1970), None: it says
    whether the present columns move to the new day 0 (``moves``)."""

    level: Literal["info", "ok", "warning"]
    words: str
    hint: str
    button: str = ""
    start: float | None = None
    moves: bool = False


def zone_there(present: DataTable | None, files: Sequence[ReadFile]) -> Zone | None:
    """In which zone the times of the present table are, by its headings and what its files say."""
    if present is None:
        return None
    names = [one.name for name in present.columns if (one := counted(name)) is not None]
    lines = [line for file in files if file.name and file.name in present.origin for line in file.around]
    return stated_zone((*names, *present.texts), lines)


def zero_question(
    known: float | None, start: float | None, there: Zone | None, here: Zone | None, moves: bool
) -> ZeroQuestion | None:
    """``known``: day 0 of the present table, in zone ``there``; ``start``: that of the file below it, in zone ``here``; both in s
    since 1970 as their clocks show it. None: nothing is to be asked."""
    if known is None or start is None:
        return None
    zoned = there is not None or here is not None
    differ = there is not None and here is not None and (there.offset is None or there.offset != here.offset)
    old, new = f"{written(known)}{_said(there)}", f"{written(start)}{_said(here)}"
    if start == known:
        if not differ:
            return None
        words = f"The present table counts from {old}; this file's times are “{one_line(here.words, 24)}”." if here else ""
        meant = _same_moment(known, there, here)
        if meant is None:
            return ZeroQuestion("warning", words, "Is the same clock meant? Else say day 0 as the clock of this file shows it.")
        hint = f"The same moment is {written(meant)} by the clock of this file."
        return ZeroQuestion("warning", words, hint, f"Day &0 is {written(meant)}", meant)
    if moves:
        hours = _hours(known - start)
        words = f"All times are to count from {written(start)}: those of the present table change by {hours}."
        hint = "This is right only where both files show the same clock." if zoned else ""
        return ZeroQuestion("warning", words, hint, APART, moves=False)
    words = f"The present table counts from {old}, this file from {new}: each keeps its own day 0 and its times."
    if differ and _same_moment(known, there, here) == start:
        return ZeroQuestion("ok", words, "That is the same moment on both clocks.")
    return ZeroQuestion("info", words, "", f"Count &all from {written(start)}", moves=True)


def _same_moment(known: float, there: Zone | None, here: Zone | None) -> float | None:
    """What the clock ``here`` shows when the one ``there`` shows ``known``; None: a zone is not known."""
    if there is None or here is None or there.offset is None or here.offset is None:
        return None
    return known - there.offset + here.offset


def _said(zone: Zone | None) -> str:
    return "" if zone is None else f" “{one_line(zone.words, 24)}”"


def _hours(seconds: float) -> str:
    unit, size = ("days", 86400.0) if seconds % 86400.0 == 0 else ("h", 3600.0) if seconds % 36.0 == 0 else ("s", 1.0)
    return f"{seconds / size:+g} {unit}".replace("-", "−")
