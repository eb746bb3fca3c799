"""What a comparison needs of the newest test run: the outputs, as they are declared now. Pure."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.comparison import ComparisonError, compare_match
from bayescope.engine.problem.extract import ExtractionError
from bayescope.engine.protocol import TrialOutput, TrialRunReport
from bayescope.gui.models.data.keys.key_candidates import text_of
from bayescope.gui.models.simulator.outputs.readings import LONGEST_KEPT, reading_of

Array = NDArray[np.float64]


def compared(
    problem: d.Problem, index: int, report: TrialRunReport | None
) -> tuple[d.Match, d.DataTable, dict[str, Array], dict[str, tuple[str, ...]]] | None:
    """The match at ``index``, the data, each output's values (n,) and its texts, where it has such; None: not all is known."""
    meaning = problem.meaning
    if report is None or problem.data is None or not isinstance(meaning, d.Predictions):
        return None
    if not 0 <= index < len(meaning.matches):
        return None
    match = meaning.matches[index]
    read = read_now(problem, report)
    needed = [match.output, *(output for output, _ in match.keys)]
    declared = {o.name for o in problem.outputs}
    if match.column not in problem.data.columns or any(n not in read or n not in declared for n in needed):
        return None
    if any(c not in (*problem.data.columns, *problem.data.texts) for _, c in match.keys):
        return None
    outputs = {name: _values(o) for name, o in read.items() if name in declared}
    return match, problem.data, outputs, {name: o.texts for name, o in read.items()}


def fits(match: d.Match, data: d.DataTable, outputs: Mapping[str, Array]) -> bool:
    """Whether every measured value has its predicted one; ``outputs``: the values (n,) of each."""
    try:
        compare_match(match, data, outputs)
    except ComparisonError:
        return False
    return True


def with_match(problem: d.Problem, index: int, match: d.Match) -> d.Problem:
    """``problem`` with this comparison in place of the one at ``index``."""
    assert isinstance(problem.meaning, d.Predictions)
    matches = tuple(match if i == index else m for i, m in enumerate(problem.meaning.matches))
    return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(problem.meaning, matches=matches))


def read_now(problem: d.Problem, report: TrialRunReport) -> dict[str, TrialOutput]:
    """What the newest test run gave, outputs that were marked since included; nothing of a run that failed by itself."""
    read = {o.name: o for o in report.outputs if o.values and not o.problem}
    unfit = report.outcome == "failed" and bool(read) and {o.name for o in report.outputs} <= set(read)
    if report.outcome != "ok" and not unfit:  # unfit: all was read, and then it could not be compared: that is shown here
        return {}
    for output in problem.outputs:
        # what labels are is a matter of how they are declared now: which number of a date is the month
        known = output.name in read and not output.text and not _said_after(output, read[output.name])
        text = "" if known else text_of(output.source, report)
        if text and len(text) <= LONGEST_KEPT:
            try:
                reading = reading_of(output, text)
            except ExtractionError:
                continue
            read[output.name] = TrialOutput(
                name=output.name, source=output.source, values=reading.values, texts=reading.texts
            )
    if unfit and not {o.name for o in problem.outputs} <= set(read):
        return {}
    return read


def _said_after(output: d.Output, read: TrialOutput) -> bool:
    """Whether its rows are told by a label, or are every line of which the run gave one, which may be said after the run."""
    region = output.extractor
    return isinstance(region, d.Region) and (
        region.where is not None or (region.occurrence == "all" and len(read.values) == 1)
    )


def _values(output: TrialOutput) -> Array:
    return np.array([np.nan if v is None else v for v in output.values], dtype=float)
