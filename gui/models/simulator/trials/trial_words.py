"""What a test run was and gave, in words. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from bayescope.engine.answer.same_outputs import ONCE_MARKED
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.plain import one_line
from bayescope.gui.style import words

AGAIN = "Run it again: it says how much the marked numbers change."
SAME = "The marked numbers are the same in both."
FEW = 3  # outputs that are named


def summary(report: TrialRunReport, marked: bool = False, random: Sequence[str] = ()) -> str:
    """How long it took, what it ended with, and what several runs at the same values showed; ``marked``: outputs were since,
    ``random`` ones of which differ."""
    parts = [f"Took {words.duration(report.duration_s)}"]
    if report.exit_code is not None:
        parts.append(f"exit code {report.exit_code}")
    if report.log_prior is not None and report.log_likelihood is not None:
        parts.append(f"log prior {words.number(report.log_prior, 5)}")
    if report.noise_sd:
        parts.append(f"noise sd {words.number(report.noise_sd, 3)}")
    text = ", ".join(parts) + "."
    differ = f"They differ in {', '.join(one_line(name, 30) for name in random[:FEW])}{' …' if len(random) > FEW else ''}."
    since = differ if random else SAME if report.again else AGAIN
    repeats = report.repeats_words.replace(ONCE_MARKED, since) if marked else report.repeats_words
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
