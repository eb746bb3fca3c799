"""The unit of a column that is marked: in its heading, on a line of units below the names, or in words above its table. Pure."""

from __future__ import annotations

from bayescope.engine.problem.data.names.column_names import says_where
from bayescope.engine.problem.data.units.stated_units import unit_of_all
from bayescope.engine.problem.definition import Extractor, Region
from bayescope.engine.problem.marks import Mark
from bayescope.engine.problem.marks.labels.label_names import heading_name
from bayescope.engine.problem.marks.tables.unit_lines import unit_of_column

LINES_ABOVE = 4  # that are not blank, the heading among them


def heading_unit(mark: Mark | None, heading: str, extractor: Extractor) -> str:
    """The unit of what ``extractor`` reads below ``heading``; '' where none is printed."""
    unit = heading_name(heading)[1]
    selection = getattr(mark, "selection", None)
    if unit or mark is None or selection is None:
        return unit
    number = extractor.columns[0] if isinstance(extractor, Region) and len(extractor.columns) == 1 else 0
    return unit_of_column(selection.block, mark.lines, heading, number)


def unit_above(mark: Mark | None, heading: str, start: int) -> str:
    """The unit that a line right above the table says of all its numbers, "# pressure in m"; '' where none does, or the column of
    this ``heading``, of which a number begins at ``start``, says where or when."""
    if mark is None or says_where(heading):
        return ""
    above = [line for line in mark.text[:start].splitlines()[:-1] if line.strip()][-LINES_ABOVE:]
    said = unit_of_all(above)
    return "" if said is None else said[1]
