"""Numbers that stand above every one of the repeated tables that an output is read from (t = 600 s): they may be keys, one of
each table, or one of each of its rows. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.extract import ExtractionError
from bayescope.engine.problem.extract.reading import lines_of
from bayescope.engine.problem.extract.region import appearances
from bayescope.engine.problem.marks.mark import Mark
from bayescope.engine.problem.marks.tables.table_titles import key_of_tables
from bayescope.engine.problem.numbers.numbers_in_text import numbers
from bayescope.gui.models.simulator.outputs.readings import reading_of

Array = NDArray[np.float64]
MOST_NUMBERS = 6  # of a title: each is marked, while the window waits
MOST_TITLE_TEXT = 200_000  # characters of the program's text: marking reads all of it


def keys_in_titles(output: d.Output, text: str) -> Iterator[tuple[d.Output, Array]]:
    """Outputs of one number in the title of every table, with their values (m,); that of each row's table first."""
    extractor = output.extractor
    if not isinstance(extractor, d.Region) or extractor.occurrence != "all" or not extractor.anchor or extractor.on_line:
        return
    if len(text) > MOST_TITLE_TEXT:
        return
    lines = lines_of(text)
    if (whole := key_of_tables(extractor, text, lines, output.decimal_comma)) is not None:
        found = msgspec.structs.replace(output, extractor=whole[0], text=False, length=None)
        yield found, np.array(reading_of(found, text).values, dtype=float)
    first = next((i for i, _ in appearances(extractor.anchor, lines)), None)
    if first is None:
        return
    start = lines[first].start
    for number in islice(numbers(text, start, start + len(lines[first].text)), MOST_NUMBERS):
        offers = Mark(text, number.start, number.start, output.source).offers("number")
        every = next((o for o in offers if o.repeat == "all" and len(o.proposals) == 1), None)
        if every is None:
            continue
        found = msgspec.structs.replace(output, extractor=every.proposals[0].extractor, text=False)
        try:
            yield found, np.array(reading_of(found, text).values, dtype=float)
        except ExtractionError:
            continue
