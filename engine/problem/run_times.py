"""Numbers that tell of a run and not of what it computed: its wall clock, its processor time, when it began. Pure."""

from __future__ import annotations

import re

from .numbers.dates_in_text import dates_in

_SPENT = r"(?:run|cpu|real|user|sys(?:tem)?|comput(?:ing|ation)|execution|exec|processor|process|solver?|clock)"
_CPU = r"cpu(?![\s_-]+(?!time|sec|used|hour|min)[^\W\d_]{3,})"  # but not a CPU temperature
_RUN_TIME = re.compile(
    rf"(?<![^\W\d_])(?:elapsed|wall[\s_-]?clock|wall[\s_-]?time|wall[\s_-]s(?:ec(?:ond)?s?)?|walltime|{_CPU}|{_SPENT}[\s_-]?time|took|pid"
    r"|time[\s_-](?:taken|used|spent|elapsed))(?![^\W\d_])",
    re.IGNORECASE,
)
_MAY_BE_SIMULATED = re.compile(r"(?<![^\W\d_])elapsed(?![^\W\d_])", re.IGNORECASE)


def says_run_time(words: str) -> bool:
    """Whether a label, a heading or the name of an output says that its numbers are how long the run itself took."""
    return _RUN_TIME.search(words) is not None


def surely_run_time(words: str) -> bool:
    """The same, where it cannot be a time that was simulated: time elapsed since the start of an experiment is often meant."""
    return says_run_time(_MAY_BE_SIMULATED.sub("", words))


def without_times(line: str) -> str:
    """A line of a program's text without what differs in each run of it: dates and times of day; '' if it tells how long it
    took."""
    if says_run_time(line):
        return ""
    for start, end in reversed(dates_in(line)):
        line = line[:start] + line[end:]
    return line
