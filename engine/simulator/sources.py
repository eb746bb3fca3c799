"""The texts a run wrote, and the outputs read from them."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..problem.definition import Output, Simulator
from ..problem.extract import ExtractionError, Reading, decode, read_output
from ..problem.extract.shorter import given_part
from . import freshness
from .streams import Streams


def read_outputs(
    outputs_spec: Sequence[Output], text: TextOf
) -> tuple[dict[str, Reading], dict[str, str]]:
    """All outputs that can be read, and for the others why not."""
    readings: dict[str, Reading] = {}
    problems: dict[str, str] = {}
    for output in outputs_spec:
        try:
            content = text(output.source)
        except ExtractionError as error:
            problems[output.name] = str(error)
            continue
        try:
            readings[output.name] = read_output(output, content)
        except ExtractionError as error:
            problems[output.name] = str(error)
    return readings, problems


def parts_of(problems: Collection[str], outputs_spec: Sequence[Output], text: TextOf) -> dict[str, NDArray[np.float64]]:
    """What those outputs that could not be read, for a table that ends before the numbers asked for, have as far as it goes."""
    found: dict[str, NDArray[np.float64]] = {}
    for output in (o for o in outputs_spec if o.name in problems):
        try:
            part = given_part(output, text(output.source))
        except ExtractionError:
            continue
        if part is not None:
            found[output.name] = part
    return found


class TextOf(Protocol):
    """The text of a source ('stdout', 'stderr' or a file name). Raises ExtractionError."""

    def __call__(self, source: str, /) -> str: ...


def names_of(outputs_spec: Sequence[Output], simulator: Simulator) -> set[str]:
    """The files that outputs and failure rules are read from."""
    sources = {output.source for output in outputs_spec} | {p.source for p in simulator.failures.patterns}
    return sources - {"stdout", "stderr"}


class Sources:
    """Texts that this run wrote, each read once; the files' earlier state is noted when this is made."""

    def __init__(
        self,
        folder: Path,
        where: Path,
        streams: Streams,
        outputs_spec: Sequence[Output],
        simulator: Simulator,
        confined: bool,
        before: Mapping[Path, freshness.Before] | None = None,
    ) -> None:
        """``before``: the earlier state of files, where the run has ended already."""
        self.folder = folder
        self._where = where
        self._streams = streams
        self._confined = confined
        self.started_at = 0.0
        self._texts: dict[str, str] = {}
        self._before = before if before is not None else {
            path: freshness.note(path) for name in names_of(outputs_spec, simulator) for path in self._places(name)
        }

    def _places(self, name: str) -> list[Path]:
        """In the run folder, else in the working folder where that is another."""
        folders = [self.folder] if self._where == self.folder else [self.folder, self._where]
        return [folder / name for folder in folders] if name and "\0" not in name else []

    def text(self, source: str) -> str:
        if source not in self._texts:
            self._texts[source] = self._read(source)
        return self._texts[source]

    def _read(self, source: str) -> str:
        if source in ("stdout", "stderr"):
            return decode(self._streams.read(0 if source == "stdout" else 1), source)
        places = self._places(source)
        if not places:
            raise ExtractionError("No file name is given for an output.")
        path = next((place for place in places if os.path.lexists(place)), places[-1])
        if self._confined and not any(path.resolve().is_relative_to(p.resolve()) for p in (self.folder, self._where)):
            raise ExtractionError(f"The file “{source}” lies outside the run folder, which a confined run may not use.")
        data = freshness.read_fresh(path, self._before.get(path, freshness.Before()), self.started_at, source)
        if not data:
            raise ExtractionError(f"The file “{source}” is empty: the program stopped before it wrote anything into it.")
        return decode(data, source)
