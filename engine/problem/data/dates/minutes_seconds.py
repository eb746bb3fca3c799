"""Times of two parts, 01:30: hours and minutes, or minutes and seconds, as the heading says; else that may be asked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..names.column_names import loose_name, unit_in
from ..rows.text_keys import plain
from ..units.unit_scales import times

_TWO_PARTS = re.compile(r"([+-]?)([0-9]{1,6}):([0-5]?[0-9])([.,][0-9]+)?")
_SAYS_SECONDS = re.compile(r"(?<![^\W_])m{1,3}(?:in)?\s?:\s?s{1,3}(?:ec)?(?:[.,][s0fx]+)?(?![^\W_])", re.IGNORECASE)
_SAYS_MINUTES = re.compile(r"(?<![^\W_])h{1,3}(?:rs?)?\s?:\s?m{1,2}(?:in)?(?![^\W_])", re.IGNORECASE)
_OF_THE_DAY = frozenset("clock hour hours hr hrs uhrzeit uhr hora heure ora utc gmt local daytime tageszeit".split())


def are_two_parts(cells: Sequence[str]) -> bool:
    """Whether all ``cells`` are such times, and there is one."""
    return bool(cells) and all(_TWO_PARTS.fullmatch(plain(cell)) for cell in cells)


def says_seconds(heading: str, cells: Sequence[str]) -> bool | None:
    """Whether times under a heading are minutes and seconds: mm:ss, a unit of minutes, or parts of seconds tell; False: hours
    and minutes; None: nothing tells."""
    if _SAYS_SECONDS.search(heading) or any((m := _TWO_PARTS.fullmatch(plain(cell))) and m[4] for cell in cells):
        return True
    unit = unit_in(heading)
    scale = times(unit, "s") if unit else None
    if scale in (1.0, 60.0):
        return True
    if _SAYS_MINUTES.search(heading) or scale == 3600.0 or not _OF_THE_DAY.isdisjoint(loose_name(heading).split()):
        return False
    return None


def with_hours(cell: str) -> str:
    """Minutes and seconds as a time of three parts: 75:30 is 01:15:30. Another text as it is."""
    found = _TWO_PARTS.fullmatch(plain(cell))
    if found is None:
        return cell
    sign, minutes, seconds, part = found.groups()
    return f"{sign}{int(minutes) // 60:02}:{int(minutes) % 60:02}:{int(seconds):02}{part or ''}"
