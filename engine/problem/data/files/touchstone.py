"""Network parameters in Touchstone files (.s1p, .s2p ...), versions 1 and 2, as tables with headings.

Source: IBIS Open Forum, Touchstone File Format Specification, version 2.0 (2009).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

_UNITS = {"hz": "Hz", "khz": "kHz", "mhz": "MHz", "ghz": "GHz"}
_PARAMETERS = "syzgh"
# by the format of the option line: what stands behind the name of both numbers of each pair
_FORMATS = {"db": ("[dB]", "angle [deg]"), "ma": ("magnitude", "angle [deg]"), "ri": ("real", "imaginary")}
_RESISTANCE = re.compile(r"[-+.0-9e]+", re.IGNORECASE)
_COMMENT = "!"
_KEYWORD = re.compile(r"\s*\[(?P<key>[^\[\]]+)\]\s*(?P<value>.*)")
_LAST_KEYS = ("noise data", "end")
_ROW_BY_ROW = "12_21"  # said of two ports, which stand column by column elsewhere
_TRIANGLES = ("lower", "upper")  # half of a symmetric matrix, in version 2


@dataclass(frozen=True)
class _Option:
    unit: str = "GHz"
    parameter: str = "S"
    form: str = "ma"


def is_touchstone(text: str) -> bool:
    return _option_at(text.splitlines()) is not None


def with_headings(text: str) -> str:
    """``text`` with as many lines, where the option line holds the names of the columns, and the numbers of each frequency stand
    in one line; any other text as it is."""
    lines = text.splitlines()
    found = _option_at(lines)
    if found is None:
        return text
    at, option = found
    keywords = [m for line in lines if (m := _KEYWORD.match(line)) is not None]
    said = {m["key"].strip().lower(): m["value"].split(_COMMENT)[0].strip().lower() for m in keywords}
    points = _points(lines, at)
    count = len(next(iter(points.values()), ()))
    made = [""] * len(lines)
    names = _names(option, (count - 1) // 2, said) if count > 1 else None
    if names is None or len(names) != count:
        return text
    made[at] = "\t".join(names)
    for k, numbers in points.items():
        made[k] = "\t".join(numbers) if len(numbers) == count else ""
    return "\n".join(made)


def _option_at(lines: list[str]) -> tuple[int, _Option] | None:
    """The line that says how the numbers are written: the first that is no comment and no keyword of version 2."""
    for i, line in enumerate(lines):
        plain = line.lstrip("\ufeff").split(_COMMENT)[0].strip()
        if plain and _KEYWORD.match(plain) is None:
            option = _option(plain) if plain.startswith("#") else None
            return None if option is None else (i, option)
    return None


def _option(line: str) -> _Option | None:
    """Of “# Hz S dB R 50”, in any order; what is left out is as the format has it."""
    words, found, told = line[1:].lower().split(), _Option(), 0
    for k, word in enumerate(words):
        if word in _UNITS:
            found, told = _Option(_UNITS[word], found.parameter, found.form), told + 1
        elif word in _PARAMETERS and len(word) == 1:
            found, told = _Option(found.unit, word.upper(), found.form), told + 1
        elif word in _FORMATS:
            found, told = _Option(found.unit, found.parameter, word), told + 1
        elif word != "r" and not (k and _RESISTANCE.fullmatch(word)):
            return None
    return found if told >= 2 or words[-2:-1] == ["r"] else None  # a lone “# S” heads a column


def _points(lines: list[str], at: int) -> dict[int, list[str]]:
    """The numbers of each frequency by the line it begins in: such a line has an odd count of numbers, one that goes on an even
    one. Noise parameters, which begin again at a lower frequency, are left out."""
    found: dict[int, list[str]] = {}
    last, first = -1, -math.inf
    for i in range(at + 1, len(lines)):
        keyword = _KEYWORD.match(lines[i])
        if keyword is not None and keyword["key"].strip().lower() in _LAST_KEYS:
            break
        numbers = [] if keyword is not None else lines[i].split(_COMMENT)[0].split()
        if not numbers:
            continue
        if len(numbers) % 2 == 0 and last >= 0:
            found[last] += numbers
            continue
        frequency = _number(numbers[0])
        if frequency is None or frequency < first:
            break
        last, first = i, frequency
        found[i] = numbers
    return found


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _names(option: _Option, pairs: int, said: dict[str, str]) -> list[str] | None:
    """Of the frequency and both numbers of each of so many pairs; None: they are no square matrix, nor half of one."""
    form = said.get("matrix format", "")
    half = form in _TRIANGLES
    ports = next((n for n in range(1, pairs + 1) if (n * (n + 1) // 2 if half else n * n) == pairs), None)
    if ports is None:
        return None
    rows = range(1, ports + 1)
    places = [(i, k) for i in rows for k in rows if not half or (k <= i if form == "lower" else k >= i)]
    if ports == 2 and not half and said.get("two-port data order", "") != _ROW_BY_ROW:
        places = [(k, i) for i, k in places]
    between = "_" if ports > 9 else ""
    entries = [f"{option.parameter}{i}{between}{k}" for i, k in places]
    return [f"frequency [{option.unit}]", *(f"{entry} {part}" for entry in entries for part in _FORMATS[option.form])]
