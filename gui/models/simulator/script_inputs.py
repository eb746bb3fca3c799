"""Files that the command names and that give numbers to names: their unknown numbers can be marked in them. Looks into them."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from bayescope.engine.problem.definition import Simulator
from bayescope.engine.problem.placeholders import find

LARGEST = 1_000_000  # bytes; what is larger holds data
LONGEST = 4_000  # characters of a word that is looked for as a file
_GIVES = re.compile(
    r"(?m)^[ \t]*[^\W\d][\w.$%]*[ \t]*(?:<{1,2}-|:?=|:)[ \t]*[-+]?\.?\d|^[ \t]*[-+]?[\d.]+(?:[eE][-+]?\d+)?[ \t]*->"
)


def with_numbers(simulator: Simulator, folder: Path) -> list[Path]:
    """Such files behind the program, in the order they are named, but for those that a run gets filled already; relative paths
    are from ``folder``."""
    filled = {Path(template.target).name for template in simulator.templates}
    found = []
    for word in dict.fromkeys(simulator.command[1:]):
        if not word or word.startswith("-") or "\0" in word or len(word) > LONGEST or find(word):
            continue
        try:
            path = (folder / Path(word).expanduser()).absolute()
            if path.name not in filled and path.is_file():
                state = path.stat()
                found += [path] if _gives_numbers(path, state.st_mtime_ns, state.st_size) else []
        except (OSError, RuntimeError, ValueError):
            continue
    return found


@lru_cache(maxsize=32)
def _gives_numbers(path: Path, changed: int, size: int) -> bool:
    if size > LARGEST:
        return False
    content = path.read_bytes()
    return b"\0" not in content and _GIVES.search(content.decode("utf-8", "replace")) is not None
