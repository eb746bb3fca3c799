"""What stands above a column of the program's table that no output reads yet: its name and its unit. Pure."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.extract import ExtractionError
from bayescope.engine.problem.marks.mark import Mark
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.keys.key_candidates import Key, text_of
from bayescope.gui.models.simulator.outputs.heading_units import heading_unit
from bayescope.gui.models.simulator.outputs.readings import reading_of


def with_heading(key: Key, report: TrialRunReport) -> Key:
    """A ``key`` that is not read yet, with what stands above it and its unit; as it is where nothing does."""
    output = key.declared
    if output is None or isinstance(output.extractor, d.NumberList):
        return key
    text = text_of(output.source, report)
    try:
        reading = reading_of(output, text)
    except ExtractionError:
        return key
    if not reading.spans:
        return key
    mark = Mark(text, *reading.spans[0], output.source)
    offers = mark.offers("column") if "column" in mark.scopes else []
    heading = next((name for offer in offers for name in offer.names if name), "")
    unit = heading_unit(mark, heading, output.extractor)
    return replace(key, heading=heading, declared=msgspec.structs.replace(output, unit=unit))


def name_in_program(output: d.Output, report: TrialRunReport | None) -> str:
    """What the program calls the column that ``output`` reads; '' where nothing stands above it, or it is not known."""
    column = getattr(output.extractor, "column", None)
    if isinstance(column, str) or report is None:
        return column if isinstance(column, str) else ""
    return with_heading(Key(output.name, "", output), report).heading
