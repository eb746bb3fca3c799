"""The report of a test run as lines of plain text, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .. import protocol
from ..answer.no_effect import question
from ..problem.binary_files import output_advice
from ..problem.command_text import command_text, visible

MAX_LINES = 40  # shown of one file or stream
MAX_VALUES = 8


def trial_lines(report: protocol.TrialRunReport) -> Iterator[str]:
    """Everything in ``report``: what the program was given, what it did, what was read from it, and what is wrong."""
    yield "values:   " + ", ".join(f"{name} = {value:g}" for name, value in report.values.items())
    yield "command:  " + command_text(report.command)
    for name, value in report.environment.items():
        yield f"variable: {name} = {visible(value)}"
    if report.stdin is not None:
        yield from _block("standard input", report.stdin)
    for file in report.files:
        if file.role == "template":
            yield from _block(f"filled file {file.name}", file.text or "", file.cut)
    yield f"folder:   {report.run_folder}"
    if report.working_folder not in ("", report.run_folder):
        yield f"works in: {report.working_folder}"
    yield f"duration: {report.duration_s:.3g} s, exit status {_or(report.exit_code, 'none')}"
    yield from _block("stdout", report.stdout, report.stdout_cut)
    yield from _block("stderr", report.stderr, report.stderr_cut)
    written = [f"{file.name} ({file.size:,} bytes)" for file in report.files if file.role == "produced"]
    yield "files written: " + (", ".join(written) or "none")
    for file in report.files:
        if file.role == "produced" and file.binary is not None:
            yield f"no text: {visible(file.name)} is {file.binary.words}. {visible(output_advice(file.binary))}"
    for output in report.outputs:
        yield f"output {output.name}: {output.problem or _labels(output.texts) or _numbers(output.values)}"
    for match in report.predictions:
        yield f"predicted for {match.column}: {_numbers(match.predicted)}"
        yield f"measured {match.column}: {_numbers(match.measured)}"
    if report.log_likelihood is not None:
        error = f", standard error {report.noise_sd:.3g}" if report.noise_sd else ""
        yield f"log-likelihood: {report.log_likelihood:.6g}{error}"
    if report.log_prior is not None:
        yield f"log prior density: {report.log_prior:.6g}"
    if report.repeats_words:
        yield f"repeated: {report.repeats_words}"
    if report.idle:
        yield f"warning: {question(report.idle)}"
    for warning in report.warnings:
        yield f"warning: {warning}"
    if report.outcome != "ok":
        yield f"{report.outcome}: {report.reason}"


def _block(title: str, text: str, cut: bool = False) -> Iterator[str]:
    lines = text.splitlines()
    if not lines:
        return
    yield f"--- {title}"
    shown = lines if len(lines) <= MAX_LINES else [*lines[: MAX_LINES // 2], "", *lines[-MAX_LINES // 2 :]]
    for i, line in enumerate(shown):
        left_out = len(lines) - MAX_LINES
        yield f"... {left_out:,} lines ..." if left_out > 0 and i == MAX_LINES // 2 else visible(line[:500], "\t")
    yield "--- (the rest is in the folder)" if cut else "---"


def _numbers(values: Sequence[float | None]) -> str:
    shown = ", ".join("?" if value is None else f"{value:g}" for value in values[:MAX_VALUES])
    return shown + (f" ... ({len(values)} values)" if len(values) > MAX_VALUES else "")


def _labels(texts: Sequence[str]) -> str:
    shown = ", ".join(visible(text[:40]) for text in texts[:MAX_VALUES])
    return shown + (f" ... ({len(texts)} labels)" if len(texts) > MAX_VALUES else "")


def _or(value: int | None, otherwise: str) -> str:
    return otherwise if value is None else str(value)
