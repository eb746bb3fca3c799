"""An output that reads one number of many lines (or tables) alike, where each of them was measured: all of them. Pure."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.own_rows import counted
from bayescope.engine.problem.extract import ExtractionError, read_output
from bayescope.engine.problem.marks import Mark
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.models.data.keys.key_candidates import MOST_TEXT, text_of
from bayescope.gui.models.data.tables.label_rows import Labelled
from bayescope.gui.models.plain import and_last, one_line

MOST_NAMED = 3  # outputs on a button
KEPT = 32  # outputs whose ways are kept: what is shown of one state asks the same some times


def every_line(problem: d.Problem, index: int, report: TrialRunReport | None) -> Labelled | None:
    """What comparison ``index`` becomes where its output, of one value, reads that number of every such line, one for each
    measured row; so do others of its file of which that is so. None: there are no such lines, or not as many."""
    meaning = problem.meaning
    first = _whole(problem, index, report)
    if first is None or not isinstance(meaning, d.Predictions) or report is None:
        return None
    every = [one for i in range(len(meaning.matches)) if (one := _whole(problem, i, report)) is not None]
    new = {one.name: one for one, _ in every if one.source == first[0].source}
    outputs = tuple(new.get(o.name, o) for o in problem.outputs)
    where = "line" if isinstance(first[0].extractor, d.Region) and first[0].extractor.on_line else "table"
    words = f"It reads one {where} of {first[1]} that are alike."
    named = and_last(", ".join(f"“{one_line(name, 20)}”" for name in new)) if len(new) <= MOST_NAMED else f"{len(new)} outputs"
    return Labelled(words, msgspec.structs.replace(problem, outputs=outputs), f"Read {named} in every such {where}")


def _whole(problem: d.Problem, index: int, report: TrialRunReport | None) -> tuple[d.Output, int] | None:
    """The output of a comparison that reads every line, and how many there are."""
    found = compared(problem, index, report)
    if found is None or report is None:
        return None
    match, data, outputs, _ = found
    if match.keys or match.rows or len(outputs[match.output]) != 1 or counted(1, match, data) is not None:
        return None
    output = next(o for o in problem.outputs if o.name == match.output)
    text = text_of(output.source, report)
    ways = _ways(output, text) if text and len(text) <= MOST_TEXT else ()
    return next(((one, n) for one, n in ways if counted(n, match, data) is not None), None)


@lru_cache(KEPT)
def _ways(output: d.Output, text: str) -> tuple[tuple[d.Output, int], ...]:
    """The output as it reads its number in all lines or tables alike, and how many there are."""
    try:
        spans = read_output(output, text).spans
        offers = Mark(text, *spans[0], source=output.source).offers("number") if len(spans) == 1 else []
    except ExtractionError:
        return ()
    every = [o for o in offers if o.repeat == "all" and len(o.proposals) == 1]
    return tuple((msgspec.structs.replace(output, extractor=o.first, length=None), len(o.proposals[0].values)) for o in every)
