"""Declared outputs with what they read in the texts at hand, for the outputs table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from bayescope.engine.problem.checks.twin_outputs import twins
from bayescope.engine.problem.definition import Output, Problem
from bayescope.engine.problem.extract import ExtractionError, Reading
from bayescope.engine.protocol import TrialOutput, TrialRunReport
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.records import Column
from bayescope.gui.models.simulator.outputs.extractors import words_of
from bayescope.gui.models.simulator.outputs.readings import reading_of
from bayescope.gui.models.simulator.trials.trial_tables import labels_words, numbers_words

MOST_VARYING = 4  # outputs of varying length that are named
NO_TEXT = "–"  # of an output whose text is not at hand


class OutputView(msgspec.Struct, frozen=True):
    """One row: the output, what it reads in the newest texts, and in those of the check at other values."""

    output: Output
    reads: str
    other: str
    varies: bool = False  # in length, between the two
    spans: tuple[tuple[int, int], ...] = ()  # where it is read, in the newest text
    moves: bool = True  # some of what it reads is another at other values, or that is not known

    @property
    def name(self) -> str:
        return self.output.name


def texts_of(report: TrialRunReport | None) -> dict[str, str]:
    """The texts an output can be read from: by source name."""
    if report is None:
        return {}
    texts = {"stdout": report.stdout, "stderr": report.stderr}
    return texts | {f.name: f.text for f in report.files if f.text is not None and f.role == "produced"}


def parts_of(report: TrialRunReport | None) -> frozenset[str]:
    """The sources of which the test run brought the beginning only."""
    if report is None:
        return frozenset()
    streams = {name for name, cut in (("stdout", report.stdout_cut), ("stderr", report.stderr_cut)) if cut}
    return frozenset(streams | {f.name for f in report.files if f.cut})


def again_of(report: TrialRunReport | None) -> dict[str, str]:
    """The texts of a second run at the same values, where it wrote others."""
    return {} if report is None else {f.name: f.text for f in report.again if f.text is not None}


def random_outputs(problem: Problem, report: TrialRunReport | None) -> list[str]:
    """The outputs that are read otherwise in a second run at the same values; none where nothing is known of one."""
    here, again = texts_of(report), again_of(report)
    mine = [o for o in problem.outputs if o.source in again]
    return [o.name for o in mine if _told(read(o, here)) != _told(read(o, again))]


def read(output: Output, texts: Mapping[str, str]) -> Reading | str | None:
    """The reading, why there is none (a sentence), or None if its text is not at hand."""
    if output.source not in texts:
        return None
    try:
        return reading_of(output, texts[output.source])
    except ExtractionError as error:
        return str(error)


def reread(problem: Problem, report: TrialRunReport | None) -> TrialRunReport | None:
    """The report with the outputs that were marked after the run, as they are read in its texts."""
    if report is None or report.outcome != "ok":
        return report
    known, texts = {o.name for o in report.outputs}, texts_of(report)
    found = [(o, read(o, texts)) for o in problem.outputs if o.name not in known]
    new = [TrialOutput(name=o.name, source=o.source, values=r.values, texts=r.texts, spans=r.spans)
           for o, r in found if isinstance(r, Reading)]  # fmt: skip
    return msgspec.structs.replace(report, outputs=(*report.outputs, *new)) if new else report


def view_of(output: Output, here: Mapping[str, str], there: Mapping[str, str]) -> OutputView:
    mine, other = read(output, here), read(output, there)
    varies = isinstance(mine, Reading) and isinstance(other, Reading) and len(mine.values) != len(other.values)
    spans = mine.spans if isinstance(mine, Reading) else ()
    both = isinstance(mine, Reading) and isinstance(other, Reading)
    moves = not both or _told(mine) != _told(other)
    return OutputView(output, _words(mine, output.unit), _words(other, output.unit), varies, spans, moves)


def _told(reading: Reading | str | None) -> tuple[str, ...]:
    """All that is read, so that what is missing in both is the same."""
    return tuple(map(repr, reading.values)) + tuple(reading.texts) if isinstance(reading, Reading) else ()


def same_numbers(views: Sequence[OutputView]) -> list[tuple[str, str]]:
    """Names of outputs that read the very same numbers, each beside the first that does."""
    found = twins([view.output for view in views])
    known = {second for _, second in found}
    first: dict[tuple[str, tuple[tuple[int, int], ...]], str] = {}
    for view in views:
        if view.spans and view.name not in known:
            before = first.setdefault((view.output.source, view.spans), view.name)
            if before != view.name:
                found.append((before, view.name))
    return found


def varying_words(names: Sequence[str]) -> str:
    """That these outputs have another length in another run, a sentence; '' where there are none."""
    told = [one_line(name, 40) for name in names[:MOST_VARYING]]
    if len(names) > MOST_VARYING:
        told.append(f"{len(names) - MOST_VARYING} more")
    if len(told) < 2:
        return f"The length of {told[0]} varies from run to run." if told else ""
    return f"The lengths of {', '.join(told[:-1])} and {told[-1]} vary from run to run."


def same_words(first: str, second: str) -> tuple[str, str]:
    """What is wrong with two such outputs, and what to do."""
    return (
        f"The outputs {one_line(first, 40)} and {one_line(second, 40)} read the very same numbers.",
        "Remove one of them, or read the other somewhere else.",
    )


def _words(reading: Reading | str | None, unit: str = "") -> str:
    if reading is None:
        return NO_TEXT
    if isinstance(reading, str):
        return f"✕ {reading}"
    if reading.texts:
        return labels_words(reading.texts)
    return f"{numbers_words(reading.values)} {unit}" if unit and len(reading.values) == 1 else numbers_words(reading.values)


def _named(view: OutputView, text: str) -> OutputView:
    return msgspec.structs.replace(view, output=msgspec.structs.replace(view.output, name=one_line(text.strip(), 200)))


def _sourced(view: OutputView, text: str) -> OutputView:
    if not text.strip():
        raise ValueError("An output is read from stdout, stderr or a file of the run's folder: give its name.")
    return msgspec.structs.replace(view, output=msgspec.structs.replace(view.output, source=text.strip()))


def output_view_columns() -> tuple[Column[OutputView], ...]:
    return (
        Column("name", "Output", "A short name without spaces.", lambda v: v.output.name, _named),
        Column(
            "source", "Read from", "stdout, stderr or a file of the run's folder.", lambda v: v.output.source, _sourced,
            path=True,
        ),
        Column("extractor", "How", "How it is found in the text.", lambda v: words_of(v.output.extractor), path=True),
        Column("reads", "Reads", "What it reads in the newest test run or opened file.", lambda v: v.reads),
        Column("other", "At other values", "What it reads in the check at other values.", lambda v: v.other),
    )
