"""What a test run wrote into a working folder that the user chose: there it lies among files that were there before."""

from __future__ import annotations

import os
from pathlib import Path

from ..problem.extract import ExtractionError
from ..problem.text_files import NotText, decode
from ..protocol import TrialFile
from . import freshness

MAX_FILES = 2000  # looked at, right inside the folder
MAX_DIGEST = 32_000_000  # bytes read beforehand, to tell rows that were added from older ones


class WorkingFiles:
    """The state of ``folder`` when this is made; ``written`` compares with it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._before: dict[str, freshness.Before] = {}
        budget = MAX_DIGEST
        for path in _files(folder):
            try:
                stat = path.stat()
            except OSError:
                continue
            budget -= stat.st_size
            known = freshness.Before(stat.st_size, stat.st_mtime_ns, stat.st_ino)
            self._before[path.name] = freshness.note(path) if budget > 0 else known

    def written(self, started_at: float, most_text: int) -> tuple[TrialFile, ...]:
        """The files that are new or changed; of one that was added to only the new part, as the outputs read it."""
        found = []
        for path in _files(self._folder):
            try:
                before = self._before.get(path.name, freshness.Before())
                data = freshness.read_fresh(path, before, started_at, path.name)
            except ExtractionError:
                continue  # an old one
            text, binary = None, None
            try:
                text = decode(data, path.name).text
            except NotText as error:
                binary = error.binary
            cut = text is not None and len(text) > most_text
            text = None if text is None else text[:most_text]
            found.append(TrialFile(name=path.name, role="produced", size=len(data), text=text, cut=cut, binary=binary))
        return tuple(found)


def _files(folder: Path) -> list[Path]:
    """Plain files right inside ``folder``, by name."""
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries if entry.is_file())
    except OSError:
        return []
    return [folder / name for name in names[:MAX_FILES]]
