"""What the text files that a failed run wrote tell of its error, where what it printed does not: logs of a script's programs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from ..problem.definition import Simulator
from ..problem.errors import ProblemError
from ..problem.extract.numbers import shorten
from ..problem.text_files import read_text
from ..protocol.reports import TrialTold
from . import run_folder

LARGEST = 400_000  # bytes of a file that is looked into: a log, not results
MOST_FILES = 20  # looked into, the newest first
COARSE_S = 2.0  # of the clock of some disks
LONGEST = 200  # characters that are quoted
_NAME = r"[\w+-][\w.+-]*\.[A-Za-z]\w{0,7}"
_ABSENT = re.compile(
    r"does(?: not|n['’]t) exist|no such file|not found|(?:cannot|can['’]?t|could(?: not|n['’]t)|unable to|failed to) (?:be )?"
    r"(?:open|opened|find|found|read|access|locate|stat)|missing",
    re.IGNORECASE,
)
_ERROR = re.compile(
    r"\b(?:fatal|error|exception|traceback|abort(?:ed|ing)?|panic|cannot|can['’]t|could(?: not|n['’]t)|unable to|failed|invalid|"
    r"illegal|unknown|undefined|unrecogni[sz]ed|does(?: not|n['’]t) (?:exist|match)|no such|not found|singular|diverged|"
    r"segmentation fault|out of memory)\b|[a-z]Error\b",
    re.IGNORECASE,
)
# a residual, a count of none, a page about errors
_NO_ERROR = re.compile(
    r"\berrors?\b\W*(?:=|:|is)?\s*[-+.]?\d[\d.e+-]*(?![\d.e+:-]|\s*:)"
    r"|\b(?:no|0|zero|without) (?:\w+ )?errors?\b|https?://",
    re.IGNORECASE,
)
# of the program's source
_NAMES_PLACE = re.compile(r"\.(?:c|cc|cpp|cxx|h|hpp|f|f90|F90|for|py|jl|rs)\b\W{0,3}(?:\(?line|\d|:\d)")


def weight(line: str) -> int:
    """How well a line tells of an error: 0 not at all, 3 which file it lacks."""
    if _NO_ERROR.search(line) or _NAMES_PLACE.search(line):
        return 0
    if _ABSENT.search(line) and re.search(_NAME, line):
        return 3
    return 0 if _ERROR.search(line) is None else 2 if len(line.split()) > 2 else 1


def told_in_files(simulator: Simulator, folder: Path, printed: str, since: float) -> TrialTold | None:
    """The line that tells most, of the newest file that tells anything; None where what was ``printed`` tells of an error.

    ``folder``: of the run; ``since``: when it was started, in seconds since 1970: older files are inputs.
    """
    if any(weight(line) for line in printed.splitlines()):
        return None
    for name in _written(simulator, folder, since):
        try:
            text = "" if (folder / name).is_symlink() else read_text(folder / name, LARGEST).text
        except (ProblemError, OSError):
            continue
        told = _line_that_tells(text)
        if told is not None:
            return TrialTold(name=name, line=told[0], words=told[1])
    return None


def words_of(told: TrialTold | None) -> str:
    """For the end of a reason."""
    return "" if told is None else f" Its file “{told.name}” says: “{told.words}”."


def _line_that_tells(text: str) -> tuple[int, str] | None:
    """Its number from 1, and its words; of a line that ends with a colon the next one as well. Of several the first."""
    lines = text.splitlines()
    found = max(enumerate(lines), key=lambda one: (weight(one[1]), -one[0]), default=(0, ""))
    if not weight(found[1]):
        return None
    number, words = found[0], " ".join(found[1].split())
    if words.endswith(":"):
        words += " " + " ".join(next((line for line in lines[number + 1 :] if line.strip()), "").split())
    return number + 1, shorten(words.strip().rstrip("."), LONGEST)


def _written(simulator: Simulator, folder: Path, since: float) -> Iterator[str]:
    """Names of the small files that the run wrote, the newest first."""
    given = {template.target for template in simulator.templates} | {e.target or Path(e.path).name for e in simulator.extra_files}
    sizes: Mapping[str, int] = run_folder.files_in(folder)
    dated = []
    for name, size in sizes.items():
        if 0 < size <= LARGEST and name not in given and not any(name.startswith(f"{one}/") for one in given):
            try:
                dated.append((-(folder / name).stat().st_mtime, name))
            except OSError:
                continue
    newest = sorted(dated)[:MOST_FILES]
    return iter([name for changed, name in newest if -changed >= since - COARSE_S])
