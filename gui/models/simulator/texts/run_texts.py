"""The texts in which outputs are marked: of the newest test run, of one at other values, and of files that were opened. No Qt."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from bayescope.engine.problem.definition import LabelledNumber, Output, Region
from bayescope.engine.problem.extract import Reading
from bayescope.engine.problem.extract.region import anchor_spans
from bayescope.engine.problem.marks import Mark, Offer
from bayescope.engine.problem.marks.anchors.compare import (
    Comparison,
    changed_numbers,
    compared,
    default_source,
    holds_results,
)
from bayescope.engine.problem.marks.found import Found
from bayescope.engine.problem.marks.tables.equal_tables import EqualTable, equal_tables
from bayescope.engine.problem.propose_tables import Proposal
from bayescope.gui.models.simulator.outputs.output_views import read
from bayescope.gui.models.simulator.texts.text_rows import unified

MOST_READ = 30  # outputs whose numbers are framed beside the one that is chosen
Spans = list[tuple[int, int]]


class RunTexts:
    """By their source: stdout, stderr or the name of a file. What a run wrote goes before what was opened under its name."""

    def __init__(self) -> None:
        self.run: Mapping[str, str] = {}
        self.others: Mapping[str, str] = {}  # of the run at other values
        self.again: Mapping[str, str] = {}  # of a run at the same values, where it wrote otherwise
        self._opened: dict[str, str] = {}
        self._run_parts: frozenset[str] = frozenset()  # texts that go on behind what the test run brought
        self._opened_parts: set[str] = set()
        self._marks: dict[str, Mark] = {}  # the first one in each text: others are found in what is known from it

    def all(self) -> dict[str, str]:
        """Errors last."""
        found = {**self._opened, **self.run}
        return {s: found[s] for s in sorted(found, key=lambda s: s == "stderr")}

    def take(self, texts: Mapping[str, str], others: Mapping[str, str], parts: Collection[str]) -> bool:
        """Those of new runs; whether they differ. ``parts``: cut off."""
        before = self.run, self.others
        self.run = {name: unified(text) for name, text in texts.items()}
        self.others = {name: unified(text) for name, text in others.items()}
        self._run_parts = frozenset(parts)
        self._marks = {}
        return before != (self.run, self.others)

    def open(self, name: str, text: str, part: bool) -> None:
        """A file beside them; ``part``: it goes on."""
        self._opened[name] = unified(text)
        self._marks.pop(name, None)
        (self._opened_parts.add if part else self._opened_parts.discard)(name)

    def is_part(self, source: str) -> bool:
        return source in (self._run_parts if source in self.run else self._opened_parts)

    def is_opened(self, source: str) -> bool:
        return bool(self._opened.get(source))

    def changed(self, source: str) -> Spans:
        """Where its numbers are others at other values."""
        text, other = self.all().get(source), self.others.get(source)
        return [] if text is None or other is None else changed_numbers(text, other)

    def worth_reading(self, source: str) -> bool:
        """Whether what changes of it at other values is more than its clock and the parameters among its words."""
        return holds_results(self.all().get(source, ""), len(self.changed(source)))

    def best(self, wanted: str, output: Output | None) -> str:
        """Which is to be shown: ``wanted`` if it is there, else that of ``output``, else where most numbers change; '': none."""
        texts = self.all()
        if wanted not in texts and output is not None and output.source in texts:
            wanted = output.source
        if wanted not in texts:
            wanted = default_source(texts, self.others) or "stdout"
        return wanted if wanted in texts else next(iter(texts), "")

    def mark(self, source: str, start: int, end: int) -> Mark:
        """Of characters [start, end) of a text."""
        if source not in self._marks:
            self._marks[source] = Mark(self.all()[source], start, end, source, self.others.get(source), self.is_part(source))
        return self._marks[source].at(start, end)

    def told(self, source: str, proposals: Sequence[Proposal]) -> Comparison | None:
        """What the run at other values says of ways to read; None: it has no such text."""
        other = self.others.get(source)
        return None if other is None else compared(proposals, self.all()[source], other)

    def is_random(self, source: str, proposals: Sequence[Proposal]) -> bool:
        """Whether a run at the same values gives other numbers, as far as they are found there."""
        again = self.again.get(source)
        if again is None or source not in self.run:
            return False
        numbers = [p for p in proposals if not p.texts]  # labels tell nothing of that
        outputs = [Output("it", source, p.extractor, None, p.decimal_comma, scale_letters=p.scale_letters) for p in numbers]
        found = ((read(o, self.run), read(o, {source: again})) for o in outputs)
        return any(isinstance(a, Reading) and isinstance(b, Reading) and a.values != b.values for a, b in found)

    def equal_tables(self, mark: Mark, offer: Offer) -> tuple[EqualTable, ...]:
        """The marked table and those like it, in its text or in other files of the run."""
        return equal_tables(mark, offer, self.run, self.others) if mark.source in self.run else ()

    def lost(self, found: Found) -> str:
        """Why the run at other values does not have a number; empty: it has, or there is no such run."""
        told = self.told(found.source, [found.proposal])
        return told.words if told is not None and told.level == "error" else ""

    def read_by(self, outputs: Sequence[Output], source: str) -> Spans:
        """Where the first ``MOST_READ`` of ``outputs`` that read this text do so."""
        texts = self.all()
        here = [o for o in outputs if o.source == source][:MOST_READ] if source in texts else []
        return [span for o in here if isinstance(found := read(o, texts), Reading) for span in found.spans]


def anchors(extractors: Sequence[object], text: str) -> Spans:
    """Where the words stand by which these are known again."""
    headed = [Region(anchor=e.below) for e in extractors if isinstance(e, LabelledNumber) and e.below]
    every = [*headed, *(e for e in extractors if isinstance(e, Region))]
    regions = {(e.anchor, e.occurrence, e.since): e for e in every}
    return [span for region in regions.values() for span in anchor_spans(region, text)]
