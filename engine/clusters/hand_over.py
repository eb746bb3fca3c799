"""An intent becomes a job: once, whatever the queue says about it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

from ..problem.errors import SetupError
from .place import Place, Refused
from .ssh_words import Unreachable


class QueueRefuses(SetupError):
    """It takes no such job, neither now nor later, and would refuse all others like it."""


class HasFiles(Protocol):
    """As a RemoteJob: what the attempt's folder is made of."""

    def files(self, place: Place, token: str) -> dict[str, str]: ...


AGAIN = " It is tried again."
PAUSES_S = (1.0, 2.0, 5.0, 10.0, 30.0)  # between tries while the queue takes nothing now
# what queues say when they would take the job later, or have taken it without knowing that we know
_LATER = re.compile(
    r"timed? ?out|unable to contact|connection (refused|reset)|temporar|try again|busy|unavailable|communication|slurmctld|"
    r"cannot connect to server|limit|overload|zero bytes|not responding|qmaster|already in queue|jobs are allowed per|threshold",
    re.IGNORECASE,
)
# and when it asks for more than they ever give: Slurm, PBS, LSF, Torque
_NEVER = re.compile(
    r"exceeds some limit|violates queue and/or server|cannot exceed queue|limit exceeds allowable|cannot be satisfied",
    re.IGNORECASE,
)
_NO_COMMAND = re.compile(r"not found|no such file", re.IGNORECASE)


def hand_over(
    place: Place, token: str, job: HasFiles, wait: Callable[[float], bool], say: Callable[[str | Unreachable], None], *,
    fresh: bool,
) -> str | None:  # fmt: skip
    """The number of the job; None: ``wait`` said that the run is to end, and whether there is a job is not known.

    The queue is asked for the job's name first unless nobody can have handed it over before (``fresh``), and after each refusal:
    a queue that says that it timed out may have taken it. Two jobs of one name are harmless: only the first that starts runs.
    Raises QueueRefuses where trying again is of no use, SetupError.
    """
    tries = 0
    while True:
        try:
            if not fresh:
                known = _known(place, token)
                if known is not None:
                    return known
            fresh = False
            place.send(token, job.files(place, token))
            return place.submit(token)
        except Unreachable as error:
            say(error)
        except Refused as error:
            known = _after_refusal(place, token)
            if known is not None:
                return known
            words = str(error)
            if not _LATER.search(words) or _NEVER.search(words) or _NO_COMMAND.search(words):
                raise QueueRefuses(*refused_words(place, words)) from None
            say(f"The queue on {place.name} takes no job now: {words[-300:]}.{AGAIN}")
        if not wait(PAUSES_S[min(tries, len(PAUSES_S) - 1)]):
            return None
        tries += 1


def _known(place: Place, token: str) -> str | None:
    """The number of a job that bears this name, or has started; None: there is none. Raises Unreachable."""
    states = place.states()
    if states is None:
        place.shell.run(":")  # where it is the connection that is cut, that is said
        raise Unreachable(f"The queue on {place.name} does not answer.")
    if token in states:
        return states[token].job
    seen = place.look([token], [token]).get(token)
    if seen is not None and (seen.started is not None or seen.ended):
        return seen.started.job if seen.started is not None else "0"
    return None


def _after_refusal(place: Place, token: str) -> str | None:
    try:
        return _known(place, token)
    except Unreachable:
        return None


def never_starts(place: Place, reason: str) -> QueueRefuses:
    """The queue took the job, and says that it will not start it."""
    return QueueRefuses(f"{reason}: the queue on {place.name} takes the jobs, but will never start them.", correct(place, reason))


_FIELDS = (  # of a place, and what queues say that concerns them
    ("partition", r"partition(?! ?(time|node))|queue"),
    ("account", r"account|project"),
    ("time", r"time ?limit|walltime|maxwall|time limit|wall.?clock"),
    ("memory", r"mem|badconstraints|node configuration|partitionconfig"),
    ("cores", r"cpu|core|processor|badconstraints|node ?(configuration|limit|count)|partitionconfig"),
    ("more lines", r"qos|option|constraint|feature|gres|licen[sc]e|reservation|directive"),
)


def correct(place: Place, said: str) -> str:
    """What to do about a refusal: the fields that the queue speaks of, all where it names none."""
    named = [field for field, words in _FIELDS if re.search(words, said, re.IGNORECASE)] or [field for field, _ in _FIELDS]
    fields = f"{', '.join(named[:-1])} or {named[-1]}" if len(named) > 1 else f"the {named[0]}"
    return f"Correct {fields} of the place “{place.profile.name}” (Run page, Settings…, Places…)."


_HELP = re.compile(r"(try|use|see) .*(--?help|man )|usage: ", re.IGNORECASE)  # how to ask the command itself
# what sbatch, qsub and bsub put before what they say
_AROUND = re.compile(
    r"^(sbatch|qsub|bsub|error|Batch job submission failed|Unable to run job): |\.? *(Job not submitted|Exiting)\.*$"
)


def refused_words(place: Place, words: str) -> tuple[str, str]:
    """What the queue says first, since that is what has to be read; and what to do."""
    if _NO_COMMAND.search(words):
        command = place.queue.programs[0]
        return (
            f"The command “{command}” is not there on {place.name}: {words[-200:]}.",
            "Is this the right computer and the right queue (Slurm, PBS, ...)? A set-up line of the login may be missing.",
        )
    reason, rest = said_by_queue(words)
    more = f" It also says: {rest}." if rest else ""
    return f"{reason}: the queue on {place.name} does not take the job.{more}", correct(place, f"{reason} {rest}")


def said_by_queue(words: str) -> tuple[str, str]:
    """The reason without what stands around it, and what else it says: the last line is the queue's own."""
    lines: list[str] = []
    for line in words.strip().splitlines():
        before = ""
        while before != line:
            before, line = line, _AROUND.sub("", line.strip())
        if line and line not in lines and not _HELP.match(line):
            lines.insert(0, line)
    reason, rest = (lines[0] if lines else "No reason given")[:300].rstrip("."), "; ".join(reversed(lines[1:]))[:300].rstrip(".")
    return reason[0].upper() + reason[1:], rest
