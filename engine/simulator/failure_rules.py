"""What counts as a failed run, beyond missing output: exit status, signals, text on stderr, patterns, non-finite values."""

from __future__ import annotations

import signal as signals
from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..problem.definition import FailurePattern, FailureRules
from ..problem.extract import ExtractionError
from ..problem.extract.numbers import shorten
from ..problem.extract.single import search_all
from .run_result import RunResult

LINE_CHARACTERS = 160  # of the line that shows a sign of failure: the message and its number
SEE = " See what it printed."
NOTHING = " It printed nothing."
_SIGNAL_WORDS = {
    "SIGSEGV": "it touched memory that is not its own, a fault in the program or an input it does not expect",
    "SIGABRT": "it gave up by itself (abort), often after an error message",
    "SIGFPE": "an arithmetic error such as a division by zero",
    "SIGILL": "it holds an instruction this processor does not know; it may have been built for another one",
    "SIGBUS": "a memory error, often a full disk or a file that was cut while it was read",
    "SIGKILL": "something killed it, most often the system because memory ran out",
    "SIGTERM": "something asked it to end",
    "SIGXCPU": "it used up its allowed processor time",
    "SIGXFSZ": "a file became larger than allowed",
    "SIGPIPE": "it wrote to another program that had ended",
    "SIGINT": "it was interrupted",
    "SIGHUP": "its terminal was closed",
}


def exit_reason(rules: FailureRules, exit_code: int | None) -> str:
    """Why the way the program ended is a failure; empty if it is none."""
    if exit_code is None:
        return "The program cannot be ended: it hangs in a system call, often on a network drive that is gone."
    if exit_code < 0:
        return f"The program was {_signal_words(-exit_code)}." if rules.signal else ""
    if exit_code == 0 or not rules.exit_code:
        return ""
    if exit_code in (126, 127):
        why = "could not be run" if exit_code == 126 else "was not found"
        return f"The program ended with exit status {exit_code}: a command inside it {why}.{SEE}"
    if exit_code > 128 and _name(exit_code - 128):
        return f"The program ended with exit status {exit_code}: a part of it was {_signal_words(exit_code - 128)}."
    if exit_code >= 0xC0000000:
        return f"The program crashed (Windows error {exit_code:#010x})."
    return f"The program ended with exit status {exit_code}, which means failure.{SEE}"


def _name(number: int) -> str:
    try:
        return signals.Signals(number).name
    except ValueError:
        return ""


def _signal_words(number: int) -> str:
    name = _name(number)
    words = _SIGNAL_WORDS.get(name, "")
    return f"ended by signal {number}" + (f" ({name})" if name else "") + (f": {words}" if words else "")


def last_words(stderr: str, stdout: str) -> str:
    """The last line the program printed, for the end of a reason; stderr first."""
    for stream in (stderr, stdout):
        lines = [line for line in stream.splitlines() if line.strip()]
        if lines:
            return f" It said last: “{shorten(lines[-1], 200)}”."
    return NOTHING


def text_reason(rules: FailureRules, read: Callable[[str], str]) -> str:
    """Why what the program wrote is a failure. ``read(source)`` gives a text or raises ExtractionError."""
    if rules.stderr:
        complaints = read("stderr").strip()
        if complaints:
            return f"The program wrote to its error stream: “{shorten(complaints, 200)}”."
    for pattern in rules.patterns:
        reason = _pattern_reason(pattern, read)
        if reason:
            return reason
    return ""


def _pattern_reason(rule: FailurePattern, read: Callable[[str], str]) -> str:
    try:
        text = read(rule.source)
        matches = search_all(rule.pattern, text) if rule.regex else []
        at = (matches[0].start() if matches else -1) if rule.regex else text.find(rule.pattern)
    except ExtractionError as error:
        if rule.when == "found" and not rule.regex:
            return ""  # the file is not there, so neither is the text
        return f"The failure rule for {rule.source} could not be checked: {error}"
    if rule.when == "found" and at >= 0:
        line = _line_at(text, at, rule.pattern)
        return f"“{shorten(rule.pattern)}”, which you named as a sign of failure, occurs in {rule.source}{line}."
    if rule.when == "missing" and at < 0:
        return f"“{shorten(rule.pattern)}”, which you named as the sign of success, does not occur in {rule.source}."
    return ""


def _line_at(text: str, position: int, pattern: str) -> str:
    """The number of the line at ``position``, and its words there unless they are the pattern itself."""
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    line = text[start : len(text) if end < 0 else end]
    number = f", line {text.count(chr(10), 0, position) + 1}"
    if line.strip() == pattern.strip():
        return number
    first = max(position - start - LINE_CHARACTERS // 4, 0) if len(line) > LINE_CHARACTERS else 0
    return f"{number}: “{'… ' if first else ''}{shorten(line[first:], LINE_CHARACTERS)}”"


def values_reason(rules: FailureRules, outputs: Mapping[str, NDArray[np.float64]]) -> str:
    """Why the values read are a failure: NaN or infinite, where that is not allowed.

    Minus infinity as a single number is left to the likelihood: for a log-likelihood it means "impossible", not a fault.
    """
    if not rules.non_finite:
        return ""
    for name, values in outputs.items():
        if values.size == 1 and values[0] == -np.inf:
            continue
        bad = np.flatnonzero(~np.isfinite(values))
        if bad.size:
            value = values[bad[0]]
            what = "NaN (not a number)" if np.isnan(value) else "infinite" if value > 0 else "minus infinity"
            where = f"value {bad[0] + 1} of {values.size}" if values.size > 1 else "its value"
            return f"The output “{name}” is no use: {where} is {what}. The program went wrong with these parameters."
    return ""


def recorded_outcome(rules: FailureRules, result: RunResult) -> Literal["ok", "failed", "impossible"]:
    """How a run enters the analysis: "impossible" (density 0) only where the program itself failed and the user chose so.

    A broken limit, a missing program or a full disk says nothing about the point.
    """
    if result.outcome == "ok":
        return "ok"
    about_the_point = result.cause in ("program", "output")
    return "impossible" if rules.meaning == "impossible" and about_the_point else "failed"
