"""The unit of a column that is marked: in its heading, or on a line of units below the names. Pure."""

from __future__ import annotations

from bayescope.engine.problem.definition import Extractor, Region
from bayescope.engine.problem.marks import Mark
from bayescope.engine.problem.marks.labels.label_names import heading_name
from bayescope.engine.problem.marks.tables.unit_lines import unit_of_column


def heading_unit(mark: Mark | None, heading: str, extractor: Extractor) -> str:
    """The unit of what ``extractor`` reads below ``heading``; '' where none is printed."""
    unit = heading_name(heading)[1]
    selection = getattr(mark, "selection", None)
    if unit or mark is None or selection is None:
        return unit
    number = extractor.columns[0] if isinstance(extractor, Region) and len(extractor.columns) == 1 else 0
    return unit_of_column(selection.block, mark.lines, heading, number)
