"""What a test run told of its outputs, as it is kept with the draft: signs and units are known when it is opened again. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from bayescope.engine.problem.definition import Output, Problem
from bayescope.engine.protocol import TrialOutput, TrialRunReport
from bayescope.engine.session.settled import Settled, TriedOutput
from bayescope.gui.models.data.compared_outputs import read_now
from bayescope.gui.models.data.keys.key_candidates import text_of

MOST_CHARACTERS = 200_000  # of all outputs together: what is kept is written with each change of the draft
OF_NUMBER, OF_TEXT = 20, 4  # characters, at most, of a number and around a text


def tried_outputs(problem: Problem, report: TrialRunReport, then: Sequence[Output]) -> tuple[TriedOutput, ...]:
    """The declared outputs as ``report`` gave them, in order, those left out with which it would be too much to keep, or that are
    declared otherwise ``then``, when it was made, and are not to be read in its texts."""
    read, left, kept = read_now(problem, report), MOST_CHARACTERS, []
    for output in problem.outputs:
        found = read.get(output.name)
        size = 0 if found is None else OF_NUMBER * len(found.values) + sum(len(t) + OF_TEXT for t in found.texts)
        known = output in then or bool(text_of(output.source, report))
        if found is not None and known and size <= left:
            left -= size
            kept.append(TriedOutput(output=output, values=found.values, texts=found.texts))
    return tuple(kept)


def kept_report(problem: Problem, settled: Settled) -> TrialRunReport | None:
    """A test run of an earlier window, with those outputs alone that are declared as they were then; None: nothing is kept of
    one, or it was of another program."""
    if settled.tried_of != problem.simulator.command:
        return None
    same = [one for one in settled.tried if one.output in problem.outputs]
    outputs = tuple(
        TrialOutput(name=one.output.name, source=one.output.source, values=one.values, texts=one.texts) for one in same
    )
    return TrialRunReport(outcome="ok", outputs=outputs) if outputs else None
