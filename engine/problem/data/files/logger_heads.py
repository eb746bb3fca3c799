"""Headings of loggers and spectrometers that are no names and units, as the tables they stand for: Campbell TOA5, HOBOware, Ocean
Optics, LabVIEW; and of files of network parameters and of reflectivities."""

from __future__ import annotations

import csv
import io
import re

from .orso import is_orso, with_units_said
from .touchstone import is_touchstone, with_headings

_TOA5 = re.compile(r"\ufeff?\"?TOA5\"?\s*,")
_HOBO = re.compile(r"^\ufeff?\"?(?:Plot Title|Diagrammtitel|Título del gráfico|Titre du graphe)\s*:", re.IGNORECASE)
_SERIALS = re.compile(r"\s*\([^()]*(?:LGR|SEN)\s+S/N:[^()]*\)")  # of a logger and its sensor
_UNIT_BEHIND = re.compile(r"(?P<name>.+?), (?P<unit>[^,()\[\]]{1,12})")
_BEGIN = re.compile(r">{3,}\s*Begin\b.*<{3,}\s*", re.IGNORECASE)  # of spectral data
_END = re.compile(r">{3,}\s*End\b.*<{3,}\s*", re.IGNORECASE)
_LVM = "LabVIEW Measurement"
_END_OF_HEADER = "***End_of_Header***"
NO_UNITS = frozenset(("", "TS", "RN"))  # of Campbell's time stamps and record numbers


def with_plain_heading(text: str) -> str:
    """``text`` with as many lines, where the heading of a TOA5 file is one line of names with units, and the names of a HOBO file
    are those of quantities with their units, without serial numbers; of a file that marks where its data begin, what stands
    there; any other text as it is."""
    if _TOA5.match(text):
        return _of_toa5(text)
    if is_orso(text):
        return with_units_said(text)
    if is_touchstone(text):
        return with_headings(text)
    if text.lstrip("\ufeff").startswith(_LVM):
        return _of_lvm(text)
    if ">>>" in text:
        return _between_marks(text)
    return _of_hobo(text) if _HOBO.match(text) else text


def _of_toa5(text: str) -> str:
    """Line 1 says of which logger it is, 2 the names, 3 the units, 4 how the values were made of samples (Avg, Smp)."""
    lines = text.splitlines()
    if len(lines) < 5:
        return text
    names, units = _cells(lines[1]), _cells(lines[2])
    if len(names) != len(units) or len(names) < 2:
        return text
    lines[0] = lines[2] = lines[3] = ""
    lines[1] = _line([n if u in NO_UNITS else f"{n} ({u})" for n, u in zip(names, units, strict=True)])
    return "\n".join(lines)


def _of_hobo(text: str) -> str:
    """Line 1 is the title, 2 the names, each with its unit and the serial numbers of logger and sensor."""
    lines = text.splitlines()
    if len(lines) < 3 or "S/N" not in lines[1]:
        return text
    bare = [_SERIALS.sub("", name).strip() for name in _cells(lines[1])]
    found = [_UNIT_BEHIND.fullmatch(name) for name in bare]
    lines[1] = _line([f"{m['name']} ({m['unit']})" if m is not None else name for m, name in zip(found, bare, strict=True)])
    return "\n".join(lines)


def _of_lvm(text: str) -> str:
    """Below the last end of a header stand the names."""
    lines = text.splitlines()
    last = max((i for i, line in enumerate(lines) if line.startswith(_END_OF_HEADER)), default=-1)
    kept = [line.rstrip("\t") for line in lines[last + 1 :]]
    if kept and kept[0].endswith("\tComment"):
        kept[0] = kept[0].removesuffix("\tComment")  # stands above no column
    return "\n".join([*[""] * (last + 1), *kept])


def _between_marks(text: str) -> str:
    """>>>>>Begin Spectral Data<<<<< and >>>>>End Spectral Data<<<<<."""
    lines = text.splitlines()
    begin = next((i for i, line in enumerate(lines) if _BEGIN.fullmatch(line.strip())), None)
    if begin is None:
        return text
    end = next((i for i in range(begin + 1, len(lines)) if _END.fullmatch(lines[i].strip())), len(lines))
    return "\n".join(line if begin < i < end else "" for i, line in enumerate(lines))


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in next(csv.reader([line]), [])]


def _line(cells: list[str]) -> str:
    made = io.StringIO()
    csv.writer(made, quoting=csv.QUOTE_ALL, lineterminator="").writerow(cells)
    return made.getvalue()
