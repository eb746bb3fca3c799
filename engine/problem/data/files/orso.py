"""Reflectivity files of the ORSO text format (.ort): units of the columns are said in the lines above their names.

Source: ORSO file format specification 1.1, https://www.reflectometry.org/file_format/specification
"""

from __future__ import annotations

import re

_FIRST = re.compile(r"\ufeff?#\s*#?\s*ORSO reflectivity data file", re.IGNORECASE)
_COLUMN = re.compile(r"#\s*-\s*\{(?P<parts>.*)\}\s*")
_LISTED = re.compile(r"#\s*columns\s*:\s*")
_NO_UNITS = ("", "1", "null", "none", "''", '""')


def is_orso(text: str) -> bool:
    return _FIRST.match(text) is not None


def with_units_said(text: str) -> str:
    """``text`` with as many lines, where the line of names above each table has the units that are listed of its columns."""
    lines, units, names = text.splitlines(), dict[str, str](), list[str]()
    for i, line in enumerate(lines):
        if _LISTED.fullmatch(line):
            units, names = {}, []
        elif (column := _COLUMN.fullmatch(line)) is not None:
            parts = dict(part.strip().split(": ", 1) for part in column["parts"].split(",") if ": " in part)
            unit = parts.get("unit", units.get(parts.get("error_of", ""), "")).strip("'\"")
            name = parts.get("name") or f"s{parts.get('error_of', '')}"
            units[name] = "" if unit.lower() in _NO_UNITS else unit
            names.append(name)
        elif names and line.startswith("#") and line.lstrip("# ").split() == names:
            lines[i] = "# " + "\t".join(f"{name} ({units[name]})" if units[name] else name for name in names)
    return "\n".join(lines)
