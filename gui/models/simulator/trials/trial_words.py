"""What a test run was and gave, in words. Pure."""

from __future__ import annotations

from bayescope.engine.answer.same_outputs import ONCE_MARKED
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.style import words

AGAIN = "Run it again: it says how much the marked numbers change."


def summary(report: TrialRunReport, marked: bool = False) -> str:
    """How long it took, what it ended with, and what several runs at the same values showed; ``marked``: outputs were since."""
    parts = [f"Took {words.duration(report.duration_s)}"]
    if report.exit_code is not None:
        parts.append(f"exit code {report.exit_code}")
    if report.log_prior is not None and report.log_likelihood is not None:
        parts.append(f"log prior {words.number(report.log_prior, 5)}")
    if report.noise_sd:
        parts.append(f"noise sd {words.number(report.noise_sd, 3)}")
    text = ", ".join(parts) + "."
    repeats = report.repeats_words.replace(ONCE_MARKED, AGAIN) if marked else report.repeats_words
    return f"{text} {repeats}".strip()


def command_words(report: TrialRunReport) -> str:
    """What was started, and where, line by line."""
    lines = ["Program:   " + report.program, "Folder:    " + report.working_folder, "", "Command, word by word:"]
    lines += [f"  {i}: {word}" for i, word in enumerate(report.command)]
    if report.environment:
        lines += ["", "Environment:", *(f"  {k}={v}" for k, v in report.environment.items())]
    if report.stdin is not None:
        lines += ["", "Standard input:", report.stdin]
    return "\n".join(lines)
