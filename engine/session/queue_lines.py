"""More lines for a place's queue, in its own notation: --qos, --gres, --constraint, mail and what else a cluster has.

They stand as comments in a job's script, where only the queue reads them. What Bayescope itself needs to find, watch and cancel
a job cannot be changed by them.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import Literal, NamedTuple

QueueName = Literal["slurm", "pbs", "lsf", "sge", ""]
MOST_LINES, MOST_LETTERS = 30, 300  # more is no directive but a slip of the clipboard
_ANY_MARK = re.compile(r"#\s*(SBATCH|PBS|BSUB|\$)\s*(?=-)", re.IGNORECASE)
_OPTION = re.compile(r"--?[A-Za-z@]")


class _Notation(NamedTuple):
    """``fields``: options (a regular expression of a whole one) that have a field of the place; ``ours``: that would break
    the following of jobs; ``words``: long names of both, which a queue also knows by their first letters."""

    mark: str
    example: str
    fields: str
    ours: str
    words_fields: tuple[str, ...] = ()
    words_ours: tuple[str, ...] = ()


NOTATIONS: dict[QueueName, _Notation] = {
    "slurm": _Notation(
        "#SBATCH", "--qos=long", r"-[hHIkOQsvV]*[pAtc].*", r"-[hHIkOQsvV]*[JoeaDWMi].*|-[hHVuQ].*",
        ("partition", "account", "time", "mem", "cpus-per-task"),
        ("job-name", "output", "error", "array", "chdir", "wait", "clusters", "input", "wrap", "requeue", "test-only",
         "parsable", "signal", "hold", "help", "usage", "version", "uid", "gid", "quiet"),
    ),
    "pbs": _Notation(
        "#PBS", "-l select=1:ncpus=4:ngpus=1", r"-[qA].*|-l ?(walltime|mem)\b.*|-l ?.*,(walltime|mem)=.*",
        r"-[NoejJtrSdDCzIhXx].*|-W ?block.*",
    ),
    "lsf": _Notation(
        "#BSUB", '-gpu "num=1"', r"-[qWMP]\b.*|-n\b.*", r"-(J(?!d\b)|I|cwd|K|H|Z|rn?\b|oo?\b|eo?\b|is?\b|f\b|h\b|V\b).*",
    ),
    "sge": _Notation(
        "#$", "-l gpu=1", r"-[qP]\b.*|-l ?(.*,)?([hs]_rt|h_vmem)=.*",
        r"-(N|o|e|i|j|cwd|wd|t|r|S|sync|terse|b|shell|C|h|now|verify|help|tc|@)\b.*|-@.*",
    ),
}  # fmt: skip


def bare(line: str) -> str:
    """A directive without the mark before it: “#SBATCH --qos=long” and “--qos=long” are the same."""
    return _ANY_MARK.sub("", line.strip(), count=1) if _ANY_MARK.match(line.strip()) else line.strip()


def marked(queue: QueueName, lines: Sequence[str]) -> list[str]:
    """As they stand in a job's script."""
    mark = NOTATIONS[queue].mark if queue in NOTATIONS else ""
    return [f"{mark} {bare(line)}" for line in lines if line.strip()] if mark else []


def check_lines(queue: QueueName, lines: Sequence[str]) -> list[str]:
    """What is wrong with them, a sentence each; empty: nothing."""
    if not any(line.strip() for line in lines):
        return []
    if queue not in NOTATIONS:
        return ["More lines for the scheduler are for queues; this place has none."]
    if len(lines) > MOST_LINES:
        return [f"At most {MOST_LINES} more lines for the scheduler."]
    return [words for line in lines if line.strip() and (words := _wrong(NOTATIONS[queue], line))]


def _wrong(notation: _Notation, line: str) -> str:
    """What is wrong with one line; "": nothing."""
    said = f"The line for the scheduler “{''.join(c if c.isprintable() else '�' for c in line.strip())[:80]}”"
    if len(line) > MOST_LETTERS or not line.strip().isprintable():
        return f"{said} must be one line of at most {MOST_LETTERS} printable characters."
    if _ANY_MARK.match(line.strip()) and not line.strip().replace("# ", "#").upper().startswith(notation.mark):
        return f"{said} is for another queue; here each begins with {notation.mark}, or with the option itself."
    text = bare(line)
    if any(mark in text for mark in ("`", "$(", "\\", ";")):
        return f"{said} holds ` or $( or ; or \\, which no queue needs; commands belong into the set-up lines."
    if not _OPTION.match(text):
        return f"{said} is no option of the queue, such as {notation.example}."
    try:
        words = shlex.split(text)
    except ValueError:
        return f"{said} has a quote that is not closed."
    for k, word in enumerate(words):
        whole = " ".join([word, *words[k + 1 : k + 2]])
        if word.startswith("-") and _among(word, whole, notation.fields, notation.words_fields):
            return f"{said}: partition, account, time, memory and cores have fields of their own above."
        if word.startswith("-") and _among(word, whole, notation.ours, notation.words_ours):
            return f"{said} changes what Bayescope needs to find, follow and cancel its jobs, so it cannot be used."
    return ""


def _among(word: str, whole: str, short: str, long: Sequence[str]) -> bool:
    if word.startswith("--"):
        name = word[2:].partition("=")[0]
        return any(one == name or (len(name) > 1 and one.startswith(name)) for one in long)
    return re.fullmatch(short, whole) is not None
